"""The boards next to a board: one uncertain row each written otherwise, in every way that could be meant.

A row is uncertain when the board file does not say that it was read off the game. What could stand there instead:

========= ==========================================================================================================
`links`   a link whose existence is uncertain is absent (an arrow above it then leads to another linked province);
          a pair that the file holds to be not linked, without being certain, is linked, normally or by a broken link
`kinds`   a normal link is broken, a broken one normal
`arrows`  the arrow leads to another linked province; arrows that no path reaches any more are gone
`zones`   the province lies on one zone less; on one more, on which a province linked to it lies; on such a one
          instead of one of its own
`regions` the province changes places (region and number) with a linked Roman province of another region
`numbers` two provinces of a region, both with uncertain numbers, change them
========= ==========================================================================================================

No printed disc is uncertain in the file of the library. A change that contradicts what is certain of the map, or leaves a
path that does not end in Roma, is none: `boardcheck` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from types import MappingProxyType
from typing import Any

from tetrasolve.claims.subject import Change, Neighbourhood
from tetrasolve.tetrarchia.board import Board, Evidence, Link, NoLink, Province
from tetrasolve.tetrarchia.boardcheck import check, trail_from


def neighbourhood(board: Board) -> Neighbourhood:
    """Every board that differs from this one in one uncertain row.

    >>> from tetrasolve.tetrarchia.board import Board
    >>> near = neighbourhood(Board.standard())
    >>> near.changes[0].name
    'link aquitania-narbonensis absent'
    """
    return _neighbourhood(board, tuple(uncertain_rows(board).items()))


@lru_cache(maxsize=4)
def _neighbourhood(board: Board, _: tuple[tuple[str, float], ...]) -> Neighbourhood:
    """As above; boards are equal whatever is known of their rows, so the doubts are given too."""
    found: list[Change] = []
    impossible: dict[str, int] = {}
    for kind, differ in DIFFER.items():
        impossible[kind] = 0
        for change in differ(board):
            if is_possible(change.apply(board)):
                found.append(change)
            else:
                impossible[kind] += 1
    return Neighbourhood(tuple(found), MappingProxyType(impossible))


def is_possible(board: Board) -> bool:
    """Whether nothing known of the game and its map speaks against a board."""
    return not check(board)


def both(board: Board, first: Change, second: Change) -> Board | None:
    """The board with two changes; None where they are about the same row, or cannot be true together."""
    if set(first.rows) & set(second.rows):
        return None
    changed = second.apply(first.apply(board))
    return changed if is_possible(changed) else None


def uncertain_rows(board: Board) -> Mapping[str, float]:
    """The rows that are not certain, as changes name them, with the confidence of each, in the order of the file."""
    rows = {}
    for link in board.links:
        rows[_row(link)] = link.exists
        rows[f"kind of {_row(link)}"] = link.kind
    for pair in board.no_links:
        rows[f"no link {'-'.join(pair.between)}"] = pair.evidence
    for claim in ("arrow", "zones", "region", "number"):
        rows |= {f"{claim} {place.id}": evidence for place, evidence in _uncertain(board, claim)}
    return MappingProxyType({row: evidence.confidence for row, evidence in rows.items() if not evidence.certain})


def question(row: str, board: Board) -> str:
    """What to look for on the map.

    >>> question("kind of link rhaetia-cisalpina", Board.standard())
    'Is the link between Rhaetia and Cisalpina normal or broken?'
    """
    what, _, names = row.rpartition(" ")
    places: Sequence[str] = [board[name].name for name in names.split("-")]
    between = " and ".join(places)
    match what:
        case "link" | "no link":
            return f"Is there a link between {between}?"
        case "kind of link":
            return f"Is the link between {between} normal or broken?"
        case "arrow":
            return f"Where does the arrow of {between} lead?"
        case "zones":
            return f"On which sea zones does {between} lie?"
        case "region":
            return f"Which region does {between} belong to?"
        case _:
            return f"Which number does {between} have?"


# -- what can differ -----------------------------------------------------------------------------------------------


def _links(board: Board) -> Iterator[Change]:
    for link in board.links:
        if not link.exists.certain:
            yield from _without(board, link)
    for pair in board.no_links:
        if pair.evidence.certain:
            continue
        row = f"no link {'-'.join(pair.between)}"
        for broken in (False, True):
            name = f"link {'-'.join(pair.between)} there, {_kind(broken)}"
            yield Change(name, frozenset({"links"}), (row,), _doubt(pair.evidence), partial(_linked, pair, broken))


def _without(board: Board, link: Link) -> Iterator[Change]:
    """The board without a link. An arrow above it must lead elsewhere; each way in which it can is a change."""
    row = _row(link)
    doubt = _doubt(link.exists)
    a, b = link.between
    above = [(here, there) for here, there in ((a, b), (b, a)) if board[here].arrow == there]
    if not above:
        yield Change(f"{row} absent", frozenset({"links"}), (row,), doubt, partial(_unlinked, link.between))
        return
    ((here, lost),) = above
    for there in _in_order(board, board.neighbours(here)):
        if there != lost:
            name = f"{row} absent, arrow {here} to {there}"
            apply = partial(_unlinked, link.between, arrow=(here, there))
            yield Change(name, frozenset({"links", "arrows"}), (row,), doubt, apply)


def _kinds(board: Board) -> Iterator[Change]:
    for link in board.links:
        if not link.kind.certain:
            name = f"{_row(link)} {_kind(not link.broken)}"
            rows = (f"kind of {_row(link)}",)
            yield Change(name, frozenset({"kinds"}), rows, _doubt(link.kind), partial(_turned, link.between))


def _arrows(board: Board) -> Iterator[Change]:
    for place, evidence in _uncertain(board, "arrow"):
        row = f"arrow {place.id}"
        for there in _in_order(board, board.neighbours(place.id)):
            if there != place.arrow:
                apply = partial(_rerouted, name=place.id, arrow=there)
                yield Change(f"{row} to {there}", frozenset({"arrows"}), (row,), _doubt(evidence), apply)


def _zones(board: Board) -> Iterator[Change]:
    for place, evidence in _uncertain(board, "zones"):
        near = {zone for name in board.neighbours(place.id) for zone in board[name].zones} - place.zones
        sets = [place.zones - {zone} for zone in sorted(place.zones)]
        sets += [place.zones | {zone} for zone in sorted(near)]
        sets += [place.zones - {old} | {new} for old in sorted(place.zones) for new in sorted(near)]
        row = f"zones {place.id}"
        for zones in sets:
            name = f"{row} {' '.join(map(str, sorted(zones))) or 'none'}"
            apply = partial(_with, name=place.id, zones=zones)
            yield Change(name, frozenset({"zones"}), (row,), _doubt(evidence), apply)


def _regions(board: Board) -> Iterator[Change]:
    for place, evidence in _uncertain(board, "region"):
        row = f"region {place.id}"
        for name in _in_order(board, board.neighbours(place.id)):
            if not board[name].is_border and board[name].region != place.region:
                apply = partial(_swapped, a=place.id, b=name)
                yield Change(f"{row} with {name}", frozenset({"regions", "numbers"}), (row,), _doubt(evidence), apply)


def _numbers(board: Board) -> Iterator[Change]:
    doubtful = {place.id: evidence for place, evidence in _uncertain(board, "number")}
    for a, b in combinations(doubtful, 2):
        if board[a].region == board[b].region:
            doubt = min(_doubt(doubtful[a]), _doubt(doubtful[b]))
            rows = (f"number {a}", f"number {b}")
            name = f"numbers {a} {b} swapped"
            yield Change(name, frozenset({"numbers"}), rows, doubt, partial(_swapped, a=a, b=b))


DIFFER: Mapping[str, Callable[[Board], Iterator[Change]]] = MappingProxyType(
    {
        "links": _links,
        "kinds": _kinds,
        "arrows": _arrows,
        "zones": _zones,
        "regions": _regions,
        "numbers": _numbers,
    }
)


# -- how a board changes ---------------------------------------------------------------------------------------


def _linked(pair: NoLink, broken: bool, board: Board) -> Board:
    """The board with a link between two provinces that were held not to be linked."""
    link = Link(pair.between, broken, pair.evidence, pair.evidence)
    others = tuple(row for row in board.no_links if row.between != pair.between)
    return replace(board, links=(*board.links, link), no_links=others)


def _unlinked(between: tuple[str, str], board: Board, arrow: tuple[str, str] | None = None) -> Board:
    """The board without a link, and with another arrow where one lay above it."""
    left = replace(board, links=tuple(link for link in board.links if link.between != between))
    return left if arrow is None else _rerouted(left, *arrow)


def _turned(between: tuple[str, str], board: Board) -> Board:
    """The board with a link of the other kind."""
    links = [replace(link, broken=not link.broken) if link.between == between else link for link in board.links]
    return replace(board, links=tuple(links))


def _rerouted(board: Board, name: str, arrow: str) -> Board:
    """The board with another arrow from a province, and without the arrows that no path then reaches."""
    changed = _with(board, name, arrow=arrow)
    used = {step for border in changed.borders for step in trail_from(changed, border)}
    for place in board.provinces.values():
        if place.arrow is not None and place.id not in used:
            changed = _with(changed, place.id, arrow=None)
    return changed


def _swapped(board: Board, a: str, b: str) -> Board:
    """The board on which two provinces have each other's region and number."""
    changed = _with(board, a, region=board[b].region, number=board[b].number)
    return _with(changed, b, region=board[a].region, number=board[a].number)


def _with(board: Board, name: str, **fields: Any) -> Board:
    """The board with other fields in the row of a province."""
    provinces = {**board.provinces, name: replace(board[name], **fields)}
    return replace(board, provinces=MappingProxyType(provinces))


# -- small parts -----------------------------------------------------------------------------------------------------


def _uncertain(board: Board, claim: str) -> Iterator[tuple[Province, Evidence]]:
    """The provinces for which this is given, but not as certain."""
    for place in board.provinces.values():
        evidence = place.evidence.get(claim)
        if evidence is not None and not evidence.certain:
            yield place, evidence


def _in_order(board: Board, names: Mapping[str, Link]) -> list[str]:
    return sorted(names, key=board.order.__getitem__)


def _row(link: Link) -> str:
    return f"link {'-'.join(link.between)}"


def _kind(broken: bool) -> str:
    return "broken" if broken else "normal"


def _doubt(evidence: Evidence) -> float:
    return round(1 - evidence.confidence, 9)
