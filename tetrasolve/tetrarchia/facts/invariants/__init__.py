"""What holds at every moment of every game, and that turns, phases and games end.

============== ==================================================================================================
`places`       the primitive changes of which all rules are made, each at one place of the table
`claims`       invariants, shown by induction over these changes
`traces`       the rules of the game held against the changes, wherever some positions lead
`endings`      how turns, phases and games end
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.invariants import claims, endings, traces

KINDS = (*claims.KINDS, *traces.KINDS, *endings.KINDS)
