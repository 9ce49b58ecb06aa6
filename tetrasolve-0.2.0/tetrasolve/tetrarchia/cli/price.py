"""The type of ``--price``: what a disc costs who spends it."""

from __future__ import annotations

import re
from fractions import Fraction

import click

from tetrasolve.errors import shown
from tetrasolve.tetrarchia.risk.best import MOST_PRICE


class _Price(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.2
    """A number of at least 0, also as a fraction."""

    name = "number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """The number."""
        text = str(value)
        is_number = re.fullmatch(r"[0-9]{1,7}(?:/[0-9]{1,7}|\.[0-9]{1,9})?", text, re.ASCII) and not re.search(
            r"/0+$", text
        )
        if not is_number or Fraction(text) > MOST_PRICE:
            self.fail(f"{shown(text)}: expected a number from 0 to {MOST_PRICE}, like 0.05 or 1/20", param, ctx)
        return Fraction(text)


PRICE = _Price()
