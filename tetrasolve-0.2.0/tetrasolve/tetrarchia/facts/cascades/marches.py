"""How long an army that nothing blocks is on its way from a border to Roma.

It goes one arrow a phase, over a broken link only when its check succeeds. So the number of phases is the number of arrows
and one more for each check that fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import prod

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import NEVER, many, whole
from tetrasolve.exact import absorb
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import position_of
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.facts.saying import named
from tetrasolve.tetrarchia.position import REVOLT_DISC, Position
from tetrasolve.tetrarchia.rules.advance import begin
from tetrasolve.tetrarchia.rules.barbarian import row
from tetrasolve.tetrarchia.rules.choices import decline, settled


@lru_cache(maxsize=1024)
def path(board: Board, border: str) -> tuple[str, ...] | None:
    """The provinces from a border by the arrows to before Roma; None where they do not lead there."""
    if border not in board.distance_to_roma:
        return None
    places = [border]
    while (onward := board[places[-1]].arrow) != board.roma:
        assert onward is not None
        places.append(onward)
    return tuple(places)


@lru_cache(maxsize=4096)
def steps(board: Board, place: str) -> Mapping[str, Fraction]:
    """Where an army that is alone is after one phase, by the reference rules."""
    discs = {} if board[place].is_border else {place: REVOLT_DISC}
    ends = absorb(settled(begin(position_of(board, discs, [place]), frozenset()), decline), row).ends
    return {end.armies[0] if isinstance(end, Position) else board.roma: chance for end, chance in ends.items()}


def _expected(board: Board, places: tuple[str, ...]) -> dict[str, Fraction]:
    """The phases that an army is expected to need from each of these provinces: one equation each, solved from the last."""
    expected = {board.roma: Fraction(0)}
    for place in reversed(places):
        chances = steps(board, place)
        onward = sum((chance * expected[there] for there, chance in chances.items() if there != place), Fraction(0))
        expected[place] = (1 + onward) / (1 - chances.get(place, Fraction(0)))
    return expected


def _number(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value


def _marches(board: Board) -> dict[str, Values]:
    return {border: _march(board, border) for border in board.borders}


def _march(board: Board, border: str) -> Values:
    places = path(board, border)
    if places is None:
        return {"min": NEVER}
    least = len(places)
    broken = sum(len(steps(board, place)) > 1 for place in places)
    expected = _expected(board, places)
    soonest = prod((1 - steps(board, place).get(place, Fraction(0)) for place in places), start=Fraction(1))
    values: dict[str, Value] = {"min": least, "broken": broken, "mean": _number(expected[border])}
    values["soonest"] = _number(soonest)
    for number, place in enumerate(places):
        values[f"from.{place}"] = least - number
        values[f"mean-from.{place}"] = _number(expected[place])
    return values


def _say(border: str, v: Values) -> str:
    if v["min"] == NEVER:
        return f"The arrows from {named(border)} do not lead to Roma."
    least = whole(v, "min")
    luck = f"with chance {v['soonest']}" if v["broken"] else "for sure"
    return (
        f"An army on {named(border)} that nothing blocks enters Roma in phase {least} at the soonest ({luck}); "
        f"{many(v['broken'], 'broken link')} on its way make it {v['mean']} phases on average. One that an echo places counts "
        f"the phase of its arrival too, since it advances at once."
    )


TOPICS = (
    recounted(
        "march",
        "cascades",
        "How many phases an army needs from a border to Roma",
        "each step of the army by the reference rules, then one equation for each province on its way",
        ("links", "kinds", "arrows"),
        {"": Group(_marches, _say)},
        effort=0.05,
    ),
)
