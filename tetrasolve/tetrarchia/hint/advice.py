"""Hints: the best plans for a turn, each with its chance to win the game, the certainty of that chance, and reasons.

A hint is computed in steps, each a better answer than the one before: `think` yields them, `hint` gives the last. The risk of
the coming phase is exact. The chance to win is an `Opinion` of the evaluation, with an interval from the results of games with
the same raw value, or with `games` an estimate from games played to their end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any, Literal

from tetrasolve.errors import IllegalActionError, OutOfTimeError
from tetrasolve.exact.deadline import is_over, public_question, share, stop_of
from tetrasolve.exact.estimate import Estimate
from tetrasolve.exact.opinion import CONFIDENCE, DIGITS
from tetrasolve.release import version
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tables import as_html
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.hint.basis import Basis, basis_of
from tetrasolve.tetrarchia.hint.decisive import before_last_moves, decisive, placement
from tetrasolve.tetrarchia.hint.ideas import Idea, far_apart, idea_of
from tetrasolve.tetrarchia.hint.opinion import Chance, chance_data, opinion
from tetrasolve.tetrarchia.hint.policy import (
    DEFAULT,
    EXPECTIMAX,
    GREEDY,
    Budget,
    Candidate,
    Thinking,
    deepening,
    value_of,
)
from tetrasolve.tetrarchia.hint.prospects import Outlook, Prospects, before_phase
from tetrasolve.tetrarchia.hint.reasons import PlanReason, almost, reasons, stopping
from tetrasolve.tetrarchia.hint.rollout import BLOCK, rollout
from tetrasolve.tetrarchia.plan.task import require_turn
from tetrasolve.tetrarchia.plan.text import route_of
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position

TOP = 3
FEWEST_GAMES = 20 * BLOCK  # for an interval by Student's t
WIDE = 96  # plans of the search among which different ideas are sought
SHARE_OF_BUDGET = 0.9  # of the time, for the named budget; the rest is for the figures of the coming phase
SHARE_OF_SEARCH = 0.7  # of the time, for a search beyond the named budget
SHARE_OF_A_STEP = 0.15  # of the time that is left, for the figures of a step on the way,
A_STEP = 0.25  # which takes at most so many seconds,
FIRST_STEP = 0.05  # and the first of them so many,
AT_ONCE = 0.01  # of which the best plan alone has these: the first answer is to come at once
CLOSE = 0.01  # of the chance to win: the most by which a plan that is nearly as good can be behind

# Budgets of the search by name; all are deterministic
BUDGETS = {
    "greedy": GREEDY,
    "expectimax": EXPECTIMAX,
    "search": DEFAULT,
    "deep": Budget(ends=192, samples=36, deep_ends=12, deep_samples=72),
}


@dataclass(frozen=True, slots=True)
class Advice:
    """One plan: its chance to win the game, its loss against the best plan, its exact risks, and reasons."""

    plan: Plan
    win: Chance
    loss: float
    prospects: Prospects
    reasons: tuple[PlanReason, ...]

    def as_data(self) -> dict[str, Any]:
        """The advice as JSON data."""
        return {
            "plan": str(self.plan),
            "win": chance_data(self.win),
            "loss": round(self.loss, DIGITS),
            "phase": self.prospects.as_data(),
            "reasons": [reason.as_data() for reason in self.reasons],
        }


@dataclass(frozen=True, slots=True)
class Hint:
    """The best plan found, then others that differ in idea.

    What an idea is, `tetrasolve.tetrarchia.hint.ideas` says. Same position, seed and budget of nodes: same hint. `basis` says which
    network evaluates and on how many games its chances were calibrated with the rules in use. `narrowed` names the actions that
    were left out because the turn has too many ends.

    `turns` and `phases` count the turns searched and the phases sampled. `status` is ``complete`` where the whole of the named
    budget, or more, was searched, every figure of the coming phase is exact, and the games, if any, were played. It is
    ``interrupted`` where the time ran out or the call was cancelled before that, and in a step on the way there.
    """

    position: Position
    advice: tuple[Advice, ...]
    seed: int
    turns: int
    phases: int
    seconds: float
    basis: Basis
    narrowed: str = ""
    version: str = field(default_factory=version)
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
            "basis": self.basis.as_data(),
            **({"narrowed": self.narrowed} if self.narrowed else {}),
            "seed": self.seed,
            "nodes": {"turns": self.turns, "phases": self.phases},
            "seconds": self.seconds,
            "version": self.version,
        }

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.hint.text import hint_lines

        return "\n".join(hint_lines(self))

    def _repr_svg_(self) -> str:
        best = self.best.plan
        return board_svg(self.position.board, self.position, title="Best plan", route=route_of(self.position, best))

    def _repr_html_(self) -> str:
        return as_html(str(self), self._repr_svg_())


@public_question
def hint(
    position: Position,
    *,
    seconds: float | None = None,
    top: int = TOP,
    seed: int = 0,
    budget: str = "search",
    games: int = 0,
    cancel: Stop | None = None,
) -> Hint:
    """The best plans for the rest of this turn, which differ in idea.

    The `budget`, a name in `BUDGETS`, limits the search. With `seconds` it is searched whole if the time allows, and the search
    then grows while the next step seems to fit; the answer can differ between calls. `greedy` is not a search: it has nothing
    to deepen. With `games` (at least `FEWEST_GAMES`, rounded to a multiple of
    36) this many games are played to their end from each plan, and the estimate replaces the evaluation's opinion. When
    `seconds` are over, or `cancel` is set, the best hint so far is returned, with the status ``interrupted`` where the budget
    was not yet searched whole.

    :raises IllegalPositionError: when the position cannot occur, or no turn is left to be planned in it.
    :raises ValueError: when a number is out of range.
    :raises SecondsError: when `seconds` is no number of at least 0.
    """
    never_stopped = seconds is None and cancel is None  # then nobody sees the steps on the way
    *_, last = _steps(position, seconds, top, seed, budget, games, lambda: False, cancel, all_steps=not never_stopped)
    return last


def think(
    position: Position,
    *,
    seconds: float | None = None,
    top: int = TOP,
    seed: int = 0,
    budget: str = "search",
    games: int = 0,
    is_stopped: Callable[[], bool] = lambda: False,
    cancel: Stop | None = None,
) -> Iterator[Hint]:
    """The successive hints that lead to that of `hint`, each from a deeper search; the first comes at once.

    The first is the best plan of the first search alone, unless that is the whole of the budget; the next adds others to it.
    A step on the way does not wait for the exact figures of a huge phase: they are intervals from marginals, or left out where
    even those take too long. Without `seconds` the last hint has exact figures.

    `is_stopped` ends it between stages of the search, `cancel` at any time.

    :raises IllegalPositionError: as `hint`.
    :raises ValueError: as `hint`.
    :raises SecondsError: as `hint`.
    """
    yield from _steps(position, seconds, top, seed, budget, games, is_stopped, cancel, all_steps=True, best_alone=True)


def _steps(
    position: Position,
    seconds: float | None,
    top: int,
    seed: int,
    budget: str,
    games: int,
    is_stopped: Callable[[], bool],
    cancel: Stop | None,
    *,
    all_steps: bool,
    best_alone: bool = False,
) -> Iterator[Hint]:
    """As `think`; or without the steps before the whole of the named budget, which is then required to come.

    :param best_alone: whether the first step is also given with the best plan alone.
    """
    if games and games < FEWEST_GAMES:
        raise ValueError(f"games: expected 0, or at least {FEWEST_GAMES}, got {games}")
    require_turn(position, house=True)
    stop = stop_of(seconds, cancel)
    named = BUDGETS[budget]
    chosen = named if seconds is None else replace(named, seconds=SHARE_OF_SEARCH * seconds)
    began = time.perf_counter()
    picks = _Picks(position, seed, max(top, 2))
    basis = basis_of(position)
    turns = phases = 0
    until = share(stop, SHARE_OF_BUDGET)
    on_the_way = None if all_steps else 1
    for thinking in deepening(
        position, chosen, seed, max(top, WIDE), cancel=cancel, until=until, on_the_way=on_the_way
    ):
        is_first = not turns
        step = Stop(FIRST_STEP if is_first else A_STEP, parent=share(stop, SHARE_OF_A_STEP))
        turns, phases = turns + thinking.turns, phases + thinking.phases
        whole = thinking.budget.includes(named)
        if not whole and not all_steps:
            continue
        if best_alone and is_first and not whole:
            advice, _ = _advice(picks, thinking.candidates[:1], None, top, Stop(AT_ONCE, parent=step))
            taken = time.perf_counter() - began
            yield Hint(
                position, advice, seed, turns, phases, taken, basis, thinking.narrowed, status="interrupted",
            )  # fmt: skip  # the others follow in any case: they take milliseconds
        rows = picks.of(thinking, stop if whole else step)
        advice, exact = _advice(picks, rows, thinking.budget if whole else None, top, step)
        status = _status(whole=whole and exact)
        taken = time.perf_counter() - began
        found = Hint(position, advice, seed, turns, phases, taken, basis, thinking.narrowed, status=status)
        yield found
        if is_stopped():
            return
    if not exact and not is_over(stop):  # the rest of the time is for the figures
        advice, exact = _advice(picks, rows, thinking.budget if whole else None, top, stop)
        status = _status(whole=whole and exact)
        found = replace(found, advice=advice, seconds=time.perf_counter() - began, status=status)
        yield found
    if games:
        try:
            yield replace(found, advice=_played_out(found, games, stop), seconds=time.perf_counter() - began)
        except OutOfTimeError:
            yield replace(found, seconds=time.perf_counter() - began, status="interrupted")


def _status(*, whole: bool) -> Literal["complete", "interrupted"]:
    return "complete" if whole else "interrupted"


# -- plans that differ -----------------------------------------------------------------------------------------


class _Picks:
    """The best plan of a search, and the best of those that differ in idea from it and from each other."""

    def __init__(self, position: Position, seed: int, most: int) -> None:
        self.outlook = Outlook(position)
        self.seed = seed
        self.most = most
        self._ideas: dict[Plan, Idea] = {}
        self._staying: dict[Plan, list[Plan]] = {}
        self.apart = far_apart(position)

    def of(self, thinking: Thinking, stop: Stop | None) -> list[Candidate]:
        """At most so many of the candidates, the best first.

        Others than the best are compared with it on equal terms: those that its last stage left out are valued by it too, unless
        `stop` is set before.
        """
        best, *others = self._different(thinking.candidates)
        with suppress(Stopped):
            others = [self._as_closely(candidate, best, thinking.budget, stop) for candidate in others]
        others.sort(key=lambda candidate: (-candidate.stage, -candidate.value))
        return [best, *others]

    def staying(self, plan: Plan) -> list[Plan]:
        """The plan without the moves at its end, where there are some and the turn may end before them."""
        if plan not in self._staying:
            before = before_last_moves(plan)
            try:
                self._staying[plan] = [] if before is None or not self.outlook.ends(before) else [before]
            except IllegalActionError:
                self._staying[plan] = []
        return self._staying[plan]

    def _different(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        picked: list[tuple[Candidate, Idea]] = []
        for candidate in candidates:
            idea = self._idea(candidate.plan)
            if all(idea.differs(other, self.apart) for _, other in picked):
                picked.append((candidate, idea))
                if len(picked) == self.most:
                    break
        return [candidate for candidate, _ in picked]

    def _idea(self, plan: Plan) -> Idea:
        if plan not in self._ideas:
            self._ideas[plan] = idea_of(plan, self.outlook.ends(plan))
        return self._ideas[plan]

    def _as_closely(self, candidate: Candidate, best: Candidate, budget: Budget, stop: Stop | None) -> Candidate:
        if candidate.stage >= best.stage:
            return candidate
        return value_of(self.outlook.position, candidate.plan, budget, self.seed, stop=stop)


# -- opinions --------------------------------------------------------------------------------------------------


def _advice(
    picks: _Picks, candidates: Sequence[Candidate], budget: Budget | None, top: int, stop: Stop | None
) -> tuple[tuple[Advice, ...], bool]:
    """The advice for the first `top` candidates, and whether all is known that it rests on, and exact.

    Reasons also rest on the figures of ending the turn at once, of the second plan, and of the best one without its last moves,
    whether or not these are among the advice. Only with the `budget` of a whole search they say what decided.
    """
    outlook = picks.outlook
    best_plan, *others = (candidate.plan for candidate in candidates)
    idle = [Plan()] if stopping(outlook.position) else []  # to end the turn at once, for comparison
    stay = picks.staying(best_plan)
    outlook.learn([best_plan, *idle, *others, *stay], stop)
    without = outlook.of(Plan()) if idle else None
    rows = [_said(outlook, candidate, without) for candidate in candidates]
    best = rows[0].win.value
    rows = [replace(row, loss=max(best - row.win.value, 0.0)) for row in rows]
    exact = all(row.prospects.is_exact for row in rows) and (without is None or without.is_exact)
    exact = exact and all(outlook.of(plan).is_exact for plan in stay)
    if budget is not None:
        try:
            rows = _decided(picks, rows, candidates[0], budget, stop)
        except Stopped:
            exact = False
    if len(rows) > 1 and candidates[0].stage == candidates[1].stage and rows[1].loss < CLOSE:
        nearly = almost(rows[0].prospects, rows[1].prospects, rows[1].loss)
        rows[0] = replace(rows[0], reasons=(*rows[0].reasons, nearly))
    return tuple(rows[:top]), exact


def _decided(picks: _Picks, rows: Sequence[Advice], best: Candidate, budget: Budget, stop: Stop | None) -> list[Advice]:
    """The same advice with what decided: the best plan against the runner-up, and the others against the best one."""
    outlook, first = picks.outlook, rows[0]
    said: list[PlanReason] = []
    if len(rows) > 1:
        said += decisive(outlook, first.prospects, rows[1].prospects, "the runner-up", stop)
    for plan in picks.staying(best.plan):
        stays = value_of(outlook.position, plan, budget, picks.seed, stop=stop)
        gain = first.win.value - opinion(stays, outlook.of(plan), outlook.position).value
        said += placement(outlook.position, first.prospects, outlook.of(plan), gain)
    others = [
        replace(row, reasons=(*row.reasons, *decisive(outlook, row.prospects, first.prospects, "the best plan", stop)))
        for row in rows[1:]
    ]
    return [replace(first, reasons=(*first.reasons, *said)), *others]


def _said(outlook: Outlook, candidate: Candidate, idle: Prospects | None) -> Advice:
    found = outlook.of(candidate.plan)
    win = opinion(candidate, found, outlook.position)
    return Advice(candidate.plan, win, 0.0, found, reasons(outlook.position, found, idle))


# -- estimates -------------------------------------------------------------------------------------------------


def _played_out(found: Hint, games: int, stop: Stop | None) -> tuple[Advice, ...]:
    """The same plans with estimates from games with common random numbers, in the order of the estimates."""
    judged = [replace(advice, win=_estimate(advice.prospects, games, found.seed, stop)) for advice in found.advice]
    best = max(advice.win.value for advice in judged)
    judged.sort(key=lambda advice: -advice.win.value)
    return tuple(replace(advice, loss=best - advice.win.value) for advice in judged)


def _estimate(found: Prospects, games: int, seed: int, stop: Stop | None) -> Estimate:
    """The chance to win after a plan: the mean over the ends of its turn, each with an interval that allows for their number."""
    games = -(-games // BLOCK) * BLOCK
    open_ends = [(chance, end) for chance, end, _ in found.ends if isinstance(end, Position) and not end.is_won]
    won = float(found.p_won)
    if not open_ends:
        return Estimate(won, won, won, 0, CONFIDENCE, "replications")
    apiece = 1 - (1 - CONFIDENCE) / len(open_ends)
    rows = [
        (float(chance), rollout(before_phase(end), games, seed, apiece, cancel=stop).adjusted)
        for chance, end in open_ends
    ]

    def mean(part: Callable[[Estimate], float]) -> float:
        # luck adjustment can carry a mean beyond what a chance can be
        return min(max(won + fsum(chance * part(estimate) for chance, estimate in rows), 0.0), 1.0)

    low, value, high = mean(lambda e: e.low), mean(lambda e: e.value), mean(lambda e: e.high)
    return Estimate(value, low, high, games * len(rows), CONFIDENCE, "replications")
