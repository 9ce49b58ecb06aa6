"""How likely an uprising is, and what each province's uprising brings on quiet ground.

Quiet ground: no revolt lies on the map but the one that rises. Every number is worked out by the reference rules, step
by step; only the echo is left to the facts about chains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import many
from tetrasolve.exact import Distribution, absorb
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS, Board
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.facts.saying import named, provinces
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position
from tetrasolve.tetrarchia.rules.activity import Uprising, resolve
from tetrasolve.tetrarchia.rules.barbarian import row as row_of
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.choices import decline, settled
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.step import Settled
from tetrasolve.tetrarchia.ruleset import Ruleset

MEDIUM = Ruleset()
REGIONS = 6


def position_of(board: Board, discs: Mapping[str, str], armies: Iterable[str] = ()) -> Position:
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


@lru_cache(maxsize=64)
def sizes(board: Board) -> Mapping[str, Mapping[int, Fraction]]:
    """For each province that dice can name the chance of each number of new revolts, before any echo."""
    return {place: _size(board, place) for place in nameable(board)}


def _size(board: Board, place: str) -> dict[int, Fraction]:
    def until_echo(step: Settled) -> Distribution[Settled] | None:
        return row_of(step) if isinstance(step, Uprising) else None

    risen = settled(resolve(position_of(board, {place: REVOLT_DISC}), place), decline)
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
        else f"{v['min']} to {v['max']} new revolts, {v['mean']} on average"
    )
    return f"On quiet ground an uprising in {named(place)} brings {spread}."


def _worst(board: Board) -> dict[str, Values]:
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


def _say_worst(group: str, v: Values) -> str:
    where = "the Empire" if group == "empire" else f"region {ROMAN_NUMERALS[int(group[-1])]}"
    return (
        f"The deadliest uprisings of {where} on quiet ground: {v['mean']} new revolts on average "
        f"({provinces(v, 'by-mean')}), and "
        f"{v['max']} at most ({provinces(v, 'by-max')})."
    )


def _odds(board: Board) -> dict[str, Values]:
    named_ones, others = len(nameable(board)), sum(not (board[p].is_border or board[p].number) for p in board.ids)
    values: dict[str, Value] = {}
    for revolts in range(
        1, MEDIUM.numbers["revolts"] + 1
    ):  # as many as possible where no dice find them, or where they do
        values[f"min.{revolts}"] = Fraction(max(0, revolts - others), 36) or 0
        values[f"max.{revolts}"] = Fraction(min(revolts, named_ones), 36)
    return {"": values}


def _say_odds(_: str, v: Values) -> str:
    several = ", ".join(f"with {n} from {v[f'min.{n}']} to {v[f'max.{n}']}" for n in (6, 12, 21))
    return f"Without unrest the chance of an uprising is 1/36 for each revolt that dice can name: {several} revolts."


TOPICS = (
    recounted(
        "uprising",
        "cascades",
        "How likely an uprising is, how many revolts it brings on quiet ground, and which provinces bring most",
        "revolts placed where dice find most or fewest of them; the uprising followed by the reference rules",
        ("links", "kinds", "numbers", "regions"),
        {"in": Group(_sizes, _say_size), "deadliest": Group(_worst, _say_worst), "chance": Group(_odds, _say_odds)},
    ),
)
