"""Chains of outbreaks counted again.

A chain gives cubes one at a time. What one gift does to the region that takes it is looked up in a table: (cubes, in the chain,
protected). Where any two gifts that can both come next commute, the order of a whole chain changes nothing: it is finite, and
what can come next stays possible (Newman's lemma). More cubes: a region that is at least as far gets at least as far.
"""

from collections.abc import Callable, Iterator
from itertools import product

from finem.map import CARDS, Map

Values = dict[str, str]
Near = tuple[tuple[int, ...], ...]
Region = tuple[int, bool, bool]  # cubes, in the chain, protected

OUTSIDE = tuple((cubes, False, False) for cubes in range(4))
ALL: tuple[Region, ...] = (*OUTSIDE, (3, True, False), (0, False, True))


def gift(region: Region) -> Region:
    """A region after it is given a cube."""
    cubes, in_chain, protected = region
    if in_chain or protected:
        return region
    return (cubes + 1, False, False) if cubes < 3 else (3, True, False)


def carried_out(regions: list[Region], gifts: tuple[tuple[int, int], ...]) -> tuple[Region, ...] | None:
    """The regions after these gifts (giver, taker), in this order; None if one cannot be made."""
    regions = list(regions)
    for giver, taker in gifts:
        if not regions[giver][1]:
            return None
        regions[taker] = gift(regions[taker])
    return tuple(regions)


def confluence() -> Values:
    """Two gifts to one region, to two regions, and one of which the second giver takes the first."""
    giver: Region = (3, True, False)
    cases: list[tuple[list[Region], tuple[tuple[int, int], tuple[int, int]]]] = []
    cases += [([giver, giver, region], ((0, 2), (1, 2))) for region in ALL]
    cases += [([giver, giver, one, other], ((0, 2), (1, 3))) for one, other in product(ALL, ALL)]
    cases += [([giver, giver, region], ((0, 1), (1, 2))) for region in ALL]
    differ = 0
    for regions, (first, second) in cases:
        one, other = carried_out(regions, (first, second)), carried_out(regions, (second, first))
        differ += one is None or one != other
    joins = sum(gift(region)[1] and not region[1] for region in ALL)
    return {"cases": str(len(cases)), "differ": str(differ), "states": str(len(ALL)), "joins": str(joins)}


def ahead(region: Region) -> int:
    """How far a region is: its cubes, and one more in the chain."""
    return region[0] + region[1]


def monotone() -> Values:
    """Regions that are compared: both protected, or neither."""
    pairs = [(a, b) for a, b in product(ALL, ALL) if a[2] == b[2] and ahead(a) <= ahead(b)]
    broken = sum(ahead(gift(a)) > ahead(gift(b)) for a, b in pairs)
    return {"cases": str(len(pairs)), "broken": str(broken)}


def order(table: Map, instance: str) -> Values:
    """The facts about the order of a chain and about more cubes."""
    del table
    return confluence() if instance == "confluence" else monotone()


# -- the longest -------------------------------------------------------------------------------------------------------


def longest(table: Map, border: str) -> Values:
    """Sets of regions by the fewest cubes with which they are a chain: by the orders in which they can be found.

    A prefix of a chain is one of fewer regions with no more cubes. So where every set of a size requires too many, there is no
    longer chain.
    """
    near = table.adjacent(border)
    costs: dict[frozenset[int], int] = {frozenset({region}): 3 for region in range(24)}
    size, most = 1, costs
    while True:
        following: dict[frozenset[int], int] = {}
        for regions, cost in costs.items():
            for region in {b for a in regions for b in near[a]} - regions:
                given = sum(other in regions for other in near[region])
                key = regions | {region}
                following[key] = min(following.get(key, 99), cost + max(0, 4 - given))
        if min(following.values()) > 12:
            break
        size, costs = size + 1, following
        most = {regions: cost for regions, cost in costs.items() if cost <= 12}
    for regions, cost in most.items():
        if not any(played(near, cubes, first) == regions for first, cubes in placements(near, regions, cost)):
            raise AssertionError("a set that was found is no chain")
    fewest = min(most.values())
    first = min(sorted(regions) for regions, cost in most.items() if cost == fewest)
    return {
        "regions": str(size),
        "cubes": str(fewest),
        "sets": str(len(most)),
        "example": ".".join(CARDS[region].lower() for region in first),
        "cubes-for-one-more": str(min(following.values())),
    }


def placements(near: Near, regions: frozenset[int], cost: int) -> Iterator[tuple[int, dict[int, int]]]:
    """Ways to place so many cubes on regions with which a chain finds them in some order, with the first of them."""

    def grow(found: tuple[int, ...], cubes: dict[int, int]) -> Iterator[tuple[int, dict[int, int]]]:
        if len(found) == len(regions):
            if sum(cubes.values()) == cost:
                yield found[0], cubes
            return
        for region in regions - {*found}:
            given = sum(other in found for other in near[region])
            if given:
                yield from grow((*found, region), {**cubes, region: max(0, 4 - given)})

    for region in regions:
        yield from grow((region,), {region: 3})


def played(near: Near, cubes: dict[int, int], first: int) -> frozenset[int]:
    """The regions of the chain that begins in one, with these cubes and no others."""
    cubes, begun, waiting = dict(cubes), {first}, [first]
    while waiting:
        for other in near[waiting.pop()]:
            if other in begun:
                continue
            cubes[other] = cubes.get(other, 0) + 1
            if cubes[other] > 3:
                begun.add(other)
                waiting.append(other)
    return frozenset(begun)


COUNTS: dict[str, tuple[tuple[str, ...], Callable[[Map, str], Values]]] = {
    "order": (("confluence", "monotone"), order),
    "longest": (("flat", "gap", "skip"), longest),
}
