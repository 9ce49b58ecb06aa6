"""A turn by the reference rules, exactly, in about a second: hands of a campaign by their suits, cards of an invasion by tribes.

The kernel follows turns, but not under every value of a reading. Card by card the reference rules take days for a turn, so draws
that are alike are followed once:

- A campaign looks at the suits of its three cards, and so does the policy, until it names a region that is not out. So a hand is
  a *row of suits*: its cards stay unseen, and each way is weighed by the number of hands that fit it and have none of the
  cards that were seen. Where the policy names a region (event C), one card after the other is asked for: is it in the hand?
  Between that and the invasion no card is drawn, since a hand with an event has three suits, and one that brings a crisis at
  most two.
- A crisis that draws another card for one of an eradicated tribe takes the cards of each such tribe for one another, and is
  followed once for each number of them that came before.
- In an invasion no tribe touches the cubes of another, and what loses is the number of all outbreaks or one tribe's cubes. So
  the orders of a set of cards are followed for each tribe by itself (`_Tribe`), and sets of four tribes are multiplied.

Each step in between is one of the reference rules: a card is drawn, or the policy decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from math import comb, factorial, prod

from tetrasolve.exact.deadline import check
from tetrasolve.finem import numbers, rules
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.policies import careful
from tetrasolve.finem.position import Phase, Position, Result, State, Step, in_order
from tetrasolve.finem.rules.invasion import invaded
from tetrasolve.finem.rules.tribes import all_pacified
from tetrasolve.stop import Stop

Chances = tuple[Fraction, Fraction]  # of a loss and of a victory in the rest of the turn
Hand = tuple[str, ...]  # the cards that were seen, and the suits of the others
Cards = frozenset[str]
Numbers = tuple[tuple[int, ...], ...]  # by the number of cards, then of outbreaks
NONE: Chances = (Fraction(0), Fraction(0))
MOST_CARDS = numbers.INVASIONS_OF_FIRST_CARD + numbers.DECLINE_CARDS - 1  # of an invasion
WHOLE = factorial(MOST_CARDS)  # the orders of a set of cards are counted as parts of so many
OF_TRIBE: Mapping[str, tuple[str, ...]] = {
    tribe: tuple(card for card in REGIONS if card[0] == tribe) for tribe in TRIBES
}


def turn_chances(position: Position, stop: Stop | None = None) -> Chances:
    """The chances of a loss and of a victory in the turn, from here on, if the policy `careful` decides.

    In the phase of actions the player passes.

    :raises Stopped: when `stop` is set before.
    """
    state: State = position
    while isinstance(state, Position) and state.step is Step.ACT:
        state = rules.take(state, careful(state, rules.node(state)))
    return _Turn(stop).rest(state, state.hand, state.out) if isinstance(state, Position) else _end(state)


def _end(result: Result) -> Chances:
    return Fraction(not result.is_won), Fraction(result.is_won)


def _sum(rows: Iterator[tuple[Fraction, Chances]]) -> Chances:
    lost = won = Fraction(0)
    for weight, found in rows:
        lost, won = lost + weight * found[0], won + weight * found[1]
    return lost, won


# -- what is unseen --------------------------------------------------------------------------------------------------------


def _free(suit: str, away: Cards) -> tuple[str, ...]:
    """The cards of a suit of which a hand can have some that were not seen."""
    return tuple(card for card in OF_TRIBE[suit] if card not in away)


def _ways(hand: Hand, away: Cards) -> int:
    """The number of hands that fit, none of whose cards is away."""
    return prod(comb(len(_free(suit, away)), hand.count(suit)) for suit in TRIBES if suit in hand)


def _example(hand: Hand, away: Cards) -> tuple[str, ...]:
    """One of these hands. Cards of one suit may be in any order: the rules look at the suits alone."""
    kept = {suit: [card for card in hand if card[0] == suit and card != suit] for suit in TRIBES}
    cards = {
        suit: in_order([*kept[suit], *_free(suit, away)[: hand.count(suit)]]) for suit in {card[0] for card in hand}
    }
    return tuple(next(cards[card[0]]) for card in hand)


def _unseen(hand: Hand) -> int:
    return sum(card in TRIBES for card in hand)


def _draws_again(position: Position) -> bool:
    """Whether a crisis can draw another card for one of an eradicated tribe [E-CRISIS-GONE]."""
    return position.step is Step.CRISIS and position.ruleset.readings["E-CRISIS-GONE"] == "again"


# -- a turn ----------------------------------------------------------------------------------------------------------------


class _Turn:
    """A turn under the rules of its positions; tribes are followed once for each way in which their cubes can lie."""

    def __init__(self, stop: Stop | None) -> None:
        self._stop = stop
        self._tribes: dict[tuple[str, tuple[int, ...], bool, str | None], _Tribe] = {}
        self._crises: dict[tuple[Position, Hand, Cards], Chances] = {}

    def _hands(self, position: Position) -> Iterator[tuple[Fraction, Chances]]:
        """From the beginning of a campaign on: all hands by their suits."""
        total = comb(len(position.deck), numbers.CAMPAIGN_CARDS)
        in_order_drawn = position.ruleset.readings["E-LIMIT-ORDER"] == "drawn"
        for suits in combinations_with_replacement(TRIBES, numbers.CAMPAIGN_CARDS):
            ways = _ways(suits, position.out)
            orders = sorted({*permutations(suits)}) if in_order_drawn else [suits]
            for hand in orders if ways else ():
                *others, last = _example(hand, position.out)
                before = position.replace(hand=tuple(others), out=position.out | {*others})
                yield Fraction(ways, total * len(orders)), self.rest(rules.take(before, last), hand, position.out)

    def rest(self, state: State, hand: Hand, seen: Cards) -> Chances:
        """From a state on, of whose cards that are out these were seen; `hand` says what is known of a campaign's."""
        check(self._stop)
        if isinstance(state, Result):
            return _end(state)
        if state.phase is Phase.ROLE:
            return NONE
        if state.step is Step.DRAW and not state.hand:
            return _sum(self._hands(state))
        if state.step is Step.INVADE and not state.hand and state.card is None:
            return self._invasion(state, hand, seen)
        if _draws_again(state):
            key = state.replace(out=frozenset(), hand=()), hand, seen
            if key not in self._crises:
                self._crises[key] = _sum(self._cards(state, hand, seen))
            return self._crises[key]
        if state.step.is_chance:
            return _sum(self._cards(state, hand, seen))
        if state.step is Step.PROTECT and _unseen(hand):
            return _sum(self._names(state, hand, seen))
        after = rules.take(state, careful(state, rules.node(state)))
        return self.rest(after, self._known(after, hand), seen)

    def _known(self, state: State, hand: Hand) -> Hand:
        """The hand after a step: that of the position, if all of its cards are known."""
        return state.hand if isinstance(state, Position) and not _unseen(hand) else hand

    def _cards(self, position: Position, hand: Hand, seen: Cards) -> Iterator[tuple[Fraction, Chances]]:
        """All cards that can come, each with its chance."""
        total = _ways(hand, seen) * (len(REGIONS) - len(seen) - _unseen(hand))
        for card in REGIONS:
            alike = self._alike(position, card, seen)
            then = seen | {card}
            ways = _ways(hand, then) * len(alike) if alike[:1] == (card,) else 0
            if ways:
                after = rules.take(self._with(position, hand, seen, card), card)
                yield Fraction(ways, total), self.rest(after, self._known(after, hand), then)

    def _alike(self, position: Position, card: str, seen: Cards) -> tuple[str, ...]:
        """The cards that were not seen and lead on as this one does: itself, or in a crisis all of its eradicated tribe."""
        if _draws_again(position) and position.is_eradicated(card[0]):
            return _free(card[0], seen)
        return () if card in seen else (card,)

    def _names(self, position: Position, hand: Hand, seen: Cards) -> Iterator[tuple[Fraction, Chances]]:
        """What the policy names if the first region that it thinks of is not in the hand, or if it is, and so on."""
        left = Fraction(1)
        while left:
            asked = position.replace(out=seen)
            option = careful(asked, rules.node(asked))
            card = option.split()[1]
            absent = Fraction(_ways(hand, seen | {card}), _ways(hand, seen))
            if absent:
                after = rules.take(self._with(position, hand, seen, card), option)
                yield left * absent, self.rest(after, hand, seen)
            left *= 1 - absent
            if left:
                at = hand.index(card[0])
                hand, seen = (*hand[:at], card, *hand[at + 1 :]), seen | {card}

    def _with(self, position: Position, hand: Hand, seen: Cards, without: str) -> Position:
        """The position with a hand that fits and has not this card."""
        if not _unseen(hand):
            return position.replace(hand=hand or position.hand, out=seen)  # in which an example may stand still
        example = _example(hand, seen | {without})
        return position.replace(hand=example, out=seen | {*example})

    # -- the invasion ----------------------------------------------------------------------------------------------------

    def _invasion(self, position: Position, hand: Hand, seen: Cards) -> Chances:
        """All sets of cards, with all of their orders and all hands that leave them in the deck."""
        shield, number = position.protected, position.left
        in_deck = len(REGIONS) - len(seen) - _unseen(hand) - (shield is not None and shield not in seen)
        away = seen if shield is None else seen | {shield}  # that card is replaced, and is in no hand that was not seen
        room = numbers.MOST_OUTBREAKS - position.outbreaks
        kept = [[1] + [0] * (room - 1)] + [
            [0] * room for _ in range(number)
        ]  # by cards and outbreaks, of what is not lost
        for tribe in TRIBES:
            kept = _product(kept, self._tribe(position, tribe).numbers(number, away, hand.count(tribe)))
        whole = _ways(hand, away) * comb(in_deck, number) * WHOLE ** len(TRIBES)
        lost = 1 - Fraction(sum(kept[number]), whole)
        return lost, 1 - lost if all_pacified(position) else Fraction(0)

    def _tribe(self, position: Position, tribe: str) -> _Tribe:
        spared = position.protected if position.ruleset.readings["E-PROTECT"] == "chain" else None
        key = tribe, tuple(position.count(region, tribe) for region in REGIONS), position.is_eradicated(tribe), spared
        if key not in self._tribes:
            self._tribes[key] = _Tribe(position, tribe)
        return self._tribes[key]


def _product(one: list[list[int]], other: Numbers) -> list[list[int]]:
    """The sums over both numbers of cards and of outbreaks, up to those of the first."""
    room = len(one[0])
    found = [[0] * room for _ in one]
    for cards, row in enumerate(one):
        for outbreaks, count in enumerate(row):
            if count:
                for more, others in enumerate(other[: len(one) - cards]):
                    for added, ways in enumerate(others[: room - outbreaks]):
                        found[cards + more][outbreaks + added] += count * ways
    return found


class _Tribe:
    """The cards of a tribe in an invasion: for each set of them how many of its orders lose nothing, by their outbreaks."""

    def __init__(self, position: Position, tribe: str) -> None:
        self._start = position.replace(outbreaks=numbers.FIRST_OUTBREAKS, out=frozenset(), hand=())
        self._cards = OF_TRIBE[tribe]
        self._orders: list[Mapping[Cards, Mapping[Position, int]]] = [{frozenset(): {self._start: 1}}]
        self._known: dict[tuple[Cards, int, int], Numbers] = {}

    def _sets(self, size: int) -> Mapping[Cards, Mapping[Position, int]]:
        """How many orders of each set of so many cards lead to each position."""
        while len(self._orders) <= size:
            found: dict[Cards, dict[Position, int]] = {}
            for cards, ends in self._orders[-1].items():
                for card in self._cards:
                    if card not in cards:
                        _follow(ends, card, found.setdefault(cards | {card}, {}))
            self._orders.append(found)
        return self._orders[size]

    def numbers(self, most: int, away: Cards, unseen: int) -> Numbers:
        """The orders of sets of at most so many cards, none away, times the ways to have so many others unseen in a hand.

        By the number of cards, then of outbreaks; the orders of each set count `WHOLE` together, with those that lose.
        """
        free = frozenset(self._cards) - away
        if (free, unseen, most) not in self._known:
            self._known[free, unseen, most] = tuple(
                self._row(size, free, comb(len(free) - size, unseen)) for size in range(min(most, len(free)) + 1)
            )
        return self._known[free, unseen, most]

    def _row(self, size: int, free: Cards, ways: int) -> tuple[int, ...]:
        row = [0] * (numbers.MOST_OUTBREAKS - numbers.FIRST_OUTBREAKS)
        for cards, ends in self._sets(size).items():
            if cards <= free:
                for position, count in ends.items():
                    row[position.outbreaks - numbers.FIRST_OUTBREAKS] += count * ways * (WHOLE // factorial(size))
        return tuple(row)


def _follow(ends: Mapping[Position, int], card: str, found: dict[Position, int]) -> None:
    """Add where a card leads from these positions, but for losses."""
    for before, count in ends.items():
        after = invaded(before, card)
        if isinstance(after, Position):
            after = after.replace(last=before.last)  # which region it is changes no chance
            found[after] = found.get(after, 0) + count
