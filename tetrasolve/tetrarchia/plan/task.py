"""Tasks without dice: a turn without attacks or with a stated outcome for each. A plan is then a list of actions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from tetrasolve.errors import IllegalPositionError, ObjectiveError, shown
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, PIRATES, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.objective import Objective, words
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import MODULES
from tetrasolve.tetrarchia.status import require_kernel

Stated: TypeAlias = tuple[tuple[str, Outcome], ...]  # an army's province or ``pirates``, and how an attack on it ends

NO_ATTACK: Stated = ()
DICE = "dice"  # the dice decide every attack: no stated outcomes
NONE = "none"
_STATED = re.compile(r"(victory|draw|defeat)@(.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Task:
    """The problem of the best plan of a turn in which attacks are made only on armies in `stated`, with these outcomes.

    An attack is legal only where its outcome can be rolled; with Imperium, Galerius can pay discs for it. A value is a row of
    integers, one for each term of the objective, maximised one after the other: a goal 1 or 0, a sum of weights, minus the IP
    paid.

    `other_than`: plans that end the turn in this position are left out, whatever IP are left (None: no plan is left out).

    :raises ObjectiveError: when a term of the objective is about the phase that follows, or an army is stated twice.
    :raises IllegalPositionError: when the position cannot occur, or no turn is left to be planned in it.
    """

    position: Position
    objective: Objective
    stated: Stated = NO_ATTACK
    other_than: Position | Fall | None = None

    def leaves_out(self, end: Position | Fall) -> bool:
        """Whether plans with this end are left out."""
        if isinstance(self.other_than, Position) and isinstance(end, Position):
            return end.replace(ip=0, phase=Phase.BARBARIAN) == self.other_than.replace(ip=0, phase=Phase.BARBARIAN)
        return isinstance(self.other_than, Fall) and isinstance(end, Fall)

    def __post_init__(self) -> None:
        require_turn(self.position)
        if not self.objective.is_deterministic:
            raise ObjectiveError(f"'{self.objective}' is about what follows the turn, which solvers do not support")
        require_words(self.position, self.objective)
        require_stated(self.position, self.stated)
        if len(dict(self.stated)) < len(self.stated):
            raise ObjectiveError("an attack on one army is stated twice")


def require_turn(position: Position, *, house: bool = False) -> None:
    """Refuse a position without a turn to plan.

    :raises IllegalPositionError: with all reasons, when it cannot occur, the game is won, the turn is over, or the Emperor can
        neither act nor end his turn.
    """
    require_kernel(position, house=house)
    if position.is_won:
        raise IllegalPositionError(["the game is won: no turn to plan"])
    if position.phase is not Phase.ROMAN:
        raise IllegalPositionError(
            ["it is the Barbarian phase: no turn to plan before it is played; `risk` computes its risk"]
        )
    if not rules.may_end(position) and not rules.legal_actions(position):
        raise IllegalPositionError([f"the Emperor can neither act nor end his turn: {rules.objection(position, END)}"])


def require_words(position: Position, objective: Objective) -> None:
    """Refuse words of modules and variants that are not in use.

    :raises ObjectiveError: when there is one; the module or variant is named.
    """
    for word, module in words(objective):
        if module not in position.ruleset.extensions:
            kind = "module" if module in MODULES else "variant"
            raise ObjectiveError(f"{word}: the {kind} {module} is not in use")


def require_stated(position: Position, stated: Stated) -> None:
    """Refuse a stated attack on Pirates that are not in the game.

    :raises ObjectiveError: when there is one.
    """
    if position.pieces.pirates is None and any(army == PIRATES for army, _ in stated):
        raise ObjectiveError("an attack on the Pirates is stated, and the module pirates is not in use")


def attacks_text(stated: Stated | None) -> str:
    """The text of stated attacks, as `read_attacks` reads it."""
    if stated is None:
        return DICE
    return ", ".join(f"{outcome}@{army}" for army, outcome in sorted(stated)) or NONE


def read_attacks(text: str, board: Board | None = None) -> Stated | None:
    """Stated attacks from their text: ``dice`` (None), ``none``, or outcomes like ``victory@narbonensis, draw@rhaetia``.

    >>> read_attacks("victory@Narbonensis")
    (('narbonensis', <Outcome.VICTORY: 'victory'>),)
    >>> read_attacks("defeat@pirates")
    (('pirates', <Outcome.DEFEAT: 'defeat'>),)

    :raises ObjectiveError: when it cannot be read.
    """
    board = board or Board.standard()
    if text.strip().casefold() in (DICE, NONE):
        return None if text.strip().casefold() == DICE else NO_ATTACK
    stated: dict[str, Outcome] = {}
    for part in map(str.strip, text.split(",")):
        match = _STATED.fullmatch(part)
        if match is None or (army := _attacked(match[2], board)) is None:
            raise ObjectiveError(
                f"{shown(part)}: expected dice, none, or OUTCOME@PROVINCE like victory@narbonensis, or OUTCOME@pirates"
            )
        if army in stated:
            raise ObjectiveError(f"{shown(part)}: an attack on the army in {army} is stated twice")
        stated[army] = Outcome(match[1].casefold())
    return tuple(sorted(stated.items()))


def _attacked(text: str, board: Board) -> str | None:
    """The province of an army, or ``pirates``, from its text."""
    if text.strip().casefold() == PIRATES:
        return PIRATES
    province = board.find(text)
    return None if province is None else province.id
