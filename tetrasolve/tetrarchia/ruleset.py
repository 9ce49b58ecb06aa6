"""Rulesets: the difficulty level, the modules and variants, and the readings of open sentences.

Where a sentence of the rulebook is open, the choice has a name (a *reading*, written ``I-...``), a default and other values;
`READINGS` lists them all, from ``data/readings.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from itertools import product
from types import MappingProxyType

from tetrasolve.errors import ArgumentError, ReferenceOnlyError, RulesetError, nearest, shown
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.numbers import (
    ARMIES_A_LEVEL,
    FLEETS_A_LEVEL,
    GARRISONS_A_LEVEL,
    MOST_FLEETS_WITH_PIRATES,
    REVOLTS_A_LEVEL,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """An open sentence of the rulebook; `options` maps each value to its meaning, the default first.

    The `question` to the designer is answered with yes by the default; `page` and `rows` say where the sentence is.
    """

    name: str
    rule: str
    options: Mapping[str, str]
    needs: tuple[str, ...] = ()  # it changes nothing without any of these modules and variants
    page: int = 0
    rows: tuple[str, ...] = ()
    question: str = ""
    whole: bool = False  # its positions hold pieces that the kernel of the base game does not have
    reference: tuple[str, ...] = ()  # the values that only the reference rules play

    @property
    def default(self) -> str:
        """The value taken when a ruleset says nothing."""
        return next(iter(self.options))

    @property
    def played(self) -> tuple[str, ...]:
        """The values that the kernels play too, the default first."""
        return tuple(value for value in self.options if value not in self.reference)

    def number(self, value: str) -> int:
        """The number of a value that the kernels play, 0 for the default."""
        return self.played.index(value)

    def applies(self, extensions: Iterable[str]) -> bool:
        """Whether it can make a difference with these modules and variants."""
        return not self.needs or not frozenset(self.needs).isdisjoint(extensions)

    def __str__(self) -> str:
        return self.name


def _readings() -> Mapping[str, Reading]:
    """The readings of the data file, which is part of the library and not validated."""
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/readings.toml").read_text("utf-8")
    return MappingProxyType(
        {
            row["name"]: Reading(
                name=row["name"],
                rule=row["rule"],
                options=MappingProxyType(row["values"]),
                needs=tuple(row.get("needs", ())),
                page=row["page"],
                rows=tuple(row["rows"]),
                question=row["question"],
                whole=row.get("whole", False),
                reference=tuple(row.get("reference", ())),
            )
            for row in read_toml(text)["reading"]
        }
    )


READINGS: Mapping[str, Reading] = _readings()
KERNEL_READINGS: Mapping[str, Reading] = MappingProxyType(
    {name: reading for name, reading in READINGS.items() if len(reading.played) > 1}
)  # those of which the kernels play more than the default

MODULES = ("dux", "vicarius", "pirates", "goths")
VARIANTS = ("imperium", "mare-nostrum", "via-romana", "usurpator", "roma-aeterna", "barbaria")


@dataclass(frozen=True)
class Ruleset:
    """A difficulty level with modules, variants and readings.

    `garrisons` for each Emperor (3 to 5), `fleets` (1 to 3), additional `revolts` (0 to 2), initial `armies` (0 to 2).

    >>> Ruleset.from_text("4211").level
    '4211'

    :raises RulesetError: for a level, module, variant or reading that does not exist, or that cannot be combined.
    """

    garrisons: int = 4
    fleets: int = 2
    revolts: int = 1
    armies: int = 1
    modules: frozenset[str] = frozenset()
    variants: frozenset[str] = frozenset()
    interpretations: tuple[tuple[str, str], ...] = ()

    # Rule p04-garrisons, p06-level-garrisons, p06-level-fleets, p06-level-revolts, p06-level-armies
    def __post_init__(self) -> None:
        for figure, count, low, high in (
            ("garrisons", self.garrisons, *GARRISONS_A_LEVEL),
            ("fleets", self.fleets, *FLEETS_A_LEVEL),
            ("revolts", self.revolts, *REVOLTS_A_LEVEL),
            ("armies", self.armies, *ARMIES_A_LEVEL),
        ):
            if type(count) is not int or not low <= count <= high:
                raise RulesetError(f"level: {figure} is {shown(count)}, expected {low} to {high}")
        for kind, asked, known in (("module", self.modules, MODULES), ("variant", self.variants, VARIANTS)):
            for name in sorted(asked):
                if name not in known:
                    raise RulesetError(f"{kind} {shown(name)} does not exist; there are {', '.join(known)}")
        if "pirates" in self.modules and self.fleets > MOST_FLEETS_WITH_PIRATES:
            raise RulesetError(f"level {self.level}: Pirates need fewer than 3 Roman fleets")
        chosen: dict[str, str] = {}
        for name, value in self.interpretations:
            reading = READINGS.get(name)
            if reading is None:
                near = nearest(str(name), READINGS) or "those that 'tetrasolve rules --readings' lists"
                raise RulesetError(f"reading {shown(name)} does not exist, expected one like {near}")
            if value not in reading.options:
                raise RulesetError(
                    f"reading {name}: {shown(value)} is no value of it; there are {', '.join(reading.options)}"
                )
            if not reading.applies(self.extensions):
                raise RulesetError(f"reading {name} changes nothing without {' or '.join(map(repr, reading.needs))}")
            if name in chosen:
                raise RulesetError(f"reading {name} is given twice")
            chosen[name] = value
        kept = tuple(sorted((name, value) for name, value in chosen.items() if value != READINGS[name].default))
        object.__setattr__(self, "interpretations", kept)

    @classmethod
    def from_level(cls, level: str) -> Ruleset:
        """A ruleset by its four figures, ``4211``.

        :raises RulesetError: when the text is not a level.
        """
        if not (len(level) == 4 and level.isascii() and level.isdigit()):
            raise RulesetError(
                f"level {shown(level)}: expected four figures, garrisons fleets revolts armies, like 4211"
            )
        garrisons, fleets, revolts, armies = map(int, level)
        return cls(garrisons, fleets, revolts, armies)

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """A ruleset as it prints: ``4211``, ``4211+dux``, ``4211?I-PASS=single,I-FRESH=wait``.

        :raises RulesetError: when the text is not a ruleset.
        :raises ArgumentError: when it is no text.
        """
        if not isinstance(text, str):
            raise ArgumentError("ruleset", text, "text such as '4211'")
        head, mark, tail = text.partition("?")
        level, *extras = head.split("+")
        chosen: list[tuple[str, str]] = []
        for part in tail.split(",") if mark else ():
            name, equals, value = part.partition("=")
            if not equals:
                raise RulesetError(f"reading {shown(part)}: expected NAME=VALUE, like I-PASS=single")
            chosen.append((name, value))
        base = cls.from_level(level)
        for extra in extras:
            if extra not in MODULES + VARIANTS:
                raise RulesetError(f"{shown(extra)} is no module or variant; there are {', '.join(MODULES + VARIANTS)}")
            if extras.count(extra) > 1:
                raise RulesetError(
                    f"{extra} is named {extras.count(extra)} times, expected each module and variant once"
                )
        return cls(
            base.garrisons,
            base.fleets,
            base.revolts,
            base.armies,
            frozenset(extra for extra in extras if extra in MODULES),
            frozenset(extra for extra in extras if extra in VARIANTS),
            tuple(chosen),
        )

    def with_readings(self, choices: Iterable[tuple[str, str]]) -> Ruleset:
        """The same level with these readings in place of its own.

        :raises RulesetError: for a reading or value that does not exist.
        """
        kept = dict(self.interpretations) | dict(choices)
        return Ruleset(
            self.garrisons,
            self.fleets,
            self.revolts,
            self.armies,
            self.modules,
            self.variants,
            tuple(kept.items()),
        )

    def with_extensions(self, modules: Iterable[str], variants: Iterable[str] = ()) -> Ruleset:
        """The same rules with these modules and variants added.

        :raises RulesetError: for one that does not exist or cannot be combined.
        :raises ArgumentError: for one name in place of a list of names.
        """
        for kind, names in (("modules", modules), ("variants", variants)):
            if isinstance(names, str) or not isinstance(names, Iterable):
                raise ArgumentError(
                    kind, names, "a list of names, such as ['dux']" if kind == "modules" else "a list of names"
                )
        return Ruleset(
            self.garrisons,
            self.fleets,
            self.revolts,
            self.armies,
            self.modules.union(modules),
            self.variants.union(variants),
            self.interpretations,
        )

    @property
    def level(self) -> str:
        """The four figures of the difficulty level."""
        return f"{self.garrisons}{self.fleets}{self.revolts}{self.armies}"

    # Rule p12-modules, p14-variants
    @cached_property
    def extensions(self) -> frozenset[str]:
        """The modules and variants in use."""
        return self.modules | self.variants

    @cached_property
    def readings(self) -> Mapping[str, str]:
        """The value of every reading, including defaults."""
        values = {name: reading.default for name, reading in READINGS.items()}
        return MappingProxyType(values | dict(self.interpretations))

    @cached_property
    def reference_only(self) -> tuple[str, ...]:
        """The readings, as ``NAME=VALUE``, whose values only the reference rules play."""
        return tuple(f"{name}={value}" for name, value in self.interpretations if value in READINGS[name].reference)

    def require_kernel(self) -> None:
        """Refuse what needs a kernel, or the stand-alone checker, where only the reference rules play these readings.

        :raises ReferenceOnlyError: naming the readings.
        """
        if only := self.reference_only:
            raise ReferenceOnlyError(only)

    def __copy__(self) -> Ruleset:
        return self

    def __deepcopy__(self, memo: object) -> Ruleset:
        return self

    def __str__(self) -> str:
        text = "+".join([self.level, *sorted(self.modules), *sorted(self.variants)])
        chosen = ",".join(f"{name}={value}" for name, value in self.interpretations)
        return f"{text}?{chosen}" if chosen else text


def _easiest_first() -> Iterator[range]:
    for (least, most), more_is_easier in (
        (GARRISONS_A_LEVEL, True),
        (FLEETS_A_LEVEL, True),
        (REVOLTS_A_LEVEL, False),
        (ARMIES_A_LEVEL, False),
    ):
        yield range(most, least - 1, -1) if more_is_easier else range(least, most + 1)


# Rule p06-levels
def all_levels() -> Iterator[Ruleset]:
    """The 81 difficulty levels, easiest garrisons first (rulebook page 6)."""
    for garrisons, fleets, revolts, armies in product(*_easiest_first()):
        yield Ruleset(garrisons, fleets, revolts, armies)
