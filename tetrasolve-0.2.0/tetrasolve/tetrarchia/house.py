"""House rules: other values of the numbers of the rulebook.

A house rule is one number with another value. `HOUSE_NUMBERS` lists those that can be changed, from ``data/house.toml``, each with
its limits; a ruleset keeps the ones that differ from the rulebook (`Ruleset.house`) and writes them into its text, so that what was
computed under house rules is never taken for the game of the rulebook. The faces of the dice, the discs of Barbaria, glory, the
limits of the levels and Maximian's IP cannot be changed.

A file of house rules is TOML with one table::

    [house]
    attack = 1
    ip = 7
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from tetrasolve.errors import RulesetError, named, nearest, shown
from tetrasolve.files import read_bytes
from tetrasolve.strict import StrictError, read_toml
from tetrasolve.tetrarchia import numbers

House = tuple[tuple[str, int], ...]  # sorted, without numbers that are those of the rulebook

FILE_SIZE = 10_000  # characters of a file of house rules


@dataclass(frozen=True, slots=True)
class HouseNumber:
    """A number of the rulebook: its default, the least and the most that a house rule may say, and where it is in the rulebook."""

    name: str
    default: int
    least: int
    most: int
    means: str
    page: int
    rows: tuple[str, ...]
    needs: tuple[str, ...] = ()  # it changes nothing without any of these modules
    reference: bool = False  # only the reference rules play another value

    def applies(self, extensions: Iterable[str]) -> bool:
        """Whether it can make a difference with these modules and variants."""
        return not self.needs or not frozenset(self.needs).isdisjoint(extensions)

    def checked(self, value: object) -> int:
        """The value, if a house rule may say it.

        :raises RulesetError: when it is no whole number, or out of range.
        """
        if type(value) is not int or not self.least <= value <= self.most:
            raise RulesetError(
                f"house rule {self.name}: {shown(value)}, expected a whole number from {self.least} to {self.most} ({self.means})"
            )
        return value


def _numbers() -> Mapping[str, HouseNumber]:
    """The numbers of the data file, which is part of the library and not validated."""
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/house.toml").read_text("utf-8")
    return MappingProxyType(
        {
            row["name"]: HouseNumber(
                name=row["name"],
                default=getattr(numbers, row["constant"]),
                least=row["least"],
                most=row["most"],
                means=row["means"],
                page=row["page"],
                rows=tuple(row["rows"]),
                needs=tuple(row.get("needs", ())),
                reference=row.get("reference", False),
            )
            for row in read_toml(text)["number"]
        }
    )


HOUSE_NUMBERS: Mapping[str, HouseNumber] = _numbers()
STANDARD: Mapping[str, int] = MappingProxyType({name: number.default for name, number in HOUSE_NUMBERS.items()})


def house_number(name: object) -> HouseNumber:
    """The number with this name.

    :raises RulesetError: when there is none.
    """
    found = HOUSE_NUMBERS.get(name) if isinstance(name, str) else None
    if found is None:
        near = nearest(str(name), HOUSE_NUMBERS) or ", ".join(HOUSE_NUMBERS)
        raise RulesetError(f"house rule {shown(name)} does not exist, expected one like {near}")
    return found


def checked_house(house: Iterable[tuple[str, int]], extensions: Iterable[str]) -> House:
    """House rules in their order, without those that are the rulebook's.

    :raises RulesetError: for a number that does not exist, is given twice, is out of range, or changes nothing without a module.
    """
    in_use, chosen = frozenset(extensions), dict[str, int]()
    for name, value in house:
        number = house_number(name)
        if name in chosen:
            raise RulesetError(f"house rule {name} is given twice")
        if not number.applies(in_use):
            raise RulesetError(f"house rule {name} changes nothing without {' or '.join(map(repr, number.needs))}")
        chosen[name] = number.checked(value)
    return tuple(sorted((name, value) for name, value in chosen.items() if value != STANDARD[name]))


def read_house(text: str | bytes, source: str) -> House:
    r"""The house rules of a TOML text, sorted; those that are the rulebook's are left out.

    >>> read_house("[house]\nip = 7\nsail = 1", "rules.toml")
    (('ip', 7),)

    :raises RulesetError: with `source`, when the text is no TOML, has another key, or a number that does not exist or is out of
        range.
    """
    try:
        data = read_toml(text, size=FILE_SIZE)
    except StrictError as error:
        raise RulesetError(f"{source}: {error}") from None
    for key in data:
        if key != "house":
            raise RulesetError(
                f"{source}: {named(key)} is no part of a file of house rules, expected the table [house] alone"
            )
    table = data.get("house")
    if not isinstance(table, Mapping):
        raise RulesetError(f"{source}: expected a table [house] with numbers, like ip = 7")
    try:
        chosen = {str(name): house_number(name).checked(value) for name, value in table.items()}
    except RulesetError as error:
        raise RulesetError(f"{source}: {error}") from None
    return tuple(sorted((name, value) for name, value in chosen.items() if value != STANDARD[name]))


def load_house(path: str | Path) -> House:
    """The house rules of a file.

    :raises RulesetError: as `read_house`, with the name of the file.
    :raises OSError: when the file cannot be read.
    """
    return read_house(read_bytes(path, size=FILE_SIZE), str(path))


def house_text(house: Iterable[tuple[str, int]]) -> str:
    """House rules as they are written in a ruleset.

    >>> house_text([("attack", 1), ("ip", 7)])
    'attack=1,ip=7'
    """
    return ",".join(f"{name}={value}" for name, value in house)
