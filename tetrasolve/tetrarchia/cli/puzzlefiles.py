"""What the commands about puzzles share: how they read files, and the options that choose from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tetrasolve.cli.puzzleoptions import grade_option, kind_option, name_of, text_of, theme_option
from tetrasolve.tetrarchia.puzzle.collection import Entry, read_collection, shipped_text

F = TypeVar("F", bound=Callable[..., Any])

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
    return read_collection(text_of(path, shipped_text), name_of(path))
