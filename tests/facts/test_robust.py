"""What a change of the board does to facts is what deriving them on the changed board says."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from toyclaims import toy_subject

from tetrasolve.claims import families, robust
from tetrasolve.claims.doubts import doubts
from tetrasolve.claims.fact import Topic
from tetrasolve.claims.index import ANY_ONE, ANY_TWO, BREAKS, READS_NONE, Index
from tetrasolve.claims.robust import ask, asked_again, stale
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.changes import neighbourhood, question

BOARD = Board.standard()
SUBJECT = toy_subject(BOARD)


@pytest.fixture
def asked(proofs: Path) -> Index:
    return ask(Index.load(proofs / "index.json"), SUBJECT, proofs)


def test_the_verdicts(asked: Index, toys: ModuleType) -> None:
    links = toys.TOPICS[0]
    near = neighbourhood(BOARD)
    readers = near.about(["links", "kinds"])
    for entry in asked.entries:
        found = entry.robustness
        assert found is not None
        if entry.topic.id == "toy-die":
            assert (found.verdict, found.tried, found.breaks, found.pairs) == (
                READS_NONE,
                0,
                {},
                None,
            ) and not found.unsteady
        elif entry.topic.id == "toy-links":
            assert found.tried == len(readers)
            expected = {
                change.name
                for change in readers
                if links.derive(change.apply(BOARD))[entry.instance] != links.derive(BOARD)[entry.instance]
            }
            assert set(found.breaks) == expected
            altered = {
                path
                for change in readers
                for path, value in links.derive(change.apply(BOARD))[entry.instance].items()
                if str(value) != entry.values[path]
            }
            assert set(found.unsteady) == altered
            assert found.verdict == (BREAKS if expected else ANY_ONE), entry.id
            assert (found.pairs is None) == bool(expected)


def test_what_becomes_of_the_values(asked: Index) -> None:
    found = asked["toy-links/cisalpina"].robustness
    assert found is not None
    links = int(asked["toy-links/cisalpina"].values["links"])

    count, first = next(iter(found.breaks.values()))
    assert count == len(first) and all(text.split()[0] in {"links", "broken"} for text in first)
    absent = [first for name, (_, first) in found.breaks.items() if name.endswith("absent")]
    assert all(f"links {links - 1}" in first for first in absent)


def test_pairs_are_all_tried_or_drawn(proofs: Path, toys: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that no row touches: two at a time all are tried where time allows, else the drawn ones are called so."""
    steady = dataclasses.replace(toys.TOPICS[2], rows=("regions",))
    toys.TOPICS = (*toys.TOPICS[:2], steady)
    families._topics.cache_clear()
    from tetrasolve.claims.proving import prove

    prove(SUBJECT, proofs)
    monkeypatch.setattr(robust, "PAIRS_SECONDS", 9.0)
    two = ask(Index.load(proofs / "index.json"), SUBJECT, proofs)["toy-die"].robustness
    assert two is not None and two.verdict == ANY_TWO and two.pairs is not None
    assert (
        two.pairs.all_tried and two.pairs.breaking == 0 and 0 < two.pairs.possible <= two.tried * (two.tried - 1) // 2
    )
    monkeypatch.setattr(robust, "PAIRS_SECONDS", 0.05)
    one = ask(Index.load(proofs / "index.json"), SUBJECT, proofs, fresh=True)["toy-die"].robustness
    assert one is not None and one.verdict == ANY_ONE and one.pairs is not None
    assert 0 < one.pairs.tried < one.pairs.possible


def test_answers_are_read_back_kept_and_asked_again(
    asked: Index, proofs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Index.load(proofs / "index.json") == asked
    monkeypatch.setattr(robust, "run_jobs", None)  # nothing is asked again
    assert ask(asked, SUBJECT, proofs) == asked


def test_the_same_answers_by_two_workers(asked: Index, proofs: Path) -> None:
    before = (proofs / "index.json").read_bytes()
    assert ask(asked, SUBJECT, proofs, fresh=True, workers=2) == asked
    assert (proofs / "index.json").read_bytes() == before


def test_an_interrupted_run_continues(asked: Index, proofs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.load(proofs / "index.json")
    differences = robust.differences
    calls = 0

    def interrupted(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        if calls == 40:
            raise KeyboardInterrupt
        return differences(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(robust, "differences", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ask(index, SUBJECT, proofs, fresh=True)
    assert (proofs / robust.CHECKPOINT).exists()
    assert ask(index, SUBJECT, proofs, fresh=True) == asked
    assert not (proofs / robust.CHECKPOINT).exists()
    both_runs, calls = calls, 40
    assert ask(index, SUBJECT, proofs, fresh=True) == asked
    assert (
        both_runs <= calls - 40 + 2
    )  # the one that was interrupted, and its change asked again from the first kind on


def test_what_other_kinds_had_answered_stays(asked: Index, proofs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run about some kinds leaves the checkpoint of an interrupted one about all of them to the run that continues it."""
    differences = robust.differences

    def interrupted(kind: Topic, *arguments: object) -> object:
        if kind.id == "toy-arrows":
            raise KeyboardInterrupt
        return differences(kind, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(robust, "differences", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ask(asked, SUBJECT, proofs, fresh=True)
    monkeypatch.setattr(robust, "differences", differences)
    assert ask(asked, SUBJECT, proofs, {"toy-die", "toy-links"}, fresh=True) == asked
    assert (proofs / robust.CHECKPOINT).exists()
    assert ask(asked, SUBJECT, proofs, fresh=True) == asked
    assert not (proofs / robust.CHECKPOINT).exists()


def test_answers_of_another_board_are_stale(asked: Index) -> None:
    assert stale(asked, SUBJECT) == []
    lost = dataclasses.replace(asked.entries[0], robustness=None)
    without = dataclasses.replace(asked, entries=(lost, *asked.entries[1:]))
    assert [problem.problem for problem in stale(without, SUBJECT)] == [
        f"nobody asked how robust {lost.id} is; `tetrasolve facts robust` does"
    ]
    links = tuple(dataclasses.replace(link, exists=link.kind, kind=link.exists) for link in BOARD.links)  # other doubts
    other = {problem.fact for problem in stale(asked, toy_subject(dataclasses.replace(BOARD, links=links)))}
    assert other == {asked.source, *(entry.id for entry in asked.entries if entry.id != "toy-die")}


def test_one_changed_value_accuses_no_other_fact(asked: Index) -> None:
    """The digest of a topic has the values of all its facts; which of them was changed is for their certificates to say."""
    kinds = Counter(entry.topic.id for entry in asked.entries)
    name = next(name for name, count in kinds.items() if count > 1)
    changed = next(entry for entry in asked.entries if entry.topic.id == name)
    values = dict(changed.values) | {next(iter(changed.values)): "other"}
    lie = tuple(dataclasses.replace(entry, values=values) if entry is changed else entry for entry in asked.entries)
    assert [(problem.fact, problem.problem) for problem in stale(dataclasses.replace(asked, entries=lie), SUBJECT)] == [
        (
            asked.source,
            f"when it was asked how robust {name} is, one of its facts had other values, or there were other facts",
        )
    ]
    assert changed.robustness is not None
    forged = dataclasses.replace(changed, robustness=dataclasses.replace(changed.robustness, digest="0" * 16))
    lie = tuple(forged if entry is changed else entry for entry in asked.entries)
    assert [problem.fact for problem in stale(dataclasses.replace(asked, entries=lie), SUBJECT)] == [changed.id]


def test_an_answer_that_was_changed_is_found(asked: Index) -> None:
    assert asked_again(asked, SUBJECT, 30, 1) == []
    liars = tuple(
        dataclasses.replace(entry, robustness=dataclasses.replace(entry.robustness, breaks={}))  # type: ignore[type-var]
        if entry.robustness is not None
        else entry
        for entry in asked.entries
    )
    assert asked_again(dataclasses.replace(asked, entries=liars), SUBJECT, 60, 1) != []


def test_doubts_rank_rows_by_what_depends_on_them(asked: Index) -> None:
    found = doubts(asked, SUBJECT)
    weights = [doubt.weight for doubt in found]

    assert weights == sorted(weights, reverse=True) and weights[0] > 0
    for doubt in found[:40]:
        broken = {
            entry.id
            for entry in asked.entries
            if entry.robustness is not None and set(doubt.changes) & set(entry.robustness.breaks)
        }
        assert set(doubt.facts) == broken
        assert (doubt.weight > 0) == bool(broken)
        assert doubt.question.endswith("?")


def test_questions() -> None:
    assert question("link rhaetia-cisalpina", BOARD) == "Is there a link between Rhaetia and Cisalpina?"
    assert question("number rhaetia", BOARD) == "Which number does Rhaetia have?"
    assert question("zones cyrenaica", BOARD) == "On which sea zones does Cyrenaica lie?"
