"""A million plies at random over random rulesets: no disc and no figure is lost, doubled or in two places.

The player who decides in a Barbarian phase does so at random, too.

The kernel's checked build looks at every position on the way (`check_position`); here the positions where each turn ends
are read back as a player sees them, and every reason why they could not be is asked for.
"""

from __future__ import annotations

from random import Random

from scattermodules import any_extensions

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import AT_RANDOM, OPEN
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = list(all_levels())
PLIES = 1_000_000
RULESETS = 60
LOOKED_AT = 20_000  # plies whose positions are read back


def test_a_million_plies_keep_everything() -> None:
    """Whole games in the kernel, over modules, variants, readings and levels."""
    random = Random("conservation")
    plies = 0
    for number in range(RULESETS):
        ruleset = any_extensions(random.choice(LEVELS), random)
        engine = fast.kernel_for(Board.standard(), ruleset)
        played = 0
        while played < PLIES / RULESETS:
            found = engine.random_games(
                20, ruleset.revolts, ruleset.fleets, ruleset.armies, number * 1000 + played, AT_RANDOM
            )
            assert found["won"] + found["fallen"] == found["games"]
            played += found["plies"]
        plies += played
    assert plies >= PLIES


def test_positions_on_the_way_are_legal() -> None:
    """Each is one that nothing speaks against: pieces counted, one disc and one figure in a province."""
    random = Random("conservation, read back")
    board = Board.standard()
    looked = 0
    while looked < LOOKED_AT:
        ruleset = any_extensions(random.choice(LEVELS), random)
        engine, module = fast.kernel_for(board, ruleset), fast.engine_for(ruleset)
        rng = module.Rng(random.getrandbits(32))
        state = engine.setup(ruleset.revolts, ruleset.fleets, ruleset.armies, rng)
        while state.result == OPEN:
            position = fast.to_position(state, board, ruleset)
            assert position.status() == (), position
            looked += 1
            roman = position.phase == "roman"
            state = engine.random_turn(state, rng) if roman else engine.sample(state, rng, AT_RANDOM)
