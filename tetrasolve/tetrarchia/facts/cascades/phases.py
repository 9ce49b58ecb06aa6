"""The figures of single positions: the rulebook's examples, and a fall by unrest alone."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import many
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.facts.cascades.uprisings import table
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.numbers import REVOLTS, UNREST
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position

ROWS = ("links", "kinds", "arrows", "printed", "numbers", "regions")


# -- examples --------------------------------------------------------------------------------------------------


def _examples(board: Board) -> dict[str, Values]:
    return {name: dict(_figures(board, name)) for name in examples()}


@lru_cache(maxsize=256)
def _figures(board: Board, name: str) -> tuple[tuple[str, Value], ...]:
    found = rules.figures(example(name, board))
    values: dict[str, Value] = {
        "uprising": found.p_uprising,
        "uprisings": found.e_uprisings,
        "lost": found.p_lost,
        "army": found.p_new_army,
        "revolts": found.e_revolts,
        "outcomes": found.outcomes,
    }
    return tuple(values.items())


def _say_example(name: str, v: Values) -> str:
    return (
        f"In the rulebook's example '{name}' the next Barbarian phase has {v['outcomes']} results: an uprising with chance "
        f"{v['uprising']}, {v['uprisings']} uprisings in the mean, a new army with chance {v['army']}, {v['revolts']} revolts "
        f"expected after it, and the Empire falls with chance {v['lost']}."
    )


# -- the domino ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def domino(board: Board) -> Position:
    """One revolt and all unrest, joined so that they turn: by normal links where so many provinces hang together."""
    places: list[str] = []
    for start in board.ids:
        if not board[start].is_border:
            found = _grown(board, [start], broken_too=False)
            if len(found) > len(places):
                places = found
    places = _grown(board, places, broken_too=True)[: 1 + UNREST]
    revolt, *unrest = places
    return table(board, {revolt: REVOLT_DISC, **dict.fromkeys(unrest, UNREST_DISC)})


def _grown(board: Board, places: list[str], *, broken_too: bool) -> list[str]:
    """These provinces and the Roman ones connected to them, the neighbours of each in the order of the board."""
    found = list(places)
    for place in found:
        for other, link in sorted(board.neighbours(place).items(), key=lambda one: board.order[one[0]]):
            if other not in found and not board[other].is_border and (broken_too or not link.broken):
                found.append(other)
    return found


def _domino(board: Board) -> dict[str, Values]:
    position = domino(board)
    lost = _lost(position)
    return {"": {"revolts": len(position.revolts), "unrest": len(position.unrest), "lost": lost}}


@lru_cache(maxsize=256)
def _lost(position: Position) -> Value:
    lost = rules.figures(position).p_lost
    return int(lost) if lost.denominator == 1 else lost


def _say_domino(_: str, v: Values) -> str:
    return (
        f"From {many(v['revolts'], 'revolt')} the Empire can fall in one phase with all borders empty, if there is unrest "
        f"enough: beside {v['unrest']} unrest that are connected it falls with chance {v['lost']}."
    )


# -- no unrest left --------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def all_unrest(board: Board) -> Position:
    """All unrest on the map and no revolt; the fewer of it lies where dice name a province, the more can fall."""
    roman = [place for place in board.ids if not board[place].is_border]
    roman.sort(key=lambda place: (board[place].number > 0, not board[place].printed))  # discs that protect are covered
    return table(board, dict.fromkeys(roman[:UNREST], UNREST_DISC))


def _unrest(board: Board) -> dict[str, Values]:
    position = all_unrest(board)
    hidden = sum(not board[place].number and not board[place].is_border for place in board.ids)
    named_ones = sum(board[place].number > 0 for place in board.ids)
    bound = Fraction(named_ones - max(0, UNREST - hidden), 36)
    return {"": {"revolts": 0, "unrest": len(position.unrest), "lost": _lost(position), "bound": bound}}


def _say_unrest(_: str, v: Values) -> str:
    return (
        f"Without any revolt the Empire can fall in one phase for want of a disc only if all {v['unrest']} unrest are on the map, "
        f"since a phase places one at most; then it falls so with chance {v['lost']} where as many as "
        f"possible lie where dice name nothing, and with no more than {v['bound']} in any position."
    )


TOPICS = (
    recounted(
        "phase",
        "cascades",
        "The next phase of the rulebook's examples, of one revolt beside all unrest, and of all unrest",
        "the whole Barbarian phase solved by the reference rules",
        ("links", "kinds", "arrows", "printed", "numbers", "regions"),
        {
            "example": Group(_examples, _say_example),
            "domino": Group(_domino, _say_domino),
            "all-unrest": Group(_unrest, _say_unrest),
        },
        effort=0.1,
    ),
)
assert REVOLTS < 1 + UNREST  # so that there are not enough of them
