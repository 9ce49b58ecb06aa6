"""Certificates of findings: two values differ in a position, and in none of fewer pieces than it says, and what each of them does.

The stand-alone checker plays the position, and makes and plays all smaller ones, by rules of its own (kind ``difference``). It
makes positions of fewer than `MOST_LEAST` pieces: of a finding that is proved for more, the certificate says less. In the
Barbarian phase it declines what players may decide there. A finding whose values differ in nothing else has no certificate, and
those of a game with such decisions say nothing about smaller positions.
"""

from __future__ import annotations

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import FindingError
from tetrasolve.lint.findings import Finding
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.boardrows import whole_digest
from tetrasolve.tetrarchia.facts.shownvalues import shown_values
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.stored import findings

KIND = "difference"
MOST_LEAST = 3
DECIDED_AT_ONCE = "barbaria"  # with one disc of the Barbarian player he decides; powers require more pieces than two
EAGER, BY_DECISIONS = ", policy eager", frozenset({"best", "possible"})


def certify_finding(finding: Finding, board: Board | None = None) -> Certificate:
    """The certificate of a finding.

    :raises FindingError: for a finding without a position, with a value that the reference rules alone play, and where the values
        differ only in what players decide in the Barbarian phase.
    """
    board = board or Board.standard()
    if finding.position is None or finding.size is None:
        raise FindingError(
            f"{finding.id}: no position is known in which its values differ, so there is nothing to certify"
        )
    if all(row.kind in BY_DECISIONS or row.what.endswith(EAGER) for row in finding.differences):
        raise FindingError(
            f"{finding.id}: its values differ only in what players decide in the Barbarian phase, and the stand-alone checker "
            "follows the phase while they decline"
        )
    if Pair(finding.reading, *finding.values).by_reference:
        raise FindingError(
            f"{finding.id}: the stand-alone checker does not know a value that the reference rules alone play"
        )
    counts = enumerated(finding.table)
    least = 1 if DECIDED_AT_ONCE in finding.table.split("+") else min(finding.at_least, len(counts) + 1, MOST_LEAST)
    shown, first, second = shown_values(finding, board)
    fields = (
        ("board", f"{board.id} {whole_digest(board)}"),
        ("values", " ".join((finding.reading, *finding.values))),
        ("position", finding.position),
        ("pieces", str(finding.size)),
        ("shown", shown),
        ("first", first),
        ("second", second),
        ("least", str(least)),
        ("smaller", str(sum(counts[: least - 1]))),
    )
    return Certificate(KIND, fields, ())


def enumerated(table: str) -> tuple[int, ...]:
    """How many positions of a table have one piece, two and so on, as far as some search enumerated them."""
    return max((row.enumerated for one in findings().findings for row in one.searched if row.table == table), key=len)
