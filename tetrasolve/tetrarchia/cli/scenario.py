"""``tetrasolve scenario``: how often a policy wins from a set-up, and set-ups that it wins as often as is wanted."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from tetrasolve.cli.common import echo_json, json_option, read_input, seconds_option, write_file
from tetrasolve.cli.searching import going_on_from, stage_bars
from tetrasolve.cli.workers import workers_options
from tetrasolve.exact.cluster import Workers
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, is_rolled
from tetrasolve.tetrarchia.scenario.duplicates import NARROWEST as NARROWEST_MARGIN
from tetrasolve.tetrarchia.scenario.duplicates import WIDEST as WIDEST_MARGIN
from tetrasolve.tetrarchia.scenario.duplicates import WITHIN as MARGIN
from tetrasolve.tetrarchia.scenario.duplicates import Equality, compare
from tetrasolve.tetrarchia.scenario.made import read_made, text_of
from tetrasolve.tetrarchia.scenario.making import NARROWEST as NARROWEST_BAND
from tetrasolve.tetrarchia.scenario.making import WIDEST, WITHIN, NoScenarioError, make_scenario
from tetrasolve.tetrarchia.scenario.measured import rate_in, rate_lines, scenario, select, shipped
from tetrasolve.tetrarchia.scenario.measuring import CONFIDENCE, HALF_WIDTH, MOST_SEED, NARROWEST, TWO, WinRate, measure
from tetrasolve.tetrarchia.scenario.policies import POLICIES
from tetrasolve.tetrarchia.scenario.setups import SetUps
from tetrasolve.tetrarchia.scenario.themes import themes

NOT_FOUND, UNKNOWN = 1, 3

policy_option = click.option(
    "--policy",
    "policies",
    type=click.Choice([*POLICIES]),
    multiple=True,
    default=TWO,
    show_default=True,
    help="Who plays the Emperors; can be given several times.",
)
checkpoint_option = click.option(
    "--checkpoint", metavar="FILE", help="Keep the games in this file; if it is there, go on with it."
)


@click.group("scenario")
def command() -> None:
    """Scenarios of known difficulty: how often a policy wins from a set-up.

    `list` and `show` have those that ship with the library; `measure` measures one, `new` makes one that a policy
    wins as often as is wanted, and `compare` tests whether some are equally hard. Other commands take the name
    of one that ships, or the file of one that was made, as a position: `tetrasolve play gallia-is-lost-1-45`.
    All modules, variants, historical scenarios and readings that a kernel plays are covered.
    """


@command.command("measure")
@click.argument("set_up", metavar="SET-UP")
@click.option("--board", metavar="FILE", help="A board file (default: the board of the library).")
@click.option("--seed", type=int, help="With a level or scenario: the one set-up of this seed.")
@click.option("--fleets", metavar="ZONES", help="With --seed: zones of the fleets, like 23.")
@policy_option
@click.option(
    "--half-width",
    type=click.FloatRange(NARROWEST, 0.5, max_open=True),
    default=HALF_WIDTH,
    show_default=True,
    help="Of the interval of each win rate, at most.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=CONFIDENCE,
    show_default=True,
    help="Of each interval.",
)
@click.option("--game-seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Seed of the games.")
@workers_options()
@checkpoint_option
@seconds_option
@json_option
def measure_command(
    set_up: str,
    board: str | None,
    seed: int | None,
    fleets: str | None,
    policies: tuple[str, ...],
    half_width: float,
    confidence: float,
    game_seed: int,
    workers: Workers,
    checkpoint: str | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Measure how often policies win from SET-UP: games until the intervals are narrow enough.

    SET-UP is a position as for other commands, in a Roman phase. Without --seed, a level like 4211+dux or a scenario, with
    `fixed` after its name for its set-up without dice, has a new set-up for each game.

    Exit code 3: the time ran out before all intervals were narrow enough.
    """
    measured = _set_ups(set_up, board, seed, fleets)
    with going_on_from(checkpoint), stage_bars() as progress:
        rates = measure(
            measured, policies, half_width=half_width, confidence=confidence, seed=game_seed, workers=workers,
            checkpoint=checkpoint, seconds=seconds, progress=progress,
        )  # fmt: skip
    if as_json:
        echo_json({"set_up": str(measured), "rolled": measured.is_rolled, "rates": [rate.as_data() for rate in rates]})
    else:
        for rate in rates:
            click.echo(_line(rate))
    return 0 if all(rate.status == "complete" for rate in rates) else UNKNOWN


def _set_ups(text: str, board: str | None = None, seed: int | None = None, fleets: str | None = None) -> SetUps:
    """What a SET-UP argument names."""
    if is_rolled(text) and seed is None and fleets is None and board is None:
        return SetUps.rolled(text)
    return SetUps.fixed(find_position(text, find_board(board), seed, fleets))


def _line(rate: WinRate) -> str:
    """A rate in a line of text."""
    return str(rate) + ("" if rate.status == "complete" else ": the time ran out")


@command.command("new")
@click.option("--theme", "name", metavar="NAME", required=True, help="See `scenario themes`.")
@click.option(
    "--win-rate", type=click.FloatRange(0, 1), metavar="SHARE", required=True, help="The wanted one, like 0.6."
)
@click.option(
    "--policy", type=click.Choice([*POLICIES]), default="greedy", show_default=True, help="Whose win rate it is."
)
@click.option(
    "--beside",
    type=click.Choice([*POLICIES]),
    multiple=True,
    default=("expectimax",),
    show_default=True,
    help="Measured too; can be given several times.",
)
@click.option(
    "--within",
    type=click.FloatRange(NARROWEST_BAND, WIDEST),
    default=WITHIN,
    show_default=True,
    help="How far from the wanted one it may be.",
)
@click.option("--seed", type=click.IntRange(0, MOST_SEED), required=True, help="Seed of the set-up and of all games.")
@click.option("--out", metavar="FILE", default="-", help="The file (default: standard output).")
@workers_options()
@checkpoint_option
@seconds_option
def new_command(
    name: str,
    win_rate: float,
    policy: str,
    beside: tuple[str, ...],
    within: float,
    seed: int,
    out: str,
    workers: Workers,
    checkpoint: str | None,
    seconds: float | None,
) -> int:
    """Make a set-up of a theme that a policy wins as often as is wanted, as JSON.

    At most one search in twenty gives a set-up whose win rate is farther from the wanted one than --within. Two points take
    some 10,000 to 30,000 games, five points a sixth of that; with --checkpoint the same command continues.

    Exit code 1: no set-up of the theme was found; 3: out of time.
    """
    try:
        with going_on_from(checkpoint), stage_bars() as progress:
            made = make_scenario(
                name, win_rate, policy=policy, beside=beside, within=within, seed=seed, workers=workers,
                checkpoint=checkpoint, seconds=seconds, progress=progress,
            )  # fmt: skip
    except NoScenarioError as error:
        click.echo(str(error), err=True)
        return NOT_FOUND
    write_file(out, text_of(made))
    return 0


@command.command("compare")
@click.argument("set_ups", metavar="SET-UP...", nargs=-1, required=True)
@click.option("--board", metavar="FILE", help="A board file (default: the board of the library).")
@click.option(
    "--policy", type=click.Choice([*POLICIES]), default="greedy", show_default=True, help="Who plays the Emperors."
)
@click.option(
    "--within",
    type=click.FloatRange(NARROWEST_MARGIN, WIDEST_MARGIN),
    default=MARGIN,
    show_default=True,
    help="How far apart equal win rates may be.",
)
@click.option("--game-seed", type=click.IntRange(0, MOST_SEED), default=0, show_default=True, help="Seed of the games.")
@workers_options()
@checkpoint_option
@seconds_option
@json_option
def compare_command(
    set_ups: tuple[str, ...],
    board: str | None,
    policy: str,
    within: float,
    game_seed: int,
    workers: Workers,
    checkpoint: str | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Test whether a policy wins each two of some set-ups equally often: duplicates for a tournament.

    A SET-UP is as for `measure`. All verdicts hold together at 95 %. Exit code 1: two of them are different; 3: out of time.
    """
    with going_on_from(checkpoint), stage_bars() as progress:
        found = compare(
            [_set_ups(text, board) for text in set_ups], policy, within=within, seed=game_seed, workers=workers,
            checkpoint=checkpoint, seconds=seconds, progress=progress,
        )  # fmt: skip
    if as_json:
        echo_json({"set_ups": list(set_ups), "policy": policy, "pairs": [pair.as_data() for pair in found]})
    else:
        for pair in found:
            click.echo(str(pair))
    verdicts = {pair.verdict for pair in found}
    return NOT_FOUND if Equality.DIFFERENT in verdicts else UNKNOWN if Equality.UNDECIDED in verdicts else 0


@command.command("list")
@click.option("--theme", metavar="NAME", help="Only this theme, see `scenario themes`.")
@click.option(
    "--policy", type=click.Choice([*POLICIES]), default="greedy", show_default=True, help="Whose win rate is compared."
)
@click.option("--from", "low", type=click.FloatRange(0, 1), default=0.0, help="Only with at least this win rate.")
@click.option("--to", "high", type=click.FloatRange(0, 1), default=1.0, help="Only with at most this win rate.")
@json_option
def list_command(theme: str | None, policy: str, low: float, high: float, as_json: bool) -> int:
    """List the scenarios that ship with the library, the easiest for the policy first.

    Each has the share of games that the policies win, with its 95 % interval. Exit code 1: none was found.
    """
    if theme is not None and theme not in themes():
        raise click.BadParameter(f"{theme!r}: expected one of {', '.join(themes())}", param_hint="--theme")
    rows = sorted(select(theme, policy, low, high), key=lambda row: -rate_in(row, policy)["float"])
    if as_json:
        echo_json([dict(row) for row in rows])
    else:
        for row in rows:
            click.echo(f"{row['name']}: {row['title']}: {'; '.join(rate_lines(row))}")
    return 0 if rows else NOT_FOUND


@command.command("show")
@click.argument("name")
@json_option
def show_command(name: str, as_json: bool) -> None:
    """Show a scenario: what is hard about it, its position, and its win rates.

    NAME is that of one that ships with the library, the file of one that was made, or - for standard input.
    """
    is_file = name == "-" or (name not in shipped() and Path(name).exists())
    row = read_made(read_input(name), name) if is_file else scenario(name)
    if as_json:
        echo_json(dict(row))
        return
    click.echo("\n".join((f"{row['title']}: {row['sentence']}", row["position"], *rate_lines(row))))


@command.command("themes")
@json_option
def list_themes(as_json: bool) -> None:
    """List the themes with their levels and the pieces that all their scenarios have."""
    if as_json:
        echo_json([asdict(row) for row in themes().values()])
        return
    for row in themes().values():
        pieces = ", ".join((*row.revolts, *row.armies)) or "rolled pieces alone"
        click.echo(f"{row.name}: {row.title} ({row.level}): {pieces}")
