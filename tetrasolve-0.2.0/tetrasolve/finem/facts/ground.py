"""The map: adjacencies, and distances in moves, flat and on the sphere under both readings of it."""

from __future__ import annotations

from collections.abc import Mapping

import networkx

from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.claims.saying import listed, many, words
from tetrasolve.finem import numbers
from tetrasolve.finem.layout import FLAT, GAP, GRID, REGIONS, SKIP, layout

BORDERS = (FLAT, GAP, SKIP)
NAMES = {FLAT: "On the printed map", GAP: "On the sphere (gap)", SKIP: "On the sphere (skip)"}
EVERY = "every ruleset with the printed map"


def graph(border: str) -> networkx.Graph:
    """The regions and their adjacencies."""
    found = layout((), border)
    made = networkx.Graph()
    made.add_nodes_from(REGIONS)
    made.add_edges_from((one, other) for one in REGIONS for other in found.neighbours[one])
    return made


def row(regions: object) -> tuple[str, ...]:
    """Regions as the words of a value, in reading order."""
    assert isinstance(regions, list | set | tuple)
    return tuple(card.lower() for card in GRID.printed if card in regions)


def _regions(board: object) -> dict[str, Values]:
    del board
    return {border: _region(graph(border)) for border in BORDERS}


def _region(made: networkx.Graph) -> Values:
    degree = dict(made.degree)
    most, fewest = max(degree.values()), min(degree.values())
    cut = {*networkx.articulation_points(made)}
    values: dict[str, Value] = {f"links.{region.lower()}": number for region, number in degree.items()}
    return values | {
        "regions": len(made),
        "adjacencies": made.number_of_edges(),
        "max": most,
        "most": row([region for region in REGIONS if degree[region] == most]),
        "min": fewest,
        "fewest": row([region for region in REGIONS if degree[region] == fewest]),
        "articulation": row(cut),
    }


def _distances(board: object) -> dict[str, Values]:
    del board
    return {border: _distance(graph(border)) for border in BORDERS}


def _distance(made: networkx.Graph) -> Values:
    start = layout().start
    steps: Mapping[str, int] = networkx.single_source_shortest_path_length(made, start)
    far = networkx.eccentricity(made)
    values: dict[str, Value] = {f"to.{region.lower()}": steps[region] for region in REGIONS}
    return values | {
        "max": max(steps.values()),
        "farthest": row([region for region in REGIONS if steps[region] == max(steps.values())]),
        "in-four": sum(number <= numbers.ACTIONS for number in steps.values()),
        "radius": min(far.values()),
        "centre": row([region for region in REGIONS if far[region] == min(far.values())]),
        "diameter": max(far.values()),
    }


def _say_region(instance: str, values: Values) -> str:
    return (
        f"{NAMES[instance]} there are {values['regions']} regions and {values['adjacencies']} adjacencies: at most "
        f"{values['max']} of a region, at least {values['min']}; {many(len(words(values, 'articulation')), 'region')} "
        f"{'hold' if len(words(values, 'articulation')) != 1 else 'holds'} the map together."
    )


def _say_distance(instance: str, values: Values) -> str:
    far = listed(word.upper() for word in words(values, "farthest"))
    return (
        f"{NAMES[instance]} no region is more than {values['max']} moves from the start (so far is {far}); "
        f"{values['in-four']} regions can be reached in four moves; any two are at most {values['diameter']} apart."
    )


TOPICS = (
    Topic(
        "region", "ground", "Adjacencies of the regions", "counted on the grid", "", ("map",), _regions, None, _say_region,
        ruleset=EVERY,
    ),
    Topic(
        "distance", "ground", "Distances from the start", "shortest paths on the grid", "", ("map", "numbers"), _distances,
        None, _say_distance, ruleset=EVERY,
    ),
)  # fmt: skip
