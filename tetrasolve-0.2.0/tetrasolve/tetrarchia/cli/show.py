"""``tetrasolve show``: print, draw or convert a position, with every reason why it cannot occur."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, write_file
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.jsonform import to_data
from tetrasolve.tetrarchia.rules import legal_actions, may_end
from tetrasolve.tetrarchia.text import position_text

REFUTED = 1


@click.command("show")
@position_options
@click.option("--svg", metavar="FILE", help="Draw it (-: instead of text).")
@click.option("--actions", is_flag=True, help="List the legal actions too.")
@json_option
def command(
    position: str,
    svg: str | None,
    actions: bool,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """Show a position; exit code 1 when it cannot occur, with every reason."""
    found = find_position(position, find_board(board), seed, fleets)
    reasons = found.status()
    if svg is not None:
        write_file(svg, board_svg(found.board, found))
        if svg == "-":
            return REFUTED if reasons else 0
    legal = [str(action) for action in legal_actions(found)] if actions and not reasons else []
    if actions and not reasons and may_end(found):
        legal.append("end")
    if as_json:
        listed = [{"code": r.code, "where": r.where, "text": r.text, "rule": r.rule} for r in reasons]
        data: dict[str, object] = {"position": to_data(found), "line": str(found), "reasons": listed}
        echo_json(data | ({"actions": legal} if actions else {}))
        return REFUTED if reasons else 0
    click.echo(position_text(found))
    for action in legal:
        click.echo(f"  {action}")
    for reason in reasons:
        click.echo(f"cannot occur: {reason}")
    return REFUTED if reasons else 0
