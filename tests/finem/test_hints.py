"""Hints, reviews and calibration: reproducible, consistent with the rules, and honest about what they rest on."""

import threading
import time
from itertools import product
from math import exp
from random import Random

import pytest

from tetrasolve.errors import ArgumentError, IllegalActionError, IllegalPositionError, SecondsError
from tetrasolve.finem import rules
from tetrasolve.finem.examples import examples
from tetrasolve.finem.fast import state_of
from tetrasolve.finem.game import Game, new_game
from tetrasolve.finem.hint import calibrate
from tetrasolve.finem.hint.advice import BUDGETS, hint, think
from tetrasolve.finem.hint.basis import basis_data, basis_lines
from tetrasolve.finem.hint.calibration import (
    FEWEST_RULESETS,
    TURNS,
    Curve,
    chance_of,
    curve_of,
    fitted,
    kind_of,
    logit_of,
    read_calibration,
    shipped_calibration,
    turn_of,
    values_of,
    with_other_readings_by_default,
)
from tetrasolve.finem.hint.comparison import compare
from tetrasolve.finem.hint.courses import drawn, drawn_of_pool
from tetrasolve.finem.hint.players import player_of
from tetrasolve.finem.hint.plot import review_svg
from tetrasolve.finem.hint.review import review
from tetrasolve.finem.hint.shifting import Played, fitted_shifts, spread_of
from tetrasolve.finem.hint.weights import WeightsError, shipped
from tetrasolve.finem.layout import GRID
from tetrasolve.finem.policies import greedy
from tetrasolve.finem.position import Position
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.turnrisk import turn_risk
from tetrasolve.stop import Stop


def played(ruleset, seed, turns=200):
    """A game by the plain greedy policy."""
    random = Random(seed)
    game = new_game(ruleset.dealt(random), seed)
    while not game.is_over and turns:
        node = rules.node(game.position)
        turns -= game.position.step.name in ("ROLE", "APPOINT")
        game.take(random.choice(node.options) if node.is_chance else greedy(game.position, node))
    return game


@pytest.mark.parametrize("number", range(8))
def test_every_decision_of_a_game_has_a_hint(number):
    """Its plans are legal, lead to different situations, and the exact figures are those of the reference's kernel."""
    game = played(drawn(3, number), number)
    seen = set()
    for state in game.states:
        if not isinstance(state, Position) or rules.node(state).is_chance or (state.step in seen):
            continue
        seen.add(state.step)
        found = hint(state, budget="greedy", top=4)
        assert found.status == "complete"
        assert [one.loss for one in found.advice] == sorted(one.loss for one in found.advice)
        assert found.best.loss == 0
        for one in found.advice:
            after = state
            for option in one.plan:
                after = rules.take(after, option)
            assert one.win.low <= one.win.value <= one.win.high
            if one.risk is not None:
                assert one.risk == turn_risk(after)
    assert seen


def test_a_hint_is_reproducible_and_the_seed_counts():
    position = new_game(Ruleset("standard"), 4).start
    first, again = (hint(position, budget="expectimax", seed=5).as_data() | {"seconds": 0} for _ in range(2))
    assert first == again
    other = hint(position, budget="expectimax", seed=6).as_data()
    assert other["plans"] != first["plans"]
    assert first["basis"]["network"] == shipped().digest


WINNING = (
    "OC/C7/B6 5121/CEB 3/2 O7:O1.OS:O2.OR:O1.C6:C2.C7:C2.CS:O1C1.E5:E1.E7:E1.ES:E3.B5:B3.B6:B1.BC:B1.BR:B1",
    "CC/C7/B5 5121/CEB 2/1 O6:O1.OR:O2.C5:C1.C6:C1.C7:C1.CR:C3.ES:E1.B5:B1.BC:B3.BR:B1",
    "B5/C7/OC 5121/CEB 6/1 O5:O1.O7:O1.OS:O1.OC:O2.OR:O1.C5:C1.C6:C1.C7:C1.CR:C1.E5:E1.E6:E1.E7:E1.EC:E1.ER:E3.B5:B1.B7:B1.BC:B1",
    "C7/C7/O7 5121/CEB 3/2 O5:O2.O7:O1.OS:O1B1.C5:C1.ES:E1.B7:B1.BS:B3.BC:B2.BR:B3",
)


@pytest.mark.parametrize("budget", ["greedy", "expectimax"])
@pytest.mark.parametrize("table", WINNING)
def test_a_hint_wins_at_the_end_of_the_turn(table, budget):
    """[E-WIN] turn: what pacifies the last tribe comes first, and no plan makes the victory in this turn much more likely."""
    position = Position.parse(f"standard?E-WIN=turn prefect {table} act:4 -")
    found = hint(position, budget=budget, top=20)
    most = max(one.risk.p_won for one in found.advice)

    assert "pacify O" in found.best.plan
    assert found.best.risk.p_won > most - 0.02


WAITING = (  # a die of 6 waits for the action
    "C7/C7/CC 1226/OCE 7/3 O6:O3.C6:C3.CS:C2.CC:C1.E6:E2.E7:E2.B6:B1.B7:B3.BR:B1",
    "C7/C7/BS 6212/CEB 2/3 O6:O3.O7:O2.OS:O2.C5:C1.C6:C3.C7:C2.CC:C2.E5:E2.E7:E3.BS:B1.BC:B1",
    "C7/C7/OS 2116/OCE 1/3 O5:O3.O7:O2.OS:O1.CC:C3.E7:E2.ES:E1.ER:E1.B6:B2.BS:B3",
)


@pytest.mark.parametrize("table", WAITING)
def test_a_pacification_that_wins_does_not_wait(table):
    """[E-WIN] turn, [E-PACIFY] action: the same chance to lose this turn is no reason to leave the victory for later."""
    position = Position.parse(f"standard?E-PACIFY=action,E-WIN=turn consul {table} act:4 -")
    best = hint(position, budget="greedy", top=1).best

    assert best.plan[-1].startswith("pacify")
    assert best.risk.p_won == 1 - best.risk.p_lost


@pytest.mark.parametrize("table", WINNING)
def test_the_evaluation_of_a_turn_that_wins_is_about_its_chance(table):
    """It leaves out what events and several cards do together."""
    position = Position.parse(f"standard?E-WIN=turn prefect {table} act:1 -")
    after = rules.take(position, "pacify O")
    assert player_of(after.ruleset).value(state_of(after)) == pytest.approx(float(turn_risk(after).p_won), abs=0.05)


@pytest.mark.parametrize(("dice", "quiet"), [("5121", True), ("2121", False)])
def test_before_the_last_pacification_the_invasion_counts_where_the_dice_can_win(dice, quiet):
    """[E-WIN] turn: the networks think that the die of 5 wins before it; where it cannot rise so far their value stays."""
    values = []
    for reading in ("", "?E-WIN=turn"):
        position = Position.parse(f"standard{reading} consul C7/C7/E5 {dice}/CEB 2/3 E5:E3.E6:E3.B5:B3.B6:B3 draw -")
        values.append(player_of(position.ruleset).value(state_of(position)))
    assert (values[1] < values[0] - 0.1) is quiet and (values[0] == values[1]) is not quiet


def test_plans_that_differ_in_more_than_the_pawns_place_come_first():
    position = new_game(Ruleset("standard"), 3).start
    plans = hint(position, budget="greedy", top=3).advice
    tables = set()
    for one in plans:
        after = position
        for option in one.plan:
            after = rules.take(after, option)
        tables.add((after.cubes, after.dice))
    assert len(tables) == len(plans) == 3


def test_a_winning_plan_is_certain():
    position = new_game(Ruleset.from_text("standard?E-PACIFY=free"), 3).start
    found = hint(position, budget="search", top=1)
    assert found.best.win.value == 1
    assert sorted(found.best.plan) == ["pacify B", "pacify C", "pacify E", "pacify O"]
    assert found.best.reasons == ("wins the game",)
    assert found.best.risk is None


def test_the_dictators_ride_is_a_plan_that_ends_where_the_card_is_drawn():
    position = examples()["dictator"]
    found = hint(position, budget="expectimax", top=20)
    rides = [one for one in found.advice if "ride" in one.plan]
    assert all(one.plan[-1] == "ride" and one.risk is None for one in rides)
    assert found.status == "complete"


def test_the_steps_on_the_way_are_marked_and_the_last_is_the_hint():
    position = new_game(Ruleset("standard"), 3).start
    steps = list(think(position, budget="expectimax"))
    assert [one.status for one in steps] == ["interrupted", "complete"]
    assert steps[-1].as_data() | {"seconds": 0} == hint(position, budget="expectimax").as_data() | {"seconds": 0}


def test_a_deadline_and_a_flag_end_a_hint():
    position = new_game(Ruleset("standard"), 3).start
    assert hint(position, budget="deep", seconds=0.3).status == "interrupted"
    stop = Stop()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    began = time.monotonic()
    assert hint(position, budget="deep", cancel=stop).status == "interrupted"
    assert time.monotonic() - began < 20  # a loaded machine
    timer.join()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"top": 0}, ArgumentError),
        ({"top": True}, ArgumentError),
        ({"seed": "x"}, ArgumentError),
        ({"budget": "all"}, ArgumentError),
        ({"seconds": -1.0}, SecondsError),
    ],
    ids=["top", "truth", "seed", "budget", "seconds"],
)
def test_what_is_asked_wrongly_is_refused(options, error):
    with pytest.raises(error):
        hint(new_game(Ruleset("standard"), 3).start, **options)


def test_there_is_no_hint_where_nothing_is_decided():
    with pytest.raises(IllegalPositionError, match="the player decides"):
        hint(examples()["peril"])
    with pytest.raises(IllegalPositionError):
        hint(new_game(Ruleset("standard"), 3).start.replace(outbreaks=4))
    with pytest.raises(ArgumentError):
        hint("standard")  # type: ignore[arg-type]  # on purpose


def test_reasons_say_what_changes():
    position = new_game(Ruleset("standard"), 3).start
    best = hint(position, budget="greedy", top=2).best
    after = position
    for option in best.plan:
        after = rules.take(after, option)
    gone = sum(map(sum, position.cubes)) - sum(map(sum, after.cubes))
    removed = [reason for reason in best.reasons if reason.startswith("removes")]
    assert sum(int(word) for reason in removed for word in reason.split() if word.isdigit()) == gone


# -- reviews -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["introductory", "standard?E-PACIFY=action"])
def test_a_review_adds_up(text):
    """From the first decision's value to the result, losses and luck explain each change."""
    game = played(Ruleset.from_text(text), 11)
    found = review(game, budget="expectimax")
    assert found.status == "complete"
    rows = found.decisions
    assert all(row.loss >= 0 for row in rows)
    for row in rows:
        state = row.position
        for option in row.played:
            state = rules.take(state, option)
    total = rows[0].value + rows[0].loss + found.luck - found.loss
    assert total == pytest.approx(float(game.result == "won"))
    assert review(game, budget="expectimax").as_data() == found.as_data()
    drawn = review_svg(found)
    assert drawn.count("<circle") == len(found.decisions)
    assert [drawn.count(f" {grade}</title>") for grade in ("blunder", "mistake", "inaccuracy")] == [
        sum(one.grade == grade for one in found.decisions) for grade in ("blunder", "mistake", "inaccuracy")
    ]


def test_the_luck_of_an_open_game_goes_on_to_where_it_waits():
    """Losses and luck explain the value of the decision that is next, also where its actions have begun."""
    game = played(Ruleset("standard"), 11)
    rows = review(game, budget="greedy").decisions
    begun = 0
    for row in rows[1:]:
        started = Game(game.start)
        for option in game.played[: game.states.index(row.position)]:
            started.take(option)
        for option in row.played[: 1 if len(row.played) > 1 else 0]:
            started.take(option)
            begun += 1
        found = review(started, budget="greedy")
        first = found.decisions[0]
        assert first.value + first.loss + found.luck - found.loss == pytest.approx(row.value + row.loss)
    assert begun


def test_the_best_play_loses_nothing():
    """A game by the review's own choice at each decision."""
    game = new_game(Ruleset("standard"), 2)
    random = Random(5)
    while not game.is_over and len(game.played) < 60:
        node = rules.node(game.position)
        if node.is_chance:
            game.take(random.choice(node.options))
        else:
            for option in hint(game.position, budget="greedy", top=1).best.plan:
                game.take(option)
    found = review(game, budget="greedy")
    assert sum(row.loss for row in found.decisions if row.position.role != "dictator") == pytest.approx(0, abs=1e-9)


def test_a_review_of_a_game_that_has_not_begun_is_empty():
    found = review(new_game(Ruleset("standard"), 3))
    assert (found.decisions, found.result, found.status) == ((), "open", "complete")


def test_a_review_stops_at_its_deadline():
    game = played(Ruleset("standard"), 11)
    found = review(game, budget="deep", seconds=0)
    assert found.status == "interrupted"
    assert len(found.decisions) < len(review(game, budget="greedy").decisions)
    with pytest.raises(ArgumentError):
        review(game, budget="all")


# -- calibration -------------------------------------------------------------------------------------------------------


def test_a_curve_finds_the_weights_that_made_the_games():
    random = Random(3)
    rows = []
    for game in range(4000):
        raw = random.uniform(0.05, 0.95)
        won = random.random() < chance_of(0.3 + 0.7 * logit_of(raw))
        rows.append((raw, won, game))
    curve = fitted(rows)
    errors = [curve.covariance[0] ** 0.5, curve.covariance[2] ** 0.5]
    assert abs(curve.constant - 0.3) < 4 * errors[0] < 0.3
    assert abs(curve.slope - 0.7) < 4 * errors[1] < 0.3
    value, low, high = curve.chance(0.5)
    assert low < 1 / (1 + exp(-0.3)) < high
    assert low < value < high


def test_copies_of_a_game_make_it_no_surer():
    """States of one game share its result."""
    random = Random(4)
    rows = [(raw := random.uniform(0.1, 0.9), random.random() < raw, game) for game in range(500)]
    once, often = fitted(rows), fitted(rows * 9)
    assert often.covariance == pytest.approx(once.covariance, rel=1e-6)
    assert (often.games, often.states) == (500, 4500)


@pytest.mark.parametrize(
    "rows",
    [[], [(0.5, True, 1), (0.5, False, 1)], [(0.5, True, 1), (0.4, True, 2)]],
    ids=["none", "one game", "all won"],
)
def test_a_curve_needs_games_of_both_results(rows):
    with pytest.raises(ValueError, match="won and games"):
        fitted(rows)


def test_the_shipped_calibration_is_of_the_shipped_weights_and_rises():
    found = shipped_calibration()
    assert found.weights == shipped().digest
    for curve in found.curves.values():
        values = [curve.chance(raw / 20)[0] for raw in range(1, 20)]
        assert values == sorted(values)
        assert curve.games >= 300
    assert found.curve(Ruleset.from_text("standard?E-PACIFY=free"), is_first=True) is None


def test_the_shipped_calibration_holds_on_other_games():
    """The mean calibrated value of states of fresh games, and the share that was won: within four standard errors by games.

    Of drawn rulesets with other readings together, by rulesets.
    """
    found = shipped_calibration()
    rows = {}
    for one in with_other_readings_by_default():
        for turn, states in zip(TURNS, calibrate.states(one, 99, range(100)), strict=True):
            curve = found.curves[kind_of(one) + turn]
            rows[kind_of(one) + turn] = [(curve.chance(raw)[0], won, game) for raw, won, game in states]
    for ruleset, of_turns in calibrate.of_pool(99, 2000):
        for is_first, states in zip((True, False), of_turns, strict=True):
            if curve := found.curve(ruleset, is_first=is_first):
                rows.setdefault(is_first, []).extend(
                    (curve.chance(raw)[0], won, str(ruleset)) for raw, won, _ in states
                )
    assert {True, False} <= rows.keys()
    for states in rows.values():
        clusters = {}
        for chance, won, cluster in states:
            clusters.setdefault(cluster, []).append(won - chance)
        sums = [sum(errors) for errors in clusters.values()]
        if len(sums) >= 20:
            assert abs(sum(sums)) < 4 * sum(one * one for one in sums) ** 0.5


def test_the_same_command_makes_the_same_calibration(tmp_path):
    one, two = tmp_path / "calibration.json", tmp_path / "again" / "calibration.json"
    two.parent.mkdir()
    for path in (one, two):
        calibrate.main([str(path), "--games", "20", "--seed", "3"])
    assert one.read_text("utf-8") == two.read_text("utf-8")
    assert read_calibration(one.read_text("utf-8")).made["seed"] == 3


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "tetrasolve-finem-calibration/1"}', '{"format": "x"}'])
def test_another_text_is_no_calibration(text):
    with pytest.raises(WeightsError):
        read_calibration(text)


def test_a_kind_with_few_games_is_not_calibrated():
    found = shipped_calibration()
    kind = kind_of(Ruleset("standard")) + TURNS[0]
    few = type(found)({kind: Curve(0.0, 1.0, (0.0, 0.0, 0.0), 3, 9)}, found.weights, {})
    assert few.curve(Ruleset("standard"), is_first=True) is None


def test_the_curve_of_another_reading_is_shifted():
    found = shipped_calibration()
    own = with_other_readings_by_default()
    assert len(set(map(kind_of, own))) == len(own) == len(found.curves) / len(TURNS)
    for ruleset, is_first in product(own, (True, False)):
        turn = turn_of(is_first=is_first)
        plain = found.curve(ruleset, is_first=is_first)
        assert plain is found.curves[kind_of(ruleset) + turn] and not plain.shifted_by
        never, late = found.shifts[turn]["E-EVENT=never"], found.shifts[turn]["E-ORDER=dice-first"]
        both = found.curve(ruleset.with_readings([("E-EVENT", "never"), ("E-ORDER", "dice-first")]), is_first=is_first)
        assert both.constant == pytest.approx(plain.constant + never.by + late.by)
        more = never.variance + late.variance + found.spread[turn]
        assert both.covariance[0] == pytest.approx(plain.covariance[0] + more)
        assert both.shifted_by == (("E-EVENT=never", never.games), ("E-ORDER=dice-first", late.games))
    assert kind_of(Ruleset.from_text("standard+corner")) == kind_of(Ruleset.from_text("expert+corner"))
    other_map = Ruleset("standard", cards=tuple(reversed(GRID.printed)))
    assert values_of(other_map) == ("E-MAP=dealt",) and found.curve(other_map, is_first=True).shifted_by


def test_a_value_that_few_rulesets_had_is_not_calibrated():
    found = shipped_calibration()
    few = {
        (turn, name) for turn, of in found.shifts.items() for name, one in of.items() if one.rulesets < FEWEST_RULESETS
    }
    assert {name for _, name in few} == {"E-SWAP=place", "E-SPHERE=skip"} and len(few) == 4
    for text in ("standard?E-SWAP=place,E-TRIBUNE=invasion", "expert+sphere?E-SPHERE=skip"):
        for is_first in (True, False):
            assert found.curve(Ruleset.from_text(text), is_first=is_first) is None
    assert found.curve(Ruleset.from_text("standard?E-TRIBUNE=invasion"), is_first=True) is not None


# -- learning ----------------------------------------------------------------------------------------------------------


def test_learning_goes_on_where_it_was_stopped_and_learns(tmp_path, capsys):
    learn = pytest.importorskip("tetrasolve.finem.hint.learn", reason="requires numpy")
    words = [
        "--games",
        "100",
        "--looking",
        "1",
        "--looking-games",
        "50",
        "--looks",
        "1",
        "--passes",
        "2",
        "--jobs",
        "1",
    ]
    one, two = tmp_path / "weights.txt", tmp_path / "b" / "weights.txt"
    two.parent.mkdir()
    learn.main([str(one), "--rounds", "2", *words])
    whole = learn.lessons
    rounds = []

    def interrupted(weights, options, number):
        if rounds:
            raise KeyboardInterrupt
        rounds.append(number)
        return whole(weights, options, number)

    learn.lessons = interrupted
    try:
        with pytest.raises(KeyboardInterrupt):
            learn.main([str(two), "--rounds", "2", *words])
    finally:
        learn.lessons = whole
    assert '"done": 1' in two.read_text("utf-8")
    learn.main([str(two), "--rounds", "2", *words])
    assert one.read_text("utf-8") == two.read_text("utf-8")
    with pytest.raises(SystemExit):
        learn.main([str(two), "--rounds", "3", *words])
    assert "made by another command" in capsys.readouterr().err


def test_budgets_have_names_that_the_other_game_uses():
    assert list(BUDGETS) == ["greedy", "expectimax", "search", "deep"]


# -- why not this plan ---------------------------------------------------------------------------------------------------


def test_a_plan_is_compared_with_the_best_one_with_the_same_cards():
    start = new_game(Ruleset("standard"), 3).start
    found = compare(start, "move O7; confront O", budget="expectimax")
    best = hint(start, budget="expectimax").best
    assert (found.same, found.best.plan, found.status) == (False, best.plan, "complete")
    assert found.mine.plan == ("move O7", "confront O", "pass") and found.gap == found.mine.loss > 0
    assert found.mine.win.n == found.best.win.n
    lost = turn_risk(rules.take(rules.take(rules.take(start, "move O7"), "confront O"), "pass"))
    assert found.mine.risk.p_lost == lost.p_lost > found.best.risk.p_lost
    refuted = found.refutation
    assert refuted.mine == lost.by_card[refuted.card] > refuted.best
    assert compare(start, "; ".join(best.plan), budget="expectimax").same
    round_about = compare(
        start, "move O7; move C7; move C6; confront C", budget="greedy"
    )  # the search has another plan to there
    assert round_about.mine.plan == ("move O7", "move C7", "move C6", "confront C")
    assert compare(start, "move C6; confront C", budget="greedy").mine.plan == ("move C6", "confront C", "pass")


@pytest.mark.parametrize("plan", ["", "move E5", "confront C; pass; pass", "nonsense"])
def test_a_plan_that_cannot_be_played_is_refused(plan):
    with pytest.raises(IllegalActionError):
        compare(new_game(Ruleset("standard"), 3).start, plan)


def test_the_first_turn_has_a_curve_of_its_own():
    start = new_game(Ruleset("standard"), 3).start
    assert basis_data(start.ruleset, is_first=True)["rules"].endswith("first turn")
    later = start.replace(role="consul")
    assert basis_data(start.ruleset, is_first=False)["rules"].endswith("later turns")
    assert curve_of(start) is not curve_of(later)


def made(random, spread, count, true):
    """Made games of rulesets, with one state or three and one result for these; every ruleset adds something of its own, too."""
    played = []
    for number in range(count):
        values = tuple(random.sample(sorted(true), 1 + number // 2 % 2))
        more = random.gauss(0.0, spread) + sum(true[value] for value in values)
        rows = []
        for game in range(50):
            odds = random.uniform(-1.5, 1.5)
            rows += [(odds, random.random() < chance_of(odds + more), game)] * (1 if game % 2 else 3)
        played.append(Played(values, rows))
    return played


@pytest.mark.parametrize("spread", [0.0, 0.3])
def test_shifts_and_the_spread_that_is_left_are_found(spread):
    true = {"a": 0.4, "b": -0.6, "c": 0.0}
    played = made(Random(7), spread, 300, true)
    shifts, (variance, error) = fitted_shifts(played), spread_of(played)

    assert abs(variance - spread**2) < 3 * error < 0.08
    for value, by in true.items():
        assert abs(shifts[value].by - by) < 4 * shifts[value].variance ** 0.5 < 0.3
        assert shifts[value].rulesets == sum(value in one.values for one in played)
        assert shifts[value].games == 50 * shifts[value].rulesets


def test_the_spread_is_not_lowered_by_many_shifts():
    """Where a value is in twenty rulesets: what these differ by is not taken for its shift, on average."""
    true = {f"{value}": 0.0 for value in range(24)}
    found = [spread_of(made(Random(seed), 0.2, 320, true)) for seed in range(4)]
    variance, error = (sum(one[at] for one in found) / 4 for at in (0, 1))
    assert abs(variance - 0.04) < 3 * error / 4**0.5 < 0.03


@pytest.mark.parametrize(
    "played",
    [
        [Played(("a",), [(0.0, True, game) for game in range(50)])],  # all won
        [Played(("a",), [])],
    ],
)
def test_shifts_that_cannot_be_fitted_are_refused(played):
    with pytest.raises(ValueError, match="expected games with a"):
        fitted_shifts(played)


def test_two_values_that_come_together_share_what_they_shift():
    random = Random(1)
    played = [Played(("a", "b"), [(0.0, random.random() < 0.7, game) for game in range(400)]) for _ in range(4)]
    found = fitted_shifts(played)
    assert 0.6 < found["a"].by + found["b"].by < 1.1


def test_a_drawn_ruleset_has_another_reading_and_no_later_value():
    for number in range(300):
        ruleset = drawn_of_pool(5, number)
        assert {name for name, _ in ruleset.interpretations} - {"E-PACIFY"}
        assert not ruleset.later


def test_hints_comparisons_and_reviews_say_what_they_rest_on():
    """The ruleset itself, others by which it is shifted, or nothing; and what the evaluation has not learned."""
    own = new_game(Ruleset("standard"), 3).start
    other = new_game(Ruleset.from_text("standard?E-EVENT=never"), 3).start
    later = new_game(Ruleset.from_text("standard?E-LIMIT=lost"), 3).start
    said = [
        (basis_data(one.ruleset, is_first=True), [*basis_lines(one.ruleset, is_first=True)])
        for one in (own, other, later)
    ]

    assert [data["calibrated"] for data, _ in said] == [True, False, False]
    assert [[*data["shifted_by"]] for data, _ in said] == [[], ["E-EVENT=never"], []]
    assert (
        len(said[0][1]) == 1 and "never calibrated with exactly these rules: shifted by E-EVENT=never" in said[1][1][1]
    )
    assert said[2][1][0].count("not calibrated") == 1
    assert said[2][0]["not_learned"] == ["E-LIMIT=lost"] and "not learned E-LIMIT=lost" in said[2][1][1]
    for position, (data, lines) in zip((own, other, later), said, strict=True):
        found = hint(position, budget="greedy", top=1)
        compared = compare(position, "pass", budget="greedy")
        assert found.as_data()["basis"] == compared.as_data()["basis"] == data
        assert "\n".join(lines) in str(found) and "\n".join(lines) in str(compared)
    reviewed = review(played(other.ruleset, 3, 2), budget="greedy")
    assert reviewed.as_data()["basis"] == basis_data(other.ruleset, is_first=False)
    assert "never calibrated with exactly these rules" in str(reviewed)


def test_hints_know_readings_that_change_much():
    """Win rates that whole games measured (`tetrasolve --game et-finem lint`), at the first turn of 40 set-ups."""
    for text, won in (
        ("standard?E-EVENT=never", 0.421),
        ("standard?E-WAR=none", 0.537),
        ("introductory?E-EVENT=never", 0.643),
    ):
        ruleset = Ruleset.from_text(text)
        wins = [hint(new_game(ruleset, seed).start, budget="greedy", top=1).best.win for seed in range(40)]
        low, high = (sum(getattr(win, end) for win in wins) / 40 for end in ("low", "high"))
        assert low - 0.02 < won < high + 0.02, text  # of 40 set-ups, which differ from all by some points


def test_a_comparison_names_mine_and_a_plan_up_to_a_card_is_not_compared():
    start = new_game(Ruleset("standard"), 1).start
    compared = str(compare(start, "pass", budget="greedy"))
    assert "than mine" in compared and "runner-up" not in compared

    dictator = Position.parse(
        "standard dictator C6/C7/CR 2431/C 5/2 OC:O2.C5:C1.C7:C2.CC:C2.CR:C1.ES:E1.B6:B2.BS:B3 act:4 -"
    )
    rides = [one for one in hint(dictator, budget="greedy", top=10).advice if one.plan[-1] == "ride"]
    assert rides and not any(
        " ends in " in f" {reason}" or "than the" in reason for one in rides for reason in one.reasons
    )


def test_what_is_certain_is_said_so():
    start = new_game(Ruleset.from_text("standard?E-PACIFY=free"), 3).start
    best = hint(start, budget="greedy", top=1).best
    assert best.win.value == 1.0 and str(best.win) == "100.0 % (certain)"
