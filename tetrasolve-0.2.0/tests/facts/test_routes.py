"""Shortest ways, against networkx, the exhaustive search of turns, and every placement of revolts tried out."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from random import Random

import checker
import networkx
import pytest
from tampered import certificates, confirmed, count_again, other_lines, other_numbers

from tetrasolve.claims.fact import Topic, Values
from tetrasolve.claims.saying import words
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.changes import neighbourhood
from tetrasolve.tetrarchia.facts.routes import TOPICS
from tetrasolve.tetrarchia.facts.routes.blocked import Blockade
from tetrasolve.tetrarchia.facts.routes.reach import starts
from tetrasolve.tetrarchia.facts.routes.travel import Fleets, travel
from tetrasolve.tetrarchia.plan import plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()
NEAR = [change.apply(BOARD) for change in neighbourhood(BOARD).about(["links", "kinds", "zones"])]
BOARDS = [BOARD, *NEAR[:: max(1, len(NEAR) // 4)]]
SETTINGS = travel(BOARD).settings


@cache
def of(kind: str, board: Board = BOARD, instance: str = "") -> Values:
    return next(k for k in TOPICS if k.id == kind).derive(board)[instance]


@cache
def network(board: Board, size: int, *, sails: bool, fleets: Fleets | None = None) -> networkx.DiGraph:
    """States of travel (province, fleets) as nodes of networkx, written from the rows of the board."""
    graph = networkx.DiGraph()
    zones = sorted(board.coast)
    for chosen in [fleets] if fleets is not None else map(frozenset, combinations(zones, size)):
        for place in board.ids:
            graph.add_node((place, chosen))
            for other in board.ids:
                by_sea = any(zone in board[place].zones and zone in board[other].zones for zone in chosen)
                link = board.link(place, other)
                if other != place and (by_sea or link):
                    cost = 1 if by_sea or not link.broken else 2
                    graph.add_edge((place, chosen), (other, chosen), cost=cost)
            for zone in chosen if sails else ():
                for other_zone in board.adjacent(zone):
                    if other_zone not in chosen:
                        graph.add_edge((place, chosen), (place, chosen - {zone} | {other_zone}), cost=1)
    return graph


def shortest(board: Board, start: str, setting: str) -> dict[str, int]:
    """IP from a province to all others, by networkx."""
    fleets, sails = travel(board).settings[setting]
    graph = network(board, len(fleets), sails=sails, fleets=None if sails else fleets)
    found: dict[str, int] = {}
    for (place, _), ip in networkx.single_source_dijkstra_path_length(graph, (start, fleets), weight="cost").items():
        found[place] = min(ip, found.get(place, ip))
    return found


@pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))
def test_ways_are_those_of_networkx(board: Board) -> None:
    random = Random("ways")
    for setting in travel(board).settings:
        for start in random.sample(board.ids, 4):
            ip = shortest(board, start, setting)
            for border in board.borders:
                assert of("route", board, f"to-{border}")[f"ip.{setting}.{start}"] == ip.get(border, "never")


def position(start: str, fleets: Fleets, ip: int = 6) -> Position:
    """One Emperor on an empty board."""
    return Position(
        board=BOARD,
        ruleset=Ruleset.from_text(f"3{len(fleets)}00"),
        to_move="galerius",
        phase=Phase.ROMAN,
        ip=ip,
        emperors={emperor.id: start if emperor.id == "galerius" else None for emperor in BOARD.emperors},
        fleets=tuple(sorted(fleets)),
        armies=(),
        discs={},
    )


def test_what_a_turn_secures_is_what_the_exhaustive_search_finds() -> None:
    random = Random("secured")
    sailing = [setting for setting in SETTINGS if setting.startswith("sail")] + ["123"]
    for start in random.sample(BOARD.ids, 5):
        for border in random.sample(BOARD.borders, 2):
            setting = random.choice(sailing)
            result = plan(position(start, SETTINGS[setting][0]), f"secure {border} then least ip")
            assert result.values is not None
            needed = of("route", BOARD, f"to-{border}")[f"ip.{setting}.{start}"]
            one_turn = start in words(of("route", BOARD, f"to-{border}"), f"near.{setting}")
            assert (result.values[0] == 1) is one_turn is (isinstance(needed, int) and needed <= 4)
            if one_turn:
                assert result.values[1] == needed + 2


def least_turns(start: str, border: str, setting: str) -> int:
    """Turn by turn: where he can stand after so many, with the fleets as he leaves them."""
    fleets, sails = SETTINGS[setting]
    graph = network(BOARD, len(fleets), sails=sails, fleets=None if sails else fleets)
    at, turns = {(start, fleets)}, 0
    while True:
        turns += 1
        within: dict[object, int] = {}
        for state in at:
            reached = networkx.single_source_dijkstra_path_length(graph, state, cutoff=6, weight="cost")
            for other, ip in reached.items():
                within[other] = min(ip, within.get(other, 6))
        if any(other[0] == border and ip <= 4 for other, ip in within.items()):
            return turns
        at = set(within)


def test_turns_are_those_of_a_walk_turn_by_turn() -> None:
    random = Random("turns")
    for setting in ("none", "1", "sail2", "sail13", "12"):
        for border in BOARD.borders:
            start = random.choice(BOARD.ids)
            assert of("route", BOARD, f"to-{border}")[f"turns.{setting}.{start}"] == least_turns(start, border, setting)


def test_a_turn_is_lost_where_its_rest_is_too_small() -> None:
    far = [
        (place, ip, turns)
        for border in BOARD.borders
        for place in BOARD.ids
        if isinstance(ip := of("route", BOARD, f"to-{border}")[f"ip.none.{place}"], int)
        and isinstance(turns := of("route", BOARD, f"to-{border}")[f"turns.none.{place}"], int)
    ]

    assert all(turns >= -(-(ip + 2) // 6) for _, ip, turns in far)
    assert any(turns > -(-(ip + 2) // 6) for _, ip, turns in far)


def test_every_placement_of_revolts_tried_out() -> None:
    roman = [place for place in BOARD.ids if not BOARD[place].is_border]
    for start, border, setting, most in (
        ("roma", "sarmatia", "none", 2),
        ("bithynia", "britannia", "none", 1),
        ("cisalpina", "persia", "123", 2),
        ("germania_inferior", "libya", "123", 1),
    ):
        fleets, sails = SETTINGS[setting]
        graph = network(BOARD, len(fleets), sails=sails, fleets=None if sails else fleets)
        for revolts in range(1, most + 1):
            dearest = max(
                least_ip(graph, (start, fleets), border, set(placed)) for placed in combinations(roman, revolts)
            )
            assert of("route/blocked", BOARD, start)[f"{revolts}.{setting}.{border}"] == dearest


def least_ip(graph: networkx.DiGraph, start: tuple[str, Fleets], border: str, revolts: set[str]) -> int:
    def toll(_: object, after: tuple[str, Fleets], edge: dict[str, int]) -> int:
        entered = _ is not None and _[0] != after[0]
        return edge["cost"] + (entered and after[0] in revolts)

    lengths = networkx.single_source_dijkstra_path_length(graph, start, weight=toll)
    return min(ip for (place, _), ip in lengths.items() if place == border)


def test_three_revolts_are_no_kinder_than_two() -> None:
    for start in ("roma", "bithynia"):
        values = of("route/blocked", BOARD, start)
        for setting in ("none", "123"):
            for border in BOARD.borders:
                free = of("route", BOARD, f"to-{border}")[f"ip.{setting}.{start}"]
                row = [free, *(values[f"{revolts}.{setting}.{border}"] for revolts in (1, 2, 3))]
                assert all(0 <= b - a <= 1 for a, b in pairwise(row))


def test_a_placement_costs_what_is_stated() -> None:
    blockade = Blockade(travel(BOARD), "roma", "persia", frozenset())
    ip, revolts = blockade.worst(3)
    free, _ = blockade.way(frozenset())

    assert len(revolts) <= 3 and free < ip <= free + 3
    assert blockade.way(revolts)[0] == ip
    graph = network(BOARD, 0, sails=False, fleets=frozenset())
    assert least_ip(graph, ("roma", frozenset()), "persia", {BOARD.ids[row] for row in revolts}) == ip


def test_fleets_and_leave_to_sail_never_make_a_way_dearer() -> None:
    for border in BOARD.borders:
        found = of("route", BOARD, f"to-{border}")
        for place in BOARD.ids:
            ip = {setting: int(str(found[f"ip.{setting}.{place}"])) for setting in SETTINGS}
            assert all(ip["none"] >= ip[zone] >= ip["123"] for zone in "123")
            assert all(ip[setting.removeprefix("sail")] >= ip[setting] for setting in SETTINGS)


def test_to_secure_a_border_costs_two_more() -> None:
    for start in starts(BOARD):
        found = of("route", BOARD, f"secure-from-{start}")
        for setting in SETTINGS:
            ip = {border: int(str(found[f"{setting}.{border}"])) for border in BOARD.borders}
            assert all(ip[b] == int(str(of("route", BOARD, f"to-{b}")[f"ip.{setting}.{start}"])) + 2 for b in ip)
            assert set(words(found, f"{setting}.nearest")) == {b for b in ip if ip[b] == min(ip.values())}


def test_no_turn_secures_two_borders() -> None:
    assert {value for path, value in of("route", instance="two-borders").items() if path.endswith(".one-turn")} == {1}
    for a, b in combinations(BOARD.borders, 2):
        assert of("route", BOARD, f"to-{a}")[f"ip.123.{b}"] >= of("route", instance="two-borders")["123.ip"]


# -- certificates ----------------------------------------------------------------------------------------------

QUICK = ("bithynia", "cut-sarmatia", "hinder-bithynia")  # one or two facts of each kind
CERTIFIED = [kind for kind in TOPICS if kind.certify is not None]


@pytest.mark.parametrize("kind", [kind for kind in TOPICS if kind.certify is None], ids=lambda kind: kind.id)
def test_facts_counted_again(kind: Topic) -> None:
    count_again(kind, 7)


@pytest.mark.parametrize("kind", CERTIFIED, ids=lambda kind: kind.id)
def test_certificates_are_confirmed_and_others_are_not(kind: Topic) -> None:
    found = [*certificates(kind, list(QUICK))]
    assert found
    for fact, certificate in found:
        assert confirmed(certificate) == (True, confirmed(certificate)[1]), fact
        for text in [*other_numbers(certificate, 5), *other_lines(certificate, 3)]:
            assert not confirmed(text)[0], (fact, checker.verdict(text))


@pytest.mark.slow
@pytest.mark.parametrize("kind", CERTIFIED, ids=lambda kind: kind.id)
def test_all_certificates_are_confirmed(kind: Topic) -> None:
    for fact, certificate in certificates(kind):
        assert confirmed(certificate)[0], fact
