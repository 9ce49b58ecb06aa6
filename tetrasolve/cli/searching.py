"""Progress bars of commands that search, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import Progress, TaskID

Report = Callable[[str, "int | None", "int | None"], None]  # stage, number done, total


@contextmanager
def bars_on_terminal() -> Iterator[Progress | None]:
    """Progress bars on standard error, removed at the end; None where it is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(console=Console(stderr=True), transient=True) as bars:
        yield bars


@contextmanager
def going_on_from(kept: str | None) -> Iterator[None]:
    """Where a search is interrupted from the keyboard, say that nothing was written and how the same command goes on.

    :raises click.exceptions.Abort: then; its text is that sentence.
    """
    try:
        yield
    except KeyboardInterrupt:
        click.echo(err=True)  # behind the ^C of the terminal
        way = "with --checkpoint FILE it could go on" if kept is None else f"the same command goes on with {kept}"
        raise click.exceptions.Abort(f"interrupted before there was an answer: nothing was written; {way}") from None


@contextmanager
def search_bar() -> Iterator[Report | None]:
    """A progress bar for a search; nothing where standard error is not a terminal."""
    with bars_on_terminal() as bars:
        if bars is None:
            yield None
            return
        shown = bars.add_task("searching", total=None)
        yield lambda what, done, total: bars.update(shown, description=what, completed=done, total=total)


@contextmanager
def stage_bars() -> Iterator[Callable[[str, int, int], None] | None]:
    """A progress bar for each stage (stage, number done, total); None where standard error is not a terminal."""
    with bars_on_terminal() as bars:
        if bars is None:
            yield None
            return
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield report
