"""Short games that have been found, as data: the set-up, and what is done in each turn up to the victory.

The dice of a phase between two turns are those that the game states or, where it states none, the kindest, see `soonest`.

Whether they are games at all is for the rules to say; nothing is believed of them but what a replay shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from tetrasolve.strict import read_toml

FEWEST_GARRISONS = 3  # what can be done with these can be done with more
FILE = "games.toml"


class Game(NamedTuple):
    """A game at a level: its last three figures, the set-up, the plan of each turn.

    `dice`: by the number of the turn that comes after it, the dice of a phase, as `plan.campaign.dice` reads them.
    """

    level: str
    position: str
    turns: tuple[tuple[str, ...], ...]
    dice: tuple[tuple[int, str], ...] = ()


KINDEST, HARSH = "kindest", "harsh"  # set-ups


@lru_cache(maxsize=64)
def games(set_up: str) -> Mapping[str, tuple[Game, ...]]:
    """Games from the kindest or from harsh set-ups, by the last three figures of their levels, the shorter ones first."""
    data = read_toml((files("tetrasolve.tetrarchia") / "data" / FILE).read_text("utf-8"))
    found: dict[str, list[Game]] = {}
    for row in data[set_up]:
        turns = tuple(tuple(plan.split("; ")) for plan in row["turns"])
        dice = tuple((int(turn), faces) for turn, faces in row.get("dice", {}).items())
        found.setdefault(row["level"], []).append(Game(row["level"], row["position"], turns, dice))
    return {level: tuple(sorted(found[level], key=lambda game: len(game.turns))) for level in sorted(found)}
