"""How many sequences of actions the kernel counts in a second, beside perft in Stockfish and python-chess.

The positions are the Roman phases of positions.txt. All sides count the last ply without playing it; the kernel is also
measured with every leaf played.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchkit import suite
from benchkit.command import Bench, arguments, main
from benchkit.peers import own_clock, python_chess
from benchkit.race import BenchError, Contestant, Race, Ratio, say
from benchkit.suite import Entry

from tetrasolve.tetrarchia.position import Phase

DEPTH = 5  # of the 6 actions that 6 IP can pay at most
QUICK_DEPTH = 2
PLAYED = "kernel, every leaf played"
GOAL = 1.0  # every leaf played, as many a second as Stockfish counts


def leaves(entries: Sequence[Entry], depth: int, bulk: bool) -> dict[str, int]:
    """Perft of all positions together."""
    return {"nodes": sum(entry.kernel.perft(entry.state, depth, bulk) for entry in entries)}


def measure(bench: Bench) -> tuple[Race, Sequence[Ratio]]:
    """The kernel both ways, and the peers."""
    depth, stockfish_depth, chess_depth = (QUICK_DEPTH, 3, 2) if bench.quick else (DEPTH, 6, 4)
    entries = list(suite.read(Phase.ROMAN))
    counted, played = (leaves(entries, depth, bulk) for bulk in (True, False))
    if counted != played:
        raise BenchError(f"the kernel contradicts itself: {counted} leaves counted, {played} played")
    bench.work = {"positions": len(entries), "depth": depth, "leaves": counted["nodes"]}
    clock = own_clock(bench.wall)
    contestants = [
        Contestant("kernel, last ply counted", lambda: leaves(entries, depth, True), clock),
        Contestant(PLAYED, lambda: leaves(entries, depth, False), clock),
        *bench.start_stockfish(stockfish_depth),
    ]
    chess = bench.peer(lambda: python_chess(chess_depth, bench.wall))
    if chess:
        contestants.append(chess)
    ratios = []
    for peer in contestants[2:]:
        for own in contestants[:2]:
            name = f"{own.name} / {peer.name}"
            goal = GOAL if own.name == PLAYED and peer.name.startswith("Stockfish") else None
            ratios.append(Ratio(name, (own.name, "nodes"), (peer.name, "nodes"), goal))
    return bench.race(contestants), ratios


if __name__ == "__main__":
    options = arguments(__doc__ or "", None, makes_positions=True)
    if options.make_positions:
        suite.write(suite.make(options.seed), options.seed)
        say(f"written: {suite.POSITIONS.name}")
        sys.exit(0)
    sys.exit(main(Bench("movegen", options), measure))
