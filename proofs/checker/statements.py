"""What the rulebook says about its own base game, and how turns, phases and games end.

Each statement has a function: in `counted` those that are counted, in `tried` those for which the rules are run wherever they
could say something else, in `examples` those that are shown by positions, which the certificate lists. `verdict` is whether
the numbers are those of the rulebook, whose page is a field. Where positions are listed the value `witness` is taken from
their text, so that whoever quotes the numbers also says which positions they are of.
"""

import counted
import tried
from bare import check
from board import Board
from claimed import Fact
from text import Lines

import examples

KNOWN = counted.STATEMENTS | tried.STATEMENTS | examples.STATEMENTS


def check_statement(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """Work out what a statement says."""
    return check(lines, board, fact, KNOWN, examples.STATEMENTS)
