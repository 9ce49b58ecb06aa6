"""The script that measures policies of the second game goes on from what it has played, and refuses what it does not know."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    script = [sys.executable, str(BENCH / "finem_strength.py"), *words]
    return subprocess.run(script, capture_output=True, text=True, check=False, timeout=300)


def test_games_are_added_to_those_that_were_played(tmp_path: Path) -> None:
    """In pieces or at once, by one process or two: the same games."""
    kept, whole = tmp_path / "kept.json", tmp_path / "whole.json"
    words = ("--policies", "discs,greedy", "--levels", "standard,introductory?E-PACIFY=action")
    for games in ("3", "8"):
        result = run("--games", games, "--json", str(kept), *words)
        assert result.returncode == 0, result.stderr
    assert run("--games", "8", "--jobs", "2", "--json", str(whole), *words).returncode == 0
    first, second = (json.loads(path.read_text("utf-8")) for path in (kept, whole))
    assert [(e["name"], e["level"], e["outcomes"], e["turns"], e["ends"]) for e in first["series"]] == [
        (e["name"], e["level"], e["outcomes"], e["turns"], e["ends"]) for e in second["series"]
    ]
    assert all(len(entry["outcomes"]) == entry["games"] == 8 for entry in first["series"])
    (found, *_) = first["compared"]
    assert (found["first"], found["second"], found["games"]) == ("greedy", "discs", 8)
    shown = run("--show", "--json", str(kept))
    assert "greedy against discs" in shown.stdout
    assert json.loads(kept.read_text("utf-8")) == first


@pytest.mark.parametrize(
    ("words", "problem"),
    [(("--policies", "best"), "no policy best"), (("--levels", "easy"), "easy")],
    ids=["policy", "level"],
)
def test_what_is_not_known_is_refused(words: tuple[str, ...], problem: str) -> None:
    result = run("--games", "1", *words)
    assert result.returncode == 2
    assert problem in result.stderr


def test_what_the_page_says_of_the_lead_over_the_plain_policy() -> None:
    """docs/explanation/how-strong-et-finem-hints-are.md has this in words; intervals are those of the kept games, counted here."""
    kept = json.loads((BENCH / "results" / "finem_strength.json").read_text("utf-8"))
    found = {(row["level"], row["first"], row["second"]): row for row in kept["compared"]}
    won = {(entry["level"], entry["name"]): entry["outcomes"] for entry in kept["series"]}
    lows, highs = {}, {}
    for level in ("standard", "standard?E-PACIFY=action"):
        for name in ("search", "greedy"):
            row = found[level, name, "discs"]
            pairs = list(zip(won[level, name], won[level, "discs"], strict=False))
            lead = sum((one == "w") - (other == "w") for one, other in pairs) / len(pairs)
            assert row["games"] == len(pairs) and row["difference"]["float"] == pytest.approx(lead)
            lows[level, name], highs[level, name] = row["difference"]["ci"]
    assert lows["standard?E-PACIFY=action", "search"] > 0.15
    assert lows["standard", "search"] < 0.15 < found["standard", "search", "discs"]["difference"]["float"]
    assert all(
        lows[level, "greedy"] > 0.1 and highs[level, "greedy"] < 0.15 for level, name in lows if name == "greedy"
    )
