"""The map as a graph: what follows from its links, coasts and arrows alone, whoever stands where.

============== ==================================================================================================
`counts`       provinces, links, degrees, the neighbours of each border, coasts
`cuts`         provinces and links without which the map falls apart, and the map without its broken links
`steps`        distances in links, and what uprisings can reach
`paths`        the paths of arrows from the borders to Roma
`network`      the links as bit masks, walked breadth first
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.graph import counts, cuts, paths, steps

TOPICS = (*counts.TOPICS, *cuts.TOPICS, *steps.TOPICS, *paths.TOPICS)
