"""Every kind of facts keeps to what all of them promise, and the index that is there is the one of this library and board."""

from __future__ import annotations

import random

import pytest
from checker import checker_facts
from forms import FORM_OF, FORMS, KINDS  # of the checker

from tetrasolve.claims.checking import stale
from tetrasolve.claims.fact import RECOUNT, Topic, read_value, value_text
from tetrasolve.claims.robust import stale as stale_robustness
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.changes import DIFFER, neighbourhood
from tetrasolve.tetrarchia.facts.families import CLAIMS
from tetrasolve.tetrarchia.facts.subject import BoardSubject, standard_index

BOARD = Board.standard()
SUBJECT = BoardSubject(BOARD)
LONG = 0.05  # seconds for one derivation: what takes longer is asked among the slow tests
QUICK = [kind for kind in CLAIMS.topics().values() if kind.effort < LONG]
SLOW = [kind for kind in CLAIMS.topics().values() if kind.effort >= LONG]


@pytest.mark.parametrize("kind", CLAIMS.topics().values(), ids=lambda kind: kind.id)
def test_what_a_kind_says_of_itself(kind: Topic) -> None:
    assert (
        kind.family in CLAIMS.families and set(kind.rows) <= set(CLAIMS.rows) and len(set(kind.rows)) == len(kind.rows)
    )
    assert kind.form == FORM_OF[kind.kind]
    assert (
        (kind.form == RECOUNT)
        == (kind.certify is None)
        == (kind.certificate == "")
        == (kind.kind in checker_facts.RECOUNTS)
    )
    assert kind.certificate in checker_facts.PROVERS or kind.form == RECOUNT
    assert kind.effort > 0
    for text in (kind.title, kind.how, kind.ruleset):
        assert text and text.isascii() and text.isprintable()
    assert kind.certainty in {"exact", "proved", "interval"}


def test_both_sides_have_the_same_forms() -> None:
    assert {kind.kind: kind.form for kind in CLAIMS.topics().values()} == FORM_OF
    assert set(FORM_OF.values()) == set(FORMS)
    assert set(checker_facts.RECOUNTS) == set(KINDS[RECOUNT])
    assert sum(map(len, KINDS.values())) == len(FORM_OF)


def reads_only_what_it_says(kind: Topic) -> None:
    """Where a row of another kind changes, its facts stay as they are."""
    before = kind.derive(BOARD)
    near = neighbourhood(BOARD)
    draw = random.Random(kind.id)
    for name in DIFFER:
        others = [change for change in near.about([name]) if not change.kinds & set(kind.rows)]
        if others:
            change = draw.choice(others)
            assert kind.derive(change.apply(BOARD)) == before, change.name


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", QUICK, ids=lambda kind: kind.id)
def test_it_reads_no_rows_but_those_it_says(kind: Topic) -> None:
    reads_only_what_it_says(kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SLOW, ids=lambda kind: kind.id)
def test_it_reads_no_rows_but_those_it_says_either(kind: Topic) -> None:
    reads_only_what_it_says(kind)


def test_the_index_is_that_of_the_library_and_the_board() -> None:
    index = standard_index()

    assert stale(index, SUBJECT, CLAIMS.proofs_folder()) == []
    assert stale_robustness(index, SUBJECT) == []


def test_there_are_as_many_facts_as_were_promised() -> None:
    index = standard_index()

    assert len(index.entries) >= 150 and len(index.topics) >= 40 and len(index.kinds) <= 40


def test_sentences_are_sentences_and_values_are_values() -> None:
    for entry in standard_index().entries:
        assert entry.sentence.endswith(".") and "\n" not in entry.sentence and "_" not in entry.sentence, entry.id
        for text in entry.values.values():
            assert value_text(read_value(text)) == text
