"""Exact methods for several phases: all possible positions after a phase, each with its chance.

There are three methods for the phase of a position. ``fractions``: the reference rules, exactly. ``doubles``: the kernel,
about a hundred times as fast, with a bound on rounding errors (`tetrasolve.tetrarchia.phase.rounding`). ``quiet``: the
reference rules, up to the first uprising.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, TypedDict, cast

from tetrasolve.exact.batches import Runner
from tetrasolve.exact.deadline import Moment, check, stop_at
from tetrasolve.exact.executor import SerialExecutor, in_order
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import kernel, rules
from tetrasolve.tetrarchia.kernel import State
from tetrasolve.tetrarchia.phase.rounding import roundings_of_phase
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk import quiet
from tetrasolve.tetrarchia.risk.causes import cause_chances, only_cause
from tetrasolve.tetrarchia.risk.course import NOBODY_ACTS, Course
from tetrasolve.tetrarchia.risk.follow import follow, follow_state
from tetrasolve.tetrarchia.risk.tally import (
    LOST,
    OPEN,
    Tally,
    add,
    from_data,
    key_of,
    key_of_over,
    merged_data,
    table_key,
    to_data,
)
from tetrasolve.tetrarchia.rules import Fall

Method: TypeAlias = Literal["fractions", "doubles", "quiet"]
Items: TypeAlias = "Sequence[tuple[bytes, Any]]"

CHUNK: Mapping[Method, int] = {
    "fractions": 4,
    "doubles": 64,
    "quiet": 32,
}  # positions a batch: a second of work or less
UPRISING = "uprising"  # key of a quiet tally: the first uprising was in this phase
NO_UPRISING = "none"  # there was no uprising in this phase, and the game is open or over


@dataclass(frozen=True)
class Layer:
    """The open positions after `phase` phases (bytes of states) with their chances, and the number of roundings in them.

    The chances do not add up to one: games that are over are not included. `roundings` is 0 for exact fractions.
    """

    phase: int
    items: Items
    roundings: int = 0

    @property
    def mass(self) -> Any:
        """The chance that the game is still open."""
        return sum((weight for _, weight in self.items), Fraction(0) if self.is_exact else 0.0)

    @property
    def is_exact(self) -> bool:
        """Whether the chances are fractions."""
        return self.roundings == 0


@dataclass(frozen=True)
class Work:
    """The context of batches: the course, the layer in chunks, and the method."""

    course: Course
    layer: Layer
    method: Method
    until: Moment | None = None  # a `moment`: unfinished batches raise `Stopped` then

    def stop(self) -> Stop | None:
        """The flag of a batch, in the worker."""
        return stop_at(self.until)

    def chunk(self, number: int) -> Items:
        """The positions of a batch."""
        size = CHUNK[self.method]
        return self.layer.items[number * size : (number + 1) * size]

    @property
    def chunks(self) -> int:
        """The number of batches."""
        return -(-len(self.layer.items) // CHUNK[self.method])


# -- the phase of one position -----------------------------------------------------------------------------------


def _by_fractions(work: Work, key: bytes, stop: Stop | None) -> Iterator[tuple[Position | Fall, Fraction]]:
    """Every result of the coming turn and phase, with its chance; results can be repeated."""
    position = work.course.position(key)
    for end, share in follow(position, work.course.plan(work.layer.phase + 1)).items():
        if isinstance(end, Fall) or end.is_won:
            yield end, share
        else:
            for result, chance in rules.solve(end, work.course.decide, stop).ends.items():
                yield result, share * chance


def _turns(work: Work, key: bytes) -> list[tuple[State, float]]:
    """The states after the coming turn, with their chances."""
    state, plan = work.course.state(key), work.course.plan(work.layer.phase + 1)
    if plan == NOBODY_ACTS:
        return [(state, 1.0)]
    ends = follow_state(work.course.kernel, work.course.board, state, plan)
    return [(end, float(share)) for end, share in ends]


# -- figures: a tally of the coming phase --------------------------------------------------------------------------


class Figures(TypedDict):
    """What a batch gives: its tally, with fractions as text, and the roundings in its weights."""

    tally: dict[str, str | float]
    roundings: int


def figures(work: Work, number: int) -> Figures:
    """The tally of a batch as JSON data, and the number of roundings in its weights."""
    tally, roundings = {"fractions": _exact_tally, "doubles": _rounded_tally, "quiet": _quiet_tally}[work.method](
        work, work.chunk(number)
    )
    return {"tally": to_data(tally), "roundings": roundings}


def _fold(total: Figures | None, part: Figures) -> Figures:
    if total is None:
        return part
    return {
        "tally": merged_data(total["tally"], part["tally"]),
        "roundings": max(total["roundings"], part["roundings"]),
    }


def _exact_tally(work: Work, items: Items) -> tuple[Tally, int]:
    tally: Tally = {}
    stop = work.stop()
    for key, weight in items:
        here: Tally = {}
        for end, share in _by_fractions(work, key, stop):
            add(here, key_of(end), share)
        for name, share in here.items():
            add(tally, name, weight * share)
    return tally, 0


def _rounded_tally(work: Work, items: Items) -> tuple[Tally, int]:
    engine, asked = work.course.kernel, work.course.asked
    tally: Tally = {}
    stop = work.stop()
    added = most = 0
    for key, weight in items:
        for state, share in _turns(work, key):
            part = float(weight) * share
            if state.result != kernel.OPEN:
                add(tally, key_of_over(state), part)
                continue
            most = max(most, int(engine.phase(state, *asked, stop=stop)["visits"]))
            outcomes = engine.outcomes(state, *asked, stop=stop)
            added += len(outcomes)
            for result, chance in outcomes:
                if result.result == kernel.OPEN:
                    add(tally, f"{OPEN}:{table_key(result)}", part * chance)
                    continue
                cause = only_cause(state, work.course)
                if cause is not None:
                    add(tally, f"{LOST}:{cause.name}", part * chance)
                    continue
                for cause, part_chance in cause_chances(state, work.course, stop).items():
                    add(tally, f"{LOST}:{cause.name}", part * part_chance)
    return tally, roundings_of_phase(most, added)


def _quiet_tally(work: Work, items: Items) -> tuple[Tally, int]:
    tally: Tally = {}
    stop = work.stop()
    for key, weight in items:
        check(stop)
        position = work.course.position(key)
        for end, share in follow(position, work.course.plan(work.layer.phase + 1)).items():
            is_over = isinstance(end, Fall) or end.is_won
            chance = Fraction(0) if is_over else rules.uprising_chance(cast("Position", end), work.course.decide, stop)
            add(tally, UPRISING, weight * share * chance)
    return tally, 0


def phase_figures(work: Work, runner: Runner) -> tuple[Tally, int]:
    """The tally of the phase that follows a layer, and the number of roundings in its weights (0: exact)."""
    stage = runner.stage(f"phase {work.layer.phase + 1} by {work.method}", figures, work, _fold)
    stage.run_to(work.chunks, runner.executor, runner.progress)
    if stage.total is None:  # all games are over
        return {}, 0
    roundings = stage.total["roundings"]
    if work.method == "doubles":
        roundings += work.layer.roundings + work.chunks
    return from_data(stage.total["tally"]), roundings


# -- gathering: the next layer -------------------------------------------------------------------------------------


def gathered(work: Work, number: int) -> tuple[list[tuple[bytes, Fraction | float]], int]:
    """The distinct open positions after the phase of a batch, with their chances, and the largest number of roundings."""
    items = work.chunk(number)
    if work.method == "doubles":
        return _gathered_states(work, items)
    found: dict[bytes, Fraction] = {}
    stop = work.stop()
    for key, weight in items:
        check(stop)
        for position, chance in _open_results(work, key, stop):
            image = bytes(work.course.state_of(position))
            found[image] = found.get(image, Fraction(0)) + weight * chance
    return list(found.items()), 0


def _gathered_states(work: Work, items: Items) -> tuple[list[tuple[bytes, Fraction | float]], int]:
    engine, asked = work.course.kernel, work.course.asked
    found: dict[State, float] = {}
    most = 0
    stop = work.stop()
    for key, weight in items:
        for state, share in _turns(work, key):
            if state.result != kernel.OPEN:
                continue
            part = float(weight) * share
            most = max(most, int(engine.phase(state, *asked, stop=stop)["visits"]))
            for result, chance in engine.outcomes(state, *asked, stop=stop):
                if result.result == kernel.OPEN:
                    found[result] = found.get(result, 0.0) + part * chance
    return [(bytes(state), weight) for state, weight in found.items()], roundings_of_phase(most, len(items))


def _open_results(work: Work, key: bytes, stop: Stop | None) -> Iterator[tuple[Position, Fraction]]:
    if work.method == "fractions":
        for end, share in _by_fractions(work, key, stop):
            if isinstance(end, Position) and not end.is_won:
                yield end, share
        return
    position = work.course.position(key)
    for end, share in follow(position, work.course.plan(work.layer.phase + 1)).items():
        if isinstance(end, Position) and not end.is_won:
            for result, chance in quiet.quiet_results(end, work.course.decide, stop).items():
                if isinstance(result, Position):
                    yield result, share * chance


def next_layer(work: Work, limit: int, runner: Runner) -> Layer | None:
    """The layer after the coming phase; None when it has more distinct positions than the limit."""
    found: dict[bytes, Any] = {}
    roundings = 0
    results = (SerialExecutor() if work.chunks == 1 else runner.executor).run(gathered, work, range(work.chunks))
    with closing(in_order(results, range(work.chunks))) as parts:
        for number, (items, worst) in parts:
            for key, weight in items:
                found[key] = found[key] + weight if key in found else weight
            roundings = max(roundings, worst)
            if len(found) > limit:
                return None
            if runner.progress is not None:
                runner.progress(f"positions after phase {work.layer.phase + 1}", number + 1, work.chunks)
    if work.method == "doubles":
        roundings += work.layer.roundings + work.chunks
    return Layer(work.layer.phase + 1, tuple(sorted(found.items())), roundings)
