"""Scripts that make a collection that ships with the library: their options, their checkpoint, and how they end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tetrasolve.cli.workers import add_workers, workers_of
from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.cluster import executing
from tetrasolve.exact.deadline import stop_of
from tetrasolve.exact.executor import Executor
from tetrasolve.stop import Stop

DONE, NOT_DONE = 0, 3  # exit codes; 2 is that of wrong options and files


@dataclass(frozen=True)
class Run:
    """What a script has to work with: `out` is the file that it writes, and which it may go on from; `kinds` are named."""

    out: Path
    checkpoint: Checkpoint
    executor: Executor
    stop: Stop | None
    say: Callable[[str], None]
    kinds: tuple[str, ...] = ()


def run_script(
    name: str,
    text: str,
    task: Mapping[str, Any],
    make: Callable[[Run], tuple[bool, int]],
    argv: Sequence[str] | None = None,
    kinds: Sequence[str] = (),
) -> int:
    """Run a script, and give its exit code; 3: the time was over before the collection was complete.

    :param name: of what the collection has, in the plural.
    :param text: what the script is for: the first line is shown.
    :param task: all on which results depend, for the checkpoint.
    :param make: makes and writes the collection; whether it is complete, and how many there are.
    :param kinds: if there are any, a run may be limited to some of these.
    """
    parser = argparse.ArgumentParser(description=text.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="the collection, JSON lines as .xz; it is gone on with")
    parser.add_argument("--checkpoint", type=Path, required=True, help="where the state is kept, to go on from")
    add_workers(parser)
    parser.add_argument("--seconds", type=float, help="stop after this time; what there is is written")
    if kinds:
        parser.add_argument("--kind", action="append", choices=kinds, help="only this kind goes on (can be repeated)")
    options = parser.parse_args(argv)

    def say(line: str) -> None:
        print(f"{name}: {line}", file=sys.stderr, flush=True)  # progress of a program

    try:
        stop = stop_of(options.seconds)
        with ExitStack() as opened:
            kept = opened.enter_context(Checkpoint(options.checkpoint, task))
            executor = opened.enter_context(executing(opened.enter_context(workers_of(options)), stop))
            is_done, count = make(
                Run(options.out, kept, executor, stop, say, tuple(getattr(options, "kind", None) or ()))
            )
    except (TetrasolveError, OSError, ValueError) as error:
        parser.error(str(error))
    say(f"{count} written to {options.out}")
    return DONE if is_done else NOT_DONE
