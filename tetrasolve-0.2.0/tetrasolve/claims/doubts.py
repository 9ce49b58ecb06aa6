"""What to look up first: the uncertain rows of the board, by how many facts depend on them.

The weight of a row is how many facts are expected to be otherwise on its account: the doubt in it (one minus the confidence
that its compiler gave it) times the number of facts that change when it is wrong, on average over the ways in which it can be.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.claims.index import Index
from tetrasolve.claims.subject import Change, Subject


@dataclass(frozen=True, slots=True)
class Doubt:
    """An uncertain row: how sure its compiler was, the changes that it may stand for, and the facts that depend on it.

    `weight` is an estimate, since confidences are judgements.
    """

    row: str
    question: str
    confidence: Fraction
    changes: tuple[str, ...]
    facts: tuple[str, ...]
    weight: Fraction


def doubts(index: Index, subject: Subject) -> tuple[Doubt, ...]:
    """The uncertain rows of a board, those first on which most facts depend; rows on which none depends come last.

    The index tells what each change does; facts whose robustness has not been asked count for nothing.
    """
    broken: dict[str, list[str]] = {}
    for entry in index.entries:
        for name in entry.robustness.breaks if entry.robustness is not None else ():
            broken.setdefault(name, []).append(entry.id)
    uncertain = subject.uncertain_rows()
    by_row: dict[str, list[Change]] = {row: [] for row in uncertain}
    for change in subject.neighbourhood().changes:
        for row in change.rows:
            by_row[row].append(change)
    order = {entry.id: number for number, entry in enumerate(index.entries)}
    found = []
    for row, changes in by_row.items():
        confidence = Fraction(str(uncertain[row]))
        counts = [len(broken.get(change.name, ())) for change in changes]
        facts = {fact for change in changes for fact in broken.get(change.name, ())}
        found.append(
            Doubt(
                row,
                subject.question(row),
                confidence,
                tuple(change.name for change in changes),
                tuple(sorted(facts, key=order.__getitem__)),
                (1 - confidence) * Fraction(sum(counts), max(1, len(counts))),
            )
        )
    return tuple(sorted(found, key=lambda doubt: (-doubt.weight, -len(doubt.facts), doubt.confidence)))
