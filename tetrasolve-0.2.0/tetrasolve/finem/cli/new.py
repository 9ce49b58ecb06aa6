"""``tetrasolve --game et-finem new``: set up a game."""

from __future__ import annotations

import click

from tetrasolve.cli.common import write_file
from tetrasolve.finem.game import new_game
from tetrasolve.finem.position import Result
from tetrasolve.finem.record import write_record
from tetrasolve.finem.ruleset import Ruleset

REFUTED = 1


@click.command("new")
@click.argument("level")
@click.option("--seed", type=int, required=True, help="Seed of the set-up.")
@click.option(
    "--form", type=click.Choice(["json", "line", "record"]), default="json", show_default=True, help="Output form."
)
@click.option("--json", "form", flag_value="json", help="As --form json.")
@click.option("--out", metavar="FILE", default="-", help="Output file (default: standard output).")
def command(level: str, seed: int, form: str, out: str) -> int:
    """Set up a game of LEVEL: introductory, standard, or expert with an option, like expert+sphere.

    Readings follow a question mark, the cards of another map an @: introductory?E-PACIFY=action. Exit code 1: the set-up
    has lost the game [E-FULL]; there is no position, and only --form record writes it.
    """
    game = new_game(Ruleset.from_text(level), seed)
    start = game.start
    if form == "record":
        write_file(out, write_record(game))
    elif isinstance(start, Result):
        click.echo(f"the set-up of seed {seed} has lost the game: {start}", err=True)
    else:
        write_file(out, (str(start) if form == "line" else start.to_json()).rstrip("\n") + "\n")
    return REFUTED if isinstance(start, Result) else 0
