"""Options of the commands about puzzles that are alike in all games."""

from __future__ import annotations

import click

SHIPPED = "shipped"  # in place of a file: the collection that ships with the library

file_argument = click.argument("file", default=SHIPPED)
kind_option = click.option("--kind", "names", metavar="KIND", multiple=True, help="Only this kind, see `puzzle kinds`.")
theme_option = click.option(
    "--theme", "motifs", metavar="THEME", multiple=True, help="Only with this theme; with all that are named."
)
grade_option = click.option(
    "--grade", "grades", type=int, metavar="N", multiple=True, help="Only of this grade, 1 to 5; of any that is given."
)


def name_of(path: str) -> str:
    """What a file is called in messages.

    >>> name_of("-"), name_of("mine.jsonl")
    ('standard input', 'mine.jsonl')
    """
    return {"-": "standard input", SHIPPED: "the shipped collection"}.get(path, path)
