"""Finite probability distributions whose weights are exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


class Distribution(Generic[T]):
    """Outcomes with their chances: exact, positive, and adding up to one.

    >>> die = Distribution.uniform(range(1, 7))
    >>> die.map(lambda face: face >= 4)[True]
    Fraction(1, 2)

    :raises ValueError: when a weight is not positive or the weights do not add up to one.
    """

    __slots__ = ("_weights",)

    def __init__(self, weights: Mapping[T, Fraction]) -> None:
        for outcome, weight in weights.items():
            if weight <= 0:
                raise ValueError(f"the chance of {outcome!r} is {weight}, expected more than 0")
        total = sum(weights.values(), Fraction(0))
        if total != 1:
            raise ValueError(f"the chances add up to {total}, expected 1")
        self._weights = dict(weights)

    @classmethod
    def point(cls, outcome: T) -> Distribution[T]:
        """The distribution that has only this outcome."""
        return cls({outcome: Fraction(1)})

    @classmethod
    def uniform(cls, outcomes: Iterable[T]) -> Distribution[T]:
        """Equally likely outcomes; one that is listed twice is twice as likely.

        :raises ValueError: when there is none.
        """
        counts: dict[T, int] = {}
        for outcome in outcomes:
            counts[outcome] = counts.get(outcome, 0) + 1
        total = sum(counts.values())
        if not total:
            raise ValueError("a distribution needs at least one outcome")
        new = cls.__new__(cls)  # counts over their total need no check
        weights = {outcome: Fraction(count, total) for outcome, count in counts.items()}
        new._weights = weights  # noqa: SLF001  # it is of this class
        return new

    @classmethod
    def weighted(cls, counts: Mapping[T, int]) -> Distribution[T]:
        """Outcomes as likely as their counts: the faces of a loaded die, or the kinds of cards in a deck.

        >>> Distribution.weighted({"blank": 3, "trap": 1, "prize": 0})["trap"]
        Fraction(1, 4)

        An outcome that counts 0 is left out.

        :raises ValueError: when a count is negative, or all are 0.
        """
        for outcome, count in counts.items():
            if count < 0:
                raise ValueError(f"{outcome!r} counts {count}, expected 0 or more")
        total = sum(counts.values())
        if not total:
            raise ValueError("a distribution needs at least one outcome")
        return cls({outcome: Fraction(count, total) for outcome, count in counts.items() if count})

    @classmethod
    def drawn(cls, deck: Mapping[T, int], number: int) -> Distribution[tuple[T, ...]]:
        """A number of cards drawn without replacement from a deck, which has a count for each card; in the order drawn.

        >>> Distribution.drawn({"blank": 3, "trap": 1}, 2)[("blank", "trap")]
        Fraction(1, 4)

        :raises ValueError: when there are fewer cards, or a count is negative.
        """
        if not 0 <= number <= sum(deck.values()):
            raise ValueError(f"{number} cards drawn from {sum(deck.values())}")
        hands: Distribution[tuple[T, ...]] = Distribution.point(())
        for _ in range(number):
            hands = hands.then(
                lambda hand: Distribution.weighted(
                    {card: count - hand.count(card) for card, count in deck.items()}
                ).map(lambda card: (*hand, card))
            )
        return hands

    def __getitem__(self, outcome: T) -> Fraction:
        return self._weights.get(outcome, Fraction(0))

    def __iter__(self) -> Iterator[T]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._weights

    def items(self) -> Iterable[tuple[T, Fraction]]:
        """Outcomes with their chances."""
        return self._weights.items()

    def map(self, change: Callable[[T], U]) -> Distribution[U]:
        """The distribution of `change(outcome)`; outcomes that become equal are merged."""
        merged: dict[U, Fraction] = {}
        for outcome, weight in self._weights.items():
            image = change(outcome)
            merged[image] = merged.get(image, Fraction(0)) + weight
        return Distribution(merged)

    def then(self, follow: Callable[[T], Distribution[U]]) -> Distribution[U]:
        """The distribution after a second random step that depends on the outcome of the first."""
        merged: dict[U, Fraction] = {}
        for outcome, weight in self._weights.items():
            for image, share in follow(outcome).items():
                merged[image] = merged.get(image, Fraction(0)) + weight * share
        return Distribution(merged)

    def probability(self, event: Callable[[T], bool]) -> Fraction:
        """The chance that the outcome satisfies `event`."""
        return sum((weight for outcome, weight in self._weights.items() if event(outcome)), Fraction(0))

    def expectation(self, value: Callable[[T], int | Fraction]) -> Fraction:
        """The expected `value` of the outcome."""
        return sum((weight * value(outcome) for outcome, weight in self._weights.items()), Fraction(0))

    def sample(self, random: Random) -> T:
        """One outcome drawn with exactly these chances (an integer draw over the common denominator)."""
        scale = lcm(*(weight.denominator for weight in self._weights.values()))
        ticket = random.randrange(scale)
        for outcome, weight in self._weights.items():
            ticket -= int(weight * scale)
            if ticket < 0:
                return outcome
        raise AssertionError("the chances add up to one, so a ticket always falls on an outcome")

    def __eq__(self, other: object) -> bool:
        return self._weights == other._weights if isinstance(other, Distribution) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{outcome!r}: {weight}" for outcome, weight in list(self._weights.items())[:6])
        return f"Distribution({{{shown}{', ...' if len(self) > 6 else ''}}})"
