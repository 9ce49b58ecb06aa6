"""The arguments POSITION and --board, which the commands of the game share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from tetrasolve.cli.common import read_position
from tetrasolve.errors import BoardError, TetrasolveError, shown
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.game import Game, new_game, new_scenario
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

F = TypeVar("F", bound=Callable[..., Any])

_LEVEL = re.compile(r"[0-9]{4}([+?][^ ]*)?")


class PositionError(TetrasolveError):
    """A POSITION argument that names no position."""


def find_game(text: str, board: Board | None = None, seed: int | None = None, fleets: str | None = None) -> Game:
    """The game that begins at a POSITION argument; the game of a level or scenario has the dice of its set-up.

    :raises InputError: when a file cannot be read, or is empty.
    :raises PositionError: when the argument names no position.
    :raises PositionSyntaxError: when the text of the position cannot be read.
    """
    if _LEVEL.fullmatch(text):
        if seed is None:
            raise PositionError(f"level {text}: a position of a level is rolled: give a --seed")
        return new_game(Ruleset.from_text(text), seed, zones_of(fleets), board)
    if text in rules.scenarios():
        if seed is None:
            raise PositionError(f"scenario {text}: its set-up is rolled: give a --seed")
        return new_scenario(text, seed, zones_of(fleets), board=board)
    for option, value in (("--seed", seed), ("--fleets", fleets)):
        if value is not None:
            raise PositionError(
                f"{option} {value}: it requires a level like 4211 or a scenario, and {shown(text)} is neither"
            )
    return Game(_read_position(text, board))


def is_rolled(text: str) -> bool:
    """Whether a text names a level or a scenario, whose set-up is rolled or, with `` fixed`` after its name, given."""
    return bool(_LEVEL.fullmatch(text)) or text.partition(" ")[0] in rules.scenarios()


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
    from tetrasolve.tetrarchia.scenario.measured import shipped as measured_scenarios  # brings all that plays games

    if text in measured_scenarios():
        return Position.parse(measured_scenarios()[text]["position"], board)
    if text == "-" or os.path.exists(text):  # noqa: PTH110  # Path.exists raises on an invalid path
        return read_position(text, lambda found: read_text(found, board))
    if " " in text.strip() or text.lstrip().startswith("{"):
        return read_text(text, board)
    names = ", ".join(examples())
    raise PositionError(
        f"{shown(text)} is no file, none of the examples ({names}), no level like 4211, no scenario (also not of "
        "`scenario list`) and no position in one line"
    )


def read_text(text: str, board: Board | None = None) -> Position:
    """A position from text: JSON, a position or a made scenario, begins with a brace; anything else is the one-line notation."""
    if text.lstrip().startswith("{"):
        from tetrasolve.tetrarchia.scenario.made import position_of  # brings all that plays games

        line = position_of(text)
        return Position.from_json(text, board) if line is None else Position.parse(line, board)
    return Position.parse(text, board)


def zones_of(fleets: str | None) -> tuple[int, ...] | None:
    """The zones of a --fleets option: its digits."""
    if fleets is None:
        return None
    if not (fleets.isascii() and fleets.isdigit()):
        raise PositionError(f"--fleets {fleets}: expected the numbers of the zones, like 23")
    return tuple(map(int, fleets))


def find_board(path: str | None) -> Board:
    """The board of a --board option, the standard one without it.

    A board that the game cannot be played on is refused; one that contradicts what is known about the printed map is used
    with a warning.
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
        click.option("--fleets", metavar="ZONES", help="With a level or scenario: zones of the fleets, like 23."),
        click.option("--seed", type=int, help="With a level or scenario: seed of the set-up dice."),
        click.option("--board", metavar="FILE", help="A board file (default: the board of the library)."),
        click.argument("position"),
    ):
        command = decorate(command)
    return command
