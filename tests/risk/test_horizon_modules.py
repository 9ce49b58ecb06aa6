"""Several phases with modules, variants and rebels: against the reference rules, and the methods against each other."""

import pickle
from fractions import Fraction
from random import Random

import pytest
from moduletable import extended
from scatter import RECIPES
from scattermodules import any_extensions, with_figures
from tabletop import MAP

from tetrasolve.errors import RulesetError
from tetrasolve.exact import Exact
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.risk.causes import cause_chances, only_cause, possible_causes
from tetrasolve.tetrarchia.risk.course import Course
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.risk.quiet import quiet_results
from tetrasolve.tetrarchia.risk.splitting import rare_fall
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import all_levels

HERE = SerialExecutor()
LEVELS = list(all_levels())
FEW = 40  # ways through the first phase


def small_positions(seed, most=FEW):
    """Positions with modules or rebels before a small phase."""
    random = Random(seed)
    while True:
        ruleset = any_extensions(random.choice(LEVELS), random)
        position = with_figures(random.choice((*RECIPES, "quiet", "walled")), ruleset, random, MAP, Phase.BARBARIAN)
        is_small = fast.kernel_of(position).phase(fast.to_state(position))["visits"] <= most
        if is_small and (position.ruleset.extensions or position.rebels):
            yield position


def composed(position, count):
    """So many phases by hand, in which all choices are declined."""
    now = {position: Fraction(1)}
    for _ in range(count):
        after = {}
        for table, weight in now.items():
            results = rules.outcomes(table).items() if isinstance(table, Position) else [(table, Fraction(1))]
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
    plain = position.replace(pieces=position.pieces.__class__()) if not position.ruleset.extensions else None
    if plain is not None:  # no rebel is left, and the course is for those who may have some
        assert isinstance(course.state_of(plain), whole.State)


def test_rare_falls_with_modules():
    position = extended("dux", revolts="sicilia", armies="sicilia", barbarian=True)
    assert rare_fall(position, 2, roots=20, replicas=20, seed=1).n > 0


def test_notes_and_refusals():
    barbaria = extended("barbaria", {"barbarian_discs": {"gray": 1, "black": 0}}, revolts="dacia", barbarian=True)
    assert horizon(barbaria, 1, executor=HERE).notes[0] == "choices in the phases: decline"
    dux = extended("dux", revolts="dacia", barbarian=True)
    assert horizon(dux, 1, executor=HERE).notes == ()
    with pytest.raises(RulesetError, match="a horizon with plans knows the base game only; in use are dux"):
        horizon(dux, 1, plans=("end",), executor=HERE)
