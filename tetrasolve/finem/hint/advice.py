"""Hints: the best plans for the rest of a turn's actions, or the options of another decision, each with its chance to win.

The chance is an *evaluation*: the mean value of continuations with sampled cards, all plans with the same ones, calibrated by the
results of fresh games (`tetrasolve.finem.hint.calibration`). How the turn ends is exact, for the player who decides with care
inside the phases (`tetrasolve.finem.turnrisk`). `hint` doubles the continuations of the better half of the plans until the budget
is used up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

from tetrasolve.errors import ArgumentError, IllegalPositionError, OutOfTimeError
from tetrasolve.exact import opinion as exact
from tetrasolve.exact.binomial import normal
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.deadline import public_question, require_seconds, stop_of
from tetrasolve.exact.opinion import CONFIDENCE, DIGITS
from tetrasolve.finem import rules
from tetrasolve.finem.fast import option_text, state_of
from tetrasolve.finem.hint.basis import basis_data
from tetrasolve.finem.hint.calibration import curve_of, is_first
from tetrasolve.finem.hint.players import player_of
from tetrasolve.finem.hint.reasons import Dangers, Outcome, reasons
from tetrasolve.finem.kernel import Player, State
from tetrasolve.finem.position import Phase, Position, Result
from tetrasolve.finem.status import require_kernel
from tetrasolve.finem.turnrisk import TurnRisk, turn_risk
from tetrasolve.release import version
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import is_whole

TOP, MOST_TOP = 3, 20
WIDE = 24  # plans that are played out at first
PRIOR = 32.0  # the evaluation of a plan itself counts like so many continuations
SHARE = 0.8  # of the time for continuations; the rest is for the exact figures


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is played out: `samples` continuations of each plan at first, in each of `rounds` twice as many of the better half.

    A continuation ends `horizon` turns after this one.
    """

    samples: int
    rounds: int
    horizon: int


BUDGETS: Mapping[str, Budget] = {
    "greedy": Budget(0, 0, 0),
    "expectimax": Budget(16, 1, 0),
    "search": Budget(32, 4, 0),
    "deep": Budget(64, 4, 2),
}


@dataclass(frozen=True, slots=True)
class Opinion(exact.Opinion):
    """The chance to win in [0, 1] as the evaluation sees it; not a fact about the game.

    `value` is the share of the calibration's games that were won from states with the same `raw` value; `low` and `high` are the
    ends of its interval, with the error of the `n` sampled continuations. It is a mean over many states: for a single one it can be
    too high or too low. A greedy hint has a narrower interval, since nothing is sampled; it is no better for that. `games` are
    those of the calibration with this kind of rules; with 0 `value` is the raw value, and the interval says nothing, unless the
    plan ends the game: then the value is certain, 0 or 1, and so are the ends.
    """

    n: int
    games: int

    def as_data(self) -> dict[str, Any]:
        """The opinion as JSON data."""
        return {
            **self.figures(),
            "raw": round(self.raw, DIGITS),
            "continuations": self.n,
            "calibration_games": self.games,
        }

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{100 * self.value:.1f} % (certain)"
        return self.said("evaluation", self.games)


@dataclass(frozen=True, slots=True)
class Advice:
    """One plan: its options in order, its chance to win, its loss against the best, how the turn ends after it, and reasons.

    `risk` is exact for a stated policy inside the phases; None where a card is drawn before the actions are over, where the plan
    ends the game or the turn, and where the time did not suffice.
    """

    plan: tuple[str, ...]
    win: Opinion
    loss: float
    risk: TurnRisk | None
    reasons: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The advice as JSON data."""
        return {
            "plan": list(self.plan),
            "win": self.win.as_data(),
            "loss": round(self.loss, DIGITS),
            "turn": None if self.risk is None else _turn_data(self.risk),
            "reasons": list(self.reasons),
        }


def _turn_data(risk: TurnRisk) -> dict[str, Any]:
    found: dict[str, Any] = {"policy": risk.policy}
    if not risk.unknown:
        found |= {"p_lost": Exact(risk.p_lost).as_data(), "p_won": Exact(risk.p_won).as_data()}
    return found


@dataclass(frozen=True, slots=True)
class TurnHint:
    """The best plan found, then others that differ: each leads to another situation.

    Same position, seed and budget: same hint. `status` is ``complete`` where the whole budget was used and every figure is exact,
    ``interrupted`` where the time ran out or the call was cancelled before.
    """

    position: Position
    advice: tuple[Advice, ...]
    seed: int
    continuations: int
    seconds: float
    status: Literal["complete", "interrupted"] = "complete"

    @property
    def best(self) -> Advice:
        """The best plan."""
        return self.advice[0]

    def as_data(self) -> dict[str, Any]:
        """The hint as JSON data."""
        return {
            "position": str(self.position),
            "status": self.status,
            "plans": [advice.as_data() for advice in self.advice],
            "basis": basis_data(self.position.ruleset, is_first=is_first(self.position)),
            "seed": self.seed,
            "continuations": self.continuations,
            "seconds": self.seconds,
            "version": version(),
        }

    def __str__(self) -> str:
        from tetrasolve.finem.hint.text import hint_lines

        return "\n".join(hint_lines(self))


@public_question
def hint(
    position: Position,
    *,
    seconds: float | None = None,
    top: int = TOP,
    seed: int = 0,
    budget: str = "search",
    cancel: Stop | None = None,
) -> TurnHint:
    """The best plans for the rest of the actions, or the best options of the decision at hand.

    >>> from tetrasolve.finem.examples import examples
    >>> found = hint(examples()["limit"], budget="greedy", top=1)
    >>> len(found.best.plan), found.status
    (1, 'complete')

    :param seconds: after them, or once `cancel` is set, the best hint so far is returned as ``interrupted``. Without them the
        hint is reproducible.
    :param budget: a name of `BUDGETS`; ``greedy`` plays nothing out.
    :raises IllegalPositionError: when the position cannot occur, or nothing is decided in it.
    :raises ArgumentError: when a number is out of range, or there is no such budget.
    """
    *_, last = think(position, seconds=seconds, top=top, seed=seed, budget=budget, cancel=cancel)
    return last


def think(
    position: Position,
    *,
    seconds: float | None = None,
    top: int = TOP,
    seed: int = 0,
    budget: str = "search",
    is_stopped: Callable[[], bool] = lambda: False,
    cancel: Stop | None = None,
) -> Iterator[TurnHint]:
    """The successive hints that lead to that of `hint`, each from more continuations; the first comes at once.

    :raises IllegalPositionError: as `hint`.
    :raises ArgumentError: as `hint`.
    """
    if not is_whole(top) or not 1 <= top <= MOST_TOP:
        raise ArgumentError("hint: top", top, f"a whole number from 1 to {MOST_TOP}")
    if not is_whole(seed):
        raise ArgumentError("hint: seed", seed, "a whole number")
    effort = budget_of("hint", budget)
    require_seconds(seconds)
    require_decision(position)
    yield from Search(position, seconds, top, seed, effort, cancel).steps(is_stopped)


def budget_of(call: str, name: Any) -> Budget:
    """The budget of this name.

    :raises ArgumentError: when there is none.
    """
    if not isinstance(name, str) or name not in BUDGETS:
        raise ArgumentError(f"{call}: budget", name, f"one of {', '.join(BUDGETS)}")
    return BUDGETS[name]


def require_decision(position: Position) -> None:
    """Require a position that can occur, in which the player decides something.

    :raises IllegalPositionError: when it is not.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    require_kernel(position)
    if rules.node(position).is_chance:
        raise IllegalPositionError([f"step {position.step}: expected a position in which the player decides"])


@dataclass(slots=True)
class Sought:
    """A plan and its continuations so far."""

    options: tuple[int, ...]
    after: State
    raw: float
    total: float = 0.0
    squares: float = 0.0
    n: int = 0

    @property
    def value(self) -> float:
        """The mean with the evaluation as a prior."""
        return (PRIOR * self.raw + self.total) / (PRIOR + self.n)

    @property
    def error(self) -> float:
        """The standard error of the continuations' part."""
        if self.n < 2:
            return 0.0
        mean = self.total / self.n
        return sqrt(max(self.squares / self.n - mean * mean, 0.0) / self.n) * self.n / (PRIOR + self.n)


class Search:
    """The plans of a position, in the order of what is known of them."""

    def __init__(
        self, position: Position, seconds: float | None, top: int, seed: int, budget: Budget, cancel: Stop | None
    ) -> None:
        self.position, self.top, self.seed, self.budget = position, top, seed, budget
        self.began = time.monotonic()
        self.seconds = seconds
        self.whole = stop_of(seconds, cancel)
        self.stop = stop_of(None if seconds is None else SHARE * seconds, cancel)
        self.player: Player = player_of(position.ruleset)
        self.plans: list[Sought] = []
        self.kept: Sought | None = None  # a plan that is played out as often as the best ones
        self.continuations = 0

    def steps(self, is_stopped: Callable[[], bool]) -> Iterator[TurnHint]:
        """The hints."""
        state = state_of(self.position)
        try:
            ends = self.player.ends(state, max(WIDE, 2 * self.top), stop=self.whole)
        except Stopped as stopped:
            raise OutOfTimeError("hint: the time is over before all plans were looked at") from stopped
        self.plans = [Sought(tuple(options), after, raw) for options, after, raw in ends]
        if self.kept is not None:
            self._keep(self.kept)
        samples, alive, first = self.budget.samples, len(self.plans), 0
        is_whole = True
        for number in range(self.budget.rounds):
            if number == 0 and len(self.plans) > 1:
                yield self._hint(is_whole=False, last=False)
            if is_stopped() or not self._play(self.plans[:alive], first, samples):
                is_whole = False
                break
            first, samples = first + samples, 2 * samples
            self.plans[:alive] = sorted(self.plans[:alive], key=lambda plan: -plan.value)
            alive = max((alive + 1) // 2, self.top)
            if self.kept is not None and (at := self.plans.index(self.kept)) >= alive:
                self.plans.insert(alive - 1, self.plans.pop(at))
        yield self._hint(is_whole=is_whole, last=True)

    def _keep(self, plan: Sought) -> None:
        """Look at this plan too, in place of one of those that are there already where that leads to the same."""
        same = next((one for one in self.plans if one.after == plan.after), None)
        self.kept = same or plan
        if same is None:
            self.plans.append(plan)
        else:
            same.options = plan.options

    def _play(self, plans: list[Sought], first: int, samples: int) -> bool:
        """Plays continuations of some plans out, each with the same luck; False where the time did not suffice for all."""
        play = self.player.play_out
        try:
            done = [play(p.after, self.seed, first, samples, self.budget.horizon, stop=self.stop) for p in plans]
        except Stopped:
            return False
        for plan, values in zip(plans, done, strict=True):
            plan.total += sum(values)
            plan.squares += sum(value * value for value in values)
            plan.n += samples
            self.continuations += samples
        return True

    def _chosen(self) -> list[Sought]:
        """The best plans; those that differ in more than the pawn's place come before others."""
        different: list[Sought] = []
        seen = set()
        for plan in self.plans:
            table = _table(plan.after)
            if table not in seen:
                seen.add(table)
                different.append(plan)
        same = [plan for plan in self.plans if plan not in different]
        return sorted([*different, *same][: self.top], key=lambda plan: -plan.value)

    def _hint(self, *, is_whole: bool, last: bool) -> TurnHint:
        return self._of(self._chosen(), is_whole=is_whole, last=last)

    def pair(self, hint: TurnHint) -> TurnHint:
        """The best plan and the one that was kept, ``mine``, or it alone if it is the best, after the last of `steps`."""
        assert self.kept is not None
        best = max(self.plans, key=lambda plan: (plan.value, plan is self.kept))
        pair = [best] if best is self.kept else [best, self.kept]
        return self._of(pair, is_whole=hint.status == "complete", last=True, second="mine")

    def _of(self, chosen: list[Sought], *, is_whole: bool, last: bool, second: str = "the runner-up") -> TurnHint:
        opinions = [self._opinion(plan) for plan in chosen]
        outcomes = [self._outcome(plan) for plan in chosen]
        now = Dangers.of(self.player, state_of(self.position))
        found = []
        for at, (plan, win, outcome) in enumerate(zip(chosen, opinions, outcomes, strict=True)):
            other = (outcomes[1] if len(outcomes) > 1 else None) if at == 0 else outcomes[0]
            name = second if at == 0 else "the best plan"
            found.append(
                Advice(
                    tuple(map(option_text, plan.options)),
                    win,
                    max(0.0, opinions[0].value - win.value),
                    self._risk(outcome.position) if last else None,
                    reasons(self.position, now, outcome, other, name),
                )
            )
        exact = all(one.risk is None or not one.risk.unknown for one in found)
        return TurnHint(
            self.position,
            tuple(found),
            self.seed,
            self.continuations,
            round(time.monotonic() - self.began, 3),
            "complete" if is_whole and exact and last and not self._is_over() else "interrupted",
        )

    def _is_over(self) -> bool:
        return self.whole is not None and self.whole.is_set()

    def _opinion(self, plan: Sought) -> Opinion:
        if plan.after.result:
            certain = float(plan.after.result == "won")
            return Opinion(certain, certain, certain, certain, 0, 0)
        curve = curve_of(self.position)
        raw = plan.value
        if curve is None:
            return Opinion(raw, 0.0, 1.0, raw, plan.n, 0)
        slack = normal(CONFIDENCE) * plan.error
        low, high = curve.chance(max(raw - slack, 0.0))[1], curve.chance(min(raw + slack, 1.0))[2]
        return Opinion(curve.chance(raw)[0], low, high, raw, plan.n, curve.games)

    def _outcome(self, plan: Sought) -> Outcome:
        """What a plan leads to, by the reference rules."""
        state: Position | Result = self.position
        for option in plan.options:
            state = rules.take(state, option_text(option))
        if isinstance(state, Result):
            return Outcome(None, str(state) == "won", None)
        return Outcome(state, False, Dangers.of(self.player, plan.after))

    def _risk(self, after: Position | None) -> TurnRisk | None:
        """How the turn ends: exact, by the figures of a stated policy."""
        if after is None or after.phase in (Phase.ROLE, Phase.ACTIONS) or self._is_over():
            return None
        return turn_risk(after, cancel=self.whole)


def _table(state: State) -> tuple[Any, ...]:
    """What a situation is, but for the place of the pawn."""
    if state.result:
        return (state.result,)
    fields = state.fields()
    return tuple(value for name, value in fields.items() if name not in ("pawn", "out"))
