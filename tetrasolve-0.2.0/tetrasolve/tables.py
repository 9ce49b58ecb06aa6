"""Results as plain text and as HTML: tables of named values, rendered without styles.

rich is imported only when a table is made, so that importing results stays quick.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from fractions import Fraction
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rich.console
    import rich.table

UNCUT = 10_000  # columns: wider than any table, so that none is cut or wrapped
LONGEST_FRACTION = 15  # characters; a longer fraction is shown as its decimal only


def value_cells(value: Fraction) -> tuple[str, str]:
    """A value as a fraction, if that is short enough to read, and as a decimal, marked ``~`` if it is rounded.

    >>> value_cells(Fraction(7, 36))
    ('7/36', '~ 0.194444')
    """
    text = str(value)
    if value.denominator == 1:
        return text, ""
    decimal = f"{float(value):.6g}"
    return (
        text if len(text) <= LONGEST_FRACTION else "...",
        ("= " if Fraction(decimal) == value else "~ ") + decimal,
    )


def titled(title: str | None, *columns: str, padded: bool = True) -> rich.table.Table:
    """An empty table with a title, and with a header if columns are named; `padded` indents it by one space."""
    from rich.table import Table

    made = Table(title=title, title_justify="left", box=None, show_header=bool(columns), pad_edge=padded)
    for name in columns:
        made.add_column(name, no_wrap=True)
    return made


def value_table(title: str, rows: Mapping[str, Fraction]) -> rich.table.Table:
    """A table of named exact values."""
    made = titled(title)
    for name, value in rows.items():
        made.add_row(name, *value_cells(value))
    return made


def as_text(parts: Iterable[rich.console.RenderableType]) -> str:
    """Tables and lines as plain text, without trailing spaces; the title of a table is on its own line.

    >>> print(as_text(["One line", value_table("Chances", {"a win": Fraction(1, 6)})]))
    One line
    Chances
     a win  1/6  ~ 0.166667
    """
    from rich.console import Console
    from rich.table import Table

    out = StringIO()
    console = Console(file=out, width=UNCUT, color_system=None, markup=False, highlight=False, emoji=False)
    for part in parts:
        if isinstance(part, Table) and part.title:
            console.print(part.title)
            part.title = None
        console.print(part)
    return "\n".join(line.rstrip(" ") for line in out.getvalue().rstrip("\n").split("\n"))


def as_html(text: str, svg: str = "") -> str:
    """A picture, if there is one, above preformatted text: what a notebook shows for a result."""
    return f"{svg}<pre>{html.escape(text)}</pre>"
