"""The threat horizon: the risk of several Barbarian phases if nobody acts, or if the Emperors follow given plans.

*Nobody acts*: no Emperor enters or moves, not even one who would have to enter; the turn passes on, and the next Barbarian
phase comes. `tetrasolve.tetrarchia.risk.follow` describes how a plan is followed where it does not fit.

Every figure has its certainty. While the distinct positions are few, each is followed with its chance as an exact fraction;
up to a limit, with the kernel's doubles and a bound on their rounding (a proved interval); beyond it by Monte Carlo, with an
interval at a stated confidence.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from tetrasolve.errors import ArgumentError
from tetrasolve.exact.batches import Progress, Runner, run_until
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.deadline import SHORTEST, Moment, is_over, moment, public_question, share, stop_at, stop_of
from tetrasolve.exact.executor import Executor, ProcessExecutor
from tetrasolve.exact.stopping import StoppingRule
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.phase.rounding import ROUNDOFF, known
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.course import DECLINE, Course, Plans, read_plans
from tetrasolve.tetrarchia.risk.figures import (
    Certainty,
    Ledger,
    PhaseFigures,
    Sample,
    no_figures,
    solved_figures,
)
from tetrasolve.tetrarchia.risk.follow import follow
from tetrasolve.tetrarchia.risk.layers import Layer, Method, Work, next_layer, phase_figures
from tetrasolve.tetrarchia.risk.rollout import MOST_PHASES, fold, play, runs_from
from tetrasolve.tetrarchia.risk.uprisings import uprising_chances
from tetrasolve.tetrarchia.status import require_kernel

FRACTIONS = 200  # positions up to which a phase is solved in fractions: some seconds
LIMIT = 20_000  # positions up to which a phase is solved in doubles: about a minute
RUNS = 20_000
BATCH = 1_000  # runs
CONFIDENCE = 0.999
WHY = {"narrow": "the interval is narrow enough", "time": "the time ran out"}


@dataclass(frozen=True, slots=True)
class Horizon:
    """The figures after each of several phases; `notes` say where and why a method ended, `runs` is the number of runs.

    `status` is ``interrupted`` where the time ran out, else ``complete``.
    """

    position: Position
    plans: tuple[Plan, ...]
    phases: tuple[PhaseFigures, ...]
    seed: int
    runs: int
    notes: tuple[str, ...]
    status: Literal["complete", "interrupted"] = "complete"

    def rows(self) -> Iterator[tuple[int, str, Certainty]]:
        """The figures of all phases with their names, as rows of a table."""
        for phase in self.phases:
            for words, figure in phase.rows():
                yield phase.phase, words, figure

    def as_data(self) -> dict[str, Any]:
        """The horizon as JSON data."""
        return {
            "position": str(self.position),
            "plans": [str(plan) for plan in self.plans],
            "status": self.status,
            "seed": self.seed,
            "runs": self.runs,
            "notes": list(self.notes),
            "phases": [phase.as_data() for phase in self.phases],
        }

    def __str__(self) -> str:
        lines = [f"{phase}  {words}: {figure}" for phase, words, figure in self.rows()]
        return "\n".join([*lines, *self.notes])


@public_question
def horizon(
    position: Position,
    phases: int,
    *,
    plans: Plans = (),
    policy: str = DECLINE,
    fractions: int = FRACTIONS,
    limit: int = LIMIT,
    runs: int = RUNS,
    batch: int = BATCH,
    strata: bool = True,
    confidence: float = CONFIDENCE,
    half_width: float | None = None,
    relative: float | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Horizon:
    """The risk of `phases` successive Barbarian phases; the turn before each follows its plan, or has no actions.

    `policy`, one of `rules.POLICIES`, answers the choices of the phases where the rules in use have some.

    A phase is solved in fractions while there are at most `fractions` distinct positions before it, in doubles up to `limit`;
    the others are estimated from `runs` runs (rounded up to whole batches; 0: none), with two runs for each stratum of the
    positions reached so far if `strata`. Each interval of an estimate holds with `confidence`, also when the runs stop early:
    at a `half_width` of the chance of a fall after the last phase, absolute or `relative` to it
    (`tetrasolve.exact.stopping`). Runs for the chance of an uprising, if needed, are separate and stop in the same way. After
    `seconds`, or when `cancel` is set, the result so far is returned: four tenths of the time are for solved phases, and the
    runs get the rest of seven tenths.

    The result depends on `seed`, `batch` and the bounds only, not on `executor` (default: all cores) nor on interruptions:
    with a `checkpoint` file the same call continues where the last one was stopped. With `seconds` it depends on the machine.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> print(horizon(example("movement"), 1).phases[0].uprising)
    1/6

    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    :raises UnreadableActionError: when a plan cannot be read.
    :raises CheckpointError: when the checkpoint belongs to another task.
    :raises ValueError: when a number is out of range, or there is no such policy.
    """
    stop = stop_of(seconds, cancel)
    require_sense(phases, fractions, limit, runs, batch, confidence)
    course = course_of(position, plans, phases, policy)
    timed = None if seconds is None else max(seconds, SHORTEST)
    rule = StoppingRule(max(1, -(-runs // batch)), half_width, relative, timed)
    task = {
        "task": "horizon",
        "position": position.to_json(),
        "board": board_digest(position.board),
        "plans": [str(plan) for plan in course.plans],
        "phases": phases,
        "fractions": fractions,
        "limit": limit,
        "runs": runs,
        "batch": batch,
        "strata": strata,
        "confidence": confidence,
        "half_width": half_width,
        "relative": relative,
        "seed": seed,
        **policy_in_task(course),
    }
    with ExitStack() as stack:
        kept = None if checkpoint is None else stack.enter_context(Checkpoint(checkpoint, task))
        runner = Runner(executor or stack.enter_context(all_cores(cancel)), kept, progress)
        start = Layer(0, ((bytes(course.state_of(position)), Fraction(1)),))
        for_runs, for_solving = share(stop, 0.7), share(stop, 0.4)
        solved = _solve(course, start, phases, fractions, limit, runner, moment(for_solving))
        notes = [*_notes_on_choices(course), *solved.notes]
        sample = None
        if len(solved.methods) < phases and runs:
            sample, note = _sample(
                course,
                solved,
                phases,
                rule,
                confidence,
                runner,
                moment(for_runs),
                seed=seed,
                batch=batch,
                strata=strata,
            )
            notes += note
        uprisings, more = uprising_chances(
            course,
            start,
            phases,
            runner,
            fractions=fractions,
            rule=rule if runs else None,
            batch=batch,
            seed=seed,
            confidence=confidence,
            stop=stop,
        )
    figures: list[PhaseFigures] = []
    for phase, uprising in enumerate(uprisings, start=1):
        if phase <= len(solved.methods):
            method = solved.methods[phase - 1]
            figures.append(solved_figures(solved.ledger, phase, method, uprising, course.board))
        elif sample is not None:
            figures.append(sample.figures(phase, uprising, course.board))
        else:
            why = "the time ran out before the first look at the runs" if runs else "no runs were requested"
            figures.append(no_figures(phase, uprising, f"{solved.notes[-1]}; {why}"))
    made = 0 if sample is None else sample.counts["n"]
    notes += more
    was_stopped = is_over(stop) or is_over(for_solving) or is_over(for_runs)
    status: Literal["complete", "interrupted"] = (
        "interrupted" if was_stopped and any("time" in note for note in notes) else "complete"
    )
    return Horizon(position, course.plans, tuple(figures), seed, made, tuple(notes), status)


# -- what is asked for ---------------------------------------------------------------------------------------------


def require_sense(phases: int, fractions: int, limit: int, runs: int, batch: int, confidence: float) -> None:
    """Refuse numbers that are out of range.

    :raises ValueError: names the number, and what was expected.
    """
    if not 1 <= phases <= MOST_PHASES:
        raise ValueError(f"phases {phases}: expected 1 to {MOST_PHASES}")
    for name, value in (("fractions", fractions), ("limit", limit), ("runs", runs)):
        if value < 0:
            raise ValueError(f"{name} {value}: expected 0 or more")
    if batch < 2 or batch % 2:
        raise ValueError(f"batch {batch}: expected an even number of runs, 2 or more")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: expected a number between 0 and 1, both excluded")


def course_of(position: Position, plans: Plans, phases: int, policy: str = DECLINE) -> Course:
    """The course of a position; a policy that has nothing to decide is that of no decisions.

    :raises ArgumentError: when there is no such policy.
    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    """
    if policy not in rules.POLICIES:
        raise ArgumentError("policy", policy, f"one of {', '.join(rules.POLICIES)}")
    require_kernel(position)
    used = policy if WITH_CHOICES & position.ruleset.extensions else DECLINE
    read = read_plans(plans, position.board)[:phases]
    course = Course(position.board, position.ruleset, read, bool(position.rebels), used)
    for end in follow(position, course.plan(1)):
        if isinstance(end, Position) and (position.is_won or not end.is_won):
            rules.begin(end)  # raises if no phase can follow
    return course


def _notes_on_choices(course: Course) -> list[str]:
    """How choices are answered, where the rules in use have some."""
    return [f"choices in the phases: {course.policy}"] if WITH_CHOICES & course.ruleset.extensions else []


def policy_in_task(course: Course) -> dict[str, str]:
    """The part of a checkpoint's task that names the policy; checkpoints of phases without one are as they were."""
    return {} if course.policy == DECLINE else {"policy": course.policy}


def all_cores(cancel: Stop | None = None) -> ProcessExecutor:
    """Worker processes on all cores, which end when `cancel` is set; a deadline they know themselves."""
    return ProcessExecutor(os.cpu_count(), stop=cancel)


def board_digest(board: Board) -> str:
    """A digest that is the same for equal boards, in every process."""
    rows = [(p.id, p.kind, p.region, p.number, sorted(p.zones), p.arrow, p.printed) for p in board.provinces.values()]
    links = sorted((*sorted(link.between), link.broken) for link in board.links)
    seas = sorted(sorted(pair) for pair in board.adjacent_zones)
    emperors = [(emperor.id, emperor.capital) for emperor in board.emperors]
    text = repr((board.id, board.roma, rows, links, seas, emperors))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


# -- exact as far as it goes ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Solved:
    ledger: Ledger
    methods: tuple[Method, ...]
    last: Layer  # the last complete layer
    notes: tuple[str, ...]


def _solve(
    course: Course, layer: Layer, phases: int, fractions: int, limit: int, runner: Runner, until: Moment | None
) -> _Solved:
    ledger, methods = Ledger(), list[Method]()
    notes: list[str] = []
    while len(methods) < phases:
        count = f"{len(layer.items)} position{'s' if len(layer.items) != 1 else ''}"
        method = _method(layer, fractions, limit)
        if method is None:
            notes.append(f"phase {layer.phase + 1}: {count} before it, more than the limit; runs start there")
            break
        if method == "doubles" and layer.is_exact:
            notes.append(f"phase {layer.phase + 1}: {count} before it, so it is solved in doubles")
        work = Work(course, layer, method, until)
        most = max(fractions, limit) if method == "fractions" else limit
        try:
            ledger.parts.append(phase_figures(work, runner))
            methods.append(method)
            if len(methods) == phases:
                break
            following = next_layer(work, most, runner)
        except Stopped:
            notes.append(
                f"phase {len(methods) + 1}: the time to solve it ran out; runs start from the {count} before it"
            )
            break
        if following is None:
            notes.append(
                f"phase {layer.phase + 2}: more than {most} positions before it; "
                f"runs start from the {count} before phase {layer.phase + 1}"
            )
            break
        layer = following
    return _Solved(ledger, tuple(methods), layer, tuple(notes))


def _method(layer: Layer, fractions: int, limit: int) -> Method | None:
    if layer.is_exact and len(layer.items) <= fractions:
        return "fractions"
    return "doubles" if len(layer.items) <= limit else None


# -- runs ----------------------------------------------------------------------------------------------------------


def _sample(
    course: Course,
    solved: _Solved,
    phases: int,
    rule: StoppingRule,
    confidence: float,
    runner: Runner,
    until: Moment | None,
    *,
    seed: int,
    batch: int,
    strata: bool,
) -> tuple[Sample | None, list[str]]:
    """Make runs from the last layer until the rule is met; notes say why they stopped early."""
    layer = solved.last
    strata = strata and len(layer.items) > 1
    game = runs_from(course, layer.phase, layer.items, phases, seed=seed, batch=batch, strata=strata, until=until)
    error = 2 * layer.roundings / ROUNDOFF  # relative error of a position's share of the layer: that of two weights

    def sample_of(counts: Any) -> Sample:
        return Sample(
            ledger=solved.ledger,
            after=layer.phase,
            open_share=known(layer.mass, layer.roundings + bool(layer.roundings) * len(layer.items)),
            counts=counts,
            confidence=confidence,
            confidence_used=rule.confidence_at_look(confidence),
            strata=strata,
            slack=game.slack + 2 * error,
        )

    stage = runner.stage("runs", play, game, fold)
    counts, why = run_until(stage, rule, runner, lambda counts: sample_of(counts).lost(phases), stop_at(until))
    if counts is None:
        return None, ["runs: the time ran out before the first look at them"]
    return sample_of(counts), [f"runs: stopped after {counts['n']}, {WHY[why]}"] if why != "all" else []
