"""Each province's uprising on quiet ground, which provinces the dice name, and what that makes of an opening.

Quiet ground: no revolt lies on the map but the one that rises. Every number is worked out by the reference rules, step
by step; only the echo is left to the facts about chains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import many, whole
from tetrasolve.exact import Distribution, absorb
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS, Board
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.facts.saying import named, provinces
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import revolts as first_step
from tetrasolve.tetrarchia.rules.activity import Activity, Uprising, resolve
from tetrasolve.tetrarchia.rules.barbarian import row as row_of
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.choices import decline, settled
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.step import Settled
from tetrasolve.tetrarchia.ruleset import Ruleset

MEDIUM = Ruleset()
REGIONS = 6


def table(board: Board, discs: Mapping[str, str], armies: Iterable[str] = ()) -> Position:
    """A map with these discs and armies before a Barbarian phase, no Emperor on it."""
    return Position(board, MEDIUM, board.emperors[0].id, Phase.BARBARIAN, 0, {}, (2, 3), tuple(armies), discs)


def occupied(borders: str) -> str:
    """So many borders that are not empty, in words.

    >>> occupied("0"), occupied("1"), occupied("4")
    ('all borders empty', '1 border not empty', '4 borders not empty')
    """
    return f"{many(int(borders), 'border')} not empty" if int(borders) else "all borders empty"


def nameable(board: Board) -> tuple[str, ...]:
    """The provinces that two dice can name, by row."""
    return tuple(place for place in board.ids if board[place].number)


# -- the size of an uprising -----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def sizes(board: Board) -> Mapping[str, Mapping[int, Fraction]]:
    """For each province that dice can name the chance of each number of new revolts, before any echo."""
    return {place: _size(board, place) for place in nameable(board)}


def _size(board: Board, place: str) -> dict[int, Fraction]:
    def until_echo(step: Settled) -> Distribution[Settled] | None:
        return row_of(step) if isinstance(step, Uprising) else None

    risen = settled(resolve(table(board, {place: REVOLT_DISC}), place), decline)
    ends = absorb(risen, until_echo).ends
    chances: dict[int, Fraction] = {}
    for end, chance in ends.items():
        assert not isinstance(end, (Position, Fall))
        new = len(end.position.revolts) - 1
        chances[new] = chances.get(new, Fraction(0)) + chance
    return dict(sorted(chances.items()))


def mean(chances: Mapping[int, Fraction]) -> Fraction:
    """The expected number."""
    return sum((number * chance for number, chance in chances.items()), Fraction(0))


def _sizes(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for place, chances in sizes(board).items():
        values: dict[str, Value] = {"min": min(chances), "max": max(chances), "mean": mean(chances)}
        facts[place] = values | {f"chance.{number}": chance for number, chance in chances.items()}
    return facts


def _say_size(place: str, v: Values) -> str:
    spread = (
        f"always {many(v['max'], 'new revolt')}"
        if v["min"] == v["max"]
        else f"{v['min']} to {v['max']} new revolts, {v['mean']} in the mean"
    )
    return f"On quiet ground an uprising in {named(place)} brings {spread}."


def _deadliest(board: Board) -> dict[str, Values]:
    groups = {f"region-{region}": [p for p in sizes(board) if board[p].region == region] for region in FACES}
    groups["empire"] = list(sizes(board))
    facts: dict[str, Values] = {}
    for group, members in groups.items():
        values: dict[str, Value] = {}
        for word, measure in (("mean", mean), ("max", max)):
            worth = {place: measure(sizes(board)[place]) for place in members}
            values[word] = max(worth.values())
            values[f"by-{word}"] = tuple(place for place in members if worth[place] == values[word])
        facts[group] = values
    return facts


def _say_deadliest(group: str, v: Values) -> str:
    where = "the Empire" if group == "empire" else f"region {ROMAN_NUMERALS[int(group[-1])]}"
    return (
        f"The deadliest uprisings of {where} on quiet ground: {v['mean']} new revolts in the mean "
        f"({provinces(v, 'by-mean')}), and "
        f"{v['max']} at most ({provinces(v, 'by-max')})."
    )


# -- what the dice name ----------------------------------------------------------------------------------------


def _named(board: Board) -> dict[str, Values]:
    places = Activity(table(board, {})).places()
    values: dict[str, Value] = {place: Fraction(places.count(place), len(places)) or 0 for place in board.ids}
    return {"": values | {"count": len(set(places)), "never": tuple(p for p in board.ids if p not in places)}}


def _say_named(_: str, v: Values) -> str:
    return f"Each of {v['count']} provinces is named by one of the 36 rolls of two dice; never named are {provinces(v, 'never')}."


def _chance(board: Board) -> dict[str, Values]:
    named_ones = len(nameable(board))
    roman = sum(not board[place].is_border for place in board.ids)
    values: dict[str, Value] = {}
    for revolts in range(REVOLTS + 1):
        values[f"min.{revolts}"] = _exact(max(0, revolts - (roman - named_ones)))
        values[f"max.{revolts}"] = _exact(min(revolts, named_ones))
    return {"": values}


def _exact(thirtysixths: int) -> Value:
    return Fraction(thirtysixths, 36) if thirtysixths % 36 else thirtysixths // 36


def _say_chance(_: str, v: Values) -> str:
    return (
        f"Without unrest the chance of an uprising is one 36th for each revolt that dice can name: with 6 revolts at most "
        f"{v['max.6']}, with 12 from {v['min.12']} to {v['max.12']}, with all 21 from {v['min.21']} to {v['max.21']}."
    )


# -- unrest beside a revolt ------------------------------------------------------------------------------------


def _unrest(board: Board) -> dict[str, Values]:
    values: dict[str, Value] = {}
    for place in board.ids:
        if board[place].is_border:
            continue
        links = {other: link.broken for other, link in board.neighbours(place).items() if not board[other].is_border}
        broken = [other for other, is_broken in links.items() if is_broken]
        for number in range(1, len(broken) + 1):
            _set(values, f"broken.{number}", _turns(board, place, broken[:number]))
        for other, is_broken in links.items():
            if not is_broken:
                _set(values, "normal", _turns(board, place, [other, *broken]))
    values["most-broken"] = sum(path.startswith("broken.") for path in values)
    return {"": values}


def _set(values: dict[str, Value], path: str, chance: Fraction) -> None:
    """The chance is the same wherever it is asked."""
    value = int(chance) if chance.denominator == 1 else chance
    assert values.setdefault(path, value) == value, (path, chance)


def _turns(board: Board, place: str, revolts: list[str]) -> Fraction:
    """The chance that an unrest turns in the first step of a phase, when these neighbours and no others are in revolt."""
    ground = table(board, {**dict.fromkeys(revolts, REVOLT_DISC), place: UNREST_DISC})
    step = settled(first_step.begin(ground), decline)
    ends = absorb(step, _until_activity).ends
    return ends.probability(lambda end: isinstance(end, Activity) and end.position.has_revolt(place))


def _until_activity(step: Settled) -> Distribution[Settled] | None:
    return None if isinstance(step, Activity) else row_of(step)


def _say_unrest(_: str, v: Values) -> str:
    broken = ", ".join(f"{v[f'broken.{number}']} over {number}" for number in range(2, whole(v, "most-broken") + 1))
    return (
        f"An unrest turns with certainty when a normal link joins it to a revolt, with chance {v.get('broken.1', 0)} over one "
        f"broken link" + (f", {broken}." if broken else ".")
    )


KINDS = (
    recounted(
        "uprising",
        "cascades",
        "How many revolts an uprising brings on quiet ground, and which provinces bring most",
        "the uprising followed by the reference rules, on a map with no other revolt",
        ("links", "kinds", "numbers", "regions"),
        {"in": Group(_sizes, _say_size), "deadliest": Group(_deadliest, _say_deadliest)},
    ),
    recounted(
        "dice",
        "cascades",
        "Which provinces two dice name, the chance of an uprising by the number of revolts, and that unrest beside revolts turns",
        "the 36 rolls counted; the most and the fewest revolts where dice find them; the first step by the reference rules",
        ("links", "kinds", "numbers", "regions"),
        {
            "names": Group(_named, _say_named),
            "uprising": Group(_chance, _say_chance),
            "unrest": Group(_unrest, _say_unrest),
        },
    ),
)
