"""Why not my plan: a plan for a turn beside the best one that the search finds.

The chances to win are evaluations of both by the same search with the same dice. The figures of the coming phase and what a plan
leaves on the table are exact. The refutation is the happening (`aftermath`) that costs the plan most: the part of its chance that
the best plan does not share, times the evaluation that is lost when it happens.

This works for all modules, variants, scenarios and rebels.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tetrasolve.exact.deadline import public_question, share, stop_of
from tetrasolve.exact.opinion import DIGITS
from tetrasolve.release import version
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.hint.advice import BUDGETS, Advice
from tetrasolve.tetrarchia.hint.aftermath import Aftermath, Happening, aftermath, chance_of
from tetrasolve.tetrarchia.hint.basis import Basis, basis_of
from tetrasolve.tetrarchia.hint.contrast import gives_up, is_same_table
from tetrasolve.tetrarchia.hint.opinion import opinion
from tetrasolve.tetrarchia.hint.policy import GREEDY, Budget, deepening, value_of
from tetrasolve.tetrarchia.hint.prospects import Outlook, figure_data
from tetrasolve.tetrarchia.hint.reasons import LEAST
from tetrasolve.tetrarchia.phase.rounding import Known
from tetrasolve.tetrarchia.plan.replay import completed
from tetrasolve.tetrarchia.plan.task import require_turn
from tetrasolve.tetrarchia.plan.tree import Plan, read_plan
from tetrasolve.tetrarchia.position import Position

SHARE_OF_SEARCH = 0.5  # of the time, for the best plan; the rest is for the comparison


@dataclass(frozen=True, slots=True)
class Refutation:
    """What refutes a plan: a happening with its chance after this plan and after the best one, and the evaluation with it.

    `value` is the mean of the evaluation, in [0, 1], over the outcomes with this happening, `best` that of the best plan over all.
    """

    happening: Happening
    chance: Known
    chance_after_best: Known
    value: float
    best: float

    def as_data(self) -> dict[str, Any]:
        """The refutation as JSON data."""
        kind, where, outcome = self.happening
        return {
            "kind": kind,
            **({"where": where} if where else {}),
            **({"outcome": outcome} if outcome else {}),
            "chance": figure_data(self.chance),
            "chance_after_best": figure_data(self.chance_after_best),
            "value": {"kind": "evaluation", "with": round(self.value, DIGITS), "best": round(self.best, DIGITS)},
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """A plan (`mine`) beside the best one: the gap of their evaluations, what each gives up against the other, and a refutation.

    `gap` is the evaluation of the best plan minus that of `mine`, at most 1; it is below 0 where the closer look prefers `mine`.
    `refutation` is None where no happening speaks against `mine`, or the time ran out. The reasons of `mine` and of `best` are what
    each gives up against the other. The status is ``interrupted`` where the time ran out before the whole budget was searched,
    or a figure was exact.
    """

    position: Position
    mine: Advice
    best: Advice
    gap: float
    is_same: bool
    refutation: Refutation | None
    seed: int
    seconds: float
    basis: Basis
    version: str = field(default_factory=version)
    status: Literal["complete", "interrupted"] = "complete"

    def as_data(self) -> dict[str, Any]:
        """The comparison as JSON data."""
        return {
            "position": str(self.position),
            "status": self.status,
            "mine": self.mine.as_data(),
            "best": self.best.as_data(),
            "gap": {"kind": "evaluation", "value": round(self.gap, DIGITS)},
            "same": self.is_same,
            "refutation": None if self.refutation is None else self.refutation.as_data(),
            "basis": self.basis.as_data(),
            "seed": self.seed,
            "seconds": self.seconds,
            "version": self.version,
        }

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.hint.text import comparison_lines

        return "\n".join(comparison_lines(self))


@public_question
def compare(
    position: Position,
    plan: Plan | str,
    *,
    seed: int = 0,
    budget: str = "search",
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Comparison:
    """A plan for the rest of this turn beside the best one that a search with this budget and seed finds.

    The plan is in the notation of plans; an attack at its end may be without branches: then the turn ends after it. Without
    `seconds` the same question has the same answer. After `seconds`, or when `cancel` is set, what is known until then comes back.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> found = compare(example("movement"), "move thracia; remove", budget="greedy")
    >>> found.gap > 0, [reason.text for reason in found.mine.reasons][:2]
    (True, ['leaves the revolt in Achaia', 'leaves the revolt in Syria'])

    :raises IllegalPositionError: when the position cannot occur, or no turn is left to be planned in it.
    :raises UnreadableActionError: when a part of the plan cannot be read.
    :raises IllegalActionError: when an action of the plan is illegal; it names the action and the rule.
    :raises SecondsError: when `seconds` is no number of at least 0.
    """
    require_turn(position)
    began = time.perf_counter()
    stop = stop_of(seconds, cancel)
    chosen = plan if isinstance(plan, Plan) else read_for(position, plan)
    outlook = Outlook(position)
    outlook.ends(chosen)
    named = BUDGETS[budget]
    limited = named if seconds is None else replace(named, seconds=SHARE_OF_SEARCH * seconds)
    *_, last = deepening(position, limited, seed, 1, cancel=cancel, until=share(stop, SHARE_OF_SEARCH))
    best = last.best.plan
    mine_said, best_said, whole = _valued(outlook, chosen, best, named, seed, stop)
    outlook.learn([best, chosen], stop)
    mine, first = outlook.of(chosen), outlook.of(best)
    refutation: Refutation | None = None
    is_same = is_same_table(mine, first)
    try:
        if not is_same:
            refutation = _refutation(outlook, chosen, best, stop)
    except Stopped:
        whole = False
    gap = best_said.win.value - mine_said.win.value
    return Comparison(
        position=position,
        mine=replace(mine_said, prospects=mine, loss=max(gap, 0.0), reasons=gives_up(position, mine, first)),
        best=replace(best_said, prospects=first, reasons=gives_up(position, first, mine)),
        gap=0.0 if is_same else gap,
        is_same=is_same,
        refutation=refutation,
        seed=seed,
        seconds=time.perf_counter() - began,
        basis=basis_of(position),
        status="complete"
        if whole and last.budget.includes(named) and mine.is_exact and first.is_exact
        else "interrupted",
    )


def _valued(
    outlook: Outlook, chosen: Plan, best: Plan, named: Budget, seed: int, stop: Stop | None
) -> tuple[Advice, Advice, bool]:
    """Both plans valued by the same search, and whether it is the one named: else the evaluation of the ends of the turn."""
    position = outlook.position
    try:
        found = [value_of(position, plan, named, seed, stop=stop) for plan in (chosen, best)]
        whole = True
    except Stopped:
        found = [value_of(position, plan, GREEDY, seed) for plan in (chosen, best)]
        whole = False
    prospects = [outlook.of(candidate.plan) for candidate in found]
    mine, first = (
        Advice(candidate.plan, opinion(candidate, known, position), 0.0, known, ())
        for candidate, known in zip(found, prospects, strict=True)
    )
    return mine, first, whole


def _refutation(outlook: Outlook, chosen: Plan, best: Plan, stop: Stop | None) -> Refutation | None:
    """The happening that costs the plan most against the best one."""
    position, mine, first = outlook.position, outlook.of(chosen), outlook.of(best)
    ours, theirs = aftermath(position, mine, stop), aftermath(position, first, stop)
    costs = {
        happening: _cost(happening, ours, theirs) for happening in ours.chances if ours.chances[happening] >= LEAST
    }
    worst = max(costs, key=lambda happening: (costs[happening], happening), default=None)
    if worst is None or costs[worst] <= 0:
        return None
    rough = theirs.chances.get(worst, 0.0)
    return Refutation(
        worst,
        chance_of(position, mine, worst, ours.chances[worst], stop),
        chance_of(position, first, worst, rough, stop),
        ours.values[worst],
        theirs.value,
    )


def _cost(happening: Happening, ours: Aftermath, theirs: Aftermath) -> float:
    """The part of its chance that the best plan does not share, times what is lost when it happens; in millionths."""
    more = ours.chances[happening] - theirs.chances.get(happening, 0.0)
    return round(more * (theirs.value - ours.values[happening]), DIGITS)


# -- reading ---------------------------------------------------------------------------------------------------


def read_for(position: Position, text: str) -> Plan:
    """A plan for this position from its notation; branches without chances, and attacks without branches, get those of the dice.

    :raises UnreadableActionError: when a part of it cannot be read.
    :raises IllegalActionError: when an action before an attack, or the attack, is illegal.
    """
    return completed(position, read_plan(text, position.board, is_complete=False))
