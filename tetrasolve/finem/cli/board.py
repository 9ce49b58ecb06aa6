"""``tetrasolve --game et-finem board``: the map of a ruleset as a table, one region of it, and its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tetrasolve.cli.common import echo_json, json_option, write_file
from tetrasolve.errors import RulesetError, shown
from tetrasolve.finem.board import Board
from tetrasolve.finem.boardpicture import board_svg
from tetrasolve.finem.rules import seeded
from tetrasolve.finem.ruleset import DEALT, MAP, Ruleset

F = TypeVar("F", bound=Callable[..., Any])


def map_options(command: F) -> F:
    """The argument RULESET with the seed that deals its map, as keywords `ruleset` and `seed`."""
    seed = click.option("--seed", type=int, help="Deal the map of E-MAP=dealt as a new game with this seed does.")
    decorated: F = click.argument("ruleset", default="standard")(seed(command))
    return decorated


def load(ruleset: str, seed: int | None) -> Board:
    """The map of a ruleset.

    :raises RulesetError: when the text is not a ruleset, or there is no seed for a map that is to be dealt, or one for another.
    """
    found = Ruleset.from_text(ruleset)
    if seed is None:
        return Board.of(found)
    if found.has_map:
        raise RulesetError(f"--seed {seed}: it requires {MAP}={DEALT}, and the map of {shown(ruleset)} is not dealt")
    return Board.of(found.dealt(seeded(seed)))


@click.group("board")
def command() -> None:
    """Show and draw the map of a RULESET, such as expert+sphere; standard if none is given."""


@command.command("show")
@map_options
@click.option("--region", metavar="NAME", help="Show this region alone, and how many moves the others are away.")
@json_option
def show(ruleset: str, seed: int | None, region: str | None, as_json: bool) -> None:
    """List the regions: where each lies, and what is adjacent to it on the map and, with the option sphere, across its border."""
    board = load(ruleset, seed)
    if as_json:
        echo_json(board.as_data() if region is None else board.region_data(region))
    else:
        click.echo(str(board) if region is None else board.region_text(region))


@command.command("svg")
@map_options
@click.option("--out", metavar="FILE", default="-", help="The file for the picture (default: standard output).")
@click.option("--width", type=click.IntRange(100, 20_000), default=600, show_default=True, help="In pixels.")
def svg(ruleset: str, seed: int | None, out: str, width: int) -> None:
    """Draw the map: its cards, a line between adjacent ones, and names where the border joins regions."""
    write_file(out, board_svg(load(ruleset, seed), width=width))
