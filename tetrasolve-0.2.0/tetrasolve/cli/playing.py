"""What ``play`` shares between games: its options, its questions at the terminal, and how it ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

LINE = 80  # columns that a list fills

record_option = click.option(
    "--record",
    metavar="FILE",
    help="Write the record of the game to this new file after every step (default with --resume: the resumed file).",
)
resume_option = click.option("--resume", is_flag=True, help="POSITION is a game record: continue from its end.")


class Quit(Exception):  # noqa: N818  # not an error
    """The player asked to stop, or there is no more input."""


def ask(prompt: str) -> str:
    """A line of input, stripped; echoed if the input is not a terminal.

    :raises Quit: at the end of the input.
    """
    click.echo(prompt, nl=False)
    line = sys.stdin.buffer.readline().decode("utf-8", "replace")
    text = line.strip()
    if line and not sys.stdin.isatty():
        click.echo(text)
    if not line:
        raise Quit
    return text


def in_columns(cells: Sequence[str]) -> Iterator[str]:
    """Lines of cells of one width, as many in each as fit."""
    width = max(map(len, cells), default=0)
    in_a_row = max(1, LINE // max(1, width))
    for start in range(0, len(cells), in_a_row):
        yield "".join(cell.ljust(width) for cell in cells[start : start + in_a_row]).rstrip()


def require_new(record: str | None, position: str) -> None:
    """Refuse to write a record over another file than the one that is continued.

    :raises click.UsageError: when there is such a file.
    """
    if record is not None and record != position and Path(record).is_file():
        raise click.UsageError(f"{record} exists already: continue it with --resume, or name another file")


def until_stopped(play: Callable[[], None]) -> None:
    """Play until the game or the player ends it."""
    try:
        play()
    except (Quit, KeyboardInterrupt):
        click.echo("\nstopped")
