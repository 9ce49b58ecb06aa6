"""``tetrasolve --game et-finem show``: print, draw or convert a position, with every reason why it cannot occur."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, write_file
from tetrasolve.finem import rules
from tetrasolve.finem.cli.positions import find_game, position_options
from tetrasolve.finem.draw import picture
from tetrasolve.finem.jsonform import to_data
from tetrasolve.finem.text import position_text

REFUTED = 1


@click.command("show")
@position_options
@click.option("--svg", metavar="FILE", help="Draw it (-: instead of text).")
@click.option("--actions", is_flag=True, help="List what can come too: the decisions, or the cards of the deck.")
@json_option
def command(position: str, seed: int | None, svg: str | None, actions: bool, as_json: bool) -> int:
    """Show a position; exit code 1 when it cannot occur, with every reason."""
    found = find_game(position, seed).position
    reasons = found.status()
    if svg is not None:
        write_file(svg, picture(found))
        if svg == "-":
            return REFUTED if reasons else 0
    node = rules.node(found) if actions and not reasons else None
    if as_json:
        listed = [{"code": r.code, "where": r.where, "text": r.text, "rule": r.rule} for r in reasons]
        data: dict[str, object] = {"position": to_data(found), "line": str(found), "reasons": listed}
        if actions:
            data |= {"is_chance": found.step.is_chance, "options": list(node.options if node else ())}
        echo_json(data)
        return REFUTED if reasons else 0
    click.echo(position_text(found))
    if node is not None:
        click.echo("a card is drawn:" if node.is_chance else "the player decides:")
        for option in node.options:
            click.echo(f"  {option}")
    for reason in reasons:
        click.echo(f"cannot occur: {reason}")
    return REFUTED if reasons else 0
