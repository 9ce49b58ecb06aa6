"""Win rates of the greedy policy of the second game, beside the figures that its rules were measured by.

    python bench/finem_greedy.py --games 1000

Prints for each ruleset the games won with a 95 % interval, the turns of a game, how the games ended, and whether the figure of the
rules page (1,000 games of a greedy policy that is not described further) lies in the interval, and in that of the difference of
both samples.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from random import Random

from tetrasolve.exact.binomial import normal
from tetrasolve.exact.estimate import chance
from tetrasolve.finem import rules
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Phase, Position
from tetrasolve.finem.ruleset import Ruleset

PAGE = {  # section 8 of the exact rules: percent won of 1,000 games
    "introductory": 54.7,
    "standard": 38.0,
    "introductory?E-PACIFY=action": 49.8,
    "standard?E-PACIFY=action": 21.8,
    "introductory?E-PACIFY=free": 99.9,
}
PAGE_GAMES = 1000
CONFIDENCE = 0.95


def play(ruleset: Ruleset, seed: int, policy: str) -> tuple[str, int]:
    """The result of a game and its turns; the cards are of the seed."""
    state, random, turns = rules.random_set_up(ruleset, seed), Random(f"greedy {seed}"), 1
    while isinstance(state, Position):
        node = rules.node(state)
        option = random.choice(node.options) if node.is_chance else POLICIES[policy](state, node)
        turns += state.phase is Phase.ROLE
        state = rules.take(state, option)
    return str(state), turns


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="first seed (default: %(default)s)")
    parser.add_argument("--policy", choices=[*POLICIES], default="greedy")
    chosen = parser.parse_args(arguments)
    for text, page in PAGE.items():
        ruleset = Ruleset.from_text(text)
        played = [play(ruleset, chosen.seed + number, chosen.policy) for number in range(chosen.games)]
        ends = Counter(result.removeprefix("lost: ").split(" of ")[0] for result, _ in played)
        won = chance(ends["won"], chosen.games, CONFIDENCE)
        share, stated = ends["won"] / chosen.games, page / 100
        spread = normal(CONFIDENCE) * (share * (1 - share) / chosen.games + stated * (1 - stated) / PAGE_GAMES) ** 0.5
        turns = sum(number for _, number in played) / chosen.games
        print(
            f"{text:<30} {100 * share:5.1f} % [{100 * won.low:.1f}, {100 * won.high:.1f}]  {turns:.1f} turns  "
            f"page {page} %: {'inside' if won.low <= stated <= won.high else 'outside'}, "
            f"difference {'inside' if abs(share - stated) <= spread else 'outside'}  {dict(ends)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
