"""``tetrasolve rules``: the levels and the readings of the rules."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.readings import CHOSEN, without_effect
from tetrasolve.tetrarchia.ruleset import MODULES, READINGS, VARIANTS, Reading, all_levels


@click.command("rules")
@click.option("--readings", is_flag=True, help="List the open sentences of the rulebook and their readings.")
@click.option("--levels", is_flag=True, help="List the 81 difficulty levels.")
@json_option
def command(readings: bool, levels: bool, as_json: bool) -> None:
    """List the levels (garrisons, fleets, revolts, armies) and the readings of the rules, the default first."""
    both, inert = readings == levels, without_effect(Board.standard())
    if as_json:
        data: dict[str, object] = {}
        if levels or both:
            data["levels"] = [ruleset.level for ruleset in all_levels()]
        if readings or both:
            data["readings"] = {
                r.name: {
                    "rule": r.rule,
                    "page": r.page,
                    "question": r.question,
                    "default": r.default,
                    "options": dict(r.options),
                    "needs": list(r.needs),
                    "reference": list(r.reference),
                    "without_effect": inert.get(r.name),
                }
                for r in READINGS.values()
            }
        echo_json(data | {"modules": list(MODULES), "variants": list(VARIANTS)})
        return
    if levels or both:
        every = [ruleset.level for ruleset in all_levels()]
        for start in range(0, len(every), 9):
            click.echo(" ".join(every[start : start + 9]))
    if readings or both:
        for reading in READINGS.values():
            needs = f" (with {' or '.join(reading.needs)})" if reading.needs else ""
            click.echo(f"\n{reading.name}{needs}: {reading.rule}")
            for value, meaning in reading.options.items():
                click.echo(f"  {value:<15} {meaning}{_note(reading, value)}")
            if reading.name in inert:
                click.echo(f"  {_same(reading)} on this board: {inert[reading.name]}")


def _same(reading: Reading) -> str:
    """What to say of a reading whose values are the same, but for the one with which a player chooses."""
    return f"changes nothing but for {CHOSEN}" if CHOSEN in reading.options else "changes nothing"


def _note(reading: Reading, value: str) -> str:
    """What to say after the meaning of a value."""
    if value in reading.reference:
        return " [reference rules only]"
    return " [default]" if value == reading.default else ""
