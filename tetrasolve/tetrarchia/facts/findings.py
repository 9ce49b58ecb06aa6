"""Certificates of findings: two values differ in a position, and in none of fewer pieces than it says.

The stand-alone checker plays the position, and makes and plays all smaller ones, by rules of its own (kind ``difference``). It
knows the base game only, and makes positions of fewer than `MOST_LEAST` pieces: of a finding that is proved for more, the
certificate says less.
"""

from __future__ import annotations

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import FindingError
from tetrasolve.lint.findings import Finding
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.boardrows import whole_digest
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.small import BASE

KIND = "difference"
MOST_LEAST = 3


def certify_finding(finding: Finding, board: Board | None = None) -> Certificate:
    """The certificate of a finding.

    :raises FindingError: for a finding without a position, with modules, or with a value that the reference rules alone play.
    """
    board = board or Board.standard()
    if finding.position is None or finding.size is None:
        raise FindingError(
            f"{finding.id}: no position is known in which its values differ, so there is nothing to certify"
        )
    if finding.table != BASE or Pair(finding.reading, *finding.values).by_reference:
        raise FindingError(f"{finding.id}: certificates cover values of the base game that the kernels play")
    least = min(finding.at_least, MOST_LEAST)
    (counts,) = (row.enumerated for row in finding.searched if row.table == BASE)
    fields = (
        ("board", f"{board.id} {whole_digest(board)}"),
        ("values", " ".join((finding.reading, *finding.values))),
        ("position", finding.position),
        ("pieces", str(finding.size)),
        ("least", str(least)),
        ("smaller", str(sum(counts[: least - 1]))),
    )
    return Certificate(KIND, fields, ())
