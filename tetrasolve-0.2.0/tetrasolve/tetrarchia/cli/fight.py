"""``tetrasolve fight``: the exact chances of attacks on armies, and of waiting for them."""

from __future__ import annotations

from fractions import Fraction

import click

from tetrasolve.cli.common import console, echo_json, json_option, seconds_option, status_code
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.cli.price import PRICE
from tetrasolve.tetrarchia.risk.combat import BEST, DECLINE, fight
from tetrasolve.tetrarchia.risk.text import fight_parts
from tetrasolve.tetrarchia.rules import POLICIES
from tetrasolve.tetrarchia.service.data import fights_data


@click.command("fight")
@position_options
@click.option(
    "--decide",
    "policy",
    type=click.Choice([*POLICIES, BEST]),
    default=DECLINE,
    help="With Imperium or Barbaria: the policy for the choices of the phase (default: decline).",
)
@click.option("--objective", help="With --decide best: what the players aim at, as in risk (default: p_lost).")
@click.option("--price", type=PRICE, help="With --decide best: what each disc costs who spends it (default: 0).")
@seconds_option
@json_option
def command(
    position: str,
    policy: str,
    objective: str | None,
    price: Fraction | None,
    seconds: float | None,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """The exact chances of fighting each army now, from each province, with each support, and of waiting for its attack.

    The Dux fights too while he is on the board, and the Pirates can be fought. Combat values are those of this position with
    the leader moved and nothing else done.
    """
    if policy != BEST and (objective is not None or price is not None):
        raise click.UsageError("--objective and --price go with --decide best")
    found = fight(
        find_position(position, find_board(board), seed, fleets),
        policy=policy,
        objective=objective,
        price=price or 0,
        seconds=seconds,
    )
    code = status_code(found.status)
    if as_json:
        echo_json(fights_data(found))
        return code
    screen = console()
    for part in fight_parts(found):
        screen.print(part)
    return code
