"""``tetrasolve --game et-finem rules``: the levels, the options and the readings of the rules."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option
from tetrasolve.finem.ruleset import LEVELS, OPTIONS, READINGS


@click.command("rules")
@click.option("--readings", is_flag=True, help="List the open sentences of the rules and their readings only.")
@json_option
def command(readings: bool, as_json: bool) -> None:
    """List the levels, the options of the expert, and the readings of the rules, the default first with its reason."""
    if as_json:
        listed = {
            r.name: {
                "rule": r.rule,
                "section": r.section,
                "question": r.question,
                "default": r.default,
                "reason": r.reason,
                "options": dict(r.options),
                "reference": list(r.reference),
                "needs": list(r.needs),
                "idle": [dict(row) for row in r.idle],
            }
            for r in READINGS.values()
        }
        echo_json(({} if readings else {"levels": list(LEVELS), "options": list(OPTIONS)}) | {"readings": listed})
        return
    if not readings:
        click.echo(f"levels: {', '.join(LEVELS)}; options: {', '.join(OPTIONS)}")
    for reading in READINGS.values():
        needs = f" (with {' or '.join(reading.needs)})" if reading.needs else ""
        click.echo(f"\n{reading.name}{needs}: {reading.rule}")
        for value, meaning in reading.options.items():
            default = f" [default: {reading.reason}]" if value == reading.default else ""
            only = " [reference rules only]" if value in reading.reference else ""
            click.echo(f"  {value:<12} {meaning}{default}{only}")
