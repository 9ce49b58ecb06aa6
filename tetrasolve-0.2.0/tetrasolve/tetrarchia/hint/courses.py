"""The games that a network is trained and calibrated on: their rules, and where they begin.

A *course* is a level with modules and variants, or a scenario. `mixed` draws one for each game of a training with modules: each
module and variant alone, any set of them, the scenarios with both set-ups, and the base game; all levels. `with_rules` lists those
of one set of rules, for its calibration.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from random import Random
from types import ModuleType
from typing import NamedTuple

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.weights import Weights
from tetrasolve.tetrarchia.kernel import Player, State
from tetrasolve.tetrarchia.numbers import MOST_FLEETS_WITH_PIRATES
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import rolled_scenario, scenario, scenarios
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset, all_levels

ALONE, TOGETHER, WARS = (
    0.4,
    0.25,
    0.15,
)  # shares of the games with one module, with several, of scenarios; else the base game
_HOW = re.compile(r"(?P<fixed>fixed)?(?:(?:^| )(?P<garrisons>[345])-garrisons)?")
EACH = 0.35  # chance of each module and variant where several are played


@dataclass(frozen=True, slots=True)
class Course:
    """The rules of a game, and the scenario and whether it is set up without dice, where it is one."""

    ruleset: Ruleset
    scenario: str | None = None
    fixed: bool = False

    @property
    def has_modules(self) -> bool:
        """Whether it has rules beyond those of the base game."""
        return bool(self.ruleset.extensions) or self.scenario is not None

    def start(self, seed: str) -> Position | None:
        """The set-up of a scenario; None where the player rolls the set-up of a level."""
        if self.scenario is None:
            return None
        return rolled_scenario(self.scenario, seed, ruleset=self.ruleset, fixed=self.fixed).position


def mixed(seed: int, number: int, *, base_game: bool = True) -> Course:
    """The course of a game, which depends on the seed and the number alone; with or without games of the base game."""
    random = Random(f"course {seed} {number}")
    kind, level = random.random() * (1 if base_game else WARS + ALONE + TOGETHER), random.choice(list(all_levels()))
    if kind < WARS:
        return _war(random.choice(scenarios()), fixed=random.random() < 1 / 2)
    if kind < WARS + ALONE:
        return Course(_extended(level, [random.choice((*MODULES, *VARIANTS))]))
    if kind < WARS + ALONE + TOGETHER:
        return Course(_extended(level, [name for name in (*MODULES, *VARIANTS) if random.random() < EACH]))
    return Course(level)


def named(text: str) -> Course:
    """The course with this name: a ruleset like ``4211+dux``, or a scenario.

    After the name of a scenario `` fixed`` stands for its set-up without dice, `` 3-garrisons`` for so many garrisons each, or both
    in this order.

    :raises RulesetError: when it is neither.
    """
    name, _, how = text.partition(" ")
    match = _HOW.fullmatch(how)
    if name in scenarios() and match:
        return _war(name, fixed=bool(match["fixed"]), garrisons=match["garrisons"])
    return Course(Ruleset.from_text(text))


def by_turns(seed: int, number: int) -> Course:
    """The course of a game of a calibration: the levels of the base game one after another, and a `mixed` one between each two."""
    half, odd = divmod(number, 2)
    levels = list(all_levels())
    return mixed(seed, half, base_game=False) if odd else Course(levels[half % len(levels)])


def _war(name: str, *, fixed: bool, garrisons: str | None = None) -> Course:
    ruleset = scenario(name).ruleset()
    if garrisons:
        ruleset = replace(ruleset, garrisons=int(garrisons))
    return Course(ruleset, name, fixed)


def _extended(level: Ruleset, names: Collection[str]) -> Ruleset:
    modules, variants = [n for n in names if n in MODULES], [n for n in names if n not in MODULES]
    fleets = min(level.fleets, MOST_FLEETS_WITH_PIRATES) if "pirates" in modules else level.fleets
    fitting = Ruleset(level.garrisons, fleets, level.revolts, level.armies)
    return fitting.with_extensions(modules, variants)


class Seat(NamedTuple):
    """A player for a game, the start where that is not a set-up of a level, and the kernel of both."""

    player: Player
    start: State | None
    engine: ModuleType


def seated(course: Course, seed: int, number: int, weights: Weights | None = None) -> Seat:
    """The player of game `number` of a course."""
    start = course.start(f"{seed} {number}")
    rebels = start is not None and bool(start.rebels)
    player = new_player(Board.standard(), course.ruleset, weights, rebels=rebels)
    state = None if start is None else fast.state_of(start, rebels=rebels)
    return Seat(player, state, fast.engine_for(course.ruleset, rebels=rebels))
