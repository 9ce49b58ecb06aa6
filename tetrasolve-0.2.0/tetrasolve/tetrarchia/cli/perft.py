"""``tetrasolve perft``: count the sequences of actions of a Roman phase."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option
from tetrasolve.exact.deadline import answering, stop_of
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options

DEEPEST = 30  # a turn is shorter: 6 IP, and only entering is free


@click.command("perft")
@position_options
@click.argument("depth", type=click.IntRange(0, DEEPEST))
@click.option("--divide", is_flag=True, help="Print the count for each first action.")
@seconds_option
@json_option
def command(
    position: str,
    depth: int,
    divide: bool,
    seconds: float | None,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> None:
    """Count the sequences of exactly DEPTH actions of the active Emperor.

    Entering the board is an action, each possible outcome of an attack is one, ending the turn is not.
    """
    found = find_position(position, find_board(board), seed, fleets)
    kernel, state = fast.kernel_of(found), fast.to_state(found)
    stop = stop_of(seconds)
    with answering(f"perft {depth}"):
        split = kernel.divide(state, depth, stop=stop) if divide and depth else []
        parts = [(str(fast.to_action(code, found.board)), count) for code, count in split]
        total = sum(count for _, count in parts) if parts else kernel.perft(state, depth, stop=stop)
    if as_json:
        echo_json(
            {"position": str(found), "depth": depth, "count": total} | ({"divide": dict(parts)} if divide else {})
        )
        return
    for action, count in parts:
        click.echo(f"{count:>14,}  {action}")
    click.echo(f"{total:,}" if divide else str(total))
