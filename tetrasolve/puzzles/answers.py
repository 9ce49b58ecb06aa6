"""The best answer to a decision problem with dice, and the best of all policies that are another answer.

The problem is a graph without cycles. At a node the player may end, if the node has an end, or take an option; dice choose the
branch of an option. A policy chooses at every node that it reaches, and may choose differently when it comes to a node by another
way. Two policies are *the same answer* if they lead to the same ends with the same chances: then they commute, or come to the
same by other ways. The value of a policy is the mean of the values of its ends. One end can be reached with several values,
since a detour costs something.

`Answers` finds a policy with the greatest value and one with the greatest value among those that are another answer. For each
node it keeps these two, by induction from the ends:

- Where the player chooses, the best other answer is the best policy of an option that is another answer, or the best other
  answer of an option that is the same.
- Where dice choose, a policy can only be another answer if it is another one after some branch. The best of these is
  another answer after one branch and the best policy after all others; it leads to other ends, since the best policy's chances
  cancel. So nothing is left out, and nothing is enumerated twice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Generic, NamedTuple, TypeAlias, TypeVar

V = TypeVar("V")
Chances: TypeAlias = tuple[tuple[int, Fraction], ...]  # numbers of ends with their chances, in ascending order

LOOK_EVERY = 64  # nodes


class Branch(NamedTuple):
    """One thing that dice can choose: its chance in (0, 1], and the node that follows."""

    chance: Fraction
    node: int


class Pick(NamedTuple, Generic[V]):
    """A policy from a node on: its value, where it leads, and its first choice.

    `option` is the number of the option, None: the player ends here. In the branch `other` the policy goes on with the best other
    answer, in all others with the best; None: with the best in all.
    """

    value: V
    chances: Chances
    option: int | None
    other: int | None = None


class Answers(Generic[V]):
    """The best policy and the best that is another answer, from each node of a graph on.

    `order` has all nodes, each after those its options lead to. `ends` are the nodes where the player can end: what is then on
    the table, and its value. `options` gives the options of a node, each the branches of its dice. `compare` of two values is
    positive where the first is better, `mean` is the mean of values with chances, and must be linear. `look` is called now and
    then and may raise to end the search.

    :raises ValueError: when a node has neither an end nor an option.

    >>> ends = {1: ("won", 1), 2: ("lost", 0), 3: ("lost", 0)}
    >>> options = {0: [[Branch(Fraction(1, 3), 1), Branch(Fraction(2, 3), 2)], [Branch(Fraction(1), 3)]]}
    >>> answers = Answers(
    ...     [1, 2, 3, 0],
    ...     ends,
    ...     lambda node: options.get(node, []),
    ...     compare=lambda a, b: (a > b) - (a < b),
    ...     mean=lambda shares: sum(chance * value for chance, value in shares),
    ... )
    >>> answers.best[0].value, answers.other[0].value
    (Fraction(1, 3), 0)
    """

    def __init__(
        self,
        order: Iterable[int],
        ends: Mapping[int, tuple[Hashable, V]],
        options: Callable[[int], Sequence[Sequence[Branch]]],
        *,
        compare: Callable[[V, V], int],
        mean: Callable[[list[tuple[Fraction, V]]], V],
        look: Callable[[], None] | None = None,
    ) -> None:
        self._compare, self._mean = compare, mean
        self._numbers: dict[Hashable, int] = {}
        self.best: dict[int, Pick[V]] = {}
        self.other: dict[int, Pick[V] | None] = {}
        for done, node in enumerate(order):
            if look is not None and done % LOOK_EVERY == 0:
                look()
            offers: list[Pick[V]] = []
            if node in ends:
                table, value = ends[node]
                number = self._numbers.setdefault(table, len(self._numbers))
                offers.append(Pick(value, ((number, Fraction(1)),), None))
            for number, branches in enumerate(options(node)):
                offers += self._offers(number, branches)
            if not offers:
                raise ValueError(f"node {node} has neither an end nor an option")
            self.best[node], self.other[node] = self._two(offers)

    def _offers(self, number: int, branches: Sequence[Branch]) -> Iterable[Pick[V]]:
        """The best policy that takes an option, and the best of those that are another answer than it."""
        if len(branches) == 1:
            (branch,) = branches
            best, other = self.best[branch.node], self.other[branch.node]
            yield Pick(best.value, best.chances, number)
            if other is not None:
                yield Pick(other.value, other.chances, number, 0)
            return
        picks = [self.best[branch.node] for branch in branches]
        yield self._joined(number, branches, picks, None)
        found: Pick[V] | None = None
        for row, branch in enumerate(branches):
            other = self.other[branch.node]
            if other is not None:
                pick = self._joined(number, branches, [*picks[:row], other, *picks[row + 1 :]], row)
                if found is None or self._compare(pick.value, found.value) > 0:
                    found = pick
        if found is not None:
            yield found

    def _joined(self, number: int, branches: Sequence[Branch], picks: Sequence[Pick[V]], other: int | None) -> Pick[V]:
        """The policy with these policies after the branches of an option."""
        chances: dict[int, Fraction] = {}
        for branch, pick in zip(branches, picks, strict=True):
            for end, chance in pick.chances:
                chances[end] = chances.get(end, Fraction(0)) + branch.chance * chance
        value = self._mean([(branch.chance, pick.value) for branch, pick in zip(branches, picks, strict=True)])
        return Pick(value, tuple(sorted(chances.items())), number, other)

    def _two(self, offers: Sequence[Pick[V]]) -> tuple[Pick[V], Pick[V] | None]:
        """The best, and the best of those that are another answer; of equally good ones the first."""
        best = offers[0]
        for offer in offers[1:]:
            if self._compare(offer.value, best.value) > 0:
                best = offer
        other: Pick[V] | None = None
        for offer in offers:
            if offer.chances != best.chances and (other is None or self._compare(offer.value, other.value) > 0):
                other = offer
        return best, other

    def pick(self, node: int, *, other: bool) -> Pick[V]:
        """The best policy from a node on, or the best other answer.

        :raises LookupError: when there is no other answer.
        """
        found = self.other[node] if other else self.best[node]
        if found is None:
            raise LookupError(f"from node {node} on all policies are one answer")
        return found
