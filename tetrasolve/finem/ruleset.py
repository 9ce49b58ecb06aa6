"""Rulesets: the level, the expert options, the readings of open sentences, and the cards of the map.

A reading is written ``E-...``; `READINGS` lists them all, from ``data/readings.toml``, each with its default and the reason for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from random import Random
from types import MappingProxyType

from tetrasolve.errors import ArgumentError, BoardError, ReferenceOnlyError, RulesetError, nearest, shown
from tetrasolve.finem import numbers
from tetrasolve.finem.layout import FLAT, GRID, REGIONS, Layout, layout
from tetrasolve.strict import read_toml

LEVELS = ("introductory", "standard", "expert")
OPTIONS = ("corner", "sphere", "cap3")
ROLES: tuple[str, ...] = tuple(numbers.game_data()["roles"]["names"])
MAP, DEALT = "E-MAP", "dealt"
NO_MAP = f"with {MAP}={DEALT} the set-up deals the map: a position has its 24 cards after an @ instead"
LONGEST = 2000  # characters of a ruleset in writing; the longest there is has about a thousand


@dataclass(frozen=True, slots=True)
class Reading:
    """An open sentence of the rules; `options` maps each value to its meaning, the default first, `reason` is why it is."""

    name: str
    section: str
    rule: str
    question: str
    reason: str
    options: Mapping[str, str]
    needs: tuple[str, ...] = ()  # levels and options: without one of them it changes nothing
    idle: tuple[Mapping[str, str], ...] = ()  # beside these readings, level and option it changes nothing
    beside: Mapping[str, str] = field(default_factory=dict)  # the values of other readings beside which it is compared
    reference: tuple[str, ...] = ()  # the values that only the reference rules play
    asks: Mapping[str, str] = field(default_factory=dict)  # the questions of values that have their own
    later: tuple[str, ...] = ()  # values of the kernel that stored games and the evaluation do not know
    besides: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict
    )  # what a value is compared beside in place of `beside`

    @property
    def default(self) -> str:
        """The value taken when a ruleset says nothing."""
        return next(iter(self.options))

    @property
    def played(self) -> tuple[str, ...]:
        """The values that the kernel and the checker play too, the default first."""
        return tuple(value for value in self.options if value not in self.reference)

    @property
    def earlier(self) -> tuple[str, ...]:
        """The values that the games of the linter's kernel and the evaluation know, the default first."""
        return tuple(value for value in self.played if value not in self.later)

    def compared_beside(self, value: str) -> Mapping[str, str]:
        """The values of other readings beside which a value is compared with the default."""
        return self.besides.get(value, self.beside)

    def applies(self, level: str, options: Iterable[str]) -> bool:
        """Whether it can make a difference at a level with these options."""
        return not self.needs or not {level, *options}.isdisjoint(self.needs)

    def is_idle(self, level: str, options: Iterable[str], values: Mapping[str, str]) -> bool:
        """Whether it changes nothing at a level with these options, beside these values of all readings."""
        facts = {*values.items(), ("level", level), *(("option", option) for option in options)}
        return any(facts.issuperset(row.items()) for row in self.idle)


def _readings() -> Mapping[str, Reading]:
    text = resources.files("tetrasolve.finem").joinpath("data/readings.toml").read_text("utf-8")
    return MappingProxyType(
        {
            row["name"]: Reading(
                name=row["name"],
                section=row["section"],
                rule=row["rule"],
                question=row["question"],
                reason=row["reason"],
                options=MappingProxyType(row["values"]),
                needs=tuple(row.get("needs", ())),
                idle=tuple(MappingProxyType(beside) for beside in row.get("idle", ())),
                beside=MappingProxyType(row.get("beside", {})),
                reference=tuple(row.get("reference", ())),
                asks=MappingProxyType(row.get("asks", {})),
                later=tuple(row.get("later", ())),
                besides=MappingProxyType(row.get("besides", {})),
            )
            for row in read_toml(text)["reading"]
        }
    )


READINGS: Mapping[str, Reading] = _readings()
KERNEL_READINGS: Mapping[str, Reading] = MappingProxyType(
    {name: reading for name, reading in READINGS.items() if len(reading.played) > 1}
)  # those of which the kernel plays more than the default
EARLIER_READINGS: Mapping[str, Reading] = MappingProxyType(
    {name: reading for name, reading in READINGS.items() if len(reading.earlier) > 1}
)  # those of which the stored games of the kernel and the evaluation know more than the default


@dataclass(frozen=True)
class Ruleset:
    """A level with expert options, readings, and the cards of the map in reading order (none: as printed).

    A reading at its default is left out of `interpretations`, and so is one that changes nothing beside the others: two rulesets
    of one game are equal. With E-MAP=dealt and no cards the map is dealt in the set-up (`dealt`).

    >>> Ruleset.from_text("expert+sphere?E-SPHERE=skip").readings["E-PACIFY"]
    'automatic'

    :raises RulesetError: when one of them does not exist or does not fit the others.
    """

    level: str
    options: frozenset[str] = frozenset()
    interpretations: tuple[tuple[str, str], ...] = ()
    cards: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise RulesetError(f"{shown(self.level)} is no level, expected one of {', '.join(LEVELS)}")
        for option in sorted(self.options):
            if option not in OPTIONS:
                raise RulesetError(f"{shown(option)} is no option, expected one of {', '.join(OPTIONS)}")
        if self.level == "expert" and not self.options:
            raise RulesetError(f"the level expert requires an option: one of {', '.join(OPTIONS)}, like expert+sphere")
        if self.cards:
            try:
                Layout(self.cards)
            except BoardError as error:
                raise RulesetError(str(error)) from None
            if self.cards == GRID.printed:
                object.__setattr__(self, "cards", ())
        object.__setattr__(self, "interpretations", self._kept())

    def _kept(self) -> tuple[tuple[str, str], ...]:
        """The readings that differ from their defaults, sorted."""
        chosen: dict[str, str] = {}
        for name, value in self.interpretations:
            reading = READINGS.get(name)
            if reading is None:
                near = nearest(str(name), READINGS) or ", ".join(READINGS)
                raise RulesetError(f"reading {shown(name)} does not exist, expected one like {near}")
            if value not in reading.options:
                raise RulesetError(
                    f"reading {name}: {shown(value)} is no value of it; there are {', '.join(reading.options)}"
                )
            if name in chosen:
                raise RulesetError(f"reading {name} is given twice")
            if not reading.applies(self.level, self.options):
                raise RulesetError(f"reading {name} changes nothing without {' or '.join(reading.needs)}")
            chosen[name] = value
        if self.cards:
            chosen.pop(MAP, None)
        values = {name: reading.default for name, reading in READINGS.items()} | chosen
        values |= {MAP: DEALT} if self.cards else {}
        kept = {n: v for n, v in chosen.items() if v != READINGS[n].default}
        idle = {name for name in kept if READINGS[name].is_idle(self.level, self.options, values)}
        return tuple(sorted((name, value) for name, value in kept.items() if name not in idle))

    @classmethod
    def from_text(cls, text: str) -> Ruleset:
        """A ruleset as it prints: ``standard``, ``expert+sphere?E-SPHERE=skip,E-PACIFY=action``, with ``@`` and 24 cards.

        :raises RulesetError: when the text is not a ruleset.
        :raises ArgumentError: when it is no text.
        """
        if not isinstance(text, str):
            raise ArgumentError("ruleset", text, "text such as 'standard'")
        if len(text) > LONGEST:
            raise RulesetError(f"a ruleset of {len(text):,} characters, expected at most {LONGEST:,}")
        head, at, map_ = text.partition("@")
        head, mark, tail = head.partition("?")
        level, *options = head.split("+")
        if len(set(options)) < len(options):
            raise RulesetError(f"{shown(head)}: an option is given twice")
        chosen: list[tuple[str, str]] = []
        for part in tail.split(",") if mark else ():
            name, equals, value = part.partition("=")
            if not equals:
                raise RulesetError(f"reading {shown(part)}: expected NAME=VALUE, like E-PACIFY=action")
            chosen.append((name, value))
        if at and len(map_) != 2 * len(REGIONS):
            raise RulesetError(f"map {shown(map_)}: expected 24 cards, like E5E7ES")
        cards = tuple(map_[number : number + 2] for number in range(0, len(map_), 2))
        return cls(level, frozenset(options), tuple(chosen), cards)

    def with_readings(self, choices: Iterable[tuple[str, str]]) -> Ruleset:
        """The same rules with these readings in place of its own.

        :raises RulesetError: for a reading or value that does not exist.
        """
        kept = dict(self.interpretations) | dict(choices)
        return Ruleset(self.level, self.options, tuple(kept.items()), self.cards)

    @cached_property
    def readings(self) -> Mapping[str, str]:
        """The value of every reading, including defaults."""
        values = {name: reading.default for name, reading in READINGS.items()} | dict(self.interpretations)
        return MappingProxyType(values | ({MAP: DEALT} if self.cards else {}))

    @property
    def later(self) -> tuple[str, ...]:
        """The readings, as ``NAME=VALUE``, whose values came after the evaluation had learned and was calibrated."""
        return tuple(f"{name}={value}" for name, value in self.interpretations if value not in READINGS[name].earlier)

    @cached_property
    def reference_only(self) -> tuple[str, ...]:
        """The readings, as ``NAME=VALUE``, whose values only the reference rules play."""
        return tuple(f"{name}={value}" for name, value in self.interpretations if value in READINGS[name].reference)

    def require_kernel(self) -> None:
        """Refuse what needs the kernel, a model or the stand-alone checker, where only the reference rules play these readings.

        :raises ReferenceOnlyError: naming the readings.
        """
        if only := self.reference_only:
            raise ReferenceOnlyError(only)

    @property
    def has_map(self) -> bool:
        """Whether the map lies on the table, so that positions can have this ruleset [E-MAP]."""
        return bool(self.cards) or self.readings[MAP] != DEALT

    def dealt(self, random: Random) -> Ruleset:
        """The ruleset of a game: with the map that is dealt, where it is to be dealt [E-MAP]."""
        if self.has_map:
            return self
        kept = tuple((name, value) for name, value in self.interpretations if name != MAP)
        return Ruleset(self.level, self.options, kept, tuple(random.sample(GRID.printed, len(GRID.printed))))

    @cached_property
    def layout(self) -> Layout:
        """The map.

        :raises RulesetError: when it is to be dealt.
        """
        if not self.has_map:
            raise RulesetError(NO_MAP)
        border = self.readings["E-SPHERE"] if "sphere" in self.options else FLAT
        return layout(self.cards, border, starts_by_card=self.readings["E-START"] == "card")

    @property
    def is_introductory(self) -> bool:
        """Whether tribes can be eradicated and the dice have no limit together."""
        return self.level == "introductory"

    @property
    def points_pacify_at_5(self) -> bool:
        """Whether a point that takes a die to 5 in a Prefect's turn pacifies, without his action [E-PREFECT]."""
        return self.readings["E-PREFECT"] in ("turn", "standing")

    @property
    def decline_a_card(self) -> int:
        """Cubes of decline on each card of its track."""
        return numbers.DECLINE_A_CARD_CAPPED if "cap3" in self.options else numbers.DECLINE_A_CARD

    @property
    def most_decline(self) -> int:
        """The decline that loses the game."""
        places = numbers.DECLINE_CARDS * self.decline_a_card
        return places + 1 if "cap3" in self.options and self.readings["E-CAP3-END"] == "ten" else places

    def __copy__(self) -> Ruleset:
        return self

    def __deepcopy__(self, memo: object) -> Ruleset:
        return self

    def __str__(self) -> str:
        text = "+".join([self.level, *(option for option in OPTIONS if option in self.options)])
        chosen = ",".join(f"{name}={value}" for name, value in self.interpretations)
        text = f"{text}?{chosen}" if chosen else text
        return f"{text}@{''.join(self.cards)}" if self.cards else text
