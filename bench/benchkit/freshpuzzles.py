"""Scripts that collect rows about the puzzles of numbered games, for some time, and go on from what is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.series import write


def collect(kept: Kept, argv: Sequence[str] | None, rows_of: Callable[[int, int], Iterable[dict[str, Any]]]) -> int:
    """Run such a script: `rows_of(game, seed)` has the rows of a game; the exit code."""
    kept.parser.add_argument("--seed", type=int, default=1, help="of the games (default: %(default)s)")
    kept.parser.add_argument(
        "--seconds", type=float, default=300, help="how long games are begun (default: %(default)s)"
    )
    options = kept.options(argv)
    if options is None:
        return 0
    target = kept.results if options.keep else options.json
    data = begun(target, options.seed)
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        data["puzzles"].extend(rows_of(data["games"], options.seed))
        data["games"] += 1
        data |= {"versions": {"tetrasolve": facts.version("tetrasolve")}}
        if target:
            write(target, data)
        if options.quick:
            break
    return kept.finish(options, data)


def begun(path: Path | None, seed: int) -> dict[str, Any]:
    """What was kept of this seed."""
    if path is not None and path.exists():
        data: dict[str, Any] = json.loads(path.read_text("utf-8"))
        if data["seed"] == seed:
            return data
    return {"seed": seed, "games": 0, "puzzles": []}
