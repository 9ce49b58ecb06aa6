"""Turns with modules, variants and rebels for the solvers: positions for sets of them, each alone and several together."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from scatter import RECIPES
from scattermodules import with_figures

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, MODULES, VARIANTS, Ruleset, all_levels

LEVELS = tuple(all_levels())
EACH = (*MODULES, *VARIANTS, "")  # the last: rebels alone, which every set may have
TOGETHER = ("dux vicarius pirates", "dux imperium", "vicarius imperium via-romana", " ".join((*MODULES, *VARIANTS)))


def positions(extensions: str, count: int, most_ip: int = 6) -> Iterator[Position]:
    """Positions of all kinds with these modules and variants, at all levels, half of them with any readings."""
    names, random = frozenset(extensions.split()), Random(f"modules {extensions}")
    while count:
        level = random.choice(LEVELS)
        fleets = min(level.fleets, 2) if "pirates" in names else level.fleets
        numbers = (level.garrisons, fleets, level.revolts, level.armies)
        ruleset = Ruleset(*numbers, names & set(MODULES), names & set(VARIANTS))
        if random.random() < 0.5:
            used = [reading for reading in KERNEL_READINGS.values() if reading.applies(ruleset.extensions)]
            ruleset = ruleset.with_readings([(reading.name, random.choice(list(reading.played))) for reading in used])
        position = with_figures(random.choice(list(RECIPES)), ruleset, random, Board.standard())
        if position.here is not None and random.random() < 0.7:
            position = position.replace(ip=min(position.ip, random.randint(0, 5)))
        if position.here is not None:
            position = position.replace(ip=min(position.ip, most_ip))
        if not position.status() and position.ip <= most_ip:
            yield position
            count -= 1
