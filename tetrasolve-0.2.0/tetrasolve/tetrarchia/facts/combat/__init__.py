"""Battles: how they end by the sizes of both groups and the support of both sides, and whether to attack or to wait.

============== ==================================================================================================
`tables`       the whole table of chances, what follows from it alone, and attacks that are made again
`ground`       where on the map a battle finds support
`waiting`      attacking an army now, or standing in its way
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.combat import ground, tables, waiting

TOPICS = (*tables.TOPICS, *ground.TOPICS, *waiting.TOPICS)
