"""The default of each reading with each of its other values, and the rules on which two values are compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from tetrasolve.errors import FindingError, ReferenceOnlyError, nearest, shown
from tetrasolve.finem.numbers import game_data
from tetrasolve.finem.ruleset import EARLIER_READINGS, LEVELS, READINGS, Reading, Ruleset
from tetrasolve.lint.pairs import ReadingPair, spelled

STANDARD, INTRODUCTORY = "standard", "introductory"


class Pair(ReadingPair):
    """A reading with its default, which comes first, and another of its values."""

    __slots__ = ()

    @property
    def by_reference(self) -> bool:
        """Whether the kernel does not play the other value, so that the reference rules compare them."""
        return self.second in READINGS[self.reading].reference

    @property
    def is_later(self) -> bool:
        """Whether the value came after findings about the others had been kept: it is not part of what these are about."""
        return self.second not in READINGS[self.reading].earlier


def pairs(names: Iterable[str] = ()) -> tuple[Pair, ...]:
    """The pairs of these readings, in capitals or small letters, in the order of the data file; of all where none is named.

    >>> [pair.id for pair in pairs(["e-win"])]
    ['E-WIN=at-once/phase', 'E-WIN=at-once/turn']

    :raises FindingError: for a reading that does not exist.
    """
    wanted = set(spelled(names, READINGS))
    for name in sorted(wanted - READINGS.keys()):
        near = nearest(name.upper(), READINGS, cutoff=0)
        raise FindingError(f"reading {shown(name)} does not exist, expected one like {near}")
    return tuple(
        Pair(reading.name, reading.default, value)
        for reading in READINGS.values()
        if not wanted or reading.name in wanted
        for value in list(reading.options)[1:]
    )


def kernel_pairs(names: Iterable[str] = ()) -> tuple[Pair, ...]:
    """Those whose values the kernel plays both: it follows their turns, and plays their games.

    >>> [pair.id for pair in kernel_pairs(["E-CRISIS-GONE"])]
    ['E-CRISIS-GONE=nothing/return', 'E-CRISIS-GONE=nothing/again']

    :raises FindingError: for a reading that does not exist.
    :raises ReferenceOnlyError: when it plays the other values of none of these readings.
    """
    found = pairs(names)
    kept = tuple(pair for pair in found if not pair.by_reference)
    if not kept:
        raise ReferenceOnlyError([f"{pair.reading}={pair.second}" for pair in found])
    return kept


def later_pairs(names: Iterable[str] = ()) -> tuple[Pair, ...]:
    """Those whose second value came later (`Pair.is_later`).

    >>> [pair.id for pair in later_pairs(["E-DICTATOR"])]
    ['E-DICTATOR=may/there']

    :raises FindingError: for a reading that does not exist, or if there is none.
    """
    kept = tuple(pair for pair in pairs(names) if pair.is_later)
    if not kept:
        raise FindingError("none of these readings has a value that came later")
    return kept


def table_of(pair: Pair, level: str) -> str:
    """The rules on which two values are compared: a level at which they can differ, with what the reading needs.

    >>> [table_of(pair, "standard") for pair in pairs(["E-SPHERE", "E-CIVIL", "E-ORDER", "E-SWAP"])]
    ['standard', 'standard', 'introductory', 'introductory', 'standard+sphere', 'standard?E-TRIBUNE=invasion']
    """
    reading = READINGS[pair.reading]
    levels = [name for name in reading.needs if name in LEVELS]
    options = [name for name in reading.needs if name not in LEVELS]
    values = {other.name: other.default for other in READINGS.values()} | {pair.reading: pair.second}
    beside = reading.compared_beside(pair.second)
    values |= beside
    is_possible = (not levels or level in levels) and not reading.is_idle(level, options[:1], values)
    text = "+".join([level if is_possible else (levels or [INTRODUCTORY])[0], *options[:1]])
    return str(Ruleset.from_text(text).with_readings(beside.items()))


def rulesets_of(pair: Pair, level: str) -> tuple[Ruleset, Ruleset]:
    """The rules of a table under each of two values."""
    base = Ruleset.from_text(table_of(pair, level))
    first, second = (base.with_readings([(pair.reading, value)]) for value in pair.values)
    return first, second


def digest() -> str:
    """The SHA-256 of the numbers, the map and the readings, but for values that came later: what findings are about.

    Such a value is compared with the default and no other, so that it changes no finding or game but its own.
    """
    rows = [
        [row.name, [*row.earlier], [*row.needs], [dict(beside) for beside in _idle(row)], dict(row.beside)]
        for row in EARLIER_READINGS.values()
    ]
    text = json.dumps([dict(game_data()), rows], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _idle(reading: Reading) -> Iterable[Mapping[str, str]]:
    """Beside what it is idle, of the readings and values that came first."""
    for row in reading.idle:
        if all(name == "level" or _is_earlier(name, value) for name, value in row.items()):
            yield row


def _is_earlier(name: str, value: str) -> bool:
    return name in EARLIER_READINGS and value in EARLIER_READINGS[name].earlier
