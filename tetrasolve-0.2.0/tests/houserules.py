"""Random house rules, and positions under them, for tests that compare both engines."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from scatter import RECIPES
from scattermodules import any_extensions, with_figures
from tabletop import MAP

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.house import HOUSE_NUMBERS
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

LEVELS = list(all_levels())
BOARDS = (Board.standard(), MAP)


def any_house(ruleset: Ruleset, random: Random, *, reference: bool = False) -> Ruleset:
    """The same ruleset with some numbers changed, near the rulebook's more often than far from them."""
    while True:
        house: list[tuple[str, int]] = []
        for name, number in HOUSE_NUMBERS.items():
            if number.reference is not reference or not number.applies(ruleset.extensions) or random.random() < 0.6:
                continue
            near = number.default + random.choice((-2, -1, 1, 2))
            value = near if random.random() < 0.6 else random.randint(number.least, number.most)
            house.append((name, min(max(value, number.least), number.most)))
        try:
            changed = ruleset.with_house(house)
        except RulesetError:  # it cannot carry the game
            continue
        if changed.house:
            return changed


def any_ruleset(random: Random) -> Ruleset:
    """A level with house rules, and in half of the cases with modules, variants and readings."""
    level = random.choice(LEVELS)
    return any_house(any_extensions(level, random) if random.random() < 0.5 else level, random)


def under_house(position: Position, random: Random) -> Position | None:
    """The same table under the house rules of its ruleset, with any IP; None where it cannot occur, or the game is won."""
    if position.phase is Phase.ROMAN:
        full = position.ruleset.numbers["ip"]
        ip = full if position.here is None or random.random() < 0.3 else random.randint(0, full)
        position = position.replace(ip=ip)
    return None if position.status() or position.is_won else position


def house_positions(random: Random, phase: Phase) -> Iterator[Position]:
    """Positions under house rules without end: beginnings of games, and tables that are scattered over the map."""
    while True:
        ruleset, board = any_ruleset(random), random.choice(BOARDS)
        if phase is Phase.ROMAN and random.random() < 0.1:
            yield rules.random_set_up(ruleset, random.random(), board=board)
            continue
        recipe = random.choice((*RECIPES, "invasion"))
        found = with_figures(recipe, ruleset.with_house(()), random, board, phase).replace(ruleset=ruleset)
        if (legal := under_house(found, random)) is not None:
            yield legal
