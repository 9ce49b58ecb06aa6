"""What ``puzzle new`` of all games shares: each puzzle is written when it is made, with a bar and counts, and a file is resumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click

from tetrasolve.cli.common import write_file
from tetrasolve.cli.searching import Report, search_bar
from tetrasolve.exact.deadline import is_over
from tetrasolve.puzzles.making import QuestionCounts
from tetrasolve.stop import Stop

DONE, FEWER, NOT_DONE = 0, 1, 3  # exit codes

count_option = click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many puzzles.")
games_option = click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Games, at most.")
resume_option = click.option(
    "--resume", is_flag=True, help="Go on after the last puzzle of --out, with the same options."
)


def write_as_made(
    out: str, before: Sequence[str], made: Iterable[str], *, count: int, tally: QuestionCounts, stop: Stop | None
) -> int:
    """Write each line when it is made, after those before it, say how many there are, and give the exit code.

    :raises OutputError: when the file cannot be written.
    """
    lines, was_interrupted = [*before], False
    try:
        with search_bar() as report:
            for line in _reported(made, len(lines), count, tally, report):
                lines.append(line)
                write_file(out, f"{line}\n" if out == "-" else "".join(f"{line}\n" for line in lines))
    except KeyboardInterrupt:
        was_interrupted = True
    click.echo(f"{'interrupted: ' if was_interrupted else ''}{len(lines)} of {count} puzzles; {tally}", err=True)
    if was_interrupted:
        if out != "-":
            click.echo("the same command with --resume goes on", err=True)
        return NOT_DONE
    if len(lines) >= count:
        return DONE
    return NOT_DONE if is_over(stop) else FEWER


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
