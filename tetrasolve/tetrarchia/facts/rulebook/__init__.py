"""What the rulebook says of itself, confirmed or refuted.

============== ==================================================================================================
`counted`      on the board, in the box, in the table of levels
`tried`        prices, borders and Barbarians: the rules are asked wherever they could say something else
`examples`     the worked examples, played
`modules`      modules and variants as such
`helpers`      the Dux and the Vicarius
`raiders`      the Pirates and the Goths
`powers`       Imperium and Roma Aeterna
`roads`        Mare Nostrum, Via Romana and Usurpator
`opponent`     Barbaria
`wars`         the historical scenarios
============== ==================================================================================================

`tables` has the empty tables on which modules are tried.
"""

from tetrasolve.tetrarchia.facts.rulebook import (
    counted,
    examples,
    helpers,
    modules,
    opponent,
    powers,
    raiders,
    roads,
    tried,
    wars,
)
from tetrasolve.tetrarchia.facts.statements import statements

BARBARIANS = statements(
    "book-barbarians",
    "rulebook",
    "What the Barbarians can do",
    "The phase is tried for every province that dice name, or a position is played.",
    ("links", "kinds", "regions", "numbers", "printed", "zones"),
    {**tried.BARBARIANS, **examples.PHASES},
    effort=0.15,
)
ROUND = statements(
    "book-round",
    "rulebook",
    "The round, and what can be done in a turn",
    "The order of turns and the kinds of actions are listed; entries, actions and lost attacks are tried everywhere.",
    ("links", "kinds", "arrows", "numbers", "regions", "printed", "zones"),
    {
        "order": counted.ORDER,
        "actions": tried.ACTIONS,
        "entry": tried.ENTRY,
        "garrisons": tried.GARRISONS,
        "lost-attack": tried.LOST,
        "dice": examples.DICE,
    },
    effort=0.1,
)

KINDS = (
    *counted.KINDS,
    ROUND,
    *tried.KINDS,
    *examples.KINDS,
    BARBARIANS,
    *modules.KINDS,
    *helpers.KINDS,
    *raiders.KINDS,
    *powers.KINDS,
    *roads.KINDS,
    *opponent.KINDS,
    *wars.KINDS,
)
