"""``tetrasolve lint house``: what happens when numbers of the rulebook are others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict

import click

from tetrasolve.claims.otherrules import CHANGES, FAILS, VERDICTS, Verdict, facts_under
from tetrasolve.cli.common import echo_json, json_option, require_writable, seconds_option, write_file
from tetrasolve.cli.searching import stage_bars
from tetrasolve.cli.workers import workers_options
from tetrasolve.errors import OutOfTimeError, RulesetError, shown
from tetrasolve.exact.batches import Progress
from tetrasolve.exact.cluster import Workers
from tetrasolve.exact.deadline import stop_of
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.facts.subject import standard_index, standard_subject
from tetrasolve.tetrarchia.hint.played import greedy_courses, greedy_policy
from tetrasolve.tetrarchia.house import HOUSE_NUMBERS, House, house_text, load_house
from tetrasolve.tetrarchia.lint.housegames import (
    MOST,
    HouseGames,
    house_lines,
    play_house,
    sweep_lines,
    sweep_values,
    title_of,
)
from tetrasolve.tetrarchia.lint.houseplot import sweep_svg
from tetrasolve.tetrarchia.lint.wholegames import LEVELS
from tetrasolve.tetrarchia.ruleset import Ruleset

UNKNOWN = 3
SWEPT = ("4211",)  # levels of a sweep, by default


class HouseGroup(click.Group):
    """A group whose option ``--house FILE`` is its command ``house FILE``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with the command in place of the option."""
        if args and args[0] == "--house":
            args = ["house", *args[1:]]
        elif args and args[0].startswith("--house="):
            args = ["house", args[0].removeprefix("--house="), *args[1:]]
        return super().parse_args(ctx, args)


@click.command("house")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--sweep", metavar="NAME=LEAST..MOST", help="Compare the values of one number, like ip=4..9, in a table.")
@click.option("--svg", metavar="FILE", help="With --sweep: write a plot to this file.")
@click.option("--level", "levels", metavar="4211", multiple=True, help="Only this level; may have modules (4211+dux).")
@click.option(
    "--games",
    type=click.IntRange(25, 10**6),
    default=MOST,
    show_default=True,
    help="Most games of a level by each rules.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the games.")
@workers_options()
@click.option("--out", metavar="FILE", help="Keep the games in this file; if it is there, go on with it.")
@click.option(
    "--facts/--no-facts", "with_facts", default=True, help="Whether the facts are derived again; not for a sweep."
)
@click.option("--numbers", "as_numbers", is_flag=True, help="List the numbers that a house rule can change.")
@seconds_option
@json_option
def command(
    file: str | None,
    sweep: str | None,
    svg: str | None,
    levels: Sequence[str],
    games: int,
    seed: int,
    workers: Workers,
    out: str | None,
    with_facts: bool,
    as_numbers: bool,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Show what the house rules of a FILE change: which facts, and whole games by greedy play with the same set-ups and dice.

    The FILE has a table [house] with numbers of the rulebook, like attack = 1 (an attack costs 1 IP more) or ip = 7. Facts are
    derived again where their derivation allows it. Games are played until the interval of the difference of the win rates is
    at most 1 point wide on each side at 4211 and 3122, and 2 points at other levels, or until --games are played. The
    evaluation was learned from games of the rulebook.
    """
    if as_numbers:
        _list_numbers(as_json)
        return 0
    if file is None and sweep is None:
        raise click.UsageError("expected a FILE of house rules, or --sweep NAME=LEAST..MOST")
    if svg is not None and sweep is None:
        raise click.UsageError("--svg needs --sweep")
    house = () if file is None else load_house(file)
    if file is not None and not house and sweep is None:
        raise RulesetError(f"{file}: all numbers are those of the rulebook, expected one that differs")
    houses = (house,) if sweep is None else sweep_values(sweep, house)
    used = tuple(levels) or (LEVELS if sweep is None else SWEPT)
    for level in used:
        if Ruleset.from_text(level).house:
            raise RulesetError(f"level {shown(level)}: expected one without house rules, which are in the FILE")
    if svg is not None:
        require_writable(svg)  # before hours of games
    stop, name = stop_of(seconds), None if sweep is None else sweep.partition("=")[0]
    by_reference = [key for row in houses for key, _ in row if HOUSE_NUMBERS[key].reference]
    if by_reference and sweep is not None:
        raise RulesetError(
            f"{by_reference[0]}: only the reference rules play this number, expected one that games know"
        )
    with stage_bars() as report:
        facts = _facts(house, workers, stop, report) if with_facts and sweep is None else {}
        found = play_house(
            () if by_reference else houses,
            greedy_courses,
            greedy_policy(),
            levels=used,
            seed=seed,
            most=games,
            work=out,
            workers=workers,
            cancel=stop,
            progress=report,
        )
    if as_json:
        verdicts = {key: {"verdict": one.verdict, "text": one.text} for key, one in facts.items()}
        echo_json(
            {"house": dict(house), "sweep": name, "facts": verdicts, "not_in_games": by_reference, **found.as_data()}
        )
    else:
        _show_facts(house, facts, "--no-facts" if not with_facts else "" if sweep is None else "sweep")
        if by_reference:
            click.echo(f"no games: only the reference rules play {', '.join(by_reference)}")
        else:
            _show(name, found)
    if svg is not None and name is not None:
        write_file(svg, sweep_svg(found, name))
    if not found.complete:
        click.echo("not complete" + (": the same command continues it" if out else ""), err=True)
    return 0 if found.complete else UNKNOWN


def _facts(house: House, workers: Workers, stop: Stop | None, progress: Progress | None) -> Mapping[str, Verdict]:
    """What becomes of the facts; none where the time ran out."""
    with suppress(OutOfTimeError):
        return facts_under(
            house_text(house), standard_index(), standard_subject(), workers=workers, cancel=stop, progress=progress
        )
    return {}


def _show_facts(house: House, facts: Mapping[str, Verdict], skipped: str) -> None:
    if house or skipped != "sweep":
        click.echo(f"house rules: {title_of(house)}")
    if skipped:
        return
    counts = Counter(one.verdict for one in facts.values())
    click.echo(
        "facts: " + (", ".join(f"{counts[word]} {word}" for word in VERDICTS if counts[word]) or "not asked in time")
    )
    for verdict in (CHANGES, FAILS):
        topics: dict[str, list[str]] = {}
        for key, one in facts.items():
            if one.verdict == verdict:
                topics.setdefault("/".join(key.split("/")[: 2 if key.startswith("statement/") else 1]), []).append(key)
        for topic, keys in topics.items():
            more = f" and {len(keys) - 1} more of {topic}" if len(keys) > 1 else ""
            click.echo(f"  {keys[0]} {facts[keys[0]]}{more}")
    if any(one.verdict in (CHANGES, FAILS) for one in facts.values()):
        click.echo(
            f"  all of them: --json, or `facts under {house_text(house)}` and `facts list --reading {house_text(house)}`"
        )


def _show(name: str | None, found: HouseGames) -> None:
    click.echo("greedy play with the same set-ups and dice; the evaluation was not calibrated for house rules")
    for line in house_lines(found) if name is None else sweep_lines(found, name):
        click.echo(line)


def _list_numbers(as_json: bool) -> None:
    rows = HOUSE_NUMBERS.values()
    if as_json:
        echo_json([asdict(number) for number in rows])
        return
    for number in rows:
        needs = f"; with {' or '.join(number.needs)}" if number.needs else ""
        only = "; not in games: only the reference rules play it" if number.reference else ""
        values = f"{number.default} ({number.least} to {number.most})"
        click.echo(f"{number.name:<18} {values:<14} page {number.page}: {number.means}{needs}{only}")
