"""What commands that search share: progress bars on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress

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
