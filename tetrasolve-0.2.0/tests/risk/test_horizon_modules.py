"""Several phases with modules, variants and rebels: against the reference rules, and the methods against each other."""

import pickle
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from moduletable import extended
from moduleturns import positions
from scatter import RECIPES
from scattermodules import any_extensions, with_figures
from tabletop import MAP, random_action

from tetrasolve.errors import ArgumentError
from tetrasolve.exact import Exact
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.tetrarchia import fast, kernel, rules, whole
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.pieces import Counts
from tetrasolve.tetrarchia.plan import plan as make_plan
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.risk.causes import cause_chances, only_cause, possible_causes
from tetrasolve.tetrarchia.risk.course import Course
from tetrasolve.tetrarchia.risk.follow import follow, follow_rolled, follow_state
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.risk.quiet import Rose, quiet_results, rolled
from tetrasolve.tetrarchia.risk.splitting import rare_fall
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import all_levels

HERE = SerialExecutor()
LEVELS = list(all_levels())
FEW = 40  # ways through the first phase
SECOND = 1_500  # ways through all second phases: the reference takes about a millisecond for each


def small_positions(seed, most=FEW):
    """Positions with modules or rebels before a small phase."""
    random = Random(seed)
    while True:
        ruleset = any_extensions(random.choice(LEVELS), random)
        position = with_figures(random.choice((*RECIPES, "quiet", "walled")), ruleset, random, MAP, Phase.BARBARIAN)
        is_small = fast.kernel_of(position).phase(fast.to_state(position))["visits"] <= most
        if is_small and (position.ruleset.extensions or position.rebels):
            yield position


def composed(position, count, decide=rules.decline):
    """So many phases by hand; `decide` answers all choices."""
    now = {position: Fraction(1)}
    for _ in range(count):
        after = {}
        for table, weight in now.items():
            results = rules.outcomes(table, decide).items() if isinstance(table, Position) else [(table, Fraction(1))]
            for result, chance in results:
                after[result] = after.get(result, Fraction(0)) + weight * chance
        now = after
    return now


@pytest.mark.parametrize(("number", "phases"), [(12, 1), (2, 2), pytest.param(60, 2, marks=pytest.mark.slow)])
def test_phases_are_those_composed_by_hand(number, phases):
    """In fractions, and in doubles with their bounds."""
    for position, _ in zip(small_positions(f"by hand {number}"), range(number), strict=False):
        expected = composed(position, phases)
        lost = sum((chance for end, chance in expected.items() if isinstance(end, Fall)), Fraction(0))
        revolts = sum(
            (chance * len(end.revolts) for end, chance in expected.items() if isinstance(end, Position)), Fraction(0)
        )
        exact = horizon(position, phases, executor=HERE, runs=0).phases[-1]
        rounded = horizon(position, phases, executor=HERE, runs=0, fractions=0, limit=10_000).phases[-1]
        if isinstance(exact.lost, Exact):
            assert (exact.lost.value, exact.revolts.value) == (lost, revolts), position
            for cause, figure in exact.causes.items():
                assert figure.value == expected.get(cause, 0)
        assert rounded.method == "doubles"
        assert rounded.lost.low <= lost <= rounded.lost.high, position
        assert rounded.revolts.low <= revolts <= rounded.revolts.high, position
        for cause, figure in rounded.causes.items():
            assert figure.low <= expected.get(cause, 0) <= figure.high, position


def test_the_chance_of_an_uprising_is_that_by_hand():
    for position, _ in zip(small_positions("uprising"), range(4), strict=False):
        first = rules.uprising_chance(position)
        later = sum(
            (
                chance * rules.uprising_chance(end)
                for end, chance in quiet_results(position).items()
                if isinstance(end, Position)
            ),
            Fraction(0),
        )
        found = horizon(position, 2, executor=HERE, runs=0)
        assert [phase.uprising.value for phase in found.phases] == [first, first + later]


def test_runs_estimate_what_is_exact():
    """With all modules in turn, by the same dice for each."""
    for position, _ in zip(small_positions("runs"), range(6), strict=False):
        exact = horizon(position, 1, executor=HERE).phases[0]
        runs = horizon(position, 1, executor=HERE, fractions=0, limit=0, runs=600, batch=100, seed=3).phases[0]
        assert runs.method == "runs"
        assert runs.lost.low <= exact.lost.value <= runs.lost.high
        assert runs.revolts.low <= exact.revolts.value <= runs.revolts.high


def test_causes_found_by_the_kernel_are_those_of_the_rules():
    several = 0
    for position in small_positions("causes", most=150):
        exact, course = rules.outcomes(position), Course(MAP, position.ruleset, rebels=bool(position.rebels))
        state = fast.to_state(position)
        falls = {fall for fall in Fall if fall in exact}
        assert falls <= set(possible_causes(state, course)), position
        only = only_cause(state, course)
        assert only is None or falls <= {only}, position
        chances = cause_chances(state, course)
        for fall in Fall:
            assert chances.get(fall, 0.0) == pytest.approx(float(exact[fall]), abs=1e-12), position
        several += bool(falls) and only is None
        if several == 4:
            return


def test_a_course_survives_another_process():
    """With its rebels."""
    position = next(one for one in small_positions("rebels") if one.rebels)
    course = pickle.loads(pickle.dumps(Course(MAP, position.ruleset, (), rebels=True)))  # noqa: S301  # made in this line
    key = bytes(fast.to_state(position))
    assert course.position(key) == position and isinstance(course.state(key), whole.State)
    eager = Course(MAP, position.ruleset, policy="eager")
    assert pickle.loads(pickle.dumps(eager)).policy == "eager"  # noqa: S301  # made in the line before
    plain = position.replace(pieces=position.pieces.__class__()) if not position.ruleset.extensions else None
    if plain is not None:  # no rebel is left, and the course is for those who may have some
        assert isinstance(course.state_of(plain), whole.State)


def test_rare_falls_with_modules():
    position = extended("dux", revolts="sicilia", armies="sicilia", barbarian=True)
    assert rare_fall(position, 2, roots=20, replicas=20, seed=1).n > 0


def test_notes_and_refusals():
    barbaria = extended("barbaria", {"barbarian_discs": {"gray": 1, "black": 0}}, revolts="dacia", barbarian=True)
    assert horizon(barbaria, 1, executor=HERE).notes[0] == "choices in the phases: decline"
    assert horizon(barbaria, 1, policy="eager", executor=HERE).notes[0] == "choices in the phases: eager"
    dux = extended("dux", revolts="dacia", barbarian=True)
    assert horizon(dux, 1, policy="eager", executor=HERE).notes == ()
    with pytest.raises(ArgumentError, match="policy: expected one of decline, eager, found 'best'"):
        horizon(dux, 1, policy="best", executor=HERE)


# -- with choices ------------------------------------------------------------------------------------------------


def with_choices(seed, most=60):
    """Positions with Imperium or Barbaria before a phase that is small for every policy, and in which the policy matters."""
    for position in small_positions(seed, most):
        if not WITH_CHOICES & position.ruleset.extensions:
            continue
        kernel, state = fast.kernel_of(position), fast.to_state(position)
        if kernel.phase(state, 1)["visits"] <= most and kernel.outcomes(state, 0) != kernel.outcomes(state, 1):
            yield position


@pytest.mark.parametrize("number", [4, pytest.param(40, marks=pytest.mark.slow)])
def test_eager_phases_are_those_composed_by_hand(number):
    """In fractions and in doubles; the uprising apart, with the dice that are rolled again."""
    for position, _ in zip(with_choices(f"eager {number}"), range(number), strict=False):
        expected = composed(position, 1, rules.eager)
        lost = sum((chance for end, chance in expected.items() if isinstance(end, Fall)), Fraction(0))
        exact = horizon(position, 1, policy="eager", executor=HERE, runs=0).phases[0]
        rounded = horizon(position, 1, policy="eager", executor=HERE, runs=0, fractions=0).phases[0]
        assert exact.lost.value == lost, position
        assert exact.uprising.value == rules.uprising_chance(position, rules.eager)
        quiet = quiet_results(position, rules.eager)
        assert sum(quiet.values()) == 1 - exact.uprising.value, position
        assert rounded.lost.low <= lost <= rounded.lost.high, position
        for cause, figure in rounded.causes.items():
            assert figure.low <= expected.get(cause, 0) <= figure.high, position


def phase_size(position):
    """The ways through an eager phase, by the kernel."""
    return fast.kernel_of(position).phase(fast.state_of(position), 1)["visits"]


def test_two_eager_phases_and_runs():
    """A second phase begins where the first one left the discs; runs answer alike."""
    position = next(
        one
        for one in with_choices("two eager", most=30)
        if sum(phase_size(end) for end in rules.outcomes(one, rules.eager) if isinstance(end, Position)) <= SECOND
    )
    expected = composed(position, 2, rules.eager)
    lost = sum((chance for end, chance in expected.items() if isinstance(end, Fall)), Fraction(0))
    exact = horizon(position, 2, policy="eager", executor=HERE, runs=0, fractions=10**4).phases[1]
    assert exact.lost.value == lost
    runs = horizon(position, 1, policy="eager", executor=HERE, fractions=0, limit=0, runs=600, batch=100).phases[0]
    first = horizon(position, 1, policy="eager", executor=HERE).phases[0]
    assert runs.lost.low <= first.lost.value <= runs.lost.high
    assert runs.revolts.low <= first.revolts.value <= runs.revolts.high
    assert runs.uprising.low <= first.uprising.value <= runs.uprising.high


def test_a_rolled_phase_up_to_its_uprising_answers_choices():
    """One in many phases rolled by the rules, with dice that are rolled again: as often as the exact chance says."""
    position = next(with_choices("rolled"))
    n = 3000
    dice = rules.RandomDice("rolled")
    rose = sum(isinstance(rolled(position, dice, rules.eager, quiet=True), Rose) for _ in range(n))
    p = float(rules.uprising_chance(position, rules.eager))
    assert abs(rose / n - p) <= 4.5 * (p * (1 - p) / n) ** 0.5 + 1e-9


# -- with plans --------------------------------------------------------------------------------------------------


def some_plan(position, random):
    """A plan of legal actions, attacks with one outcome each."""
    steps = []
    for _ in range(random.randint(1, 6)):
        action = random_action(position, random)
        if action is None or action.kind is Kind.END:
            break
        steps.append(action)
        after = rules.play(position, action)
        if isinstance(after, Fall):
            break
        position = after
    return Plan(tuple(steps))


def followed_alike(position, plan, seed):
    """Every end of the turn, the same by both engines, and one of them with dice of this seed."""
    ways = follow(position, plan)
    assert sum(ways.values()) == 1
    course = Course(position.board, position.ruleset, rebels=bool(position.rebels))
    theirs = Counter()
    for state, share in follow_state(course.kernel, position.board, course.state_of(position), plan):
        theirs[
            "fallen" if state.result == kernel.FALLEN else fast.to_position(state, position.board, position.ruleset)
        ] += share
    assert theirs == {"fallen" if isinstance(end, Fall) else end: share for end, share in ways.items()}, position
    assert position.is_shared or not any(isinstance(end, Position) and end.is_shared for end in ways)
    rolled_end = follow_rolled(course.kernel, position.board, course.state_of(position), plan, whole.Rng(seed))
    assert rolled_end.result == kernel.FALLEN or fast.to_position(rolled_end, position.board, position.ruleset) in ways
    return ways


def test_both_engines_follow_a_plan_alike():
    """Plans with figures, Pirates, powers and payments, on the position they were made for or on another one."""
    random = Random("plans with modules")
    seen = Counter()
    for number in range(240):
        ruleset = any_extensions(random.choice(LEVELS), random)
        made_for = with_figures(random.choice(list(RECIPES)), ruleset, random, MAP)
        plan = some_plan(made_for, random)
        position = made_for if number % 3 else with_figures("mixed", ruleset, random, MAP)
        if bool(position.rebels) != bool(made_for.rebels):
            continue
        ways = followed_alike(position, plan, number)
        seen["forks"] += len(ways) > 1
        seen["payments"] += any(step.payments for step in plan.steps)
        seen["pirates"] += any(step.place == "pirates" for step in plan.steps)
        seen["dux"] += any(step.kind is Kind.ATTACK and step.figure == "dux" for step in plan.steps)
        seen["powers"] += any(step.kind is Kind.IMPERIUM for step in plan.steps)
    assert min(seen[name] for name in ("forks", "payments", "pirates", "dux", "powers")) >= 2, seen


def test_both_engines_follow_payments_after_the_dice_alike():
    """On the position that the plan was made for as its replay says; elsewhere discs are missing, or the dice show other things."""
    random = Random("payments after dice")
    seen = Counter()
    for position in positions("imperium dux", 10_000, 2):
        attacks = [
            action
            for action in rules.legal_actions(position)
            if action.kind is Kind.ATTACK and action.payments and not action.figure
        ]
        if not attacks or position.is_won:
            continue
        best = make_plan(position, f"kill {random.choice(attacks).place} then most value garrison=1").plan
        if best is None or best.fork is None or not best.fork.pays_after_dice:
            continue
        expected = Counter()
        for share, end, _ in endings(position, best):
            expected[end] += share
        assert followed_alike(position, best, 1) == expected
        missing = position.with_piece(
            "removed", Counts.of({**position.removed, "galerius": position.removed["galerius"] + 1})
        )
        alone = position.replace(armies=(best.fork.army,))  # no army gives support
        for elsewhere in (missing, alone):
            if not elsewhere.status():
                seen["other ends"] += followed_alike(elsewhere, best, 2) != expected
        seen["plans"] += 1
        if seen["plans"] == 12:
            break
    assert seen["other ends"] >= 6


def test_a_horizon_with_plans_is_that_of_the_ends_of_the_turn():
    """Exactly, and by runs that roll the attack."""
    random, found = Random("horizon with plans"), 0
    while found < 4:
        ruleset = any_extensions(random.choice(LEVELS), random)
        position = with_figures(random.choice(("quiet", "walled", "invasion")), ruleset, random, MAP)
        if position.is_shared:
            continue
        plan = some_plan(position, random)
        ends = follow(position, plan)
        going = [end for end in ends if isinstance(end, Position) and not end.is_won]
        sizes = [fast.kernel_of(end).phase(fast.state_of(end))["visits"] for end in going]
        if not (ruleset.extensions or position.rebels) or not going or sum(sizes) > FEW:
            continue
        found += 1
        lost = sum(
            share * (1 if isinstance(end, Fall) else 0 if end.is_won else fallen(end)) for end, share in ends.items()
        )
        exact = horizon(position, 1, plans=[plan], executor=HERE, runs=0).phases[0]
        rounded = horizon(position, 1, plans=[plan], executor=HERE, runs=0, fractions=0).phases[0]
        assert exact.lost.value == lost, position
        assert rounded.lost.low <= lost <= rounded.lost.high
        runs = horizon(position, 1, plans=[plan], executor=HERE, fractions=0, limit=0, runs=400, batch=100).phases[0]
        assert runs.lost.low <= lost <= runs.lost.high


def fallen(position):
    return rules.outcomes(position).probability(lambda end: isinstance(end, Fall))
