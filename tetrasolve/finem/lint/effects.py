"""What a reading changes in a turn: exact chances of a loss under two values, from positions of greedy games.

The positions are those at the beginning of turns in games of a seed, and the player passes; so readings of the phase of actions,
of the set-up and of the role have no effect here, nor has the Tribune, who keeps his cards. Positions that cannot occur under the
other value are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.deadline import check
from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, position_of, state_of
from tetrasolve.finem.lint.pairs import Pair, digest, rulesets_of
from tetrasolve.finem.lint.played import CHANCE, decide, distances
from tetrasolve.finem.lint.turns import Chances, turn_chances
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.turnrisk import turn_risk
from tetrasolve.stop import Stop
from tetrasolve.strict import StrictError, record

POSITIONS = 200  # at which a turn is followed
FRACTION = re.compile(r"\d+(?:/[1-9]\d*)?", re.ASCII)  # as `str` writes it


@dataclass(frozen=True, slots=True)
class TurnEffect:
    """A loss in a turn under two values: the position with the largest difference, and how many differ.

    `first` and `second` are the exact chances of a loss there, `first_won` and `second_won` those of a victory, as fractions in
    text; at `differing` of `positions` one of the two is not the same.
    """

    id: str
    table: str
    positions: int
    differing: int
    position: str
    first: str
    second: str
    first_won: str
    second_won: str

    @property
    def change(self) -> Fraction:
        """The second chance of a loss less the first."""
        return Fraction(self.second) - Fraction(self.first)

    def as_data(self) -> dict[str, Any]:
        """The effect as JSON data."""
        return asdict(self)


def sample(text: str, count: int = POSITIONS, stop: Stop | None = None) -> tuple[Position, ...]:
    """Positions at the beginning of later turns, one of each greedy game.

    :raises Stopped: when `stop` is set before.
    """
    ruleset, number = Ruleset.from_text(text), 0
    found: list[Position] = []
    while len(found) < count:
        check(stop)
        position = _of_game(ruleset, number)
        number += 1
        if position is not None:
            found.append(position)
    return tuple(found)


@lru_cache(maxsize=4096)
def _of_game(ruleset: Ruleset, number: int) -> Position | None:
    """A position of a greedy game; None where the game has no later turn."""
    random = Random(f"effects {number}")
    start = rules.random_set_up(ruleset, number + 1)
    assert isinstance(start, Position)
    engine = engine_of(start.ruleset)  # with its map, where one is dealt
    steps = distances(engine.neighbours)
    packed, seen = state_of(start), []
    while not packed.result:
        chance = packed.step in CHANCE
        option = random.choice(engine.options(packed)) if chance else decide(engine, steps, packed)
        packed = engine.take(packed, option)
        position = position_of(start.ruleset, packed)
        if isinstance(position, Position) and position.step is Step.ACT and position.left == 4:
            seen.append(position)
    return random.choice(seen) if seen else None


@lru_cache(maxsize=4096)
def _chances(position: Position, stop: Stop | None, by_reference: bool) -> Chances:
    """By the kernel where it plays these rules and is wanted, or else by the reference rules.

    :raises Stopped: when `stop` is set before.
    """
    if by_reference or position.ruleset.reference_only:
        return turn_chances(position, stop)
    found = turn_risk(position, cancel=stop)
    if found.status != "exact":
        check(stop)
    return found.p_lost, found.p_won


def effect(
    pair: Pair, level: str, *, count: int = POSITIONS, by_reference: bool = False, stop: Stop | None = None
) -> TurnEffect:
    """The effect of a pair on a turn, from so many positions.

    :param by_reference: whether the reference rules follow turns of rules that the kernel plays, too.
    :raises Stopped: when `stop` is set before.
    """
    first, second = rulesets_of(pair, level)
    rows = []
    for position in sample(str(first), count, stop):
        check(stop)
        other = position.replace(ruleset=second) if second.has_map else position
        if pair.reading == "E-CORNER-START":
            other = other.replace(start=second.layout.start)  # the two differ in this from the set-up on
        if not other.status():  # it can occur under the other value, too
            rows.append((_chances(position, stop, by_reference), _chances(other, stop, by_reference), position))
    here, there, position = max(rows, key=lambda row: [abs(a - b) for a, b in zip(*row[:2], strict=True)])
    differing = sum(one != other for one, other, _ in rows)
    chances = map(str, (here[0], there[0], here[1], there[1]))
    return TurnEffect(pair.id, str(first), len(rows), differing, str(position), *chances)


def follow(
    pairs: Sequence[Pair],
    level: str,
    *,
    count: int = POSITIONS,
    by_reference: bool = False,
    checkpoint: str | Path | None = None,
    stop: Stop | None = None,
) -> Iterator[TurnEffect]:
    """The effects of pairs, one after the other.

    :param checkpoint: a file with which a run that was interrupted goes on after the last pair that it finished.
    :raises CheckpointError: when the file cannot be read or written, or is of another task.
    :raises Stopped: when `stop` is set before.
    """
    task = {"task": "turn effects", "level": level, "positions": count, "reference": by_reference, "rules": digest()}
    with ExitStack() as at_end:
        kept = None if checkpoint is None else at_end.enter_context(Checkpoint(checkpoint, task))
        if kept is not None:
            at_end.callback(kept.write)
        for pair in pairs:
            found = None if kept is None else _found_before(kept, pair, level)
            if found is None:
                found = effect(pair, level, count=count, by_reference=by_reference, stop=stop)
                if kept is not None:
                    kept.keep(pair.id, found.as_data())
            yield found


def _found_before(checkpoint: Checkpoint, pair: Pair, level: str) -> TurnEffect | None:
    """What a checkpoint has of a pair; None where it has nothing.

    :raises CheckpointError: when that cannot be the effect of this pair.
    """
    state = checkpoint.stage(pair.id)
    if state is None:
        return None
    try:
        found = record(TurnEffect, state, "an effect")
    except StrictError as error:
        raise checkpoint.refuse(pair.id, str(error)) from None
    chances = (found.first, found.second, found.first_won, found.second_won)
    if (found.id, found.table) != (pair.id, str(rulesets_of(pair, level)[0])) or not all(
        map(FRACTION.fullmatch, chances)
    ):
        raise checkpoint.refuse(pair.id, "not the effect of this pair on a turn")
    return found
