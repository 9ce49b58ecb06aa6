"""These tests read the files of the project, so they skip where only the tests were brought along."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the source tree."""
    if not (ROOT / "Makefile").exists():
        pytest.skip("the source tree is absent")
    return ROOT
