"""One Barbarian phase: its exact figures, on two roads where that takes moments, and the chance of each new revolt.

The kernel gives every figure as a fraction, and once more in doubles by a sweep of its own. Where a phase is small enough,
the reference rules solve it too, and their fractions must be the same. A difference is an error, not an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction

from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.certainty import Exact
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.kernel import Kernel, State
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.events import members_in
from tetrasolve.tetrarchia.risk.rounding import Known, capped, known, roundings_of_phase
from tetrasolve.tetrarchia.rules import Figures, SolvedPhase
from tetrasolve.tetrarchia.status import require_legal

REFERENCE_VISITS = 4_000  # ways a phase can go, up to which the reference rules take about a second
# What the kernel's two sweeps may differ by: far less than the bound on rounding, far more than has been seen
WITH_CHOICES = frozenset({"imperium", "barbaria"})  # the kernel that plays them takes the number of a policy
TOLERANCE = Fraction(1, 2**52)  # times the visits and SLACK
SLACK = 1_000


class FiguresDisagreeError(TetrasolveError):
    """Two roads to a figure give different numbers: a bug of tetrasolve, never of its user."""


@dataclass(frozen=True, slots=True)
class Risk:
    """What the coming Barbarian phase can do to `position`: exact `figures`, with the `roads` that agree on them.

    `revolts` is the chance, in [0, 1], that the Empire stands after it and a revolt lies in a province where none lay:
    exact, or in an interval where the reference rules would take long; provinces where it is impossible are left out.
    `policy` is the one that all of it is for, None where the rules in use leave nothing to decide in that phase.
    """

    position: Position
    figures: Figures
    revolts: Mapping[str, Known]
    roads: tuple[str, ...]
    kind: str = "exact"
    policy: str | None = None

    def new_revolts(self) -> dict[str, Known]:
        """`revolts`, the likeliest first."""
        order = self.position.board.order
        return dict(sorted(self.revolts.items(), key=lambda item: (-item[1].low, order[item[0]])))


def risk(position: Position, *, reference_visits: int = REFERENCE_VISITS, policy: str = "decline") -> Risk:
    """The exact risk of the Barbarian phase that would follow if the active Emperor stopped now.

    The reference rules take part where the phase can go at most `reference_visits` ways. `policy`, one of
    `rules.POLICIES`, answers the choices of the phase where the rules in use have some.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> risk(example("movement")).figures.p_uprising
    Fraction(1, 6)

    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    """
    require_legal(position)
    rules.begin(position)  # says in the words of the rules when no phase can follow
    kernel, state, number = fast.kernel_of(position), fast.to_state(position), list(rules.POLICIES).index(policy)
    known_as = policy if WITH_CHOICES & position.ruleset.extensions else None
    asked = (number,) if known_as else ()
    figures = _exact_figures(kernel, state, asked)
    doubles = kernel.phase(state, *asked)
    visits = int(doubles["visits"])
    for name in (field.name for field in fields(Figures)):
        exact, quick = Fraction(getattr(figures, name)), Fraction(doubles[name])
        if abs(exact - quick) > (visits + SLACK) * TOLERANCE * max(exact, Fraction(1)):
            raise _disagree(name, position, f"{float(exact)} in fractions and {float(quick)} in doubles by the kernel")
    if visits > reference_visits:
        revolts = _rounded_revolts(position, kernel, state, visits, asked)
        return Risk(position, figures, revolts, ("kernel",), policy=known_as)
    solved = rules.solve(position, rules.POLICIES[policy])
    reference = solved.figures()
    for name in (field.name for field in fields(Figures)):
        if getattr(reference, name) != getattr(figures, name):
            by_rules, by_kernel = getattr(reference, name), getattr(figures, name)
            raise _disagree(name, position, f"{by_rules} by the reference rules and {by_kernel} by the kernel")
    return Risk(position, figures, _exact_revolts(position, solved), ("kernel", "reference"), policy=known_as)


def _disagree(name: str, position: Position, numbers: str) -> FiguresDisagreeError:
    return FiguresDisagreeError(f"{name} of '{position}': {numbers}; please report this")


def _exact_figures(kernel: Kernel, state: State, asked: tuple[int, ...]) -> Figures:
    found = kernel.phase_exact(state, *asked)
    names = (field.name for field in fields(Figures) if field.name != "outcomes")
    return Figures(**{name: Fraction(*found[name]) for name in names}, outcomes=found["outcomes"])


def _exact_revolts(position: Position, solved: SolvedPhase) -> dict[str, Known]:
    chances = members_in(solved, lambda after: after.revolts - position.revolts)
    return {province: Exact(chance) for province, chance in chances.items()}


def _rounded_revolts(
    position: Position, kernel: Kernel, state: State, visits: int, asked: tuple[int, ...]
) -> dict[str, Known]:
    """From the kernel's doubles, each a sum of outcomes."""
    turned = kernel.events(state, *asked)["turned"]
    roundings = roundings_of_phase(visits, visits)  # there are no more outcomes than visits
    return {
        province: capped(known(chance, roundings))
        for province, chance in zip(position.board.ids, turned, strict=True)
        if chance > 0
    }
