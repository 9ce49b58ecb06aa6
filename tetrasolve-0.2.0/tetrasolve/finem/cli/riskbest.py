"""``risk --policy best``: how well the rest of a turn can be played for an objective, and the best decisions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from tetrasolve.cli.common import console, echo_json, status_code
from tetrasolve.exact.certainty import Exact
from tetrasolve.finem.bestturn import BestTurn, best_turn
from tetrasolve.finem.position import Position
from tetrasolve.tables import titled, value_cells

if TYPE_CHECKING:
    from rich.table import Table

SHOWN = 12  # options of a decision


def answer(
    position: Position, objective: str, cards: str, *, by_card: bool, seconds: float | None, as_json: bool
) -> int:
    """Print the answer; gives the exit code."""
    found = best_turn(position, objective, cards=cards.replace(",", " ").split(), seconds=seconds)
    if as_json:
        echo_json(found.as_data())
    else:
        screen = console()
        for made in _tables(found, by_card=by_card):
            screen.print(made)
    return status_code(found.status)


def _tables(found: BestTurn, *, by_card: bool) -> Iterator[Table]:
    table = titled(f"turn, best policy for {found.objective}: {found.status}", padded=False)
    if isinstance(found.value, Exact):
        table.add_row("best", *value_cells(found.value.value))
    else:
        table.add_row("best", "", f"{found.value}")
    for policy, value in found.by_policy.items():
        table.add_row(policy, *value_cells(value))
    yield table
    if found.options and (by_card or found.best is not None):
        title = "if a card comes next" if found.best is None else "the decision now, the best first"
        shown = list(found.options.items())[: SHOWN if found.best is not None else None]
        yield _valued(title, shown, len(found.options) - len(shown))
    if found.line:
        rows = [(one.option if one.is_decision else f"  card {one.option}", one.value) for one in found.line]
        yield _valued("the line, with the value after each step", rows, 0)


def _valued(title: str, rows: list[tuple[str, Fraction]], more: int) -> Table:
    table = titled(title + (f" ({more} more)" if more else ""), padded=False)
    for name, value in rows:
        table.add_row(name, *value_cells(value))
    return table
