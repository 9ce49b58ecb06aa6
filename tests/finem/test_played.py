"""The greedy policy on packed states is that of the reference, and paired games are what they say."""

from __future__ import annotations

from random import Random

import pytest
from tablefinem import ALL_RULESETS

from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, option_text, state_of
from tetrasolve.finem.lint import played
from tetrasolve.finem.lint.pairs import kernel_pairs, later_pairs, pairs, rulesets_of, table_of
from tetrasolve.finem.lint.wholegames import LEVELS, ReadingGames, measure, play_games
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Position
from tetrasolve.finem.ruleset import READINGS, Ruleset


@pytest.mark.parametrize("text", ALL_RULESETS)
def test_both_policies_decide_alike(text: str) -> None:
    decided = 0
    for seed in range(3):
        random, state = Random(seed), rules.random_set_up(Ruleset.from_text(text), seed)
        while isinstance(state, Position):
            node = rules.node(state)
            if node.is_chance:
                option = random.choice(node.options)
            else:
                engine, option = engine_of(state.ruleset), POLICIES["greedy"](state, node)
                found = played.decide(engine, played.distances(engine.neighbours), state_of(state))
                assert option_text(found) == option, str(state)
                decided += 1
            state = rules.take(state, option)
    assert decided > 10


def test_games_depend_on_their_number_alone() -> None:
    whole = played.play("standard", 5, 0, 12)

    assert played.play("standard", 5, 0, 7) + played.play("standard", 5, 7, 5) == whole
    assert {*whole} <= {"w", "l"}
    assert played.play("standard", 6, 0, 12) != whole


def test_a_reading_that_wins_at_once_wins_all_games() -> None:
    """With E-PACIFY=free the policy pacifies in the first turn."""
    assert played.play("standard?E-PACIFY=free", 0, 0, 10) == "w" * 10


@pytest.mark.parametrize(
    "text", ["standard?E-MAP=dealt", "standard?E-FULL=lost,E-SETUP=twelve", "expert+corner+sphere"]
)
def test_set_ups_of_all_kinds_are_played(text: str) -> None:
    assert len(played.play(text, 0, 0, 5)) == 5


def test_each_other_value_is_compared_with_the_default() -> None:
    found = pairs()

    assert len(found) == sum(len(reading.options) - 1 for reading in READINGS.values())
    assert kernel_pairs() == found
    assert {*later_pairs()} < {*found}
    for pair in found:
        for level in LEVELS:
            first, second = rulesets_of(pair, level)
            assert first != second, pair
            assert dict(second.readings)[pair.reading] == pair.second
            assert str(first) == table_of(pair, level)


def test_equal_values_of_games_give_no_difference_and_a_run_resumes(tmp_path) -> None:
    chosen, work = pairs(["E-EMPEROR"]), tmp_path / "games.work"
    part, _ = play_games(chosen, levels=("standard",), most=25, work=work)
    found, complete = play_games(chosen, levels=("standard",), most=50, work=work)

    assert complete
    assert {len(letters) for letters in found.series.values()} == {50}
    assert all(found.series[name].startswith(letters) for name, letters in part.series.items())
    compared = found.compare(chosen[0], "standard")
    assert compared is not None
    assert compared.games == 50
    assert [measure(chosen[0], level).goal for level in LEVELS] == [0.01, 0.015]
    found.write(tmp_path / "games.json")
    assert ReadingGames.read((tmp_path / "games.json").read_text("utf-8"), "games.json") == found


def test_where_values_differ_at_one_level_alone_its_interval_is_as_narrow_as_at_standard() -> None:
    (pair,) = pairs(["E-GONE-SUITS"])
    assert {(measure(pair, level).table, measure(pair, level).goal) for level in LEVELS} == {("introductory", 0.01)}
