"""The index is read strictly: every mistake is named with its place, and there is one way to write it."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest
from toyclaims import TOYS, toy_subject

from tetrasolve.claims.checking import stale
from tetrasolve.claims.fact import facts_of
from tetrasolve.claims.index import FORMAT, Index, entry_of
from tetrasolve.claims.robust import ask
from tetrasolve.errors import FactError
from tetrasolve.tetrarchia.board import Board

BOARD = Board.standard()
SUBJECT = toy_subject(BOARD)


@pytest.fixture
def text(proofs: Path) -> str:
    ask(Index.load(proofs / "index.json"), SUBJECT, proofs)
    return (proofs / "index.json").read_text("ascii")


def test_it_reads_back(text: str) -> None:
    index = Index.from_text(text)

    assert index.text() == text and index.changed_rows(SUBJECT) == ()
    assert json.loads(text)["format"] == FORMAT
    assert list(index.kinds) == ["toy-links", "toy-arrows", "toy-die"]
    assert index["toy-links/roma"].instance == "roma" and index["toy-die"].instance == ""
    assert index["toy-links/roma"].says(facts_of(TOYS.topics()["toy-links"], BOARD)[0])


def test_what_it_does_not_have(text: str) -> None:
    index = Index.from_text(text)

    with pytest.raises(FactError, match="'toy-coin' is no fact"):
        index["toy-coin"]
    with pytest.raises(FactError, match="fact toy-die has no value 'heads', but sides"):
        index["toy-die"].value("heads")


MISTAKES = [
    ('"tetrasolve-facts 3"', '"tetrasolve-facts 4"', "format is 'tetrasolve-facts 4', expected"),
    ('"board": {', '"map": {', "the index: found format, map,"),
    (
        '"id": "toy-die",\n   "topic"',
        '"id": "toy-dice",\n   "topic"',
        "fact 'toy-dice': topic is 'toy-die', expected",
    ),
    ('"values": {"sides": "6"}', '"values": {}', "values of fact 'toy-die': found none"),
    ('"values": {"sides": "6"}', '"values": {"sides": 6}', "found 6, expected printable text"),
    ('"values": {"sides": "6"}', '"values": {"sides": "06"}', "value 'sides'"),
    ('"values": {"sides": "6"}', '"values": {"sides": "6", "sides": "6"}', "occurs twice"),
    ('"toys/toy-die.cert"', '"../toy-die.cert"', "file is '../toy-die.cert'"),
    ('"reads no row"', '"stands"', "verdict is 'stands'"),
    ('"tried": 0', '"tried": -1', "found -1, expected a whole number"),
    ('"rows": ["arrows"]', '"rows": ["Arrows"]', "topic 'toy-arrows': rows is"),
    ('"rows": ["arrows"]', '"rows": ["arrows", "arrows"]', "topic 'toy-arrows': rows is"),
    ('"link roma etruria', '"link rome etruria', "the rows of the board have another SHA-256"),
    ('"sides": "6"', '"sides":  "6"', "is not as this library writes it"),
    ("{", "", "not JSON"),
]


@pytest.mark.parametrize(("old", "new", "why"), MISTAKES)
def test_mistakes_are_named(text: str, old: str, new: str, why: str) -> None:
    assert old in text
    with pytest.raises(FactError) as caught:
        Index.from_text(text.replace(old, new, 1))
    assert why in str(caught.value)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(FactError, match="is missing; `tetrasolve facts prove` writes it"):
        Index.load(tmp_path / "index.json")
    with pytest.raises(FactError, match="cannot be read"):
        Index.load(tmp_path)
    (tmp_path / "index.json").write_text("[]", "ascii")
    with pytest.raises(FactError, match="the index: found"):
        Index.load(tmp_path / "index.json")


def test_another_order_of_rows_is_reported(toys: ModuleType) -> None:
    assert toys.TOPICS
    fact = facts_of(TOYS.topics()["toy-die"], BOARD)[0]
    index = Index.about(SUBJECT, [entry_of(fact, "toys/toy-die.cert", "0" * 64)])
    turned = Index(index.board_id, index.digest, tuple(reversed(index.rows)), index.entries)

    assert turned.changed_rows(SUBJECT) == ("the rows of the board stand in another order",)


def test_kinds_of_rows_that_the_game_does_not_have_are_found(text: str) -> None:
    index = Index.from_text(text.replace('"rows": ["arrows"]', '"rows": ["towns"]', 1))

    assert [problem.fact for problem in stale(index, SUBJECT)] == ["toy-arrows"]
