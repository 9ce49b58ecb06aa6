"""``tetrasolve ends``: count the positions in which the turn can end."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option
from tetrasolve.exact.deadline import answering, check, stop_of
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options


@click.command("ends")
@position_options
@click.option("--list", "listed", is_flag=True, help="Print the positions, one a line.")
@seconds_option
@json_option
def command(
    position: str,
    listed: bool,
    seconds: float | None,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> None:
    """Count the distinct positions in which the active Emperor may end his turn, or the game is won, without an attack.

    Positions that differ only in the IP left count once.
    """
    found = find_position(position, find_board(board), seed, fleets)
    kernel, state = fast.kernel_of(found), fast.to_state(found)
    ends: list[str] = []
    stop = stop_of(seconds)
    with answering("the ends of the turn"):
        if listed:
            for end_state in kernel.end_states(state, stop=stop):
                check(stop)
                ends.append(str(fast.to_position(end_state, found.board, found.ruleset)))
            ends.sort()
        count = len(ends) if listed else kernel.ends(state, stop=stop)
    if as_json:
        echo_json({"position": str(found), "ends": count} | ({"positions": ends} if listed else {}))
        return
    for end in ends:
        click.echo(end)
    if not listed:
        click.echo(str(count))
