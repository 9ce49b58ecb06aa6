"""Plans followed as far as they are legal: by both engines the same, exactly and with dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from scatter import scattered
from tabletop import random_action

from tetrasolve.errors import UnreadableActionError
from tetrasolve.exact import Exact
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.action import Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.kernel import Rng, State
from tetrasolve.tetrarchia.plan.tree import Fork, Plan, read_plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.course import Course, read_plans
from tetrasolve.tetrarchia.risk.follow import follow, follow_rolled, follow_state
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import all_levels

BOARD = Board.standard()
HERE = SerialExecutor()


def merged(ends: list[tuple[State, Fraction]], position: Position) -> dict[Position | str, Fraction]:
    found: dict[Position | str, Fraction] = {}
    for state, share in ends:
        end = "fallen" if state.result == kernel.FALLEN else fast.to_position(state, BOARD, position.ruleset)
        found[end] = found.get(end, Fraction(0)) + share
    return found


def some_plan(position: Position, random: Random, depth: int = 0) -> Plan:
    """A plan made for this position: at random, legal when it is made."""
    steps = []
    for _ in range(random.randint(0, 6)):
        action = random_action(position, random)
        if action is None or action.kind is Kind.END:
            break
        if action.kind is Kind.ATTACK and random.random() < 0.7:
            branches = tuple(
                (outcome, Fraction(1, 3), some_plan(position, random, depth + 1) if depth < 2 else Plan())
                for outcome in Outcome
                if random.random() < 0.8
            )
            return Plan(tuple(steps), Fork(action.place, branches))
        steps.append(action)
        after = rules.play(position, action)
        if isinstance(after, Fall):
            break
        position = after
    return Plan(tuple(steps))


BEST_OF_FIGHT = "secure; move belgica; secure; move germania_superior; "  # then the attack is won with 17/18


@pytest.mark.parametrize(
    ("attack", "stated"),
    [
        ("attack narbonensis {victory: reduce}", "attack narbonensis {victory 1/2: reduce}"),
        ("attack narbonensis", "attack narbonensis {defeat 1/2: end}"),
    ],
)
def test_branches_of_a_later_plan_need_no_chances(attack: str, stated: str):
    """An attack has its true chances, whatever the plan says; one without branches ends the turn."""
    position = example("fight")
    read, other = read_plans((BEST_OF_FIGHT + attack, BEST_OF_FIGHT + stated), BOARD)

    assert sorted(follow(position, read).values()) == [Fraction(1, 36), Fraction(1, 36), Fraction(17, 18)]
    assert follow(position, read) == follow(position, other)
    assert str(read) == BEST_OF_FIGHT + attack
    assert "-1" not in read._repr_html_()


def test_both_engines_follow_a_plan_alike():
    """Plans made for one position and followed on another, where some of what they say is forbidden."""
    random, levels = Random("plans"), list(all_levels())
    forks = stopped = 0
    for _ in range(400):
        ruleset = random.choice(levels)
        made_for = scattered(random.choice(["invasion", "mixed", "before Roma"]), ruleset, random, BOARD)
        plan = some_plan(made_for, random)
        position = made_for if random.random() < 0.5 else scattered("mixed", ruleset, random, BOARD)
        ways = follow(position, plan)
        assert sum(ways.values()) == 1
        engine = fast.kernel_for(BOARD, ruleset)
        theirs = merged(follow_state(engine, BOARD, fast.to_state(position), plan), position)
        assert theirs == {"fallen" if isinstance(end, Fall) else end: share for end, share in ways.items()}
        assert position.is_shared or not any(isinstance(end, Position) and end.is_shared for end in ways)
        forks += len(ways) > 1
        stopped += position in ways and bool(plan.steps)
    assert forks > 10
    assert stopped > 50


def test_a_rolled_plan_has_the_chances_of_the_exact_one():
    position = Position.parse("4211 D:6 cis/-/-/- 23 nar nar - cis.etr/-/-/-")
    branches = (Outcome.VICTORY, Fraction(1), Plan()), (Outcome.DRAW, Fraction(1), Plan((), Fork("narbonensis", ())))
    plan = Plan((), Fork("narbonensis", branches))
    engine, ways = fast.kernel_for(BOARD, position.ruleset), follow(position, plan)
    assert len(ways) == 4, "victory at once or after a draw, two draws, defeat"
    state, n = fast.to_state(position), 4000
    seen = Counter(
        fast.to_position(follow_rolled(engine, BOARD, state, plan, Rng(seed)), BOARD, position.ruleset)
        for seed in range(n)
    )
    assert set(seen) == set(ways)
    for end, share in ways.items():
        p = float(share)
        assert abs(seen[end] / n - p) < 4.5 * (p * (1 - p) / n) ** 0.5  # one in 10^5


def test_the_first_forbidden_action_ends_the_turn():
    position = Position.parse("4211 D:6 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-")
    alone = follow(position, read_plan("move asia; move roma; move galatia", BOARD))
    assert alone == follow(position, read_plan("move asia", BOARD))
    assert follow(position, read_plan("end", BOARD)) == {position: 1}
    assert follow(position, Plan()) == {position: 1}


def test_he_does_not_stop_where_another_stands():
    position = Position.parse("4211 D:6 bit/asi/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-")
    assert follow(position, read_plan("move asia", BOARD)) == {position: 1}
    (through,) = follow(position, read_plan("move asia; move cilicia", BOARD))
    assert through.here == "cilicia"


def test_nobody_acts_leaves_off_the_board_who_is_off():
    position = Position.parse("4211 D:6 -/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-")
    assert not rules.may_end(position)
    assert follow(position, Plan()) == {position: 1}


def test_a_plan_changes_the_horizon():
    position = Position.parse("4211 D:6 rom/-/-/- 23 sic sic - -/-/-/-")
    idle = horizon(position, 2, executor=HERE).phases
    busy = horizon(position, 2, executor=HERE, plans=["move lucania; secure"]).phases
    assert idle[1].lost.value < Fraction(1, 2) == Fraction(1, 2), "Diocletian stands in Roma and may win the battle"
    assert busy[0].lost == Exact(Fraction(0))
    assert busy != idle
    late = horizon(position, 2, executor=HERE, plans=[None, "enter roma; move lucania"]).phases
    assert late[0] == idle[0], "the second turn is Galerius's, after the first phase"
    assert late[1] != idle[1]


def test_a_plan_can_win_the_game():
    position = Position.parse("5311 D:6 gae/-/-/- 123 - syr - lib.per.srm.gma/bri/-/-")
    found = horizon(position, 2, executor=HERE, plans=["secure"])
    assert [phase.won for phase in found.phases] == [Exact(Fraction(1))] * 2
    assert found.phases[1].revolts == Exact(Fraction(1))
    assert found.phases[1].uprising == Exact(Fraction(0))
    rounded = horizon(position, 2, executor=HERE, plans=["secure"], fractions=0, limit=0, runs=20, batch=20)
    assert rounded.phases[1].won.value == 1


def test_plans_are_read_in_all_their_forms():
    plans = read_plans(["secure", ["move asia", "secure"], None, "", Plan()], BOARD)
    assert list(map(str, plans)) == ["secure", "move asia; secure", "end", "end", "end"]
    with pytest.raises(UnreadableActionError):
        read_plans(["fly"], BOARD)


def test_a_course_can_be_sent_away():
    import pickle

    course = Course(BOARD, example("fight").ruleset, read_plans(["move asia; secure"], BOARD))
    again = pickle.loads(pickle.dumps(course))  # noqa: S301  # our own
    assert (again.board, again.ruleset, again.plans) == (course.board, course.ruleset, course.plans)
    assert hash(again.board) == hash(course.board)
