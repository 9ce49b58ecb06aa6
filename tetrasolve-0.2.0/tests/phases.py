"""Positions for the tests of risk: small enough for every method, odd enough to need each rule."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from scatter import RECIPES, scattered

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import all_levels


def phases(count: int, most_visits: int, seed: int = 1) -> Iterator[Position]:
    """Legal positions before a Barbarian phase that can go at most so many ways, the recipes taken in turn.

    Ways, not results: where the Empire falls almost surely there is one result, and a long chain all the same.
    """
    random = Random(f"phases {seed}")
    levels, recipes = list(all_levels()), list(RECIPES)
    found = tries = 0
    while found < count:
        tries += 1  # so that a recipe which only gives larger phases does not hold up the others
        recipe = recipes[tries % len(recipes)]
        position = scattered(recipe, random.choice(levels), random, Board.standard(), Phase.BARBARIAN)
        kernel = fast.kernel_for(position.board, position.ruleset)
        if kernel.phase(fast.to_state(position))["visits"] <= most_visits:
            found += 1
            yield position
