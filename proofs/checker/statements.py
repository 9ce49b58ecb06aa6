"""What the rulebook says about its own game, and how turns, phases and games end.

Each statement has a function: in `counted` those that are counted, in `tried` those for which the rules are run wherever they
could say something else, in `examples` those that are shown by positions, which the certificate lists. `verdict` is whether
the numbers are those of the rulebook, whose page is a field. Where positions are listed the value `witness` is taken from
their text, so that whoever quotes the numbers also says which positions they are of.
"""

import counted
import tried
from board import Board
from claimed import Fact
from text import Lines, Unreadable, witness

import examples

STATEMENTS = counted.STATEMENTS | tried.STATEMENTS


def check_statement(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """Work out what a statement says."""
    known = STATEMENTS | examples.STATEMENTS
    if fact.id not in known:
        raise lines.unreadable(f"this checker knows no statement '{fact.id}'")
    page, statement = known[fact.id]
    if fact.fields["page"] != str(page):
        raise lines.unreadable(f"this is said on page {page}")
    positions = list(lines.section("positions"))
    if bool(positions) != (fact.id in examples.STATEMENTS):
        raise lines.unreadable(f"{'no positions show' if positions else 'positions show'} this statement")
    try:
        values, right = statement(board, positions)
    except (Unreadable, KeyError, ValueError, IndexError, StopIteration, ZeroDivisionError) as reason:
        raise lines.refuted(f"the positions do not show this: {reason}") from None
    proved = {path: written(value) for path, value in values.items()}
    if positions:
        proved["witness"] = witness(positions)
    return proved | {"verdict": "confirmed" if right else "refuted"}


def written(value: object) -> str:
    """A number, a word, or a row of words, as a certificate writes them."""
    if isinstance(value, list):
        return ".".join(map(str, value)) + ("." if len(value) == 1 else "") if value else "-"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
