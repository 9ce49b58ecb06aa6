"""The map, routes and tempo of another board: a province that no link leads to, other coasts, other broken links."""

from __future__ import annotations

from pathlib import Path

import checker
import pytest

from tetrasolve.claims.fact import Topic, facts_of
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardfile import standard_text
from tetrasolve.tetrarchia.facts import graph, routes, tempo

TOPICS = [
    pytest.param(kind, id=kind.id, marks=pytest.mark.slow if kind.effort > 1 else ())
    for kind in (*graph.TOPICS, *routes.TOPICS, *tempo.TOPICS)
]


def without(text: str, start: str) -> str:
    """The text without the block of rows that begins so."""
    before, _, after = text.partition(start)
    assert after
    return before + after[after.index("[[") :]


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> tuple[Board, Path]:
    text = without(standard_text(), '[[link]]\nbetween = ["sardinia", "etruria"]')
    for old, new in (
        ('between = ["libya", "aegyptus"]\nbroken = false', 'between = ["libya", "aegyptus"]\nbroken = true'),
        ('between = ["belgica", "britannia"]\nbroken = true', 'between = ["belgica", "britannia"]\nbroken = false'),
    ):
        assert old in text
        text = text.replace(old, new)
    file = tmp_path_factory.mktemp("boards") / "other.toml"
    file.write_text(text, encoding="utf-8")
    return Board.from_toml(text), file


@pytest.mark.parametrize("kind", TOPICS)
def test_its_facts_are_confirmed_too(kind: Topic, other: tuple[Board, Path]) -> None:
    board, file = other
    for fact in facts_of(kind, board)[:2]:
        assert fact.sentence.endswith(".")
        code, message = checker.judged(fact, board, file)
        assert code == checker.CONFIRMED, (fact.id, message)
        if kind.certify is not None:  # it speaks of no board that the checker has
            assert checker.judged(fact, board)[0] == checker.UNREADABLE


def test_where_no_way_leads_there_is_none(other: tuple[Board, Path]) -> None:
    board, _ = other
    reach = next(kind for kind in routes.TOPICS if kind.id == "route").derive(board)["to-sarmatia"]

    assert reach["ip.none.sardinia"] == "never" and reach["ip.2.sardinia"] != "never"
    assert next(kind for kind in graph.TOPICS if kind.id == "map/radius").derive(board)[""]["diameter"] == "never"
