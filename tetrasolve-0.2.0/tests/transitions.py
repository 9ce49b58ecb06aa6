"""What can follow a position by the reference rules, described as the primitive changes on which the invariants rest.

Each action with all that can come of it, and each step of a Barbarian phase with each of its dice, must lead to a position that
the changes lead to as well, place by place and with their guards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.action import Kind as ActionKind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.invariants.places import GARRISONS, Change, Place, changes, ways
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, RandomDice
from tetrasolve.tetrarchia.rules.choices import decline, settled
from tetrasolve.tetrarchia.rules.step import Step
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, Ruleset, all_levels

MOST_CHANGES = 3  # one after the other in one place
TURNS = 24  # of a game

Pair = tuple[Position, Position]

# -- what follows a position ---------------------------------------------------------------------------------------


def roman(position: Position) -> Iterator[Pair]:
    """The position before and after each action, and the end of the turn."""
    actions = [*rules.legal_actions(position), *([END] if rules.may_end(position) else [])]
    for action in actions:
        after = rules.play(position, action)
        if isinstance(after, Position):
            yield position.replace(ip=0), after.replace(ip=0)


class TooManyStepsError(Exception):
    """A phase has more steps than are to be followed."""


def barbarian(position: Position, most: int = 10**6) -> Iterator[Pair]:
    """The position before and after each step of the phase.

    :raises TooManyStepsError: when there are more steps than wanted.
    """
    first = rules.begin(position)
    if isinstance(first, Fall):
        return
    yield position, table(first)
    known, waiting = {first}, [first]
    while waiting:
        step = settled(waiting.pop(), decline)
        if isinstance(step, (Position, Fall)):
            continue
        for result in step.roll().results:
            if not isinstance(result, Fall):
                yield table(step), table(result)
                if result not in known:
                    known.add(result)
                    waiting.append(result)
        if len(known) > most:
            raise TooManyStepsError


def table(step: Step) -> Position:
    """The table of a step, without the IP of a turn that comes."""
    assert not isinstance(step, Fall)
    return step.replace(ip=0) if isinstance(step, Position) else step.position


# -- what has happened ---------------------------------------------------------------------------------------------


def explain(before: Position, after: Position) -> list[str]:
    """The changes that lead from one position to the next.

    :raises ValueError: when none do, or more lies on the board than there is; the place is named.
    """
    reading = before.ruleset.readings["I-BORDER-DEFEAT"]
    known = changes(before.board, border_defeat=reading)
    used: list[str] = []
    phase, active = str(before.phase), _number(before, before.to_move)
    for name, old, new in (*_lands(before, after), *_seas(before, after)):
        way = _way(old, Place(new.kind, new.discs, new.armies, new.emperors, new.fleets, active, phase), known)
        if way is None:
            raise ValueError(f"{name}: no changes lead from '{old}' to '{new}'")
        used += way
    if (before.phase, before.to_move) != (after.phase, after.to_move):
        name = "turn-ends" if before.phase is Phase.ROMAN else "next-turn"
        change = next(change for change in known if change.name == name)
        for place in {before.board.roma, *after.generals.values()}:  # wherever somebody could forbid it
            new = look(after, place)
            then = Place(new.kind, new.discs, new.armies, new.emperors, new.fleets, active, phase)
            if not change.possible(then) or change.results(then) != (new,):
                raise ValueError(f"{place}: '{name}' is not possible, there is '{then}'")
        used.append(name)
    reserves = [after.reserve_garrisons(emperor.id) for emperor in after.board.emperors]
    if min(after.reserve_revolts, after.reserve_unrest, after.reserve_armies, *reserves) < 0:
        raise ValueError(f"{after}: more lies on the table than there is")
    return used


def look(position: Position, province: str) -> Place:
    """What is to be seen in a province."""
    emperors = [emperor.id for emperor in position.board.emperors]
    disc = position.discs.get(province)
    return Place(
        _kinds(position.board)[province],
        frozenset() if disc is None else frozenset({GARRISONS[emperors.index(disc)] if disc in emperors else disc}),
        position.armies.count(province),
        frozenset(number for number, emperor in enumerate(emperors) if position.emperors[emperor] == province),
        0,
        emperors.index(position.to_move),
        str(position.phase),
    )


def _lands(before: Position, after: Position) -> Iterator[tuple[str, Place, Place]]:
    changed = {place for place, _ in before.discs.items() ^ after.discs.items()}
    changed |= {place for place, _ in Counter(before.armies).items() ^ Counter(after.armies).items()}
    moved = before.emperors.items() ^ after.emperors.items()
    changed |= {place for _, place in moved if place is not None}
    for place in sorted(changed):
        yield place, look(before, place), look(after, place)


def _seas(before: Position, after: Position) -> Iterator[tuple[str, Place, Place]]:
    for zone in range(1, len(before.board.zones) + 1):
        old, new = before.fleets.count(zone), after.fleets.count(zone)
        if old != new:
            active = _number(before, before.to_move)
            seen = (Place("zone", fleets=count, active=active, phase=str(before.phase)) for count in (old, new))
            yield f"zone {zone}", *seen  # type: ignore[misc]  # two of them


def _number(position: Position, emperor: str) -> int:
    return list(position.emperors).index(emperor)


@lru_cache(maxsize=4)
def _kinds(board: Board) -> dict[str, str]:
    on_way = ways(board)
    return {
        place.id: "roma"
        if place.id == board.roma
        else "border"
        if place.is_border
        else "way"
        if place.id in on_way
        else "roman"
        for place in board.provinces.values()
    }


@lru_cache(maxsize=4096)
def _way(old: Place, new: Place, known: tuple[Change, ...]) -> tuple[str, ...] | None:
    """The first of the shortest ways from one look of a place to another."""
    layer: list[tuple[Place, tuple[str, ...]]] = [(old, ())]
    for _ in range(MOST_CHANGES):
        layer = [
            (after, (*names, change.name))
            for now, names in layer
            for change in known
            if change.name not in ("turn-ends", "next-turn") and change.possible(now)
            for after in change.results(now)
            if after != now
        ]
        for after, names in layer:
            if after == new:
                return names
    return None


# -- positions of games at random ----------------------------------------------------------------------------------


def met(pairs: Iterator[Pair]) -> tuple[Counter[str], int]:
    """How often each change has been met in these pairs, each counted once, and how many pairs there are."""
    used: Counter[str] = Counter()
    distinct = {(before, after) for before, after in pairs if before != after}
    for before, after in distinct:
        used.update(explain(before, after))
    return used, len(distinct)


def games(board: Board) -> Iterator[Position]:
    """Positions of games at random, each game with readings of its own."""
    random = Random("traces")
    readings = [reading for reading in KERNEL_READINGS.values() if not reading.needs]
    levels = list(all_levels())
    number = 0
    while True:
        number += 1
        chosen = [(reading.name, random.choice(list(reading.played))) for reading in readings]
        ruleset: Ruleset = random.choice(levels).with_readings(chosen)
        dice = RandomDice(f"traces {number}")
        now: Position | Fall = rules.random_set_up(ruleset, f"traces {number}", board=board)
        for _ in range(TURNS * 8):
            if isinstance(now, Fall) or now.is_won:
                break
            yield now
            now = _onward(now, random, dice)


def _onward(position: Position, random: Random, dice: RandomDice) -> Position | Fall:
    """A legal action, with a liking for work over walking about; or the Barbarian phase."""
    if position.phase is Phase.BARBARIAN:
        return rules.sample(position, dice)
    legal = rules.legal_actions(position)
    work = [action for action in legal if action.kind not in (ActionKind.MOVE, ActionKind.SAIL)]
    if rules.may_end(position) and (not legal or random.random() < 0.1):
        return rules.play(position, END)
    return rules.play(position, random.choice(work if work and random.random() < 0.6 else legal))
