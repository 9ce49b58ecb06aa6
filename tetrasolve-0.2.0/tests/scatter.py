"""Positions that games at random seldom or never reach, scattered over the map with an eye on what is hard.

All of them are legal: nothing in them contradicts the rules. Whatever is random comes from the `Random` that is handed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import BARBARIAN, OFF, OPEN, ROMAN, WON, State
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, Ruleset

BASE_READINGS = tuple(reading for reading in KERNEL_READINGS.values() if not reading.needs and not reading.whole)


def any_readings(ruleset: Ruleset, random: Random) -> Ruleset:
    """The same level, every open sentence that the kernel of the base game knows read in one of its ways."""
    return ruleset.with_readings([(str(reading), random.choice(list(reading.played))) for reading in BASE_READINGS])


@dataclass(frozen=True, slots=True)
class Recipe:
    """How many of each thing lie on the board, as (least, most), and what the Emperors like."""

    revolts: tuple[int, int] = (3, 12)
    unrest: tuple[int, int] = (0, 8)
    armies: tuple[int, int] = (0, 3)
    secured: tuple[int, int] = (0, 3)
    garrisons: tuple[int, int] = (0, 10)  # besides those on borders
    off: float = 0.25  # chance of each Emperor to be off the board
    in_the_way: float = 0.2  # chance of each Emperor to stand where an army goes
    over_broken: float = 0.3  # chance of each army to stand before a broken link
    beside_roma: float = 0.0  # chance of each army to stand before Roma
    in_column: float = 0.2  # chance of each army to stand behind another
    together: float = 0.1  # chance of the active Emperor to be passing through another


RECIPES: Mapping[str, Recipe] = {
    "mixed": Recipe(),
    "quiet": Recipe(revolts=(0, 4), unrest=(0, 3), armies=(0, 1), garrisons=(4, 16)),
    "smouldering": Recipe(revolts=(1, 5), unrest=(6, 18), armies=(0, 2)),
    "no place for unrest": Recipe(revolts=(0, 0), unrest=(21, 21), armies=(0, 0), garrisons=(0, 8)),
    "last discs": Recipe(revolts=(18, 21), unrest=(0, 5), armies=(0, 2)),
    "no unrest": Recipe(revolts=(0, 2), unrest=(20, 21), armies=(0, 1), garrisons=(0, 3), over_broken=0.0),
    "invasion": Recipe(
        revolts=(3, 8), unrest=(0, 2), armies=(2, 3), in_the_way=0.7, off=0.05, over_broken=0.6, in_column=0.5
    ),
    "column": Recipe(revolts=(3, 6), unrest=(0, 1), armies=(3, 3), in_column=0.9),
    "before Roma": Recipe(revolts=(3, 9), unrest=(0, 3), armies=(1, 3), beside_roma=0.7),
    "walled": Recipe(revolts=(1, 6), unrest=(0, 1), armies=(0, 2), secured=(4, 5), garrisons=(0, 8)),
}


def scattered(recipe: str, ruleset: Ruleset, random: Random, board: Board, phase: Phase = Phase.ROMAN) -> Position:
    """A legal position after a recipe."""
    plan = RECIPES[recipe]
    armies = _armies(plan, random, board)
    discs = _discs(plan, ruleset, random, board, armies)
    to_move = random.choice(board.emperors).id
    emperors = _emperors(plan, random, board, armies)
    if phase is Phase.ROMAN and random.random() < plan.together:
        emperors[to_move] = random.choice(list(emperors.values()))
    ip = random.randint(0, 6) if emperors[to_move] is not None else 6
    position = Position(
        board=board,
        ruleset=ruleset,
        to_move=to_move,
        phase=phase,
        ip=ip if phase is Phase.ROMAN else 0,
        emperors=emperors,
        fleets=tuple(random.sample(range(1, len(board.zones) + 1), ruleset.fleets)),
        armies=tuple(armies),
        discs=discs,
    )
    assert position.status() == ()
    return position


def _armies(plan: Recipe, random: Random, board: Board) -> list[str]:
    on_path = [name for name in board.ids if board[name].arrow is not None]
    hard = [name for name in on_path if board.link(name, board[name].arrow).broken]
    near = [name for name in on_path if board[name].arrow == board.roma]
    armies: list[str] = []
    for _ in range(random.randint(*plan.armies)):
        chosen = near if random.random() < plan.beside_roma else hard if random.random() < plan.over_broken else on_path
        if random.random() < plan.in_column:
            chosen = [name for name in on_path if board[name].arrow in armies] or chosen
        place = random.choice(chosen)
        if place not in armies:
            armies.append(place)
    return armies


def _discs(plan: Recipe, ruleset: Ruleset, random: Random, board: Board, armies: list[str]) -> dict[str, str]:
    discs = {army: REVOLT_DISC for army in armies if not board[army].is_border}
    left = dict.fromkeys((emperor.id for emperor in board.emperors), ruleset.garrisons)
    free = [border for border in board.borders if border not in armies]
    _garrison(random.sample(free, min(len(free), random.randint(*plan.secured))), left, discs, random)
    empty = [name for name in board.ids if not board[name].is_border and name not in discs]
    random.shuffle(empty)
    for disc, (least, most) in ((REVOLT_DISC, plan.revolts), (UNREST_DISC, plan.unrest)):
        lying = sum(1 for other in discs.values() if other == disc)
        for _ in range(random.randint(least, most) - lying):
            if empty:
                discs[empty.pop()] = disc
    _garrison(empty[: random.randint(*plan.garrisons)], left, discs, random)
    return discs


def _garrison(places: list[str], left: dict[str, int], discs: dict[str, str], random: Random) -> None:
    for place in places:
        owners = [emperor for emperor, discs_left in left.items() if discs_left]
        if owners:
            discs[place] = random.choice(owners)
            left[discs[place]] -= 1


def _emperors(plan: Recipe, random: Random, board: Board, armies: list[str]) -> dict[str, str | None]:
    places: dict[str, str | None] = {}
    targets = [board[army].arrow for army in armies]
    for emperor in board.emperors:
        taken = {*armies, *places.values()}
        liked = targets if random.random() < plan.in_the_way else board.ids
        free = [place for place in liked if place is not None and place not in taken]
        places[emperor.id] = random.choice(free) if free and random.random() >= plan.off else None
    return places


def ways_through(position: Position) -> int:
    """How many ways through the Barbarian phase of this position the kernel counts; the reference has to follow about as many.

    Ways, not results: where the Empire falls almost surely there is one result, and a long chain all the same.
    """
    return int(fast.kernel_for(position.board, position.ruleset).phase(state_of(position))["visits"])


# -- the same position as the kernel's integers ------------------------------------------------------------------------


def state_of(position: Position) -> State:
    """A position as a kernel state, field by field; it takes what it is given, legal or not."""
    board, order = position.board, position.board.order
    masks = {REVOLT_DISC: 0, UNREST_DISC: 0} | dict.fromkeys(position.emperors, 0)
    for province, disc in position.discs.items():
        masks[disc] |= 1 << order[province]
    revolts, unrest, *garrisons = masks.values()
    secured = sum(position.discs.get(border) in position.emperors for border in board.borders)
    return State(
        revolts=revolts,
        unrest=unrest,
        garrisons=tuple(garrisons),
        armies=sum(1 << order[army] for army in position.armies),
        emperors=tuple(OFF if place is None else order[place] for place in position.emperors.values()),
        fleets=sum(1 << (zone - 1) for zone in position.fleets),
        to_move=list(position.emperors).index(position.to_move),
        ip=position.ip,
        phase=ROMAN if position.phase is Phase.ROMAN else BARBARIAN,
        result=WON if secured == len(board.borders) else OPEN,
    )
