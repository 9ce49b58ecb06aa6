"""The chance of at least one uprising in several phases: exact while there are few positions, else by simulation."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tetrasolve.exact.batches import Runner, run_until
from tetrasolve.exact.certainty import Exact, Unknown
from tetrasolve.exact.deadline import moment, share
from tetrasolve.exact.estimate import Estimate, unequal_chance
from tetrasolve.exact.stopping import StoppingRule
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.risk.course import Course
from tetrasolve.tetrarchia.risk.figures import NOTHING, Certainty
from tetrasolve.tetrarchia.risk.layers import UPRISING, Layer, Work, next_layer, phase_figures
from tetrasolve.tetrarchia.risk.rollout import fold_quiet, play_quiet, runs_from

GATHERED = 10  # a phase without uprisings takes this much less time than a whole one,
ASKED = 50  # and only the chance of an uprising this much less


def uprising_chances(
    course: Course,
    start: Layer,
    phases: int,
    runner: Runner,
    *,
    fractions: int,
    rule: StoppingRule | None,
    batch: int,
    seed: int,
    confidence: float,
    stop: Stop | None = None,
) -> tuple[list[Certainty], list[str]]:
    """The chance of at least one uprising up to each phase, and notes on where the exact method ended.

    `fractions` bounds the positions as for a whole phase, multiplied by `GATHERED` and `ASKED`. Without a `rule` no runs are
    made. Half of the time that `stop` leaves is for the exact chances.
    """
    chances: list[Certainty] = []
    layer, risen = start, Fraction(0)
    note = ""
    until = moment(share(stop, 0.5))
    for phase in range(1, phases + 1):
        work = Work(course, layer, "quiet", until)
        if len(layer.items) > ASKED * fractions:
            note = f"uprisings: no exact method for more than {ASKED * fractions} positions without one"
            break
        try:
            tally, _ = phase_figures(work, runner)
            risen += tally.get(UPRISING, Fraction(0))
            chances.append(Exact(risen))
            if phase == phases:
                break
            following = (
                next_layer(work, ASKED * fractions, runner) if len(layer.items) <= GATHERED * fractions else None
            )
        except Stopped:
            note = f"uprisings: exact up to phase {len(chances)}; then the time ran out"
            break
        if following is None:
            note = f"uprisings: exact up to phase {phase}; too many positions without one after it"
            break
        layer = following
    if len(chances) == phases:
        return chances, []
    if rule is None:
        return chances + [Unknown(note)] * (phases - len(chances)), [note]
    game = runs_from(course, layer.phase, layer.items, phases, seed=seed, batch=batch, strata=True, until=moment(stop))
    before = chances[layer.phase - 1] if layer.phase else NOTHING
    assert isinstance(before, Exact)
    used = rule.confidence_at_look(confidence)

    def estimate(total: dict[str, Any], phase: int) -> Estimate:
        risen = sum(total["first"][: phase - layer.phase])
        inside = unequal_chance(risen, total["n"], used).widened(game.slack).within(0, 1)
        return inside.moved(before, Exact(layer.mass)).within(0, 1).at(confidence)

    stage = runner.stage("runs to the first uprising", play_quiet, game, fold_quiet)
    total, _ = run_until(stage, rule, runner, lambda total: estimate(total, phases), stop)
    if total is None:
        why = "the time ran out before the first look at the runs to an uprising"
        return chances + [Unknown(why)] * (phases - len(chances)), [note, why]
    return [*chances, *(estimate(total, phase) for phase in range(len(chances) + 1, phases + 1))], [note]
