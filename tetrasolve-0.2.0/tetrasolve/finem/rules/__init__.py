"""The rules of Et finem Imperii Romani as readable Python: the reference engine, a module for each part of the rules.

============== ====================================================
module         part
============== ====================================================
`setup`        set-up
`actions`      phase of actions
`campaign`     campaign: decline, dice, the limit of points
`crisis`       crisis
`events`       special events
`invasion`     phase of invasion
`outbreak`     outbreaks and their chains
`tribes`       cubes and dice: put, removed, pacified, eradicated; won
`roles`        the role of the next turn
`turn`         all steps together
`optimum`      the best policy of the rest of a turn
============== ====================================================

A game stops at each card that is drawn and at each decision: `node` has what can come, `take` what follows. The cards of a
chance node are equally likely.
"""

from tetrasolve.finem.rules.optimum import best
from tetrasolve.finem.rules.setup import drawn_set_up, random_set_up, seeded, set_up
from tetrasolve.finem.rules.turn import TurnNode, follow, node, outcomes, sample, take

__all__ = [
    "TurnNode",
    "best",
    "drawn_set_up",
    "follow",
    "node",
    "outcomes",
    "random_set_up",
    "sample",
    "seeded",
    "set_up",
    "take",
]
