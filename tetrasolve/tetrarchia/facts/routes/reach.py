"""IP to reach and to secure each border, the provinces farthest away, and how many provinces a turn can reach."""

from __future__ import annotations

from collections.abc import Iterable

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value, Values
from tetrasolve.tetrarchia.facts.routes.potentials import borders, distances, itself, number, plus, route_kind
from tetrasolve.tetrarchia.facts.routes.travel import travel
from tetrasolve.tetrarchia.facts.saying import many, named, provinces
from tetrasolve.tetrarchia.rules.protection import SECURE_BORDER
from tetrasolve.tetrarchia.ruleset import IP_A_TURN

# -- to a border -----------------------------------------------------------------------------------------------


def _reach(board: Board) -> dict[str, Values]:
    return {
        border: {
            f"{setting}.{place}": number(ip)
            for setting, potential in by_setting.items()
            for place, ip in zip(board.ids, potential, strict=True)
        }
        for border, by_setting in distances(board, board.borders).items()
    }


def _say_reach(border: str, v: Values) -> str:
    return (
        f"From Roma {named(border)} is not reached for less than {v['none.roma']} IP without a fleet, and {v['123.roma']} IP "
        "with a fleet in every zone."
    )


def starts(board: Board) -> tuple[str, ...]:
    """Where Emperors enter: Roma and the capitals."""
    return tuple(dict.fromkeys((board.roma, *(emperor.capital for emperor in board.emperors))))


def _secure(board: Board) -> dict[str, Values]:
    found = distances(board, board.borders)
    facts: dict[str, Values] = {}
    for start in starts(board):
        values: dict[str, Value] = {}
        for setting in travel(board).settings:
            ip = {border: found[border][setting][board.order[start]] for border in board.borders}
            values |= {f"{setting}.{border}": plus(cost, SECURE_BORDER) for border, cost in ip.items()}
            least = min((cost for cost in ip.values() if cost is not None), default=None)
            near = (border for border in board.borders if ip[border] == least and least is not None)
            values[f"{setting}.nearest"] = tuple(sorted(near, key=board.order.__getitem__))
        facts[start] = values
    return facts


def _say_secure(start: str, v: Values) -> str:
    def cheapest(setting: str) -> Value:
        return v[f"{setting}.{_first(v, setting)}"]

    return (
        f"From {named(start)} no border is secured for less than {cheapest('none')} IP without a fleet "
        f"({provinces(v, 'none.nearest')}), nor for less than {cheapest('123')} IP with a fleet in every zone "
        f"({provinces(v, '123.nearest')})."
    )


def _first(values: Values, setting: str) -> str:
    row = values[f"{setting}.nearest"]
    assert isinstance(row, tuple)
    return row[0]


# -- far away --------------------------------------------------------------------------------------------------

BORDERS = "borders"


def _farthest_targets(board: Board, instance: str) -> Iterable[str]:
    return board.borders if instance == BORDERS else (instance,)


def _farthest(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for instance in (BORDERS, board.roma):
        found = distances(board, _farthest_targets(board, instance))
        values: dict[str, Value] = {}
        for setting in travel(board).settings:
            near = [_nearest(ips) for ips in zip(*(by_setting[setting] for by_setting in found.values()), strict=True)]
            most = None if None in near else max(ip for ip in near if ip is not None)
            values[f"{setting}.ip"] = number(most)
            values[f"{setting}.provinces"] = tuple(
                place for place, ip in zip(board.ids, near, strict=True) if ip == most
            )
        facts[instance] = values
    return facts


def _nearest(ips: Iterable[int | None]) -> int | None:
    return min((ip for ip in ips if ip is not None), default=None)


def _say_farthest(instance: str, v: Values) -> str:
    goal = "the nearest border" if instance == BORDERS else named(instance)
    return (
        f"Without a fleet no province is more than {v['none.ip']} IP from {goal} (so far: {provinces(v, 'none.provinces')}), with "
        f"a fleet in every zone none more than {v['123.ip']} IP ({provinces(v, '123.provinces')})."
    )


# -- everywhere ------------------------------------------------------------------------------------------------


def _range(board: Board) -> dict[str, Values]:
    found = distances(board, board.ids)
    values: dict[str, Value] = {}
    for setting in travel(board).settings:
        counts = dict.fromkeys(board.ids, -1)  # without himself
        for by_setting in found.values():
            for place, ip in zip(board.ids, by_setting[setting], strict=True):
                counts[place] += ip is not None and ip <= IP_A_TURN
        values |= {f"{setting}.{place}": reached for place, reached in counts.items()}
        for word, who, wanted in (("max", "most", max(counts.values())), ("min", "fewest", min(counts.values()))):
            values[f"{setting}.{word}"] = wanted
            values[f"{setting}.{who}"] = tuple(place for place, reached in counts.items() if reached == wanted)
    return {"": values}


def _say_range(_: str, v: Values) -> str:
    return (
        f"Without a fleet one turn leads to {many(v['none.max'], 'other province')} at most (from "
        f"{provinces(v, 'none.most')}) and to {v['none.min']} at least (from {provinces(v, 'none.fewest')}); with a fleet in "
        f"every zone to {v['123.max']} (from {provinces(v, '123.most')}) and {v['123.min']} (from {provinces(v, '123.fewest')})."
    )


FREE = "where nobody stands and nothing lies in the way"

KINDS = (
    route_kind(
        "route-reach",
        "IP from each province to a border",
        f"shortest ways, backwards from the border, {FREE}",
        _reach,
        _say_reach,
        targets=itself,
        rows=("links", "kinds", "zones"),
    ),
    route_kind(
        "route-secure",
        "IP to secure each border from where Emperors enter",
        f"shortest ways and 2 IP for the garrison, {FREE}",
        _secure,
        _say_secure,
        targets=borders,
    ),
    route_kind(
        "route-farthest",
        "The provinces farthest from all borders, and from Roma",
        f"shortest ways from everywhere, {FREE}",
        _farthest,
        _say_farthest,
        targets=_farthest_targets,
        rows=("links", "kinds", "zones"),
    ),
    route_kind(
        "route-range",
        "How many other provinces one turn can lead to",
        f"shortest ways between all provinces, {FREE}",
        _range,
        _say_range,
        targets=lambda board, _: board.ids,
        rows=("links", "kinds", "zones"),
        effort=0.5,
    ),
)
