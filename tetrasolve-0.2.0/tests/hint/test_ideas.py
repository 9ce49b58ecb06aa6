"""Plans that differ in idea: a distance on the table after the turn, the same best plan, equal plans the shortest."""

from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import pytest

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.hint.advice import BUDGETS, WIDE, hint
from tetrasolve.tetrarchia.hint.ideas import DIFFERENT, far_apart, idea_of
from tetrasolve.tetrarchia.hint.policy import DEFAULT, EXPECTIMAX, GREEDY, candidates, choose, value_of
from tetrasolve.tetrarchia.hint.prospects import before_phase
from tetrasolve.tetrarchia.hint.reasons import LEAST, LEVEL
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.tree import Plan, read_plan
from tetrasolve.tetrarchia.position import Position

POSITIONS = [
    Position.parse(line)
    for line in Path(__file__).parent.joinpath("data", "positions.txt").read_text("utf-8").splitlines()
]
SOME = [POSITIONS[n] for n in (3, 17, 46, 54)]  # some with modules and rebels


def idea(position, text):
    plan = read_plan(text, position.board)
    return idea_of(plan, endings(position, plan))


def by_hand(position, one, other):
    """The distance of two plans without an attack, counted piece by piece."""
    ((_, here, _),), ((_, there, _),) = endings(position, one), endings(position, other)
    total = Fraction(0)
    for province in position.board.order:
        disc, instead = here.discs.get(province), there.discs.get(province)
        if disc != instead:
            for changed in {disc, instead} - {None}:
                is_heavy = changed == "revolt" or (changed != "unrest" and position.board[province].is_border)
                total += 2 if is_heavy else 1
    total += sum(here.emperors[emperor] != there.emperors[emperor] for emperor in here.emperors)
    left = list(there.fleets)
    for zone in here.fleets:
        if zone in left:
            left.remove(zone)
    return total + Fraction(len(left), 2)


def test_the_distance_is_counted_on_the_table():
    """Not in the steps: the order does not matter, and each piece that lies elsewhere does."""
    table = example("movement")
    one = idea(table, "move achaia; reduce; move syria; reduce")
    same = idea(table, "move syria; reduce; move achaia; reduce")
    other = idea(table, "move achaia; reduce; move dalmatia; reduce")
    assert one.distance(same) == 1 and not one.differs(same)  # he stands elsewhere
    assert one.distance(other) == 7 and one.differs(other)  # two revolts and two unrest besides
    assert idea(table, "move achaia; reduce").differs(idea(table, "move achaia; remove")) is False


def test_the_distance_is_that_of_the_pieces():
    """With every plan of the search for a turn of the base game without an army."""
    table = next(position for position in POSITIONS if not position.armies and not position.rules_in_use)
    plans = [candidate.plan for candidate in candidates(table, GREEDY, top=30).candidates]
    ideas = [idea_of(plan, endings(table, plan)) for plan in plans]
    assert len(plans) == 30
    for first, second in combinations(range(len(plans)), 2):
        assert ideas[first].distance(ideas[second]) == by_hand(table, plans[first], plans[second])


@pytest.mark.parametrize("position", [example("fight"), SOME[2]], ids=lambda position: str(position)[:20])
def test_it_is_a_distance(position):
    """Attacks and modules too: symmetric, 0 for the same table, and no way round is shorter."""
    plans = [candidate.plan for candidate in candidates(position, GREEDY, top=8).candidates]
    ideas = [idea_of(plan, endings(position, plan)) for plan in plans]
    for one, other, third in permutations(ideas, 3):
        assert one.distance(one) == 0 < one.distance(other) == other.distance(one)
        assert one.distance(third) <= one.distance(other) + other.distance(third)


def test_an_attack_is_an_idea():
    """Whatever its chance: the army is beaten, or the turn is over."""
    fight = example("fight")
    attack = next(
        c.plan
        for c in candidates(fight, GREEDY, top=40).candidates
        if c.plan.fork and not c.plan.fork.branches[0][2].steps
    )
    before = Plan(attack.steps)
    assert idea_of(attack, endings(fight, attack)).differs(idea_of(before, endings(fight, before)))


@pytest.mark.parametrize("position", SOME, ids=lambda position: str(position)[:20])
@pytest.mark.parametrize("budget", ["greedy", "search"])
def test_alternatives_are_other_ideas(position, budget):
    """None within 0.2 points of the best, or of each other, is the same idea; and the best plan is that of the search."""
    found = hint(position, budget=budget)
    ideas = [idea_of(advice.plan, advice.prospects.ends) for advice in found.advice]
    for one, other in combinations(ideas, 2):
        assert one.differs(other)
        assert one.attacked != other.attacked or one.distance(other) >= DIFFERENT
    assert found.best.plan == choose(position, BUDGETS[budget])
    assert [advice.loss for advice in found.advice] == sorted(advice.loss for advice in found.advice)
    for advice in found.advice:  # all are compared on equal terms
        assert advice.win.evaluated == found.best.win.evaluated or advice.win.raw in (0.0, 1.0)
        assert all(reason.data.get("chance", 1) >= LEAST for reason in advice.reasons)


@pytest.mark.parametrize("position", [example("fight"), *SOME], ids=lambda position: str(position)[:20])
def test_any_plan_is_valued_as_the_search_values_it(position):
    """With the same dice: plans of its last stage have the same value, the same stage and the same error."""
    for budget in (GREEDY, EXPECTIMAX, DEFAULT):
        found = candidates(position, budget, 3, WIDE).candidates
        last = [candidate for candidate in found if candidate.stage == found[0].stage][: 3 if budget is DEFAULT else 1]
        for candidate in last:
            again = value_of(position, candidate.plan, budget, 3)
            assert again.value == pytest.approx(candidate.value, abs=1e-12) and again.stage == candidate.stage
            assert (again.error or 0) == pytest.approx(candidate.error or 0, abs=1e-6)


def test_the_last_points_have_ideas_too():
    """With one IP left where he stands is the idea; with all of them it is the last step."""
    table = POSITIONS[0]
    assert far_apart(table) == DIFFERENT and far_apart(table.replace(ip=1)) == 1
    found = hint(table.replace(ip=1), budget="greedy")
    assert len(found.advice) == 3
    for one, other in combinations(found.advice, 2):
        assert idea_of(one.plan, one.prospects.ends).distance(idea_of(other.plan, other.prospects.ends)) >= 1


def test_words_for_what_is_level():
    """A plan that is no worse is not said to be behind."""
    for position in SOME[:4]:
        found = hint(position, budget="greedy")
        for advice, line in zip(
            found.advice[1:],
            (line for line in str(found).splitlines() if ". wins" in line and line[0] != "1"),
            strict=True,
        ):
            assert ("level with the best" in line) == (advice.loss < LEVEL)


# -- equal plans -----------------------------------------------------------------------------------------------


def fewest(position, end, most):
    """The fewest actions, below `most`, to this table at the end of the turn, by all plans of the reference rules; else `most`."""
    seen, front = {position}, [position]
    for done in range(most):
        if any(before_phase(state) == end and rules.may_end(state) for state in front):
            return done
        after = []
        for state in front if done + 1 < most else ():
            for action in rules.legal_actions(state):
                if action.kind not in (Kind.ATTACK, Kind.END):
                    state_after = rules.play(state, action)
                    if state_after not in seen:
                        seen.add(state_after)
                        after.append(state_after)
        front = after
    return most


SAILS = (
    "3122 M:6 -/afr/rha/ach 2 gat.gma syr.cil.cap.gat.asi.bit.aeg.cyr.tri tin.car.num -/-/gsu.aqu.nar/tar.ach",
    "3122 M:6 thr/rha/epi/ach 3 - tin.syr.cil.cap.gat.asi.bit.aeg.cyr car.rha.min.num.afr -/-/aqu/tar.ach",
)


def test_equal_plans_are_the_shortest():
    """So a fleet that sails there and back has to: no shorter plan leaves this table."""
    position = Position.parse(SAILS[0])
    shown = [
        c.plan
        for c in candidates(position, GREEDY, top=WIDE).candidates
        if c.plan.fork is None and len(c.plan.steps) <= 4
    ]
    back = [plan for plan in shown if str(plan).count("sail") > 1]
    assert back
    for plan in [*shown[:2], back[0]]:
        ((_, end, _),) = endings(position, plan)
        assert fewest(position, before_phase(end), len(plan.steps)) == len(plan.steps)


@pytest.mark.slow
@pytest.mark.parametrize(
    "position", [*map(Position.parse, SAILS), *POSITIONS[4::12]], ids=lambda position: str(position)[:20]
)
def test_more_equal_plans_are_the_shortest(position):
    for advice in hint(position, budget="search").advice:
        if advice.plan.fork is None:
            ((_, end, _),) = endings(position, advice.plan)
            assert fewest(position, before_phase(end), len(advice.plan.steps)) == len(advice.plan.steps)
