"""Facts under other readings and house rules: which topics are derived again, and the rulesets of their derivations.

``data/facts-under.toml`` says of each kind whether its derivation takes all rules from rulesets, and on which numbers it can
depend. What it does not name is derived by computations of its own: there nothing is said, unless the topic holds in every ruleset.
See `tetrasolve.claims.otherrules`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tetrasolve.claims.fact import Topic
from tetrasolve.claims.otherrules import DERIVE, SAME, UNKNOWN
from tetrasolve.errors import RulesetError, shown
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.house import HOUSE_NUMBERS, House, checked_house
from tetrasolve.tetrarchia.ruleset import MODULES, READINGS, VARIANTS, assume_rules, reading_named

EVERY = "every ruleset"  # how the ruleset of a topic begins that holds in every reading
Readings = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """How the facts of a kind are asked; `numbers` is None where they can depend on any number."""

    by_rules: bool
    numbers: frozenset[str] | None


@cache
def _kinds() -> Mapping[str, Asked]:
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/facts-under.toml").read_text("utf-8")
    return {
        kind: Asked(row["by_rules"], frozenset(row["numbers"]) if "numbers" in row else None)
        for row in read_toml(text)["fact"]
        for kind in row["kinds"]
    }


def _parts(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise RulesetError(f"{shown(part)}: expected a reading or house rule, like I-CHECK=one-roll or ip=7")
        yield name, value


def parsed(text: str) -> tuple[Readings, House]:
    """The readings and house rules of a text like ``I-CHECK=one-roll`` or ``attack=1,ip=7``; at least one is not the default.

    :raises RulesetError: when one does not exist, is out of range, or all are the defaults.
    """
    every, readings, house = frozenset((*MODULES, *VARIANTS)), dict[str, str](), list[tuple[str, int]]()
    for name, value in _parts(text):
        reading = reading_named(name) if name.startswith("I-") else None
        if reading is None:
            if name in HOUSE_NUMBERS and not (len(value) <= 3 and value.isascii() and value.isdigit()):  # digits
                raise RulesetError(f"house rule {name}: {shown(value)}, expected a whole number")
            house.append((name, int(value) if name in HOUSE_NUMBERS else 0))
        elif value not in reading.options:
            raise RulesetError(
                f"reading {name}: {shown(value)} is no value of it; there are {', '.join(reading.options)}"
            )
        elif name in readings:
            raise RulesetError(f"reading {name} is given twice")
        else:
            readings[name] = value
    chosen = tuple(sorted((name, value) for name, value in readings.items() if value != READINGS[name].default))
    numbers = checked_house(house, every)
    if not chosen and not numbers:
        raise RulesetError(f"{shown(text)}: expected a value that is not the default")
    return chosen, numbers


def canonical(text: str) -> str:
    """The text with its parts in order and without defaults.

    >>> canonical("ip=7,I-CHECK=one-roll,attack=1")
    'I-CHECK=one-roll,attack=1,ip=7'

    :raises RulesetError: as `parsed`.
    """
    readings, house = parsed(text)
    return ",".join(f"{name}={value}" for name, value in (*readings, *house))


def assume(text: str) -> None:
    """From now on every ruleset of this process has these readings and house rules, where it does not name others."""
    assume_rules(*parsed(text))


def standing(topic: Topic, text: str) -> tuple[str, str]:
    """The verdict on a topic that is not derived, with the reason; `DERIVE` where it has to be."""
    readings, house = parsed(text)
    asked = _kinds().get(topic.kind, Asked(by_rules=False, numbers=None))
    open_readings = (
        [] if topic.ruleset.startswith(EVERY) else [name for name, _ in readings if _can_matter(topic, name)]
    )
    open_numbers = [name for name, _ in house if asked.numbers is None or name in asked.numbers]
    if not open_readings and not open_numbers:
        return SAME, "it does not depend on that" if house else ""
    if asked.by_rules:
        return DERIVE, ""
    return UNKNOWN, f"its derivation does not take {', '.join((*open_readings, *open_numbers))} from the ruleset"


def _can_matter(topic: Topic, reading: str) -> bool:
    """Whether a reading can change a fact: one that needs a module cannot change what is said of the base game."""
    return not READINGS[reading].needs or "base game" not in topic.ruleset
