"""``tetrasolve risk``: the exact risk of the coming Barbarian phase."""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction

import click
from rich.console import RenderableType

from tetrasolve.cli.common import console, echo_json, json_option, seconds_option, status_code, write_file
from tetrasolve.cli.workers import workers_options
from tetrasolve.exact.certainty import Exact, fraction_data
from tetrasolve.exact.cluster import Workers
from tetrasolve.exact.deadline import SHORTEST, answering, stop_of
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.cli.price import PRICE
from tetrasolve.tetrarchia.cli.riskhorizon import look_ahead, tables
from tetrasolve.tetrarchia.cli.riskviews import DATA, TABLES
from tetrasolve.tetrarchia.phase.rounding import Known
from tetrasolve.tetrarchia.phase.text import risk_svg, risk_tables
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk import Risk, risk
from tetrasolve.tetrarchia.risk.best import FIGURES, MOST_STATES, best_play
from tetrasolve.tetrarchia.risk.besthorizon import MOST_PHASES as MOST_BEST_PHASES
from tetrasolve.tetrarchia.risk.besthorizon import BestHorizon, best_horizon
from tetrasolve.tetrarchia.risk.besttext import best_tables
from tetrasolve.tetrarchia.risk.deciders import MOST_STATES as MOST_DETAILED
from tetrasolve.tetrarchia.risk.deciders import Decider, by_best_play, by_policy, of_details, require_details
from tetrasolve.tetrarchia.risk.horizon import Horizon
from tetrasolve.tetrarchia.risk.rollout import MOST_PHASES
from tetrasolve.tetrarchia.risk.views import VIEWS
from tetrasolve.tetrarchia.rules import POLICIES

BEST = "best"


@click.command("risk")
@position_options
@click.option("--by", "view", type=click.Choice([*VIEWS]), help="Details: by kind of event, by province, by disc.")
@click.option(
    "--horizon",
    "phases",
    type=click.IntRange(1, MOST_PHASES),
    help="Look this many phases ahead, without Emperors' actions.",
)
@click.option(
    "--plan", "plans", multiple=True, help="With --horizon: the plan of the next Emperor; repeat it for later turns."
)
@click.option(
    "--runs",
    type=click.IntRange(0),
    default=20_000,
    help="With --horizon: simulated games where no exact method is feasible.",
)
@click.option("--run-seed", type=int, default=0, help="With --horizon: seed of these games.")
@seconds_option
@workers_options(None, prefix="With --horizon: ")
@click.option("--checkpoint", metavar="FILE", help="With --horizon: file to save progress in and to continue from.")
@click.option(
    "--decide",
    "policy",
    type=click.Choice([*POLICIES, BEST]),
    help="With Imperium or Barbaria: the policy for the choices of the phase (default: decline).",
)
@click.option(
    "--objective",
    help="With --decide best: p_lost (default), p_uprising, e_revolts or an evaluation; after 'most' or 'least' all want the same.",
)
@click.option(
    "--price",
    type=PRICE,
    help="With --decide best: what each disc costs who spends it, as 0.05 or 1/20 (default: 0, so one phase may spend all).",
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
    workers: Workers,
    checkpoint: str | None,
    policy: str | None,
    objective: str | None,
    price: Fraction | None,
    svg: str | None,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """The exact risk of the Barbarian phase that follows if the active Emperor ends his turn now.

    By event: the whole distribution of each. By province: the effect of an activity roll there. By disc: the change of the
    risk without each revolt or unrest, or with a garrison in each gap, and the cuts of an army's support.
    With --decide best: the value of the phase where all decide as well as possible, and their decisions; --by then needs a phase
    that the reference rules solve.
    With a horizon: figures after each of several phases, exact while the positions are few, then estimated; with --decide best
    the chance of a fall so far, where all decide as well as possible for all of these phases.
    """
    began = time.monotonic()
    table = find_position(position, find_board(board), seed, fleets)
    if policy != BEST and (objective is not None or price is not None):
        raise click.UsageError("--objective and --price go with --decide best")
    if phases is not None and view is not None:
        raise click.UsageError("--horizon goes with neither --by nor --svg")
    if policy == BEST and phases is not None:
        if price is not None or svg is not None or checkpoint is not None:
            raise click.UsageError(
                "--horizon with --decide best takes neither --price, since discs are worth what later phases make of them, "
                "nor --svg or --checkpoint"
            )
        if phases > MOST_BEST_PHASES:
            raise click.UsageError(f"--horizon {phases} with --decide best: expected at most {MOST_BEST_PHASES} phases")
        several = best_horizon(table, phases, objective=objective or FIGURES[0], plans=plans, seconds=seconds)
        print_several(several, as_json=as_json)
        return status_code(several.status)
    if phases is not None:
        if svg is not None:
            raise click.UsageError("--horizon goes with neither --by nor --svg")
        ahead = look_ahead(
            table,
            phases,
            plans=plans,
            policy=policy or "decline",
            runs=runs,
            run_seed=run_seed,
            seconds=seconds,
            checkpoint=checkpoint,
            workers=workers,
        )
        print_horizon(ahead, as_json=as_json)
        return status_code(ahead.status)
    if policy == BEST:
        if svg is not None:
            raise click.UsageError("--decide best draws no picture")
        most_states = MOST_STATES if view is None else MOST_DETAILED
        best = best_play(table, objective or FIGURES[0], price=price or 0, most_states=most_states, seconds=seconds)
        require_details(best, view)
        stop = rest_of(began, seconds)
        decider = by_best_play(best.wanted, best.price, stop=stop)
        print_details(best.as_data(), best_tables(best), table, view, decider, stop, as_json=as_json)
        return status_code(best.status)
    found = risk(table, policy=policy or "decline", seconds=seconds)
    if svg is not None:
        write_file(svg, risk_svg(found))
        if svg == "-":
            return status_code(found.status)
    decider = by_policy(policy or "decline")
    stop = rest_of(began, seconds)
    print_details(as_data(found), risk_tables(found), table, view, decider, stop, as_json=as_json)
    return status_code(found.status)


def rest_of(began: float, seconds: float | None) -> Stop | None:
    """The flag for the time that is left."""
    return stop_of(None if seconds is None else max(began + seconds - time.monotonic(), SHORTEST))


def print_details(
    data: dict[str, object],
    tables: Iterable[RenderableType],
    table: Position,
    view: str | None,
    decider: Decider,
    stop: Stop | None,
    *,
    as_json: bool,
) -> None:
    """Write an answer, and the details that are asked for.

    :raises OutOfTimeError: when the time runs out before the details are known.
    """
    decider = decider if view is None else of_details(view, decider)
    with answering(f"risk --by {view}"):
        if as_json:
            echo_json(data | ({} if view is None else {f"by_{view}": DATA[view](table, stop, decider)}))
            return
        screen = console()
        for made in tables:
            screen.print(made)
        for made in () if view is None else TABLES[view](table, stop, decider):
            screen.print(made)


def print_several(found: BestHorizon, *, as_json: bool) -> None:
    """Write the value of best play after each phase."""
    if as_json:
        echo_json(found.as_data())
        return
    screen = console()
    for made in found.tables():
        screen.print(made)
    for note in found.notes:
        click.echo(note)


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


def _figure_data(figure: Known) -> dict[str, object]:
    return fraction_data(figure.value) if isinstance(figure, Exact) else dict(figure.as_data())


def as_data(found: Risk) -> dict[str, object]:
    """A risk as JSON data: each figure as fraction text and float, or as an interval."""
    return {
        "position": str(found.position),
        "status": found.status,
        "kind": found.kind,
        "methods": list(found.methods),
        **({"policy": found.policy} if found.policy else {}),
        **{name: _figure_data(value) for name, value in found.values.items()},
        "new_revolts": {province: chance.as_data() for province, chance in found.new_revolts().items()},
    }
