"""What commands that search share: a bar on a terminal, and what their exit codes say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress

from tetrasolve.tetrarchia.plan import Status

REFUTED = 1
OUT_OF_TIME = 3

Teller = Callable[[str, "int | None", "int | None"], None]  # what is done, how much of it, of how much


@contextmanager
def bars_on_terminal() -> Iterator[Progress | None]:
    """Progress bars on standard error, gone at the end; nothing where it is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(console=Console(stderr=True), transient=True) as bars:
        yield bars


@contextmanager
def search_bar() -> Iterator[Teller | None]:
    """Shows how far a search is, on a terminal only."""
    with bars_on_terminal() as bars:
        if bars is None:
            yield None
            return
        shown = bars.add_task("searching", total=None)
        yield lambda what, done, total: bars.update(shown, description=what, completed=done, total=total)


def exit_code(status: Status) -> int:
    """0 answered, 1 proved that there is no such plan, 3 out of time."""
    match status:
        case Status.OPTIMAL_PROVED:
            return 0
        case Status.INFEASIBLE_PROVED:
            return REFUTED
        case Status.FEASIBLE | Status.UNKNOWN:
            return OUT_OF_TIME
