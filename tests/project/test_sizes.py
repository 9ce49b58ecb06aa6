"""What proves facts and plans stays small enough to be read: claims, facts and the checker together."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("tetrasolve/claims", "tetrasolve/tetrarchia/facts", "proofs/checker")
SECOND = ("tetrasolve/finem/facts", "proofs/checker/finem")  # the second game's part of both
# docs/decisions/0029, 0043, 0056, 0057, 0061 and 0064: 13,000, ten modules in the checker, one answer, facts under other rules,
# lists of options, what comes after a turn, and phases with modules; 250 for certificates of kind `difference`, 650 with modules
# and what is shown, 230 for `plan-difference`, 350 for whole phases with modules
MOST_LINES = 17_000
# docs/decisions/0055, 400 for the answers of puzzles (0059), 130 for later values (0073), 40 (0078), 30 (0081), 120 (0082)
MOST_LINES_OF_SECOND = 3_720

pytestmark = pytest.mark.skipif(not (ROOT / "proofs/checker").exists(), reason="the source tree is absent")


def lines(folders: tuple[str, ...]) -> int:
    """The lines of all modules below these folders."""
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert sources
    return sum(len(path.read_text("utf-8").splitlines()) for path in sources)


def test_claims_facts_and_checker_stay_small() -> None:
    assert lines(FOLDERS) - lines(SECOND[1:]) < MOST_LINES


def test_facts_and_checker_of_the_second_game_stay_small() -> None:
    assert lines(SECOND) < MOST_LINES_OF_SECOND
