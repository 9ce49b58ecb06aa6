"""Input and output of commands, for all games."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, TypeVar, cast

import click
from rich.console import Console
from rich.table import Table

from tetrasolve import files
from tetrasolve.errors import PositionSyntaxError, TetrasolveError, path_shown, shown

P = TypeVar("P")  # a position of a game
LONGEST_INPUT = 10**7  # bytes: a game of a thousand turns has a hundredth of it, and a device file has no end


class OutputError(TetrasolveError):
    """A file that cannot be written."""


class InputError(TetrasolveError):
    """A file, or standard input, that cannot be read as text."""


def read_input(path: str) -> str:
    """The text of a file, or of standard input for ``-``, without a byte order mark.

    :raises InputError: when it cannot be read, is not text, or is too long.
    """
    name = _source(path)
    try:
        from_stdin = path == "-"
        data = (
            sys.stdin.buffer.read(LONGEST_INPUT + 1)
            if from_stdin
            else files.read_bytes(path, LONGEST_INPUT, pipes=True)
        )
    except OSError as error:
        raise InputError(f"{path_shown(name)}: cannot be read ({error.strerror})") from None
    if len(data) > LONGEST_INPUT:
        raise InputError(f"{name}: more than {LONGEST_INPUT:,} bytes are neither a position nor a record")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: is no UTF-8 text ({error.reason} at byte {error.start})") from None


def read_position(path: str, read: Callable[[str], P]) -> P:
    """The position that a file has, or standard input for ``-``, read by a game; what is wrong with its text names the source.

    :raises InputError: as `read_input`, and when there is no text.
    :raises PositionSyntaxError: when the text is no position.
    """
    text, source = read_input(path), path_shown(_source(path))
    if not text.strip():
        raise InputError(f"{source}: is empty, expected a position")
    try:
        return read(text)
    except PositionSyntaxError as error:
        raise PositionSyntaxError(f"{source}: {error.where}", error.found, error.expected) from None


def _source(path: str) -> str:
    return "standard input" if path == "-" else path or "''"


PIPE_WIDTH = 10_000  # columns where nothing is a terminal: no table comes near it, so none is cut or wrapped


class _Plain:
    """Standard output without the trailing spaces of tables."""

    def write(self, text: str) -> int:
        click.echo("\n".join(line.rstrip(" ") for line in text.split("\n")), nl=False)
        return len(text)

    def flush(self) -> None:
        """Do nothing: there is no buffer."""


class _Screen(Console):
    """A console that raises on a closed pipe, as other output does, and does not wrap titles to their tables."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print these objects, the title of a table on its own line."""
        for shown_object in objects:
            if isinstance(shown_object, Table) and shown_object.title:
                super().print(shown_object.title, style="table.title")
                shown_object.title = None
        super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        """Raise the error again; rich would exit here."""
        raise BrokenPipeError


def console() -> Console:
    """The console for tables: as wide as the terminal; in a pipe plain and not cut."""
    if sys.stdout is not None and sys.stdout.isatty():
        plain: dict[str, Any] = {"color_system": None} if os.environ.get("NO_COLOR") else {}  # https://no-color.org
        return _Screen(markup=False, highlight=False, emoji=False, **plain)
    pipe = cast("IO[str]", _Plain())
    return _Screen(
        file=pipe, width=PIPE_WIDTH, force_terminal=False, color_system=None, markup=False, highlight=False, emoji=False
    )


class Seconds(click.FloatRange):
    """A time limit as an option: a number of at least 0; nan is none."""

    def __init__(self) -> None:
        super().__init__(0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number; a wrong one is a wrong option."""
        try:
            seconds = float(value)
        except (TypeError, ValueError):
            seconds = math.nan
        if not seconds >= 0:
            self.fail(f"{shown(value)}: expected a number of seconds, at least 0", param, ctx)
        return seconds


SECONDS = Seconds()
seconds_option = click.option("--seconds", type=SECONDS, help="Stop after this time with the best answer so far.")


def status_code(status: str) -> int:
    """The exit code of an answer with this status: 3 if it is unknown, or the time ran out before it was complete."""
    return 3 if status in ("interrupted", "unknown") else 0


json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


def echo_json(data: object) -> None:
    """Write data as JSON to standard output."""
    click.echo(json.dumps(data, indent=2))


def write_file(path: str, text: str) -> None:
    """Write a result to a file, or to standard output for ``-``.

    :raises OutputError: when the file cannot be written.
    """
    if path == "-":
        context = click.get_current_context(silent=True)
        if context is not None and context.params.get("as_json"):
            raise click.UsageError("--json and a picture both go to standard output: name a file for one of them")
        click.echo(text, nl=False)
        return
    with writing(path):
        files.write_text(path, text)


def require_writable(path: str) -> None:
    """A file can be written, as far as that shows before the work: for results that take long.

    :raises OutputError: when it cannot.
    """
    if path == "-":
        return
    with writing(path):
        files.require_writable(path)


@contextmanager
def writing(path: str) -> Iterator[None]:
    """A context in which a file is written; a pipe that is closed is left to `main`.

    :raises OutputError: when the file cannot be written.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"{path_shown(path)}: cannot be written ({error.strerror})") from None
