"""Whole games by the learned greedy policy, in the kernel: it takes what its evaluation finds best at every decision.

So it makes each choice that a reading is about by the rules of its game: the Tribune's exchanges, the Dictator's rides and the
Emperor's names as well. Game n of a seed has the cards of each turn from the seed, n and the turn alone.
"""

from __future__ import annotations

from functools import cache
from random import Random

from tetrasolve.exact.deadline import check
from tetrasolve.finem.hint.players import games
from tetrasolve.finem.hint.weights import shipped
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.lint.wholegames import LOST, OPEN, WON
from tetrasolve.stop import Stop

GREEDY = "greedy"  # of `tetrasolve.finem.hint.players`


@cache
def policy() -> str:
    """The policy, with the identifier of its weights."""
    return f"learned greedy (tetrasolve.finem.hint.players, weights {shipped().digest})"


def play(ruleset: str, seed: int, first: int, count: int, stop: Stop | None = None) -> str:
    """The letters of games `first` to `first + count - 1` of a seed (`tetrasolve.lint.wholegames`).

    :raises Stopped: when `stop` is set before all are played.
    """
    chosen = Ruleset.from_text(ruleset)
    if chosen.has_map:
        return _letters(chosen, seed, first, count, stop)
    letters = []
    for number in range(first, first + count):
        check(stop)
        dealt = chosen.dealt(Random(f"{seed} {number} map"))  # a map serves one game
        letters.append(_letters(dealt, seed, number, 1, stop))
    return "".join(letters)


def _letters(ruleset: Ruleset, seed: int, first: int, count: int, stop: Stop | None) -> str:
    ends = (end for end, _ in games(ruleset, GREEDY, seed, first, count, stop=stop))
    return "".join(OPEN if not end else WON if end == "won" else LOST for end in ends)
