"""What to look up first on a printed map: the uncertain rows of the board, by how much hangs on them.

The weight of a row is how many facts are expected to be otherwise on its account: the doubt in it (one minus the confidence
that its compiler gave it) times the number of facts that change when it is wrong, on average over the ways in which it can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.changes import Change, neighbourhood, uncertain_rows
from tetrasolve.tetrarchia.facts.index import Index


@dataclass(frozen=True, slots=True)
class Doubt:
    """An uncertain row: how sure its compiler was, the changes that it may stand for, and the facts that hang on it.

    `weight` is an estimate, since confidences are judgements.
    """

    row: str
    question: str
    confidence: Fraction
    changes: tuple[str, ...]
    facts: tuple[str, ...]
    weight: Fraction


def doubts(index: Index, board: Board) -> tuple[Doubt, ...]:
    """The uncertain rows of a board, those first on which most hangs; rows on which no fact hangs come last.

    The index tells what each change does; facts whose robustness has not been asked count for nothing.
    """
    broken: dict[str, list[str]] = {}
    for entry in index.entries:
        for name in entry.robustness.breaks if entry.robustness is not None else ():
            broken.setdefault(name, []).append(entry.id)
    by_row: dict[str, list[Change]] = {row: [] for row in uncertain_rows(board)}
    for change in neighbourhood(board).changes:
        for row in change.rows:
            by_row[row].append(change)
    order = {entry.id: number for number, entry in enumerate(index.entries)}
    found = []
    for row, changes in by_row.items():
        confidence = Fraction(str(uncertain_rows(board)[row]))
        counts = [len(broken.get(change.name, ())) for change in changes]
        facts = {fact for change in changes for fact in broken.get(change.name, ())}
        found.append(
            Doubt(
                row,
                question(row, board),
                confidence,
                tuple(change.name for change in changes),
                tuple(sorted(facts, key=order.__getitem__)),
                (1 - confidence) * Fraction(sum(counts), max(1, len(counts))),
            )
        )
    return tuple(sorted(found, key=lambda doubt: (-doubt.weight, -len(doubt.facts), doubt.confidence)))


def question(row: str, board: Board) -> str:
    """What to look for on the map.

    >>> question("kind of link rhaetia-cisalpina", Board.standard())
    'Is the link between Rhaetia and Cisalpina normal or broken?'
    """
    what, _, names = row.rpartition(" ")
    places: Sequence[str] = [board[name].name for name in names.split("-")]
    between = " and ".join(places)
    match what:
        case "link" | "no link":
            return f"Is there a link between {between}?"
        case "kind of link":
            return f"Is the link between {between} normal or broken?"
        case "arrow":
            return f"Where does the arrow of {between} lead?"
        case "zones":
            return f"On which sea zones does {between} lie?"
        case "region":
            return f"Which region does {between} belong to?"
        case _:
            return f"Which number does {between} have?"
