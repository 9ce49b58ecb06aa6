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
from tetrasolve.cli.riskhorizon import look_ahead, tables
from tetrasolve.cli.riskviews import (
    VIEWS,
    both,
    disc_data,
    disc_tables,
    event_data,
    event_tables,
    province_data,
    province_tables,
)
from tetrasolve.exact.certainty import Exact
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.risk import Risk, risk
from tetrasolve.tetrarchia.risk.horizon import Horizon
from tetrasolve.tetrarchia.rules import POLICIES, Figures

WORDS = {
    "p_uprising": "chance of at least one uprising",
    "e_uprisings": "expected uprisings (echoes counted)",
    "p_lost": "chance that the Empire falls",
    "p_new_army": "chance that an army arrives",
    "e_revolts": "chance times revolts, over results not lost",
    "outcomes": "distinct results",
}
TABLES = {"event": event_tables, "province": province_tables, "disc": disc_tables}
DATA = {"event": event_data, "province": province_data, "disc": disc_data}
BAR = 30  # characters for a chance of one


@click.command("risk")
@position_options
@click.option("--by", "view", type=click.Choice(VIEWS), help="Look closer: by kind of event, by province, by disc.")
@click.option("--horizon", "phases", type=click.IntRange(1), help="Look so many phases ahead, in which nobody acts.")
@click.option("--plan", "plans", multiple=True, help="With --horizon: what the next Emperor does instead; once a turn.")
@click.option(
    "--runs", type=click.IntRange(0), default=20_000, help="With --horizon: games rolled where no exact road leads."
)
@click.option("--run-seed", type=int, default=0, help="With --horizon: seed of those games.")
@click.option("--seconds", type=click.FloatRange(0), help="With --horizon: stop the games after this time.")
@click.option("--checkpoint", metavar="FILE", help="With --horizon: keep what is done here, and go on from it.")
@click.option(
    "--decide",
    "policy",
    type=click.Choice(list(POLICIES)),
    help="With Imperium or Barbaria: the policy that answers the choices of the phase (default: decline).",
)
@click.option("--svg", metavar="FILE", help="Draw the chance of a new revolt in each province (-: instead of text).")
@json_option
def command(
    position: str,
    view: str | None,
    phases: int | None,
    plans: tuple[str, ...],
    runs: int,
    run_seed: int,
    seconds: float | None,
    checkpoint: str | None,
    policy: str | None,
    svg: str | None,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> None:
    """The exact risk of the Barbarian phase that follows if the active Emperor stops now.

    By event: the whole distribution of each. By province: what an activity roll there would bring. By disc: what the
    risk would be without each revolt or unrest, or with a garrison in each gap, and the cuts of an army's support.
    With a horizon: figures after each of several phases, exact while the positions are few, then estimated.
    """
    table = find_position(position, find_board(board), seed, fleets)
    if policy is not None and (phases is not None or view is not None):
        raise click.UsageError("--decide goes with neither --by nor --horizon")
    if phases is not None:
        if view is not None or svg is not None:
            raise click.UsageError("--horizon goes with neither --by nor --svg")
        ahead = look_ahead(
            table, phases, plans=plans, runs=runs, run_seed=run_seed, seconds=seconds, checkpoint=checkpoint
        )
        print_horizon(ahead, as_json=as_json)
        return
    found = risk(table, policy=policy or "decline")
    if svg is not None:
        heat = {province: float((chance.low + chance.high) / 2) for province, chance in found.new_revolts().items()}
        write_file(svg, board_svg(found.position.board, found.position, title="Chance of a new revolt", heat=heat))
        if svg == "-":
            return
    if as_json:
        echo_json(as_data(found) | ({f"by_{view}": DATA[view](found.position)} if view else {}))
        return
    screen = console()
    screen.print(_figures(found))
    if found.revolts:
        screen.print(_provinces(found))
    for closer in TABLES[view](found.position) if view else ():
        screen.print(closer)


def print_horizon(ahead: Horizon, *, as_json: bool) -> None:
    """Write the figures after each phase."""
    if as_json:
        echo_json(ahead.as_data())
        return
    screen = console()
    for made in tables(ahead):
        screen.print(made)
    for note in ahead.notes:
        click.echo(note)


def as_data(found: Risk) -> dict[str, object]:
    """A risk as the command writes it: each figure as exact fraction text and float."""
    figures = {field.name: getattr(found.figures, field.name) for field in fields(Figures)}
    return {
        "position": str(found.position),
        "kind": found.kind,
        "roads": list(found.roads),
        **({"policy": found.policy} if found.policy else {}),
        **{name: exact(Fraction(value)) for name, value in figures.items()},
        "new_revolts": {province: chance.as_data() for province, chance in found.new_revolts().items()},
    }


def _figures(found: Risk) -> Table:
    said = f"exact; choices: {found.policy}" if found.policy else "exact"
    table = Table(title=f"The coming Barbarian phase ({said})", title_justify="left", box=None, show_header=False)
    for name, words in WORDS.items():
        value = Fraction(getattr(found.figures, name))
        table.add_row(words, *both(value))
    return table


def _provinces(found: Risk) -> Table:
    table = Table(title="New revolts", title_justify="left", box=None, show_header=False)
    for province, chance in found.new_revolts().items():
        shown = both(chance.value) if isinstance(chance, Exact) else ("", str(chance))
        table.add_row(found.position.board[province].name, *shown, "#" * round(BAR * chance.high))
    return table
