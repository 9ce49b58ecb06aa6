"""The figures of single positions: the rulebook's examples, and a fall by unrest alone."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from tetrasolve.certify.form import Certificate
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.facts.cascades.uprisings import READINGS, table
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.fact import Kind, Value, Values
from tetrasolve.tetrarchia.facts.saying import many
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.ruleset import REVOLTS, UNREST

ROWS = ("links", "kinds", "arrows", "printed", "numbers", "regions")


# -- examples --------------------------------------------------------------------------------------------------


def _examples(board: Board) -> dict[str, Values]:
    return {name: dict(_figures(board, name)) for name in examples()}


@cache
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


def _certify_example(board: Board, instance: str, values: Values) -> Certificate:
    return _certificate(board, f"phase-example/{instance}", example(instance, board), values)


def _certificate(board: Board, fact: str, position: Position, values: Values) -> Certificate:
    return fact_certificate("phase", board, fact, {"position": str(position)}, values)


def _say_example(name: str, v: Values) -> str:
    return (
        f"In the rulebook's example '{name}' the next Barbarian phase has {v['outcomes']} results: an uprising with chance "
        f"{v['uprising']}, {v['uprisings']} uprisings in the mean, a new army with chance {v['army']}, {v['revolts']} revolts "
        f"expected after it, and the Empire falls with chance {v['lost']}."
    )


# -- the domino ------------------------------------------------------------------------------------------------


@cache
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
    """These provinces, and all Roman ones that hang together with them, nearest first."""
    found = list(places)
    for place in found:
        for other, link in board.neighbours(place).items():
            if other not in found and not board[other].is_border and (broken_too or not link.broken):
                found.append(other)
    return found


def _domino(board: Board) -> dict[str, Values]:
    position = domino(board)
    lost = _lost(position)
    return {"": {"revolts": len(position.revolts), "unrest": len(position.unrest), "lost": lost}}


@cache
def _lost(position: Position) -> Value:
    lost = rules.figures(position).p_lost
    return int(lost) if lost.denominator == 1 else lost


def _certify_domino(board: Board, _: str, values: Values) -> Certificate:
    return _certificate(board, "fall-domino", domino(board), values)


def _say_domino(_: str, v: Values) -> str:
    return (
        f"From {many(v['revolts'], 'revolt')} the Empire can fall in one phase with all borders empty, if there is unrest "
        f"enough: beside {v['unrest']} unrest that hang together, as in the certificate, it falls with chance {v['lost']}."
    )


# -- no unrest left --------------------------------------------------------------------------------------------


@cache
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


def _certify_unrest(board: Board, _: str, values: Values) -> Certificate:
    return _certificate(board, "fall-unrest", all_unrest(board), values)


def _say_unrest(_: str, v: Values) -> str:
    return (
        f"Without any revolt the Empire can fall in one phase for want of a disc only if all {v['unrest']} unrest are on the map, "
        f"since a phase places one at most; then it falls so with chance {v['lost']} in the position of the certificate, and "
        f"with no more than {v['bound']} in any."
    )


KINDS = (
    Kind(
        "phase-example",
        "cascades",
        "The risk of the rulebook's examples",
        "the whole Barbarian phase solved by the reference rules",
        "phase",
        ROWS,
        _examples,
        _certify_example,
        _say_example,
        ruleset="the ruleset of the example",
        effort=0.06,
    ),
    Kind(
        "fall-domino",
        "cascades",
        "One revolt and all unrest",
        "the whole Barbarian phase solved by the reference rules",
        "phase",
        ("links", "kinds", "regions"),
        _domino,
        _certify_domino,
        _say_domino,
        ruleset=READINGS,
        effort=0.05,
    ),
    Kind(
        "fall-unrest",
        "cascades",
        "A fall without any revolt",
        "the whole Barbarian phase solved by the reference rules",
        "phase",
        ("printed", "numbers", "regions"),
        _unrest,
        _certify_unrest,
        _say_unrest,
        ruleset=READINGS,
    ),
)
assert REVOLTS < 1 + UNREST  # so that there are not enough of them
