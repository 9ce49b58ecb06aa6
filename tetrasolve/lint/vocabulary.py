"""What the operators have to know of a game to make other readings of its rules: names, no sentences. No game is named here.

Texts are of the source code. In `senses`, `additions` and `kinds` ``{table}``, ``{board}``, ``{place}`` and ``{figure}``
stand for what a definition calls these; a text is used where the definition has all that it needs. In `rewrites` and
`counts` an underscore and a letter stand for any expression.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names of a game: which can stand for which, and what can be said of a place or a figure.

    `groups` are attributes and functions of which one can stand for another, `kinds` local names of one kind. A rewrite is a
    pattern with what can stand in its place. `senses` are conditions; `counts` are numbers; `effects` are functions and
    methods that give back what they are given with a change, `additions` such changes. `tables`, `boards`, `places` and
    `figures` are what definitions call a position, a board, and what is on it; what ends as one of `always` is there in any case.
    """

    groups: Groups = ()
    kinds: Groups = ()
    rewrites: Groups = ()
    senses: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    effects: frozenset[str] = frozenset()
    additions: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    always: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """What a definition calls things: the names and attributes that it reads, its parameters, its position and board."""

    words: Vocabulary
    texts: frozenset[str]
    table: str | None
    board: str | None
    kinds: Groups

    def called(self, among: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these texts that the definition uses."""
        return tuple([text for text in among if text in self.texts])

    def filled(self, text: str, place: str | None = None, figure: str | None = None) -> str | None:
        """A text with what this definition has for its placeholders, None where it lacks one."""
        return _filled(text, {"table": self.table, "board": self.board, "place": place, "figure": figure})

    def said(self, places: Iterable[str], figures: Iterable[str]) -> list[str]:
        """Every sense of these places and figures, and of the position where there is one of either."""
        of_place = [s for s in self.words.senses if "{place}" in s]
        of_figure = [s for s in self.words.senses if "{figure}" in s]
        said = [self.filled(sense, place=place) for place in places for sense in of_place]
        said += [self.filled(sense, figure=figure) for figure in figures for sense in of_figure]
        if said:
            said += [self.filled(sense) for sense in self.words.senses if sense not in (*of_place, *of_figure)]
        return [sense for sense in said if sense is not None]


def scope(node: ast.AST, words: Vocabulary) -> Scope:
    """What a definition calls things."""
    texts = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.arg):
            texts.add(inner.arg)
        elif isinstance(inner, (ast.Name, ast.Attribute)):
            texts.add(ast.unparse(inner))
    table = next((text for text in words.tables if text in texts), None)
    board = next((text for text in words.boards if text in texts), f"{table}.board" if table else None)
    known = {"table": table, "board": board}
    kinds = (tuple(one for text in kind if (one := _filled(text, known)) is not None) for kind in words.kinds)
    return Scope(words, frozenset(texts), table, board, tuple(kinds))


def _filled(text: str, known: Mapping[str, str | None]) -> str | None:
    return None if any(known.get(field) is None for field in _fields(text)) else text.format(**known)


@lru_cache(maxsize=512)
def _fields(text: str) -> frozenset[str]:
    return frozenset(field for _, field, _, _ in Formatter().parse(text) if field)
