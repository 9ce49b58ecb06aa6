"""``tetrasolve --game et-finem review``: review a game decision by decision: luck, skill and blunders."""

from __future__ import annotations

from functools import partial

import click

from tetrasolve.cli.common import echo_json, json_option, read_input, seconds_option, status_code, write_file
from tetrasolve.cli.searching import search_bar
from tetrasolve.errors import RecordError
from tetrasolve.finem.hint.advice import BUDGETS
from tetrasolve.finem.hint.plot import review_svg
from tetrasolve.finem.hint.review import review
from tetrasolve.finem.hint.text import review_lines
from tetrasolve.finem.record import read_record

REFUTED = 1


@click.command("review")
@click.argument("record")
@click.option("--budget", type=click.Choice(tuple(BUDGETS)), default="expectimax", help="How much to search.")
@click.option("--hint-seed", type=int, default=0, help="Seed of all sampled cards.")
@click.option("--svg", metavar="FILE", help="Draw the chance to win decision by decision (-: instead of text).")
@seconds_option
@json_option
def command(record: str, budget: str, hint_seed: int, svg: str | None, seconds: float | None, as_json: bool) -> int:
    """Review RECORD (a file, or -): the value of each decision, its loss against the best one, and the luck.

    All numbers are evaluations. Exit code 1 when a line of the record does not follow the rules, 3 when the time ran out.
    """
    try:
        game = read_record(read_input(record))
    except RecordError as error:
        click.echo(str(error))
        return REFUTED
    with search_bar() as report:
        progress = partial(report, "decisions") if report is not None else None
        found = review(game, budget=budget, seed=hint_seed, progress=progress, seconds=seconds)
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
