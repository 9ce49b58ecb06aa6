"""The risk of one Barbarian phase: its exact figures, and the chance of each new revolt.

The kernel computes every figure as a fraction, and again in doubles by a separate sweep. Where a phase is small enough, the
reference rules solve it too, and their fractions must be the same. A difference is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Literal, TypeAlias

from tetrasolve.errors import OutOfTimeError, TetrasolveError
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.deadline import public_question, share, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tables import as_html, as_text
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.kernel import Kernel, State, expect_values, figures_many
from tetrasolve.tetrarchia.phase.events import members_in
from tetrasolve.tetrarchia.phase.rounding import Known, capped, known, roundings_of_phase
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Figures, SolvedPhase
from tetrasolve.tetrarchia.status import require_kernel

REFERENCE_VISITS = 4_000  # states of a phase up to which the reference rules take about a second
# The largest difference of the kernel's two sweeps: far below the bound on rounding, far above what is observed
WITH_CHOICES = frozenset({"imperium", "barbaria"})  # the kernel that plays them takes the number of a policy
TOLERANCE = Fraction(1, 2**52)  # times the visits and SLACK
SLACK = 1_000
SHARE_OF_REVOLTS = 0.3  # of the time that is left after the marginal figures, at most

RiskStatus: TypeAlias = Literal["complete", "interrupted"]

NAMES = tuple(field.name for field in fields(Figures))


class FiguresDisagreeError(TetrasolveError):
    """Two engines give different numbers for a figure: a bug of tetrasolve."""


@dataclass(frozen=True, slots=True)
class Risk:
    """The risk of the coming Barbarian phase of `position`, with the `methods` that agree on it.

    `values` are the figures by name, each exact, or in an interval where the time ran out before it was exact; only those
    without a known bound are left out then. `revolts` is the chance, in [0, 1], that the Empire stands after the phase and a
    revolt lies in a province where none lay: exact, or in an interval where the reference rules would take long; provinces
    where it is impossible are left out. `policy` is the one that all of it is for, None where the rules in use leave nothing to
    decide in that phase. `status` is ``complete``, or ``interrupted`` where more time would have given more; then a province that
    `revolts` leaves out may be one that is not known yet.
    """

    position: Position
    values: Mapping[str, Known]
    revolts: Mapping[str, Known]
    methods: tuple[str, ...]
    policy: str | None = None
    status: RiskStatus = "complete"

    @property
    def kind(self) -> str:
        """``exact`` if all figures are exact, else ``interval``."""
        return "exact" if self._is_exact() else "interval"

    @property
    def figures(self) -> Figures:
        """The exact figures.

        :raises OutOfTimeError: when the time ran out before all of them were exact; `values` has what is known.
        """
        exact = {name: value.value for name, value in self.values.items() if isinstance(value, Exact)}
        if not self._is_exact():
            raise OutOfTimeError(f"the figures of '{self.position}': the time ran out before they were exact")
        return Figures(**exact | {"outcomes": int(exact["outcomes"])})  # type: ignore[arg-type]  # one of them is whole

    def new_revolts(self) -> dict[str, Known]:
        """`revolts`, the likeliest first."""
        order = self.position.board.order
        return dict(sorted(self.revolts.items(), key=lambda item: (-item[1].low, order[item[0]])))

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.phase.text import risk_tables

        return as_text(risk_tables(self))

    def _repr_svg_(self) -> str:
        from tetrasolve.tetrarchia.phase.text import risk_svg

        return risk_svg(self)

    def _repr_html_(self) -> str:
        return as_html(str(self), self._repr_svg_())

    def _is_exact(self) -> bool:
        return all(isinstance(self.values.get(name), Exact) for name in NAMES)


@public_question
def risk(
    position: Position,
    *,
    reference_visits: int = REFERENCE_VISITS,
    policy: str = "decline",
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Risk:
    """The exact risk of the Barbarian phase that follows if the active Emperor ends his turn now.

    The reference rules take part where the phase can go at most `reference_visits` ways. `policy`, one of
    `rules.POLICIES`, answers the choices of the phase where the rules in use have some. After `seconds`, or when `cancel` is set,
    what is known until then comes back as ``interrupted``: intervals from marginals, which take a fraction of the time, or, with
    modules, from the outcomes found so far and the chance of all others.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> risk(example("movement")).figures.p_uprising
    Fraction(1, 6)

    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    :raises ValueError: when `seconds` is below 0.
    """
    require_kernel(position, house=True)
    rules.begin(position)  # raises the error of the rules when no phase can follow
    return _Question(position, policy, reference_visits, stop_of(seconds, cancel)).answer()


class _Question:
    """The phase of a position, with the values computed so far."""

    def __init__(self, position: Position, policy: str, reference_visits: int, stop: Stop | None) -> None:
        self.position, self.policy, self.reference_visits, self.stop = position, policy, reference_visits, stop
        self.kernel, self.state = fast.kernel_of(position), fast.to_state(position)
        self.known_as = policy if WITH_CHOICES & position.ruleset.extensions else None
        self.asked = (list(rules.POLICIES).index(policy),) if self.known_as else ()
        self.values: Mapping[str, Known] = {}
        self.revolts: Mapping[str, Known] = {}
        self.methods: tuple[str, ...] = ()

    def answer(self) -> Risk:
        """The risk, complete or as far as the time allowed."""
        status: RiskStatus = "complete"
        try:
            if self.stop is not None and not _has_modules(self.position):
                self._by_marginals(self.stop)
            self._exactly()
        except Stopped:
            status = "interrupted"
            self.values = self.values or bounds_so_far(None, len(self.position.board.ids))
        return Risk(self.position, self.values, self.revolts, self.methods, self.known_as, status)

    def _by_marginals(self, stop: Stop) -> None:
        """The figures as intervals from the kernel's marginals, which do not enumerate the outcomes of the phase."""
        self.values = marginal_figures(self.kernel, [self.state], stop)[0]
        self.methods = ("marginals",)
        self.revolts = marginal_revolts(self.position, self.kernel, self.state, share(stop, SHARE_OF_REVOLTS))

    def _exactly(self) -> None:
        try:
            figures = _exact_figures(self.kernel, self.state, self.asked, self.stop)
        except Stopped as stopped:
            if not self.values:
                self.values = bounds_so_far(stopped.partial, len(self.position.board.ids))
                self.methods = ("kernel",)
            raise
        self.values = {name: Exact(Fraction(getattr(figures, name))) for name in NAMES}
        self.methods = ("kernel",)
        doubles = self.kernel.phase(self.state, *self.asked, stop=self.stop)
        visits = int(doubles["visits"])
        for name in NAMES:
            exact, quick = Fraction(getattr(figures, name)), Fraction(doubles[name])
            if abs(exact - quick) > (visits + SLACK) * TOLERANCE * max(exact, Fraction(1)):
                numbers = f"{float(exact)} in fractions and {float(quick)} in doubles by the kernel"
                raise _disagree(name, self.position, numbers)
        if visits > self.reference_visits or self.stop is not None:
            self.revolts = _rounded_revolts(self.position, self.kernel, self.state, visits, self.asked, self.stop)
        if visits <= self.reference_visits:
            self._by_reference(figures)

    def _by_reference(self, figures: Figures) -> None:
        solved = rules.solve(self.position, rules.POLICIES[self.policy], self.stop)
        reference = solved.figures()
        for name in NAMES:
            if getattr(reference, name) != getattr(figures, name):
                by_rules, by_kernel = getattr(reference, name), getattr(figures, name)
                numbers = f"{by_rules} by the reference rules and {by_kernel} by the kernel"
                raise _disagree(name, self.position, numbers)
        self.revolts, self.methods = _exact_revolts(self.position, solved), ("kernel", "reference")


def bounds_so_far(found: Mapping[str, float] | None, most_revolts: int) -> dict[str, Known]:
    """Figures of a phase of which not every outcome was looked at: what was found, and up to what the others may add.

    :param found: `Stopped.partial` of `Kernel.phase`: sums over the outcomes found, and their chance, the mass; None for nothing.
    :param most_revolts: on one position. The number of uprisings and that of outcomes have no such bound, and are left out.
    """
    found = found or {}
    visits = int(found.get("visits", 0))
    roundings = roundings_of_phase(visits, visits)  # there are no more outcomes than visits
    missing = 1 - min(known(found.get("mass", 0.0), roundings).low, Fraction(1))
    most = {name: 1 for name in NAMES if name.startswith("p_")} | {"e_revolts": most_revolts}
    values: dict[str, Known] = {}
    for name, each in most.items():
        part = known(found.get(name, 0.0), roundings)
        values[name] = Interval(min(part.low, Fraction(each)), min(part.high + each * missing, Fraction(each)))
    return values


def _has_modules(position: Position) -> bool:
    return bool(position.ruleset.extensions or position.ruleset.house or position.rebels)


def marginal_figures(kernel: Kernel, states: Sequence[State], stop: Stop | None = None) -> list[dict[str, Known]]:
    """The figures of states of the base game except `outcomes`, in proved intervals.

    :raises Stopped: when `stop` is set before all are known; its `partial` are the figures of the first states.
    """
    try:
        return _figures_in(figures_many(kernel, states, stop=stop))
    except Stopped as stopped:
        stopped.partial = _figures_in(stopped.partial or [])
        raise


def _figures_in(found: Sequence[Mapping[str, tuple[float, float]]]) -> list[dict[str, Known]]:
    """Intervals from values and the bounds on their errors."""
    return [{name: _capped(name, _between(value, error)) for name, (value, error) in row.items()} for row in found]


def _capped(name: str, figure: Known) -> Known:
    return capped(figure) if name.startswith("p_") else figure


def marginal_revolts(position: Position, kernel: Kernel, state: State, stop: Stop | None) -> dict[str, Known]:
    """The chance of a new revolt in each province, as far as the time goes."""
    order = position.board.order
    found: dict[str, Known] = {}
    for province in position.board.ids:
        if province in position.revolts:
            continue
        revolt = [int(row == order[province]) for row in range(len(order))]
        nothing = [0] * len(order)
        weights = (revolt, nothing, [nothing] * 4, nothing, [nothing] * 4, 0, 0, 0)
        try:
            chance = capped(_between(*expect_values(kernel, [state], weights, stop=stop)[0]))
        except Stopped:
            break
        if chance.high:
            found[province] = chance
    return found


def _between(value: float, error: float) -> Known:
    if not value and not error:
        return Exact(Fraction(0))
    low, high = Fraction(value) - Fraction(error), Fraction(value) + Fraction(error)
    return Interval(max(low, Fraction(0)), high)


def _disagree(name: str, position: Position, numbers: str) -> FiguresDisagreeError:
    return FiguresDisagreeError(f"{name} of '{position}': {numbers}; please report this")


def _exact_figures(kernel: Kernel, state: State, asked: tuple[int, ...], stop: Stop | None) -> Figures:
    found = kernel.phase_exact(state, *asked, stop=stop)
    names = (name for name in NAMES if name != "outcomes")
    return Figures(**{name: Fraction(*found[name]) for name in names}, outcomes=found["outcomes"])


def _exact_revolts(position: Position, solved: SolvedPhase) -> dict[str, Known]:
    chances = members_in(solved, lambda after: after.revolts - position.revolts)
    return {province: Exact(chance) for province, chance in chances.items()}


def _rounded_revolts(
    position: Position, kernel: Kernel, state: State, visits: int, asked: tuple[int, ...], stop: Stop | None
) -> dict[str, Known]:
    """From the kernel's doubles, each a sum of outcomes."""
    turned = kernel.events(state, *asked, stop=stop)["turned"]
    roundings = roundings_of_phase(visits, visits)  # there are no more outcomes than visits
    return {
        province: capped(known(chance, roundings))
        for province, chance in zip(position.board.ids, turned, strict=True)
        if chance > 0
    }
