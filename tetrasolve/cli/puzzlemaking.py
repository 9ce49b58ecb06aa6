"""What ``puzzle new`` of all games shares: each puzzle is written when it is made, with a bar and counts, and a file is resumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from time import monotonic

import click

from tetrasolve.cli.common import write_file
from tetrasolve.cli.searching import Report, search_bar
from tetrasolve.exact.deadline import is_over
from tetrasolve.puzzles.making import QuestionCounts
from tetrasolve.stop import Stop

DONE, FEWER, NOT_DONE = 0, 1, 3  # exit codes
LEAST_SECONDS = 1  # between two writes of a file

count_option = click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many puzzles.")
games_option = click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Games, at most.")
resume_option = click.option(
    "--resume", is_flag=True, help="Go on after the last puzzle of --out, with the same options."
)


def write_as_made(
    out: str, before: Sequence[str], made: Iterable[str], *, count: int, tally: QuestionCounts, stop: Stop | None
) -> int:
    """Write each line when it is made, after those before it, say how many there are, and give the exit code.

    A file is written whole, so at most once a second: one of many lines takes longer than a line that is found quickly. Lines that
    wait are written when the search ends, in whatever way.

    :raises OutputError: when the file cannot be written.
    """
    lines, was_interrupted = [*before], False
    kept = _Kept(out, len(lines))
    try:
        with search_bar() as report:
            for line in _reported(made, len(lines), count, tally, report):
                lines.append(line)
                if out == "-" or kept.is_due:
                    kept.write(lines)
    except KeyboardInterrupt:
        was_interrupted = True
    finally:
        kept.write(lines)
    click.echo(f"{'interrupted: ' if was_interrupted else ''}{len(lines)} of {count} puzzles; {tally}", err=True)
    if was_interrupted:
        if out != "-":
            click.echo("the same command with --resume goes on", err=True)
        return NOT_DONE
    if len(lines) >= count:
        return DONE
    return NOT_DONE if is_over(stop) else FEWER


class _Kept:
    """How many of the lines are written, and when the last ones were."""

    def __init__(self, out: str, count: int) -> None:
        self._out, self._count, self._when = out, count, float("-inf")

    @property
    def is_due(self) -> bool:
        """Whether the file was written long enough ago."""
        return monotonic() >= self._when + LEAST_SECONDS

    def write(self, lines: Sequence[str]) -> None:
        """Write the lines that are not yet written, to a file with those before them."""
        if len(lines) == self._count:
            return
        new = lines[self._count :] if self._out == "-" else lines
        write_file(self._out, "".join(f"{line}\n" for line in new))
        self._count, self._when = len(lines), monotonic()


def _reported(
    made: Iterable[str], begun: int, count: int, tally: QuestionCounts, report: Report | None
) -> Iterator[str]:
    """The lines as they are made, with a bar on a terminal that is moved after each question too."""
    number = begun

    def show() -> None:
        if report is not None:
            report(f"{tally.asked} questions", number, count)

    tally.say = show
    for line in made:
        yield line
        number += 1
        show()
