"""Themes of made scenarios (``data/scenario-themes.toml``), and the set-ups of a theme from the easiest to the hardest.

A *ladder* is a rolled set-up with the pieces of the theme, and one order of its further discs. Its steps are numbered: step 0 has
the rolled revolts and those of the theme. Each step above adds an unrest, or makes the last one a revolt; each one below turns a
rolled revolt into an unrest, or takes that away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from types import MappingProxyType
from typing import Any

from tetrasolve.errors import ArgumentError
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import ARMIES, REVOLTS, UNREST
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules import random_set_up
from tetrasolve.tetrarchia.ruleset import Ruleset

DATA = "data/scenario-themes.toml"
STEPS_A_DISC = 2  # unrest, revolt


@dataclass(frozen=True, slots=True)
class Theme:
    """The pieces that all scenarios of a theme have, and the regions of the further discs; `level` has modules too."""

    name: str
    title: str
    level: str
    revolts: tuple[str, ...]
    armies: tuple[str, ...]
    regions: tuple[int, ...]


@cache
def themes() -> Mapping[str, Theme]:
    """The themes by their names.

    >>> themes()["gallia-is-lost"].title
    'Gallia is lost'
    """
    data = read_toml(resources.files("tetrasolve.tetrarchia").joinpath(DATA).read_text("utf-8"))
    return MappingProxyType({row["name"]: _theme(row) for row in data["theme"]})


def _theme(row: dict[str, Any]) -> Theme:
    """A row of the file, which is part of the library and not validated."""
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return Theme(**values)


def theme(name: str) -> Theme:
    """The theme with this name.

    :raises ArgumentError: when there is none.
    """
    if name not in themes():
        raise ArgumentError("theme", name, f"one of {', '.join(themes())}")
    return themes()[name]


@dataclass(frozen=True)
class Ladder:
    """Set-ups of a theme: `base` is step 0, `added` the provinces of the further discs, `taken` those whose revolts go."""

    base: Position
    added: tuple[str, ...]
    taken: tuple[str, ...]

    @property
    def steps(self) -> range:
        """The numbers of the steps, the one with the fewest discs first."""
        return range(-STEPS_A_DISC * len(self.taken), STEPS_A_DISC * len(self.added) + 1)

    def position(self, step: int) -> Position:
        """The set-up of a step.

        :raises IndexError: when there is no such step.
        """
        if step not in self.steps:
            raise IndexError(f"step {step}: expected {self.steps[0]} to {self.steps[-1]}")
        discs = dict(self.base.discs)
        whole, half = divmod(abs(step), STEPS_A_DISC)
        if step > 0:
            discs |= dict.fromkeys(self.added[:whole], REVOLT_DISC) | dict.fromkeys(
                self.added[whole : whole + half], UNREST_DISC
            )
        else:
            for province in self.taken[:whole]:
                del discs[province]
            discs |= dict.fromkeys(self.taken[whole : whole + half], UNREST_DISC)
        return self.base.replace(discs=discs)


def ladder(chosen: Theme, seed: int, number: int) -> Ladder:
    """The ladder of this number for a theme and a seed; it has no more steps than there are discs.

    >>> rungs = ladder(theme("gallia-is-lost"), 1, 0)
    >>> len(rungs.position(2).revolts) - len(rungs.position(0).revolts)
    1
    """
    board, key = Board.standard(), f"scenario {chosen.name} {seed} {number}"
    rolled = random_set_up(Ruleset.from_text(chosen.level), key)
    more = [army for army in chosen.armies if army not in rolled.armies][: ARMIES - len(rolled.armies)]
    base = rolled.replace(
        armies=(*rolled.armies, *more), discs={**rolled.discs, **dict.fromkeys(chosen.revolts, REVOLT_DISC)}
    )
    random = Random(key)
    within = sorted(p.id for p in board.provinces.values() if p.region in chosen.regions and p.kind == "roman")
    free = [name for name in within if base.is_empty(name) and not board[name].printed]
    others = [
        p.id
        for p in board.provinces.values()
        if p.region and p.region not in chosen.regions and p.kind == "roman" and base.is_empty(p.id) and not p.printed
    ]
    random.shuffle(free)
    random.shuffle(others)
    added = (*free, *others)[: min(REVOLTS - len(base.revolts) - 1, UNREST - 1)]
    taken = [name for name in sorted(rolled.revolts) if name not in chosen.revolts]
    random.shuffle(taken)
    return Ladder(base, tuple(added), tuple(taken))
