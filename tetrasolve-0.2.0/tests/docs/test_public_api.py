"""The page of the public API lists every name with its first sentence, and links it to its description."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tetrasolve

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "public-api.md"
BEGIN, END = "<!-- from here on: PUBLIC API -->\n", "<!-- up to here: PUBLIC API -->\n"


def summary(name: str) -> str:
    """The first sentence of a docstring."""
    text = " ".join((getattr(tetrasolve, name).__doc__ or "").split("\n\n")[0].split())
    return text.split(". ")[0].rstrip(".") + "."


def table() -> str:
    rows = ["", "| name | what it is |", "| --- | --- |"]
    for name in tetrasolve.__all__:
        value = getattr(tetrasolve, name)
        rows.append(f"| {{py:obj}}`{name} <{value.__module__}.{value.__qualname__}>` | {summary(name)} |")
    return "\n".join([*rows, "", ""])


def test_the_page_lists_all_names() -> None:
    """`TETRASOLVE_UPDATE=1` writes the page again instead of comparing."""
    if not PAGE.exists():
        pytest.skip("the documentation is absent")
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    written = before + BEGIN + table() + END + after
    if os.environ.get("TETRASOLVE_UPDATE"):
        PAGE.write_text(written, "utf-8")
        return

    assert text == written


def test_every_name_has_a_summary() -> None:
    assert [name for name in tetrasolve.__all__ if len(summary(name)) < 10] == []
