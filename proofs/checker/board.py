"""The board, read from its file, and the rows of it on which the rules depend.

A certificate of a turn names the SHA-256 of those that a Roman phase reads, one of a fact that of all rows. So it speaks of
one board only, and a note or a confidence that is written anew in the file does not change which.
"""

import hashlib
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from text import Unreadable


class Board:
    """Provinces by their ids, in the order of the file."""

    def __init__(self, data: dict[str, Any]) -> None:
        rows = data["province"]
        number = {region["id"]: region.get("number", 0) for region in data["region"]}
        self.id: str = data["board"]["id"]
        self.roma: str = data["board"]["roma"]
        self.provinces: list[str] = [row["id"] for row in rows]
        self.row = {province: index for index, province in enumerate(self.provinces)}
        self.code: dict[str, str] = {row["id"]: row["code"] for row in rows}
        self.by_code = {code: province for province, code in self.code.items()}
        self.region: dict[str, int] = {row["id"]: number[row["region"]] for row in rows}
        self.number: dict[str, int] = {row["id"]: row.get("number", 0) for row in rows}
        self.arrow: dict[str, str] = {row["id"]: row["arrow"] for row in rows if "arrow" in row}
        self.borders = {row["id"] for row in rows if row.get("kind") == "border"}
        self.zones: dict[str, set[int]] = {row["id"]: set(row.get("zones", ())) for row in rows}
        self.all_zones = range(1, len(data["sea"]["zones"]) + 1)
        self.adjacent = sorted(sorted(pair) for pair in data["sea"]["adjacent"])
        self.emperors: list[str] = [row["id"] for row in data["emperor"]]
        self.letters: list[str] = [row["name"][0] for row in data["emperor"]]
        # an Emperor's printed discs lie in Roma and in his capital
        self.printed = {
            emperor: frozenset(row["id"] for row in rows if emperor in row.get("printed", ()))
            for emperor in self.emperors
        }
        self.capital = {emperor: next(iter(self.printed[emperor] - {self.roma})) for emperor in self.emperors}
        # for each province those linked to it, and whether the link is broken
        self.links: dict[str, dict[str, bool]] = {province: {} for province in self.provinces}
        for link in data["link"]:
            a, b = link["between"]
            self.links[a][b] = self.links[b][a] = link["broken"]
        for linked in self.links.values():
            for province in linked:
                assert province in self.row, province

    def rows(self) -> Iterator[str]:
        """All of the board that the rules of a Roman phase read, as lines of text."""
        yield f"board {self.id} roma {self.roma} zones {len(self.all_zones)}"
        for a, b in self.adjacent:
            yield f"adjacent {a} {b}"
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


@cache
def read_board(path: Path) -> Board:
    """The board in a file."""
    try:
        return Board(tomllib.loads(path.read_text("utf-8")))
    except OSError as error:
        raise Unreadable(f"board file {path}: cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, IndexError, StopIteration, AttributeError, AssertionError) as error:
        raise Unreadable(f"board file {path}: is no board ({type(error).__name__}: {error})") from None
