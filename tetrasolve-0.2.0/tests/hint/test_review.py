"""Reviews: what was luck and what was skill adds up, the best plan loses nothing, and luck of a phase has no bias."""

from dataclasses import replace
from math import fsum

import pytest

from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.hint.evaluation import evaluate
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.plot import review_svg
from tetrasolve.tetrarchia.hint.policy import GREEDY, choose
from tetrasolve.tetrarchia.hint.review import review
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import RandomDice
from tetrasolve.tetrarchia.ruleset import Ruleset

CLOSE = 1e-9  # sums of doubles in another order


def played(level, seed, turns=6, follow=True):
    """The beginning of a game: by the quickest policy, or each Emperor just entering where he must."""
    game = new_game(Ruleset.from_level(level), seed)
    dice = RandomDice(seed)
    for _ in range(turns):
        if game.is_over:
            break
        if follow:
            follow_plan(game, choose(game.position, GREEDY), dice)
        while rules.objection(game.position, END) is not None and game.position.phase is Phase.ROMAN:
            game.act(rules.legal_actions(game.position)[0])  # he must enter, or move on
        if not game.is_over and game.position.phase is Phase.ROMAN:
            game.end()
        if not game.is_over:
            game.barbarians(dice)
    return game


def follow_plan(game, plan, dice):
    while True:
        for step in plan.steps:
            game.act(step)
        if plan.fork is None:
            return
        rolled = game.attack(plan.fork.army, dice)
        plan = next(branch for outcome, _, branch in plan.fork.branches if outcome is rolled.outcome)


@pytest.mark.parametrize(("level", "seed", "follow"), [("4211", 1, True), ("3122", 2, True), ("3122", 3, False)])
def test_the_parts_add_up(level, seed, follow):
    """From the start of a turn to the start of the next one."""
    found = review(played(level, seed, follow=follow), budget=GREEDY)
    assert [turn.number for turn in found.turns] == list(range(1, len(found.turns) + 1))
    for turn, following in zip(found.turns, found.turns[1:], strict=False):
        change = turn.luck - turn.loss + turn.second_thoughts
        gained = following.before - turn.before
        # a loss below 0 (what was decided is better than the best plan found) is shown as 0
        assert gained >= change - CLOSE
        assert gained == pytest.approx(change, abs=CLOSE) or any(decision.loss == 0 for decision in turn.decisions)
    for turn in found.turns:
        assert all(decision.loss >= 0 for decision in turn.decisions)
        assert 0 <= turn.before <= 1 and 0 <= turn.after <= 1
        assert turn.emperor in ("diocletian", "galerius", "constantius", "maximian")
    assert found.loss == pytest.approx(fsum(turn.loss for turn in found.turns))


def test_the_best_plan_found_loses_nothing():
    """Played with the same budget; and doing nothing loses a lot."""
    good, idle = (review(played("4211", 4, follow=follow), budget=GREEDY) for follow in (True, False))
    assert good.loss < idle.loss
    assert any(decision.grade == "blunder" for turn in idle.turns for decision in turn.decisions)


def test_the_luck_of_a_phase_has_no_bias():
    """Over all its outcomes it adds up to nothing."""
    game = played("4211", 1, turns=1)
    end = next(state for state in states(game) if state.phase is Phase.BARBARIAN)
    rows = fast.kernel_of(end).outcomes(fast.to_state(end))
    player = new_player(end.board, end.ruleset)
    value = fsum(chance * player.value(state) for state, chance in rows if state.result == kernel.OPEN)
    (turn,) = review(game, budget=GREEDY).turns
    assert turn.after == pytest.approx(value, abs=CLOSE)
    assert turn.phase_luck == pytest.approx(evaluate(game.position) - value, abs=CLOSE)


def states(game):
    state = game.start
    for step in game.played:
        yield state
        if step.action is not None:
            state = rules.play(state, step.action)
            if isinstance(state, Position):
                yield state


def test_a_record_is_reviewed_as_the_game_is():
    """And the same each time."""
    game = played("4211", 1, turns=3)
    again = read_record(write_record(game))
    assert review(again, budget=GREEDY).as_data() == review(game, budget=GREEDY).as_data()


def test_a_game_that_has_not_begun_has_no_turns():
    """Nor anything to plot."""
    found = review(new_game(Ruleset.from_level("4211"), 1))
    assert found.turns == () and found.loss == 0
    assert review_svg(found).startswith("<svg")


def test_the_plot_has_every_turn():
    """As a point with words; what lost much is marked."""
    found = review(played("3122", 3, follow=False), budget=GREEDY)
    assert review_svg(found).count("<circle") == len(found.turns) > 1
    first = found.turns[0]
    for loss, grade in ((0.3, "blunder"), (0.05, "mistake"), (0.02, "inaccuracy"), (0.019, "")):
        lost = replace(first, decisions=(replace(first.decisions[0], loss=loss),))
        assert lost.decisions[0].grade == grade
        assert (f"{grade}</title>" if grade else " </title>") in review_svg(replace(found, turns=(lost,)))
