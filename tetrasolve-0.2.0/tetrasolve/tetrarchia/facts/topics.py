"""Topics of facts whose titles and sentences are rows of ``data/topics.toml``; all of them are counted again by the checker."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import resources
from typing import Any

from tetrasolve.claims.fact import Topic, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.saying import filled

Derive = Callable[[Board], Mapping[str, Values]]


def topics_of(family: str, derive: Mapping[str, Derive], ruleset: str) -> tuple[Topic, ...]:
    """The topics of a family, in the order of the file: `derive` has a function for each of them by its id."""

    def topic(id: str, title: str, how: str, reads: Sequence[str], says: str) -> Topic:  # noqa: A002  # names of fields
        return Topic(id, family, title, how, "", tuple(reads), derive[id], None, partial(_say, says), ruleset)

    rows = _rows()[family]
    assert [row["id"] for row in rows] == list(derive), family
    return tuple(topic(**row) for row in rows)


@cache
def _rows() -> Mapping[str, Any]:
    return tomllib.loads(resources.files("tetrasolve.tetrarchia").joinpath("data/topics.toml").read_text("ascii"))


def _say(text: str, instance: str, values: Values) -> str:
    number = int(instance) if instance.isdecimal() else instance
    return filled(text, {**values, "instance": number})
