"""Themes of puzzles: rows of a data file of a game, which finds them in answers by rules of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tetrasolve import strict
from tetrasolve.errors import PuzzleError, shown


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme: its name, and by language (``en``, ``es``) its title and what it means."""

    name: str
    title: Mapping[str, str]
    meaning: Mapping[str, str]


def read_themes(text: str) -> Mapping[str, Theme]:
    r"""The themes of a data file by name.

    >>> row = '[[theme]]\nname = "a"\ntitle.en = "A"\nmeaning.en = "It is one."\n'
    >>> read_themes(row)["a"].meaning["en"]
    'It is one.'
    """
    return {row["name"]: Theme(**row) for row in strict.read_toml(text)["theme"]}


def require_themes(names: Iterable[str], known: Collection[str]) -> None:
    """All of these are names of themes.

    :raises PuzzleError: when one is not.
    """
    for name in names:
        if name not in known:
            raise PuzzleError(f"theme {shown(name)}: expected one of {', '.join(known)}")
