"""``tetrasolve fight``: the exact chances of attacks on armies, and of waiting for them."""

from __future__ import annotations

from fractions import Fraction

import click

from tetrasolve.cli.common import console, echo_json, exact, json_option, seconds_option, status_code
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.cli.price import PRICE
from tetrasolve.tetrarchia.risk.combat import BEST, DECLINE, Attack, Chances, Fight, Waiting, fight
from tetrasolve.tetrarchia.risk.text import fight_parts
from tetrasolve.tetrarchia.rules import POLICIES


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
        fights = [_data(seen) for seen in found.fights]
        policy_data = {"policy": found.policy} if found.policy else {}
        if found.wanted is not None:
            policy_data |= {"objective": str(found.wanted), "price": str(found.price)}
        echo_json({"position": str(found.position), "status": found.status, **policy_data, "fights": fights})
        return code
    screen = console()
    for part in fight_parts(found):
        screen.print(part)
    return code


def _data(fight: Fight) -> dict[str, object]:
    return {
        "army": fight.army,
        **({} if fight.fleet is None else {"fleet": fight.fleet}),
        "attacks": [_attack_data(attack) for attack in fight.attacks],
        "waiting": None if fight.waiting is None else _waiting_data(fight.waiting),
        **({} if fight.dux_waiting is None else {"dux_waiting": _waiting_data(fight.dux_waiting)}),
    }


def _attack_data(attack: Attack) -> dict[str, object]:
    return {
        "leader": attack.leader,
        "from": attack.origin,
        "ip_to_be_there": attack.ip_to_be_there,
        "ip_to_attack": attack.ip_to_attack,
        "values": str(attack.battle),
        "chances": _chances_data(attack.chances),
        "with_support": [_chances_data(chances) for chances in attack.with_support],
        **({"with_discs": [_chances_data(chances) for chances in attack.with_discs]} if attack.with_discs else {}),
    }


def _waiting_data(waiting: Waiting) -> dict[str, object]:
    return {
        "in": waiting.place,
        "ip_to_be_there": waiting.ip_to_be_there,
        "values": str(waiting.battle),
        "arrives": exact(waiting.arrives),
        "chances": _chances_data(waiting.chances),
        "exact": _exact_data(waiting),
        **({"is_too_large": True} if waiting.is_too_large else {}),
    }


def _exact_data(waiting: Waiting) -> dict[str, object] | None:
    if waiting.exact is None or waiting.no_battle is None:
        return None
    return _chances_data(waiting.exact) | {"no_battle": exact(waiting.no_battle)}


def _chances_data(chances: Chances) -> dict[str, object]:
    return {str(outcome): exact(chance) for outcome, chance in chances.items()}
