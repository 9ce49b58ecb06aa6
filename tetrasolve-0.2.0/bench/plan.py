"""How long optimal turns take.

`--engines`: the time to a proved optimum of one deterministic objective by the exhaustive search, CP-SAT, Z3 and clingo.
`--expect`: the best turn when each end is worth what is to be expected after the Barbarian phase that follows, beside the
plain loop over all ends and all their outcomes.
"""

from __future__ import annotations

import sys

from benchkit import expectbench, planrace

PARTS = {"--engines": planrace.main, "--expect": expectbench.main}


def main(words: list[str]) -> int:
    """The part that is named first, with the rest of the command line; all of them where none is named."""
    if words and words[0] in PARTS:
        return PARTS[words[0]](words[1:])
    if words:
        print(f"usage: plan.py [{{{','.join(PARTS)}}} [options]]", file=sys.stderr)
        return 2
    return max(part([]) for part in PARTS.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
