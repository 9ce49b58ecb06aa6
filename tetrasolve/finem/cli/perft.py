"""``tetrasolve --game et-finem perft``: count the sequences of options in a phase of actions."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option
from tetrasolve.finem.cli.positions import find_game, position_options
from tetrasolve.finem.perft import KERNEL, LONGEST, REFERENCE, perft


@click.command("perft")
@position_options
@click.argument("depth", type=click.IntRange(0, LONGEST))
@click.option("--divide", is_flag=True, help="Print the count for each first option.")
@click.option("--reference", is_flag=True, help="Count by the reference rules: slower, and with every reading.")
@seconds_option
@json_option
def command(
    position: str, seed: int | None, depth: int, divide: bool, reference: bool, seconds: float | None, as_json: bool
) -> None:
    """Count the sequences of DEPTH options in the phase of actions, and those that end the phase before.

    An option is an action, pass among them, a card that the Dictator draws, or where he goes with it.
    """
    found = perft(find_game(position, seed).position, depth, engine=REFERENCE if reference else KERNEL, seconds=seconds)
    if as_json:
        data = found.as_data()
        echo_json(data if divide else {name: value for name, value in data.items() if name != "divide"})
        return
    if divide:
        for option, count in found.by_option.items():
            click.echo(f"{count:>14,}  {option}")
    click.echo(f"{found.count:,}" if divide else str(found.count))
