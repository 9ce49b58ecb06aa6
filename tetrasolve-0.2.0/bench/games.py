"""How many random games the kernel plays in a second, over all levels, beside backgammon in OpenSpiel's C++.

A state of ours is what an action, an end of turn or a whole Barbarian phase leaves; one of OpenSpiel's is what a move
or a roll of dice leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchkit.command import Bench, start
from benchkit.peers import OpenSpiel, own_clock
from benchkit.race import Contestant, Race, Ratio

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Kernel
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

TIMES_OPENSPIEL = 30  # the goal
GAMES_OF_A_LEVEL = 300
OPENSPIEL_GAMES = 300

Levels = Sequence[tuple[Kernel, Ruleset]]


def levels() -> Levels:
    """All levels, each with its kernel."""
    board = Board.standard()
    return [(fast.kernel_for(board, level), level) for level in all_levels()]


def play(chosen: Levels, games: int, seed: int) -> dict[str, int]:
    """So many random games at each level."""
    done = {"games": 0, "states": 0}
    for kernel, level in chosen:
        tally = kernel.random_games(games, level.revolts, level.fleets, level.armies, seed)
        done["games"] += tally["games"]
        done["states"] += tally["plies"]
    return done


def measure(bench: Bench) -> tuple[Race, Sequence[Ratio]]:
    """The kernel, and both ways to have OpenSpiel play in C++."""
    chosen = levels()
    games, peer_games = (1, 1) if bench.quick else (GAMES_OF_A_LEVEL, OPENSPIEL_GAMES)
    total = play(chosen, games, bench.seed)
    bench.work = {"levels": len(chosen), "states_a_game": round(total["states"] / total["games"], 2)}
    contestants = [Contestant("kernel", lambda: play(chosen, games, bench.seed), own_clock(bench.wall))]
    spiel = bench.peer(lambda: OpenSpiel(bench.seed, peer_games, bench.wall))
    if spiel:
        contestants += spiel.contestants()
        bench.work["states_a_game_of_backgammon"] = round(spiel.states_a_game, 2)
    ratios = [
        Ratio(f"kernel / {peer.name}, {unit}", ("kernel", unit), (peer.name, unit), goal)
        for peer in contestants[1:]
        for unit, goal in (("states", TIMES_OPENSPIEL), ("games", None))
    ]
    return bench.race(contestants), ratios


if __name__ == "__main__":
    start("games", __doc__, measure)
