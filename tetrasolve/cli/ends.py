"""``tetrasolve ends``: in how many positions the turn can end."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, find_board, find_position, json_option, position_options
from tetrasolve.tetrarchia import fast


@click.command("ends")
@position_options
@click.option("--list", "listed", is_flag=True, help="Write the positions themselves, one a line.")
@json_option
def command(
    position: str, listed: bool, as_json: bool, board: str | None, seed: int | None, fleets: str | None
) -> None:
    """Count the distinct positions in which the active Emperor may end his turn, or the game is won, without an attack.

    IP left over are not counted as a difference.
    """
    found = find_position(position, find_board(board), seed, fleets)
    kernel, state = fast.kernel_of(found), fast.to_state(found)
    ends: list[str] = []
    if listed:
        ends = sorted(str(fast.to_position(end, found.board, found.ruleset)) for end in kernel.end_states(state))
    count = len(ends) if listed else kernel.ends(state)
    if as_json:
        echo_json({"position": str(found), "ends": count} | ({"positions": ends} if listed else {}))
        return
    for end in ends:
        click.echo(end)
    if not listed:
        click.echo(str(count))
