"""``tetrasolve --game et-finem risk``: how the current phase ends for a stated policy, in exact fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import click

from tetrasolve.cli.common import console, echo_json, exact, json_option, seconds_option, status_code
from tetrasolve.finem.cli.positions import find_game, position_options
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.risk import PhaseRisk, phase_risk
from tetrasolve.tables import titled


@click.command("risk")
@position_options
@click.option(
    "--policy",
    type=click.Choice([*POLICIES]),
    default="careful",
    show_default=True,
    help="Who decides inside the phase: by a rule for each decision (careful, greedy), or the first option always.",
)
@click.option("--by-card", is_flag=True, help="The chance to lose for each card that can come next, the worst first.")
@seconds_option
@json_option
def command(position: str, seed: int | None, policy: str, by_card: bool, seconds: float | None, as_json: bool) -> int:
    """How the phase ends; in the phase of actions, the campaign that follows if the player passes.

    Exit code 3: the time ran out. Each chance then lies between what is printed and that plus the part not followed.
    """
    found = phase_risk(find_game(position, seed).position, policy, by_card=by_card, seconds=seconds)
    if as_json:
        echo_json(_data(found))
        return status_code(found.status)
    table = titled(f"{found.phase}, policy {found.policy}: {found.status}", padded=False)
    rows: dict[str, Fraction] = {"lost": found.p_lost, "won": found.p_won}
    rows |= {result: weight for result, weight in found.ends.items() if result != "won"}
    rows |= {f"goes on, outbreaks {value}": weight for value, weight in found.outbreaks.items()}
    rows |= {f"goes on, decline {value}": weight for value, weight in found.decline.items()}
    rows |= {"not followed": found.unknown} if found.unknown else {}
    rows |= {f"lost, if {card} comes": weight for card, weight in found.by_card.items()}
    for name, weight in rows.items():
        table.add_row(name, str(weight), f"{float(weight):.4f}")
    console().print(table)
    return status_code(found.status)


def _data(found: PhaseRisk) -> dict[str, Any]:
    def chances(weights: Mapping[Any, Fraction]) -> dict[str, Any]:
        return {str(value): exact(weight) for value, weight in weights.items()}

    return {
        "status": found.status,
        "phase": str(found.phase),
        "policy": found.policy,
        "p_lost": exact(found.p_lost),
        "p_won": exact(found.p_won),
        "ends": chances(found.ends),
        "outbreaks": chances(found.outbreaks),
        "decline": chances(found.decline),
        "unknown": exact(found.unknown),
        "by_card": chances(found.by_card),
    }
