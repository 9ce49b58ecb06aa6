"""The best actions of a turn, against all sequences one by one by the reference rules; what stands beside them; time."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tablefinem import table

from tetrasolve.errors import ArgumentError, IllegalPositionError, ObjectiveError
from tetrasolve.exact.certainty import Exact
from tetrasolve.finem import rules
from tetrasolve.finem.bestturn import best_turn
from tetrasolve.finem.evaluation import Objective, read_objective
from tetrasolve.finem.examples import examples
from tetrasolve.finem.plan import plan
from tetrasolve.finem.plantree import Tree
from tetrasolve.finem.position import Phase, Position, State, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop

DICTATOR = examples()["dictator"]
NEVER = "standard?E-EVENT=never"  # the rest of the turn is quick to value


def one_by_one(state: State, aim: Objective) -> Fraction:
    """The value of the best actions: each sequence is followed to its end, where the rest of the turn is valued by itself."""
    if not isinstance(state, Position) or state.phase is not Phase.ACTIONS:
        if isinstance(state, Position):
            found = best_turn(state, str(aim)).value
            assert isinstance(found, Exact)
            return found.value
        return Fraction(aim.evaluation.of(state))
    node = rules.node(state)
    values = [one_by_one(rules.take(state, option), aim) for option in node.options]
    if node.is_chance:
        return sum(values, Fraction(0)) / len(values)
    return max(values) if aim.aims_at_most else min(values)


CASES = (
    (table("consul", rules=NEVER, dice="2221/-", cubes="C7:C2.C6:C3.E5:E1", step="act:2"), "p_lost"),
    (table("magister", rules=NEVER, dice="2221/-", cubes="C7:C2.C6:C3.E5:E1", step="act:2"), "cubes=-1 outbreaks=-7 lost=-90"),
    (table("prefect", rules=NEVER, dice="5213/-", cubes="C7:C2.C6:C3.E5:E1", step="act:2"), "pacified=5 die=1 cubes=-1"),
    (table("prefect", rules="introductory", dice="5111/CEB", cubes="C7:C2.E5:E1", step="act:1"), "p_won"),
    (table("emperor", rules=NEVER, dice="2221/-", cubes="C7:C2.C6:C3.E5:E1", step="act:1"), "most p_lost"),
    (table("dictator", rules=NEVER, dice="2221/-", cubes="C7:C2.C6:C3.E5:E1", step="act:1"), "p_lost"),
    (table("dictator", rules=NEVER, dice="2221/-", cubes="C7:C2.CC:C3.E5:E1", step="ride:E5", more="E5"), "p_lost"),
)  # fmt: skip


@pytest.mark.parametrize(("position", "objective"), CASES, ids=str)
def test_no_sequence_of_actions_is_better(position: Position, objective: str) -> None:
    found = plan(position, objective)
    assert found.status == "exact"
    assert found.value == Exact(one_by_one(position, read_objective(objective)))


def test_the_actions_reach_the_value() -> None:
    for position, objective in CASES[:3]:
        found = plan(position, objective)
        state: State = position
        for action in found.actions:
            state = rules.take(state, action)
        if isinstance(state, Position) and state.step is Step.ACT:
            state = rules.take(state, "pass")
        assert isinstance(state, Position) and best_turn(state, objective).value == found.value
        assert found.options[found.actions[0]] == found.value == next(iter(found.options.values()))
        assert found.options["pass"] == best_turn(position, objective).value


def test_a_plan_has_no_idle_actions() -> None:
    """Nothing can be better than to pass here, and so it passes."""
    calm = table("consul", rules=NEVER, dice="2221/-", cubes="E5:E1", step="act:2")
    assert plan(calm).actions == () and plan(calm).value == Exact(Fraction(0))
    won = plan(table("prefect", dice="5111/CEB", cubes="C7:C2", step="act:4"), "p_won")
    assert won.actions == ("pacify O",) and won.value == Exact(Fraction(1))


def test_the_first_turn_wins_where_the_action_pacifies_at_any_die() -> None:
    start = rules.random_set_up(Ruleset.from_text("standard?E-PACIFY=free,E-EVENT=never"), 5)
    assert isinstance(start, Position)
    found = plan(start, "p_won")
    assert found.value == Exact(Fraction(1)) and sorted(found.actions) == [
        "pacify B",
        "pacify C",
        "pacify E",
        "pacify O",
    ]


def test_a_dictator_knows_what_to_do_after_each_card() -> None:
    """Three cubes on both neighbours lie behind CR alone; the mean over his cards is what the ride is worth."""
    position = table("dictator", rules=NEVER, dice="2221/-", cubes="BR:B3.BS:B3", tracks="1/3", step="act:2")
    found = plan(position)
    assert found.actions == ("ride",) and len(found.rides) == 24
    assert found.rides["CR"][0] == ("move BR", "confront B") and found.rides["OS"][0] == ("move BS", "confront B")
    values = [value.value for _, value in found.rides.values() if isinstance(value, Exact)]
    assert found.value == Exact(sum(values, Fraction(0)) / 24)


def test_without_time_the_values_are_bounds() -> None:
    cancelled = Stop()
    cancelled.set()
    for stopped in (plan(DICTATOR, seconds=0), plan(DICTATOR, cancel=cancelled)):
        assert stopped.status == "interrupted" and (stopped.value.low, stopped.value.high) == (0, 1)
        assert [*stopped.options] == [*rules.node(DICTATOR).options] and stopped.actions == ()
    part = plan(DICTATOR, seconds=0.8)
    assert part.status == "interrupted" and part.value.low == 0 < part.value.high <= 1
    assert part.options["ride"].high == 1


@pytest.mark.parametrize("position", [CASES[0][0], CASES[5][0]], ids=str)
def test_a_stop_at_any_moment_leaves_bounds(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    """The flag is set when all ends are valued, before the best actions are chosen."""
    exact, cancelled, value_ends = plan(position).value, Stop(), Tree.value_ends

    def value_and_cancel(tree: Tree) -> None:
        value_ends(tree)
        if tree.has_rides or not tree.is_cut:
            cancelled.set()

    monkeypatch.setattr(Tree, "value_ends", value_and_cancel)
    found = plan(position, cancel=cancelled)
    assert (found.status, found.stopped_by) == ("interrupted", "cancelled")
    assert found.value.low <= exact.low and exact.high <= found.value.high < 1


@pytest.mark.parametrize("most", [1, 2, 5, 20])
def test_more_states_than_are_kept_leave_bounds(most: int) -> None:
    position = CASES[5][0]
    exact = plan(position)
    assert exact.stopped_by is None and exact.ends > 20
    found = plan(position, states=most)
    assert (found.status, found.stopped_by) == ("interrupted", "states") and found.ends <= found.states == most
    assert found.as_data()["stopped_by"] == "states"
    assert found.value.low <= exact.value.low and exact.value.high <= found.value.high
    assert found.options.keys() == exact.options.keys()


def test_what_was_valued_at_the_end_of_the_actions_is_exact_in_a_plan_that_is_not() -> None:
    """To pass is one situation; an option that leads on is worth an interval as long as a ride could lead elsewhere."""
    aim = read_objective("cubes=-1")
    turn, actions = plan(DICTATOR, states=200), plan(DICTATOR, str(aim), horizon="actions", states=200)
    assert turn.options["pass"] == best_turn(DICTATOR).value
    assert actions.options["pass"] == Exact(Fraction(aim.evaluation.of(DICTATOR)))
    for found in (turn, actions):
        assert found.status == "interrupted" and not isinstance(found.value, Exact)
        assert [option for option, value in found.options.items() if isinstance(value, Exact)] == ["pass"]


def test_what_has_no_plan_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="expected a position in the phase of actions"):
        plan(examples()["limit"])
    with pytest.raises(IllegalPositionError, match="cannot occur"):
        plan(table(cubes="C7:C4"))
    with pytest.raises(ObjectiveError):
        plan(DICTATOR, "everything")
    for states in (0, -1, 1_000_001, 1.5, True, "all"):
        with pytest.raises(ArgumentError, match="a whole number from 1 to 1,000,000"):
            plan(DICTATOR, states=states)  # type: ignore[arg-type]  # the error is the point
    with pytest.raises(ArgumentError):
        plan("dictator")  # type: ignore[arg-type]  # the error is the point
