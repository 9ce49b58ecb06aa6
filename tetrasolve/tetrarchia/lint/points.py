"""The open points of the rulebook: the questions to the designer that are open, with what their findings say, the gravest first.

The class of an open point is that of the smallest positions known in which its values differ, not of whole games:

================= ===========================================================================================
class             defined by
================= ===========================================================================================
``decisive``      the chance that the Empire falls differs, or an action lets it fall under one value only
``tactical``      something else differs: what is legal, costs, effects, odds, or the distribution of a phase
``set-up``        only set-ups rolled with the same dice differ
``not found``     nothing differs in any position that was enumerated or drawn
``inert``         nothing can differ on this board, by an argument that was checked
================= ===========================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tetrasolve.lint.findings import Certainty, Finding, Shown
from tetrasolve.tetrarchia.lint.stored import Question, findings, questions
from tetrasolve.tetrarchia.lint.wholegames import Weight, games_of, measured_pairs, reference_pairs, weight_of
from tetrasolve.tetrarchia.ruleset import READINGS

OPEN = "open"
FALLEN = "fallen: "
P_LOST = "p_lost"
FIGURES = (P_LOST, "p_uprising", "e_uprisings", "p_new_army", "e_revolts")  # of a phase, the gravest first


class Gravity(StrEnum):
    """The class of an open point; the gravest first."""

    DECISIVE = "decisive"
    TACTICAL = "tactical"
    SET_UP = "set-up"
    NOT_FOUND = "not found"
    INERT = "inert"


RANKS = {gravity: rank for rank, gravity in enumerate(Gravity)}


@dataclass(frozen=True, slots=True)
class Effect:
    """What differs most in a position: in words, by how much where it is a figure (else 0), and the row that says it."""

    text: str
    change: Fraction = Fraction(0)
    row: Shown | None = None


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """A question that is open, with the gravest finding about its reading.

    `others` are further findings about it; `reference_only`: values that only the reference rules play. `in_games` is the
    class by whole games (`tetrasolve.tetrarchia.lint.wholegames`).
    """

    question: Question
    gravity: Gravity
    effect: Effect
    finding: Finding
    others: tuple[str, ...]
    reference_only: tuple[str, ...]
    in_games: Weight

    @property
    def change(self) -> Fraction:
        """By how much the figure of its effect changes, at least 0."""
        return self.effect.change


def open_points() -> tuple[OpenPoint, ...]:
    """The open points: by class, then by how much the figure changes, then by page.

    :raises FindingError: when the stored files cannot be read.

    >>> [point.question.reading for point in open_points()][-1] in READINGS
    True
    """
    about: dict[str, list[Finding]] = {}
    for finding in findings().findings:
        about.setdefault(finding.reading, []).append(finding)
    points = [_point(question, about[name]) for name, question in questions().items() if question.state == OPEN]
    return tuple(sorted(points, key=lambda p: (RANKS[p.gravity], -p.change, p.question.page, p.question.reading)))


def _point(question: Question, about: Sequence[Finding]) -> OpenPoint:
    graded = [(gravity_of(finding), effect_of(finding), finding) for finding in about]
    gravity, effect, finding = min(graded, key=lambda row: (RANKS[row[0]], -row[1].change))
    others = tuple(other.id for other in about if other is not finding)
    reference = READINGS[question.reading].reference
    return OpenPoint(question, gravity, effect, finding, others, reference, _in_games(question.reading))


def _in_games(reading: str) -> Weight:
    """The class of all values of which games tell something, by the stored games."""
    found = [games_of(pair).comparisons(pair) for pair in (*measured_pairs([reading]), *reference_pairs([reading]))]
    weight = weight_of([row for rows in found for row in rows])
    return Weight.UNKNOWN if weight is Weight.COSMETIC and not all(found) else weight


def gravity_of(finding: Finding) -> Gravity:
    """The class of a finding, by what it lists."""
    if finding.certainty is Certainty.NONE:
        return Gravity.INERT
    if finding.certainty is Certainty.SET_UP:
        return Gravity.SET_UP
    if finding.position is None:
        return Gravity.NOT_FOUND
    return Gravity.DECISIVE if any(map(_is_fall, finding.differences)) else Gravity.TACTICAL


def _is_fall(row: Shown) -> bool:
    """Whether it says that the Empire falls under one value, or more probably."""
    if row.kind == "effect":
        return any(value.startswith(FALLEN) for value in row.values)
    return row.kind == "phase" and _figure(row) == P_LOST


def _figure(row: Shown) -> str:
    """The figure of a phase that differs, without the policy; "" where it is a result of the phase."""
    name = row.what.partition(",")[0]
    return name if name in FIGURES else ""


def effect_of(finding: Finding) -> Effect:
    """What differs most: a fall, then figures of the phase, best play, odds, costs, and what is legal."""
    first, second = finding.values
    rows = finding.differences
    for row in rows:
        if row.kind == "effect" and _is_fall(row):
            under = first if row.values[0].startswith(FALLEN) else second
            return Effect(f"{row.what}: the Empire falls under {under}", Fraction(1), row)
    figures = [row for row in rows if row.kind == "best" or (row.kind == "phase" and _figure(row))]
    for row in sorted(figures, key=lambda row: FIGURES.index(_figure(row) or "e_revolts")):
        change = abs(Fraction(row.values[0]) - Fraction(row.values[1]))
        best = " under best play" if row.kind == "best" else ""
        one, other = map(_decimal, row.values)
        words = f"{one} or {other}" if one != other else f"{one}, with a difference of {float(change):.1g}"
        return Effect(f"{row.what}{best}: {words}", change, row)
    for kind in ("odds", "cost", "legal", "effect"):
        if same := [row for row in rows if row.kind == kind]:
            row = same[0]
            more = f", and {len(rows) - 1 + finding.more} more" if len(rows) + finding.more > 1 else ""
            said = "another position" if kind == "effect" else f"{row.values[0]} or {row.values[1]}"
            return Effect(f"{row.what}: {said}{more}", row=row)
    if rows:
        return Effect(f"results of the phase: {len(rows) + finding.more} differ", row=rows[0])
    return Effect(finding.argument)


def _decimal(value: str) -> str:
    """A fraction as a short decimal."""
    return f"{float(Fraction(value)):.6g}"
