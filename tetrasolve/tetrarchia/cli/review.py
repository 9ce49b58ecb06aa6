"""``tetrasolve review``: a game looked through, turn by turn: luck and skill apart, blunders marked."""

from __future__ import annotations

from functools import partial

import click

from tetrasolve.cli.common import echo_json, json_option, read_input, seconds_option, status_code, write_file
from tetrasolve.cli.searching import search_bar
from tetrasolve.errors import RecordError
from tetrasolve.tetrarchia.cli.positions import find_board
from tetrasolve.tetrarchia.hint.advice import BUDGETS
from tetrasolve.tetrarchia.hint.plot import review_svg
from tetrasolve.tetrarchia.hint.review import review
from tetrasolve.tetrarchia.hint.text import review_lines
from tetrasolve.tetrarchia.record import read_record

REFUTED = 1


@click.command("review")
@click.argument("record")
@click.option("--board", metavar="FILE", help="Another board file.")
@click.option("--budget", type=click.Choice(tuple(BUDGETS)), default="expectimax", help="How much is looked at.")
@click.option("--hint-seed", type=int, default=0, help="Seed of all sampled dice.")
@click.option("--svg", metavar="FILE", help="Draw the chance to win turn by turn (-: instead of text).")
@seconds_option
@json_option
def command(
    record: str,
    board: str | None,
    budget: str,
    hint_seed: int,
    svg: str | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Look through RECORD (a file, or -): the chance to win at each turn, what was lost by choice, what came by luck.

    All numbers are opinions of the evaluation. Exit code 1 when a line of the record does not follow the rules.
    """
    try:
        game = read_record(read_input(record), find_board(board))
    except RecordError as error:
        click.echo(str(error))
        return REFUTED
    with search_bar() as told:
        progress = partial(told, "turns") if told is not None else None
        found = review(game, budget=BUDGETS[budget], seed=hint_seed, progress=progress, seconds=seconds)
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
