"""Win rates: the same games whatever the batches, intervals that hold although the games stop early, and a second way."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tetrasolve.errors import ArgumentError, IllegalPositionError, TetrasolveError
from tetrasolve.exact.checkpoint import CheckpointError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.hint.played import greedy_results, play_greedily
from tetrasolve.tetrarchia.hint.rollout import rollout
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import rolled_scenario, scenarios
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset
from tetrasolve.tetrarchia.scenario import SetUps, measure
from tetrasolve.tetrarchia.scenario.measuring import BATCH, rate_of, rule_for

TABLES = ["4211", *(f"4211+{name}" for name in sorted({*MODULES, *VARIANTS})), *scenarios()]


@pytest.mark.parametrize("table", TABLES)
def test_games_of_all_rules_depend_on_their_number_alone(table: str) -> None:
    rolled = SetUps.rolled(table)
    assert rolled.play("random", 5, 0, 6) == rolled.play("random", 5, 0, 4) + rolled.play("random", 5, 4, 2)


@pytest.mark.parametrize("name", scenarios())
def test_one_set_up_of_a_scenario_can_be_measured(name: str) -> None:
    position = rolled_scenario(name, "7").position
    fixed = SetUps.fixed(position)
    assert fixed.position == position
    assert len(fixed.play("random", 0, 0, 3)) == 3


def test_readings_reach_the_games() -> None:
    plain, other = (SetUps.rolled(text) for text in ("4211", "4211?I-CHECK=one-roll"))
    assert plain.play("random", 1, 0, 60) != "" != other.play("random", 1, 0, 60)
    assert other.text == "4211?I-CHECK=one-roll"


def test_greedy_games_of_a_level_are_those_of_the_other_places_that_play_them() -> None:
    assert SetUps.rolled("5300").play("greedy", 3, 2, 5) == greedy_results("5300", 3, 2, 5)


def won_in_one_action() -> Position:
    """A position with one revolt, which the Emperor who stands in it can subdue."""
    position = example("movement")
    return position.replace(
        discs={"dalmatia": "revolt"}, armies=(), emperors={position.to_move: "dalmatia"}, phase=Phase.ROMAN
    )


def test_a_position_that_is_won_at_once_has_the_win_rate_one() -> None:
    (found,) = measure(SetUps.fixed(won_in_one_action()), ["greedy"], half_width=0.05)
    assert found.rate is not None
    assert found.rate.value == 1 == found.rate.high
    assert found.rate.half_width <= 0.05
    assert set(found.games) == {"w"}


def test_games_end_at_the_first_look_that_is_narrow_enough(tmp_path: Path) -> None:
    set_ups = SetUps.rolled("4211")
    (found,) = measure(set_ups, ["greedy"], half_width=0.2, seed=2)
    assert found.rate is not None
    rule = rule_for(0.2, 0.95)
    widths = {
        look: rate_of(found.games[: look * BATCH], rule.confidence_at_look(0.95)).half_width for look in rule.looks()
    }
    first = min(look for look, width in widths.items() if width <= 0.2)
    assert found.rate.n == first * BATCH == len(found.games)
    assert found.games == set_ups.play("greedy", 2, 0, found.rate.n)

    path = tmp_path / "games"
    assert measure(set_ups, ["greedy"], half_width=0.2, seed=2, checkpoint=path, seconds=0.2)[0].games in found.games
    again = measure(set_ups, ["greedy"], half_width=0.2, seed=2, checkpoint=path, workers=2)
    assert again == (found,)
    assert measure(set_ups, ["greedy"], half_width=0.2, seed=2, checkpoint=path, seconds=0.0)[0].games == found.games
    with pytest.raises(CheckpointError, match="seed is 2 there, 3 here"):
        measure(set_ups, ["greedy"], half_width=0.2, seed=3, checkpoint=path)


def test_two_policies_share_the_time_and_each_says_whether_it_is_complete() -> None:
    cancel = Stop()
    cancel.set()
    found = measure(SetUps.rolled("4211"), ["greedy", "expectimax"], cancel=cancel)
    assert [(rate.policy, rate.rate, rate.status) for rate in found] == [
        ("greedy", None, "interrupted"), ("expectimax", None, "interrupted"),
    ]  # fmt: skip


@pytest.mark.parametrize("half_width", [0.05, 0.1, 0.3])
def test_the_planned_games_are_always_enough_and_no_fewer_are(half_width: float) -> None:
    rule = rule_for(half_width, 0.95)

    def worst(batches: int) -> float:
        games, confidence = batches * BATCH, rule.confidence_at_look(0.95)
        return max(rate_of("w" * won + "l" * (games - won), confidence).half_width for won in range(games + 1))

    assert worst(rule.most) <= half_width < worst(rule.most - 1)


@pytest.mark.parametrize("chance", [0.02, 0.3, 0.5, 0.9])
def test_the_interval_at_which_games_end_holds_as_often_as_it_says(chance: float) -> None:
    rule, random, runs, missed = rule_for(0.06, 0.9), Random(str(chance)), 400, 0
    for _ in range(runs):
        games = ""
        for look in rule.looks():
            games += "".join("w" if random.random() < chance else "l" for _ in range(look * BATCH - len(games)))
            found = rate_of(games, rule.confidence_at_look(0.9))
            if rule.is_met(found):
                break
        missed += not found.low <= chance <= found.high
    assert missed <= 0.1 * runs


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"policies": ["best"]}, ArgumentError, "greedy, expectimax"),
        ({"policies": []}, ArgumentError, "at least one"),
        ({"policies": ["greedy", "greedy"]}, ArgumentError, "each once"),
        ({"half_width": 0.5}, ValueError, "less than 0.5"),
        ({"half_width": 1e-9}, ValueError, "at least 0.001"),
        ({"confidence": 1.0}, ValueError, "both excluded"),
        ({"seed": -1}, ValueError, "expected 0"),
        ({"workers": 0}, ValueError, "at least 1"),
    ],
)
def test_arguments_out_of_range_are_named(arguments: dict[str, object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        measure(SetUps.rolled("4211"), **arguments)  # type: ignore[arg-type]  # on purpose


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="Roman phase"):
        SetUps.fixed(example("movement").replace(phase=Phase.BARBARIAN, ip=0))
    with pytest.raises(TetrasolveError, match="9"):
        SetUps.rolled("9999")


@pytest.mark.slow
def test_rollouts_agree_on_the_win_rate() -> None:
    position = new_game(Ruleset.from_level("3122"), "16").start
    (found,) = measure(SetUps.fixed(position), ["greedy"], half_width=0.05, confidence=0.99)
    other = rollout(position, 720, confidence=0.99).plain
    assert found.rate is not None
    assert other is not None
    assert max(found.rate.low, other.low) <= min(found.rate.high, other.high)


@pytest.mark.slow
def test_the_reference_rules_agree_on_the_win_rate() -> None:
    position = new_game(Ruleset.from_level("3122"), "16").start
    (found,) = measure(SetUps.fixed(position), ["greedy"], half_width=0.05, confidence=0.99)
    letters = ""
    for number in range(300):
        game = Game(Position.parse(str(position), Board.standard()))
        play_greedily(game, f"scenario {number}")
        letters += "w" if game.is_over and isinstance(game.position, Position) and game.position.is_won else "l"
    other = rate_of(letters, 0.99)
    assert found.rate is not None
    assert max(found.rate.low, other.low) <= min(found.rate.high, other.high)
