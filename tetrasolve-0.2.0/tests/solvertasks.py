"""Turns to be planned by every engine: positions over all levels and readings, objectives of every kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random

from scatter import any_readings, scattered

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan import Task, read_objective
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = tuple(all_levels())
RECIPES = ("mixed", "quiet", "invasion", "before Roma", "walled", "last discs", "no unrest")

Writer = Callable[[Position, list[str], Random], str]


def _some(places: list[str], random: Random, count: int = 1) -> str:
    return ", ".join(random.sample(places, min(count, len(places))))


# Each makes an objective about provinces near the Emperor, so that it can often be had
KINDS: tuple[Writer, ...] = (
    lambda _, near, r: f"reach {_some(near, r)}",
    lambda p, _, r: f"reach {_some(list(p.board.ids), r)}",
    lambda _, near, r: f"secure {_some(near, r)}",
    lambda p, _, r: f"secure {_some(list(p.board.borders), r)}",
    lambda _, near, r: f"clear {_some(near, r)}",
    lambda _, near, r: f"clear {_some(near, r, 3)} and secure {_some(near, r)}",
    lambda p, near, r: f"kill {_some(list(p.armies) or near, r)} then reach {_some(near, r)}",
    lambda _, near, r: f"secure {_some(near, r)} then most value revolt=-3 unrest=-1",
    lambda _, _near, _r: "most value revolt=-3 unrest=-1 garrison=1 army=-5",
    lambda _, near, r: f"most value garrison=2 garrison@borders=9 emperor@{_some(near, r)}=1 unrest@III=-2",
    lambda _, near, r: f"most value revolt=-2 army=-7 subject to do not end in {_some(near, r)} and keep 2 garrisons",
    lambda _, near, r: (
        f"clear {_some(near, r, 2)} subject to end in {_some(near, r, 3)} and spend at most {r.randint(1, 6)}"
    ),
    lambda _, near, r: f"least ip then most value emperor@{_some(near, r)}=5",
    lambda p, near, r: f"most value army@{_some(list(p.armies) or near, r)}=-4 revolt@{_some(near, r)}=-1 garrison=-1",
)


def near(position: Position) -> list[str]:
    """The provinces within two links of the active Emperor."""
    here = position.here or position.board.roma
    ring = set(position.board.neighbours(here))
    return sorted(ring.union(*(position.board.neighbours(place) for place in ring)))


def _stated(position: Position, random: Random) -> tuple[tuple[str, Outcome], ...]:
    return tuple(sorted((army, random.choice(list(Outcome))) for army in position.armies if random.random() < 0.6))


def positions(name: str, most_ip: int) -> Iterator[Position]:
    """Positions without end in which a turn is to be planned, with at most so many IP left."""
    random = Random(f"solvers {name}")
    while True:
        ruleset = random.choice(LEVELS)
        if random.random() < 0.4:
            ruleset = any_readings(ruleset, random)
        position = scattered(random.choice(RECIPES), ruleset, random, Board.standard())
        if position.status() or position.is_won:
            continue
        if position.here is not None:
            position = position.replace(ip=min(position.ip, most_ip))
        if position.ip > most_ip:
            continue  # who is off the board has all his IP
        if rules.may_end(position) or rules.legal_actions(position):
            yield position


def tasks(name: str, count: int, most_ip: int, objectives: int) -> Iterator[Task]:
    """For so many positions so many tasks each, the kinds of objectives one after the other."""
    random = Random(f"tasks {name}")
    kinds = cycle(KINDS)
    for _, position in zip(range(count), positions(name, most_ip), strict=False):
        for _ in range(objectives):
            text = next(kinds)(position, near(position), random)
            yield Task(position, read_objective(text), _stated(position, random))
