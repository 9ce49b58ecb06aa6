"""Once or twice: a choice that is made once, made a second time before anything else comes; one of each of two kinds, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tetrasolve.lint.changes import Definition
from tetrasolve.lint.operators.nodes import Piece, code
from tetrasolve.lint.patterns import filled, matched
from tetrasolve.lint.vocabulary import Repeated, Vocabulary


def repeated(node: Definition, words: Vocabulary) -> Iterator[Piece]:
    """Each entry of a table of what can be chosen and what follows, with a second choice."""
    yield from _entries(node, words, "text")


def joined_kinds(node: Definition, words: Vocabulary) -> Iterator[Piece]:
    """Each such entry where of two kinds of choices one of each can be made."""
    yield from _entries(node, words, "both")


def _entries(node: Definition, words: Vocabulary, which: str) -> Iterator[Piece]:
    if words.repeated is None:
        return
    for inner in code(node):
        for value in inner.values if isinstance(inner, ast.Dict) else ():
            yield from ((value, text) for text in _with_second(value, words.repeated, which, ("",)))


def narrowed(node: ast.AST, new: str, words: Vocabulary) -> Iterator[str]:
    """What stands for such an entry where only some things can be chosen so: of one place or figure, or as a sense says.

    Nothing for another piece of code than what stands for an entry.
    """
    how = words.repeated
    if how is None:
        return
    for which in ("text", "both"):
        if new in _with_second(node, how, which, ("",)):
            yield from _with_second(node, how, which, (*how.same, *_senses(how, words)))


def _with_second(node: ast.AST, how: Repeated, which: str, only: tuple[str, ...]) -> Iterator[str]:
    parts = matched(how.pattern, node)
    if parts is not None:
        yield from (filled(getattr(how, which).format(only=one), parts) for one in only)


def _senses(how: Repeated, words: Vocabulary) -> Iterator[str]:
    """Each sense of the game, then its opposite, as what has to hold of both choices."""
    for form in ("{sense}", "not ({sense})"):
        for sense in words.senses:
            kind = how.of_place if "{place}" in sense else how.of_figure if "{figure}" in sense else how.of_table
            said = sense.format(table=how.table, board=f"{how.table}.board", place=how.place, figure=how.figure)
            yield kind.format(sense=form.format(sense=said))
