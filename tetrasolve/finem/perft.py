"""Perft of a turn: how many sequences of options its phase of actions has, by the kernel or by the reference rules.

An option is an action, the Dictator's card, or where he goes with it: each card counts, as each outcome of an attack does in the
first game. To pass is an option, and ends the phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tetrasolve.errors import ArgumentError, IllegalPositionError
from tetrasolve.exact.deadline import answering, check, public_question, stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, option_text, state_of
from tetrasolve.finem.position import Phase, Position, Result, State
from tetrasolve.finem.status import require_kernel, require_legal
from tetrasolve.stop import Stop

LONGEST = 16  # options of a phase: four cards of a Dictator who stays for nothing [E-DICTATOR-STAY], then four actions
KERNEL, REFERENCE = ENGINES = ("kernel", "reference")


@dataclass(frozen=True)
class Perft:
    """The sequences of at most `depth` options from a position on, by the first option."""

    position: Position
    depth: int
    engine: str
    by_option: Mapping[str, int]

    @property
    def count(self) -> int:
        """All of them; of no options there is one, the empty one."""
        return sum(self.by_option.values()) if self.depth else 1

    def as_data(self) -> dict[str, Any]:
        """The counts as JSON data."""
        return {
            "position": str(self.position),
            "engine": self.engine,
            "depth": self.depth,
            "count": self.count,
            "divide": dict(self.by_option),
        }


@public_question
def perft(
    position: Position, depth: int, *, engine: str = KERNEL, seconds: float | None = None, cancel: Stop | None = None
) -> Perft:
    """Count the sequences of options in a phase of actions, each of `depth` options or shorter where the phase ends before.

    >>> from tetrasolve.finem.game import new_game
    >>> from tetrasolve.finem.ruleset import Ruleset
    >>> start = new_game(Ruleset("standard"), 3).position
    >>> [perft(start, depth).count for depth in (1, 2, 3, 4)]
    [4, 15, 49, 162]
    >>> perft(start, 4, engine="reference").count
    162

    :param engine: the ``kernel``, or the ``reference`` rules, which are slower and play every reading.
    :raises ArgumentError: for a depth that is not from 0 to 16, the most options that a phase has, or another engine.
    :raises IllegalPositionError: when the position cannot occur, or is not in the phase of actions.
    :raises ReferenceOnlyError: with the kernel, for readings that only the reference rules play.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set.
    """
    stop = stop_of(seconds, cancel)
    if type(depth) is not int or not 0 <= depth <= LONGEST:
        raise ArgumentError("depth", depth, f"a whole number from 0 to {LONGEST}")
    if engine not in ENGINES:
        raise ArgumentError("engine", engine, f"one of {', '.join(ENGINES)}")
    (require_kernel if engine == KERNEL else require_legal)(position)
    if position.phase is not Phase.ACTIONS:
        raise IllegalPositionError([f"step {position.step}: expected a position in the phase of actions"])
    with answering(f"perft {depth}"):
        counted = _by_kernel if engine == KERNEL else _by_reference
        return Perft(position, depth, engine, counted(position, depth, stop) if depth else {})


def _by_kernel(position: Position, depth: int, stop: Stop | None) -> dict[str, int]:
    kernel, state = engine_of(position.ruleset), state_of(position)
    return {
        option_text(option): kernel.perft(kernel.take(state, option), depth - 1, stop=stop)
        for option in kernel.options(state)
    }


def _by_reference(position: Position, depth: int, stop: Stop | None) -> dict[str, int]:
    return {
        option: _sequences(rules.take(position, option), depth - 1, stop) for option in rules.node(position).options
    }


def _sequences(state: State, depth: int, stop: Stop | None) -> int:
    check(stop)
    if isinstance(state, Result) or not depth or state.phase is not Phase.ACTIONS:
        return 1
    return sum(_sequences(rules.take(state, option), depth - 1, stop) for option in rules.node(state).options)
