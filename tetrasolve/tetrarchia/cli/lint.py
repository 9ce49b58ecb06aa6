"""``tetrasolve lint``: where the readings of open sentences differ, in the smallest positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option, writing
from tetrasolve.cli.searching import stage_bars
from tetrasolve.lint.findings import Finding, Report
from tetrasolve.tetrarchia.lint import search as searching
from tetrasolve.tetrarchia.lint.points import OpenPoint, open_points
from tetrasolve.tetrarchia.lint.stored import STATES, findings, questions
from tetrasolve.tetrarchia.ruleset import READINGS

UNKNOWN = 3

reading_option = click.option("--reading", "readings", metavar="I-...", multiple=True, help="Only this reading.")


@click.group("lint", invoke_without_command=True)
@reading_option
@json_option
@click.pass_context
def command(ctx: click.Context, readings: Sequence[str], as_json: bool) -> None:
    """Show the smallest positions in which two readings differ, and the question to the designer of each.

    The findings are those that come with the library; `lint open` lists the open points, `lint run` searches again.
    """
    if ctx.invoked_subcommand is not None:
        if readings or as_json:
            raise click.UsageError(f"options of `lint {ctx.invoked_subcommand}` come after its name")
        return
    _show(findings(), readings, as_json)


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
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Number of processes.")
@click.option(
    "--out", metavar="FILE", help="Write the findings to this file; its progress is kept in FILE.work.", required=True
)
@seconds_option
@json_option
def run(
    readings: Sequence[str], size: int, batches: int, workers: int, out: str, seconds: float | None, as_json: bool
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


def _point(point: OpenPoint) -> dict[str, object]:
    question, finding = point.question, point.finding
    return {
        "reading": question.reading,
        "class": point.gravity,
        "effect": point.effect.text,
        "change": float(point.change),
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


def _show(report: Report, readings: Sequence[str], as_json: bool) -> None:
    chosen, asked = report.find(readings), questions()
    if as_json:
        rows = [
            asdict(finding) | {"sentence": finding.sentence(), "question": asdict(asked[finding.reading])}
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
    yield f"  {question.standing}; yes: {finding.values[0]}"
    for row in finding.differences:
        yield f"  {row.kind} {row.what}: {row.values[0]} | {row.values[1]}"
    if finding.more:
        yield f"  and {finding.more} more"
