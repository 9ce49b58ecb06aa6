"""Both engines on the same positions of the Roman phase: whatever one says, the other has to say."""

from collections.abc import Iterator
from random import Random

import pytest
from scatter import RECIPES, any_readings, scattered, state_of
from tabletop import MAP

from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

LEVELS = list(all_levels())
SHARE = 1_250  # different positions of each level
BOARDS = (Board.standard(), MAP)


def test_the_shares_make_a_hundred_thousand():
    """The levels together compare at least 100,000 positions."""
    assert len(LEVELS) == 81
    assert SHARE * len(LEVELS) >= 100_000


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_both_engines_say_the_same_of_the_roman_phase(level):
    """Legal actions, costs, whether he may end, and every successor are equal, on as many positions as a level has to give."""
    random = Random(f"roman phase {level}")
    seen = set()
    falls = 0
    while len(seen) < SHARE:
        ruleset = any_readings(level, random) if random.random() < 0.4 else level
        board = random.choice(BOARDS)
        if random.random() < 0.2:
            walk = iter([scattered(random.choice(list(RECIPES)), ruleset, random, board) for _ in range(10)])
        else:
            walk = game(ruleset, board, random)
        successors: list[Position] = []
        for position in walk:
            state = fast.to_state(position)
            known = (board.edition, ruleset, state)
            if known in seen:
                continue
            seen.add(known)
            falls += compare(position, state)
            if len(seen) == SHARE:
                break
        del successors
    assert len(seen) == SHARE
    assert falls < SHARE
