"""How many turns an Emperor needs to secure each border, and what a single turn can secure."""

from __future__ import annotations

from itertools import combinations

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value, Values
from tetrasolve.tetrarchia.facts.routes.potentials import (
    TURNS,
    borders,
    distances,
    itself,
    number,
    route_kind,
    times,
)
from tetrasolve.tetrarchia.facts.routes.reach import FREE
from tetrasolve.tetrarchia.facts.routes.travel import travel, turns
from tetrasolve.tetrarchia.facts.saying import listed, many, named, words
from tetrasolve.tetrarchia.rules.protection import SECURE_BORDER
from tetrasolve.tetrarchia.ruleset import IP_A_TURN


def _turns(board: Board) -> dict[str, Values]:
    return {
        border: {
            f"{setting}.{place}": number(turns(time))
            for setting, potential in by_setting.items()
            for place, time in zip(board.ids, potential, strict=True)
        }
        for border, by_setting in times(board, board.borders).items()
    }


def _say_turns(border: str, v: Values) -> str:
    return (
        f"An Emperor in Roma who acts alone needs {many(v['none.roma'], 'turn')} to secure {named(border)} without a fleet, "
        f"and {v['123.roma']} with a fleet in every zone."
    )


def _one_turn(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for border, by_setting in times(board, board.borders).items():
        values: dict[str, Value] = {}
        for setting, potential in by_setting.items():
            near = tuple(place for place, time in zip(board.ids, potential, strict=True) if turns(time) == 1)
            values |= {f"{setting}.provinces": near, f"{setting}.count": len(near)}
        facts[border] = values
    return facts


def _say_one_turn(border: str, v: Values) -> str:
    near = [named(place) for place in words(v, "none.provinces") if place != border]
    return (
        f"One turn secures {named(border)} from {len(near)} other provinces without a fleet ({', '.join(near)}), and from "
        f"{len(words(v, '123.provinces')) - 1} with a fleet in every zone."
    )


# -- from border to border -------------------------------------------------------------------------------------


def _borders(board: Board) -> dict[str, Values]:
    found = distances(board, board.borders)
    values: dict[str, Value] = {}
    for setting in travel(board).settings:
        apart: dict[str, int] = {}
        for a, b in combinations(board.borders, 2):
            ip = found[a][setting][board.order[b]]
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
    said = listed(" - ".join(map(named, pair)) for pair in pairs)
    one = "In no position one turn secures two borders" if v["123.one-turn"] == 1 else "One turn can secure two borders"
    return (
        f"{one}: from one to the next it takes {v['123.ip']} IP at least with a fleet in every zone ({said}), and "
        f"{v['none.ip']} IP without a fleet."
    )


KINDS = (
    route_kind(
        "route-turns",
        "Turns from each province until a border is secured",
        f"shortest ways by the clock of turns: 6 IP each, what is left of one is lost; {FREE}",
        _turns,
        _say_turns,
        targets=itself,
        clock=TURNS,
        rows=("links", "kinds", "zones"),
    ),
    route_kind(
        "route-one-turn",
        "From where a single turn secures a border",
        f"shortest ways by the clock of turns, {FREE}",
        _one_turn,
        _say_one_turn,
        targets=itself,
        clock=TURNS,
        rows=("links", "kinds", "zones"),
    ),
    route_kind(
        "route-borders",
        "IP from one border to the next",
        f"shortest ways between borders; a revolt or an army in the way only makes them dearer, {FREE}",
        _borders,
        _say_borders,
        targets=borders,
        rows=("links", "kinds", "zones"),
    ),
)
