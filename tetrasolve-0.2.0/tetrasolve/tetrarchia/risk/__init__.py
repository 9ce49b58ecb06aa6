"""Risks: what Barbarian phases can do, exactly or with an estimate, and the exact chances of battles."""

from tetrasolve.tetrarchia.phase.exact import FiguresDisagreeError, Risk, risk

__all__ = ["FiguresDisagreeError", "Risk", "risk"]
