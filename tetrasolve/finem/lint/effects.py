"""What a reading changes in a turn: exact chances of a loss under two values, from positions of greedy games.

The positions are those at the beginning of turns in games of a seed, and the player passes; so readings of the phase of actions,
of the set-up and of the role have no effect here, nor has the Tribune, who keeps his cards. Positions that cannot occur under the
other value are left out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

from tetrasolve.exact.deadline import check
from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, position_of, state_of
from tetrasolve.finem.lint.pairs import Pair, rulesets_of
from tetrasolve.finem.lint.partings import change
from tetrasolve.finem.lint.played import CHANCE, decide, distances
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.turnrisk import turn_risk
from tetrasolve.stop import Stop

POSITIONS = 200  # at which a turn is followed
POSITIONS_OF_REFERENCE = 20  # where the reference rules follow what the second value changes, in up to a minute each


@dataclass(frozen=True, slots=True)
class TurnEffect:
    """A loss in a turn under two values: the position with the largest difference, and how many differ.

    `first` and `second` are the exact chances there, as fractions in text; `differing` of `positions` have different chances of a
    loss, or of a victory.
    """

    id: str
    table: str
    positions: int
    differing: int
    position: str
    first: str
    second: str

    @property
    def change(self) -> Fraction:
        """The second chance less the first."""
        return Fraction(self.second) - Fraction(self.first)

    def as_data(self) -> dict[str, Any]:
        """The effect as JSON data."""
        return asdict(self)


@lru_cache(maxsize=8)
def sample(text: str, count: int = POSITIONS) -> tuple[Position, ...]:
    """Positions at the beginning of later turns, one of each greedy game."""
    ruleset, number = Ruleset.from_text(text), 0
    found: list[Position] = []
    while len(found) < count:
        random = Random(f"effects {number}")
        number += 1
        start = rules.random_set_up(ruleset, number)
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
        if seen:
            found.append(random.choice(seen))
    return tuple(found)


@lru_cache(maxsize=4096)
def _risk(position: Position) -> tuple[Fraction, Fraction]:
    found = turn_risk(position)
    return found.p_lost, found.p_won


def effect(pair: Pair, level: str, *, count: int | None = None, stop: Stop | None = None) -> TurnEffect:
    """The effect of a pair on a turn; from `POSITIONS` where the kernel plays both values, `POSITIONS_OF_REFERENCE` elsewhere.

    :raises ReferenceOnlyError: when the kernel does not play the second value, and it is not known where that matters in a turn
        (`tetrasolve.finem.lint.partings`).
    :raises Stopped: when `stop` is set before.
    """
    first, second = rulesets_of(pair, level)
    if count is None:
        count = POSITIONS_OF_REFERENCE if pair.by_reference else POSITIONS
    rows = []
    for position in sample(str(first), count):
        check(stop)
        other = position.replace(ruleset=second) if second.has_map else position
        if pair.reading == "E-CORNER-START":
            other = other.replace(start=second.layout.start)  # the two differ in this from the set-up on
        if not other.status():  # it can occur under the other value, too
            here = _risk(position)
            if not pair.by_reference:
                rows.append((here, _risk(other), position))
                continue
            lost, won = change(pair, position, second, stop)
            rows.append((here, (here[0] + lost, here[1] + won), position))
    here, there, position = max(rows, key=lambda row: (abs(row[1][0] - row[0][0]), row[1] != row[0]))
    differing = sum(one != other for one, other, _ in rows)
    return TurnEffect(pair.id, str(first), len(rows), differing, str(position), str(here[0]), str(there[0]))
