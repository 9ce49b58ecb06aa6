"""Puzzles with one answer: which policies are the same answer, and how much worse every other one is."""

from tetrasolve.puzzles.answers import Answers, Branch, Pick

__all__ = ["Answers", "Branch", "Pick"]
