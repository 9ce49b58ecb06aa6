"""What holds at every moment of every game, and that turns, phases and games end.

============== ==================================================================================================
`places`       the primitive changes of which all rules are made, each at one place of the table
`claims`       invariants, shown by induction over these changes
`endings`      how turns, phases and games end
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.invariants import claims, endings

TOPICS = (*claims.TOPICS, *endings.TOPICS)
