"""Shrunken games: the reference rules with few IP and few turns, small enough to be solved exactly.

A shrunken game begins at any position. Each Emperor spends at most `ip` IP a turn, and after `turns` turns the game is over: won
if the Empire still stands, as if it had secured its borders. So it is lost by what loses whole games, an army in Roma or an empty
reserve.

A step of the process is one random event. Rome's actions up to it are one choice: a way to end the turn, or to come to an attack.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from tetrasolve.exact.distribution import Distribution
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.numbers import IP_A_TURN
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall


@dataclass(frozen=True, slots=True)
class Moment:
    """A position in which Rome decides, and how many Barbarian phases are still to come, at least one."""

    position: Position
    phases: int


@dataclass(frozen=True, slots=True)
class Over:
    """The end of the game."""

    stands: bool


State: TypeAlias = Moment | Over


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn up to its next random event: an attack on the army in a province, or the end of the turn (None)."""

    position: Position
    army: str | None


class Shrunken:
    """A shrunken game as a decision process; what was computed is kept.

    >>> from tetrasolve.bounds import optimum
    >>> from tetrasolve.tetrarchia.builder import build
    >>> position = build("3100").with_revolt("etruria").with_army("etruria").to_act("galerius").position
    >>> game = Shrunken(ip=1, turns=1)
    >>> optimum(game, game.start(position)).value
    Fraction(7, 12)

    :raises ValueError: when a turn has no IP, or there is no turn.
    """

    def __init__(self, ip: int, turns: int) -> None:
        if ip < 1 or turns < 1:
            raise ValueError(f"{ip} IP and {turns} turns: expected at least one of each")
        self.ip, self.turns = ip, turns
        self._actions: dict[Position, tuple[Choice, ...]] = {}
        self._outcomes: dict[Position, Distribution[Position | Fall]] = {}

    def start(self, position: Position) -> Moment:
        """The state of a position at the start of a turn."""
        return Moment(position, self.turns)

    @cached_property
    def steps(self) -> int:
        """The most steps of a game, its end included: attacks with the IP of each turn, then its phase."""
        return self.turns * (self.ip + 1) + 1

    def actions(self, state: State) -> Sequence[Choice]:
        """All ways through the turn up to a random event, one for each different position there."""
        if isinstance(state, Over):
            return ()
        if state.position not in self._actions:
            self._actions[state.position] = tuple(self._choices(state.position))
        return self._actions[state.position]

    def _choices(self, start: Position) -> Iterable[Choice]:
        if start.phase is Phase.BARBARIAN:  # a defeat has ended the turn
            return [Choice(start, None)]
        found: dict[Choice, None] = {}
        seen, pending = {start}, [start]
        while pending:
            position = pending.pop()
            if position.is_won or rules.may_end(position):
                found[Choice(position.replace(ip=0, phase=Phase.BARBARIAN), None)] = None
            for action in rules.legal_actions(position):
                if rules.cost(position, action) > position.ip - IP_A_TURN + self.ip:
                    continue
                if action.kind is Kind.ATTACK:  # listed once for each outcome
                    found[Choice(position, action.place)] = None
                    continue
                following = rules.play(position, action)
                assert isinstance(following, Position), "only dice let the Empire fall"
                if following not in seen:
                    seen.add(following)
                    pending.append(following)
        return found

    def outcomes(self, state: State, action: Choice) -> Distribution[State]:
        """The state after the attack, or after the Barbarian phase."""
        assert isinstance(state, Moment), "nothing happens after the end"
        position, phases = action.position, state.phases
        if position.is_won:
            return Distribution.point(Over(stands=True))
        if action.army is not None:
            attacks = rules.attack_roll(position, action.army).distribution()
            return attacks.map(lambda attack: _state(rules.play(position, attack), phases))
        if position not in self._outcomes:
            self._outcomes[position] = rules.outcomes(position)
        return self._outcomes[position].map(lambda result: _state(result, phases - 1))

    def payoff(self, state: State) -> Fraction:
        """1 if the Empire stands, 0 if it has fallen."""
        assert isinstance(state, Over), "the game continues"
        return Fraction(state.stands)


def _state(result: Position | Fall, phases: int) -> State:
    if isinstance(result, Fall):
        return Over(stands=False)
    return Moment(result, phases) if phases and not result.is_won else Over(stands=True)
