"""Start-up: processor time (user and system) of ``import tetrasolve``, of ``--help`` and of a first risk, by ``python -c pass``.

Runs alternate, so that other work on the machine disturbs all of them alike; medians are compared.

    python bench/startup.py [RUNS]
"""

from __future__ import annotations

import resource
import subprocess
import sys
from statistics import median

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import tetrasolve": ["-c", "import tetrasolve"],
    "--help": ["-m", "tetrasolve", "--help"],
    "first risk": ["-c", "import tetrasolve; tetrasolve.risk(tetrasolve.example('fight'))"],
}
BOUNDS = {"import tetrasolve": 3.5, "--help": 6.0}  # times that of `python -c pass`
RUNS = 31


def processor_time(arguments: list[str]) -> float:
    """Seconds of user and system time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)  # noqa: S603  # our own commands
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(runs: int) -> int:
    """Print the medians, and how they compare with the bounds; 1 where one is broken."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, arguments in COMMANDS.items():
            times[name].append(processor_time(arguments))
    base = median(times["python -c pass"])
    broken = 0
    for name, found in times.items():
        ratio, bound = median(found) / base, BOUNDS.get(name)
        broken += bound is not None and ratio > bound
        note = "" if bound is None else f"  bound {bound}: {'kept' if ratio <= bound else 'broken'}"
        print(f"{name:18} {median(found) * 1000:7.1f} ms  {ratio:5.2f} times{note}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS))
