"""The map as a graph, against networkx and against the checker."""

from __future__ import annotations

import random

import checker
import networkx
import pytest

from tetrasolve.claims.fact import Topic, Values, facts_of
from tetrasolve.claims.index import texts
from tetrasolve.claims.saying import below, words
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.changes import neighbourhood
from tetrasolve.tetrarchia.facts.graph import TOPICS

BOARD = Board.standard()
NEAR = [change.apply(BOARD) for change in neighbourhood(BOARD).about(["links", "kinds", "arrows"])]
BOARDS = [BOARD, *NEAR[:: max(1, len(NEAR) // 6)]]  # the last ones too: some of them fall apart


def of(kind: str, board: Board, instance: str = "") -> Values:
    return next(k for k in TOPICS if k.id == kind).derive(board)[instance]


def graph_of(board: Board, *, broken: bool = True, borders: bool = True) -> networkx.Graph:
    graph = board.to_networkx()
    graph.remove_edges_from([(a, b) for a, b, hard in graph.edges.data("broken") if hard and not broken])
    graph.remove_nodes_from([] if borders else board.borders)
    return graph


@pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))
def test_cuts_are_those_of_networkx(board: Board) -> None:
    graph = graph_of(board)
    articulation, bridge = of("map/articulation", board), of("map/bridge", board)

    assert set(words(articulation, "provinces")) == set(networkx.articulation_points(graph))
    assert {frozenset(link.split(":")) for link in words(bridge, "links")} == set(
        map(frozenset, networkx.bridges(graph))
    )
    for place, parts in below(articulation, "parts").items():
        rest = graph.copy()
        rest.remove_node(place)
        assert networkx.number_connected_components(rest) == parts - 1 + networkx.number_connected_components(graph)


@pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))
def test_distances_are_those_of_networkx(board: Board) -> None:
    graph = graph_of(board)
    values = of("map/radius", board)
    for start in (board.roma, *board.borders):
        steps = dict.fromkeys(board.ids, "never") | networkx.single_source_shortest_path_length(graph, start)
        assert below(of("map/distance", board, start), "to") == steps
    if networkx.is_connected(graph):
        assert below(values, "links") == networkx.eccentricity(graph)
        assert (values["radius"], values["diameter"]) == (networkx.radius(graph), networkx.diameter(graph))
        assert set(words(values, "centre")) == set(networkx.center(graph))
        assert set(words(values, "rim")) == set(networkx.periphery(graph))
    else:
        assert values["diameter"] == "never"


@pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))
def test_uprisings_reach_what_networkx_says(board: Board) -> None:
    for links in (1, 3, 5):
        for word, broken in (("linked", True), ("unlinked", False)):
            graph = graph_of(board, broken=broken, borders=False)
            within = networkx.all_pairs_shortest_path_length(graph, cutoff=links)
            assert below(of("map/reach", board, str(links)), word) == {a: len(steps) - 1 for a, steps in within}


@pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))
def test_what_is_left_without_broken_links(board: Board) -> None:
    values = of("map/unbroken", board)
    parts = [{place} for place in words(values, "alone")] + [
        set(words(below(values, "part"), p)) for p in below(values, "part")
    ]

    assert sorted(map(sorted, parts)) == sorted(
        map(sorted, networkx.connected_components(graph_of(board, broken=False)))
    )
    assert (values["parts"], values["largest"]) == (len(parts), max(map(len, parts)))


def test_counts_of_the_map() -> None:
    values = of("map/count", BOARD)

    assert (values["provinces"], values["borders"], values["roman"]) == (48, 6, 42)
    assert values["links"] == len(BOARD.links) and values["broken"] == sum(link.broken for link in BOARD.links)
    assert sum(below(of("map/degree", BOARD), "links").values()) == 2 * len(BOARD.links)


def test_paths_end_in_roma_and_are_as_long_as_the_board_says() -> None:
    through = of("arrow/cover", BOARD)
    for border in BOARD.borders:
        values = of("arrow/path", BOARD, border)
        assert words(values, "path")[-1] == BOARD.roma
        assert values["moves"] == BOARD.distance_to_roma[border]
    assert sum(below(through, "paths").values()) == sum(
        len(words(of("arrow/path", BOARD, border), "path")) - 2 for border in BOARD.borders
    )


def test_a_path_in_a_circle_ends() -> None:

    circles = [change.apply(BOARD) for change in neighbourhood(BOARD).about(["arrows"])]
    for board in circles:
        for border in board.borders:
            path = words(of("arrow/path", board, border), "path")
            assert len(set(path)) == len(path)


# -- counted again ---------------------------------------------------------------------------------------------


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", TOPICS, ids=lambda kind: kind.id)
def test_facts_are_confirmed_and_others_are_not(kind: Topic) -> None:
    for fact in facts_of(kind, BOARD):
        good = texts(fact)
        assert checker.recount(fact.id, good) == (checker.CONFIRMED, "")
        for path in random.Random(fact.id).sample(sorted(good), min(len(good), 6)):
            for other in ("0", "roma.sicilia", good[path] + "1"):
                code, message = checker.recount(fact.id, good | {path: other})
                assert (code == checker.REFUTED and f"'{path}' is" in message) == (other != good[path])
            assert checker.recount(fact.id, {name: good[name] for name in good if name != path})[0] == checker.REFUTED


def test_no_values_stand_for_another_fact() -> None:
    fact = next(fact for kind in TOPICS if kind.id == "map/border" for fact in facts_of(kind, BOARD))
    for name in ("map/border/roma", "map-borders/sarmatia", "map/degree", "map/border", "map/border/britannia"):
        assert checker.recount(name, texts(fact))[0] != checker.CONFIRMED
