"""Proving, checking and asking about robustness with a deadline: what was done is kept, and no process continues."""

from __future__ import annotations

import dataclasses
import multiprocessing
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from toyclaims import toy_subject

from tetrasolve.certify import checking as running
from tetrasolve.claims import families, robust
from tetrasolve.claims.checking import judged, proved_again
from tetrasolve.claims.index import Index
from tetrasolve.claims.proving import prove
from tetrasolve.claims.robust import ask, asked_again
from tetrasolve.errors import OutOfTimeError
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.board import Board

BOARD = Board.standard()
SUBJECT = toy_subject(BOARD)
SECONDS = 0.5
FOR_EVER = 3600.0  # seconds: a job that looks at nothing


def slow(*_: Any) -> Any:
    """In place of a derivation or a certificate."""
    time.sleep(FOR_EVER)


def replaced(toys: ModuleType, number: int, **changes: Any) -> None:
    """Another toy topic in the place of one; the cache of topics forgets the old one."""
    toys.TOPICS = tuple(
        dataclasses.replace(topic, **changes) if row == number else topic for row, topic in enumerate(toys.TOPICS)
    )
    families._topics.cache_clear()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_derivation_without_end(proofs: Path, toys: ModuleType, workers: int) -> None:
    before = (proofs / "index.json").read_bytes()
    replaced(toys, 2, derive=slow)

    found = prove(SUBJECT, proofs, fresh=True, workers=workers, seconds=SECONDS)

    assert (found.status, found.written) == ("interrupted", 0)
    assert (proofs / "index.json").read_bytes() == before
    assert not multiprocessing.active_children()


def test_certificates_that_were_written_are_kept(toys: ModuleType, tmp_path: Path) -> None:
    proved = toys.TOPICS[2].certify
    replaced(toys, 2, certify=slow)
    found = prove(SUBJECT, tmp_path / "new", workers=2, seconds=2 * SECONDS)
    assert found.status == "interrupted"
    there = list((tmp_path / "new").rglob("*.cert*"))
    assert not (tmp_path / "new" / "index.json").exists()

    replaced(toys, 2, certify=proved)
    again = prove(SUBJECT, tmp_path / "new", workers=2, seconds=FOR_EVER)
    assert (again.status, again.kept, again.written) == ("complete", len(there), 8 - len(there))


def test_nothing_begins_after_the_deadline(proofs: Path) -> None:
    stop = Stop()
    stop.set()
    assert prove(SUBJECT, proofs, cancel=stop).status == "interrupted"
    with pytest.raises(OutOfTimeError, match="robustness: it was cancelled"):
        ask(Index.load(proofs / "index.json"), SUBJECT, proofs, cancel=stop)


def test_robustness_continues_where_its_time_was_over(proofs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.load(proofs / "index.json")
    differences, calls = robust.differences, 0

    def slow_later(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > 3:
            time.sleep(FOR_EVER)
        return differences(*arguments)

    monkeypatch.setattr(robust, "differences", slow_later)
    with pytest.raises(OutOfTimeError, match="robustness: the time ran out"):
        ask(index, SUBJECT, proofs, seconds=SECONDS)
    assert (proofs / robust.CHECKPOINT).exists()
    assert not multiprocessing.active_children()
    monkeypatch.setattr(robust, "differences", differences)
    timed = ask(index, SUBJECT, proofs, seconds=FOR_EVER)
    assert timed == ask(index, SUBJECT, proofs, fresh=True)


def test_a_checker_without_end_is_ended(proofs: Path, board_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (running.FOLDERS[0] / "__main__.py").write_text("import time; time.sleep(3600)\n", "utf-8")
    started: list[Any] = []
    start = running.subprocess.Popen

    def noted(*arguments: Any, **options: Any) -> Any:
        started.append(start(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(running.subprocess, "Popen", noted)
    with pytest.raises(Stopped) as stopped:
        judged(Index.load(proofs / "index.json"), proofs, board_file=board_file, stop=Stop(SECONDS))
    assert stopped.value.partial == []
    assert started and all(process.returncode == -9 for process in started)


def test_what_is_asked_again_ends_in_time(proofs: Path, toys: ModuleType) -> None:
    ask(Index.load(proofs / "index.json"), SUBJECT, proofs)
    index = Index.load(proofs / "index.json")
    assert proved_again(index.entries, SUBJECT, proofs, stop=Stop(FOR_EVER)) == []
    assert asked_again(index, SUBJECT, 3, 1, stop=Stop(FOR_EVER)) == []
    for number in range(3):
        replaced(toys, number, derive=slow, certify=slow)
    for work in (
        lambda: proved_again(index.entries, SUBJECT, proofs, stop=Stop(SECONDS)),
        lambda: asked_again(index, SUBJECT, 3, 1, stop=Stop(SECONDS)),
    ):
        with pytest.raises(Stopped) as stopped:
            work()
        assert stopped.value.partial == []
    assert not multiprocessing.active_children()
