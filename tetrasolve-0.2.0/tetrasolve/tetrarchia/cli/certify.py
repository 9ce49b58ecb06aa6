"""``tetrasolve certify``: write a certificate that a turn plan is optimal."""

from __future__ import annotations

from fractions import Fraction

import click

from tetrasolve.certify.form import Certificate
from tetrasolve.cli.common import echo_json, json_option, seconds_option, writing
from tetrasolve.exact.certainty import fraction_data
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.plan import read_attacks, read_objective
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.plan.objective import Objective, natural
from tetrasolve.tetrarchia.plan.task import DICE


@click.command("certify")
@position_options
@click.option("--objective", "-o", required=True, help="The objective, as for plan, without terms of the next phase.")
@click.option(
    "--attacks",
    default=DICE,
    help="dice (all policies), none, or the stated outcome of each, like victory@narbonensis.",
)
@click.option(
    "--out", metavar="FILE", required=True, help="The file; .xz or .gz compress it (-: standard output, as text)."
)
@seconds_option
@json_option
def command(
    position: str,
    objective: str,
    attacks: str,
    out: str,
    seconds: float | None,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """Prove that no plan for the active Emperor's turn is better, and write the proof to a file.

    The file lists every state of the turn with its value; with modules, variants or rebels it has the claim alone, and the
    checker counts the states again. `tetrasolve check` verifies it, as does the stand-alone checker, which requires only Python.
    """
    table = find_position(position, find_board(board), seed, fleets)
    wanted = read_objective(objective, table.board)
    certificate = certify(table, wanted, read_attacks(attacks, table.board), seconds=seconds)
    if out == "-":
        click.echo(certificate.text(), nl=False)
        return 0
    with writing(out):
        certificate.write(out)
    if as_json:
        echo_json(as_data(certificate, wanted, out))
        return 0
    click.echo(f"no plan is better than: {certificate.field('plan')}")
    for name, value in values(certificate, wanted):
        click.echo(f"{name}: {value}")
    sizes = {name: f"{len(lines):,} {name}" for name, lines in certificate.sections}
    proof = f"{sizes['states']} of {sizes['tables']}" if sizes else "the claim, which the checker counts again"
    click.echo(f"{out}: {proof}; check it with: tetrasolve check {out}")
    return 0


def values(certificate: Certificate, objective: Objective) -> list[tuple[str, Fraction]]:
    """The proved values by name, as text; the chance of meeting the constraint first, if there is one."""
    numbers = [Fraction(word) for word in certificate.field("optimum").split()]
    kept = [(f"subject to {objective.constraint}", numbers.pop(0))] if objective.constraint else []
    return kept + [(str(term), natural(term, number)) for term, number in zip(objective.terms, numbers, strict=True)]


def as_data(certificate: Certificate, objective: Objective, path: str) -> dict[str, object]:
    """The certified claim as JSON data."""
    return {
        **{name: certificate.field(name) for name in ("position", "objective", "attacks", "plan")},
        "values": [{"term": name} | fraction_data(value) for name, value in values(certificate, objective)],
        **{name: len(lines) for name, lines in reversed(certificate.sections)},
        "file": path,
    }
