"""Values by rows and columns: ``{fact-matrix} reach/* 12.*``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, TypeAlias

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from factpages import words
from factpages.domain import linked
from factpages.grid import Cell, FactDirective, form_of, in_board_order, shares
from factpages.tables import table

STEPS = 10  # shades of a cell, each a class of facts.css

Found: TypeAlias = "Mapping[tuple[str, str], tuple[Cell, str]]"  # by row and column a value, and the form to show it in


class FactMatrix(FactDirective):
    """``{fact-matrix} reach/* 12.*``: values by rows and columns, the first star by rows.

    With one star, `paths` are the columns: ``max, mean as decimal``. `rows` and `columns` are those that are shown, `names` and
    `heads` what they are called, `corner` what the rows are. `heat` shades the cells, `sort` goes by the first column (``up``
    or ``down``), `top` leaves all but so many rows out.
    """

    option_spec: ClassVar = {
        "paths": directives.unchanged_required,
        "rows": str.split,
        "columns": str.split,
        "names": directives.unchanged_required,
        "heads": directives.unchanged_required,
        "corner": directives.unchanged_required,
        "heat": directives.flag,
        "sort": lambda text: directives.choice(text, ("up", "down")),
        "top": directives.positive_int,
    }

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """The table."""
        found = self._by_paths(wanted) if "paths" in self.options else self._by_stars(wanted)
        rows, columns = self._rows(found), self._columns(found)
        shown = {key: cell for key, cell in found.items() if key[0] in rows and key[1] in columns}
        warmth = shares({key: cell.number for key, (cell, _) in shown.items()}) if "heat" in self.options else {}
        heads, names = self._called("heads", columns), self._called("names", rows)
        body = []
        for row, name in list(zip(rows, names, strict=True))[: self.options.get("top")]:
            first = next((cell for (place, _), (cell, _) in shown.items() if place == row), None)
            if first is None:
                raise ValueError(f"no value for row {row!r}")
            cells = [self._entry(shown.get((row, column)), warmth.get((row, column))) for column in columns]
            body.append((nodes.paragraph("", "", linked(first.fact, name)), *cells))
        return [table((self.options.get("corner", ""), *heads), body, classes=["matrix"])]

    # -- what stands where -----------------------------------------------------------------------------------------

    def _by_stars(self, wanted: str) -> Found:
        pattern, form = form_of(wanted)
        return {(cell.stars[0], cell.stars[1]): (cell, form) for cell in self.cells(pattern, 2)}

    def _by_paths(self, wanted: str) -> Found:
        found = {}
        for path, form in map(form_of, self.options["paths"].split(",")):
            within = f"{wanted}.{path}" if " " in wanted else f"{wanted} {path}"
            found.update({(cell.stars[0], path): (cell, form) for cell in self.cells(within, 1)})
        return found

    def _rows(self, found: Found) -> list[str]:
        rows: list[str] = self.options.get("rows") or in_board_order([row for row, _ in found], self.shelf.subject)
        if way := self.options.get("sort"):
            first = next(iter(found))[1]
            rows.sort(key=lambda row: _size(found.get((row, first))), reverse=way == "down")
        return rows

    def _columns(self, found: Found) -> list[str]:
        columns = list(dict.fromkeys(column for _, column in found))
        if "paths" in self.options:
            return columns
        return self.options.get("columns") or in_board_order(columns, self.shelf.subject)

    # -- how it looks ----------------------------------------------------------------------------------------------

    def _called(self, option: str, keys: Sequence[str]) -> list[str]:
        """What rows or columns are called: as the option says, in its order, else by their own names."""
        if option not in self.options:
            return [words.name(key, self.shelf.names) for key in keys]
        called = [word.strip() for word in self.options[option].split(",")]
        if len(called) != len(keys):
            raise ValueError(f"{len(called)} {option} for {len(keys)}: {', '.join(keys)}")
        return called

    def _entry(self, found: tuple[Cell, str] | None, warmth: float | None) -> nodes.entry:
        if found is None:
            return nodes.entry("", nodes.paragraph("", "·"))
        cell, form = found
        shade = [] if warmth is None else [f"heat-{round(warmth * STEPS)}"]
        kind = ["number"] if cell.number is not None else []
        return nodes.entry("", nodes.paragraph("", self.text(cell.value, form)), classes=[*kind, *shade])


def _size(found: tuple[Cell, str] | None) -> tuple[bool, Fraction]:
    """For sorting; what has no number comes first."""
    number = found[0].number if found is not None else None
    return (number is not None, number or Fraction(0))


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("fact-matrix", FactMatrix)
