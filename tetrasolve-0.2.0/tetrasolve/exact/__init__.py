"""Probability, independent of the game: exact distributions, chains, choices, and values with their certainty."""

from tetrasolve.exact.certainty import Exact, Interval, Unknown
from tetrasolve.exact.chain import Absorption, NotAbsorbingError, absorb
from tetrasolve.exact.choices import Chance, Choice, CyclicError, End, Solution, best, follow
from tetrasolve.exact.distribution import Distribution
from tetrasolve.exact.estimate import Estimate

__all__ = [
    "Absorption",
    "Chance",
    "Choice",
    "CyclicError",
    "Distribution",
    "End",
    "Estimate",
    "Exact",
    "Interval",
    "NotAbsorbingError",
    "Solution",
    "Unknown",
    "absorb",
    "best",
    "follow",
]
