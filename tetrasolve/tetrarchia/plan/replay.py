"""Replays plans by the reference rules: whether they are legal, and their values.

This is the second way to compute a plan's value; it shares no code with the search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from tetrasolve.errors import IllegalActionError
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import END, Action, Kind, Outcome, ordered
from tetrasolve.tetrarchia.kernel import expect_exact, expect_plain
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.phase.exact import risk
from tetrasolve.tetrarchia.plan.answer import DisagreementError
from tetrasolve.tetrarchia.plan.codes import plan_of
from tetrasolve.tetrarchia.plan.evaluation import Evaluation
from tetrasolve.tetrarchia.plan.nextturn import Budget, Following, next_turn
from tetrasolve.tetrarchia.plan.objective import (
    RISKS,
    Constraint,
    Goal,
    LeastIp,
    LeastRisk,
    MostExpected,
    NextGoal,
    Objective,
    Term,
    Value,
)
from tetrasolve.tetrarchia.plan.policies import Watch
from tetrasolve.tetrarchia.plan.prospect import prospect_of
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.plan.tree import UNSTATED, Fork, Plan, Shown
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.payment import STOPS, goes_on, until_won

REFERENCE_VISITS = 1_000  # states of a phase up to which the reference rules take a quarter of a second


Ending: TypeAlias = tuple[Fraction, Position | Fall, int]  # its chance, the position, the IP paid


def endings(position: Position | Fall, plan: Plan, paid: int = 0) -> list[Ending]:
    """Every end of the turn under a plan: its chance, the position, and the IP paid.

    :raises IllegalActionError: when an action is illegal, an attack has a fixed outcome, lacks an outcome, has one twice or
        with a wrong chance, or the turn ends where it may not.
    """
    state = position
    for action in plan.steps:
        state, paid = after_step(state, action, paid)
    if isinstance(state, Fall):
        return [(Fraction(1), state, paid)]
    if plan.fork is None:
        if state.phase is Phase.ROMAN and not state.is_won and rules.objection(state, END) is not None:
            rules.play(state, END)  # the turn ends here, which must be legal: raises
        return [(Fraction(1), state, paid)]
    fork = plan.fork
    chances = shown_by_dice(state, fork)
    stated = [(shows, chance) for shows, chance, _ in fork.branches]
    if dict(stated) != chances or len(stated) != len(chances):
        raise IllegalActionError(str(fork), f"the plan gives {_listed(stated)}, the dice {_listed(chances.items())}")
    ways: list[Ending] = []
    for shows, chance, branch in fork.branches:
        for part, attack, rest in made_by_dice(state, fork, shows, branch):
            price, after = rules.cost(state, attack), rules.play(state, attack)
            ways += [(chance * part * share, end, ip) for share, end, ip in endings(after, rest, paid + price)]
    return ways


def completed(position: Position | Fall, plan: Plan) -> Plan:
    """A plan with the chances of its branches where these are not stated (`UNSTATED`), and all branches of attacks without any.

    A branch that the dice do not give has the chance 0, with which no plan can be carried out.

    :raises IllegalActionError: when an action before an attack, or the attack, is illegal.
    """
    if plan.fork is None:
        return plan
    state = position
    for action in plan.steps:
        state, _ = after_step(state, action, 0)
    if isinstance(state, Fall):
        raise IllegalActionError(str(plan.fork), "the Empire has fallen")
    fork = plan.fork
    chances = shown_by_dice(state, fork)
    branches: list[tuple[Outcome | Shown, Fraction, Plan]] = []
    for shows, chance, branch in fork.branches or [(shows, chance, Plan()) for shows, chance in chances.items()]:
        if shows in chances:
            *_, (_, attack, rest) = made_by_dice(state, fork, shows, branch)
            rest = completed(rules.play(state, attack), rest)
            branch = rest if isinstance(shows, Outcome) else replace(rest, steps=(attack, *rest.steps))  # noqa: PLW2901
        branches.append((shows, chances.get(shows, Fraction(0)) if chance == UNSTATED else chance, branch))
    return replace(plan, fork=replace(fork, branches=tuple(branches)))


def after_step(position: Position | Fall, action: Action, paid: int) -> tuple[Position | Fall, int]:
    """The position after an action of a plan, and the IP paid until then.

    :raises IllegalActionError: when it is illegal, or an attack.
    """
    if isinstance(position, Fall):
        raise IllegalActionError(action, "the Empire has fallen")
    if action.kind is Kind.ATTACK:
        raise IllegalActionError(action, "the dice decide an attack: a plan needs a branch for each outcome")
    after = rules.play(position, action)
    return after, paid + rules.cost(position, action)


def made_by_dice(
    position: Position, fork: Fork, shows: Outcome | Shown, branch: Plan
) -> list[tuple[Fraction, Action, Plan]]:
    """The attacks that a branch can come to, with their shares of its chance, fewest discs first, and the plan after each.

    There are several where discs are named before the dice, and he who pays stops when he has won [I-GALERIUS-WON]. The plan is
    made for all discs; where he pays fewer it goes on as far as it is legal, since discs lie there that it does not expect.

    :raises IllegalActionError: as `made_of`.
    """
    attack, rest = made_of(fork, shows, branch, goes_on=goes_on(position))
    if isinstance(shows, Shown) or not fork.payments:
        return [(Fraction(1), attack, rest)]
    found = Counter(way for way in until_won(position, attack) if way.outcome is shows)
    ways: list[tuple[Fraction, Action, Plan]] = []
    for way in sorted(found, key=lambda way: len(way.payments)):
        after = rest if way.payments == fork.payments else legal_part(rules.play(position, way), rest)
        ways.append((Fraction(found[way], found.total()), way, after))
    return ways


def legal_part(position: Position | Fall, plan: Plan) -> Plan:
    """A plan as far as it is legal here, with the chances of its attacks as they are here; where it stops the turn ends."""
    kept = 0
    for number, action in enumerate(plan.steps, start=1):
        if isinstance(position, Fall) or rules.objection(position, action) is not None:
            return Plan(plan.steps[:kept])
        position = rules.play(position, action)
        if isinstance(position, Fall) or position.phase is not Phase.ROMAN or rules.may_end(position):
            kept = number
    if plan.fork is None or isinstance(position, Fall):
        return Plan(plan.steps[:kept])
    try:
        chances = shown_by_dice(position, plan.fork)
    except IllegalActionError:
        return Plan(plan.steps[:kept])
    stated = {shows: branch for shows, _, branch in plan.fork.branches}
    branches: list[tuple[Outcome | Shown, Fraction, Plan]] = []
    for shows, chance in chances.items():
        unpaid = () if isinstance(shows, Outcome) else (plan.fork.action(shows.outcome(0)),)
        *_, (_, attack, rest) = made_by_dice(position, plan.fork, shows, stated.get(shows, Plan(unpaid)))
        rest = legal_part(rules.play(position, attack), rest)
        branches.append((shows, chance, rest if not unpaid else replace(rest, steps=(attack, *rest.steps))))
    return replace(plan, fork=replace(plan.fork, branches=tuple(branches)))


def made_of(fork: Fork, shows: Outcome | Shown, branch: Plan, *, goes_on: bool = False) -> tuple[Action, Plan]:
    """The attack as it ends in a branch, and the plan after it.

    `goes_on`: whether he who has won can pay on [I-GALERIUS-WON].

    :raises IllegalActionError: when the branch does not say what is paid, the outcome is another one, or he has won before.
    """
    if isinstance(shows, Outcome):
        return fork.action(shows), branch
    attack = branch.steps[0] if branch.steps else END
    if (attack.kind, attack.place, attack.figure) != (Kind.ATTACK, fork.army, fork.figure):
        raise IllegalActionError(
            attack, f"the dice of the attack on {fork.army} have fallen: expected what it comes to"
        )
    outcome = shows.outcome(len(attack.payments))
    if attack.outcome is not outcome:
        raise IllegalActionError(attack, f"with dice that show {shows} it is a {outcome}")
    if not goes_on and shows.is_won_for_less(len(attack.payments)):
        raise IllegalActionError(attack, f"with dice that show {shows} it is a victory for less, and {STOPS}")
    return attack, replace(branch, steps=branch.steps[1:])


def shown_by_dice(position: Position, fork: Fork) -> dict[Outcome | Shown, Fraction]:
    """The outcomes of an attack with their chances; where the plan decides after the roll what is paid, all that its dice can show.

    :raises IllegalActionError: when the attack is not legal.
    """
    payments = fork.payments
    results = [rules.attack_roll(position, fork.army, fork.figure, payments).results]
    if fork.pays_after_dice:
        while discs := rules.boosts(position, fork.figure, payments, fork.army):
            payments = ordered((*payments, discs[0]), position.board)
            results.append(rules.attack_roll(position, fork.army, fork.figure, payments).results)
    rolls = sorted(zip(*([str(action.outcome) for action in row] for row in results), strict=True), reverse=True)
    faces = [_shown(roll) if fork.pays_after_dice else Outcome(roll[0]) for roll in rolls]  # victory, draw, defeat
    return {shows: Fraction(faces.count(shows), len(faces)) for shows in dict.fromkeys(faces)}


def _shown(outcomes: Sequence[str]) -> Shown:
    """What a pair of faces shows, from its outcomes with no disc, one, two and so on."""
    draw = next((paid for paid, outcome in enumerate(outcomes) if outcome != Outcome.DEFEAT), None)
    victory = next((paid for paid, outcome in enumerate(outcomes) if outcome == Outcome.VICTORY), None)
    return Shown(draw, victory)


def carry_out(position: Position, steps: Sequence[Action], stated: Stated) -> tuple[Position | Fall, int]:
    """The position at the end of the turn after these actions, with stated outcomes of attacks, and the IP paid.

    :raises IllegalActionError: when an action is illegal, an attack is not one of those stated, or the turn ends where it may
        not.
    """
    state: Position | Fall = position
    paid = 0
    for action in steps:
        if isinstance(state, Fall):
            raise IllegalActionError(action, "the Empire has fallen")
        if action.kind is Kind.ATTACK and (action.place, action.outcome) not in stated:
            raise IllegalActionError(action, "this outcome of an attack is not stated")
        if action.kind is Kind.END:
            raise IllegalActionError(action, "a plan ends where its actions end")
        paid += rules.cost(state, action) if rules.objection(state, action) is None else 0
        state = rules.play(state, action)
    if isinstance(state, Position) and state.phase is Phase.ROMAN and not state.is_won:
        rules.play(state, END)  # the turn ends here, which must be legal
    return state, paid


def ways(position: Position, plan: Plan, stated: Stated | None) -> list[Ending]:
    """Every end of the turn under a plan, by the reference rules; with stated outcomes there is one.

    :raises IllegalActionError: when an action of the plan is illegal.
    """
    if stated is None:
        return endings(position, plan)
    end, paid = carry_out(position, plan.steps, stated)
    return [(Fraction(1), end, paid)]


def _listed(chances: Iterable[tuple[Outcome | Shown, Fraction]]) -> str:
    return ", ".join(f"{outcome} {chance}" for outcome, chance in chances) or "no outcome"


def expected_values(
    ways: Sequence[Ending], objective: Objective, stop: Stop | None = None, later: Later | None = None
) -> tuple[Fraction, ...]:
    """The exact value of each term of an objective over these ends: chances in [0, 1], sums of weights, IP.

    `later` has what is known already of the turns that follow; None: nothing.

    :raises Stopped: when `stop` is set before all are known.
    """
    later = later or Later(stop)
    return tuple(
        sum((chance * value_at(term, end, ip, stop, later) for chance, end, ip in ways), Fraction(0))
        for term in objective.terms
    )


def share_within(ways: Sequence[Ending], constraint: Constraint) -> Fraction:
    """The chance that the end meets a constraint, in [0, 1]."""
    return sum((chance for chance, end, ip in ways if is_within(constraint, end, ip)), Fraction(0))


def is_within(constraint: Constraint, end: Position | Fall, paid: int) -> bool:
    """Whether an end after `paid` IP meets a constraint; a fallen Empire meets only the empty one."""
    return not constraint or (isinstance(end, Position) and constraint.is_met(end, paid))


def value_at(
    term: Term, end: Position | Fall, paid: int, stop: Stop | None = None, later: Later | None = None
) -> Fraction:
    """The value of a term at an end of a turn after `paid` IP; `later` as for `expected_values`.

    :raises Stopped: when `stop` is set before it is known.
    """
    prospect = prospect_of(term, end) if isinstance(end, Position) else None
    match term:
        case _ if prospect is not None:
            return prospect.exact(end, stop)
        case Goal():
            return Fraction(isinstance(end, Position) and term.is_met(end))
        case Value():
            return Fraction(term.of(end)) if isinstance(end, Position) else Fraction(0)
        case LeastIp():
            return Fraction(paid)
        case LeastRisk():
            return Fraction(RISKS[term.figure]) if isinstance(end, Fall) else risk_at(term.figure, end, stop=stop)
        case NextGoal():
            return (later or Later(stop)).chance(term, end)
        case MostExpected():
            return expected_at(term.evaluation, end) if stop is None else _expected_at(term.evaluation, end, stop)


def next_chance(term: NextGoal, end: Position | Fall, stop: Stop | None = None) -> Fraction:
    """The best chance of a goal in the turns that follow, with nothing in between; their best plans are replayed.

    :raises Stopped: when `stop` is set before it is known.
    :raises TooLargeError: when the turns have more situations than are looked at.
    """
    return Later(stop).chance(term, end)


class Later:
    """The best chances of goals in the turns that follow the ends of a turn: the best plan of each such turn is replayed.

    A turn to which several ends lead is solved and replayed once, so there are no more replays than turns.
    """

    def __init__(self, stop: Stop | None = None) -> None:
        self.watch, self.budget = Watch(stop), Budget()
        self.searches: dict[tuple[NextGoal, str], Following] = {}  # by the term and who has moved
        self.known: dict[tuple[Goal, int, Position], Fraction] = {}

    def chance(self, term: NextGoal, end: Position | Fall) -> Fraction:
        """The best chance after this end.

        :raises Stopped: when the flag is set before it is known.
        :raises TooLargeError: when the turns have more situations than are looked at.
        """
        if isinstance(end, Fall):
            return Fraction(0)
        search = self.searches.setdefault((term, end.to_move), Following(end, term, self.watch, self.budget))
        return self._after(search, end, term.turns)

    def _after(self, search: Following, end: Position | Fall, turns: int) -> Fraction:
        """The best chance after this end, with so many turns to follow; of these the next one is replayed."""
        goal = search.term.goal
        if turns == 0 or isinstance(end, Fall) or end.is_won:
            return Fraction(isinstance(end, Position) and goal.is_met(end))
        begun = next_turn(end)
        key = (goal, turns, begun)
        if key not in self.known:
            self.watch.look()
            value, solution = search.best(end, turns, again=search.knows(end, turns))
            assert solution is not None  # the game is not over
            plan = plan_of(solution.plan(), begun.board, named_by_code=bool(begun.rules_in_use))
            replayed = sum(
                (chance * self._after(search, after, turns - 1) for chance, after, _ in endings(begun, plan)),
                Fraction(0),
            )
            if replayed != value:
                rest = goal if turns == 1 else NextGoal(goal, turns - 1)
                raise DisagreementError(
                    f"'{rest}' in the turn of '{begun}': {value} by the kernel, '{plan}' has {replayed} by the reference rules; "
                    "please report this"
                )
            self.known[key] = value
        return self.known[key]


def risk_at(figure: str, end: Position, reference_visits: int = REFERENCE_VISITS, stop: Stop | None = None) -> Fraction:
    """A figure of `RISKS` for the Barbarian phase of this position; all methods must agree.

    The reference rules check phases of at most `reference_visits` states; with 0 the kernel computes alone.

    :raises Stopped: when `stop` is set before it is known.
    """
    if end.is_won:
        return Fraction(0)
    if figure == "p_uprising" and reference_visits:
        return (
            _uprising_chance(end) if stop is None else rules.uprising_chance(end, stop=stop)
        )  # needs the first step only, so the reference rules always check it
    position = end.replace(phase=Phase.BARBARIAN, ip=0)
    figures = (
        _figures(position, reference_visits) if stop is None else _figures_before(position, reference_visits, stop)
    )
    if figure == "e_revolts":
        return figures.e_revolts + REVOLTS * figures.p_lost
    value: Fraction = getattr(figures, figure)
    return value


_uprising_chance = lru_cache(maxsize=4096)(rules.uprising_chance)


@lru_cache(maxsize=4096)
def _figures(end: Position, reference_visits: int) -> rules.Figures:
    return risk(end, reference_visits=reference_visits).figures


def _figures_before(end: Position, reference_visits: int, stop: Stop) -> rules.Figures:
    found = risk(end, reference_visits=reference_visits, cancel=stop)
    if found.kind != "exact":
        raise Stopped("deadline")
    return found.figures


@lru_cache(maxsize=4096)
def expected_at(evaluation: Evaluation, end: Position | Fall) -> Fraction:
    """The expectation of an evaluation after the phase of this position.

    The kernel's fraction must lie in the interval of the sum over its outcomes; the reference rules check small phases.

    :raises DisagreementError: when the methods differ.
    """
    return _expected_at(evaluation, end, None)


def _expected_at(evaluation: Evaluation, end: Position | Fall, stop: Stop | None) -> Fraction:
    if isinstance(end, Fall) or end.is_won:
        return Fraction(evaluation.of(end))
    kernel, state = fast.kernel_for(end.board, end.ruleset), fast.state_of(end)
    weights = evaluation.tables(end.board)
    exact = Fraction(*expect_exact(kernel, state, weights, stop=stop))
    ((weighed, visits),) = expect_plain(kernel, [state], weights, stop=stop)
    seen = abs(Fraction(weighed) - exact) <= evaluation.rounding(visits, end.board)
    if seen and visits <= REFERENCE_VISITS:
        solved = rules.solve(end.replace(phase=Phase.BARBARIAN, ip=0), stop=stop)
        seen = exact == solved.ends.expectation(evaluation.of)
    if not seen:
        raise DisagreementError(f"'{evaluation}' after the phase of '{end}': the methods differ; please report this")
    return exact
