"""Exact probability without any game in it: distributions over `Fraction` weights and absorbing chains."""

from tetrasolve.exact.chain import Absorption, NotAbsorbingError, absorb
from tetrasolve.exact.distribution import Distribution

__all__ = ["Absorption", "Distribution", "NotAbsorbingError", "absorb"]
