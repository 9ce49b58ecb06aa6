"""A third method: the model checker Storm on the chain of the reference rules, in rational numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from phases import phases

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.storm import PROPERTIES, storm_figures, write_drn

POSITIONS = [*map(example, examples()), *phases(30, most_visits=500, seed=11)]


def test_the_export_is_a_chain() -> None:
    """Every state has a row, and every row adds up to one."""
    rows: dict[int, Fraction] = {}
    for line in write_drn(example("ambush")).splitlines():
        if line.startswith("state "):
            state = int(line.split()[1])
            rows[state] = Fraction(0)
        elif " : " in line:
            rows[state] += Fraction(line.split(" : ")[1])

    assert len(rows) > 100
    assert set(rows.values()) == {Fraction(1)}


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_storm_gives_the_same_fractions(position: Position) -> None:
    """Storm's exact answers are ours, to the last digit."""
    pytest.importorskip("stormpy", reason="the extra 'storm' is not installed")
    figures = rules.figures(position)

    assert storm_figures(position) == {name: getattr(figures, name) for name in PROPERTIES}
