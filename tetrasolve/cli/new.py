"""``tetrasolve new``: set up a game."""

from __future__ import annotations

import click

from tetrasolve.cli.common import PositionError, find_board, write_file, zones_of
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.record import write_record
from tetrasolve.tetrarchia.rules import fleet_choices, set_up
from tetrasolve.tetrarchia.rules.chance import GivenDice
from tetrasolve.tetrarchia.ruleset import Ruleset


@click.command("new")
@click.argument("level")
@click.option("--seed", type=int, required=True, help="Seed of the set-up dice.")
@click.option("--fleets", metavar="ZONES", help="Zones of the fleets, like 23 (default: drawn from the seed).")
@click.option("--all-fleets", is_flag=True, help="The same dice with every choice of zones.")
@click.option("--board", metavar="FILE", help="Another board file.")
@click.option(
    "--form", type=click.Choice(["json", "line", "record"]), default="json", show_default=True, help="How to write it."
)
@click.option("--json", "form", flag_value="json", help="As --form json.")
@click.option("--out", metavar="FILE", default="-", help="Where to write it (default: standard output).")
def command(
    level: str, seed: int, fleets: str | None, all_fleets: bool, board: str | None, form: str, out: str
) -> None:
    """Set up a game of LEVEL, like 4211, with the rulebook's dice."""
    map_, ruleset = find_board(board), Ruleset.from_text(level)
    game = new_game(ruleset, seed, zones_of(fleets), map_)
    if not all_fleets:
        text = write_record(game) if form == "record" else str(game.start) if form == "line" else game.start.to_json()
        write_file(out, text.rstrip("\n") + "\n")
        return
    if form != "line":
        raise PositionError("--all-fleets writes one position a line: use it with --form line")
    assert game.set_up is not None
    faces = game.set_up.faces
    lines = [str(set_up(ruleset, zones, GivenDice(faces), map_)) for zones in fleet_choices(ruleset, map_)]
    write_file(out, "\n".join(lines) + "\n")
