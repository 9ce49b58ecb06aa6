"""``tetrasolve risk``: what the coming Barbarian phase can do, exactly."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction

import click
from rich.table import Table

from tetrasolve.cli.common import (
    console,
    echo_json,
    exact,
    find_board,
    find_position,
    json_option,
    position_options,
    write_file,
)
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.risk import Risk, risk
from tetrasolve.tetrarchia.rules import Figures

WORDS = {
    "p_uprising": "chance of at least one uprising",
    "e_uprisings": "expected uprisings (echoes counted)",
    "p_lost": "chance that the Empire falls",
    "p_new_army": "chance that an army arrives",
    "e_revolts": "chance times revolts, over results not lost",
    "outcomes": "distinct results",
}
BAR = 30  # characters for a chance of one


@click.command("risk")
@position_options
@click.option("--svg", metavar="FILE", help="Draw the chance of a new revolt in each province.")
@json_option
def command(
    position: str, svg: str | None, as_json: bool, board: str | None, seed: int | None, fleets: str | None
) -> None:
    """The exact risk of the Barbarian phase that follows if the active Emperor stops now."""
    found = risk(find_position(position, find_board(board), seed, fleets))
    if svg is not None:
        heat = {province: float(chance) for province, chance in found.new_revolts().items()}
        write_file(svg, board_svg(found.position.board, found.position, title="Chance of a new revolt", heat=heat))
    if as_json:
        echo_json(as_data(found))
        return
    screen = console()
    screen.print(_figures(found))
    if found.revolts:
        screen.print(_provinces(found))


def as_data(found: Risk) -> dict[str, object]:
    """A risk as the command writes it: each figure as exact fraction text and float."""
    figures = {field.name: getattr(found.figures, field.name) for field in fields(Figures)}
    return {
        "position": str(found.position),
        "kind": found.kind,
        **{name: exact(Fraction(value)) for name, value in figures.items()},
        "new_revolts": {province: exact(chance) for province, chance in found.new_revolts().items()},
    }


def _figures(found: Risk) -> Table:
    table = Table(title="The coming Barbarian phase (exact)", title_justify="left", box=None, show_header=False)
    for name, words in WORDS.items():
        value = Fraction(getattr(found.figures, name))
        table.add_row(words, *_both(value))
    return table


def _provinces(found: Risk) -> Table:
    table = Table(title="New revolts", title_justify="left", box=None, show_header=False)
    for province, chance in found.new_revolts().items():
        table.add_row(found.position.board[province].name, *_both(chance), "#" * round(BAR * chance))
    return table


def _both(value: Fraction) -> tuple[str, str]:
    """A value as a fraction where that can be read, and as a decimal that is marked where it is rounded."""
    text = str(value)
    decimal = f"{float(value):.6g}"
    if value.denominator == 1:
        return text, ""
    return (text if len(text) <= 15 else "..."), ("= " if Fraction(decimal) == value else "~ ") + decimal
