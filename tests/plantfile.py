"""What files of planted points have in common: their labels and grades, what is shown, and how a wrong entry is named.

`plants.py` reads those of the first game, `finemplants.py` those of the second.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

LABELS = ("settled", "open", "named")
GRADES = ("clear", "arguable")  # how certain the label is


class PlantError(ValueError):
    """A file of plants that is not as expected; says where and what was expected."""


@dataclass(frozen=True)
class Change:
    """One fragment of a function of the reference rules and its replacement; `module` is seen from the package of the game."""

    module: str
    function: str
    before: str
    after: str


@dataclass(frozen=True)
class Shown:
    """A position where the rules as they are and the changed rules differ: a question and both answers."""

    position: str
    question: str
    given: Any
    original: str
    planted: str


class Options(Protocol):
    """What is asked of a reading of either game."""

    @property
    def options(self) -> Collection[str]: ...


def only(where: str, data: Mapping[str, object], known: set[str]) -> None:
    """No other keys than these."""
    if unknown := sorted(set(data) - known):
        raise PlantError(f"{where}: {', '.join(unknown)}: expected only {', '.join(sorted(known))}")


def text(where: str, data: Mapping[str, object], key: str) -> str:
    """The text of a key."""
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise PlantError(f"{where}: {key} is {value!r}, expected text")
    return value


def one_of(where: str, data: Mapping[str, object], key: str, known: Collection[str]) -> str:
    """The text of a key that has to be one of these."""
    value = text(where, data, key)
    if value not in known:
        raise PlantError(f"{where}: {key} {value!r}, expected one of {', '.join(known)}")
    return value


def changes(where: str, row: Mapping[str, Any]) -> tuple[Change, ...]:
    """The changes of a plant, one at least."""
    found = row.get("change")
    if not isinstance(found, list) or not found:
        raise PlantError(f"{where}: no change")
    for change in found:
        only(where, change, {"module", "function", "before", "after"})
    return tuple(
        Change(*(text(where, change, key) for key in ("module", "function", "before")), change.get("after", ""))
        for change in found
    )


def question(where: str, row: Mapping[str, object]) -> str:
    """A question in one line."""
    value = text(where, row, "question")
    if not value.endswith("?") or "\n" in value:
        raise PlantError(f"{where}: {value!r}, expected a question in one line")
    return value


def reading(where: str, row: Mapping[str, object], known: Mapping[str, Options]) -> str:
    """NAME=VALUE of one of these readings."""
    value = text(where, row, "reading")
    name, _, chosen = value.partition("=")
    if name not in known or chosen not in known[name].options:
        raise PlantError(f"{where}: reading {value!r}, expected NAME=VALUE of a reading")
    return value


def shown(where: str, data: Mapping[str, Any], questions: Collection[str]) -> Shown:
    """A position with one of these questions and two answers."""
    only(where, data, {"position", "original", "planted", *questions})
    asked = [one for one in questions if one in data]
    if len(asked) != 1:
        raise PlantError(f"{where}: asks {asked}, expected one of {', '.join(questions)}")
    original, planted = text(where, data, "original"), text(where, data, "planted")
    if original == planted:
        raise PlantError(f"{where}: both answers are {original!r}, expected different ones")
    return Shown(text(where, data, "position"), asked[0], data[asked[0]], original, planted)
