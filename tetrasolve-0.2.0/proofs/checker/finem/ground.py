"""The map counted again: adjacencies and distances, by walking over it."""

from collections.abc import Callable

from finem.map import AT, BORDERS, CARDS, Map

Values = dict[str, str]
Near = tuple[tuple[int, ...], ...]


def named(table: Map, regions: set[int]) -> str:
    """Regions as the text of a value, in reading order."""
    words = [card.lower() for row in table.grid for card in row if card != "." and AT[card] in regions]
    return ".".join(words) + ("." if len(words) == 1 else "") if words else "-"


def walk(near: Near, start: int, without: int = -1) -> dict[int, int]:
    """The moves from a region to each that can be reached, not over another one."""
    found, edge, steps = {start: 0}, {start}, 0
    while edge:
        steps += 1
        edge = {b for a in edge for b in near[a] if b not in found and b != without}
        found.update(dict.fromkeys(edge, steps))
    return found


def region(table: Map, border: str) -> Values:
    """The adjacencies of all regions, and those without which the map falls apart."""
    near = table.adjacent(border)
    degree = [len(row) for row in near]
    vital = {r for r in range(24) if len(walk(near, (r + 1) % 24, without=r)) < 23}
    return {f"links.{card.lower()}": str(degree[AT[card]]) for card in CARDS} | {
        "regions": str(len(near)),
        "adjacencies": str(sum(degree) // 2),
        "max": str(max(degree)),
        "most": named(table, {r for r in range(24) if degree[r] == max(degree)}),
        "min": str(min(degree)),
        "fewest": named(table, {r for r in range(24) if degree[r] == min(degree)}),
        "articulation": named(table, vital),
    }


def distance(table: Map, border: str) -> Values:
    """The moves from the start, and how far the farthest is from each region."""
    near, start = table.adjacent(border), AT[table.card(table.start)]
    steps = walk(near, start)
    far = [max(walk(near, r).values()) for r in range(24)]
    most = max(steps.values())
    return {f"to.{card.lower()}": str(steps[AT[card]]) for card in CARDS} | {
        "max": str(most),
        "farthest": named(table, {r for r in range(24) if steps[r] == most}),
        "in-four": str(sum(number <= table.number("actions") for number in steps.values())),
        "radius": str(min(far)),
        "centre": named(table, {r for r in range(24) if far[r] == min(far)}),
        "diameter": str(max(far)),
    }


COUNTS: dict[str, tuple[tuple[str, ...], Callable[[Map, str], Values]]] = {
    "region": (BORDERS, region),
    "distance": (BORDERS, distance),
}
