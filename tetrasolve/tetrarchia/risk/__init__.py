"""The Barbarian phase as an exact distribution: what the coming one can do, and how likely each thing is."""

from tetrasolve.tetrarchia.phase.exact import FiguresDisagreeError, Risk, risk

__all__ = ["FiguresDisagreeError", "Risk", "risk"]
