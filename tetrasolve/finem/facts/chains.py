"""Chains of outbreaks: the order in which they are carried out, more cubes, and the longest one.

A chain is a sequence of *steps*: a region whose outbreak is in the chain gives a cube to a neighbour. A neighbour that is in the
chain, or protected, takes none; one with fewer than three cubes takes it; one with three joins the chain. Each step is taken
once. What it does depends on the state of the neighbour alone, so two steps that can both be taken next are compared by the states
of one or two neighbours: these are the cases. Where both orders end alike in each case, all complete orders end alike (Newman's
lemma; no chain is endless, since there are finitely many steps).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from tetrasolve.claims.fact import Topic, Values
from tetrasolve.claims.saying import listed, many, words
from tetrasolve.finem import numbers
from tetrasolve.finem.facts.ground import BORDERS, NAMES
from tetrasolve.finem.layout import NUMBER, layout

IN, SPARED = "in the chain", "protected"
FULL = numbers.MOST_IN_REGION
STATES: tuple[int | str, ...] = (*range(FULL + 1), IN, SPARED)

Some = Mapping[str, int | str]  # the states of some regions


def step(regions: Some, giver: str, taker: str) -> Some:
    """The regions after a step: the giver, which is in the chain, gives a cube to a neighbour."""
    assert regions[giver] == IN
    state = regions[taker]
    if isinstance(state, str):
        return regions
    return {**regions, taker: IN if state == FULL else state + 1}


def _orders(board: object) -> dict[str, Values]:
    del board
    cases = [("a", "r", "b", taker) for taker in ("r", "s")]  # the second step gives to the same region, or to another
    worlds = [
        ({"a": IN, "b": IN, "r": state, "s": other}, case)
        for case in cases
        for state, other in product(STATES, STATES if case[3] == "s" else STATES[:1])
    ]
    worlds += [
        ({"a": IN, "b": IN, "r": state}, ("a", "b", "b", "r")) for state in STATES
    ]  # one giver takes from the other
    both = [
        (step(step(world, a, r), b, taker), step(step(world, b, taker), a, r)) for world, (a, r, b, taker) in worlds
    ]
    stronger = [(a, b) for a, b in product(STATES, STATES) if _at_most(a, b)]
    after = [(_given(a), _given(b)) for a, b in stronger]
    return {
        "confluence": {
            "cases": len(worlds),
            "differ": sum(one != other for one, other in both),
            "states": len(STATES),
            "joins": sum(_given(state) == IN != state for state in STATES),
        },
        "monotone": {"cases": len(stronger), "broken": sum(not _at_most(a, b) for a, b in after)},
    }


def _given(state: int | str) -> int | str:
    return step({"a": IN, "r": state}, "a", "r")["r"]


def _at_most(one: int | str, other: int | str) -> bool:
    """Whether a region in the second state has at least as many cubes, or is in the chain where the first is."""
    if SPARED in (one, other):
        return one == other
    return STATES.index(one) <= STATES.index(other)


def _say_order(instance: str, values: Values) -> str:
    if instance == "confluence":
        return (
            "The order of a chain of outbreaks never matters, on any map: the map after it, the number of its outbreaks and "
            f"whether it loses are the same in every order ({values['cases']} local cases, {values['differ']} differ)."
        )
    return (
        "With more cubes of the tribe a chain has at least the same outbreaks, on any map "
        f"({values['cases']} local cases, {values['broken']} broken)."
    )


# -- the longest chain --------------------------------------------------------------------------------------------------

MOST_REGIONS = 6  # of the sets that are looked at: chains of five require more cubes than there are, as it turns out


def _longest(board: object) -> dict[str, Values]:
    del board
    return {border: _longest_on(border) for border in BORDERS}


def _longest_on(border: str) -> Values:
    fewest, sets = _chains(border)
    most = max(size for size, cubes in fewest.items() if cubes <= numbers.CUBES)
    enough = [regions for regions, cubes in sets[most].items() if cubes == fewest[most]]
    example = min(enough, key=lambda regions: [NUMBER[region] for region in regions])
    return {
        "regions": most,
        "cubes": fewest[most],
        "sets": len(sets[most]),
        "example": tuple(region.lower() for region in example),
        "cubes-for-one-more": fewest[most + 1],
    }


@cache
def _chains(border: str) -> tuple[Mapping[int, int], Mapping[int, Mapping[tuple[str, ...], int]]]:
    """For each number of regions the fewest cubes of a tribe with which they can be a chain, and the sets that there are cubes for.

    Each set has the cubes that it requires.

    The regions of a chain are connected. Its first has three cubes; each other one has four less the number of those before it
    that are adjacent: together 4 |S| - 1 less the adjacencies inside, in every order.
    """
    near = layout((), border).neighbours
    fewest: dict[int, int] = {}
    sets: dict[int, dict[tuple[str, ...], int]] = {}
    for regions in _connected(near):
        inside = sum(other in regions for region in regions for other in near[region]) // 2
        cubes = (numbers.MOST_IN_REGION + 1) * len(regions) - 1 - inside
        fewest[len(regions)] = min(cubes, fewest.get(len(regions), cubes))
        if cubes <= numbers.CUBES:
            sets.setdefault(len(regions), {})[tuple(sorted(regions, key=NUMBER.__getitem__))] = cubes
    return fewest, sets


def _connected(near: Mapping[str, tuple[str, ...]]) -> Iterator[frozenset[str]]:
    """All connected sets of at most `MOST_REGIONS` regions."""
    level = {frozenset((region,)) for region in near}
    for _ in range(MOST_REGIONS):
        yield from level
        level = {known | {other} for known in level for region in known for other in near[region] if other not in known}


def _say_longest(instance: str, values: Values) -> str:
    return (
        f"{NAMES[instance]} the longest chain has {many(values['regions'], 'outbreak')}: {values['cubes']} of a tribe's cubes are "
        f"enough, as in {listed(word.upper() for word in words(values, 'example'))}; one more would require "
        f"{values['cubes-for-one-more']} cubes of {numbers.CUBES}."
    )


TOPICS = (
    Topic(
        "order", "chains", "The order of a chain", "all local cases of two steps (confluence) and of one (monotone)", "",
        ("numbers",), _orders, None, _say_order, ruleset="every ruleset, on any map",
    ),
    Topic(
        "longest", "chains", "The longest chain", "all connected sets of up to six regions", "", ("map", "numbers"), _longest,
        None, _say_longest, ruleset="every ruleset with the printed map", effort=1,
    ),
)  # fmt: skip
