"""The Barbarian phase under best play, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.table import Table

from tetrasolve.exact.certainty import Exact
from tetrasolve.tables import titled, value_cells
from tetrasolve.tetrarchia.phase.text import WORDS
from tetrasolve.tetrarchia.risk.best import BestPlay
from tetrasolve.tetrarchia.rules.optimum import Decision

SHOWN = 12  # decisions
OPTIONS = 3  # of each, the best first
ROUNDING = 1e-9  # differences of doubles that say nothing


def best_tables(found: BestPlay) -> Iterator[Table]:
    """The value, that of stated policies, all figures under best play, and the decisions that are met most often."""
    wanted = found.wanted
    price = f"; each disc costs {found.price}" if found.price else "; discs are free"
    table = titled(f"The coming Barbarian phase under best play for {wanted} ({found.kind}{price})")
    table.add_row("under best play", *_cells(found.value))
    for policy, value in found.by_policy.items():
        table.add_row(f"choices: {policy}", "", f"~ {value:.6g}")
    yield table
    yield from _opening(found)
    if found.figures is not None:
        table = titled("All figures under best play")
        for name, words in WORDS.items():
            if name != "outcomes":
                table.add_row(words, *value_cells(getattr(found.figures, name)))
        yield table
    if found.decisions:
        columns = ("met", "who", "question", "best", "values")
        rows = _decisions(found.decisions)
        more = len(rows) - SHOWN
        table = titled("Decisions, the most often met first" + (f" ({more} more)" if more > 0 else ""), *columns)
        for cells, reached in rows[:SHOWN]:
            table.add_row(f"{float(reached):.4f}", *cells)
        yield table


def _decisions(decisions: Sequence[Decision]) -> list[tuple[tuple[str, ...], Fraction]]:
    """What is said of each decision and the chance to meet it; those of which the same is said are taken together."""
    met: dict[tuple[str, ...], Fraction] = {}
    for one in decisions:
        most = one.values[one.best] == max(one.values.values())
        order = sorted(one.values, key=lambda name: (name != one.best, -one.values[name] if most else one.values[name]))
        values = ", ".join(f"{name} {float(one.values[name]):.6g}" for name in order[:OPTIONS])
        cells = (one.choice.decider, one.choice.question, one.best, values)
        met[cells] = met.get(cells, Fraction()) + one.reached
    return sorted(met.items(), key=lambda row: -row[1])  # stable: of equal chances the first met first


def _cells(value: object) -> tuple[str, str]:
    if isinstance(value, Exact):
        exact, rounded = value_cells(value.value)
        return exact, rounded
    return "", str(value)


def _opening(found: BestPlay) -> Iterator[Table]:
    """The best options of the black disc, and the first dice that are rolled again."""
    board, opening, most = found.position.board, found.opening, found.wanted.barbarian_most
    if opening.black:
        table = titled("The black disc before step 1, the best options first")
        for name in sorted(opening.black, key=lambda name: -opening.black[name] if most else opening.black[name])[
            :SHOWN
        ]:
            table.add_row(name, f"~ {opening.black[name]:.6g}")
        yield table
    if opening.again is not None:
        again = opening.again
        gains = {name: again - value if most else value - again for name, value in opening.dice.items()}
        worse = [name for name, gain in gains.items() if gain > ROUNDING * max(1.0, abs(again))]
        table = titled("The dice of the activity, if they come first")
        table.add_row("rolled again", f"~ {again:.6g}")
        best = (max if most else min)(opening.dice, key=opening.dice.__getitem__)
        table.add_row(f"at best ({board[best].name})", f"~ {opening.dice[best]:.6g}")
        table.add_row("to be rolled again", f"{len(worse)} of {len(opening.dice)} provinces")
        yield table
