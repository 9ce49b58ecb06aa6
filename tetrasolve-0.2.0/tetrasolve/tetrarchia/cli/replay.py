"""``tetrasolve replay``: verify a game record with the reference rules."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, read_input
from tetrasolve.errors import RecordError
from tetrasolve.tetrarchia.cli.positions import find_board
from tetrasolve.tetrarchia.record import read_record
from tetrasolve.tetrarchia.text import position_text

REFUTED = 1


@click.command("replay")
@click.argument("record")
@click.option("--board", metavar="FILE", help="A board file (default: the board of the library).")
@json_option
def command(record: str, board: str | None, as_json: bool) -> int:
    """Replay RECORD (a file, or -); exit code 1 when a line of it does not follow the rules."""
    try:
        game = read_record(read_input(record), find_board(board))
    except RecordError as error:
        if as_json:
            echo_json({"verified": False, "line": error.line, "problem": error.problem})
        else:
            click.echo(str(error))
        return REFUTED
    phases = sum(1 for played in game.played if played.action is None)
    if as_json:
        data = {"verified": True, "result": game.result, "phases": phases, "position": str(game.position)}
        echo_json(data)
        return 0
    click.echo(f"verified: {len(game.played) - phases} actions, {phases} Barbarian phases, {game.result}")
    click.echo(position_text(game.position))
    return 0
