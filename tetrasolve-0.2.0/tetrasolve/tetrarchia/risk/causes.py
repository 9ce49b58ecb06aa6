"""Causes of a fall of the Empire. An outcome of the kernel has no cause, but on most positions only one cause is possible.

Where several are possible, the kernel computes the chance of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import cast

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import OFF, Rng, State
from tetrasolve.tetrarchia.numbers import ARMIES, REVOLTS, UNREST
from tetrasolve.tetrarchia.risk.course import Course
from tetrasolve.tetrarchia.rules import Fall

CAUSES = (Fall.ARMY_IN_ROMA, Fall.NO_REVOLT_LEFT, Fall.NO_UNREST_LEFT)  # in the order of the kernel


def possible_causes(state: State, course: Course) -> tuple[Fall, ...]:
    """All possible causes of a fall in the Barbarian phase of this position, and possibly some that cannot occur."""
    board = course.board
    gates, most_neighbours, from_border = _gates(board)
    if not course.is_base_game:
        return tuple(_possible_with_modules(state, board))
    causes = []
    if state.armies & gates or from_border:
        causes.append(Fall.ARMY_IN_ROMA)
    if _most_revolts(state, board, most_neighbours) > REVOLTS:
        causes.append(Fall.NO_REVOLT_LEFT)
    if state.unrest.bit_count() == UNREST:  # in a phase unrest is placed once at most, and there is not more before
        causes.append(Fall.NO_UNREST_LEFT)
    return tuple(causes)


def _possible_with_modules(state: State, board: Board) -> Iterator[Fall]:
    """Armies may go any way, and discs may be glory or the Barbarian player's."""
    figures = cast(whole.State, state)
    if state.armies & board.mask(board.neighbours(board.roma)) or _gates(board)[2]:
        yield Fall.ARMY_IN_ROMA
    yield Fall.NO_REVOLT_LEFT
    if state.unrest.bit_count() + figures.gray + sum(figures.glory) >= UNREST:
        yield Fall.NO_UNREST_LEFT


def only_cause(state: State, course: Course) -> Fall | None:
    """The only possible cause of a fall in this phase (any if there is none); None if several may be possible."""
    if course.is_base_game:
        gates, _, from_border = _gates(course.board)
        if not state.armies & gates and not from_border and state.unrest.bit_count() < UNREST:
            return Fall.NO_REVOLT_LEFT  # no further test is needed
    causes = possible_causes(state, course)
    return causes[0] if len(causes) == 1 else None


def _most_revolts(state: State, board: Board, most_neighbours: int) -> int:
    """An upper bound of the revolts after the phase: spread to all unrest, one uprising, one for each army that enters."""
    armies = state.armies.bit_count()
    if armies < ARMIES and _taken(state) & board.mask(board.borders):
        return len(board.provinces)  # a chain of echoes has no bound
    fresh = 1 if armies < ARMIES else 0
    return state.revolts.bit_count() + state.unrest.bit_count() + most_neighbours + armies + fresh


def _taken(state: State) -> int:
    taken = state.armies
    for mask in (state.revolts, state.unrest, *state.garrisons):
        taken |= mask
    for place in state.emperors:
        taken |= 0 if place == OFF else 1 << place
    return taken


@lru_cache(maxsize=16)
def _gates(board: Board) -> tuple[int, int, bool]:
    """The provinces from which armies enter Roma, the most links of a province, and whether a border is among the former."""
    gates = [name for name, province in board.provinces.items() if province.arrow == board.roma]
    return (
        board.mask(gates),
        max(len(board.neighbours(name)) for name in board.ids),
        any(board[g].is_border for g in gates),
    )


def cause_chances(state: State, course: Course, stop: Stop | None = None) -> dict[Fall, float]:
    """The chance of each cause in the Barbarian phase of this position; together they are the chance of a fall.

    :raises Stopped: when `stop` is set before they are known.
    """
    chances = dict(zip(CAUSES, course.kernel.events(state, 0, *course.asked, stop=stop)["falls"], strict=True))
    return {
        cause: chances[cause] for cause in CAUSES if cause is not Fall.NO_UNREST_LEFT or _unrest_may_end(state, course)
    }


def _unrest_may_end(state: State, course: Course) -> bool:
    return not course.is_base_game or state.unrest.bit_count() == UNREST


class KernelDice:
    """The kernel's random numbers as dice for the reference rules."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def roll(self, question: str) -> int:
        """A face from 1 to 6."""
        del question  # the same for every question
        return self._rng.d6()
