"""``tetrasolve puzzle book``: puzzles as a booklet, in HTML or PDF."""

from __future__ import annotations

from collections.abc import Sequence

from tetrasolve.cli.booklets import book_command
from tetrasolve.tetrarchia.cli.puzzlefiles import filter_options, read_puzzles
from tetrasolve.tetrarchia.puzzle.booklet import booklet
from tetrasolve.tetrarchia.puzzle.collection import Entry, select


def _chosen(
    entries: Sequence[Entry],
    *,
    names: tuple[str, ...],
    motifs: tuple[str, ...],
    grades: tuple[int, ...],
    module: str | None,
    sharp: bool,
) -> list[Entry]:
    found = select(entries, kinds=names, themes=motifs, grades=grades, module=module, sharp=sharp)
    return [entry for _, entry in found]


book = book_command("Tetrarchia puzzles", filter_options, read_puzzles, _chosen, booklet)
