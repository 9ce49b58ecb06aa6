"""``tetrasolve hint``: the best plans for a turn, with their chance to win the game, and reasons."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option, status_code
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.hint.advice import BUDGETS, FEWEST_GAMES, TOP, hint
from tetrasolve.tetrarchia.hint.choices import ChoiceAdvice, advise_on_phase, is_about_phase
from tetrasolve.tetrarchia.hint.comparison import Comparison, compare
from tetrasolve.tetrarchia.hint.text import hint_lines
from tetrasolve.tetrarchia.rules.choices import read_course


@click.command("hint")
@position_options
@seconds_option
@click.option("--top", type=click.IntRange(1, 100), default=TOP, show_default=True, help="Number of plans.")
@click.option("--budget", type=click.Choice(tuple(BUDGETS)), default="search", help="How much to search.")
@click.option("--games", type=click.IntRange(0), default=0, help="Play this many games to their end from each plan.")
@click.option("--hint-seed", type=int, default=0, help="Seed of all sampled dice.")
@click.option("--compare", "plan", metavar="PLAN", help="Why not this plan: compare it with the best one.")
@click.option(
    "--faces", metavar="COURSE", help="Dice and answers of the phase so far, as in a record: the choice after them."
)
@json_option
def command(
    position: str,
    seconds: float | None,
    top: int,
    budget: str,
    games: int,
    hint_seed: int,
    plan: str | None,
    faces: str | None,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """The best plans for the active Emperor's turn, each with its chance to win the game and the reasons.

    Without --seconds the answer is reproducible. The chance to win is an evaluation, with --games an estimate; the risk of
    the coming phase is exact. In a Barbarian phase with Barbaria or Imperium the answer is about the options of the choice with
    which it begins, or that comes after --faces.

    With --compare the answer is about one plan: the gap to the best one, what it gives up, the figures of both, and what
    refutes it.
    """
    if 0 < games < FEWEST_GAMES:
        raise click.UsageError(f"--games {games}: expected 0, or at least {FEWEST_GAMES}")
    table = find_position(position, find_board(board), seed, fleets)
    if faces is not None or is_about_phase(table):
        if plan is not None or games or top != TOP:
            raise click.UsageError(
                "--compare, --games and --top are about a turn: they do not go with a choice of a phase"
            )
        course = read_course(faces or "")
        return _show(advise_on_phase(table, course, seed=hint_seed, seconds=seconds), as_json=as_json)
    if plan is not None:
        if games or top != TOP:
            raise click.UsageError("--compare does not go with --games or --top")
        return _show(compare(table, plan, seconds=seconds, seed=hint_seed, budget=budget), as_json=as_json)
    found = hint(table, seconds=seconds, top=top, seed=hint_seed, budget=budget, games=games)
    if as_json:
        echo_json(found.as_data())
        return status_code(found.status)
    for line in hint_lines(found):
        click.echo(line)
    return status_code(found.status)


def _show(found: Comparison | ChoiceAdvice, *, as_json: bool) -> int:
    if as_json:
        echo_json(found.as_data())
    else:
        click.echo(str(found))
    return status_code(found.status)
