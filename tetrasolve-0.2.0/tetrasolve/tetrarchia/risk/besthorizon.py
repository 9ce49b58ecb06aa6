"""Several Barbarian phases under best play: the chance that the Empire falls in one of them, where all decide for that.

It is one game of all phases: what a disc is worth in the first one is what it can still do in the others, gray discs come back
when the rules say so, and after the last phase they are worth nothing. Between the phases nobody acts, or plans are followed as
in `tetrasolve.tetrarchia.risk.horizon`. Each number of phases is a game of its own, whose value is that under its best play.

The reference rules solve each phase with the values of what follows it, the kernel the last one, in an interval around its rounding
errors. Where a phase is too large for the reference rules, the value lies between that of fewer phases and 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, cast

from rich.table import Table

from tetrasolve.errors import ObjectiveError
from tetrasolve.exact.certainty import Exact, Interval, Unknown
from tetrasolve.exact.contest import TooManyStatesError
from tetrasolve.exact.deadline import check, public_question, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tables import as_text, titled
from tetrasolve.tetrarchia import whole
from tetrasolve.tetrarchia.phase.rounding import BEST_PLAY_ROUNDING, Known
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.best import Wanted, read_wanted, require_choices
from tetrasolve.tetrarchia.risk.course import Course, Plans
from tetrasolve.tetrarchia.risk.follow import follow
from tetrasolve.tetrarchia.risk.horizon import course_of
from tetrasolve.tetrarchia.rules import Fall, begin
from tetrasolve.tetrarchia.rules.optimum import Aim, best_from

MOST_STATES = 8_000  # rolls, choices and results of a phase that the reference rules solve in a second or two
EXACT_STATES = 2_000  # the same of a single phase, whose value the kernel has, too
MOST_KNOWN = 100_000  # positions whose values are kept
MOST_PHASES = 20
ZERO, ONE = Fraction(0), Fraction(1)

Bounds: TypeAlias = "tuple[Fraction, Fraction]"


@dataclass(frozen=True, slots=True)
class BestHorizon:
    """The chance of a fall in the first 1, 2, ... phases from `position`, each under the best play of its game.

    `notes` say why a value is an interval or unknown; `status` is ``interrupted`` where the time ran out, else ``unknown`` where
    nothing is known of the last phase, else ``complete``.
    """

    position: Position
    wanted: Wanted
    plans: tuple[Plan, ...]
    phases: tuple[Known | Unknown, ...]
    notes: tuple[str, ...]
    status: Literal["complete", "interrupted", "unknown"]

    def as_data(self) -> dict[str, Any]:
        """The values as JSON data."""
        return {
            "position": str(self.position),
            "plans": [str(plan) for plan in self.plans],
            "status": self.status,
            "policy": "best",
            "objective": str(self.wanted),
            "notes": list(self.notes),
            "phases": [
                {"phase": number, "lost_so_far": value.as_data()} for number, value in enumerate(self.phases, start=1)
            ],
        }

    def tables(self) -> Iterator[Table]:
        """The values as a table."""
        table = titled(f"Lost so far, under best play for {self.wanted} in so many phases")
        for number, value in enumerate(self.phases, start=1):
            table.add_row(f"after phase {number}", value.kind, str(value))
        yield table

    def __str__(self) -> str:
        return "\n".join([as_text(self.tables()).rstrip("\n"), *self.notes])


@public_question
def best_horizon(
    position: Position,
    phases: int,
    *,
    objective: str = "p_lost",
    plans: Plans = (),
    most_states: int = MOST_STATES,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> BestHorizon:
    """The chance that the Empire falls in one of `phases` successive Barbarian phases, where all decide as well as possible.

    `objective` is ``p_lost``, each for himself, or ``most p_lost`` or ``least p_lost``, where all want the same. The turn before
    each phase follows its plan, or has no actions. A phase with more than `most_states` rolls, choices and results is too large.
    After `seconds`, or when `cancel` is set, what is not known yet lies between the value of fewer phases and 1.

    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    :raises RulesetError: when the rules in use leave nothing to decide.
    :raises ObjectiveError: for another objective.
    :raises ValueError: when a number is out of range.
    """
    stop = stop_of(seconds, cancel)
    if not 1 <= phases <= MOST_PHASES:
        raise ValueError(f"phases {phases}: expected 1 to {MOST_PHASES} under best play")
    course = course_of(position, plans, phases)
    require_choices(position)
    wanted = read_wanted(objective, position.board)
    if wanted.what != "p_lost":
        raise ObjectiveError(f"'{wanted}': over several phases expected p_lost, 'most p_lost' or 'least p_lost'")
    game = _Game(course, wanted, most_states, stop)
    found: list[Known | Unknown] = []
    notes: list[str] = []
    status: Literal["complete", "interrupted", "unknown"] = "complete"
    low = ZERO
    for last in range(1, phases + 1):
        high = ONE
        if status == "complete":
            try:
                below, high = game.turn(1, position, last)
                low = max(low, below)
            except Stopped:
                status = "interrupted"
                notes.append(f"phase {last}: the time ran out; a chance of a fall does not get less with more phases")
        found.append(_known(low, high, "the time ran out" if status == "interrupted" else "too many decisions"))
    if game.too_large:
        notes.append(
            "some phases have too many decisions for the reference rules; stated policies (--decide eager) have a figure there"
        )
    if status == "complete" and isinstance(found[-1], Unknown):
        status = "unknown"
    return BestHorizon(position, wanted, course.plans, tuple(found), tuple(notes), status)


def _known(low: Fraction, high: Fraction, why: str) -> Known | Unknown:
    """A chance between these bounds."""
    if (low, high) == (ZERO, ONE):
        return Unknown(why)
    return Exact(low) if low == high else Interval(low, high)


class _Game:
    """The values of positions before the turns of a horizon."""

    def __init__(self, course: Course, wanted: Wanted, most_states: int, stop: Stop | None) -> None:
        self.course, self.wanted, self.most_states, self.stop = course, wanted, most_states, stop
        self.too_large = False
        self._known: dict[tuple[int, int, Position], Bounds] = {}

    def turn(self, number: int, position: Position, last: int) -> Bounds:
        """Bounds of the value at the beginning of a turn, with phases up to number `last`."""
        key = (number, last, position)
        if key not in self._known:
            check(self.stop)
            low = high = ZERO
            for end, chance in follow(position, self.course.plan(number)).items():
                below, above = self.phase(number, end, last)
                low, high = low + chance * below, high + chance * above
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = low, high
        return self._known[key]

    def phase(self, number: int, end: Position | Fall, last: int) -> Bounds:
        """Bounds of the value before a phase."""
        if isinstance(end, Fall):
            return ONE, ONE
        if end.is_won:
            return ZERO, ZERO
        if number == last and (number > 1 or end.gray or end.black):  # one of many, or as a rule too large
            return self.by_kernel(end)
        try:
            return self.solved(number, end, last)
        except TooManyStatesError:
            self.too_large = self.too_large or number < last
            low, high = self.by_kernel(end)
            return low, high if number == last else ONE

    def solved(self, number: int, end: Position, last: int) -> Bounds:
        """The value of a phase from the lower bounds of what follows it; no value moves by more than they do.

        :raises TooManyStatesError: when it is too large.
        """
        widest = ZERO

        def worth(result: Position | Fall) -> Fraction:
            nonlocal widest
            if isinstance(result, Fall):
                return ONE
            if number == last:
                return ZERO
            low, high = self.turn(number + 1, result, last)
            widest = max(widest, high - low)
            return low

        aim = Aim("worth", self.wanted.barbarian_most, self.wanted.rome_most, worth=worth)
        most = min(self.most_states, EXACT_STATES) if number == last else self.most_states
        low = best_from(begin(end), aim, most_states=most, stop=self.stop).value
        return low, min(ONE, low + widest)

    def by_kernel(self, end: Position) -> Bounds:
        """The value of a last phase by the kernel, up to rounding."""
        found = whole.best_phase(
            cast(whole.Kernel, self.course.kernel),  # choices are in it only
            cast(whole.State, self.course.state_of(end)),
            "p_lost",
            1 if self.wanted.barbarian_most else -1,
            1 if self.wanted.rome_most else -1,
            stop=self.stop,
        )
        value, error = Fraction(found["value"]), Fraction(BEST_PLAY_ROUNDING)
        return max(ZERO, value - error), min(ONE, value + error)
