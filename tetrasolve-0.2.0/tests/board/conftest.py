"""Boards for tests: the file of the library as data that a test may damage, and written back as TOML."""

import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardfile import standard_text


def as_toml(value: object) -> str:
    """A value as TOML writes it inline; enough for board files."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {as_toml(item)}" for key, item in value.items()) + " }"
    return repr(value)


def write_toml(data: dict[str, Any]) -> str:
    """A board file from its data."""
    lines: list[str] = []
    for name, value in data.items():
        for row in value if isinstance(value, list) else [value]:
            lines.append(f"[[{name}]]" if isinstance(value, list) else f"[{name}]")
            lines += [f"{key} = {as_toml(item)}" for key, item in row.items()]
    return "\n".join(lines) + "\n"


class Draft:
    """The data of a board file, with short words for what tests change in it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def row(self, table: str, name: str) -> dict[str, Any]:
        """The row with this id."""
        return next(row for row in self.data[table] if row["id"] == name)

    def province(self, which: str, /, **fields: Any) -> None:
        """Set fields of a province; None takes a field out."""
        row = self.row("province", which)
        for key, value in fields.items():
            row.pop(key, None)
            if value is not None:
                row[key] = value

    def swap(self, one: str, other: str, field: str) -> None:
        """Let two provinces change a field with each other."""
        a, b = self.row("province", one), self.row("province", other)
        a[field], b[field] = b[field], a[field]

    def link(self, a: str, b: str) -> dict[str, Any]:
        """The row of a link."""
        return next(row for row in self.data["link"] if set(row["between"]) == {a, b})

    def unlink(self, a: str, b: str) -> None:
        """Take a link out."""
        self.data["link"] = [row for row in self.data["link"] if set(row["between"]) != {a, b}]

    def add_link(self, a: str, b: str, *, broken: bool = False) -> None:
        """Put a link in."""
        claim = {"source": "board", "confidence": 1.0, "kind_source": "board", "kind_confidence": 1.0}
        self.data["link"].append({"between": [a, b], "broken": broken, **claim})

    def text(self) -> str:
        """The file."""
        return write_toml(self.data)

    def board(self) -> Board:
        """The board."""
        return Board.from_toml(self.text(), "draft.toml")


@pytest.fixture
def draft() -> Draft:
    """The data of the library's board, fresh for each test."""
    return new_draft()


@pytest.fixture(scope="session")
def drafts() -> Callable[[], Draft]:
    """Makes as many drafts as a test requires."""
    return new_draft


def new_draft() -> Draft:
    return Draft(tomllib.loads(standard_text()))
