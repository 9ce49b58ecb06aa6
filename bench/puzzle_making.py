"""How many puzzles a processor makes in an hour by the recipe of the shipped collection: bench/results/puzzle_making.json.

    python bench/puzzle_making.py --keep
    python bench/puzzle_making.py --show

Of each part of the recipe the first games are played, up to so many seconds. Counted is processor time, with that of grades and of
the stand-alone checker, which confirms each certificate. For the whole, the time of a game of each part is multiplied by the games
that the collection that ships was made of, so kinds that are rare in games count with all the games that were searched for them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.command import Kept

from tetrasolve.tetrarchia.puzzle.collection import shipped_made
from tetrasolve.tetrarchia.puzzle.recipe import puzzles_of_game, recipe

RESULTS = Path(__file__).parent / "results" / "puzzle_making.json"
HOUR = 3600


def measured(seconds: float) -> dict[str, Any]:
    """Each part with its puzzles and what they took."""
    parts, made = {}, shipped_made()["parts"]
    for part in recipe():
        puzzles, games, taken = 0, 0, 0.0
        while taken < seconds:
            result = puzzles_of_game(part, games)
            puzzles, games, taken = puzzles + len(result["lines"]), games + 1, taken + result["seconds"]
        ships = {"puzzles": made[part.kind]["puzzles"], "games": made[part.kind]["games"]}
        parts[part.kind] = {"puzzles": puzzles, "games": games, "seconds": round(taken, 1), "ships": ships}
    return {"parts": parts}


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The table."""
    seconds = 0.0
    for name, row in data["parts"].items():
        each = row["seconds"] / row["games"]
        yield f"{name:18} {row['puzzles']:4} puzzles of {row['games']:4} games in {row['seconds']:6.1f} s: {each:6.2f} s a game"
        seconds += row["ships"]["games"] * each
    puzzles = sum(row["ships"]["puzzles"] for row in data["parts"].values())
    yield f"the collection that ships, {puzzles:,} puzzles: {HOUR * puzzles / seconds:,.0f} an hour of one processor"


def main() -> int:
    """Measure."""
    kept = Kept(__doc__ or "", RESULTS, lines, quick="a second for each part")
    kept.parser.add_argument("--seconds", type=float, default=30, help="for each part (default: %(default)s)")
    options = kept.options(None)
    if options is None:
        return 0
    data = measured(1.0 if options.quick else options.seconds) | {
        "machine": facts.machine(),
        "versions": {"tetrasolve": facts.version("tetrasolve")},
    }
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
