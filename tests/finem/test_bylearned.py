"""Games by the learned greedy policy: of a number and a seed alone, and with the choices that readings are about."""

from __future__ import annotations

from random import Random

import pytest

from tetrasolve.exact.deadline import stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.fast import option_text, state_of
from tetrasolve.finem.hint.players import games, player_of
from tetrasolve.finem.lint import bylearned
from tetrasolve.finem.lint.pairs import kernel_pairs, rulesets_of
from tetrasolve.finem.position import Position
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stopped


@pytest.mark.parametrize("text", ["standard", "standard?E-MAP=dealt"])
def test_games_depend_on_their_number_alone(text: str) -> None:
    whole = bylearned.play(text, 5, 0, 12)
    assert bylearned.play(text, 5, 0, 7) + bylearned.play(text, 5, 7, 5) == whole
    assert bylearned.play(text, 6, 0, 12) != whole
    assert set(whole) == {"w", "l"}


def test_they_are_those_of_the_policy_greedy() -> None:
    ends = games(Ruleset("introductory"), "greedy", 3, 0, 20)
    assert bylearned.play("introductory", 3, 0, 20) == "".join("w" if end == "won" else "l" for end, _ in ends)


@pytest.mark.parametrize("pair", kernel_pairs(), ids=lambda pair: pair.id)
def test_every_value_is_played_to_the_end(pair) -> None:
    for ruleset in rulesets_of(pair, "standard"):
        assert set(bylearned.play(str(ruleset), 0, 0, 2)) <= {"w", "l"}


def test_a_stop_ends_it() -> None:
    for text in ("standard", "standard?E-MAP=dealt"):
        with pytest.raises(Stopped):
            bylearned.play(text, 0, 0, 100_000, stop_of(0.01))


@pytest.mark.parametrize(
    ("text", "step", "word"),
    [
        ("standard?E-TRIBUNE=invasion", "swap", "exchange "),
        ("standard?E-INVASION-ORDER=tribune,E-TRIBUNE=invasion", "order", "invade "),
        ("standard?E-EXCHANGE=may", "exchange", "exchange"),
        ("standard", "act", "ride"),
        ("standard?E-EMPEROR=other", "appoint", "prefect"),
    ],
)
def test_it_makes_the_choices_that_readings_are_about(text: str, step: str, word: str) -> None:
    """The plain greedy policy of the kernel never rides, keeps each card of an invasion, and sees none first."""
    player, taken = player_of(Ruleset.from_text(text)), set()
    for seed in range(12):
        random, state = Random(seed), rules.random_set_up(Ruleset.from_text(text), seed)
        while isinstance(state, Position):
            node = rules.node(state)
            if node.is_chance:
                state = rules.take(state, random.choice(node.options))
                continue
            option = option_text(player.choose(state_of(state), "value")[0])
            taken.add((state.step.value, option))
            state = rules.take(state, option)
    options = {option for where, option in taken if where == step}
    assert word in options or any(option.startswith(word) for option in options if word.endswith(" ")), options
