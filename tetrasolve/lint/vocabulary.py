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

from tetrasolve.lint.patterns import matched

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Repeated:
    """How a table says what can be chosen and what follows, and what stands there where this can be chosen once or twice.

    `pattern` is an entry of the table. `text` stands for it, or `both` where of two kinds of choices one of each can be made. In
    these ``{only}`` is empty, or one of `same`, or says that a sense holds when each of both is chosen, of the place or figure that
    it names: `of_place`, `of_figure` or `of_table` with the sense in place of ``{sense}``. In the sense a position, a place and a
    figure are `table`, `place` and `figure`.
    """

    pattern: str
    text: str
    both: str
    same: tuple[str, ...] = ()
    table: str = "position"
    place: str = "region"
    figure: str = "tribe"
    of_place: str = ""
    of_figure: str = ""
    of_table: str = ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names of a game: which can stand for which, and what can be said of a place or a figure.

    `groups` are attributes and functions of which one can stand for another, `kinds` local names of one kind. A rewrite is a
    pattern with what can stand in its place. `senses` are conditions, `times` those that say when; `counts` are numbers;
    `effects` are functions and methods that give back what they are given with a change, `additions` such changes. `tables`,
    `boards`, `places` and `figures` are what definitions call a position, a board, and what is on it; what ends as one of
    `always` is there in any case.
    `ends` are results of a game, `waivers` options to do nothing. `values` are patterns of what asks for the value of a reading:
    the other values have names. `repeated` says how a choice is made once or twice, or of each kind.
    """

    groups: Groups = ()
    kinds: Groups = ()
    rewrites: Groups = ()
    senses: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    effects: frozenset[str] = frozenset()
    additions: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    waivers: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    repeated: Repeated | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """What a definition calls things: the names and attributes that it reads, its parameters, its position and board.

    `functions` are those of its file with the same signature, `ends` and `waivers` those of the game that its file names.
    """

    words: Vocabulary
    texts: frozenset[str]
    table: str | None
    board: str | None
    kinds: Groups
    functions: Groups = ()
    ends: tuple[str, ...] = ()
    waivers: tuple[str, ...] = ()

    def called(self, among: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these texts that the definition uses."""
        return tuple([text for text in among if text in self.texts])

    @property
    def times(self) -> tuple[str, ...]:
        """The conditions that say when, of a definition that has a position."""
        filled = (self.filled(time) for time in self.words.times)
        return tuple([time for time in filled if time is not None])

    def names_value(self, node: ast.AST) -> bool:
        """Whether an expression asks for the value of a reading."""
        return any(matched(value, inner) is not None for inner in ast.walk(node) for value in self.words.values)

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


def scope(node: ast.AST, words: Vocabulary, text: str = "") -> Scope:
    """What a definition calls things, in the text of its file."""
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
    names, functions = _of_file(text)
    there = [
        tuple(text for text in kind if text.partition("(")[0].partition(".")[0] in names)
        for kind in (words.ends, words.waivers)
    ]
    return Scope(words, frozenset(texts), table, board, tuple(kinds), functions, *there)


@lru_cache(maxsize=64)
def _of_file(text: str) -> tuple[frozenset[str], Groups]:
    """The names that a file has, and its functions by their signatures, those with one of more than one."""
    names: set[str] = set()
    signatures: dict[str, list[str]] = {}
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(
                inner.id for target in node.targets for inner in ast.walk(target) if isinstance(inner, ast.Name)
            )
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            kinds = [ast.unparse(one.annotation) if one.annotation else "" for one in node.args.args]
            signatures.setdefault(f"{kinds} {ast.unparse(node.returns)}", []).append(node.name)
    return frozenset(names), tuple(tuple(group) for group in signatures.values() if len(group) > 1)


def _filled(text: str, known: Mapping[str, str | None]) -> str | None:
    return None if any(known.get(field) is None for field in _fields(text)) else text.format(**known)


@lru_cache(maxsize=512)
def _fields(text: str) -> frozenset[str]:
    return frozenset(field for _, field, _, _ in Formatter().parse(text) if field)
