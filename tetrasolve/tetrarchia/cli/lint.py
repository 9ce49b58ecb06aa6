"""``tetrasolve lint``: where the readings of open sentences differ, in the smallest positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option, write_file, writing
from tetrasolve.cli.searching import stage_bars
from tetrasolve.cli.workers import workers_options
from tetrasolve.errors import FindingError
from tetrasolve.exact.checkpoint import FileLock
from tetrasolve.exact.cluster import Workers
from tetrasolve.exact.deadline import is_over, stop_of
from tetrasolve.files import write_text
from tetrasolve.lint.findings import Finding, Report
from tetrasolve.lint.verdicts import exit_code
from tetrasolve.tetrarchia.cli.lintgames import certify_command, reach_command, record_command, witnesses_command
from tetrasolve.tetrarchia.cli.linthouse import HouseGroup
from tetrasolve.tetrarchia.cli.linthouse import command as house_command
from tetrasolve.tetrarchia.cli.lintplans import plans_command, reading_option
from tetrasolve.tetrarchia.hint.byreference import reference_policy, reference_results
from tetrasolve.tetrarchia.hint.played import greedy_game, greedy_policy, greedy_results
from tetrasolve.tetrarchia.lint import search as searching
from tetrasolve.tetrarchia.lint.asked import LANGUAGES, asked
from tetrasolve.tetrarchia.lint.bestplans import stored_plans
from tetrasolve.tetrarchia.lint.boards import side_by_side
from tetrasolve.tetrarchia.lint.consistency import EVERY, check_consistency
from tetrasolve.tetrarchia.lint.hiding import stored_hidden
from tetrasolve.tetrarchia.lint.inplay import Rule, rules_named
from tetrasolve.tetrarchia.lint.points import OpenPoint, open_points
from tetrasolve.tetrarchia.lint.profile import (
    CONFIDENCE,
    Profile,
    RuleCounts,
    kept_profile,
    new_profile,
    play_games,
    stored_profile,
)
from tetrasolve.tetrarchia.lint.reached import reached
from tetrasolve.tetrarchia.lint.report import INDEX, report_files
from tetrasolve.tetrarchia.lint.stored import STATES, findings, questions
from tetrasolve.tetrarchia.lint.wholegames import (
    LEVELS,
    MOST,
    Comparison,
    ReadingGames,
    Weight,
    level_of,
    measured_pairs,
    play_games_of_pairs,
    reference_pairs,
    stored_games,
    stored_games_by_reference,
    weight_of,
)
from tetrasolve.tetrarchia.rules import scenarios
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

UNKNOWN = 3


@click.group("lint", cls=HouseGroup, invoke_without_command=True)
@reading_option
@json_option
@click.pass_context
def command(ctx: click.Context, readings: Sequence[str], as_json: bool) -> None:
    """Show the smallest positions in which two readings differ, and the question to the designer of each.

    The findings are those that come with the library; `lint open` lists the open points, `lint run` searches again,
    and `lint house FILE`, or --house FILE, shows what house rules change.
    """
    if ctx.invoked_subcommand is not None:
        if readings or as_json:
            raise click.UsageError(f"options of `lint {ctx.invoked_subcommand}` come after its name")
        return
    _show(findings(), readings, as_json)


command.add_command(house_command)
for added in (certify_command, plans_command, record_command, reach_command, witnesses_command):
    command.add_command(added)


@command.command()
@reading_option
@click.option(
    "--size",
    type=click.IntRange(1, 8),
    default=searching.SIZE_LIMIT,
    show_default=True,
    help="Pieces of the positions enumerated.",
)
@click.option(
    "--batches", type=click.IntRange(0), default=searching.BATCHES, show_default=True,
    help="Batches of larger positions drawn on each table.",
)  # fmt: skip
@workers_options()
@click.option(
    "--out", metavar="FILE", help="Write the findings to this file; its progress is kept in FILE.work.", required=True
)
@seconds_option
@json_option
def run(
    readings: Sequence[str], size: int, batches: int, workers: Workers, out: str, seconds: float | None, as_json: bool
) -> int:
    """Search again; a run that was interrupted continues where it was."""
    with writing(out), stage_bars() as report:
        found, complete = searching.search(
            Path(f"{out}.work"),
            readings=readings,
            size=size,
            batches=batches,
            workers=workers,
            seconds=seconds,
            progress=report,
        )
        found.write(out)
    _show(found, (), as_json)
    if not complete:
        click.echo("not complete: the same command continues it", err=True)
    return 0 if complete else UNKNOWN


@command.command("open")
@json_option
def open_command(as_json: bool) -> None:
    """List the questions to the designer that are open, the gravest first.

    Each has its class and what differs most in the smallest position known (page "where readings differ").
    """
    points = open_points()
    standing = Counter(question.state for question in questions().values())
    if as_json:
        echo_json({"states": {state: standing[state] for state in STATES}, "open": [*map(_point, points)]})
        return
    counts = ", ".join(f"{standing[state]} {state}" for state in STATES)
    click.echo(f"{standing.total()} questions: {counts}")
    for point in points:
        question, finding = point.question, point.finding
        pieces = "" if finding.size is None else f", {finding.size} pieces ({finding.certainty})"
        click.echo(f"{point.gravity}: {question.reading}, page {question.page}{pieces}")
        click.echo(f"  {question.english}")
        if point.effect.text:
            click.echo(f"  {point.effect.text}")
        if point.in_games is not Weight.UNKNOWN:
            click.echo(f"  in whole games: {point.in_games}")


@command.command()
@click.argument("finding", metavar="FINDING")
@click.option("--svg", metavar="FILE", default="-", show_default=True, help="Write the picture to this file.")
def draw(finding: str, svg: str) -> None:
    """Draw the position of a FINDING under both values, side by side, with the provinces marked that differ.

    A FINDING is named by a reading with two values, like I-CHECK=each-link/one-roll.
    """
    write_file(svg, side_by_side(findings().named(finding)))


@command.command("report")
@reading_option
@click.option("--state", "states", type=click.Choice(STATES), multiple=True, help="Only questions in this state.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the pages.")
@click.option(
    "--out", metavar="FOLDER", required=True, help="Write the pages to this folder, which is made if it is missing."
)
@seconds_option
def report_command(
    readings: Sequence[str], states: Sequence[str], language: str, out: str, seconds: float | None
) -> None:
    """Write a report for the designer: a page for each finding, and a summary of all, in HTML.

    A page has the question to the designer, both boards, what differs in numbers, and whole games under both values. The
    summary, index.html, is written last; report.json has the same as data.
    """
    with writing(out):
        Path(out).mkdir(parents=True, exist_ok=True)
    count = 0
    for name, text in report_files(readings, states=states, language=language, seconds=seconds):
        with writing(str(Path(out, name))):
            write_text(Path(out, name), text)
        count += name.endswith(".html") and name != INDEX
    click.echo(f"{count} finding{'' if count == 1 else 's'}: {Path(out, INDEX)}")


@command.command("asked")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the text.")
@json_option
def asked_command(language: str, as_json: bool) -> None:
    """List what players have asked about the rules: where the text settles it, or which readings take a side.

    Sides that look open and that the text settles are listed after them.
    """
    if as_json:
        echo_json([asdict(one) | {"open": one.is_open} for one in asked()])
        return
    for one in asked():
        click.echo(f"{one.id}, page {one.page}: {one.question[language]}")
        click.echo(f"  {one.answer[language]}")
        click.echo(f"  {one.standing}")


def _point(point: OpenPoint) -> dict[str, object]:
    question, finding = point.question, point.finding
    return {
        "reading": question.reading,
        "class": point.gravity,
        "effect": point.effect.text,
        "change": float(point.change),
        "in_games": point.in_games,
        "question": asdict(question),
        "default": READINGS[question.reading].default,
        "finding": finding.id,
        "other_findings": list(point.others),
        "certainty": finding.certainty,
        "size": finding.size,
        "modules": finding.table,
        "position": finding.position,
        "reference_only": list(point.reference_only),
    }


@command.command()
@click.argument("tables", metavar="[TABLE]...", nargs=-1)
@click.option("--rule", "names", metavar="p..-...", multiple=True, help="Only this rule, with its intervals.")
@click.option(
    "--games",
    type=click.IntRange(1, 10**6),
    help="Play until each TABLE has so many games, instead of showing the stored profile.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the games.")
@click.option("--out", metavar="FILE", help="Keep the profile in this file; if it is there, go on with it.")
@workers_options(prefix="With --games: ")
@seconds_option
@json_option
def profile(
    tables: Sequence[str],
    names: Sequence[str],
    games: int | None,
    seed: int,
    out: str | None,
    workers: Workers,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Show how often each rule of the rulebook applies in greedy games of each TABLE, and which rules never did.

    A TABLE is a ruleset like 4211+dux, or a scenario. The profile is the one that comes with the library; with --games it is
    made again, or what --out FILE has is continued.
    """
    if games is None:
        if out is not None:
            raise click.UsageError("--out needs --games")
        found, complete = stored_profile(), True
    else:
        if not tables:
            raise click.UsageError("--games needs a TABLE like 4211+dux, or a scenario")
        for table in tables:
            if table not in scenarios():
                ruleset = Ruleset.from_text(table)
                ruleset.require_kernel()
                ruleset.require_standard_numbers()
        found, complete = _played(tables, games, seed, out, workers, seconds)
    shown = found.find(tables) if set(tables) <= found.tables.keys() or games is None else dict(found.tables)
    wanted = rules_named(names)
    if as_json:
        echo_json(_profile(found, shown, wanted))
    else:
        for line in _profile_lines(found, shown, wanted, with_intervals=bool(names)):
            click.echo(line)
    if not complete:
        click.echo("not complete" + (": the same command continues it" if out else ""), err=True)
    return 0 if complete else UNKNOWN


@command.command()
@reading_option
@click.option(
    "--level",
    "levels",
    metavar="4211",
    multiple=True,
    help="Only this level; with modules, as in 4211+dux, which every game then has.",
)
@click.option("--out", metavar="FILE", help="Play, and write the games to this file; progress is kept in FILE.work.")
@click.option(
    "--most",
    type=click.IntRange(1, 10**6),
    default=MOST,
    show_default=True,
    help="With --out: most games of a table under one value.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="With --out: seed of the games.")
@click.option("--by-reference", is_flag=True, help="Values that only the reference rules play, instead of the others.")
@workers_options(prefix="With --out: ")
@seconds_option
@json_option
def games(
    readings: Sequence[str],
    levels: Sequence[str],
    out: str | None,
    most: int,
    seed: int,
    by_reference: bool,
    workers: Workers,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Show what readings change in whole games: how often greedy play wins under two values, with the same dice.

    The games are those that come with the library. With --out games are played until the interval of each difference is at
    most 1 point wide on each side at 4211 and 3122, and 2 points at other levels; an interrupted run continues, and stored
    games of the same seed are not played again. The games of a level have the modules that the reading needs.
    """
    pairs = reference_pairs(readings) if by_reference else measured_pairs(readings)
    if not pairs:
        way = "by the reference rules" if by_reference else "in the kernels; --by-reference plays others"
        raise FindingError(f"{', '.join(readings)}: no games compare values of these readings {way}")
    play, policy = (reference_results, reference_policy()) if by_reference else (greedy_results, greedy_policy())
    for level in levels:
        level_of(level)
    found, complete = (stored_games_by_reference() if by_reference else stored_games()), True
    if out is not None:
        with writing(out), stage_bars() as report:
            found, complete = play_games_of_pairs(
                pairs,
                play,
                policy,
                levels=levels or LEVELS,
                seed=seed,
                most=most,
                known=found if found.is_of(seed, policy) else None,
                work=f"{out}.work",
                workers=workers,
                seconds=seconds,
                progress=report,
            )
            found.write(out)
    rows = [(pair.id, found.comparisons(pair, levels or LEVELS)) for pair in pairs]
    if as_json:
        echo_json(_games(found, rows))
    else:
        for name, compared in rows:
            for line in _games_lines(name, compared, "not played" + "; --out FILE plays games" * (out is None)):
                click.echo(line)
    if not complete:
        click.echo("not complete: the same command continues it", err=True)
    return 0 if complete else UNKNOWN


def _games(found: ReadingGames, rows: Sequence[tuple[str, Sequence[Comparison]]]) -> dict[str, object]:
    return {
        "seed": found.seed,
        "policy": found.policy,
        "pairs": [
            {"id": name, "class": weight_of(compared), "tables": [*map(Comparison.as_data, compared)]}
            for name, compared in rows
        ],
    }


def _games_lines(name: str, compared: Sequence[Comparison], missing: str) -> Iterator[str]:
    yield f"{name}: {weight_of(compared) if compared else missing}"
    for found in compared:
        first, second = (100 * rate.value for rate in found.rates)
        gap = found.difference
        yield (
            f"  {found.table}: {first:.1f} % or {second:.1f} % won, {100 * gap.value:+.1f} points "
            f"({gap.confidence:.0%}: {100 * gap.low:+.1f} to {100 * gap.high:+.1f}), {found.games:,} games"
        )


def _played(
    tables: Sequence[str], games: int, seed: int, out: str | None, workers: Workers, seconds: float | None
) -> tuple[Profile, bool]:
    policy = greedy_policy()
    if out is None:
        found = new_profile(seed, policy)
        with stage_bars() as report:
            return found, play_games(
                found, tables, games, greedy_game, workers=workers, seconds=seconds, progress=report
            )
    with writing(out), FileLock(Path(out)), stage_bars() as report:
        found = kept_profile(Path(out), seed, policy)
        done = play_games(
            found, tables, games, greedy_game, path=Path(out), workers=workers, seconds=seconds, progress=report
        )
    return found, done


def _profile(found: Profile, tables: Mapping[str, RuleCounts], wanted: Sequence[Rule]) -> dict[str, object]:
    return {
        "seed": found.seed,
        "policy": found.policy,
        "confidence": CONFIDENCE,
        "tables": [
            {
                "table": name,
                "games": tally.games,
                "won": tally.won,
                "fallen": tally.fallen,
                "turns": tally.turns,
                "rules": [_estimates(tally, rule) for rule in wanted if rule.id in tally.steps],
            }
            for name, tally in tables.items()
        ],
        "never": [rule for rule in found.never() if rule in {row.id for row in wanted}],
        "not_observed": [{"rule": rule.id, "why": rule.why} for rule in wanted if not rule.is_observed],
    }


def _estimates(tally: RuleCounts, rule: Rule) -> dict[str, object]:
    mean = tally.mean(rule.id)
    return {
        "rule": rule.id,
        "steps": tally.steps[rule.id],
        "games_with": tally.games_with[rule.id],
        "share": tally.share(rule.id).as_data(),
        "steps_a_game": None if mean is None else mean.as_data(),
    }


def _profile_lines(
    found: Profile, tables: Mapping[str, RuleCounts], wanted: Sequence[Rule], *, with_intervals: bool
) -> Iterator[str]:
    for name, tally in tables.items():
        turns = f", {tally.turns / tally.games:.1f} turns a game" if tally.games else ""
        yield f"{name}: {tally.games} games, {tally.won} won, {tally.fallen} lost{turns}"
        if with_intervals:
            for rule in wanted:
                if rule.id in tally.steps:
                    mean = tally.mean(rule.id)
                    yield f"  {rule.id}: in {tally.share(rule.id)} of the games" + (
                        f"; {mean} times a game" if mean else ""
                    )
            continue
        never = tally.never()
        yield f"  {len(tally.steps) - len(never)} of {len(tally.steps)} rules in play applied"
        if never:
            most = tally.share(never[0]).high
            yield f"  never, so in at most {100 * most:.2g} % of games ({CONFIDENCE:.0%}): {', '.join(never)}"
    if with_intervals:
        yield from (f"{rule.id} is not observed: {rule.why}" for rule in wanted if not rule.is_observed)
        return
    yield f"in no table: {', '.join(found.never()) or 'none'}"
    yield f"{sum(not rule.is_observed for rule in wanted)} rules are not observed"


@command.command()
@click.option(
    "--every",
    type=click.IntRange(1),
    default=EVERY,
    show_default=True,
    help="Of the positions of recorded games, search one in so many.",
)
@seconds_option
@json_option
def check(every: int, seconds: float | None, as_json: bool) -> int:
    """Check whether the rules are consistent: each claim is proved, refuted with a trace, or unknown.

    Exit code 1: a claim is refuted; 3: the time ran out.
    """
    stop = stop_of(seconds)
    found = check_consistency(stored_profile(), every=every, cancel=stop)
    if as_json:
        echo_json({"claims": [asdict(verdict) for verdict in found]})
    for verdict in () if as_json else found:
        for line in verdict.lines():
            click.echo(line)
    return exit_code(found, is_over=is_over(stop))


def _show(report: Report, readings: Sequence[str], as_json: bool) -> None:
    chosen, asked = report.find(readings), questions()
    if as_json:
        rows = [
            finding.as_data()
            | {"sentence": finding.sentence(), "question": asdict(asked[finding.reading]), "reached": reached(finding)}
            | {"hidden_by": [asdict(other) for other in stored_hidden().get(finding.id, ())]}
            | {"plan": asdict(stored_plans()[finding.id]) | {"sentence": stored_plans()[finding.id].sentence()}}
            for finding in chosen
        ]
        echo_json({"rules": report.rules, "domain": report.domain, "findings": rows})
        return
    for finding in chosen:
        for line in _lines(finding) if readings else _short(finding):
            click.echo(line)


def _short(finding: Finding) -> Iterator[str]:
    kinds = f" ({', '.join(finding.kinds)})" if finding.kinds else ""
    yield f"{finding.id}{kinds}: {finding.sentence()}"
    if finding.position is not None:
        yield f"  {finding.position}"


def _lines(finding: Finding) -> Iterator[str]:
    question = questions()[finding.reading]
    yield from _short(finding)
    yield f"  page {question.page}: {question.rule}"
    yield f"  {question.english}"
    yield f"  {question.spanish}"
    answer = f"yes: {finding.values[0]}"
    if finding.values[0] != READINGS[finding.reading].default:  # neither value is the answer yes
        answer = f"no: {' or '.join(finding.values)}"
    yield f"  {question.standing}; {answer}"
    yield f"  {reached(finding)}"
    yield from (f"  {line}" for line in stored_plans()[finding.id].lines())
    for other in stored_hidden().get(finding.id, ()):
        yield f"  {other.sentence()}"
    for row in finding.differences:
        yield f"  {row.kind} {row.what}: {row.values[0]} | {row.values[1]}"
    if finding.more:
        yield f"  and {finding.more} more"
