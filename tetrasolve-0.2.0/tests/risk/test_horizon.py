"""Several phases, exactly: against phases composed by hand, and the two exact methods against each other."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest
from phases import phases
from scatter import scattered

from tetrasolve.errors import IllegalPositionError
from tetrasolve.exact import Exact, Interval, Unknown
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.risk.causes import cause_chances, only_cause, possible_causes
from tetrasolve.tetrarchia.risk.course import Course
from tetrasolve.tetrarchia.risk.figures import Ledger, causes_of
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.risk.quiet import quiet_results, rolled
from tetrasolve.tetrarchia.rules import Fall, RandomDice
from tetrasolve.tetrarchia.ruleset import all_levels

# An army before a broken link and then Roma: it falls in two phases with chance 1/2, in three with 3/4.
BEFORE_ROMA = "4211 D:6 -/-/-/- 23 sic sic - -/-/-/-"
# A few revolts that cannot echo far; both methods are quick.
QUIET = "4211 D:6 bit/rom/-/- 23 - sic.cyr dal tri.num/-/-/-"
HERE = SerialExecutor()


def composed(position: Position, count: int) -> dict[Position | Fall, Fraction]:
    """So many phases by hand: every outcome of every outcome."""
    now: dict[Position | Fall, Fraction] = {position: Fraction(1)}
    for _ in range(count):
        after: dict[Position | Fall, Fraction] = {}
        for table, weight in now.items():
            results = rules.outcomes(table).items() if isinstance(table, Position) else [(table, Fraction(1))]
            for result, chance in results:
                after[result] = after.get(result, Fraction(0)) + weight * chance
        now = after
    return now


def brute_uprising(position: Position, count: int) -> Fraction:
    """The chance of at least one uprising, by recursion over quiet results without merging."""
    here = rules.uprising_chance(position)
    if count == 1:
        return here
    onward = ((end, chance) for end, chance in quiet_results(position).items() if isinstance(end, Position))
    return here + sum((chance * brute_uprising(end, count - 1) for end, chance in onward), Fraction(0))


@pytest.mark.parametrize("text", [BEFORE_ROMA, QUIET])
def test_two_phases_are_those_composed_by_hand(text):
    position = Position.parse(text)
    found = horizon(position, 2, executor=HERE)
    for phase in found.phases:
        assert phase.method == "fractions"
        ends = composed(position, phase.phase)
        standing = {end: chance for end, chance in ends.items() if isinstance(end, Position)}
        for fall in Fall:
            assert phase.causes[fall] == Exact(ends.get(fall, Fraction(0)))
        assert phase.lost == Exact(1 - sum(standing.values()))
        assert phase.revolts == Exact(sum(chance * len(end.revolts) for end, chance in standing.items()))
        for number, figure in enumerate(phase.army_counts):
            assert figure == Exact(sum((c for end, c in standing.items() if len(end.armies) == number), Fraction(0)))
        wanted: dict[str, Fraction] = {}
        for end, chance in standing.items():
            for army in end.armies:
                wanted[army] = wanted.get(army, Fraction(0)) + chance
        assert phase.armies == {province: Exact(chance) for province, chance in wanted.items()}
        assert phase.uprising == Exact(brute_uprising(position, phase.phase))
        assert phase.won == Exact(Fraction(0))


def test_the_army_before_the_broken_link():
    found = horizon(Position.parse(BEFORE_ROMA), 3, executor=HERE, fractions=100)
    assert found.phases[0].lost == Exact(Fraction(0))
    assert found.phases[1].causes[Fall.ARMY_IN_ROMA] == Exact(Fraction(1, 2))
    third = found.phases[2]
    assert third.method == "doubles"
    assert isinstance(third.lost, Interval)
    assert third.lost.low <= Fraction(3, 4) <= third.lost.high
    assert third.lost.high - third.lost.low < Fraction(1, 10**9)


def test_one_phase_has_the_figures_of_risk():
    for position in phases(6, 200, seed=4):
        figures = rules.figures(position)
        first = horizon(position, 1, executor=HERE).phases[0]
        assert first.lost == Exact(figures.p_lost)
        assert first.revolts == Exact(figures.e_revolts)
        assert first.uprising == Exact(figures.p_uprising)


def test_doubles_keep_to_their_bound():
    """Every figure in doubles is an interval that contains the exact one, and hardly wider than nothing."""
    for position in [Position.parse(BEFORE_ROMA), Position.parse(QUIET), *phases(4, 40, seed=7)]:
        count = 2 if position.phase is Phase.ROMAN else 1
        exact = horizon(position, count, executor=HERE, fractions=10**6).phases[-1]
        rounded = horizon(position, count, executor=HERE, fractions=0, runs=0).phases[-1]
        assert rounded.method == "doubles"
        pairs = [(exact.lost, rounded.lost), (exact.revolts, rounded.revolts)]
        pairs += [(exact.causes[fall], rounded.causes[fall]) for fall in Fall]
        pairs += list(zip(exact.army_counts, rounded.army_counts, strict=True))
        assert list(exact.armies) == list(rounded.armies)
        pairs += [(exact.armies[province], rounded.armies[province]) for province in exact.armies]
        for true, found in pairs:
            assert isinstance(true, Exact)
            assert found.low <= true.value <= found.high
            assert found.high - found.low < Fraction(1, 10**7)


def test_a_cause_lost_in_rounding_is_not_reported_as_impossible():
    """Where another cause has a share, a double of nothing means only that this one's is small."""
    tally = {f"lost:{Fall.ARMY_IN_ROMA.name}": 0.5, f"lost:{Fall.NO_REVOLT_LEFT.name}": 0.0}
    causes = causes_of(Ledger([(tally, 1000)]), 1)
    assert causes[Fall.NO_REVOLT_LEFT].above(0) is None
    assert causes[Fall.NO_UNREST_LEFT] == Exact(Fraction(0))


def test_chances_add_up():
    phase = horizon(Position.parse(QUIET), 2, executor=HERE).phases[-1]
    assert phase.lost.value + sum(figure.value for figure in phase.army_counts) == 1


# -- where the exact method ends -----------------------------------------------------------------------------------


def test_it_says_where_the_exact_method_ends():
    found = horizon(Position.parse(BEFORE_ROMA), 3, executor=HERE, fractions=5, limit=50, runs=0)
    assert [phase.method for phase in found.phases] == ["fractions", "none", "none"]
    assert "phase 2: more than 50 positions before it" in found.notes[0]
    assert isinstance(found.phases[1].lost, Unknown)
    assert found.phases[1].lost.above(0) is None
    assert isinstance(found.phases[1].uprising, Exact), "tables without an uprising are fewer"


def test_everything_goes_to_json_and_to_rows():
    found = horizon(Position.parse(BEFORE_ROMA), 3, executor=HERE, fractions=5, limit=100, runs=200, batch=100)
    data = json.loads(json.dumps(found.as_data()))
    assert [phase["lost"]["kind"] for phase in data["phases"]] == ["exact", "interval", "estimate"]
    assert len(list(found.rows())) == 3 * 10
    assert "no revolt is left" in str(found)


@pytest.mark.parametrize(
    "numbers", [{"phases": 0}, {"phases": 256}, {"runs": -1}, {"batch": 3}, {"confidence": 1.0}, {"limit": -1}]
)
def test_numbers_that_make_no_sense_are_refused(numbers):
    with pytest.raises(ValueError, match="expected"):
        horizon(example("movement"), **{"phases": 1, **numbers})


def test_a_position_without_a_next_phase_is_refused():
    won = example("movement")
    discs = dict.fromkeys(won.board.borders[:4], "diocletian") | dict.fromkeys(won.board.borders[4:], "galerius")
    with pytest.raises(IllegalPositionError):
        horizon(won.replace(discs=discs), 1)


# -- the parts ---------------------------------------------------------------------------------------------------


def test_phases_without_an_uprising_and_with_one_make_all():
    """The quiet results are part of all results, and what they lack is the chance of an uprising."""
    for position in phases(10, 300, seed=11):
        every, calm = rules.outcomes(position), quiet_results(position)
        assert all(chance <= every[end] for end, chance in calm.items())
        assert 1 - sum(calm.values()) == rules.uprising_chance(position) == rules.figures(position).p_uprising


def test_rolled_is_the_sample_of_the_rules():
    for seed, position in enumerate(phases(40, 3000, seed=12)):
        assert rolled(position, RandomDice(seed)) == rules.sample(position, RandomDice(seed))


def test_causes_found_by_the_kernel_are_those_of_the_rules():
    random, levels, board = Random("causes"), list(all_levels()), Board.standard()
    stated = 0
    while stated < 12:
        recipe = random.choice(["before Roma", "last discs", "no unrest"])
        position = scattered(recipe, random.choice(levels), random, board, Phase.BARBARIAN)
        state = fast.to_state(position)
        if fast.kernel_for(board, position.ruleset).phase(state)["outcomes"] > 100:
            continue
        exact = rules.outcomes(position)
        falls = {fall for fall in Fall if fall in exact}
        course = Course(board, position.ruleset)
        assert falls <= set(possible_causes(state, course)), position
        only = only_cause(state, course)
        if only is not None:
            assert falls <= {only}, position
            continue
        stated += bool(falls)
        chances = cause_chances(state, course)
        for fall in Fall:
            assert chances.get(fall, 0.0) == pytest.approx(float(exact[fall]), abs=1e-12), position
