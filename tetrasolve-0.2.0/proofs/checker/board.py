"""The board, read from its file, and the rows of it on which the rules depend.

A certificate of a turn names the SHA-256 of those that a Roman phase reads, one of a fact that of all rows. So it speaks of
one board only, and a note or a confidence that is written again in the file does not change which.

What the rules read must be written in the rows, and nothing else may count: every field that is read has one type and one
range, and what the file leaves open, such as the order of its links, is put in one order. Two files with the same rows are
the same board.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from files import LARGEST_BOARD, read_file
from text import Unreadable

ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
CODE = re.compile(r"[a-z]{3}")
MOST_NUMBER = 6  # of a die
MOST_ZONES = 3  # a position writes a zone as one figure

Row = dict[str, Any]


class Board:
    """Provinces by their ids, in the order of the file."""

    def __init__(self, data: Row) -> None:
        rows, regions, emperors = tables(data, "province"), tables(data, "region"), tables(data, "emperor")
        head, sea = table(data, "board"), table(data, "sea")
        number = {name: whole(region, "number", 0) for name, region in named(regions, "region")}
        provinces = dict(named(rows, "province"))
        self.id: str = text(head, "id", ID)
        self.roma: str = text(head, "roma", ID)
        self.provinces: list[str] = list(provinces)
        self.row = {province: index for index, province in enumerate(self.provinces)}
        self.code: dict[str, str] = {name: text(row, "code", CODE) for name, row in provinces.items()}
        self.by_code = {code: province for province, code in self.code.items()}
        self.region: dict[str, int] = {name: number[known(row, "region", number)] for name, row in provinces.items()}
        self.number: dict[str, int] = {name: whole(row, "number", 0) for name, row in provinces.items()}
        self.arrow: dict[str, str] = {
            name: known(row, "arrow", self.row) for name, row in provinces.items() if "arrow" in row
        }
        self.borders = {name for name, row in provinces.items() if known(row, "kind", {"roman", "border"}) == "border"}
        seas = items(sea, "zones", str)
        demand(0 < len(seas) <= MOST_ZONES, "sea", f"expected 1 to {MOST_ZONES} zones")
        self.all_zones = range(1, len(seas) + 1)
        self.zones: dict[str, set[int]] = {
            name: set(items(row, "zones", int, self.all_zones)) for name, row in provinces.items()
        }
        self.adjacent = sorted(self.pair(pair) for pair in items(sea, "adjacent", list))
        self.emperors: list[str] = [name for name, _ in named(emperors, "emperor")]
        self.letters: list[str] = [text(row, "name", re.compile("[A-Z][ -~]*"))[0] for row in emperors]
        # an Emperor's printed discs lie in Roma and in his capital
        printed = {name: items(row, "printed", str, self.emperors) for name, row in provinces.items()}
        self.printed = {
            emperor: frozenset(name for name in provinces if emperor in printed[name]) for emperor in self.emperors
        }
        self.capital = {emperor: self.capital_of(emperor) for emperor in self.emperors}
        self.links = self.linked(tables(data, "link"))
        once(self.code.values(), "code of a province")
        once(self.letters, "first letter of an Emperor")
        once(map(tuple, self.adjacent), "pair of adjacent zones")
        demand(self.roma in self.row and self.roma not in self.borders, "board", "expected Roma to be a Roman province")
        demand(len(self.emperors) == 4, "emperor", "expected four Emperors")

    def pair(self, zones: list[Any]) -> list[int]:
        """Two different zones, the lesser first."""
        demand(all(type(zone) is int and zone in self.all_zones for zone in zones), "sea", "expected numbers of zones")
        demand(len(zones) == len(set(zones)) == 2, "sea", "expected pairs of zones that are adjacent")
        return sorted(zones)

    def capital_of(self, emperor: str) -> str:
        """The province beside Roma with his printed disc."""
        others = self.printed[emperor] - {self.roma}
        demand(
            len(others) == 1 and self.roma in self.printed[emperor], emperor, "expected discs in Roma and one capital"
        )
        return next(iter(others))

    def linked(self, rows: list[Row]) -> dict[str, dict[str, bool]]:
        """For each province those linked to it, in their order, and whether the link is broken."""
        broken: dict[tuple[str, str], bool] = {}
        for row in rows:
            ends = items(row, "between", str, self.row)
            demand(len(ends) == 2, "link", "expected two provinces")
            demand(type(row.get("broken")) is bool, f"link {ends}", "broken: expected true or false")
            demand((ends[0], ends[1]) not in broken, f"link {ends}", "expected each link once")
            broken[ends[0], ends[1]] = broken[ends[1], ends[0]] = row["broken"]
        return {a: {b: broken[a, b] for b in self.provinces if (a, b) in broken} for a in self.provinces}

    def rows(self) -> Iterator[str]:
        """All of the board that the rules of a Roman phase read, as lines of text."""
        yield f"board {self.id} roma {self.roma} zones {len(self.all_zones)}"
        for zone, other in self.adjacent:
            yield f"adjacent {zone} {other}"
        for emperor, letter in zip(self.emperors, self.letters, strict=True):
            yield f"emperor {emperor} {letter} {self.capital[emperor]}"
        for province in self.provinces:
            kind = "border" if province in self.borders else "roman"
            zones = "".join(map(str, sorted(self.zones[province]))) or "-"
            printed = ",".join(emperor for emperor in self.emperors if province in self.printed[emperor]) or "-"
            yield f"province {province} {self.code[province]} {kind} {self.region[province]} {zones} {printed}"
        for a in self.provinces:
            for b in sorted(self.links[a], key=self.row.__getitem__):
                if self.row[a] < self.row[b]:
                    yield f"link {a} {b} {'broken' if self.links[a][b] else 'normal'}"

    def digest(self) -> str:
        """The SHA-256 of the rows, each with a line feed at its end."""
        return sha256(self.rows())

    def all_rows(self) -> Iterator[str]:
        """All of the board that any rule reads: those rows, then the numbers that dice find, then the arrows."""
        yield from self.rows()
        yield from (f"number {province} {number}" for province, number in self.number.items() if number)
        yield from (f"arrow {province} {self.arrow[province]}" for province in self.provinces if province in self.arrow)

    @cache  # noqa: B019  # a board lives as long as the program
    def whole_digest(self) -> str:
        """The SHA-256 of all rows, by which certificates of facts name a board."""
        return sha256(self.all_rows())


def sha256(rows: Iterator[str]) -> str:
    """The SHA-256 of rows, each with a line feed at its end."""
    return hashlib.sha256("".join(f"{row}\n" for row in rows).encode()).hexdigest()


# -- strict fields -------------------------------------------------------------------------------------------------


def demand(right: bool, where: str, why: str) -> None:
    """Make sure that something is right."""
    if not right:
        raise Unreadable(f"{where}: {why}")


def table(data: Row, key: str) -> Row:
    """A table of the file."""
    found = data.get(key)
    if not isinstance(found, dict):
        raise Unreadable(f"expected a table '{key}'")
    return found


def tables(data: Row, key: str) -> list[Row]:
    """All tables of a kind."""
    found = data.get(key)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise Unreadable(f"expected tables '{key}'")
    return found


def named(rows: list[Row], what: str) -> list[tuple[str, Row]]:
    """Rows with their ids, each once."""
    once((text(row, "id", ID) for row in rows), f"id of '{what}'")
    return [(row["id"], row) for row in rows]


def text(row: Row, key: str, form: re.Pattern[str]) -> str:
    """A field of text in this form."""
    found = row.get(key)
    if not isinstance(found, str) or not form.fullmatch(found):
        raise Unreadable(f"{key} = {found!r}: expected text in the form {form.pattern}")
    return found


def known(row: Row, key: str, names: Iterable[str]) -> str:
    """A field that is one of some names."""
    found = row.get(key)
    if not isinstance(found, str) or found not in names:
        raise Unreadable(f"{key} = {found!r}: expected one of {', '.join(names)}")
    return found


def whole(row: Row, key: str, default: int) -> int:
    """A field with the number of a die, if it is there."""
    found = row.get(key, default)
    if type(found) is not int or not (1 <= found <= MOST_NUMBER or key not in row):
        raise Unreadable(f"{key} = {found!r}: expected a whole number from 1 to {MOST_NUMBER}")
    return found


def items(row: Row, key: str, kind: type, among: Iterable[Any] | None = None) -> list[Any]:
    """A field that is a list of things of one type, each once, those in `among`; nothing if it is not there."""
    found = row.get(key, [])
    if not isinstance(found, list) or not all(type(item) is kind for item in found):
        raise Unreadable(f"{key} = {found!r}: expected a list of {kind.__name__}")
    if among is not None and not all(item in among for item in found):
        raise Unreadable(f"{key} = {found!r}: expected some of {', '.join(map(str, among))}")
    if among is not None:
        once(found, key)
    return found


def once(things: Iterable[Any], what: str) -> None:
    """Make sure that nothing stands twice."""
    listed = list(things)
    twice = [thing for row, thing in enumerate(listed) if thing in listed[:row]]
    if twice:
        raise Unreadable(f"{what}: {twice[0]!r} stands there twice")


@cache
def read_board(path: Path) -> Board:
    """The board in a file."""
    try:
        return Board(tomllib.loads(read_file(path, LARGEST_BOARD).decode("utf-8")))
    except Unreadable as error:
        raise Unreadable(f"board file {path}: cannot be read ({error})") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"board file {path}: is no board ({type(error).__name__}: {error})") from None
