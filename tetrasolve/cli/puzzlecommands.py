"""``puzzle shrink``, ``alike`` and ``csv``: commands about the puzzles of a file, alike in all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import click

from tetrasolve.cli.common import json_option, require_writable, seconds_option, write_file
from tetrasolve.cli.puzzleoptions import file_argument
from tetrasolve.cli.puzzlereports import APART, Entry, echo_alike, echo_shrunk, shrink_each
from tetrasolve.exact.deadline import stop_of
from tetrasolve.puzzles.construction import Shrunk
from tetrasolve.stop import Stop

E = TypeVar("E", bound=Entry)
P = TypeVar("P")  # a puzzle


Alike = tuple[int, int, int]  # two puzzles of a file by their numbers, and how many steps they are apart


def shrink_command(
    piece: str,
    read: Callable[[str], Sequence[E]],
    shrink: Callable[[E, Stop | None], Shrunk[P]],
    line_of: Callable[[P, str, Stop | None], str],
) -> click.Command:
    """The command of a game that takes pieces off puzzles; `line_of` is the line of one with another source."""

    @click.command(
        "shrink",
        help=f"""Say which {piece}s of each puzzle of FILE can go, one after the other, while its answer stays the only one.

        Each {piece} that is left is needed. Exit code 1: {piece}s can go; 3: out of time, or a puzzle cannot be worked out;
        some may be left that can.
        """,
    )
    @file_argument
    @click.option(
        "--out",
        metavar="FILE",
        help=f"Write the puzzles without these {piece}s to this file, in place of what it has.",
    )
    @json_option
    @seconds_option
    def command(file: str, out: str | None, as_json: bool, seconds: float | None) -> int:
        if out is not None:
            require_writable(out)
        stop = stop_of(seconds)
        found = shrink_each(
            read(file),
            lambda entry: shrink(entry, stop),
            None if out is None else lambda puzzle, source: line_of(puzzle, source, stop),
        )
        return echo_shrunk(found, out, f"each {piece} is needed", as_json=as_json)

    return command


def alike_command(
    read: Callable[[str], Sequence[E]], alike: Callable[[Sequence[E], int, float | None], Iterable[Alike]]
) -> click.Command:
    """The command of a game that lists the pairs that `alike` finds in puzzles, below so many steps, in so many seconds."""

    @click.command("alike")
    @file_argument
    @click.option("--below", type=click.IntRange(1), default=APART, show_default=True, help="Steps on the map.")
    @seconds_option
    @json_option
    def command(file: str, below: int, seconds: float | None, as_json: bool) -> int:
        """List the pairs of puzzles of FILE that are nearer to each other than so many steps.

        Exit code 1: there are some; 3: none were found, and the time ran out before all pairs were compared.
        """
        return echo_alike(alike(read(file), below, seconds), as_json=as_json)

    return command


def csv_command(
    columns: str, read: Callable[[str], Sequence[E]], csv_text: Callable[[Sequence[E]], str]
) -> click.Command:
    """The command of a game that writes puzzles as CSV; `columns` names what a row has."""

    @click.command("csv", help=f"Write the puzzles of FILE as CSV, one a row: {columns}.")
    @file_argument
    @click.option("--out", metavar="FILE", default="-", help="The file (default: standard output).")
    def command(file: str, out: str) -> None:
        write_file(out, csv_text(read(file)))

    return command
