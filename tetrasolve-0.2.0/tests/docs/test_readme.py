"""The picture in README.md is the one that the library draws."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import plan
from tetrasolve.tetrarchia.plan.text import result_svg

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "plan.svg"


def test_the_picture_is_that_of_the_plan() -> None:
    """`TETRASOLVE_UPDATE=1` draws it again instead of comparing."""
    if not PICTURE.parent.exists():
        pytest.skip("the documentation is absent")
    drawn = result_svg(plan(example("fight"), "kill narbonensis"), "Plan: kill narbonensis")
    if os.environ.get("TETRASOLVE_UPDATE"):
        PICTURE.write_text(drawn, "utf-8")

    assert PICTURE.read_text("utf-8") == drawn
