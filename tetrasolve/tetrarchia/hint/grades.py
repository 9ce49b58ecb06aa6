"""Grades of decisions, by the chance to win that they lose."""

from __future__ import annotations

GRADES = ((0.10, "blunder"), (0.05, "mistake"), (0.02, "inaccuracy"))  # losses in [0, 1], the greatest first


def grade_of(loss: float) -> str:
    """``blunder``, ``mistake``, ``inaccuracy``, or nothing.

    >>> grade_of(0.06), grade_of(0.01)
    ('mistake', '')
    """
    return next((grade for limit, grade in GRADES if loss >= limit), "")
