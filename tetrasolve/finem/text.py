"""Positions as text for people."""

from __future__ import annotations

from tetrasolve.finem import numbers
from tetrasolve.finem.jsonform import NO_ROLE
from tetrasolve.finem.layout import EMPTY, GRID, TRIBES
from tetrasolve.finem.position import Position, in_order
from tetrasolve.finem.tracks import invasion_cards

NAMES = {"O": "oros", "C": "copas", "E": "espadas", "B": "bastos"}
WIDTH = 12  # columns of a region in the map: a card, the pawn, and the cubes of four tribes


def position_text(position: Position) -> str:
    """A position as lines of text: its notation, what happens next, the map, the tribes and the tracks."""
    detail = f" {position.left} left" if position.left else f" by {position.card}" if position.card else ""
    cards = invasion_cards(position.ruleset, position.decline)
    lines = [
        str(position),
        f"{'next':<10}{position.phase}: {position.step}{detail}",
        f"{'role':<10}{position.role or NO_ROLE}",
        *map_lines(position),
    ]
    for tribe in TRIBES:
        on_map = position.on_map(tribe)
        die = position.die(tribe)
        words = [f"die {die}" if die else "eradicated", f"{on_map} on the map, {numbers.CUBES - on_map} left"]
        words += ["pacified"] if tribe in position.pacified else []
        lines.append(f"{NAMES[tribe]:<10}{', '.join(words)}")
    lines += [
        f"{'decline':<10}{position.decline} of {position.ruleset.most_decline}: {cards} cards invade",
        f"{'outbreaks':<10}{position.outbreaks} of {numbers.MOST_OUTBREAKS}",
        f"{'last':<10}{position.last}, start {position.start}",
    ]
    more = {
        "out": " ".join(in_order(position.out)),
        "hand": " ".join(position.hand),
        "protected": position.protected or "",
        "invasion": "skipped this turn" if position.is_quiet else "",
        "tribune": "has exchanged a card" if position.has_exchanged else "",
        "travel": "as the Consul, besides the role" if position.has_travel else "",
    }
    return "\n".join(lines + [f"{name:<10}{words}" for name, words in more.items() if words])


def map_lines(position: Position) -> list[str]:
    """The map as rows of text: each card with its cubes, ``*`` where the pawn is."""
    layout = position.layout
    rows = []
    for row in range(1, GRID.rows + 1):
        cells = []
        for column in range(1, GRID.columns + 1):
            region = layout.region.get((row, column))
            cells.append(EMPTY if region is None else cell(position, region))
        rows.append("  " + "".join(text.ljust(WIDTH) for text in cells).rstrip())
    return rows


def cell(position: Position, region: str) -> str:
    """A region with its cubes: ``C7* C3O1``."""
    cubes = "".join(f"{tribe}{n}" for tribe, n in position.occupied.get(region, {}).items())
    return f"{region}{'*' if region == position.pawn else ''} {cubes}".strip()
