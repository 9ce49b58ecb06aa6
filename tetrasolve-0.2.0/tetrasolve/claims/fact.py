"""The values: a topic of claims, a fact with exact values, and how values are written.

A value is a whole number, a fraction, a word, or a row of words (places, in the order of the board). In an index
and in a certificate it is text; the text says which of these it is, and each value has one text only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import shown

Value: TypeAlias = int | Fraction | str | tuple[str, ...]
Values: TypeAlias = Mapping[str, Value]

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FRACTION = re.compile(r"(-?[1-9][0-9]*)/([1-9][0-9]*)")
_WORD = re.compile(r"[a-z][a-z0-9_:>=-]*")
NOTHING = "-"  # a row without words
RECOUNT = "recount"  # the form of proof in which the checker works out the values, without a certificate


def value_text(value: Value) -> str:
    """A value as text: ``7``, ``47/144``, ``hill``, ``hill.lake`` (a row; one word alone ends in a dot, none is ``-``).

    >>> value_text(Fraction(94, 288)), value_text(("hill",)), value_text(())
    ('47/144', 'hill.', '-')
    """
    if isinstance(value, tuple):
        return ".".join(value) + ("." if len(value) == 1 else "") if value else NOTHING
    return str(value)


def read_value(text: str) -> Value:
    """The value of which this is the text.

    >>> read_value("47/144"), read_value("hill."), read_value("-")
    (Fraction(47, 144), ('hill',), ())

    :raises ValueError: when it is the text of none.
    """
    value: Value
    if _NUMBER.fullmatch(text):
        value = int(text)
    elif _FRACTION.fullmatch(text):
        value = Fraction(text)
    elif _WORD.fullmatch(text):
        value = text
    elif text == NOTHING:
        value = ()
    else:
        value = (
            tuple(text.removesuffix(".").split("."))
            if text.count(".") == 1 and text[-1] == "."
            else tuple(text.split("."))
        )
        if not all(_WORD.fullmatch(word) or _NUMBER.fullmatch(word) for word in value):
            raise ValueError(f"{shown(text)} is no number, fraction, word or row of words")
    if value_text(value) != text:
        raise ValueError(f"{shown(text)} is not the usual text of {shown(value_text(value))}")
    return value


@dataclass(frozen=True, slots=True)
class Topic:
    """Claims that are derived together and read the same rows of the board; there is a fact for each instance.

    `id` is the kind of the claims, or the kind and a name: ``map`` or ``map/coast``. Topics of a kind have their family and form
    in common.

    `derive` gives the exact values of every instance on any board of the game, with no certificate: robustness is asked
    by calling it on other boards. `say` is the claim as a sentence. `rows` names the kinds of board rows that it reads: some
    of `Claims.rows`. `ruleset` says for which rules it holds. `effort` is about how many seconds one call of `derive` takes;
    where it is large, robustness asks less.

    `form` is the form of proof. With the form `RECOUNT` the checker works the values out by itself, and there is no
    certificate: `certificate` is empty and `certify` is None. With any other form `certificate` names the kind of
    certificate, and `certify` writes the one of an instance; the form follows from the kind of certificate.
    """

    id: str
    family: str
    title: str
    how: str
    certificate: str
    rows: tuple[str, ...]
    derive: Callable[[Any], Mapping[str, Values]]
    certify: Callable[[Any, str, Values], Certificate] | None
    say: Callable[[str, Values], str]
    ruleset: str = "every ruleset of the base game"
    certainty: str = "exact"
    effort: float = field(default=0.01)
    form: str = RECOUNT

    @property
    def kind(self) -> str:
        """The kind of its claims."""
        return self.id.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Fact:
    """One claim with its exact values; `id` is that of its topic and, where there are several, its instance: ``map/coast/2``."""

    id: str
    topic: Topic
    values: Values

    @property
    def instance(self) -> str:
        """Which fact of its topic it is; empty where the topic has one only."""
        return self.id[len(self.topic.id) + 1 :]

    @property
    def sentence(self) -> str:
        """The claim in words; the order in which the values came does not matter."""
        return self.topic.say(self.instance, dict(sorted(self.values.items())))


def facts_of(topic: Topic, board: Any) -> tuple[Fact, ...]:
    """All facts of a topic on a board of its game."""
    return tuple(
        Fact(f"{topic.id}/{instance}" if instance else topic.id, topic, values)
        for instance, values in topic.derive(board).items()
    )
