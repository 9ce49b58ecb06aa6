"""``tetrasolve --game et-finem risk``: how the turn, or its current phase, ends for a stated policy, in exact fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import click

from tetrasolve.cli.common import console, echo_json, json_option, seconds_option, status_code, write_file
from tetrasolve.exact.certainty import fraction_data
from tetrasolve.finem.cli.positions import find_game, position_options
from tetrasolve.finem.draw import picture
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import WON, Position
from tetrasolve.finem.risk import PhaseRisk, phase_risk
from tetrasolve.tables import titled

if TYPE_CHECKING:
    from tetrasolve.finem.turnrisk import TurnRisk

BEST = "best"  # the policy of `tetrasolve.finem.bestturn`


@click.command("risk")
@position_options
@click.option(
    "--policy",
    type=click.Choice([*POLICIES, BEST]),
    default="careful",
    show_default=True,
    help="Who decides inside the phases: by a rule for each decision (careful; greedy with --phase), the first option, or as well "
    "as possible (best).",
)
@click.option(
    "--objective",
    help="With --policy best: p_lost (default), p_won, outbreaks, or weights like 'cubes=-1 die:O=2 lost=-60'; 'most' or 'least' "
    "before it says which.",
)
@click.option(
    "--cards", help="With --policy best: the next cards, as O5,E7; the line has the best decisions between them."
)
@click.option("--phase", is_flag=True, help="The current phase alone, by the reference rules.")
@click.option(
    "--by-card",
    is_flag=True,
    help="The chance to lose by each card, the worst first; with --phase the chance to lose if it comes next.",
)
@click.option(
    "--svg",
    metavar="FILE",
    help="Draw the table with the chance to lose by each card, as --by-card (-: instead of text).",
)
@seconds_option
@json_option
def command(
    position: str,
    seed: int | None,
    policy: str,
    objective: str | None,
    cards: str | None,
    phase: bool,
    by_card: bool,
    svg: str | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """How the turn ends, with the causes of losses; in the phase of actions, if the player passes now.

    With --policy best: the value that the best decisions reach, beside stated policies, and the decisions.

    Exit code 3: the time ran out. Each chance is then the interval in which it lies; --json has its lower end, and `unknown`.
    """
    if policy != BEST and (objective is not None or cards is not None):
        raise click.UsageError("--objective and --cards go with --policy best")
    if policy == BEST and phase:
        raise click.UsageError("--policy best follows the turn; it does not go with --phase")
    if svg is not None and (phase or policy == BEST):
        raise click.UsageError(
            "--svg draws the turn for a stated policy; it goes neither with --phase nor with --policy best"
        )
    found = find_game(position, seed).position
    if policy == BEST:
        from tetrasolve.finem.cli.riskbest import answer

        return answer(found, objective or "p_lost", cards or "", by_card=by_card, seconds=seconds, as_json=as_json)
    if not phase:
        return _turn(found, policy, by_card, svg, seconds, as_json)
    risk = phase_risk(found, policy, by_card=by_card, seconds=seconds)
    if as_json:
        echo_json(_phase_data(risk))
    else:
        _print(f"{risk.phase}, policy {risk.policy}: {risk.status}", _phase_rows(risk), risk.unknown)
    return status_code(risk.status)


def _turn(position: Position, policy: str, by_card: bool, svg: str | None, seconds: float | None, as_json: bool) -> int:
    from tetrasolve.finem.turnrisk import POLICIES as TURN_POLICIES
    from tetrasolve.finem.turnrisk import turn_risk

    if policy not in TURN_POLICIES:
        raise click.UsageError(
            f"--policy {policy} goes with --phase: it decides on actions, and a turn is followed from where they end"
        )
    risk = turn_risk(position, policy, seconds=seconds)
    if svg is not None:
        write_file(svg, picture(position, risk.by_card, "loses by this card" + (", at least" if risk.unknown else "")))
        if svg == "-":
            return status_code(risk.status)
    if as_json:
        echo_json(risk.as_data())
    else:
        _print(f"turn, policy {risk.policy}: {risk.status}", _turn_rows(risk, by_card), risk.unknown)
    return status_code(risk.status)


def _print(title: str, rows: Mapping[str, Fraction], unknown: Fraction) -> None:
    """A table; where something is unknown each chance is the interval in which it lies, rounded outwards."""
    table = titled(title, padded=False)
    for name, weight in rows.items():
        if unknown:
            least, most = floor(weight * 10_000), min(ceil((weight + unknown) * 10_000), 10_000)
            table.add_row(name, "", f"{least / 10_000:.4f} to {most / 10_000:.4f}")
        else:
            table.add_row(name, _short(weight), f"{float(weight):.4f}")
    if unknown:
        table.add_row("not followed", _short(unknown), f"{float(unknown):.4f}")
    console().print(table)


def _short(weight: Fraction) -> str:
    """A fraction, if it is short enough to be read; `--json` has all of them."""
    text = str(weight)
    return text if len(text) <= LONGEST else ""


LONGEST = 24  # characters of a fraction in a table


def _results(found: PhaseRisk | TurnRisk) -> dict[str, Fraction]:
    rows: dict[str, Fraction] = {"lost": found.p_lost, "won": found.p_won}
    return rows | {result: weight for result, weight in found.ends.items() if result != WON}


def _tracks(found: PhaseRisk | TurnRisk) -> dict[str, Fraction]:
    rows = {f"goes on, outbreaks {value}": weight for value, weight in found.outbreaks.items()}
    return rows | {f"goes on, decline {value}": weight for value, weight in found.decline.items()}


def _phase_rows(found: PhaseRisk) -> dict[str, Fraction]:
    by_card = {f"lost, if {card} comes": weight for card, weight in found.by_card.items()}
    return _results(found) | _tracks(found) | by_card


def _turn_rows(found: TurnRisk, by_card: bool) -> dict[str, Fraction]:
    worst = [found.worst_card] if found.worst_card else []
    rows = _results(found)
    rows |= {f"lost by {card}": found.by_card[card] for card in (found.by_card if by_card else worst)}
    rows |= _tracks(found)
    rows |= {f"goes on, {tribe} pacified": weight for tribe, weight in found.pacified.items() if weight}
    for tribe in TRIBES:
        for name, values in (("die", found.dice[tribe]), ("cubes", found.cubes[tribe])):
            mean = found.mean(values)
            rows |= {} if mean is None else {f"goes on, mean {name} of {tribe}": mean}
    return rows


def _chances(weights: Mapping[Any, Fraction]) -> dict[str, Any]:
    return {str(value): fraction_data(weight) for value, weight in weights.items()}


def _data(found: PhaseRisk | TurnRisk) -> dict[str, Any]:
    """What the figures of a phase and of a turn share."""
    return {
        "status": found.status,
        "policy": found.policy,
        "p_lost": fraction_data(found.p_lost),
        "p_won": fraction_data(found.p_won),
        "ends": _chances(found.ends),
        "by_card": _chances(found.by_card),
        "outbreaks": _chances(found.outbreaks),
        "decline": _chances(found.decline),
        "unknown": fraction_data(found.unknown),
    }


def _phase_data(found: PhaseRisk) -> dict[str, Any]:
    return _data(found) | {"phase": str(found.phase)}
