"""What the commands about puzzles share: how they read files, and the options that choose from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tetrasolve.cli.common import read_input
from tetrasolve.errors import PuzzleError
from tetrasolve.tetrarchia.puzzle.collection import Entry, read_collection, shipped_text

F = TypeVar("F", bound=Callable[..., Any])

SHIPPED = "shipped"  # in place of a file: the collection that ships with the library
file_argument = click.argument("file", default=SHIPPED)

kind_option = click.option("--kind", "names", metavar="KIND", multiple=True, help="Only this kind, see `puzzle kinds`.")
theme_option = click.option(
    "--theme", "motifs", metavar="THEME", multiple=True, help="Only with this theme; with all that are named."
)
grade_option = click.option(
    "--grade", "grades", type=int, metavar="N", multiple=True, help="Only of this grade, 1 to 5; of any that is given."
)
module_option = click.option("--module", metavar="NAME", help="Only with this module or variant.")
sharp_option = click.option("--sharp", is_flag=True, help="Only sharp ones.")


def filter_options(function: F) -> F:
    """The options by which puzzles are chosen, as arguments of `select`."""
    for option in (sharp_option, module_option, grade_option, theme_option, kind_option):
        function = option(function)
    return function


def read_puzzles(path: str) -> list[Entry]:
    """The puzzles of a file, of standard input for ``-``, or of the shipped collection for ``shipped``.

    :raises TetrasolveError: when it cannot be read, or a line is no puzzle.
    """
    return read_collection(text_of(path), name_of(path))


def text_of(path: str) -> str:
    """The text of a collection.

    :raises PuzzleError: when a number stands where a file is expected, and there is no such file.
    """
    if path.isdecimal() and not Path(path).exists():
        raise PuzzleError(f"{path}: expected a file; `--number {path}` is a puzzle of the collection that ships")
    return shipped_text() if path == SHIPPED else read_input(path)


def name_of(path: str) -> str:
    """What a file is called in messages."""
    return {"-": "standard input", SHIPPED: "the shipped collection"}.get(path, path)
