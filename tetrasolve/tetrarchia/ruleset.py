"""Rulesets: the difficulty level, the modules and variants, the readings of open sentences, and house rules.

Where a sentence of the rulebook is open, the choice has a name (a *reading*, written ``I-...``), a default and other values;
`READINGS` lists them all, from ``data/readings.toml``. A house rule is another value of a number of the rulebook
(`tetrasolve.tetrarchia.house`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import resources
from itertools import product
from types import MappingProxyType

from tetrasolve.errors import ArgumentError, HouseRuleError, ReferenceOnlyError, RulesetError, nearest, shown
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.house import HOUSE_NUMBERS, STANDARD, House, checked_house, house_text
from tetrasolve.tetrarchia.numbers import (
    ARMIES_A_LEVEL,
    BLACK_DISCS,
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


def reading_named(name: object) -> Reading:
    """The reading with this name.

    :raises RulesetError: when there is none.
    """
    found = READINGS.get(name) if isinstance(name, str) else None
    if found is None:
        near = nearest(str(name), READINGS) or "those that 'tetrasolve rules --readings' lists"
        raise RulesetError(f"reading {shown(name)} does not exist, expected one like {near}")
    return found


KERNEL_READINGS: Mapping[str, Reading] = MappingProxyType(
    {name: reading for name, reading in READINGS.items() if len(reading.played) > 1}
)  # those of which the kernels play more than the default

REGIONS = 6  # that have a first revolt
MOST_DIGITS = 3  # of a house rule in the text of a ruleset

MODULES = ("dux", "vicarius", "pirates", "goths")
VARIANTS = ("imperium", "mare-nostrum", "via-romana", "usurpator", "roma-aeterna", "barbaria")


_assumed: tuple[tuple[tuple[str, str], ...], House] | None = None


def assume_rules(readings: tuple[tuple[str, str], ...], house: House) -> None:
    """From now on every ruleset of this process has these readings and house rules, where they apply and it names no others.

    For processes that do nothing else than derive facts under them (`tetrasolve.claims.otherrules`): what was made before is not
    changed.

    :raises RuntimeError: when this process assumes others.
    """
    global _assumed  # noqa: PLW0603  # the rules of the whole process
    if _assumed not in (None, (readings, house)):
        raise RuntimeError("this process assumes other rules already")
    _assumed = (readings, house)


@dataclass(frozen=True)
class Ruleset:
    """A difficulty level with modules, variants, readings and house rules.

    `garrisons` for each Emperor (3 to 5), `fleets` (1 to 3), additional `revolts` (0 to 2), initial `armies` (0 to 2).

    >>> Ruleset.from_text("4211").level
    '4211'

    :raises RulesetError: for a level, module, variant, reading or house rule that does not exist, or that cannot be combined.
    """

    garrisons: int = 4
    fleets: int = 2
    revolts: int = 1
    armies: int = 1
    modules: frozenset[str] = frozenset()
    variants: frozenset[str] = frozenset()
    interpretations: tuple[tuple[str, str], ...] = ()
    house: House = ()

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
                if kind == "module" and name in VARIANTS:
                    raise RulesetError(f"{shown(name)} is a variant, not a module")
                if kind == "variant" and name in MODULES:
                    raise RulesetError(f"{shown(name)} is a module, not a variant")
                if name not in known:
                    raise RulesetError(f"{kind} {shown(name)} does not exist; there are {', '.join(known)}")
        if "pirates" in self.modules and self.fleets > MOST_FLEETS_WITH_PIRATES:
            raise RulesetError(f"level {self.level}: Pirates need fewer than 3 Roman fleets")
        chosen: dict[str, str] = {}
        if _assumed is not None:
            self._take(*_assumed)
        for name, value in self.interpretations:
            reading = reading_named(name)
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
        if self.house:
            object.__setattr__(self, "house", checked_house(self.house, self.extensions))
            self._check_house()

    def _take(self, readings: tuple[tuple[str, str], ...], house: House) -> None:
        """Take the readings and house rules that this process assumes, where they apply and the ruleset names no others."""
        named = {name for name, _ in self.interpretations}
        more = [pair for pair in readings if pair[0] not in named and READINGS[pair[0]].applies(self.extensions)]
        named = {name for name, _ in self.house}
        rules = [pair for pair in house if pair[0] not in named and HOUSE_NUMBERS[pair[0]].applies(self.extensions)]
        object.__setattr__(self, "interpretations", (*self.interpretations, *more))
        object.__setattr__(self, "house", (*self.house, *rules))

    def _check_house(self) -> None:
        """Refuse house rules with which no game can be set up or won."""
        numbers = self.numbers
        revolts = REGIONS * numbers["first-revolts"] + self.revolts + BLACK_DISCS * ("barbaria" in self.variants)
        for problem, wrong in (
            (f"the set-up needs {revolts} revolts, there are {numbers['revolts']}", revolts > numbers["revolts"]),
            (f"the set-up needs {self.armies} armies, there are {numbers['armies']}", self.armies > numbers["armies"]),
            (
                f"a border costs {numbers['secure-border']} IP, a turn has {numbers['ip']}: no game could be won",
                numbers["secure-border"] > numbers["ip"],
            ),
        ):
            if wrong:
                raise RulesetError(f"house rules {house_text(self.house)} at level {self.level}: {problem}")

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
        """A ruleset as it prints: ``4211``, ``4211+dux``, ``4211?I-PASS=single,I-FRESH=wait``, ``4211?ip=7``.

        :raises RulesetError: when the text is not a ruleset.
        :raises ArgumentError: when it is no text.
        """
        if not isinstance(text, str):
            raise ArgumentError("ruleset", text, "text such as '4211'")
        head, mark, tail = text.partition("?")
        level, *extras = head.split("+")
        chosen: list[tuple[str, str]] = []
        house: list[tuple[str, int]] = []
        for part in tail.split(",") if mark else ():
            name, equals, value = part.partition("=")
            if not equals:
                raise RulesetError(f"reading {shown(part)}: expected NAME=VALUE, like I-PASS=single or ip=7")
            if name in HOUSE_NUMBERS:
                if not (len(value) <= MOST_DIGITS and value.isascii() and value.isdigit()):
                    raise RulesetError(f"house rule {name}: {shown(value)}, expected a whole number")
                house.append((name, int(value)))
            else:
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
            tuple(house),
        )

    def with_house(self, house: Iterable[tuple[str, int]]) -> Ruleset:
        """The same rules with these house rules, and with no others.

        :raises RulesetError: for a number that does not exist, is out of range or does not fit this ruleset.
        """
        return replace(self, house=tuple(house))

    def with_readings(self, choices: Iterable[tuple[str, str]]) -> Ruleset:
        """The same level with these readings in place of its own.

        :raises RulesetError: for a reading or value that does not exist.
        """
        kept = dict(self.interpretations) | dict(choices)
        return replace(self, interpretations=tuple(kept.items()))

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
        return replace(self, modules=self.modules.union(modules), variants=self.variants.union(variants))

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
    def numbers(self) -> Mapping[str, int]:
        """The numbers of the rulebook that house rules can change, with the house rules of this ruleset."""
        return MappingProxyType({**STANDARD, **dict(self.house)}) if self.house else STANDARD

    @cached_property
    def reference_only(self) -> tuple[str, ...]:
        """The readings and house rules, as ``NAME=VALUE``, whose values only the reference rules play."""
        readings = [f"{name}={value}" for name, value in self.interpretations if value in READINGS[name].reference]
        return (*readings, *(f"{name}={value}" for name, value in self.house if HOUSE_NUMBERS[name].reference))

    def require_kernel(self) -> None:
        """Refuse what needs a kernel, or the stand-alone checker, where only the reference rules play these readings.

        :raises ReferenceOnlyError: naming the readings.
        """
        if only := self.reference_only:
            raise ReferenceOnlyError(only)

    def require_standard_numbers(self) -> None:
        """Refuse what was made for the numbers of the rulebook.

        :raises HouseRuleError: naming the house rules.
        """
        if self.house:
            raise HouseRuleError(house_text(self.house))

    def __copy__(self) -> Ruleset:
        return self

    def __deepcopy__(self, memo: object) -> Ruleset:
        return self

    def __str__(self) -> str:
        text = "+".join([self.level, *sorted(self.modules), *sorted(self.variants)])
        chosen = ",".join(f"{name}={value}" for name, value in (*self.interpretations, *self.house))
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
