"""The bound on the length of games of a passive Rome: checked against the rules, and tables that prove nothing."""

from fractions import Fraction

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.lint.courses import idle_turn
from tetrasolve.tetrarchia.lint.passive import (
    UNITS,
    board_numbers,
    bound_problems,
    counts_of,
    follows,
    most_phases,
    read_bound,
    stored_bound,
)
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import RandomDice
from tetrasolve.tetrarchia.ruleset import Ruleset

BOUND = stored_bound()
EXACT = 12  # discs in a position whose phase is solved here


@pytest.fixture(scope="module")
def phases():
    """The phases of idle games of some levels: the position before each, and what came of it."""
    found = []
    for level in ("4211", "5300", "3122", "3100"):
        for seed in range(6):
            game = new_game(Ruleset.from_level(level), seed)
            dice = RandomDice(f"{level} {seed}")
            while not game.is_over:
                idle_turn(game)
                before = game.position
                game.barbarians(dice, lambda _choice: 0)
                found.append((before, game.state))
    return found


def test_the_table_bounds_the_phases():
    assert [*bound_problems(BOUND)] == []
    assert board_numbers(Board.standard()) == (3, 6)
    assert most_phases(BOUND) == -(-max(BOUND.values()) // UNITS)


@pytest.mark.parametrize("now", [(0, 0, 0), (21, 0, 3), (21, 21, 0), (10, 5, 1)])
def test_a_smaller_number_proves_nothing(now):
    """One entry a percent less, or none at all."""
    assert [*bound_problems({**BOUND, now: BOUND[now] * 99 // 100})]
    assert [*bound_problems({**BOUND, now: 0})]


def test_phases_of_games_lead_where_the_proof_says(phases):
    """Also those that beat armies; and all games end by a fall."""
    moved = [(counts_of(a), counts_of(b)) for a, b in phases if isinstance(b, Position)]

    assert len(moved) > 80
    assert all(follows(now, after) for now, after in moved)
    assert any(after[2] < now[2] for now, after in moved)
    assert sum(not isinstance(state, Position) for _, state in phases) == 24


def test_the_table_falls_by_a_phase_on_average(phases):
    """By the exact distribution of the reference rules."""
    few = [p for p, _ in phases if len(p.revolts) + len(p.unrest) <= EXACT and len(p.revolts) <= 7][:3]

    assert len(few) == 3
    for position in few:
        ends = rules.solve(position).ends
        mean = sum((c * BOUND[counts_of(e)] for e, c in ends.items() if isinstance(e, Position)), Fraction(0))
        assert mean + UNITS <= BOUND[counts_of(position)]


@pytest.mark.parametrize(
    ("now", "after"),
    [
        ((3, 1, 0), (2, 1, 1)),  # a revolt goes, and the army stays
        ((3, 1, 1), (0, 1, 0)),  # three go with two armies
        ((3, 1, 1), (3, 1, 3)),  # two armies come
        ((3, 2, 1), (3, 0, 1)),  # unrest goes
    ],
)
def test_what_cannot_follow(now, after):
    assert not follows(now, after)


def test_a_passive_rome_places_no_garrison():
    """No set-up of a level has one, so it cannot win."""
    for level in ("3100", "5322"):
        start = new_game(Ruleset.from_level(level), 1).position
        assert start.phase is Phase.ROMAN
        assert not any(start.has_garrison(place) for place in start.discs)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 1}',
        '{"format": 1, "bound": [[1]]}',
        '{"format": 2, "bound": []}',
        '{"format": 1, "bound": 7}',
    ],
)
def test_a_file_that_is_no_table_is_refused(text):
    with pytest.raises(FindingError, match=r"table of phases|whole numbers"):
        read_bound(text, "x")
