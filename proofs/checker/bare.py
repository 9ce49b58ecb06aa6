"""Empty tables on which statements of the rulebook are tried, and how a chapter of such statements is checked.

A statement has a function of the board and of the positions that its certificate lists. It gives the numbers, and whether
they are those of the rulebook.
"""

from collections.abc import Callable, Iterator, Mapping

from board import Board
from claimed import Fact
from rules import READINGS, Table
from text import Lines, Unreadable, witness

Answer = tuple[Mapping[str, object], bool]  # the values, and whether the rulebook is right
Statement = Callable[[Board, list[str]], Answer]  # of a board and the positions that are listed

USUAL = {name: usual for name, (usual, _) in READINGS.items()}
LATEST = USUAL | {"I-CHECK": "each-link", "I-ORDER": "number", "I-FRESH": "advance"}
NOTHING = Table(frozenset(), frozenset(), frozenset(), frozenset(), (frozenset(),) * 4)
NOBODY = (None, None, None, None)  # of the Emperors is on the board


def empire(board: Board) -> frozenset[str]:
    """All Roman provinces."""
    return frozenset(board.provinces) - board.borders


def links(board: Board) -> Iterator[tuple[str, str]]:
    """Every province with each that is linked to it."""
    return ((here, there) for here in board.provinces for there in board.links[here])


def arrows(board: Board) -> Iterator[tuple[str, str]]:
    """The steps of armies towards Roma, but for the last one."""
    return ((army, target) for army, target in board.arrow.items() if target != board.roma)


def of_emperor(emperor: int, *places: str) -> tuple[frozenset[str], ...]:
    """Garrisons of one Emperor, in these places."""
    return tuple(frozenset(places) if number == emperor else frozenset() for number in range(4))


def check(
    lines: Lines, board: Board, fact: Fact, known: Mapping[str, tuple[int, Statement]], shown: Mapping[str, object]
) -> dict[str, str]:
    """Work out what a statement says; positions must be listed for those that are `shown`, and for no others."""
    if fact.id not in known:
        raise lines.unreadable(f"this checker knows no statement '{fact.id}'")
    page, statement = known[fact.id]
    if fact.fields["page"] != str(page):
        raise lines.unreadable(f"this is said on page {page}")
    positions = list(lines.section("positions"))
    if bool(positions) != (fact.id in shown):
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
