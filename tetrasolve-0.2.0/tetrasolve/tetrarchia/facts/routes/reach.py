"""What it costs an Emperor to reach and to secure each border, in IP and in turns, and what is far away."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import NEVER, listed, many, words
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.facts.routes.travel import Potential, in_turns, travel, turns
from tetrasolve.tetrarchia.facts.saying import named, provinces
from tetrasolve.tetrarchia.numbers import IP_A_TURN, SECURE_BORDER


def number(found: int | None, more: int = 0) -> Value:
    """A distance, and what is paid at its end, as a value."""
    return NEVER if found is None else found + more


def _distances(board: Board, targets: Iterable[str], setting: str) -> dict[str, Potential]:
    """The IP from each province to each of these."""
    return {target: travel(board).potential(target, setting) for target in targets}


# -- to a border -----------------------------------------------------------------------------------------------


def _to_border(board: Board) -> dict[str, Values]:
    return {border: _one_border(board, border) for border in board.borders}


def _one_border(board: Board, border: str) -> Values:
    values: dict[str, Value] = {}
    for setting in travel(board).settings:
        times = travel(board).potential(border, setting, in_turns, SECURE_BORDER)
        values |= _by_place(board, f"ip.{setting}", travel(board).potential(border, setting))
        values |= _by_place(board, f"turns.{setting}", tuple(map(turns, times)))
        near = tuple(place for place, time in zip(board.ids, times, strict=True) if turns(time) == 1)
        values |= {f"near.{setting}": near, f"count.{setting}": len(near)}
    return values


def _by_place(board: Board, path: str, numbers: Potential) -> dict[str, Value]:
    return {f"{path}.{place}": number(found) for place, found in zip(board.ids, numbers, strict=True)}


def _say_to_border(border: str, v: Values) -> str:
    near = [named(place) for place in words(v, "near.none") if place != border]
    return (
        f"From Roma {named(border)} is not reached for less than {v['ip.none.roma']} IP without a fleet, and "
        f"{v['ip.123.roma']} IP with a fleet in every zone; to secure it an Emperor who acts alone needs "
        f"{many(v['turns.none.roma'], 'turn')} and {v['turns.123.roma']}. One turn is enough from {len(near)} other provinces "
        f"without a fleet ({', '.join(near)}), and from {len(words(v, 'near.123')) - 1} with a fleet in every zone."
    )


# -- from where Emperors enter ---------------------------------------------------------------------------------


def starts(board: Board) -> tuple[str, ...]:
    """Where Emperors enter: Roma and the capitals."""
    return tuple(dict.fromkeys((board.roma, *(emperor.capital for emperor in board.emperors))))


def _secure(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for start in starts(board):
        values: dict[str, Value] = {}
        for setting in travel(board).settings:
            found = _distances(board, board.borders, setting)
            ip = {border: found[border][board.order[start]] for border in board.borders}
            values |= {f"{setting}.{border}": number(cost, SECURE_BORDER) for border, cost in ip.items()}
            least = min((cost for cost in ip.values() if cost is not None), default=None)
            near = (border for border in board.borders if ip[border] == least and least is not None)
            values[f"{setting}.nearest"] = tuple(sorted(near, key=board.order.__getitem__))
        facts[start] = values
    return facts


def _say_secure(start: str, v: Values) -> str:
    def cheapest(setting: str) -> Value:
        return v[f"{setting}.{words(v, f'{setting}.nearest')[0]}"]

    return (
        f"From {named(start)} no border is secured for less than {cheapest('none')} IP without a fleet "
        f"({provinces(v, 'none.nearest')}), nor for less than {cheapest('123')} IP with a fleet in every zone "
        f"({provinces(v, '123.nearest')})."
    )


# -- far away --------------------------------------------------------------------------------------------------

BORDERS = "borders"


def _farthest(board: Board) -> dict[str, Values]:
    return {name: _far_from(board, targets) for name, targets in ((BORDERS, board.borders), ("roma", (board.roma,)))}


def _far_from(board: Board, targets: tuple[str, ...]) -> Values:
    values: dict[str, Value] = {}
    for setting in travel(board).settings:
        near = [_nearest(ips) for ips in zip(*_distances(board, targets, setting).values(), strict=True)]
        most = None if None in near else max(ip for ip in near if ip is not None)
        values[f"{setting}.ip"] = number(most)
        values[f"{setting}.provinces"] = tuple(place for place, ip in zip(board.ids, near, strict=True) if ip == most)
    return values


def _nearest(ips: Iterable[int | None]) -> int | None:
    return min((ip for ip in ips if ip is not None), default=None)


def _say_farthest(name: str, v: Values) -> str:
    goal = "the nearest border" if name == BORDERS else named(name)
    return (
        f"Without a fleet no province is more than {v['none.ip']} IP from {goal} (so far: {provinces(v, 'none.provinces')}), with "
        f"a fleet in every zone none more than {v['123.ip']} IP ({provinces(v, '123.provinces')})."
    )


# -- one turn --------------------------------------------------------------------------------------------------


def _range(board: Board) -> dict[str, Values]:
    values: dict[str, Value] = {}
    for setting in travel(board).settings:
        counts = dict.fromkeys(board.ids, -1)  # without the province itself
        for potential in _distances(board, board.ids, setting).values():
            for place, ip in zip(board.ids, potential, strict=True):
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


def _borders(board: Board) -> dict[str, Values]:
    values: dict[str, Value] = {}
    for setting in travel(board).settings:
        found = _distances(board, board.borders, setting)
        apart: dict[str, int] = {}
        for a, b in combinations(board.borders, 2):
            ip = found[a][board.order[b]]
            if ip is not None:
                apart[f"{a}:{b}"] = ip
        least = min(apart.values(), default=None)
        values[f"{setting}.ip"] = number(least)
        values[f"{setting}.pairs"] = tuple(pair for pair, ip in apart.items() if ip == least)
        # two garrisons leave this much for the way, three leave nothing
        values[f"{setting}.one-turn"] = 2 if least is not None and least <= IP_A_TURN - 2 * SECURE_BORDER else 1
    return {"": values}


def _say_borders(_: str, v: Values) -> str:
    pairs = [pair.split(":") for pair in words(v, "123.pairs")]
    names = listed(" - ".join(map(named, pair)) for pair in pairs)
    one = "In no position one turn secures two borders" if v["123.one-turn"] == 1 else "One turn can secure two borders"
    return (
        f"{one}: from one to the next it takes {v['123.ip']} IP at least with a fleet in every zone ({names}), and "
        f"{v['none.ip']} IP without a fleet."
    )


TOPICS = (
    recounted(
        "route",
        "routes",
        "IP and turns to reach and to secure borders, and what one turn reaches",
        "shortest ways, backwards from their ends, where nobody stands and nothing lies in the way; by IP, and by turns of 6 "
        "IP of which a rest that is too small is lost",
        ("links", "kinds", "zones", "printed"),
        {
            "to": Group(_to_border, _say_to_border),
            "secure-from": Group(_secure, _say_secure),
            "farthest-from": Group(_farthest, _say_farthest),
            "one-turn": Group(_range, _say_range),
            "two-borders": Group(_borders, _say_borders),
        },
        ruleset="every ruleset of the base game",
        effort=0.5,
    ),
)
