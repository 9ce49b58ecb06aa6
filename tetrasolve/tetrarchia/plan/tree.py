"""A turn plan: actions, and after an attack a branch for each outcome. It prints as its notation and reads back.

``move cisalpina; attack narbonensis {victory 2/3: secure | draw 1/12: end | defeat 1/4: end}``. A branch without actions is
``end``. Another figure who attacks stands before it: ``dux: attack dacia {...}``.

With Imperium, Galerius sees the dice before he pays. Then a branch says what they show, and begins with what he makes of it:
``attack dacia {victory 5/12: attack dacia: victory; secure | draw, victory for 1 1/6: attack dacia: victory +reserve | ...}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from tetrasolve.errors import UnreadableActionError, shown
from tetrasolve.tables import as_html
from tetrasolve.tetrarchia.action import END, Action, Kind, Outcome, attack, read_action
from tetrasolve.tetrarchia.board import Board


@dataclass(frozen=True, slots=True)
class Shown:
    """What the dice of an attack show him who can still pay: with how many discs it is at least a draw, and a victory.

    None: no number of discs is enough.
    """

    draw: int | None
    victory: int | None

    def outcome(self, paid: int) -> Outcome:
        """The outcome when so many discs are paid."""
        if self.victory is not None and paid >= self.victory:
            return Outcome.VICTORY
        return Outcome.DRAW if self.draw is not None and paid >= self.draw else Outcome.DEFEAT

    def is_won_for_less(self, paid: int) -> bool:
        """Whether it is a victory before the last of so many discs, so that he who stops then cannot pay it."""
        return paid > 0 and self.outcome(paid - 1) is Outcome.VICTORY

    def __str__(self) -> str:
        parts = [str(self.outcome(0))]
        parts += [f"draw for {self.draw}"] if self.draw and self.draw != self.victory else []
        parts += [f"victory for {self.victory}"] if self.victory else []
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Fork:
    """An attack on the army in province `army`, and the plan after each outcome with its chance in (0, 1].

    `army` is ``"pirates"`` for an attack on them. `figure` leads it, None for the active Emperor. `payments` are the discs that
    Galerius pays for it (see `Action`), one after the other until it is a victory [I-GALERIUS-WON]. If he decides after the roll,
    the branches are for what the dice show, and each begins with the attack as it is paid for.
    """

    army: str
    branches: tuple[tuple[Outcome | Shown, Fraction, Plan], ...]
    figure: str | None = None
    payments: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The attack without an outcome."""
        return str(Action(Kind.ATTACK, self.army, figure=self.figure, payments=self.payments))

    @property
    def pays_after_dice(self) -> bool:
        """Whether the branches are for what the dice show."""
        return any(isinstance(shows, Shown) for shows, _, _ in self.branches)

    def action(self, outcome: Outcome) -> Action:
        """The attack with this outcome."""
        return attack(self.army, outcome, self.figure, self.payments)


@dataclass(frozen=True, slots=True)
class Plan:
    """Actions in order, then the end or an attack that branches."""

    steps: tuple[Action, ...] = ()
    fork: Fork | None = None

    def __str__(self) -> str:
        parts = [str(step) for step in self.steps]
        if self.fork is not None:
            branches = " | ".join(
                f"{outcome}{'' if chance == UNSTATED else f' {chance}'}: {plan}"
                for outcome, chance, plan in self.fork.branches
            )
            parts.append(f"{self.fork} {{{branches}}}" if branches else str(self.fork))
        return "; ".join(parts) or "end"

    def _repr_html_(self) -> str:
        return as_html("\n".join(_lines_of(self, "")))

    def lines(self) -> Iterator[tuple[tuple[tuple[Outcome | Shown, Fraction], ...], Plan]]:
        """Every line of play: the outcomes with their chances, and the last part of the plan."""
        if self.fork is None:
            yield (), self
            return
        for outcome, chance, plan in self.fork.branches:
            for outcomes, last in plan.lines():
                yield ((outcome, chance), *outcomes), last

    def main_line(self) -> tuple[Action, ...]:
        """The actions along the first branch of each attack (victory where it can be rolled)."""
        steps = self.steps
        if self.fork is not None:
            outcome, _, plan = self.fork.branches[0]
            fought = (self.fork.action(outcome),) if isinstance(outcome, Outcome) else ()
            steps += (*fought, *plan.main_line())
        return steps


def _lines_of(plan: Plan, indent: str) -> Iterator[str]:
    """A plan with a line for each action and each outcome of an attack."""
    yield from (f"{indent}{step}" for step in plan.steps)
    if plan.fork is not None:
        yield f"{indent}{plan.fork}"
        for outcome, chance, branch in plan.fork.branches:
            yield f"{indent}  {outcome}{'' if chance == UNSTATED else f' ({chance})'}:"
            yield from _lines_of(branch, f"{indent}    ")
    elif not plan.steps:
        yield f"{indent}end"


# -- reading ---------------------------------------------------------------------------------------------------

DEEPEST = 32  # attacks, one after the other; a turn has a few
_MARKS = re.compile(r"[{};|]")
_FORK = re.compile(r"((?:[a-z]+: *)?[a-z]+ [^{}:;|]+) \{(.*)\}", re.DOTALL | re.IGNORECASE)
_BRANCH = re.compile(
    r"\s*(victory|draw|defeat)(?:, draw for ([1-9]))?(?:, victory for ([1-9]))?(?: ([0-9]{1,2}(?:/[0-9]{1,2})?))?: (.*)",
    re.DOTALL,
)


UNSTATED = Fraction(-1)  # the chance of a branch whose text has none; no text can state it


def read_plan(text: str, board: Board, *, is_complete: bool = True) -> Plan:
    """A plan from its notation, with at most `DEEPEST` attacks one after the other.

    One that need not be complete can have branches without chances, which become `UNSTATED`, and can end with an attack without
    branches, which becomes a fork without any. `tetrasolve.tetrarchia.plan.replay.completed` adds both.

    :raises UnreadableActionError: when a part of it cannot be read or is not complete, or it is nested deeper.
    """
    if depth_of(text) > DEEPEST:  # each level is read once more for each level above it
        raise UnreadableActionError(f"nested too deep, expected at most {DEEPEST} attacks in a row")
    return _plan(text, board, is_complete)


def depth_of(text: str) -> int:
    """How deep the branches of a plan are nested, as text.

    >>> depth_of("attack roma {victory 1: attack syria {victory 1: end}}"), depth_of("end")
    (2, 0)
    """
    return max(accumulate((letter == "{") - (letter == "}") for letter in text), default=0)


def _plan(text: str, board: Board, is_complete: bool) -> Plan:
    parts = [part.strip() for part in _split(text, ";")]
    fork = _FORK.fullmatch(parts[-1])
    is_open = fork is None and not is_complete and _is_open_attack(parts[-1], board)
    steps = tuple(_step(part, board) for part in (parts[:-1] if fork or is_open else parts))
    if is_open:
        return Plan(steps, _attack(parts[-1], board, ()))
    if steps == (END,) and fork is None:
        return Plan()
    return Plan(steps, _fork(fork[1], fork[2], board, is_complete) if fork else None)


def _is_open_attack(text: str, board: Board) -> bool:
    """Whether this is an attack whose outcome the dice decide."""
    actions = read_action(text, board)
    return actions[0].kind is Kind.ATTACK and len({action.outcome for action in actions}) > 1


def _attack(head: str, board: Board, branches: tuple[tuple[Outcome | Shown, Fraction, Plan], ...]) -> Fork:
    actions = read_action(head, board)
    named = {(action.place, action.figure, action.payments) for action in actions}
    if len(named) != 1 or actions[0].kind is not Kind.ATTACK:
        raise UnreadableActionError(f"{shown(head)}: expected an attack on one army")
    ((army, figure, payments),) = named
    assert army is not None
    return Fork(army, branches, figure, payments)


def _fork(head: str, text: str, board: Board, is_complete: bool) -> Fork:
    branches: list[tuple[Outcome | Shown, Fraction, Plan]] = []
    for part in _split(text, "|"):
        match = _BRANCH.fullmatch(part.strip())
        chance = match[4] if match else None
        if match is None or (chance is None and is_complete) or (chance or "").endswith("/0"):
            raise UnreadableActionError(f"{shown(part.strip())}: expected a branch like 'victory 2/3: secure'")
        plan = _plan(match[5], board, is_complete)
        branches.append((_shows(match, plan), Fraction(chance) if chance else UNSTATED, plan))
    return _attack(head, board, tuple(branches))


def _shows(match: re.Match[str], plan: Plan) -> Outcome | Shown:
    """What a branch stands for: what dice show, if it begins with an attack whose outcome is known."""
    outcome = Outcome(match[1])
    if not (match[2] or match[3] or (plan.steps and plan.steps[0].kind is Kind.ATTACK)):
        return outcome
    draw, victory = int(match[2] or 0) or None, int(match[3] or 0) or None
    if outcome is Outcome.VICTORY:
        draw = victory = 0
    elif outcome is Outcome.DRAW:
        draw = 0
    return Shown(victory if draw is None else draw, victory)


def _step(text: str, board: Board) -> Action:
    actions = read_action(text, board)
    if len(actions) != 1:
        raise UnreadableActionError(f"{shown(text)} is not complete: it could be {' or '.join(map(str, actions))}")
    return actions[0]


def _split(text: str, mark: str) -> list[str]:
    """The parts of a text between marks that are not inside braces."""
    parts, depth, begin = list[str](), 0, 0
    for found in _MARKS.finditer(text):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if found[0] == mark and depth == 0:
            parts.append(text[begin : found.start()])
            begin = found.end()
    parts.append(text[begin:])
    return parts
