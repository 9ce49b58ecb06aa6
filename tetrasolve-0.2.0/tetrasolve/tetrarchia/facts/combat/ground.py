"""Where on the map a battle finds support: from other Emperors, from other armies, from discs printed on the map."""

from __future__ import annotations

from tetrasolve.claims.fact import Value, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.facts.saying import named, provinces
from tetrasolve.tetrarchia.numbers import ARMIES
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Battle, battle
from tetrasolve.tetrarchia.ruleset import Ruleset

OTHERS = 3  # Emperors who can support one who attacks


def paths(board: Board) -> tuple[str, ...]:
    """The provinces where an army can stand: those on the arrows from a border, as far as before Roma, by row."""
    found: set[str] = set()
    for border in board.borders:
        here: str | None = border
        while here is not None and here != board.roma and here not in found:
            found.add(here)
            here = board[here].arrow
    return tuple(place for place in board.ids if place in found)


def _support(board: Board) -> dict[str, Values]:
    stand = frozenset(paths(board))
    values: dict[str, Value] = {}
    for army in paths(board):
        linked = board.neighbours(army)
        values[f"emperors.{army}"] = min(OTHERS, max(len(linked) - 1, 0))
        values[f"armies.{army}"] = max(
            (min(ARMIES - 1, len(stand.intersection(board.neighbours(place)) - {army})) for place in linked), default=0
        )
    for count in range(OTHERS + 1):
        values[f"places.{count}"] = tuple(army for army in paths(board) if values[f"emperors.{army}"] == count)
    return {"": values}


def _say_support(_: str, v: Values) -> str:
    return (
        f"All three other Emperors can support an attack wherever an army can stand, but for these places: two can at most in "
        f"{provinces(v, 'places.2')}, one in {provinces(v, 'places.1')}, nobody in {provinces(v, 'places.0')}."
    )


def _printed(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for emperor in board.emperors:
        strength = {place: _fight(board, emperor.id, place).garrisons for place in board.ids}
        facts[emperor.id] = {f"group.{size}": _having(strength, size) for size in (1, 2)}
    return facts


def _fight(board: Board, emperor: str, place: str) -> Battle:
    """The values of a battle of this Emperor, alone on the map, with an army somewhere else."""
    army = next(other for other in board.ids if other != place)
    position = Position(board, Ruleset(), emperor, Phase.ROMAN, 6, {emperor: place}, (2, 3), (army,), {})
    return battle(position, emperor, army)


def _having(strength: dict[str, int], size: int) -> tuple[str, ...]:
    return tuple(place for place, found in strength.items() if found == size)


def _say_printed(emperor: str, v: Values) -> str:
    both = provinces(v, "group.2")
    more = f", and one of 2 in {both}" if both != "none" else "; nowhere one of 2"
    where = provinces(v, "group.1")
    return f"{named(emperor)} has a group of 1 without any garrison in {where}{more}, as long as no disc covers it."


TOPICS = (
    recounted(
        "support",
        "combat",
        "How much support a battle can find on the map, and where the discs printed on it count",
        "the links of every place where an army can stand; each Emperor's group in each province, with no disc on the map",
        ("links", "arrows", "printed"),
        {"most": Group(_support, _say_support), "printed": Group(_printed, _say_printed)},
        ruleset="every ruleset of the base game",
    ),
)
