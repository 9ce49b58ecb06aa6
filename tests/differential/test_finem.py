"""The second game's kernel beside its reference rules: the same options, the same states after them, the same turns.

Games are played at random under rulesets drawn at random, so that every level, option, reading and map occurs.
``bench/finem_engines.py`` does so on a million states and keeps what it found.
"""

from __future__ import annotations

from random import Random

import pytest
from tablefinem import ALL_RULESETS, RULESETS, random_game, table

from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, option_text, position_of, state_of
from tetrasolve.finem.kernel import POLICIES as KERNEL_POLICIES
from tetrasolve.finem.kernel import READINGS as READINGS_OF_THE_KERNEL
from tetrasolve.finem.kernel import RESULTS
from tetrasolve.finem.layout import NUMBER, REGIONS, layout
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Phase, Position, Result
from tetrasolve.finem.ruleset import KERNEL_READINGS, LEVELS, OPTIONS, Ruleset


def random_ruleset(random: Random) -> Ruleset:
    """A level with options, each reading with a value drawn at random, and half the time the cards on other places."""
    level = random.choice(LEVELS)
    options = frozenset(option for option in OPTIONS if random.random() < 0.4)
    options = options or frozenset({"sphere"} if level == "expert" else ())
    chosen = tuple(
        (name, random.choice(reading.played))
        for name, reading in KERNEL_READINGS.items()
        if reading.applies(level, options) and random.random() < 0.5
    )
    cards = tuple(random.sample(REGIONS, len(REGIONS))) if random.random() < 0.5 else ()
    return Ruleset(level, options, chosen, cards)


def compare_step(position: Position, option: str, following: Position | Result) -> None:
    """The kernel lists the same options and comes to the same state, and back to the same position."""
    engine, state = engine_of(position.ruleset), state_of(position)
    assert position_of(position.ruleset, state) == position, str(position)
    codes = engine.options(state)
    texts = [option_text(code) for code in codes]
    assert texts == [*rules.node(position).options], str(position)
    after = engine.take(state, codes[texts.index(option)])
    assert position_of(position.ruleset, after) == following, f"{position} {option}"
    if isinstance(following, Position):
        assert after == state_of(following), f"{position} {option}"
    if not rules.node(position).is_chance:
        for policy in KERNEL_POLICIES:
            expected = POLICIES[policy](position, rules.node(position))
            assert option_text(engine.decide(state, policy)) == expected, f"{position} {policy}"


def compare_game(ruleset: str, seed: int) -> int:
    steps = 0
    for position, option, following in random_game(ruleset, seed):
        compare_step(position, option, following)
        steps += 1
    return steps


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_random_games_agree_step_by_step(ruleset: str) -> None:
    assert sum(compare_game(ruleset, seed) for seed in range(4)) > 40


def test_random_games_of_random_rulesets_agree() -> None:
    random = Random("rulesets")
    assert sum(compare_game(str(random_ruleset(random)), seed) for seed in range(30)) > 1000


# -- tables ----------------------------------------------------------------------------------------------------------------


def test_the_kernel_knows_every_reading_policy_and_result() -> None:
    assert {name: reading.played for name, reading in KERNEL_READINGS.items()} == READINGS_OF_THE_KERNEL
    assert {*POLICIES} - {*KERNEL_POLICIES} == {"greedy"}  # it decides on actions, which the kernel's turns do not have
    assert RESULTS[1:4] == ("won", "lost: outbreaks", "lost: decline") and len(RESULTS) == 8


@pytest.mark.parametrize("border", ["", "gap", "skip"])
def test_both_engines_have_the_same_map(border: str) -> None:
    random = Random(border)
    for cards in [(), *(tuple(random.sample(REGIONS, 24)) for _ in range(20))]:
        options = frozenset({"sphere"} if border else ())
        chosen = (("E-SPHERE", border),) if border else ()
        ruleset = Ruleset("introductory", options, chosen, cards)
        masks = engine_of(ruleset).neighbours
        for region, mask in zip(REGIONS, masks, strict=True):
            assert [REGIONS[at] for at in range(24) if mask >> at & 1] == [*ruleset.layout.neighbours[region]]
    assert sum(mask.bit_count() for mask in engine_of(Ruleset("introductory")).neighbours) == 2 * 28
    assert layout() == Ruleset("introductory").layout


@pytest.mark.parametrize("ruleset", [RULESETS[0], RULESETS[3]])
def test_set_ups_agree(ruleset: str) -> None:
    random, chosen = Random(1), Ruleset.from_text(ruleset)
    for _ in range(100):
        cards, start = rules.drawn_set_up(chosen, random)
        state = engine_of(chosen).set_up([NUMBER[card] for card in cards], NUMBER[start])
        assert position_of(chosen, state) == rules.set_up(chosen, cards, start)
    lost = Ruleset.from_text("standard?E-FULL=lost")
    full = ("O5", "O6", "O7", "OS", "OC", "E5", "C5", "C6", "C7")
    state = engine_of(lost).set_up([NUMBER[card] for card in full], 0)
    assert position_of(lost, state) == rules.set_up(lost, full)


# -- perft -----------------------------------------------------------------------------------------------------------------


def count(position: Position | Result, depth: int) -> int:
    """Sequences of options in the phase of actions, each to its end or of `depth` options, by the reference rules."""
    if isinstance(position, Result) or not depth or position.phase is not Phase.ACTIONS:
        return 1
    return sum(count(rules.take(position, option), depth - 1) for option in rules.node(position).options)


@pytest.mark.parametrize(
    ("role", "left"),
    [("none", 3), ("prefect", 3), ("consul", 3), ("magister", 3), ("emperor", 2), ("tribune", 2), ("dictator", 1)],
)
def test_both_engines_count_the_same_sequences_of_actions(role: str, left: int) -> None:
    position = table(role, cubes="C7:C3O1.C6:C2.CS:E1B2.O7:O3", dice="1511/B", step=f"act:{left}")
    engine, state = engine_of(position.ruleset), state_of(position)
    assert [engine.perft(state, depth) for depth in (1, 2, 99)] == [count(position, depth) for depth in (1, 2, 99)]
