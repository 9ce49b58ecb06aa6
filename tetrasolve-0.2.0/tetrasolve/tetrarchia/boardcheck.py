"""Checks whether a `Board` can be a board of this game: all constraints that are certain, none that are merely likely.

`PARTS` are the constraints of the components (counts, coordinates, paths that end in Roma), a function each.
``data/certain.toml`` has what the rulebook, the designer and a logged game state about single rows; `CLAIMS` has a function
for each kind of such a statement.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import ITALIA, ROMAN_NUMERALS, Board, Link, Province

OUTER = range(1, 7)
PROVINCES_A_REGION = 6
TURN_ORDER = ("diocletian", "galerius", "constantius", "maximian")
ZONES = 3
ZONE_CHAIN = frozenset({frozenset({1, 2}), frozenset({2, 3})})
ANY_STEP = "*"

Problem = tuple[str, str]  # the row, and what is wrong with it
Row = Mapping[str, Any]  # one row of certain.toml


@dataclass(frozen=True, slots=True)
class Finding:
    """A row of a board that contradicts a rule; `source` is the source of the rule (``rulebook``, ``report``, ...).

    >>> print(Finding("link a-b", "is missing", "an example uses it", "rulebook"))
    link a-b: is missing (rulebook: an example uses it)
    """

    row: str
    problem: str
    rule: str
    source: str

    def __str__(self) -> str:
        return f"{self.row}: {self.problem} ({self.source}: {self.rule})"

    def to_json(self) -> dict[str, str]:
        """The fields by name."""
        return asdict(self)


def check(board: Board) -> tuple[Finding, ...]:
    """All contradictions between a board and what is certain, in a fixed order.

    >>> check(Board.standard())
    ()
    """
    return (*check_parts(board), *check_claims(board))


def check_parts(board: Board) -> tuple[Finding, ...]:
    """Contradictions that make the game unplayable: in regions, borders, numbers, paths, capitals."""
    return tuple(
        Finding(row, problem, rule, "rulebook") for part, rule in PARTS.items() for row, problem in part(board)
    )


def check_claims(board: Board) -> Iterator[Finding]:
    """Contradictions with what is known about the printed map; such a board can still be played on."""
    for row, problem, rule, source in held_apart(board):
        yield Finding(row, problem, rule, source)
    for claim in certain():
        for row, problem in CLAIMS[claim["claim"]](board, claim):
            yield Finding(row, problem, claim["rule"], claim["source"])


@cache
def certain() -> tuple[Row, ...]:
    """The rows of ``data/certain.toml``."""
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/certain.toml").read_text("utf-8")
    return tuple(MappingProxyType(row) for row in read_toml(text)["certain"])


# -- names of rows -----------------------------------------------------------------------------------------------


def _province(province: Province | str) -> str:
    return f"province {province}"


def _link(a: Province | str, b: Province | str) -> str:
    return f"link {a}-{b}"


def _region(number: int) -> str:
    return f"region {ROMAN_NUMERALS[number] or 'without a number'}"


# -- what follows from the components ----------------------------------------------------------------------------


def seven_regions(board: Board) -> Iterator[Problem]:
    """Italia and the regions I to VI are there."""
    numbers = {region.number for region in board.regions}
    for number in (ITALIA, *OUTER):
        if number not in numbers:
            yield _region(number), "is missing"


# Rule p05-regions
def six_in_each_region(board: Board) -> Iterator[Problem]:
    """Each region has six Roman provinces, 42 in all."""
    for region in board.regions:
        count = len(board.members(region.number))
        if count != PROVINCES_A_REGION:
            yield f"region {region.id}", f"has {count} Roman provinces, expected {PROVINCES_A_REGION}"


def one_border_each(board: Board) -> Iterator[Problem]:
    """Each outer region has one border, which is a border province of that region; there are no others."""
    for region in board.regions:
        border = board.provinces.get(region.border) if region.border is not None else None
        if border is not None and not border.is_border:
            yield _province(border), f"is the border of {region.id}, yet its kind is 'roman'"
        if border is not None and border.region != region.number:
            yield _province(border), f"is the border of {region.id}, yet lies in {_region(border.region)}"
    for province in board.provinces.values():
        if province.is_border and province.id not in board.borders:
            yield _province(province), "is a border province, yet no region has it as its border"


def numbers_one_to_six(board: Board) -> Iterator[Problem]:
    """The provinces of an outer region have the numbers 1 to 6, one each."""
    for region in board.regions:
        if region.number == ITALIA:
            continue
        members = [board[name] for name in board.members(region.number)]
        count = Counter(province.number for province in members)
        for province in members:
            if not province.number:
                yield _province(province), f"has no number in {region.id}"
            elif count[province.number] > 1:
                yield _province(province), f"shares the coordinates {province.coordinates} with another province"
        for number in OUTER:
            if not count[number]:
                yield f"region {region.id}", f"has no province {ROMAN_NUMERALS[region.number]}:{number}"


def no_other_numbers(board: Board) -> Iterator[Problem]:
    """Italian and border provinces have no number."""
    for province in board.provinces.values():
        if province.number and (province.region == ITALIA or province.is_border):
            yield _province(province), f"has number {province.number}, expected none in Italia and on borders"


def names_tell_apart(board: Board) -> Iterator[Problem]:
    """No name of one province (id, code or printed name) is also a name of another."""
    owner: dict[str, str] = {}
    for province in board.provinces.values():
        for name in {text.casefold().replace(" ", "_") for text in (province.id, province.code, province.name)}:
            other = owner.setdefault(name, province.id)
            if other != province.id:
                yield _province(province), f"is called {name!r}, and so is {other}"


# Rule p05-zones
def three_zones(board: Board) -> Iterator[Problem]:
    """The sea has three zones, 1 next to 2 next to 3."""
    if len(board.zones) != ZONES:
        yield "[sea]", f"has {len(board.zones)} zones, expected {ZONES}"
    elif board.adjacent_zones != ZONE_CHAIN:
        pairs = sorted(sorted(pair) for pair in board.adjacent_zones)
        yield "[sea]", f"the adjacent zones are {pairs}, expected 1-2 and 2-3 only"


# Rule p07-turn-order
def turn_order(board: Board) -> Iterator[Problem]:
    """The Emperors are listed in turn order."""
    order = tuple(emperor.id for emperor in board.emperors)
    for emperor, expected in zip(order, TURN_ORDER, strict=False):
        if emperor != expected:
            yield f"emperor {emperor}", f"stands where {expected} is expected"


# Rule p05-capitals, p05-roma
def printed_discs(board: Board) -> Iterator[Problem]:
    """Roma has the discs of all four; elsewhere at most one disc is printed, never on a border."""
    for emperor in board.emperors:
        if emperor.id not in board[board.roma].printed:
            yield _province(board.roma), f"lacks the printed disc of {emperor}"
    for province in board.provinces.values():
        if len(province.printed) > 1 and province.id != board.roma:
            yield _province(province), f"has {len(province.printed)} printed discs, expected at most one"
        if province.printed and province.is_border:
            yield _province(province), "is a border with a printed disc"


# Rule p05-arrows
def arrows_follow_links(board: Board) -> Iterator[Problem]:
    """Each arrow lies below a link."""
    for province in board.provinces.values():
        if province.arrow is not None and board.link(province.id, province.arrow) is None:
            yield _province(province), f"its arrow leads to {province.arrow}, to which it has no link"


def paths_end_in_roma(board: Board) -> Iterator[Problem]:
    """From each border the arrows lead to Roma, and there they end."""
    if board[board.roma].arrow is not None:
        yield _province(board.roma), f"has an arrow to {board[board.roma].arrow}, expected none"
    for border in board.borders:
        trail = trail_from(board, border)
        last = board[trail[-1]]
        if last.id == board.roma:
            continue
        ending = "it has no arrow" if last.arrow is None else f"its arrow leads back to {last.arrow}"
        yield _province(last), f"the path from {border} does not reach {board.roma}: {ending}"


def arrows_lie_on_paths(board: Board) -> Iterator[Problem]:
    """Each arrow belongs to a path from a border."""
    used = {name for border in board.borders for name in trail_from(board, border)}
    for province in board.provinces.values():
        if province.arrow is not None and province.id not in used:
            yield _province(province), f"its arrow to {province.arrow} is on no path from a border"


PARTS: Mapping[Callable[[Board], Iterator[Problem]], str] = MappingProxyType(
    {
        seven_regions: "Italia in the middle and six outer regions, numbered I to VI",
        six_in_each_region: "42 Roman provinces in 7 regions of 6",
        one_border_each: "each outer region has one Barbarian province, its border",
        numbers_one_to_six: "region and province dice find each province outside Italia",
        no_other_numbers: "only Roman provinces outside Italia have coordinates",
        names_tell_apart: "players and programs call provinces by name",
        three_zones: "two lines divide the sea into three zones",
        turn_order: "Diocletian, Galerius, Constantius, Maximian take turns",
        printed_discs: "Roma counts for all four Emperors, a capital for one",
        arrows_follow_links: "black arrows lie below links",
        paths_end_in_roma: "Barbarian armies walk from their border to Roma",
        arrows_lie_on_paths: "black arrows show the Barbarian paths",
    }
)


def held_apart(board: Board) -> Iterator[tuple[str, str, str, str]]:
    """Pairs in the rows ``[[no_link]]`` of the file are not linked."""
    for row in board.no_links:
        if board.link(*row.between) is not None:
            rule = row.why or "a row [[no_link]] of the file says that there is none"
            yield _link(*row.between), "is both a link and a [[no_link]] of the file", rule, row.evidence.source


# -- statements about single rows --------------------------------------------------------------------------------


def _find(board: Board, *names: str) -> tuple[list[Province], list[Problem]]:
    """The provinces with these ids or coordinates, and a problem for each that does not exist."""
    found = [board.find(name) for name in names]
    missing = [(_province(name), "is missing") for name, province in zip(names, found, strict=True) if province is None]
    return [province for province in found if province is not None], missing


def _border(board: Board, number: int) -> Province | None:
    for region in board.regions:
        if region.number == number and region.border is not None:
            return board[region.border]
    return None


# Rule p05-borders
def claim_region(board: Board, claim: Row) -> Iterator[Problem]:
    """A region has this number, name and border."""
    for region in board.regions:
        if region.number != claim["number"]:
            continue
        if region.name.casefold() != claim["name"].casefold():
            yield f"region {region.id}", f"has number {region.number}, which is that of {claim['name']}"
        if region.border != claim["border"]:
            yield f"region {region.id}", f"has the border {region.border}, expected {claim['border']}"


# Rule p11-own-border
def claim_border_leaves(board: Board, claim: Row) -> Iterator[Problem]:
    """The border of a region is linked to a province of another region."""
    border = _border(board, claim["number"])
    if border is not None and all(board[name].region == border.region for name in board.neighbours(border.id)):
        yield _province(border), f"is linked to no province outside {_region(border.region)}"


def claim_border_stays(board: Board, claim: Row) -> Iterator[Problem]:
    """The border of a region is linked to provinces of its region only."""
    border = _border(board, claim["number"])
    if border is None:
        return
    for name in board.neighbours(border.id):
        if board[name].region != border.region:
            yield _link(border, name), f"leads out of {_region(border.region)}"


def claim_exist(board: Board, claim: Row) -> Iterator[Problem]:
    """The map has these provinces."""
    yield from _find(board, *claim["provinces"])[1]


# Rule p05-coordinates
def claim_coordinates(board: Board, claim: Row) -> Iterator[Problem]:
    """A province has these coordinates."""
    found, missing = _find(board, claim["province"])
    yield from missing
    for province in found:
        if province.coordinates != claim["at"]:
            yield _province(province), f"has the coordinates {province.coordinates}, expected {claim['at']}"


def claim_elsewhere(board: Board, claim: Row) -> Iterator[Problem]:
    """A province has none of these coordinates."""
    for province in _find(board, claim["province"])[0]:
        if province.coordinates in claim["not_at"]:
            yield _province(province), f"cannot have the coordinates {province.coordinates}"


# Rule p05-capitals
def claim_capital(board: Board, claim: Row) -> Iterator[Problem]:
    """An Emperor's disc is printed on this province."""
    emperor = board.emperor(claim["emperor"])
    if emperor is None:
        yield f"emperor {claim['emperor']}", "is missing"
    elif emperor.capital != claim["province"]:
        yield _province(emperor.capital), f"has the printed disc of {emperor}, expected on {claim['province']}"


def claim_capitals_in_revolt(board: Board, claim: Row) -> Iterator[Problem]:
    """At least this many capitals outside Italia have a number other than 1."""
    capitals = [board[emperor.capital] for emperor in board.emperors]
    if sum(capital.number > 1 for capital in capitals) < claim["least"]:
        ones = ", ".join(capital.id for capital in capitals if capital.number == 1)
        yield _province(ones), f"number 1, so that fewer than {claim['least']} capitals can start in revolt"


def claim_linked(board: Board, claim: Row) -> Iterator[Problem]:
    """Two provinces are linked, by a link of the kind in `broken`, if that is given."""
    found, missing = _find(board, *claim["between"])
    yield from missing
    if missing:
        return
    link = board.link(found[0].id, found[1].id)
    if link is None:
        yield _link(*found), "is missing"
    elif link.broken != claim.get("broken", link.broken):
        yield _link(*found), f"is {_kind(link)}, expected {'normal' if link.broken else 'broken'}"


def _kind(link: Link) -> str:
    return "broken" if link.broken else "normal"


def claim_not_linked(board: Board, claim: Row) -> Iterator[Problem]:
    """Two provinces are not linked."""
    found, _ = _find(board, *claim["between"])
    if len(found) == 2 and board.link(found[0].id, found[1].id) is not None:
        yield _link(*found), "cannot be there"


def claim_not_normal(board: Board, claim: Row) -> Iterator[Problem]:
    """If two provinces are linked, then by a broken link."""
    found, _ = _find(board, *claim["between"])
    link = board.link(found[0].id, found[1].id) if len(found) == 2 else None
    if link is not None and not link.broken:
        yield _link(*found), "is normal, expected broken"


def claim_group(board: Board, claim: Row) -> Iterator[Problem]:
    """Provinces are connected by links among themselves."""
    found, _ = _find(board, *claim["provinces"])
    inside = {province.id for province in found}
    reached = {found[0].id} if found else set()
    edge = list(reached)
    while edge:
        fresh = (board.neighbours(edge.pop()).keys() & inside) - reached
        reached |= fresh
        edge.extend(fresh)
    for province in found:
        if province.id not in reached:
            yield _link(found[0], province), f"is missing, or another link that joins {', '.join(sorted(inside))}"


def claim_linked_to_group(board: Board, claim: Row) -> Iterator[Problem]:
    """A province is linked to at least one of some others."""
    group, _ = _find(board, *claim["group"])
    for province in _find(board, claim["province"])[0]:
        if not board.neighbours(province.id).keys() & {other.id for other in group}:
            yield _link(province, group[0] if group else "?"), f"is missing, or one to {', '.join(claim['group'][1:])}"


# Rule p11-black-sea
def claim_coast(board: Board, claim: Row) -> Iterator[Problem]:
    """A province lies on one of these sea zones."""
    zones = claim["any_of"]
    for province in _find(board, claim["province"])[0]:
        if not province.zones & set(zones):
            expected = " or ".join(str(zone) for zone in zones)
            yield _province(province), f"lies on zones {sorted(province.zones)}, expected {expected}"


# Rule p11-britannia
def claim_not_coastal(board: Board, claim: Row) -> Iterator[Problem]:
    """A province lies on no sea zone."""
    for province in _find(board, claim["province"])[0]:
        if province.is_coastal:
            yield _province(province), f"lies on zones {sorted(province.zones)}, expected none"


def claim_arrow(board: Board, claim: Row) -> Iterator[Problem]:
    """The arrow of a province leads to another."""
    for province in _find(board, claim["province"])[0]:
        if province.arrow != claim["to"]:
            yield _province(province), f"its arrow leads to {province.arrow or 'nothing'}, expected {claim['to']}"


def claim_arrow_broken(board: Board, claim: Row) -> Iterator[Problem]:
    """The arrow of a province crosses a broken link."""
    for province in _find(board, claim["province"])[0]:
        link = board.link(province.id, province.arrow) if province.arrow is not None else None
        if link is not None and not link.broken:
            yield _link(province, province.arrow or "?"), "is normal, expected broken"


def claim_on_path(board: Board, claim: Row) -> Iterator[Problem]:
    """A province lies on a path from some border."""
    used = {name for border in board.borders for name in trail_from(board, border)}
    for province in _find(board, claim["province"])[0]:
        if province.id not in used:
            yield _province(province), "lies on no path from a border"


def claim_path_through(board: Board, claim: Row) -> Iterator[Problem]:
    """A path reaches a province through a Roman province of this region."""
    for province in _find(board, claim["province"])[0]:
        for border in board.borders:
            trail = trail_from(board, border)
            before = trail[: trail.index(province.id)] if province.id in trail else ()
            if any(board[name].region == claim["number"] and not board[name].is_border for name in before):
                return
        yield _province(province), f"no path reaches it through {_region(claim['number'])}"


def claim_path(board: Board, claim: Row) -> Iterator[Problem]:
    """The path of a border passes exactly these provinces; ``*`` matches any one."""
    steps: list[str] = claim["steps"]
    trail = trail_from(board, steps[0]) if steps[0] in board.provinces else ()
    for place, name in enumerate(trail):
        step = steps[place] if place < len(steps) else "nothing"
        wanted = board.find(step)
        if step != ANY_STEP and (wanted is None or wanted.id != name):
            yield (
                _province(trail[place - 1]),
                f"its arrow leads to {name}, expected {step} on the path of {steps[0]}",
            )
            return
    if 0 < len(trail) < len(steps):
        yield _province(trail[-1]), f"the path of {steps[0]} stops here, expected {steps[len(trail)]} next"


def claim_reach(board: Board, claim: Row) -> Iterator[Problem]:
    """An Emperor can get from one province to another for at most these IP, with fleets in these zones at most."""
    found, missing = _find(board, claim["from"], claim["to"])
    if missing:
        return
    cost = cheapest_way(board, found[0].id, found[1].id, claim["fleets"])
    if cost is None or cost > claim["most"]:
        spent = "cannot be reached" if cost is None else f"costs {cost} IP"
        yield _province(found[1]), f"from {found[0]} it {spent}, expected {claim['most']} at most"


CLAIMS: Mapping[str, Callable[[Board, Row], Iterator[Problem]]] = MappingProxyType(
    {
        "region": claim_region,
        "border_leaves": claim_border_leaves,
        "border_stays": claim_border_stays,
        "exist": claim_exist,
        "coordinates": claim_coordinates,
        "elsewhere": claim_elsewhere,
        "capital": claim_capital,
        "capitals_in_revolt": claim_capitals_in_revolt,
        "linked": claim_linked,
        "not_linked": claim_not_linked,
        "not_normal": claim_not_normal,
        "group": claim_group,
        "linked_to_group": claim_linked_to_group,
        "coast": claim_coast,
        "not_coastal": claim_not_coastal,
        "arrow": claim_arrow,
        "arrow_broken": claim_arrow_broken,
        "on_path": claim_on_path,
        "path_through": claim_path_through,
        "path": claim_path,
        "reach": claim_reach,
    }
)


# -- ways ------------------------------------------------------------------------------------------------------------


def trail_from(board: Board, start: str) -> tuple[str, ...]:
    """The provinces along the arrows from `start` (the first of them) until the arrows end or repeat.

    >>> trail_from(Board.standard(), "lucania")
    ('lucania', 'roma')
    """
    trail = [start]
    while (arrow := board[trail[-1]].arrow) is not None and arrow not in trail:
        trail.append(arrow)
    return tuple(trail)


def cheapest_way(board: Board, start: str, goal: str, fleets: Collection[int] = ()) -> int | None:
    """The least IP for which an Emperor can get from `start` to `goal` on an otherwise empty board; None if he cannot.

    A lower bound where `fleets` are given: a fleet that must first sail to the next zone costs 1 IP at each use, and a
    zone with a fleet counts as reachable from the start.

    >>> cheapest_way(Board.standard(), "narbonensis", "cisalpina"), cheapest_way(
    ...     Board.standard(), "narbonensis", "cisalpina", [2]
    ... )
    (2, 1)
    """
    costs = {start: 0}
    queue = [(0, start)]
    while queue:
        cost, here = heapq.heappop(queue)
        if here == goal:
            return cost
        for there, step in _steps(board, here, fleets).items():
            if cost + step < costs.get(there, cost + step + 1):
                costs[there] = cost + step
                heapq.heappush(queue, (cost + step, there))
    return None


def _steps(board: Board, here: str, fleets: Collection[int]) -> dict[str, int]:
    """Lower bounds of the cost of each single move from a province."""
    steps = {name: 2 if link.broken else 1 for name, link in board.neighbours(here).items()}
    for zone in board[here].zones:
        near = any(next_zone in fleets for next_zone in board.adjacent(zone))
        cost = 1 if zone in fleets else 2 if near else None
        if cost is None:
            continue
        for there in board.coast[zone]:
            if there != here:
                steps[there] = min(cost, steps.get(there, cost))
    return steps
