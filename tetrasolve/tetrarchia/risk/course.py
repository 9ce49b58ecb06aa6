"""The course of the coming turns: a board, its rules, and the plan of each turn, in a form for worker processes."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Kernel, Rng, State
from tetrasolve.tetrarchia.plan.tree import Plan, read_plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.choices import POLICIES, Decide
from tetrasolve.tetrarchia.ruleset import Ruleset

Plans: TypeAlias = "Sequence[str | Plan | Sequence[str] | None]"

NOBODY_ACTS = Plan()
DECLINE = "decline"


def read_plans(plans: Plans, board: Board) -> tuple[Plan, ...]:
    """Plans as objects, from notation, a list of actions, or None for a turn without actions; branches need no chances.

    :raises UnreadableActionError: when a plan cannot be read.
    """
    return tuple(_read(plan, board) for plan in plans)


def _read(plan: str | Plan | Sequence[str] | None, board: Board) -> Plan:
    if isinstance(plan, Plan):
        return plan
    text = plan if isinstance(plan, str) else "; ".join(plan or ())
    return read_plan(text, board, is_complete=False) if text.strip() else NOBODY_ACTS


@dataclass(frozen=True)
class Course:
    """A board, its rules, and the plans of the coming turns; after them turns have no actions.

    `policy`, one of `rules.POLICIES`, answers the choices of the phases.
    """

    board: Board
    ruleset: Ruleset
    plans: tuple[Plan, ...] = ()
    rebels: bool = False  # whether there may be some on the board
    policy: str = DECLINE

    def plan(self, phase: int) -> Plan:
        """The plan of the turn before this Barbarian phase, counted from 1."""
        return self.plans[phase - 1] if phase <= len(self.plans) else NOBODY_ACTS

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel for this board and these rules."""
        return fast.kernel_for(self.board, self.ruleset, rebels=self.rebels)

    @property
    def decide(self) -> Decide:
        """The policy of the reference rules."""
        return POLICIES[self.policy]

    @property
    def asked(self) -> tuple[int, ...]:
        """The policy as a further argument of the kernel's phases; none in the base game, which has no choices."""
        return () if self.is_base_game else (list(POLICIES).index(self.policy),)

    @property
    def is_base_game(self) -> bool:
        """Whether no modules, variants or rebels are in use."""
        return not (self.ruleset.extensions or self.rebels)

    def state(self, key: bytes) -> State:
        """The state of these bytes."""
        return cast(State, fast.engine_for(self.ruleset, rebels=self.rebels).State.from_bytes(key))

    def dice(self, seed: int) -> Rng:
        """The kernel's dice from a seed."""
        return cast(Rng, fast.engine_for(self.ruleset, rebels=self.rebels).Rng(seed))

    def position(self, key: bytes) -> Position:
        """The position of a state's bytes."""
        return fast.to_position(self.state(key), self.board, self.ruleset)

    def state_of(self, position: Position) -> State:
        """The state of a position of this course, also where the last rebel has left it."""
        return fast.state_of(position, rebels=self.rebels)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (_packed(self.board), str(self.ruleset), tuple(map(str, self.plans)), self.rebels, self.policy)


def _rebuilt(board: bytes, ruleset: str, plans: Iterable[str], rebels: bool, policy: str) -> Course:
    unpacked = unpacked_board(board)
    return Course(unpacked, Ruleset.from_text(ruleset), read_plans(tuple(plans), unpacked), rebels, policy)


def _read_only(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


class _BoardPickler(pickle.Pickler):
    """Pickles boards: read-only mappings as dicts, without cached values."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, MappingProxyType):
            return _read_only, (dict(value),)
        if isinstance(value, Board):
            return Board, tuple(getattr(value, field.name) for field in fields(Board))
        return NotImplemented


def packed_board(board: Board) -> bytes:
    """A board, evidence included, as bytes that another process can read."""
    file = io.BytesIO()
    _BoardPickler(file).dump(board)
    return file.getvalue()


_packed = lru_cache(maxsize=8)(packed_board)  # boards that differ in evidence only play the same


@lru_cache(maxsize=8)
def unpacked_board(data: bytes) -> Board:
    """The board of these bytes."""
    board = pickle.loads(data)  # noqa: S301  # written by `packed_board` in the parent process
    assert isinstance(board, Board)
    return board
