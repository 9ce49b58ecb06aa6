"""Run every mutant that is not known to be killed: `python tests/mutation`; with rows or mutants, these; with a number, so many.

A number draws mutants and stores nothing: the same ones until the stored results change.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation import running, table  # found on the path set above
from mutation.tetrarchia import TETRARCHIA

EVERY = 25  # results between two times that they are written


def main(asked: list[str]) -> int:
    """0 if every mutant that was run is killed, else 1."""
    wanted, results = table.mutants(), table.stored()
    drawn = bool(asked) and asked[0].isdigit()
    if drawn:
        seed = hashlib.sha256(table.RESULTS.read_bytes()).hexdigest()
        todo = random.Random(seed).sample(list(wanted.values()), int(asked[0]))
    elif asked:
        todo = [mutant for mutant in wanted.values() if asked.count(mutant.id) or asked.count(mutant.row)]
    else:
        todo = table.outdated(wanted, results)
    running.prepare(TETRARCHIA)
    began, counts = time.perf_counter(), Counter[str]()
    for number, found in enumerate(running.run(todo, TETRARCHIA, processes=2), start=1):
        counts[found.state] += 1
        results[found.mutant] = found
        if found.state != "killed":
            print(f"{wanted[found.mutant].change}\n  {found.mutant}: {found.state} {found.by} {found.how}")
        if number % EVERY == 0 and not drawn:
            table.store(results, wanted)
    if not drawn:
        table.store(results, wanted)
    counted = ", ".join(f"{count} {state}" for state, count in sorted(counts.items()))
    print(
        f"{len(wanted)} mutants, {len(todo)} run in {time.perf_counter() - began:.0f} s: {counted or 'all were known'}"
    )
    return int(bool(set(counts) - {"killed"}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
