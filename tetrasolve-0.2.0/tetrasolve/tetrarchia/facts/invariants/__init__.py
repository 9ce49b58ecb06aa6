"""What holds at every moment of every game.

============== ==================================================================================================
`places`       the primitive changes of which all rules are made, each at one place on the board
`claims`       invariants, shown by induction over these changes
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.invariants import claims

TOPICS = claims.TOPICS
