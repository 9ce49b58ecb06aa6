"""The page of the rules lists each reading as the data file has it; `TETRASOLVE_UPDATE=1` writes the list again."""

import os
from pathlib import Path

import pytest

from tetrasolve.finem.ruleset import READINGS, Reading

PAGE = Path(__file__).parents[2] / "docs/explanation/et-finem-rules.md"
BEGINS, ENDS = "## 7. The readings\n\n", "\n## 8."


def section(reading: Reading) -> str:
    """The text of a reading on the page."""
    needs = f" Only with {' or '.join(f'`{word}`' for word in reading.needs)}." if reading.needs else ""
    only = dict.fromkeys(reading.reference, " (by the reference rules only)")
    rows = [f"- `{value}`: {meaning}{only.get(value, '')}" for value, meaning in reading.options.items()]
    rows[0] += f" (default: {reading.reason})"
    return "\n".join([f"**{reading.name}** ({reading.section}). {reading.question}{needs}", "", *rows, ""])


@pytest.mark.skipif(not PAGE.exists(), reason="the source tree is absent")
def test_the_page_has_each_reading() -> None:
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(BEGINS)
    _, _, tail = rest.partition(ENDS)
    expected = head + BEGINS + "\n".join(map(section, READINGS.values())) + ENDS + tail
    if os.environ.get("TETRASOLVE_UPDATE"):
        PAGE.write_text(expected, "utf-8")
        return

    assert text == expected
