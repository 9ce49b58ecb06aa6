"""The best turn by the expected value after the Barbarian phase that follows it.

The value of a position is an `Evaluation`. All policies are covered, and every outcome of every phase counts with its exact
chance. Ends that are the same for the Barbarians are computed once. The search adds up doubles with a proved bound on their
error, so a value is an interval; `exact` computes it, and all nearly equal values, in fractions.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.deadline import answering, public_question, share, stop_of
from tetrasolve.release import version
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.kernel import ATTACK, Expectimax, Kernel, State, Turn, expect_exact, expect_plain
from tetrasolve.tetrarchia.plan.amount import Amount, Value
from tetrasolve.tetrarchia.plan.answer import DisagreementError, Status
from tetrasolve.tetrarchia.plan.codes import plan_of
from tetrasolve.tetrarchia.plan.evaluation import Evaluation, read_evaluation
from tetrasolve.tetrarchia.plan.graph import turn_of
from tetrasolve.tetrarchia.plan.policies import PROGRESS_EVERY, Policies, Watch, one_sided, scene
from tetrasolve.tetrarchia.plan.prospect import WORTH, Prospect, Prospects
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.task import require_turn
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import PlanTree, Weights  # names of the stub only

Known: TypeAlias = "Exact | Interval"

SHARE_FOR_PHASES = 0.6  # of the time, with modules; the rest is for the best plan by what is known


@dataclass(frozen=True)
class ExpectResult:
    """The best turn plan under an evaluation of the coming phase, and its status.

    `value`: the value of the best plan, an interval or exact; the plan is at most `within` worse, and if that is 0 the status
    is `optimal_proved`, otherwise `feasible`. `ends` counts the turn states in which the turn can end, `scenes` those of them
    that differ for the Barbarians, `walks` the chains of uprisings computed for them, `positions` the positions of all chains;
    `nodes` and `edges` are those of the turn. With modules, variants or rebels `walks` counts phases, `positions` their rolls.
    """

    position: Position
    evaluation: Evaluation
    status: Status
    plan: Plan
    value: Known
    within: Fraction
    ends: int
    scenes: int
    walks: int
    positions: int
    nodes: int
    edges: int
    seconds: float
    engine: str = "expectimax"
    version: str = field(default_factory=version)


@public_question
def best_turn(
    position: Position,
    evaluation: Evaluation | str,
    *,
    exact: bool = False,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> ExpectResult:
    """The best policy for the rest of the active Emperor's turn, over all outcomes of the Barbarian phase after it.

    Where players decide in the phase (Barbaria, Imperium) the Barbarian player aims at the least, the Emperors at the most: the
    plan is one against the worst Barbarian.

    `exact`: every end that may be among the best is evaluated in fractions, which can take long for large phases. If `seconds`
    are over, or `cancel` is set, before that, or before the result was verified, the plan is `feasible`.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> found = best_turn(example("movement"), "revolt=-3 unrest=-1 garrison=1 fallen=-100", exact=True)
    >>> found.status, found.value.kind
    (<Status.OPTIMAL_PROVED: 'optimal_proved'>, 'exact')

    :raises ObjectiveError: when the evaluation cannot be read.
    :raises IllegalPositionError: when the position cannot occur, or no turn is left to be planned in it.
    :raises OutOfTimeError: when the time ran out before there was a plan.
    """
    stop = stop_of(seconds, cancel)
    board = position.board
    if isinstance(evaluation, str):
        evaluation = read_evaluation(evaluation, board)
    require_turn(position)
    if position.rules_in_use:
        return _with_modules(position, evaluation, stop, exact=exact)
    started = time.perf_counter()
    weights = evaluation.tables(board)
    kernel = fast.kernel_for(board, position.ruleset)
    with answering(f"the best turn of '{position}'"):
        turn = Turn(kernel, fast.to_state(position), stop=stop)
        search = Expectimax(turn, weights, stop=stop)
    value: Known = _around(search.value, search.error)
    within = value.high - value.low
    tree = search.plan()
    is_checked = False
    try:
        contenders = search.contenders(stop=stop)
        if exact:
            settled = _Settled(kernel, weights, search, contenders, stop)
            value, within, tree = Exact(settled.value), Fraction(0), settled.plan()
        elif all(ends + len(options) == 1 for _, ends, options in contenders):
            within = Fraction(0)  # no other policy is nearly as good
        _check(position, evaluation, plan_of(tree, board), value, within, stop)
        is_checked = True
    except Stopped:
        pass  # the plan by doubles, not verified
    plan = plan_of(tree, board)
    return ExpectResult(
        position=position,
        evaluation=evaluation,
        status=Status.OPTIMAL_PROVED if is_checked and not within else Status.FEASIBLE,
        plan=plan,
        value=value,
        within=within,
        ends=search.end_nodes,
        scenes=search.scenes,
        walks=search.walks,
        positions=search.positions,
        nodes=turn.nodes,
        edges=turn.edges,
        seconds=time.perf_counter() - started,
    )


def _around(value: float, error: float) -> Interval:
    return Interval(Fraction(value) - Fraction(error), Fraction(value) + Fraction(error))


# -- with modules, variants and rebels ---------------------------------------------------------------------------


def _with_modules(position: Position, evaluation: Evaluation, stop: Stop | None, *, exact: bool) -> ExpectResult:
    """The best policy by the intervals of all ends or, with `exact`, their fractions; then by the IP left.

    :raises OutOfTimeError: when the time ran out before there was a plan.
    """
    started = time.perf_counter()
    first, whole = Watch(share(stop, SHARE_FOR_PHASES)), Watch(stop)
    prospects = Prospects(position, Prospect(WORTH, rome_most=True, evaluation=evaluation), first)
    found = None
    with answering(f"the best turn of '{position}'"):
        turn = turn_of(position, None, stop)
        try:
            rows = _rows(turn, prospects, first)
            found = _by_fractions(prospects, turn, rows, first) if exact else None
        except Stopped:
            prospects.closed = True
        rows = _rows(turn, prospects, whole)
        plan, value = found or _by_intervals(prospects, turn, rows, whole)
    return ExpectResult(
        position=position,
        evaluation=evaluation,
        status=Status.FEASIBLE if found is None else Status.OPTIMAL_PROVED,
        plan=plan,
        value=value,
        within=value.high - value.low,
        ends=sum(row is not None for row in rows),
        scenes=len(prospects.known),
        walks=prospects.phases,
        positions=prospects.rolls,
        nodes=turn.nodes,
        edges=turn.edges,
        seconds=time.perf_counter() - started,
    )


def _rows(turn: Turn, prospects: Prospects, watch: Watch) -> list[Value | None]:
    """The value of ending at each node, and the IP left there.

    :raises Stopped: when the deadline has passed.
    """
    rows: list[Value | None] = []
    for node in range(turn.nodes):
        if node % PROGRESS_EVERY == 0:
            watch.look()
        state = turn.state(node)
        rows.append((prospects.at(node, state), state.ip) if turn.may_end(node) else None)
    return rows


def _by_fractions(prospects: Prospects, turn: Turn, rows: list[Value | None], watch: Watch) -> tuple[Plan, Known]:
    """The best plan and its value, which the reference rules confirm on the ends of the replayed plan.

    :raises Stopped: when the deadline has passed, or a phase is too large for fractions.
    """
    best = Policies(turn, rows, watch, whole=True)
    plan, value = plan_of(best.plan(), prospects.position.board, named_by_code=True), _number(best)
    ends = endings(prospects.position, plan)
    replayed = sum((chance * prospects.prospect.exact(end, watch.stop) for chance, end, _ in ends), Fraction(0))
    if replayed != value:
        raise DisagreementError(
            f"plan '{plan}' of position '{prospects.position}' for '{prospects.prospect}': the search says {value}, the replay "
            f"{replayed}; please report this"
        )
    return plan, Exact(value)


def _by_intervals(prospects: Prospects, turn: Turn, rows: list[Value | None], watch: Watch) -> tuple[Plan, Known]:
    """The best plan by the lower ends of all intervals, and an interval around the best value.

    :raises Stopped: when the deadline has passed.
    """
    low, high = (Policies(turn, one_sided(rows, watch, low=low), watch, whole=True) for low in (True, False))
    plan = plan_of(low.plan(), prospects.position.board, named_by_code=True)
    endings(prospects.position, plan)  # it must be legal
    return plan, Interval(_number(low), _number(high))


def _number(best: Policies) -> Fraction:
    value = best.best[0][0]
    assert isinstance(value, Amount)
    return value.exact()


# -- the second method -------------------------------------------------------------------------------------------


def _check(
    position: Position, evaluation: Evaluation, plan: Plan, value: Known, within: Fraction, stop: Stop | None
) -> None:
    """Verify a plan: replay by the reference rules, and a sum over all outcomes of the phases after it."""
    replayed = plan_value(position, evaluation, plan, stop)
    if replayed.high < value.low - within or replayed.low > value.high:
        raise DisagreementError(
            f"plan '{plan}' of position '{position}' for '{evaluation}': the search says {value}, the outcomes {replayed}; "
            "please report this"
        )


def plan_value(position: Position, evaluation: Evaluation, plan: Plan, stop: Stop | None = None) -> Interval:
    """The value of a plan by the reference rules, over every outcome of the phases that follow.

    :raises IllegalActionError: when an action of the plan is illegal.
    :raises Stopped: when `stop` is set before all outcomes are evaluated.
    """
    kernel = fast.kernel_for(position.board, position.ruleset)
    weights = evaluation.tables(position.board)
    total = Interval(Fraction(0), Fraction(0))
    for chance, end, _ in endings(position, plan):
        if isinstance(end, Fall) or end.is_won:
            part = Interval(Fraction(evaluation.of(end)), Fraction(evaluation.of(end)))
        else:
            ((weighed, visits),) = expect_plain(kernel, [fast.state_of(end)], weights, stop=stop)
            error = evaluation.rounding(visits, position.board)
            part = Interval(Fraction(weighed) - error, Fraction(weighed) + error)
        total = Interval(total.low + chance * part.low, total.high + chance * part.high)
    return total


# -- near ties -------------------------------------------------------------------------------------------------

Branch: TypeAlias = tuple[int, int, int]  # code, chance in 36ths, node


class _Settled:
    """The policies that may be best by their intervals, compared in fractions, then by the IP left."""

    def __init__(
        self,
        kernel: Kernel,
        weights: Weights,
        search: Expectimax,
        contenders: Sequence[tuple[int, bool, Sequence[Sequence[Branch]]]],
        stop: Stop | None,
    ) -> None:
        self.kernel, self.weights, self.search, self.stop = kernel, weights, search, stop
        self.ends: dict[tuple[object, ...], Fraction] = {}
        self.best: dict[int, tuple[Fraction, Fraction]] = {}  # value, IP left
        self.choice: dict[int, Sequence[Branch] | None] = {}
        for node, may_end, options in contenders:
            choices: list[tuple[tuple[Fraction, Fraction], Sequence[Branch] | None]] = []
            if may_end:
                state = search.state(node)
                choices.append(((self.end(state), Fraction(state.ip)), None))
            choices += [(self.mean(option), option) for option in options]
            self.best[node], self.choice[node] = max(choices, key=lambda choice: choice[0])

    @property
    def value(self) -> Fraction:
        """The value of the best policy."""
        return self.best[0][0]

    def end(self, state: State) -> Fraction:
        """The value of ending at a node."""
        key = scene(state)
        if key not in self.ends:
            self.ends[key] = Fraction(*expect_exact(self.kernel, state, self.weights, stop=self.stop))
        return self.ends[key]

    def mean(self, branches: Sequence[Branch]) -> tuple[Fraction, Fraction]:
        """The value of an action, and the IP left after it: a mean over the dice of an attack."""
        return (
            sum((Fraction(chance, 36) * self.best[node][0] for _, chance, node in branches), Fraction(0)),
            sum((Fraction(chance, 36) * self.best[node][1] for _, chance, node in branches), Fraction(0)),
        )

    def plan(self, node: int = 0) -> PlanTree:
        """The best policy in the form of the kernel's plans."""
        codes: list[int] = []
        while True:
            branches = self.choice[node]
            if branches is None:
                return tuple(codes), None
            code = branches[0][0]
            if code & 15 == ATTACK:
                after: Mapping[int, tuple[int, Any]] = {
                    code >> 10: (chance, self.plan(target)) for code, chance, target in branches
                }
                return tuple(codes), (code >> 4 & 63, dict(after))
            codes.append(code)
            node = branches[0][2]
