"""``tetrasolve --game et-finem lint``: where the readings of open sentences differ, and the questions to the author."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option, writing
from tetrasolve.errors import FindingError, path_shown
from tetrasolve.exact.checkpoint import FileLock
from tetrasolve.exact.deadline import is_over, stop_of
from tetrasolve.files import read_text, write_text
from tetrasolve.finem.lint.consistency import EVERY, GAMES, check_consistency
from tetrasolve.finem.lint.domain import DOMAIN
from tetrasolve.finem.lint.effects import TurnEffect, follow
from tetrasolve.finem.lint.inplay import PLAYERS, RULES, profile
from tetrasolve.finem.lint.pairs import STANDARD, digest, kernel_pairs, later_pairs, pairs
from tetrasolve.finem.lint.report import findings_about, html, lines_of, report_rows
from tetrasolve.finem.lint.search import SIZE, search_all
from tetrasolve.finem.lint.stored import LANGUAGES, open_points
from tetrasolve.finem.lint.wholegames import LEVELS, play_games
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.lint.findings import Report
from tetrasolve.lint.verdicts import exit_code
from tetrasolve.lint.wholegames import MOST
from tetrasolve.stop import Stopped

UNKNOWN = 3

reading_option = click.option("--reading", "readings", metavar="E-...", multiple=True, help="Only this reading.")
language_option = click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the text."
)


@click.group("lint", invoke_without_command=True)
@reading_option
@language_option
@json_option
@click.pass_context
def command(ctx: click.Context, readings: Sequence[str], language: str, as_json: bool) -> None:
    """Show where two values of a reading differ: the question to the author, the smallest position, a turn, whole games.

    What is shown comes with the library; `lint run`, `lint games` and `lint turns` make it again.
    """
    if ctx.invoked_subcommand is not None:
        if readings or as_json or language != LANGUAGES[0]:
            raise click.UsageError(f"options of `lint {ctx.invoked_subcommand}` come after its name")
        return
    rows = report_rows(readings)
    if as_json:
        echo_json([row.as_data() for row in rows])
        return
    for row in rows:
        click.echo(row.finding.id)
        for head, text in lines_of(row, language):
            click.echo(f"  {head}: {text}")
        if row.finding.position is not None:
            click.echo(f"  {row.finding.position}")


@command.command("open")
@language_option
@json_option
def open_command(language: str, as_json: bool) -> None:
    """List the sides that are taken and are no readings, each with its question and what settles it, or why no game changes."""
    if as_json:
        echo_json([asdict(point) for point in open_points()])
        return
    for point in open_points():
        click.echo(f"{point.id} ({point.section}): {point.text[language]}")
        click.echo(f"  + {point.taken[language]}")
        click.echo(f"  - {point.other[language]}")
        if reason := point.settled or point.no_game:
            click.echo(f"  = {reason[language]}")


@command.command()
@click.option(
    "--games", type=click.IntRange(0, 1000), default=GAMES, show_default=True, help="Games at random of each ruleset."
)
@click.option(
    "--every",
    type=click.IntRange(1),
    default=EVERY,
    show_default=True,
    help="Of their positions search one in so many.",
)
@seconds_option
@json_option
def check(games: int, every: int, seconds: float | None, as_json: bool) -> int:
    """Check whether the rules are consistent: each claim is proved, refuted with a trace, or unknown.

    Exit code 1: a claim is refuted; 3: the time ran out.
    """
    stop = stop_of(seconds)
    found = check_consistency(games=games, every=every, cancel=stop)
    if as_json:
        echo_json({"claims": [asdict(verdict) for verdict in found]})
    for verdict in () if as_json else found:
        for line in verdict.lines():
            click.echo(line)
    return exit_code(found, is_over=is_over(stop))


@command.command("profile")
@click.argument("table", default=STANDARD)
@click.option("--games", type=click.IntRange(1, 10**5), default=100, show_default=True, help="Games that are played.")
@click.option("--policy", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="Who decides.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the games.")
@seconds_option
@json_option
def profile_command(table: str, games: int, policy: str, seed: int, seconds: float | None, as_json: bool) -> int:
    """Count which rules apply in games under a ruleset: in how many games, and how often."""
    stop = stop_of(seconds)
    found = profile(str(Ruleset.from_text(table)), games, policy=policy, seed=seed, stop=stop)
    if as_json:
        echo_json(found.as_data())
    else:
        click.echo(f"{found.games} games of {found.table} by {policy}, {found.turns} turns")
        for rule, text in RULES.items():
            click.echo(f"{found.in_games.get(rule, 0):>6} games {found.steps.get(rule, 0):>7} times  {rule}: {text}")
    return UNKNOWN if found.games < games else 0


@command.command("report")
@reading_option
@language_option
@click.option("--out", metavar="FILE", required=True, help="Write the page to this file.")
@seconds_option
def report_command(readings: Sequence[str], language: str, out: str, seconds: float | None) -> None:
    """Write the page for the author: one file of HTML with all questions, positions, figures, and what the text settles."""
    text = html(language, readings, seconds=seconds)
    with writing(out):
        write_text(Path(out), text)
    click.echo(f"{out}: {len(findings_about(readings))} findings, {len(open_points())} sides that are no readings")


@command.command()
@reading_option
@click.option(
    "--size",
    type=click.IntRange(1, 20),
    default=SIZE,
    show_default=True,
    help="Most pieces of the positions enumerated.",
)
@click.option(
    "--out", metavar="FILE", required=True, help="Write each finding to this file at once; what is there is kept."
)
@seconds_option
@json_option
def run(readings: Sequence[str], size: int, out: str, seconds: float | None, as_json: bool) -> int:
    """Search the smallest positions again; a run that was interrupted continues after the last pair of values that it finished."""
    chosen = pairs(readings)
    with writing(out), FileLock(Path(out)):
        latest = _findings_before(out)

        def keep(report: Report) -> None:
            nonlocal latest
            latest = report
            report.write(out)

        try:
            found, complete = search_all(chosen, latest, size=size, seconds=seconds, keep=keep)
        except KeyboardInterrupt:
            latest.write(out)  # the signal may have come while it was written
            count = len(latest.findings)
            text = f"{count} finding{'' if count == 1 else 's'} in {path_shown(out)}; the same command continues it"
            click.echo(err=True)  # behind the ^C of the terminal
            raise click.exceptions.Abort(f"interrupted: {text}") from None
        found.write(out)
    if as_json:
        echo_json(found.to_json())
    else:
        for finding in found.findings:
            click.echo(f"{finding.id}: {finding.sentence()}")
    if not complete:
        click.echo("not complete: the same command continues it", err=True)
    return 0 if complete else UNKNOWN


def _findings_before(out: str) -> Report:
    """What an earlier run left in the file; nothing where there is none.

    :raises FindingError: when it has no findings, or some about other rules.
    """
    path = Path(out)
    if not path.exists():
        return Report(digest(), DOMAIN)
    try:
        found = Report.read(read_text(path), path_shown(out))
    except UnicodeDecodeError as error:
        raise FindingError(f"{path_shown(out)}: is no UTF-8 text ({error.reason} at byte {error.start})") from None
    found.require_of(digest(), DOMAIN, path_shown(out))
    return found


@command.command()
@reading_option
@click.option(
    "--out", metavar="FILE", required=True, help="Write the games to this file; progress is kept in FILE.work."
)
@click.option("--most", type=click.IntRange(1, 10**6), default=MOST, show_default=True, help="Most games of a table.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the games.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Number of processes.")
@seconds_option
def games(readings: Sequence[str], out: str, most: int, seed: int, workers: int, seconds: float | None) -> int:
    """Play pairs of games under both values until the intervals are narrow: 1 point, at introductory beside standard 1.5."""
    with writing(out):
        found, complete = play_games(
            kernel_pairs(readings),
            levels=LEVELS,
            seed=seed,
            most=most,
            work=f"{out}.work",
            workers=workers,
            seconds=seconds,
        )
        found.write(out)
    click.echo(f"{out}: {sum(map(len, found.series.values())):,} games of {len(found.series)} rulesets")
    if not complete:
        click.echo("not complete: the same command continues it", err=True)
    return 0 if complete else UNKNOWN


@command.command()
@reading_option
@click.option("--count", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Positions.")
@click.option("--by-reference", is_flag=True, help="The values that came later, by the reference rules.")
@click.option("--checkpoint", metavar="FILE", help="File to save progress in and to continue from.")
@seconds_option
@json_option
def turns(
    readings: Sequence[str],
    count: int,
    by_reference: bool,
    checkpoint: str | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Follow a turn exactly under both values from positions of greedy games; what came out before the deadline is shown."""
    stop, complete = stop_of(seconds), True
    found: list[TurnEffect] = []
    chosen = later_pairs(readings) if by_reference else kernel_pairs(readings)
    try:
        found.extend(follow(chosen, STANDARD, count=count, by_reference=by_reference, checkpoint=checkpoint, stop=stop))
    except Stopped:
        complete = False
        onward = "" if checkpoint is None else "; the same command continues"
        click.echo(f"the time ran out after {len(found)} of {len(chosen)} pairs of values{onward}", err=True)
    if as_json:
        echo_json([row.as_data() for row in found])
    else:
        for row in found:
            if not row.differing:
                click.echo(f"{row.id}: none of {row.positions} positions differs")
                continue
            won = f", a victory {row.first_won} or {row.second_won}" if row.first_won != row.second_won else ""
            click.echo(
                f"{row.id}: {row.differing} of {row.positions} positions differ; a loss {row.first} or {row.second}{won}"
            )
    return 0 if complete else UNKNOWN
