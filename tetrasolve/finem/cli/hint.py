"""``tetrasolve --game et-finem hint``: the best plans for the actions, with their chance to win the game, and reasons."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option, status_code
from tetrasolve.finem.cli.positions import find_game, position_options
from tetrasolve.finem.hint.advice import BUDGETS, MOST_TOP, TOP, hint
from tetrasolve.finem.hint.comparison import compare
from tetrasolve.finem.hint.text import hint_lines


@click.command("hint")
@position_options
@seconds_option
@click.option("--top", type=click.IntRange(1, MOST_TOP), default=TOP, show_default=True, help="Number of plans.")
@click.option("--budget", type=click.Choice(tuple(BUDGETS)), default="search", help="How much to search.")
@click.option("--hint-seed", type=int, default=0, help="Seed of all sampled cards.")
@click.option(
    "--compare",
    "plan",
    metavar="PLAN",
    help="Why not this plan (options with ; or , between): compare it with the best one.",
)
@json_option
def command(
    position: str,
    seed: int | None,
    seconds: float | None,
    top: int,
    budget: str,
    hint_seed: int,
    plan: str | None,
    as_json: bool,
) -> int:
    """The best plans for the rest of the actions, or the best options of another decision, with reasons.

    Without --seconds the answer is reproducible. The chance to win is an evaluation, calibrated by fresh games; how this turn
    ends is exact. Exit code 3: the time ran out, and the answer is the best so far.

    With --compare the answer is about one plan: the gap to the best one, both with the same cards, the exact chances of the turn,
    and the card that costs most.
    """
    if plan is not None:
        if top != TOP:
            raise click.UsageError("--compare does not go with --top")
        table = find_game(position, seed).position
        compared = compare(table, plan, seconds=seconds, seed=hint_seed, budget=budget)
        if as_json:
            echo_json(compared.as_data())
        else:
            click.echo(str(compared))
        return status_code(compared.status)
    found = hint(find_game(position, seed).position, seconds=seconds, top=top, seed=hint_seed, budget=budget)
    if as_json:
        echo_json(found.as_data())
    else:
        for line in hint_lines(found):
            click.echo(line)
    return status_code(found.status)
