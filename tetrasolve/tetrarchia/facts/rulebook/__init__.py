"""What the rulebook says of itself, confirmed or refuted.

============== ==================================================================================================
`counted`      on the board, in the box, in the table of levels, in the scenarios
`tried`        prices, borders and Barbarians: the rules are asked wherever they could say something else
`examples`     the worked examples, played
============== ==================================================================================================
"""

from tetrasolve.tetrarchia.facts.rulebook import counted, examples, tried
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
    "The round and the actions",
    "The order in which turns follow one another, and the actions that the rules know.",
    (),
    {"order": counted.ORDER, "actions": tried.ACTIONS},
)

KINDS = (*counted.KINDS, ROUND, *tried.KINDS, *examples.KINDS, BARBARIANS)
