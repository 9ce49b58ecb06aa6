"""Scenarios of known difficulty: how often a policy wins from a set-up, measured in games."""

from tetrasolve.tetrarchia.scenario.measuring import WinRate, measure
from tetrasolve.tetrarchia.scenario.setups import SetUps

__all__ = ["SetUps", "WinRate", "measure"]
