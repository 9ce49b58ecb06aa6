"""A row of numbers as bars: ``{fact-bars} size/asia size.* as percent``.

The bars are drawn by style sheet: they take their share of whatever width there is, letters keep their size on a phone,
colours are those of the page's theme, and labels and numbers are text.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from factpages import words
from factpages.grid import FactDirective, form_of, in_board_order

Bar = tuple[str, Fraction, str, str]  # a label, the number, how it is written, and the whole of it


class FactBars(FactDirective):
    """``{fact-bars} FACT PATH``: the star stands for what the bars are labelled with; the content is the caption.

    `label` says what the labels are, `title` what the numbers are. `sort` orders by number (``up`` or ``down``), `top` leaves all
    but so many out.
    """

    option_spec: ClassVar = {
        "title": directives.unchanged_required,
        "label": directives.unchanged,
        "sort": lambda text: directives.choice(text, ("up", "down")),
        "top": directives.positive_int,
    }

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """The picture with its caption."""
        pattern, form = form_of(wanted)
        cells = {cell.stars[0]: cell for cell in self.cells(pattern, 1)}
        order = [key for key in in_board_order(list(cells), self.shelf.subject) if cells[key].number is not None]
        if way := self.options.get("sort"):
            order.sort(key=lambda key: cells[key].number or 0, reverse=way == "down")
        bars = [
            (
                words.name(key, self.shelf.names),
                cells[key].number or Fraction(0),
                self.text(cells[key].value, form),
                words.plain(cells[key].value, self.shelf.names),
            )
            for key in order[: self.options.get("top")]
        ]
        if not bars or min(number for _, number, *_ in bars) < 0:
            raise ValueError("bars need numbers that are not negative")
        title = self.options.get("title") or cells[order[0]].fact.topic.title
        drawn = nodes.raw("", bars_html(bars, title, self.options.get("label", "")), format="html")
        caption = nodes.caption("", "", *self.parse_inline("\n".join(self.content), lineno=self.content_offset)[0])
        return [nodes.figure("", drawn, *([caption] if self.content else []), classes=["fact-bars"])]


def bars_html(bars: Sequence[Bar], title: str, label: str = "") -> str:
    """The bars as HTML: a grid of labels, bars, and numbers at their ends."""
    longest = max(number for _, number, *_ in bars) or Fraction(1)
    rows = [f"<span>{escape(label)}</span><span>{escape(title)}</span>"]
    for name, size, shown, whole in bars:
        length = f"--length: {float(size / longest):.4f}"
        rows.append(
            f'<span>{escape(name)}</span><span title="{escape(whole)}"><i style="{length}"></i> {escape(shown)}</span>'
        )
    lines = "\n".join(f"<div>{row}</div>" for row in rows)
    return f'<div class="bars">{lines}</div>'


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("fact-bars", FactBars)
