"""What the commands share: where a position comes from, and how answers are written."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import click
from rich.console import Console
from rich.table import Table

from tetrasolve.errors import BoardError, TetrasolveError, shown
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

F = TypeVar("F", bound=Callable[..., Any])

_LEVEL = re.compile(r"[0-9]{4}([+?][^ ]*)?")


LONGEST_INPUT = 10**7  # bytes: a game of a thousand turns has a hundredth of it, and a device file has no end


class PositionError(TetrasolveError):
    """A POSITION argument that leads to no position."""


class OutputError(TetrasolveError):
    """A file that cannot be written."""


class InputError(TetrasolveError):
    """A file, or standard input, that cannot be read as text."""


def find_game(text: str, board: Board | None = None, seed: int | None = None, fleets: str | None = None) -> Game:
    """The game that begins at a POSITION argument; one of a level remembers the dice of its set-up.

    :raises PositionError: when the argument leads to no position.
    :raises PositionSyntaxError: when what it leads to cannot be read.
    """
    if _LEVEL.fullmatch(text):
        if seed is None:
            raise PositionError(f"level {text}: a position of a level is rolled, so say from which --seed")
        return new_game(Ruleset.from_text(text), seed, zones_of(fleets), board)
    for option, value in (("--seed", seed), ("--fleets", fleets)):
        if value is not None:
            raise PositionError(f"{option} {value}: it goes with a level like 4211, and {shown(text)} is none")
    return Game(_read_position(text, board))


def find_position(
    text: str, board: Board | None = None, seed: int | None = None, fleets: str | None = None
) -> Position:
    """The position that a POSITION argument names.

    :raises PositionError: as `find_game`.
    :raises PositionSyntaxError: as `find_game`.
    """
    return find_game(text, board, seed, fleets).start


def _read_position(text: str, board: Board | None) -> Position:
    if text in examples():
        return example(text, board)
    if text == "-" or os.path.exists(text):  # noqa: PTH110  # Path.exists fails on what can be no path
        found = read_input(text)
        if not found.strip():
            raise PositionError(f"{'standard input' if text == '-' else text}: is empty, expected a position")
        return read_text(found, board)
    if " " in text.strip() or text.lstrip().startswith("{"):
        return read_text(text, board)
    names = ", ".join(examples())
    raise PositionError(
        f"{shown(text)} is no file, none of the examples ({names}), no level like 4211 and no position in one line"
    )


def read_input(path: str) -> str:
    """The text of a file, or of standard input for ``-``; a byte order mark in front of it is left out.

    :raises InputError: when it cannot be read, or is no text, or too long to be anything of ours.
    """
    name = "standard input" if path == "-" else path or "''"
    try:
        if path == "-":
            data = sys.stdin.buffer.read(LONGEST_INPUT + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(LONGEST_INPUT + 1)
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # no name of a file
        raise InputError(f"{shown(name)}: cannot be read ({error})") from None
    if len(data) > LONGEST_INPUT:
        raise InputError(f"{name}: more than {LONGEST_INPUT:,} bytes are neither a position nor a record")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: is no UTF-8 text ({error.reason} at byte {error.start})") from None


def read_text(text: str, board: Board | None = None) -> Position:
    """A position from text in either form: JSON begins with a brace, anything else is the one-line notation."""
    if text.lstrip().startswith("{"):
        return Position.from_json(text, board)
    return Position.parse(text, board)


def zones_of(fleets: str | None) -> tuple[int, ...] | None:
    """The zones of a --fleets option: its figures."""
    if fleets is None:
        return None
    if not (fleets.isascii() and fleets.isdigit()):
        raise PositionError(f"--fleets {fleets}: expected the figures of the zones, like 23")
    return tuple(map(int, fleets))


def find_board(path: str | None) -> Board:
    """The board of a --board option, the standard one without it.

    A board that the game cannot be played on is refused; one that contradicts what is known of the printed map is used,
    with a warning, since its owner may know better.
    """
    if path is None:
        return Board.standard()
    from tetrasolve.tetrarchia.boardcheck import check_claims, check_parts

    board = Board.load(path)
    if findings := check_parts(board):
        raise BoardError(path, [str(finding) for finding in findings])
    for finding in check_claims(board):
        click.echo(f"warning: {path}: {finding}", err=True)
    return board


def position_options(command: F) -> F:
    """POSITION with the options that belong to it, as keywords `position`, `board`, `seed` and `fleets`."""
    for decorate in (
        click.option("--fleets", metavar="ZONES", help="With a level: zones of the fleets, like 23."),
        click.option("--seed", type=int, help="With a level: seed of the set-up dice."),
        click.option("--board", metavar="FILE", help="Another board file."),
        click.argument("position"),
    ):
        command = decorate(command)
    return command


PIPE_WIDTH = 10_000  # columns where nothing is a terminal: no table comes near it, so none is cut or wrapped


class _Plain:
    """Standard output without the blanks with which tables fill their lines."""

    def write(self, text: str) -> int:
        click.echo("\n".join(line.rstrip(" ") for line in text.split("\n")), nl=False)
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""


class _Screen(Console):
    """A console that leaves a closed pipe to the program, as other output does, and wraps no title to its table."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print these objects, the title of a table on a line of its own."""
        for shown_object in objects:
            if isinstance(shown_object, Table) and shown_object.title:
                super().print(shown_object.title, style="table.title")
                shown_object.title = None
        super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        """Called by rich, which would make it an exit code of its own."""
        raise BrokenPipeError


def console() -> Console:
    """Where tables are printed: as wide as the terminal, plain and uncut in a pipe."""
    if sys.stdout is not None and sys.stdout.isatty():
        return _Screen(markup=False, highlight=False, emoji=False)
    pipe = cast("IO[str]", _Plain())
    return _Screen(
        file=pipe, width=PIPE_WIDTH, force_terminal=False, color_system=None, markup=False, highlight=False, emoji=False
    )


json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


def echo_json(data: object) -> None:
    """Write data as JSON to standard output."""
    click.echo(json.dumps(data, indent=2))


def exact(value: Fraction) -> dict[str, Any]:
    """An exact value as JSON writes it: the fraction as text, and the nearest float."""
    return {"exact": str(value), "float": float(value)}


def write_file(path: str, text: str) -> None:
    """Write a result to a file, or to standard output for ``-``.

    :raises OutputError: when the file cannot be written.
    """
    if path == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(path).write_text(text, "utf-8")
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
    except ValueError as error:  # no name of a file
        raise OutputError(f"{shown(path)}: cannot be written ({error})") from None
