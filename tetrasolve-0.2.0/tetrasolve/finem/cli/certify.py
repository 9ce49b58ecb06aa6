"""``tetrasolve --game et-finem certify``: write a certificate that the actions of a turn are the best."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option, writing
from tetrasolve.finem.certificate import FIELDS, certify
from tetrasolve.finem.cli.positions import find_game, position_options


@click.command("certify")
@position_options
@click.option(
    "--objective",
    "-o",
    required=True,
    help="What to aim at when the actions end: weights like 'cubes=-1 pacified=8 won=500'.",
)
@click.option(
    "--out", metavar="FILE", required=True, help="The file; .xz or .gz compress it (-: standard output, as text)."
)
@seconds_option
@json_option
def command(position: str, seed: int | None, objective: str, out: str, seconds: float | None, as_json: bool) -> int:
    """Prove that no actions of this turn are better, and write the claim to a file.

    The objective is looked at when the actions end, before a card of the campaign is drawn. The checker counts all sequences again:
    `tetrasolve --game et-finem check FILE`.
    """
    found = certify(find_game(position, seed).position, objective, seconds=seconds)
    if out == "-":
        click.echo(found.text(), nl=False)
        return 0
    with writing(out):
        found.write(out)
    if as_json:
        echo_json({name: found.field(name) for name in FIELDS} | {"file": out})
        return 0
    click.echo(f"no actions are better than: {found.field('actions')}")
    click.echo(f"{found.field('objective')}: {found.field('value')}")
    click.echo(f"{out}: check it with: tetrasolve --game et-finem check {out}")
    return 0
