"""Probability without any game in it: exact distributions and chains, and numbers that say how far to trust them."""

from tetrasolve.exact.certainty import Exact, Interval, Unknown
from tetrasolve.exact.chain import Absorption, NotAbsorbingError, absorb
from tetrasolve.exact.distribution import Distribution
from tetrasolve.exact.estimate import Estimate

__all__ = [
    "Absorption",
    "Distribution",
    "Estimate",
    "Exact",
    "Interval",
    "NotAbsorbingError",
    "Unknown",
    "absorb",
]
