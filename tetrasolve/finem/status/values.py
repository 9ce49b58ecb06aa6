"""Values that are none: a position built in Python can hold anything, and everything else of `status` relies on these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tetrasolve.errors import shown
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.ruleset import NO_MAP, ROLES, Ruleset
from tetrasolve.reason import Reason
from tetrasolve.strict import is_whole

A_REGION = "a region"
_INT = {int}


def _is_region(value: Any) -> bool:
    return isinstance(value, str) and value in NUMBER


def _may_be_region(value: Any) -> bool:
    return value is None or _is_region(value)


def _is_count(value: Any) -> bool:
    return is_whole(value) and value >= 0


def _is_four(value: Any) -> bool:
    if not isinstance(value, tuple) or len(value) != len(TRIBES):
        return False
    return ({*map(type, value)} == _INT and min(value) >= 0) or all(
        map(_is_count, value)
    )  # the first is quicker, and usual


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool)


def _is_set_of(value: Any, of: Sequence[str]) -> bool:
    return isinstance(value, frozenset) and all(isinstance(one, str) and one in of for one in value)


_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "ruleset": (lambda v: isinstance(v, Ruleset), "a ruleset"),
    "role": (lambda v: v is None or (isinstance(v, str) and v in ROLES), "a role or None"),
    "pawn": (_is_region, A_REGION),
    "start": (_is_region, A_REGION),
    "last": (_is_region, A_REGION),
    "cubes": (
        lambda v: isinstance(v, tuple) and len(v) == len(REGIONS) and all(map(_is_four, v)),
        "four whole numbers from 0 for each of the 24 regions",
    ),
    "dice": (_is_four, "four whole numbers from 0"),
    "pacified": (lambda v: _is_set_of(v, TRIBES), "a frozenset of tribes"),
    "decline": (is_whole, "a whole number"),
    "outbreaks": (is_whole, "a whole number"),
    "step": (lambda v: isinstance(v, Step), "a step"),
    "left": (_is_count, "a whole number from 0"),
    "card": (_may_be_region, "a card or None"),
    "hand": (lambda v: isinstance(v, tuple) and all(map(_is_region, v)), "a tuple of cards"),
    "out": (lambda v: _is_set_of(v, REGIONS), "a frozenset of cards"),
    "protected": (_may_be_region, "a region or None"),
    "is_quiet": (_is_truth, "True or False"),
    "has_exchanged": (_is_truth, "True or False"),
    "has_travel": (_is_truth, "True or False"),
}


def values(position: Position) -> Iterator[Reason]:
    """Fields that hold no value of theirs, and a map that is not dealt."""
    for name, (fits, expected) in _FIELDS.items():
        value = getattr(position, name)
        if not fits(value):
            yield Reason("value", name, f"{shown(value)}, expected {expected}", "positions")
    ruleset: object = position.ruleset
    if isinstance(ruleset, Ruleset) and not ruleset.has_map:
        yield Reason("no-map", "ruleset", NO_MAP, "[E-MAP]")
