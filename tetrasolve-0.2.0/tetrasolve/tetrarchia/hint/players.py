"""A pool of compiled players: each is used by one caller at a time, so any number of threads can compute hints.

A `Player` searches in its own memory without the interpreter lock; two threads in one player would overwrite each other's
search. Its only state between calls is a cache whose keys contain everything that the cached value depends on, so an answer
is the same with any player (tests/threads check this).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeAlias, cast

from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.weights import Weights, shipped
from tetrasolve.tetrarchia.house import House
from tetrasolve.tetrarchia.kernel import Player
from tetrasolve.tetrarchia.ruleset import Ruleset

MOST_IDLE = 16  # players kept for later calls, over all boards and rulesets: a few MB each
PHASE_POLICIES = ("decline", "eager", "random")  # in the order of the kernels' numbers
DECIDE = "eager"  # the policy in Barbarian phases of a search: each side takes what helps it (`rules.choices`)

Rules: TypeAlias = tuple[int, frozenset[str], frozenset[str], tuple[tuple[str, str], ...], House]
Key: TypeAlias = tuple[Board, Rules, bool, int, bytes, bytes]


class Pool:
    """Idle players, the least recently used first; at most `most` of them are kept."""

    def __init__(self, most: int = MOST_IDLE) -> None:
        self.most = most
        self._idle: list[tuple[Key, Player]] = []
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._idle)

    @contextmanager
    def borrow(
        self, board: Board, ruleset: Ruleset, weights: Weights | None = None, *, rebels: bool = False
    ) -> Iterator[Player]:
        """A context with a player for the caller's exclusive use; a player is dropped if the block raises.

        `rebels`: whether there may be rebels in the positions.
        """
        chosen = weights or _shipped_for(ruleset, rebels=rebels)
        # levels may share them
        rules = (ruleset.garrisons, ruleset.modules, ruleset.variants, ruleset.interpretations, ruleset.house)
        key = (board, rules, rebels, chosen.width, chosen.start, chosen.end)
        player = self._take(key) or new_player(board, ruleset, chosen, rebels=rebels)
        yield player
        self._give_back(key, player)

    def _take(self, key: Key) -> Player | None:
        with self._lock:
            for at in range(len(self._idle) - 1, -1, -1):
                if self._idle[at][0] == key:
                    return self._idle.pop(at)[1]
        return None

    def _give_back(self, key: Key, player: Player) -> None:
        with self._lock:
            self._idle.append((key, player))
            dropped = self._idle[: -self.most]
            del self._idle[: -self.most]
        del dropped  # outside the lock: freeing their memory takes a while


def _shipped_for(ruleset: Ruleset, *, rebels: bool) -> Weights:
    return shipped(modules=fast.engine_for(ruleset, rebels=rebels) is not kernel)


def new_player(
    board: Board, ruleset: Ruleset, weights: Weights | None = None, *, rebels: bool = False, decide: str = DECIDE
) -> Player:
    """A new player for a board and a ruleset, with these weights or the shipped ones; for one thread at a time.

    `rebels`: whether there may be rebels in the positions. `decide`: the policy, one of `PHASE_POLICIES`, of all who have
    choices in a Barbarian phase.
    """
    engine = fast.kernel_for(board, ruleset, rebels=rebels)
    chosen = weights or _shipped_for(ruleset, rebels=rebels)
    number = PHASE_POLICIES.index(decide)
    if fast.engine_for(ruleset, rebels=rebels) is kernel:
        return Player(engine, chosen.networks(), number)
    # whole.Player has all methods of kernel.Player
    return cast(
        Player, whole.Player(cast(whole.Kernel, engine), cast(whole.Networks, chosen.networks(modules=True)), number)
    )


_SHARED = Pool()
borrow = _SHARED.borrow
