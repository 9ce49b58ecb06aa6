"""Fields of a position's JSON form, for every game: each function gives the value, or names the field that is not as expected."""

from __future__ import annotations

from tetrasolve.errors import PositionSyntaxError


def a_list(where: str, value: object) -> list[object]:
    """A list.

    :raises PositionSyntaxError: for anything else.
    """
    if isinstance(value, list):
        return value
    raise PositionSyntaxError(where, value, "a list")


def a_text(where: str, value: object) -> str:
    """A text.

    :raises PositionSyntaxError: for anything else.
    """
    if isinstance(value, str):
        return value
    raise PositionSyntaxError(where, value, "text")


def names(where: str, value: object) -> list[str]:
    """A list of texts, each once.

    >>> names("modules", ["dux", "dux"])
    Traceback (most recent call last):
    tetrasolve.errors.PositionSyntaxError: modules: found ['dux', 'dux'], expected each name once

    :raises PositionSyntaxError: for anything else; an item that is no text is named by its index.
    """
    texts = [a_text(f"{where}[{at}]", item) for at, item in enumerate(a_list(where, value))]
    if len(set(texts)) < len(texts):
        raise PositionSyntaxError(where, value, "each name once")
    return texts


def one_of(where: str, value: object, allowed: tuple[str, ...], expected: str | None = None) -> str:
    """One of these texts; `expected` says it in other words.

    :raises PositionSyntaxError: for anything else.
    """
    if isinstance(value, str) and value in allowed:
        return value
    raise PositionSyntaxError(where, value, expected or f"one of {', '.join(allowed)}")
