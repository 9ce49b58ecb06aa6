"""The risk of a phase as tables, and drawn on the board."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from tetrasolve.exact.certainty import Exact
from tetrasolve.tables import titled, value_cells
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.phase.exact import Risk

WORDS = {
    "p_uprising": "chance of at least one uprising",
    "e_uprisings": "expected uprisings (echoes counted)",
    "p_lost": "chance that the Empire falls",
    "p_new_army": "chance that an army arrives",
    "e_revolts": "chance times revolts, over results not lost",
    "outcomes": "distinct results",
}
BAR = 30  # characters for a chance of one


def risk_tables(found: Risk) -> Iterator[Table]:
    """The figures of the phase, and the chance of a new revolt in each province where there is one."""
    yield _figures(found)
    if found.revolts:
        yield _provinces(found)


def risk_svg(found: Risk) -> str:
    """The board with the chance of a new revolt in each province, as the text of an SVG picture."""
    heat = {province: float((chance.low + chance.high) / 2) for province, chance in found.new_revolts().items()}
    return board_svg(found.position.board, found.position, title="Chance of a new revolt", heat=heat)


def _figures(found: Risk) -> Table:
    kind = f"{found.kind}; choices: {found.policy}" if found.policy else found.kind
    table = titled(f"The coming Barbarian phase ({kind})")
    for name, words in WORDS.items():
        value = found.values.get(name)
        if value is None:
            table.add_row(words, "", "unknown: the time ran out")
        else:
            table.add_row(words, *(value_cells(value.value) if isinstance(value, Exact) else ("", str(value))))
    return table


def _provinces(found: Risk) -> Table:
    table = titled("New revolts")
    for province, chance in found.new_revolts().items():
        shown = value_cells(chance.value) if isinstance(chance, Exact) else ("", str(chance))
        table.add_row(found.position.board[province].name, *shown, "#" * round(BAR * chance.high))
    return table
