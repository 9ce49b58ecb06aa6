"""The prospects of a plan: the ends of its turn by the reference rules, and the risk of the phase that follows.

The risk is exact if the time allows. With a deadline it is first computed as intervals from the kernel's marginals, which take
a fraction of the time for large phases; then each end gets a short time for its exact figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.phase.exact import marginal_figures
from tetrasolve.tetrarchia.phase.rounding import Known
from tetrasolve.tetrarchia.plan.replay import Ending, endings, risk_at
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

FIGURES = ("p_lost", "p_uprising", "p_new_army", "e_uprisings", "e_revolts")
A_MOMENT = 0.02  # seconds for the exact figures of one end, where there is a deadline


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
        return all(isinstance(self.known.get(name), Exact) for name in FIGURES)

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
        return {"exact": str(figure.value), "float": float(figure.value)}
    return {"interval": [float(figure.low), float(figure.high)], "float": float((figure.low + figure.high) / 2)}


def prospects(position: Position, plan: Plan, stop: Stop | None = None) -> Prospects:
    """The prospects of a plan, by the reference rules; `stop` ends the work on its figures, see `Prospects.known`.

    :raises IllegalActionError: when an action of the plan is illegal.
    """
    ends = tuple(endings(position, plan))
    known: Mapping[str, Known] = {}
    if stop is None:
        known = {
            name: Exact(sum((chance * _figure(name, end) for chance, end, _ in ends), Fraction(0))) for name in FIGURES
        }
    else:
        with suppress(Stopped):
            known = _in_time(ends, stop)
    won = sum((chance for chance, end, _ in ends if isinstance(end, Position) and end.is_won), Fraction(0))
    return Prospects(plan, ends, known, won)


def _figure(name: str, end: Position | Fall) -> Fraction:
    if isinstance(end, Fall):
        return Fraction({"p_lost": 1, "e_revolts": REVOLTS}.get(name, 0))
    return risk_at(name, end, 0)  # by the kernel: the reference rules would take seconds where a phase is large


def _in_time(ends: tuple[Ending, ...], stop: Stop) -> dict[str, Known]:
    rows = [(chance, _figures_of(end, stop)) for chance, end, _ in ends]
    return {name: _mean([(chance, row[name]) for chance, row in rows]) for name in FIGURES}


def _figures_of(end: Position | Fall, stop: Stop) -> Mapping[str, Known]:
    """The figures of one end: exact where that is fast, else from marginals."""
    if isinstance(end, Fall) or end.is_won:
        return {name: Exact(_figure(name, end)) for name in FIGURES}
    table = end.replace(phase=Phase.BARBARIAN, ip=0)
    kernel, state = fast.kernel_of(table), fast.to_state(table)
    found = marginal_figures(kernel, [state], stop)[0]
    with suppress(Stopped):
        moment = stop if stop.remaining is None else Stop(A_MOMENT, parent=stop)
        exact = kernel.phase_exact(state, stop=moment)
        found = {name: Exact(Fraction(*exact[name])) for name in FIGURES}
    lost, revolts = found["p_lost"], found["e_revolts"]
    at_large = {
        "e_revolts": _mean([(Fraction(1), revolts), (Fraction(REVOLTS), lost)])
    }  # a fall counts with all of them
    return {**found, **at_large}


def _mean(parts: list[tuple[Fraction, Known]]) -> Known:
    low = sum((share * figure.low for share, figure in parts), Fraction(0))
    high = sum((share * figure.high for share, figure in parts), Fraction(0))
    return Exact(low) if low == high else Interval(low, high)
