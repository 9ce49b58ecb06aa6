"""The argument POSITION, which the commands of the game share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from tetrasolve.cli.common import read_position
from tetrasolve.errors import TetrasolveError, shown
from tetrasolve.finem.examples import examples
from tetrasolve.finem.game import Game, new_game
from tetrasolve.finem.position import Position
from tetrasolve.finem.record import FORMAT
from tetrasolve.finem.ruleset import LEVELS, Ruleset

F = TypeVar("F", bound=Callable[..., Any])

_LEVEL = re.compile(rf"({'|'.join(LEVELS)})([+?@][^ ]*)?")


class PositionError(TetrasolveError):
    """A POSITION argument that names no position."""


def find_game(text: str, seed: int | None = None) -> Game:
    """The game that begins at a POSITION argument; the game of a level has the cards of its set-up.

    :raises InputError: when a file cannot be read, or is empty.
    :raises PositionError: when the argument names no position.
    :raises PositionSyntaxError: when the text of the position cannot be read.
    """
    if _LEVEL.fullmatch(text):
        if seed is None:
            raise PositionError(f"level {text}: the set-up of a level is drawn: give a --seed")
        return new_game(Ruleset.from_text(text), seed)
    if seed is not None:
        raise PositionError(f"--seed {seed}: it requires a level like standard, and {shown(text)} is not a level")
    return Game(_read_position(text))


def _read_position(text: str) -> Position:
    if text in examples():
        return examples()[text]
    if text == "-" or os.path.exists(text):  # noqa: PTH110  # Path.exists raises on an invalid path
        return read_position(text, read_text)
    if " " in text.strip() or text.lstrip().startswith("{"):
        return read_text(text)
    raise PositionError(
        f"{shown(text)} is no file, none of the examples ({', '.join(examples())}), no level like standard and no "
        "position in one line"
    )


def read_text(text: str) -> Position:
    """A position from text in either form: JSON begins with a brace, anything else is the one-line notation.

    :raises PositionError: when the text is a game record.
    """
    if text.lstrip().startswith(FORMAT):
        raise PositionError("this is a record of a game: play --resume continues it, replay verifies it")
    return Position.from_json(text) if text.lstrip().startswith("{") else Position.parse(text)


def position_options(command: F) -> F:
    """POSITION with the option that belongs to it, as keywords `position` and `seed`."""
    seed = click.option("--seed", type=int, help="With a level: seed of the set-up.")
    decorated: F = click.argument("position")(seed(command))
    return decorated
