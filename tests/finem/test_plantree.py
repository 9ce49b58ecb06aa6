"""States of a phase of actions that stand for each other: the same plan as where each stands for itself.

What follows the actions is replaced by numbers drawn at random for each situation, few of them, so that many plans are equally
good: nothing but the actions decides, and which of equal plans is shown. `one_by_one` in test_plan.py holds the values of plans
against the reference rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from tablefinem import random_game, table

from tetrasolve.finem import plan as planning
from tetrasolve.finem import rules
from tetrasolve.finem.evaluation import read_objective
from tetrasolve.finem.examples import examples
from tetrasolve.finem.plan import STATES, Plan, plan
from tetrasolve.finem.plantree import Tree
from tetrasolve.finem.position import Phase, Position, State, Step

AIM = read_objective("p_lost")
LEVELS = ("standard", "introductory?E-PREFECT=turn", "standard+sphere?E-PACIFY=free", "standard?E-PACIFY=action")


def values_at_random(monkeypatch: pytest.MonkeyPatch, seed: int, different: int) -> None:
    """Each situation after the actions has one of so many values."""

    def value_ends(tree: Tree) -> None:
        tree.values = {key: Fraction(Random(f"{seed} {key}").randrange(different), different) for key in tree.ends}

    monkeypatch.setattr(Tree, "value_ends", value_ends)


def apart(monkeypatch: pytest.MonkeyPatch, position: Position, objective: str) -> Plan:
    """The plan where each state stands for itself."""

    class Apart(Tree):
        def __init__(self, *args: object, **named: object) -> None:
            super().__init__(*args, **named, merges=False)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(planning, "Tree", Apart)
        return plan(position, objective, states=10**6)


def dictators(left: int) -> Iterator[Position]:
    """Positions of games played at random, with a Dictator who has so many actions left."""
    yield examples()["dictator"].replace(left=left)
    for seed in range(8):
        for position, _, _ in random_game(LEVELS[seed % len(LEVELS)], seed):
            if position.phase is Phase.ACTIONS:
                changed = position.replace(role="dictator", left=min(left, position.left) or position.left)
                if not changed.status():
                    yield changed
                    break


@pytest.mark.parametrize("different", [2, 1000])
def test_the_plan_is_that_of_each_state_by_itself(different: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0
    for seed, position in enumerate(dictators(2)):
        values_at_random(monkeypatch, seed, different)
        objective = ("p_lost", "most p_lost")[(seed + different) % 2]
        found, other = plan(position, objective), apart(monkeypatch, position, objective)
        assert found.as_data() == other.as_data(), str(position)
        tried += 1
    assert tried >= 6


def test_three_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """69,000 states, and 4,000 that stand for them."""
    position = examples()["dictator"].replace(left=3)
    values_at_random(monkeypatch, 1, 3)
    found, other = plan(position), apart(monkeypatch, position, "p_lost")
    assert found.as_data() == other.as_data() and found.ends > 3000
    assert plan(position, states=8_000).status == "exact"


@pytest.mark.parametrize("different", [2, 1000])
def test_the_actions_of_a_plan_are_legal(different: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the reference rules, with each card that the Dictator can draw."""
    seen = 0
    for seed, position in enumerate(dictators(2)):
        values_at_random(monkeypatch, seed, different)
        found = plan(position)
        state: State = position
        for action in found.actions:
            state = rules.take(state, action)
        for card, (actions, _) in found.rides.items():
            drawn = rules.take(state, card)
            for action in actions:
                drawn = rules.take(drawn, action)
            seen += len(actions)
    assert seen > 24


def test_a_dictator_who_travels_besides(monkeypatch: pytest.MonkeyPatch) -> None:
    """[E-EMPEROR-TRAVEL]: he can move to the start and to the region last invaded, too."""
    rules_ = "standard?E-EMPEROR-WHEN=at-once,E-EMPEROR-TRAVEL=besides"
    position = table(
        "dictator", rules=rules_, dice="2221/-", at="E5", last="BR", cubes="C7:C2.BR:B3", step="act:2", more="- travels"
    )
    assert position.has_travel and not position.status()
    values_at_random(monkeypatch, 7, 3)
    found = plan(position)
    assert {"move C7", "move BR"} <= found.options.keys()
    assert found.as_data() == apart(monkeypatch, position, "p_lost").as_data()


def tree_of(position: Position, *, merges: bool = True) -> Tree:
    tree = Tree(position, AIM, None, has_rides=True, most_states=10**6, merges=merges)
    tree.grow()
    return tree


def test_the_situations_are_the_same() -> None:
    """Of fewer states, the same: also in the middle of a ride."""
    for position in (
        examples()["dictator"].replace(left=2),
        table("dictator", dice="2221/-", cubes="C7:C2.CC:C3.E5:E1", step="dictator:1"),
        table("dictator", dice="2221/-", cubes="C7:C2.CC:C3.E5:E1", step="ride:E5", more="E5"),
    ):
        one, other = tree_of(position), tree_of(position, merges=False)
        assert one.ends.keys() == other.ends.keys()
        assert len(one.after) <= len(other.after)


@pytest.mark.parametrize(
    "rules_", ["standard?E-DICTATOR=must", "standard?E-DICTATOR=there", "standard?E-DICTATOR-STAY=free"]
)
def test_other_values_keep_each_state(rules_: str) -> None:
    """A card that he must follow leaves him where he would not go, and a free stay gives the action back."""
    position = table("dictator", rules=rules_, dice="2221/-", cubes="C7:C2.E5:E1", step="act:1", more="O5.B6.B7")
    assert not Tree(position, AIM, None, has_rides=True, most_states=1).merges
    assert tree_of(position).after.keys() == tree_of(position, merges=False).after.keys()


def test_the_standard_number_suffices_for_four_actions() -> None:
    """The example had 870,264 states of its own and as many situations as here."""
    tree = tree_of(examples()["dictator"])
    assert len(tree.ends) == 26_572
    assert len(tree.after) + len(tree.ends) < STATES // 1.5
    assert STEP_LEFT not in {(state.step, state.fields()["left"]) for state in tree.after}


STEP_LEFT = ([*Step].index(Step.RIDE), 0)  # no place after the last card is kept
