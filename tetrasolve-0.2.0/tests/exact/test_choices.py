"""Chance and choice against enumeration by hand, and weights that are not equal."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetrasolve.exact import Chance, Choice, CyclicError, Distribution, End, NotAbsorbingError, best, follow
from tetrasolve.exact.choices import Node

DECKS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3), min_size=1).filter(lambda deck: sum(deck.values()))


@given(DECKS, st.data())
def test_cards_are_drawn_as_from_a_shuffled_deck(deck: dict[str, int], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, min(3, sum(deck.values()))))
    cards = [card for card, count in deck.items() for _ in range(count)]
    hands = Counter(permutations(cards, number))  # each card is one of its own: all orders are equally likely
    total = sum(hands.values())

    assert dict(Distribution.drawn(deck, number).items()) == {hand: Fraction(n, total) for hand, n in hands.items()}


@given(DECKS)
def test_weights_are_shares(deck: dict[str, int]) -> None:
    found = Distribution.weighted(deck)

    assert {card: weight * sum(deck.values()) for card, weight in found.items()} == {c: n for c, n in deck.items() if n}


@pytest.mark.parametrize("deck", [{}, {"a": 0}, {"a": -1, "b": 2}])
def test_what_is_no_deck(deck: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"expected 0 or more|at least one outcome"):
        Distribution.weighted(deck)
    with pytest.raises(ValueError, match="cards drawn"):
        Distribution.drawn({"a": 1}, 2)


# State: cards left, points, whether it is over. A trap takes everything; who stops keeps the points.
State = tuple[int, int, int, bool, bool]  # blanks, traps, points, over, drawing


def greedy(state: State) -> Node[State]:
    blanks, traps, points, over, drawing = state
    if over:
        return End(Fraction(points))
    if drawing:
        return Chance(
            Distribution.weighted({"blank": blanks, "trap": traps}).map(
                lambda card: (
                    (blanks - 1, traps, points + 1, False, False)
                    if card == "blank"
                    else (blanks, traps - 1, 0, True, False)
                )
            )
        )
    options = {"stop": (blanks, traps, points, True, False)}
    return Choice(options | ({"draw": (blanks, traps, points, False, True)} if blanks + traps else {}))


def by_hand(blanks: int, traps: int, points: int) -> Fraction:
    if not blanks:
        return Fraction(points)
    return max(Fraction(points), Fraction(blanks, blanks + traps) * by_hand(blanks - 1, traps, points + 1))


@pytest.mark.parametrize("blanks", range(7))
@pytest.mark.parametrize("traps", range(4))
def test_the_best_choices(blanks: int, traps: int) -> None:
    start = (blanks, traps, 0, False, False)
    solution = best(start, greedy)

    assert solution.values[start] == by_hand(blanks, traps, 0)
    ends = follow(start, greedy, lambda state, _: solution.options[state]).ends
    assert ends.expectation(lambda state: state[2]) == solution.values[start]


def test_the_first_of_equal_options() -> None:
    start = (1, 1, 1, False, False)  # draw: half of 2; stop: 1

    assert best(start, greedy).options[start] == "stop"


def test_a_play_without_end() -> None:
    def circle(state: int) -> Node[int]:
        return Choice({"on": (state + 1) % 3}) if state else Chance(Distribution.weighted({1: 2, 2: 3}))

    with pytest.raises(CyclicError):
        best(0, circle)
    with pytest.raises(NotAbsorbingError):
        follow(0, circle, lambda *_: "on")


def test_a_play_that_may_come_back() -> None:
    def leave(state: int) -> Node[int]:
        return End(Fraction(0)) if state else Chance(Distribution.weighted({0: 6, 1: 1}))

    assert follow(0, leave, lambda *_: "").visits[0] == 7


def test_a_choice_of_nothing() -> None:
    with pytest.raises(ValueError, match="at least one option"):
        Choice({})


def test_a_long_play_needs_no_deep_stack() -> None:
    def count(state: int) -> Node[int]:
        return Choice({"on": state + 1}) if state < 5000 else End(Fraction(state))

    assert best(0, count).values[0] == 5000
