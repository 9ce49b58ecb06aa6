"""``tetrasolve hint``: the best plans for a turn, with their chance to win the game, and why."""

from __future__ import annotations

from collections.abc import Iterator

import click

from tetrasolve.cli.common import echo_json, find_board, find_position, json_option, position_options
from tetrasolve.cli.plan import plan_lines
from tetrasolve.tetrarchia.hint.advice import BUDGETS, FEWEST_GAMES, TOP, Advice, Hint, hint
from tetrasolve.tetrarchia.hint.reasons import percent

CHANCES = {"p_lost": "the Empire falls", "p_uprising": "an uprising", "p_new_army": "a new army"}


@click.command("hint")
@position_options
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Stop after this time with what was found.")
@click.option("--top", type=click.IntRange(1, 100), default=TOP, show_default=True, help="How many plans.")
@click.option("--budget", type=click.Choice(tuple(BUDGETS)), default="search", help="How much is looked at.")
@click.option("--games", type=click.IntRange(0), default=0, help="Play so many games to their end from each plan.")
@click.option("--hint-seed", type=int, default=0, help="Seed of all sampled dice.")
@json_option
def command(
    position: str,
    seconds: float | None,
    top: int,
    budget: str,
    games: int,
    hint_seed: int,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> None:
    """The best plans for the active Emperor's turn, each with its chance to win the game and the reasons.

    Without --seconds the same question has the same answer each time. The chance to win is an opinion of the evaluation,
    with --games an estimate; the risk of the coming phase is exact.
    """
    if 0 < games < FEWEST_GAMES:
        raise click.UsageError(f"--games {games}: expected 0, or at least {FEWEST_GAMES}")
    table = find_position(position, find_board(board), seed, fleets)
    found = hint(table, seconds=seconds, top=top, seed=hint_seed, budget=budget, games=games)
    if as_json:
        echo_json(found.as_data())
        return
    for line in as_text(found):
        click.echo(line)


def as_text(found: Hint) -> Iterator[str]:
    """The hint as lines of text."""
    position = found.position
    name = next(emperor.name for emperor in position.board.emperors if emperor.id == position.to_move)
    yield f"{name}, {position.ip} IP ({found.turns:,} turns and {found.phases:,} phases looked at)"
    for rank, advice in enumerate(found.advice, start=1):
        yield ""
        loss = f", {100 * advice.loss:.1f} % behind the best" if rank > 1 else ""
        yield f"{rank}. wins {advice.win}{loss}"
        yield from plan_lines(position, advice.plan, "   ", 1)
        for reason in advice.reasons:
            yield f"   - {reason.text}"
        yield f"   coming phase: {_phase(advice)}"


def _phase(advice: Advice) -> str:
    """The chances of the coming phase; `--json` has them as fractions."""
    return ", ".join(f"{words} {percent(advice.prospects.figures[name])}" for name, words in CHANCES.items())
