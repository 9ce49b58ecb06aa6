"""``tetrasolve review``: review a game turn by turn: luck, skill and blunders."""

from __future__ import annotations

from functools import partial

import click

from tetrasolve.cli.common import echo_json, json_option, read_input, seconds_option, status_code, write_file
from tetrasolve.cli.searching import search_bar
from tetrasolve.errors import RecordError
from tetrasolve.tetrarchia.cli.positions import find_board
from tetrasolve.tetrarchia.hint.advice import BUDGETS
from tetrasolve.tetrarchia.hint.phasereview import FEWEST_PHASES, MOST_PHASES
from tetrasolve.tetrarchia.hint.plot import review_svg
from tetrasolve.tetrarchia.hint.review import review
from tetrasolve.tetrarchia.hint.text import review_lines
from tetrasolve.tetrarchia.record import read_record

REFUTED = 1


@click.command("review")
@click.argument("record")
@click.option("--board", metavar="FILE", help="A board file (default: the board of the library).")
@click.option("--budget", type=click.Choice(tuple(BUDGETS)), default="expectimax", help="How much to search.")
@click.option("--hint-seed", type=int, default=0, help="Seed of all sampled dice.")
@click.option(
    "--phases", type=click.IntRange(0, MOST_PHASES), default=0,
    help="Grade decisions in Barbarian phases too: roll the phase on so often after each option.",
)  # fmt: skip
@click.option("--svg", metavar="FILE", help="Draw the chance to win turn by turn (-: instead of text).")
@seconds_option
@json_option
def command(
    record: str,
    board: str | None,
    budget: str,
    hint_seed: int,
    phases: int,
    svg: str | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Review RECORD (a file, or -): the chance to win at each turn, the loss by choices, and the luck.

    All numbers are evaluations. Exit code 1 when a line of the record does not follow the rules.
    """
    if 0 < phases < FEWEST_PHASES:
        raise click.UsageError(f"--phases {phases}: expected 0, or at least {FEWEST_PHASES}")
    try:
        game = read_record(read_input(record), find_board(board))
    except RecordError as error:
        click.echo(str(error))
        return REFUTED
    with search_bar() as report:
        progress = partial(report, "turns" if not phases else "turns and decisions") if report is not None else None
        found = review(game, budget=BUDGETS[budget], seed=hint_seed, phases=phases, progress=progress, seconds=seconds)
    if svg is not None:
        write_file(svg, review_svg(found))
    if svg == "-":
        pass
    elif as_json:
        echo_json(found.as_data())
    else:
        for line in review_lines(found):
            click.echo(line)
    return status_code(found.status)
