"""Puzzles that are made are kept in their file, whatever ends the search, without a write of the whole file for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tetrasolve.cli import puzzlemaking
from tetrasolve.puzzles.making import QuestionCounts

LINES = [f"puzzle {number}" for number in range(100)]


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of lines of each write; no time passes between them."""
    found: list[int] = []
    plain = puzzlemaking.write_file

    def counted(path: str, text: str) -> None:
        found.append(len(text.splitlines()))
        plain(path, text)

    monkeypatch.setattr(puzzlemaking, "write_file", counted)
    monkeypatch.setattr(puzzlemaking, "monotonic", lambda: 7.0)
    return found


def made(error: type[BaseException] | None = None) -> Iterator[str]:
    yield from LINES
    if error is not None:
        raise error


def write(out: Path | str, lines: Iterator[str], *before: str) -> int:
    return puzzlemaking.write_as_made(str(out), before, lines, count=len(LINES), tally=QuestionCounts(), stop=None)


def test_puzzles_that_are_found_quickly_share_a_write(tmp_path: Path, writes: list[int]) -> None:
    """The first is written at once, the others with the last one; what was there before stays before them."""
    out = tmp_path / "puzzles.jsonl"

    assert write(out, made(), "an old one") == puzzlemaking.DONE
    assert out.read_text().splitlines() == ["an old one", *LINES]
    assert writes == [2, len(LINES) + 1]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_was_found_is_written_however_the_search_ends(
    error: type[BaseException], tmp_path: Path, writes: list[int]
) -> None:
    out = tmp_path / "puzzles.jsonl"
    if error is KeyboardInterrupt:
        assert write(out, made(error)) == puzzlemaking.NOT_DONE
    else:
        with pytest.raises(error):
            write(out, made(error))

    assert out.read_text().splitlines() == LINES
    assert len(writes) == 2


def test_nothing_is_written_where_nothing_was_found(tmp_path: Path, writes: list[int]) -> None:
    assert write(tmp_path / "none.jsonl", iter(())) == puzzlemaking.FEWER
    assert writes == [] and not list(tmp_path.iterdir())


def test_standard_output_has_each_line_at_once(capsys: pytest.CaptureFixture[str], writes: list[int]) -> None:
    assert write("-", made()) == puzzlemaking.DONE
    assert capsys.readouterr().out.splitlines() == LINES
    assert writes == [1] * len(LINES)
