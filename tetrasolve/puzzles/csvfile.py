"""Collections as CSV, as far as it is alike in all games."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

FORMULA = tuple("=+-@\t\r")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""A row of names, and a row for each puzzle.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.

    >>> csv_text(("a", "b"), [("1", "=2")])
    "a,b\n1,'=2\n"
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(f"'{cell}" if cell[:1] in FORMULA else cell for cell in row)
    return out.getvalue()


def as_text(value: object) -> str:
    """A value of a line as a cell; empty where it is no text."""
    return value if isinstance(value, str) else ""


def as_number(value: object) -> str:
    """A value of a line as a cell; empty where it is no number."""
    return str(value) if isinstance(value, (int, float)) else ""
