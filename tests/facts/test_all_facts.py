"""Every kind of facts keeps to what all of them promise, and the index that is there is the one of this library and board."""

from __future__ import annotations

import random

import pytest
from checker import chapters

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.changes import DIFFER, neighbourhood
from tetrasolve.tetrarchia.facts.checking import stale
from tetrasolve.tetrarchia.facts.fact import ROWS, Kind, read_value, value_text
from tetrasolve.tetrarchia.facts.families import FAMILIES, kinds
from tetrasolve.tetrarchia.facts.index import Index, proofs_folder
from tetrasolve.tetrarchia.facts.robust import stale as stale_robustness

BOARD = Board.standard()
LONG = 0.05  # seconds for one derivation: what takes longer is asked among the slow tests
QUICK = [kind for kind in kinds().values() if kind.effort < LONG]
SLOW = [kind for kind in kinds().values() if kind.effort >= LONG]


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.id)
def test_what_a_kind_says_of_itself(kind: Kind) -> None:
    assert kind.family in FAMILIES and set(kind.rows) <= set(ROWS) and len(set(kind.rows)) == len(kind.rows)
    assert kind.certificate in chapters.CHAPTERS
    assert kind.effort > 0
    for text in (kind.title, kind.how, kind.ruleset):
        assert text and text.isascii() and text.isprintable()
    assert kind.certainty in {"exact", "proved", "interval"}


def reads_only_what_it_says(kind: Kind) -> None:
    """Where a row of another kind changes, its facts stay as they are."""
    before = kind.derive(BOARD)
    near = neighbourhood(BOARD)
    draw = random.Random(kind.id)
    for name in DIFFER:
        others = [change for change in near.about([name]) if not change.kinds & set(kind.rows)]
        if others:
            change = draw.choice(others)
            assert kind.derive(change.apply(BOARD)) == before, change.name


@pytest.mark.parametrize("kind", QUICK, ids=lambda kind: kind.id)
def test_it_reads_no_rows_but_those_it_says(kind: Kind) -> None:
    reads_only_what_it_says(kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SLOW, ids=lambda kind: kind.id)
def test_it_reads_no_rows_but_those_it_says_either(kind: Kind) -> None:
    reads_only_what_it_says(kind)


def test_the_index_is_that_of_the_library_and_the_board() -> None:
    index = Index.load()

    assert stale(index, BOARD, proofs_folder()) == []
    assert stale_robustness(index, BOARD) == []


def test_there_are_as_many_facts_as_were_promised() -> None:
    index = Index.load()

    assert len(index.entries) >= 150 and len(index.kinds) >= 40


def test_sentences_are_sentences_and_values_are_values() -> None:
    for entry in Index.load().entries:
        assert entry.sentence.endswith(".") and "\n" not in entry.sentence and "_" not in entry.sentence, entry.id
        for text in entry.values.values():
            assert value_text(read_value(text)) == text
