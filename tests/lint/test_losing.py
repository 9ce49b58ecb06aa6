"""Losing play: every set-up that is tried falls in time, and each premise of the argument is found where it does not hold."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tetrasolve.lint.verdicts import Status
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint import losing
from tetrasolve.tetrarchia.lint.consistency import check_consistency
from tetrasolve.tetrarchia.lint.courses import game_of
from tetrasolve.tetrarchia.lint.ends import Witnesses, all_tables
from tetrasolve.tetrarchia.lint.profile import stored_profile
from tetrasolve.tetrarchia.rules import Fall, activity

BOARD = Board.standard()
NO_EXAMPLES = replace(stored_profile(), examples=())


def lost():
    return next(one for one in check_consistency(NO_EXAMPLES, Witnesses()) if one.claim == "lost")


def test_the_premises_hold():
    assert list(losing.problems(BOARD)) == []


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_losing_play_falls_from_a_set_up_of_each_table(seed):
    """With every level, module, variant and scenario; no armies come and Rome does nothing but enter and move."""
    for table in all_tables()[:: 1 if seed else 7]:
        game = game_of(table, seed)
        phases = losing.play_to_the_fall(game)
        assert isinstance(game.state, Fall) and phases < losing.most_phases(), table
        kept = list(game.states[:-1])
        assert all(len(after.armies) <= len(before.armies) for before, after in pairwise(kept)), table
        sums = [2 * len(state.revolts) + len(state.unrest) for state in kept]
        assert sums[-1] > sums[0], table


def spared(position, place, resting=frozenset()):
    """An unrest does not become a revolt in Macedonia."""
    return (
        position if place == "macedonia" and position.has_unrest(place) else activity.resolve(position, place, resting)
    )


def guarded(position, place, resting=frozenset()):
    """Nothing comes where an Emperor stands."""
    return position if place in position.romans.values() else activity.resolve(position, place, resting)


def endless(position, place, resting=frozenset()):
    """There are more discs than 21."""
    after = activity.resolve(position, place, resting)
    return position if isinstance(after, Fall) else after


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (spared, "macedonia with unrest and nobody: expected revolt and no army"),
        (guarded, "tingitana with no disc and diocletian: expected unrest and no army"),
        (endless, "tingitana: an unrest comes though none is left"),
    ],
)
def test_a_rule_that_spares_a_province_is_found(monkeypatch, rule, problem):
    monkeypatch.setattr(losing, "resolve", rule)

    assert problem in list(losing.problems(BOARD))
    found = lost()
    assert found.status is Status.UNKNOWN
    assert "the argument of losing play was not confirmed: " in found.how


def test_too_few_targets_prove_nothing(monkeypatch):
    """With 21 of them all can be in revolt, and the dice place nothing more."""
    monkeypatch.setattr(losing, "named", lambda board: losing_named(board)[:23])
    assert next(losing.problems(BOARD)) == "there are 21 targets, expected more than 21"


def losing_named(board):
    return tuple(board.at(region, number) for region in range(1, 7) for number in range(1, 7))


def test_play_that_does_not_end_proves_nothing(monkeypatch):
    monkeypatch.setattr(losing, "most_phases", lambda: 3)
    found = lost()

    assert found.status is Status.UNKNOWN
    assert "losing play of 4211+dux+vicarius+pirates+goths did not end in a fall" in found.how
