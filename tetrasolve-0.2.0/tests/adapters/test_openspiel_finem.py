"""The second game for OpenSpiel: its own tests of a game, and what comes out against the reference rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tablefinem import RULESETS

pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

from tetrasolve.adapters import openspielfinem as finem  # noqa: E402 # not without pyspiel
from tetrasolve.finem import rules  # noqa: E402
from tetrasolve.finem.examples import examples  # noqa: E402
from tetrasolve.finem.layout import REGIONS  # noqa: E402
from tetrasolve.finem.position import Position, Result, State  # noqa: E402
from tetrasolve.finem.ruleset import Ruleset  # noqa: E402


def load(**parameters: Any) -> Any:
    return pyspiel.load_game(finem.NAME, parameters)


def parameter(text: str) -> str:
    return text.replace("=", ":").replace(",", ";")


PLAYED = [ruleset for ruleset in RULESETS if "dealt" not in ruleset]


@pytest.mark.parametrize("ruleset", PLAYED)
def test_it_passes_the_tests_of_openspiel(ruleset: str) -> None:
    game = load(ruleset=parameter(ruleset), turns=6)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", sorted(examples()))
def test_positions_pass_them(name: str) -> None:
    game = load(position=str(examples()[name]).replace("hand=", "hand:"), turns=2, reward="standing")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert str(game.new_initial_state()) == str(examples()[name])


@pytest.mark.parametrize("ruleset", PLAYED)
def test_a_game_is_that_of_the_reference_rules(ruleset: str) -> None:
    """Each card and decision of a random game is taken by the reference rules too, as its words say."""
    chosen = Ruleset.from_text(ruleset)
    random, state = Random(ruleset), load(ruleset=parameter(ruleset), turns=12).new_initial_state()
    position: State | None = None
    while not state.is_terminal():
        number = random.choice(state.legal_actions())
        if isinstance(position, Position):
            words = [state.action_to_string(one) for one in state.legal_actions()]
            assert sorted(words) == sorted(rules.node(position).options)
            assert state.is_chance_node() == rules.node(position).is_chance
            position = rules.take(position, state.action_to_string(number))
        state.apply_action(number)
        if position is None and state.kept is not None:
            position = rules.set_up(chosen, [REGIONS[card] for card in state.cards], REGIONS[state.region])
        if position is not None:
            assert str(state) == str(position)
    won = isinstance(position, Result) and position.is_won
    assert state.returns() == [float(won)]


def test_a_full_set_up_is_drawn_again_or_lost() -> None:
    """Five cards of a tribe, three of them with three cubes, need more than its twelve."""
    cards = ["O5", "O6", "O7", "OS", "OC", "C5", "C6", "C7", "CS"]
    for ruleset, text in (("standard", "set-up C7:"), ("standard?E-FULL:lost", "lost: no cube of O left")):
        state = load(ruleset=ruleset).new_initial_state()
        for card in cards:
            state.apply_action(REGIONS.index(card))
        assert str(state) == text and state.is_terminal() == ("lost" in text)
        assert state.returns() == [0.0]


def test_rewards() -> None:
    line = "introductory consul C7/C7/E5 2123/OCB 1/1 C7:C1.O5:O1.E5:E2 role -"
    passed = [load(position=line, turns=1, reward=reward).new_initial_state() for reward in finem.REWARDS]
    for state in passed:
        state.apply_action(state.legal_actions()[0])
    assert [state.returns() for state in passed] == [[0.0], [1.0], [3 / 8]]
    with pytest.raises(ValueError, match="reward: expected one of"):
        finem.FinemGame({"reward": "glory"})
    with pytest.raises(ValueError, match="turns: expected 1 to"):
        finem.FinemGame({"turns": 0})
    with pytest.raises(ValueError, match="no level"):
        finem.FinemGame({"ruleset": "easy"})
    with pytest.raises(ValueError, match="the set-up deals the map"):
        finem.FinemGame({"ruleset": "standard?E-MAP:dealt"})
    with pytest.raises(ValueError, match="cannot occur"):
        finem.FinemGame({"position": "standard none C7/C7/E5 1111/- 1/1 C7:C4 act:4 -"})


def test_numbers_of_options_are_distinct() -> None:
    assert [finem.number_of(finem.option_of(number)) for number in range(finem.ACTIONS)] == [*range(finem.ACTIONS)]
