"""Puzzles of Tetrarchia: questions about a turn that have one answer, with a proof that it is the only one."""

from tetrasolve.puzzles.ranked import Verdict
from tetrasolve.tetrarchia.puzzle.unique import Gap, Uniqueness, unique

__all__ = ["Gap", "Uniqueness", "Verdict", "unique"]
