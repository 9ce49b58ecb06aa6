"""``tetrasolve review``: a game looked through, turn by turn: luck and skill apart, blunders marked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import click

from tetrasolve.cli.common import echo_json, find_board, json_option, read_input, write_file
from tetrasolve.cli.searching import search_bar
from tetrasolve.errors import RecordError
from tetrasolve.tetrarchia.hint.advice import BUDGETS
from tetrasolve.tetrarchia.hint.plot import review_svg
from tetrasolve.tetrarchia.hint.review import Review, review
from tetrasolve.tetrarchia.record import read_record

REFUTED = 1


@click.command("review")
@click.argument("record")
@click.option("--board", metavar="FILE", help="Another board file.")
@click.option("--budget", type=click.Choice(tuple(BUDGETS)), default="expectimax", help="How much is looked at.")
@click.option("--hint-seed", type=int, default=0, help="Seed of all sampled dice.")
@click.option("--svg", metavar="FILE", help="Draw the chance to win turn by turn (-: instead of text).")
@json_option
def command(record: str, board: str | None, budget: str, hint_seed: int, svg: str | None, as_json: bool) -> int:
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
        found = review(game, budget=BUDGETS[budget], seed=hint_seed, progress=progress)
    if svg is not None:
        write_file(svg, review_svg(found))
    if svg == "-":
        pass
    elif as_json:
        echo_json(found.as_data())
    else:
        for line in as_text(found):
            click.echo(line)
    return 0


def as_text(found: Review) -> Iterator[str]:
    """The review as lines of text."""
    yield f"{found.result}; lost by choice {_share(found.loss)}, by luck {_share(found.luck, signed=True)} (evaluation)"
    yield ""
    yield "turn  emperor       before   lost    luck"
    for turn in found.turns:
        yield (
            f"{turn.number:>4}  {turn.emperor:<12}  {_share(turn.before)}  {_share(turn.loss)}  {_share(turn.luck, signed=True)}"
        )
        for decision in turn.decisions:
            if decision.grade:
                yield f"      {decision.grade}: {'; '.join(decision.played)}"
                yield f"      better: {decision.best}"


def _share(chance: float, *, signed: bool = False) -> str:
    return f"{100 * chance:+5.1f} %" if signed else f"{100 * chance:5.1f} %"
