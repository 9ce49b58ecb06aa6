"""Positions of turns of the second game at random (finem/drawn.txt), with what can come there; and the map by itself."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tetrasolve.finem import rules
from tetrasolve.finem.position import Position, State, Step

MAP = ("E5 E7 ES ER", "E6 . . EC", "C5 C6 CC CR", ". C7 CS .", "O6 O7 OC OR", "O5 . . OS", "B6 B7 BS BR", ". B5 BC .")
PLACES = {card: (row, at) for row, line in enumerate(MAP) for at, card in enumerate(line.split()) if card != "."}
NEAR = {
    card: {other for other, (r, c) in PLACES.items() if abs(r - row) + abs(c - column) == 1}
    for card, (row, column) in PLACES.items()
}
SUITS, RANKS = "OCEB", "567SCR"
Cubes = dict[tuple[str, str], int]  # by region and tribe


@cache
def drawn(step: Step) -> tuple[Position, ...]:
    """The positions at a step."""
    lines = Path(__file__).with_name("finem").joinpath("drawn.txt").read_text("utf-8").splitlines()
    return tuple(map(Position.parse, (line for line in lines if line.split()[6].partition(":")[0] == step)))


def after(step: Step) -> Iterator[tuple[Position, str, State]]:
    """Each position at a step, with what can come and what follows; lazily, so that a test that fails at the first is soon over."""
    known = _known(step)
    yield from known[0]
    for before, option in known[1]:
        known[0].append((before, option, rules.take(before, option)))
        yield known[0][-1]


@cache
def _known(step: Step) -> tuple[list[tuple[Position, str, State]], Iterator[tuple[Position, str]]]:
    """What is known of these, and what is still to be asked."""
    return [], ((before, option) for before in drawn(step) for option in rules.node(before).options)


def cubes(one: Position) -> Cubes:
    return {(region, tribe): n for region, tribes in one.occupied.items() for tribe, n in tribes.items()}


def on_map(found: Cubes, tribe: str) -> int:
    return sum(n for (_, of), n in found.items() if of == tribe)


def with_cube(found: Cubes, region: str, tribe: str) -> tuple[Cubes, int]:
    """A cube, or an outbreak: the cubes then, and how many outbreaks there were; nothing is said of one that goes on."""
    if found.get((region, tribe), 0) < 3:
        return found | {(region, tribe): found.get((region, tribe), 0) + 1}, 0
    if any(found.get((other, tribe), 0) > 2 for other in NEAR[region]):
        return {}, 0  # whether the chain can come back to its first region is open
    return found | {(other, tribe): found.get((other, tribe), 0) + 1 for other in NEAR[region]}, 1
