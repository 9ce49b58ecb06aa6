"""The signature of the kernel: an integer that changes only when the behaviour of the rules does.

It is a hash of perft and turn ends over positions of random games at every level, of the outcomes of their Barbarian phases
with chances rounded far above floating-point noise, and of the results of games played from seeds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tetrasolve.exact.deadline import answering, stop_of
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import BARBARIAN, OPEN, Kernel, Rng, State
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

PERFT_DEPTH = 3
DIGITS = 9  # of a chance: sums of doubles in another order agree to about 15
STEPS = 40  # played from each set-up


@dataclass(frozen=True, slots=True)
class Signature:
    """The integer, and the counts that it is computed from."""

    value: int
    parts: Mapping[str, int]


def signature(board: Board | None = None, *, seconds: float | None = None, cancel: Stop | None = None) -> Signature:
    """The signature of the kernel on a board (default: the standard one); a second or so of work.

    :raises OutOfTimeError: when `seconds` are over, or `cancel` is set, before it is known.
    """
    with answering("the signature"):
        return _signature(board, stop_of(seconds, cancel))


def _signature(board: Board | None, stop: Stop | None) -> Signature:
    board = board or Board.standard()
    parts = {"positions": 0, "perft": 0, "ends": 0, "outcomes": 0, "plies": 0}
    digest = hashlib.sha256()
    for seed, ruleset in enumerate(all_levels()):
        kernel = fast.kernel_for(board, ruleset)
        for state in _walk(kernel, ruleset, seed):
            parts["positions"] += 1
            perft, ends = kernel.perft(state, PERFT_DEPTH, stop=stop), kernel.ends(state, stop=stop)
            figures = kernel.phase(state, stop=stop) if state.phase == BARBARIAN else {}
            parts["perft"] += perft
            parts["ends"] += ends
            parts["outcomes"] += int(figures.get("outcomes", 0))
            chances = {name: round(value, DIGITS) for name, value in sorted(figures.items()) if name != "visits"}
            digest.update(repr((bytes(state), perft, ends, chances)).encode())
        games = kernel.random_games(10, ruleset.revolts, ruleset.fleets, ruleset.armies, seed, stop=stop)
        parts["plies"] += games["plies"]
        digest.update(repr(sorted(games.items())).encode())
    return Signature(int.from_bytes(digest.digest()[:6]), parts)


def _walk(kernel: Kernel, ruleset: Ruleset, seed: int) -> Iterator[State]:
    """Positions of one random game, the Barbarian phases among them."""
    rng = Rng(seed)
    state = kernel.setup(ruleset.revolts, ruleset.fleets, ruleset.armies, rng)
    for _ in range(STEPS):
        yield state
        state = kernel.sample(state, rng) if state.phase == BARBARIAN else kernel.random_turn(state, rng)
        if state.result != OPEN:
            return
