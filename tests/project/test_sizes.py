"""What proves facts and plans stays small enough to be read: claims, facts and the checker together."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("tetrasolve/claims", "tetrasolve/tetrarchia/facts", "proofs/checker")
MOST_LINES = 14_500  # docs/decisions/0029 and 0043: 13,000, the rules of ten modules in the checker, and one answer

pytestmark = pytest.mark.skipif(not (ROOT / "proofs/checker").exists(), reason="the source tree is absent")


def test_claims_facts_and_checker_stay_small() -> None:
    sources = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in sources) < MOST_LINES
