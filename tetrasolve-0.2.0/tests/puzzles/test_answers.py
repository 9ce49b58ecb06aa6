"""The two best answers on graphs at random, against all policies listed one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tetrasolve.puzzles import Answers, Branch

Options = dict[int, list[list[Branch]]]
Ends = dict[int, tuple[str, int]]


def graph(random: Random) -> tuple[list[int], Ends, Options]:
    """Nodes from the last to the first; few tables and values, so that many policies are the same or equally good."""
    count = random.randint(3, 7)
    ends: Ends = {}
    options: Options = {}
    for node in range(count - 1, -1, -1):
        later = list(range(node + 1, count))
        for _ in range(random.randint(0, 2) if later else 0):
            dice = random.choice([(36,), (18, 18), (12, 24), (12, 12, 12)])
            branches = [Branch(Fraction(share, 36), random.choice(later)) for share in dice]
            options.setdefault(node, []).append(branches)
        if node not in options or random.random() < 0.4:
            ends[node] = (random.choice("abc"), random.randint(0, 2))
    return list(range(count - 1, -1, -1)), ends, options


def policies(node: int, ends: Ends, options: Options) -> list[tuple[frozenset[tuple[str, Fraction]], Fraction]]:
    """Where each policy leads, and its value."""
    found = [(frozenset([(ends[node][0], Fraction(1))]), Fraction(ends[node][1]))] if node in ends else []
    for branches in options.get(node, []):
        for chosen in product(*(policies(branch.node, ends, options) for branch in branches)):
            chances: Counter[str] = Counter()
            value = Fraction(0)
            for branch, (where, worth) in zip(branches, chosen, strict=True):
                value += branch.chance * worth
                for table, chance in where:
                    chances[table] += branch.chance * chance
            found.append((frozenset(chances.items()), value))
    return found


def solved(order: list[int], ends: Ends, options: Options) -> Answers[Fraction]:
    return Answers(
        order,
        {node: (table, Fraction(value)) for node, (table, value) in ends.items()},
        lambda node: options.get(node, []),
        compare=lambda a, b: (a > b) - (a < b),
        mean=lambda shares: sum((chance * value for chance, value in shares), Fraction(0)),
    )


def test_the_two_best_answers_are_those_of_all_policies() -> None:
    random = Random("answers")
    ties = others = 0
    for _ in range(400):
        order, ends, options = graph(random)
        listed = policies(0, ends, options)
        found = solved(order, ends, options)
        best = found.best[0]
        assert best.value == max(value for _, value in listed)
        # the class of the best policy that was found is one of those with the greatest value
        names = {number: table for table, number in found._numbers.items()}
        same = frozenset((names[number], chance) for number, chance in best.chances)
        assert (same, best.value) in listed
        rest = [value for where, value in listed if where != same]
        other = found.other[0]
        assert (None if other is None else other.value) == max(rest, default=None)
        if other is not None:
            assert dict(other.chances) != dict(best.chances)
            others += 1
            ties += other.value == best.value
    assert others > 120 and 20 < ties < others - 20  # both kinds are there


def test_without_another_answer_there_is_none_to_pick() -> None:
    found = solved([1, 0], {1: ("a", 1)}, {0: [[Branch(Fraction(1), 1)]]})
    assert found.pick(0, other=False).value == 1
    with pytest.raises(LookupError, match="one answer"):
        found.pick(0, other=True)


def test_chances_that_cancel_out_make_the_same_answer() -> None:
    """After equal dice, to do a after one and b after the other is as good a way to the same chances as the reverse."""
    half = Fraction(1, 2)
    ends = {3: ("a", 2), 4: ("b", 2)}
    choice = [[Branch(Fraction(1), 3)], [Branch(Fraction(1), 4)]]
    options = {0: [[Branch(half, 1), Branch(half, 2)]], 1: choice, 2: choice}
    found = solved([4, 3, 2, 1, 0], ends, options)
    assert found.other[0] is not None and found.other[0].value == 2  # a and b is another answer than a and a


def test_a_node_without_a_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="neither an end nor an option"):
        solved([0], {}, {})
