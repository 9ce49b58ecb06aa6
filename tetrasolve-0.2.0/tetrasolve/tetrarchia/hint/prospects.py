"""The prospects of a plan: the ends of its turn by the reference rules, and the risk of the phase that follows.

The risk is exact if the time allows. It is first computed as intervals, of the base game from the kernel's marginals, which take
a fraction of the time for large phases, with modules from the kernel's doubles; then come the exact figures, with a deadline for a
short time each. Both must agree. With Imperium or Barbaria the figures are those of a phase in which nobody uses a disc.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tetrasolve.exact.certainty import Exact, Interval, fraction_data
from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.action import Action
from tetrasolve.tetrarchia.phase.exact import FiguresDisagreeError, bounds_so_far, marginal_figures
from tetrasolve.tetrarchia.phase.rounding import Known
from tetrasolve.tetrarchia.pieces import POWER
from tetrasolve.tetrarchia.plan.replay import Ending, after_step, endings
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

FIGURES = ("p_lost", "p_uprising", "p_new_army", "e_uprisings", "e_revolts")
WIDEST = Fraction(1, 20)  # of an interval that is shown
A_MOMENT = 0.02  # seconds for the exact figures of one end where there is a deadline, at first


@dataclass(frozen=True, slots=True)
class Prospects:
    """A plan with all ends of its turn, and the risk of the coming phase.

    `known`: the five figures of a phase (`FIGURES`), means over the ends of the turn; a game that is won has no phase, an
    Empire that falls in the turn counts as lost, with all revolts on the board. They are exact, or intervals where the time
    ran out; figures about which nothing is known are left out. `figures` are the same as numbers, the middle for an interval.
    `p_won`: the chance to win in this turn.
    """

    plan: Plan
    ends: tuple[Ending, ...]
    known: Mapping[str, Known]
    p_won: Fraction

    @property
    def figures(self) -> dict[str, Fraction]:
        """The figures that are known, each as one number."""
        return {name: (figure.low + figure.high) / 2 for name, figure in self.known.items()}

    @property
    def is_exact(self) -> bool:
        """Whether all figures are."""
        return _is_exact(self.known)

    def ip(self) -> Fraction:
        """The mean of the IP spent."""
        return sum((chance * paid for chance, _, paid in self.ends), Fraction(0))

    def as_data(self) -> dict[str, Any]:
        """The figures as JSON data, see `figure_data`."""
        numbers = {**self.known, "p_won_now": Exact(self.p_won), "ip": Exact(self.ip())}
        return {name: figure_data(number) for name, number in numbers.items()}


def figure_data(figure: Known) -> dict[str, Any]:
    """A figure as JSON data: fraction and float if it is exact, else the ends of its interval and the middle."""
    if isinstance(figure, Exact):
        return fraction_data(figure.value)
    return {"interval": [float(figure.low), float(figure.high)], "float": float((figure.low + figure.high) / 2)}


def prospects(position: Position, plan: Plan, stop: Stop | None = None) -> Prospects:
    """The prospects of a plan, by the reference rules; `stop` ends the work on its figures, see `Prospects.known`.

    :raises IllegalActionError: when an action of the plan is illegal.
    """
    outlook = Outlook(position)
    outlook.learn([plan], stop)
    return outlook.of(plan)


@dataclass(frozen=True, slots=True)
class _After:
    """A position on the way of plans, the IP paid until then, and the positions after the next actions."""

    position: Position | Fall
    paid: int
    next: dict[Action, _After]


class Outlook:
    """The prospects of plans for one turn: each action and end is played once, and the figures of each end are computed once."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._revolts = position.ruleset.numbers["revolts"]  # a fall counts with all of them
        self._ends: dict[Plan, tuple[Ending, ...]] = {}
        self._start = _After(position, 0, {})
        self._figures: dict[Position, Mapping[str, Known]] = {}  # of the phase after each end that has one
        self.abilities: dict[Plan, Mapping[tuple[str, str, str], Fraction]] = {}  # see `decisive.can`
        self._moments: dict[Position, float] = {}  # seconds for exact figures that did not come in half of them

    def learn(self, plans: Iterable[Plan], stop: Stop | None) -> None:
        """Compute what is not known of these plans, the first of them first, until `stop` is set.

        :raises IllegalActionError: when an action of a plan is illegal.
        """
        positions = list(dict.fromkeys(position for plan in plans for position in _phases(self.ends(plan))))
        with suppress(Stopped):
            self._bound([position for position in positions if position not in self._figures], stop)
            for position in positions:
                if not _is_exact(self._figures[position]):
                    self._settle(position, stop)

    def ends(self, plan: Plan) -> tuple[Ending, ...]:
        """The ends of the turn under a plan.

        :raises IllegalActionError: when an action of the plan is illegal.
        """
        if plan not in self._ends:
            here = self._start
            for action in plan.steps:
                if action not in here.next:
                    here.next[action] = _After(*after_step(here.position, action, here.paid), {})
                here = here.next[action]
            self._ends[plan] = tuple(endings(here.position, Plan((), plan.fork), here.paid))
        return self._ends[plan]

    def of(self, plan: Plan) -> Prospects:
        """The prospects of a plan, with the figures that are known."""
        ends = self.ends(plan)
        won = sum((chance for chance, end, _ in ends if isinstance(end, Position) and end.is_won), Fraction(0))
        known: Mapping[str, Known] = {}
        if all(position in self._figures for position in _phases(ends)):
            rows = [(chance, self._at(end)) for chance, end, _ in ends]
            named = [name for name in FIGURES if all(name in row for _, row in rows)]
            known = {name: _mean([(chance, row[name]) for chance, row in rows]) for name in named}
        return Prospects(plan, ends, known, won)

    def _bound(self, positions: Sequence[Position], stop: Stop | None) -> None:
        """Intervals for all of these together: what their phases have in common is worked out once."""
        if not positions:
            return
        if fast.engine_for(positions[0].ruleset) is not kernel or any(position.rebels for position in positions):
            for position in positions:
                self._figures[position] = _doubles(position, stop)
            return
        rules, states = fast.kernel_of(positions[0]), [fast.to_state(position) for position in positions]
        try:
            found = marginal_figures(rules, states, stop)
        except Stopped as stopped:
            self._figures.update(zip(positions, stopped.partial, strict=False))
            raise
        self._figures.update(zip(positions, found, strict=True))

    def _settle(self, position: Position, stop: Stop | None) -> None:
        """The exact figures of the phase of one position; where there is a deadline, if they come in a moment.

        Each further moment is twice as long: a busy machine gets there too.
        """
        moment = stop
        if stop is not None and stop.remaining is not None:
            moment = Stop(self._moments.get(position, A_MOMENT), parent=stop)
        try:
            found = fast.kernel_of(position).phase_exact(fast.to_state(position), stop=moment)
        except Stopped:
            check(stop)
            self._moments[position] = 2 * self._moments.get(position, A_MOMENT)
            return
        exact = {name: Exact(Fraction(*found[name])) for name in FIGURES}
        for name, bounds in self._figures[position].items():
            if name in exact and not bounds.low <= exact[name].value <= bounds.high:
                raise FiguresDisagreeError(
                    f"{name} of '{position}': {float(exact[name].value)} in fractions, and between {float(bounds.low)} and "
                    f"{float(bounds.high)} by marginals; please report this"
                )
        self._figures[position] = exact

    def _at(self, end: Position | Fall) -> Mapping[str, Known]:
        if isinstance(end, Fall):
            return {name: Exact(Fraction({"p_lost": 1, "e_revolts": self._revolts}.get(name, 0))) for name in FIGURES}
        if end.is_won:
            return {name: Exact(Fraction(0)) for name in FIGURES}
        found = self._figures[before_phase(end)]
        if "e_revolts" not in found or "p_lost" not in found:
            return found
        revolts = _mean([(Fraction(1), found["e_revolts"]), (Fraction(self._revolts), found["p_lost"])])
        return {**found, "e_revolts": revolts}  # a fall counts with all of them


def before_phase(end: Position) -> Position:
    """The position of a turn that ends here, before the Barbarian phase."""
    return end.replace(phase=Phase.BARBARIAN, ip=0).without_piece(POWER)


def _doubles(position: Position, stop: Stop | None) -> Mapping[str, Known]:
    """Figures of a phase with modules from the kernel's doubles, where they are known closely.

    :raises Stopped: when `stop` was set before.
    """
    check(stop)
    try:
        found = {**fast.kernel_of(position).phase(fast.to_state(position), stop=stop), "mass": 1.0}
    except Stopped as stopped:
        found = stopped.partial or {}
    bounds = bounds_so_far(found, len(position.board.ids))
    return {name: figure for name, figure in bounds.items() if figure.high - figure.low < WIDEST}


def _phases(ends: Iterable[Ending]) -> Iterator[Position]:
    """The positions of these ends that a phase follows, at its start."""
    return (before_phase(end) for _, end, _ in ends if isinstance(end, Position) and not end.is_won)


def _is_exact(figures: Mapping[str, Known]) -> bool:
    return all(isinstance(figures.get(name), Exact) for name in FIGURES)


def _mean(parts: list[tuple[Fraction, Known]]) -> Known:
    low = sum((share * figure.low for share, figure in parts), Fraction(0))
    high = sum((share * figure.high for share, figure in parts), Fraction(0))
    return Exact(low) if low == high else Interval(low, high)
