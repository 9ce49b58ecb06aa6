"""Options of the commands about puzzles that are alike in all games."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tetrasolve.cli.common import read_input
from tetrasolve.cli.playing import Quit, ask
from tetrasolve.errors import PuzzleError

F = TypeVar("F", bound=Callable[..., Any])
SHIPPED = "shipped"  # in place of a file: the collection that ships with the library

file_argument = click.argument("file", default=SHIPPED)
number_option = click.option(
    "--number", type=click.IntRange(1), default=1, show_default=True, help="Which puzzle of the file."
)
kind_option = click.option("--kind", "names", metavar="KIND", multiple=True, help="Only this kind, see `puzzle kinds`.")
theme_option = click.option(
    "--theme", "motifs", metavar="THEME", multiple=True, help="Only with this theme; with all that are named."
)
grade_option = click.option(
    "--grade", "grades", type=int, metavar="N", multiple=True, help="Only of this grade, 1 to 5; of any that is given."
)


def question_options(target: str, metavar: str = "TEXT") -> Callable[[F], F]:
    """Options of a question about a position: `target` is the help for what it is about, and `metavar` the name of that."""

    def with_options(command: F) -> F:
        options = (
            click.option("--kind", "name", metavar="KIND", required=True, help="What is asked, see `puzzle kinds`."),
            click.option("--target", metavar=metavar, help=target),
            click.option("--source", default="composed", show_default=True, help="Where the puzzle comes from."),
            click.option(
                "--out",
                metavar="FILE",
                help="Write the puzzle to this file, if it is one, in place of what it has.",
            ),
        )
        for option in reversed(options):
            command = option(command)
        return command

    return with_options


def try_option(plan: str) -> Callable[[F], F]:
    """The option for an answer; `plan` says how plans are written."""
    text = f"The answer: {plan}, or what is asked for. Without it a terminal asks for it."
    return click.option("--try", "tried", metavar="ANSWER", help=text)


source_option = click.option("--source", "with_source", is_flag=True, help="With its source, as the file has it.")


def asked_answer(question: str, expected: str) -> str:
    """The answer that a user types at a terminal, below the question; `expected` says how it is written.

    :raises UsageError: when standard input is no terminal, or ends there.
    """
    if not _is_terminal():
        raise click.UsageError(f"--try missing: expected {expected} (standard input is no terminal to ask on)")
    click.echo(question, err=True)
    click.echo(f"answer ({expected}): ", nl=False, err=True)
    try:
        return ask("")
    except Quit:
        raise click.UsageError("no answer was given") from None


def _is_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def name_of(path: str) -> str:
    """What a file is called in messages.

    >>> name_of("-"), name_of("mine.jsonl")
    ('standard input', 'mine.jsonl')
    """
    return {"-": "standard input", SHIPPED: "the shipped collection"}.get(path, path)


def text_of(path: str, shipped_text: Callable[[], str]) -> str:
    """The text of a collection: a file, standard input for ``-``, or for ``shipped`` what `shipped_text` gives.

    :raises PuzzleError: when a number stands where a file is expected, and there is no such file.
    """
    if path.isdecimal() and not Path(path).exists():
        raise PuzzleError(f"{path}: expected a file; `--number {path}` is a puzzle of the collection that ships")
    return shipped_text() if path == SHIPPED else read_input(path)
