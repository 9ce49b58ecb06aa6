"""A sequential probability ratio test: is one of two players better? It ends as soon as the games decide it.

Both play the same games. Only games that exactly one of them wins count; equally good players win half of these each.
Wald (1945), *Sequential tests of statistical hypotheses*, for the share of the first: one half, or `share`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import log


class Verdict(StrEnum):
    """The result of a test so far."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of "the first wins `share` of the games that only one wins" against "one half".

    `false_better` is the chance of the verdict "better" for an equally good player, `false_equal` of "not better" for one
    with this share.

    >>> Sprt(share=0.6).verdict(70, 30), Sprt(share=0.6).verdict(8, 5)
    (<Verdict.BETTER: 'better'>, <Verdict.UNDECIDED: 'undecided'>)

    :raises ValueError: when the share is not above one half and below 1, or an error is not between 0 and one half.
    """

    share: float = 0.55
    false_better: float = 0.05
    false_equal: float = 0.05

    def __post_init__(self) -> None:
        if not 0.5 < self.share < 1:
            raise ValueError(f"share {self.share}: expected more than 0.5 and less than 1")
        for name in ("false_better", "false_equal"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} {getattr(self, name)}: expected more than 0 and less than 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first of them the verdict is "not better", above the second "better"."""
        return log(self.false_equal / (1 - self.false_better)), log((1 - self.false_equal) / self.false_better)

    def ratio(self, only_first: int, only_second: int) -> float:
        """The logarithm of the likelihood ratio, after these numbers of games won by one only."""
        return only_first * log(2 * self.share) + only_second * log(2 * (1 - self.share))

    def verdict(self, only_first: int, only_second: int) -> Verdict:
        """The verdict of these games. The errors are as stated if it is taken after every game and the first decision is final."""
        low, high = self.bounds
        ratio = self.ratio(only_first, only_second)
        if ratio >= high:
            return Verdict.BETTER
        return Verdict.NOT_BETTER if ratio <= low else Verdict.UNDECIDED
