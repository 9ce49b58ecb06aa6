"""``tetrasolve --game et-finem plan``: the best actions of a turn for an objective."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tetrasolve.cli.common import console, echo_json, json_option, seconds_option, status_code, write_file
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.finem.cli.positions import find_game, position_options
from tetrasolve.finem.plan import HORIZONS, MOST_STATES, STATES, Plan, plan
from tetrasolve.finem.planpicture import plan_svg
from tetrasolve.tables import titled, value_cells

if TYPE_CHECKING:
    from rich.table import Table


@click.command("plan")
@position_options
@click.option(
    "--objective",
    "-o",
    default="p_lost",
    show_default=True,
    help="What to aim at by the end of the turn: p_lost, p_won, outbreaks, or weights like 'cubes=-1 die:O=2 lost=-60'; 'most' or "
    "'least' before it says which.",
)
@click.option(
    "--until",
    "horizon",
    type=click.Choice(HORIZONS),
    default=HORIZONS[0],
    show_default=True,
    help="When the objective is looked at: at the end of the turn, or of its actions.",
)
@click.option(
    "--states",
    type=click.IntRange(1, MOST_STATES),
    default=STATES,
    show_default=True,
    help="The most states to keep: a million take more than 1 GB of memory.",
)
@click.option("--svg", metavar="FILE", help="Draw the plan on the table (-: instead of text).")
@seconds_option
@json_option
def command(
    position: str,
    seed: int | None,
    objective: str,
    horizon: str,
    states: int,
    svg: str | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """The best actions of the turn, all sequences considered, if the rest of the turn is played as well as possible, too.

    A Dictator's plan has the best actions after each card that he can draw. Exit code 3: the time ran out, or there are more
    states than --states; each value is then the interval in which it lies, and the actions are the best of those that were
    looked at.
    """
    found = plan(find_game(position, seed).position, objective, horizon=horizon, states=states, seconds=seconds)
    if svg is not None:
        write_file(svg, plan_svg(found))
    if svg == "-":
        pass
    elif as_json:
        echo_json(found.as_data())
    else:
        screen = console()
        for made in _tables(found):
            screen.print(made)
    return status_code(found.status)


def _tables(found: Plan) -> Iterator[Table]:
    table = titled(f"plan for {found.objective}: {found.status}", padded=False)
    table.add_row("value", *_cells(found.value))
    table.add_row("actions", ", ".join(found.actions) or "none")
    table.add_row("ends", f"{found.ends:,}")
    if found.stopped_by == "states":
        more = "plan again with more --states, or" if found.states < MOST_STATES else "plan again"
        table.add_row("stopped", f"at {found.states:,} states; {more} with fewer actions left")
    yield table
    if found.rides:
        table = titled("after the Dictator's card", padded=False)
        for card, (actions, value) in found.rides.items():
            table.add_row(card, *_cells(value), ", ".join(actions))
        yield table
    table = titled("the next decision, the best first", padded=False)
    for option, value in found.options.items():
        table.add_row(option, *_cells(value))
    yield table


def _cells(value: Exact | Interval) -> tuple[str, str]:
    return value_cells(value.value) if isinstance(value, Exact) else ("", str(value))
