"""What the commands share: where a position comes from, and how answers are written."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

F = TypeVar("F", bound=Callable[..., Any])

_LEVEL = re.compile(r"[0-9]{4}([+?][^ ]*)?")


class PositionError(TetrasolveError):
    """A POSITION argument that leads to no position."""


def find_position(
    text: str, board: Board | None = None, seed: int | None = None, fleets: str | None = None
) -> Position:
    """The position that a POSITION argument names.

    :raises PositionError: when it names none.
    :raises PositionSyntaxError: when what it names cannot be read.
    """
    if text == "-":
        return read_text(_standard_input(), board)
    if text in examples():
        return example(text, board)
    if _LEVEL.fullmatch(text):
        if seed is None:
            raise PositionError(f"level {text}: a position of a level is rolled, so say from which --seed")
        return new_game(Ruleset.from_text(text), seed, zones_of(fleets), board).start
    if " " in text.strip() or text.lstrip().startswith("{"):
        return read_text(text, board)
    try:
        return read_text(Path(text).read_text("utf-8"), board)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, TetrasolveError):
            raise
        names = ", ".join(examples())
        raise PositionError(
            f"{text}: no file, no level, no notation, and none of the examples {names} ({error})"
        ) from None


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise PositionError(f"standard input is no UTF-8 text: {error}") from None


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
    """The board of a --board option, the standard one without it; refused when it is no board of this game."""
    if path is None:
        return Board.standard()
    from tetrasolve.errors import BoardError
    from tetrasolve.tetrarchia.boardcheck import check

    board = Board.load(path)
    if findings := check(board):
        raise BoardError(path, [str(finding) for finding in findings])
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


PIPE_WIDTH = 200  # columns where nothing is a terminal: no table of ours is wider, so none is cut


def console() -> Console:
    """Where tables are printed: as wide as the terminal, plain and uncut in a pipe."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(width=width, markup=False, highlight=False, emoji=False)


json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")


def echo_json(data: object) -> None:
    """Write data as JSON to standard output."""
    click.echo(json.dumps(data, indent=2))


def exact(value: Fraction) -> dict[str, Any]:
    """An exact value as JSON writes it: the fraction as text, and the nearest float."""
    return {"exact": str(value), "float": float(value)}


def write_file(path: str, text: str) -> None:
    """Write a result to a file, or to standard output for ``-``."""
    if path == "-":
        sys.stdout.write(text)
    else:
        Path(path).write_text(text, "utf-8")
