"""What the rest of a turn is worth if the player decides as well as possible, worked out by the rules in whole numbers.

What the rules do at a step depends on the cards that are out in one way only: they cannot be drawn. So a step without them is a
`Place`, which knows what follows each card and each decision once, and has a value for each set of cards that are out. Of the cards
in the hand only the suits count after the exchange. Nothing after the actions depends on where the pawn stands, or on the region
last invaded.

Where a crisis draws another card for one of an eradicated tribe, all cards of such tribes are alike from there on: of those
that are out only the number counts.

An invasion decides nothing. A card changes the cubes of its own suit alone, so the orders of the cards of each suit are counted
apart (`Tables`), and joined by the number of their outbreaks.

Values are whole numbers, of which `ONE` are one: each draw divides by the number of cards in the deck, which falls with each card
of a turn, so all divisions come out even.
"""

from math import comb, factorial, perm
from typing import NamedTuple

from text import Unreadable

from finem import rules
from finem.map import AT, CARDS
from finem.position import State

ONE = factorial(24)
MOST_VALUES = 40_000_000  # of a certificate: some two minutes
SEEN_BY_SUIT = {
    "event",
    "travel",
    "resist",
    "raise",
    "protect",
    "civil-war",
    "discard-event",
    "crisis",
    "discard",
    "choose",
}
ENDS = ("role", "appoint")

Counts = tuple[tuple[int, ...], ...]  # orders of 0, 1, 2 ... cards by outbreaks, without those that lose


class Aim(NamedTuple):
    """What a turn is played for: the value of a game that is won, lost, of a place of outbreaks, of a point of each die."""

    most: bool
    won: int = 0
    lost: int = 0
    outbreaks: int = 0
    dice: tuple[int, ...] = (0, 0, 0, 0)

    def of_dice(self, state: State) -> int:
        """The value of the dice."""
        return sum(weight * die for weight, die in zip(self.dice, state.dice, strict=True))


def place_of(found: rules.Next) -> rules.Next:
    """A position without what the rest of its turn does not depend on; cards out are counted beside it."""
    if isinstance(found, str):
        return found
    found = found._replace(pawn=found.start, last=found.start, out=frozenset())
    if found.step in SEEN_BY_SUIT:
        found = found._replace(hand=tuple(card // 6 * 6 for card in found.hand))
    return found


def wins_after(state: State) -> bool:
    """Whether the end of the turn wins, if nothing loses before."""
    return all(state.pacified) and state.rules.readings["E-WIN"] == "turn"


def key_of(found: rules.Next) -> object:
    """What tells a position from others under the same rules."""
    return found if isinstance(found, str) else found[1:]


def first_blanks(state: State, out: int) -> int:
    """The cards that are out, with the first blank ones in place of as many others."""
    blank = rules.blank_cards(state)
    first = blank[: sum(out >> card & 1 for card in blank)]
    return out & ~sum(1 << card for card in blank) | sum(1 << card for card in first)


class Tables:
    """For the cubes of a suit and the cards of it that can be drawn: how many orders of them have how many outbreaks."""

    def __init__(self) -> None:
        self.of: dict[tuple[object, ...], dict[int, int]] = {}
        self.numbers: dict[Counts, int] = {}
        self.counts: list[Counts] = []
        self.joined: dict[tuple[int, ...], tuple[int, ...]] = {}

    def numbered(self, counts: Counts) -> int:
        """The number of a table; equal ones have the same."""
        if counts not in self.numbers:
            self.numbers[counts] = len(self.counts)
            self.counts.append(counts)
        return self.numbers[counts]

    def after(self, ids: tuple[int, int, int, int], cards: int) -> tuple[int, ...]:
        """How many orders of so many cards of all suits have 0, 1, 2, 3 outbreaks and lose by no cube."""
        key = (*ids, cards)
        if key not in self.joined:
            whole = self.counts[ids[0]]
            for number in ids[1:]:
                whole = joined(whole, self.counts[number], cards)
            self.joined[key] = whole[cards] if cards < len(whole) else (0, 0, 0, 0)
        return self.joined[key]


def joined(one: Counts, other: Counts, most: int) -> Counts:
    """The orders of the cards of both."""
    found = [[0, 0, 0, 0] for _ in range(min(most, len(one) + len(other) - 2) + 1)]
    for first, row in enumerate(one[: most + 1]):
        for second, column in enumerate(other[: most - first + 1]):
            ways = comb(first + second, first)
            for at, left in enumerate(row):
                for more, right in enumerate(column[: 4 - at] if left else ()):
                    found[first + second][at + more] += ways * left * right
    return tuple(map(tuple, found))


class Invasion:
    """An invasion that is about to begin or go on."""

    def __init__(self, state: State, aim: Aim, tables: Tables) -> None:
        self.tables, self.aim, self.cards, self.outbreaks = tables, aim, state.left, state.outbreaks
        self.drawable = (1 << 24) - 1 - ((1 << state.protected) if state.protected >= 0 else 0)
        self.dice = aim.of_dice(state)
        self.wins = wins_after(state)
        self.known: dict[tuple[tuple[int, int, int, int], int], int] = {}
        self.suits = []
        for suit in range(4):
            own = tuple(number if at % 4 == suit else 0 for at, number in enumerate(state.cubes))
            alone = state._replace(cubes=own, outbreaks=0, left=0)
            key = (suit, own[suit::4], state.protected, state.dice[suit] > 0)
            self.suits.append((alone, tables.of.setdefault(key, {})))

    def value(self, out: int) -> int:
        """The value by the cards that are out."""
        deck = self.drawable & ~out
        (_, first), (_, second), (_, third), (_, fourth) = self.suits
        try:
            key = (first[deck & 63], second[deck >> 6 & 63], third[deck >> 12 & 63], fourth[deck >> 18])
        except KeyError:
            key = (self.table(0, deck), self.table(1, deck), self.table(2, deck), self.table(3, deck))
        number = deck.bit_count()
        if (key, number) not in self.known:
            self.known[key, number] = self.worth(key, number)
        return self.known[key, number]

    def worth(self, key: tuple[int, int, int, int], number: int) -> int:
        """The value by the tables of the suits, and the cards that can be drawn."""
        if number < self.cards:
            raise Unreadable("the deck has too few cards for the rest of this turn")
        orders = perm(number, self.cards)
        ways = self.tables.after(key, self.cards)[: 4 - self.outbreaks]
        goes_on = (
            self.aim.won * sum(ways)
            if self.wins
            else sum(way * (self.dice + self.aim.outbreaks * (self.outbreaks + more)) for more, way in enumerate(ways))
        )
        return ONE // orders * (goes_on + self.aim.lost * (orders - sum(ways)))

    def table(self, suit: int, deck: int) -> int:
        """The number of the table of a suit."""
        alone, known = self.suits[suit]
        deck = deck >> 6 * suit & 63
        if deck not in known:
            known[deck] = self.tables.numbered(self.counted(alone, suit, deck))
        return known[deck]

    def counted(self, alone: State, suit: int, deck: int) -> Counts:
        """The orders of at most four cards of a suit by their outbreaks."""
        cards = [6 * suit + at for at in range(6) if deck >> at & 1]
        most = min(4, len(cards))
        if not alone.dice[suit]:
            return tuple((perm(len(cards), number), 0, 0, 0) for number in range(most + 1))
        if all(alone.cubes[4 * card + suit] < 3 for card in cards):  # no outbreak: all cards are alike
            room = 12 - rules.total(alone, suit)
            return tuple((perm(len(cards), number) if number <= room else 0, 0, 0, 0) for number in range(most + 1))
        found = [[0, 0, 0, 0] for _ in range(most + 1)]
        waiting: dict[tuple[object, int], tuple[State, int]] = {(alone[1:], deck): (alone, 1)}
        for number in range(most + 1):
            following: dict[tuple[object, int], tuple[State, int]] = {}
            for (_, left), (state, ways) in waiting.items():
                found[number][state.outbreaks] += ways
                for card in cards if number < most else ():
                    if left >> card % 6 & 1:
                        after = rules.invade_region(state, card)
                        if isinstance(after, State):
                            after = after._replace(last=alone.last)
                            key = (after[1:], left & ~(1 << card % 6))
                            following[key] = after, ways + (following[key][1] if key in following else 0)
            waiting = following
        return tuple(map(tuple, found))


class Place:
    """A step of a turn, and what comes next."""

    def __init__(self, state: rules.Next, aim: Aim, tables: Tables) -> None:
        self.state = state
        self.known: dict[int, int] = {}
        self.after: dict[str, Place] = {}
        self.cards: list[Place] = []
        self.ended: int | None = None
        self.invasion: Invasion | None = None
        if isinstance(state, str):
            self.ended = ONE * (aim.won if state == rules.WON else aim.lost)
        elif state.step in ENDS:
            self.ended = ONE * (aim.of_dice(state) + aim.outbreaks * state.outbreaks)
        elif state.step == "invade" and not (aim.lost or aim.outbreaks or any(aim.dice) or wins_after(state)):
            self.ended = 0  # an invasion wins no game
        elif state.step == "invade" and state.card < 0 and not rules.collects(state):
            self.invasion = Invasion(state, aim, tables)


class Rest:
    """The values of the places of a turn."""

    def __init__(self, aim: Aim) -> None:
        self.aim, self.tables = aim, Tables()
        self.places: dict[object, Place] = {}
        self.values = 0

    def best(self, found: rules.Next) -> int:
        """The value of a position, with its cards out."""
        out = sum(1 << card for card in found.out) if isinstance(found, State) else 0
        self.places.clear()  # those of another position are not met again
        return self.value(self.place(place_of(found)), out)

    def place(self, state: rules.Next) -> Place:
        """The place of a step. An invasion raises no die and pacifies nobody; it asks only which tribes are there at all."""
        if isinstance(state, State) and state.step == "invade" and not any(self.aim.dice):
            wins = wins_after(state)
            state = state._replace(dice=tuple(min(die, 1) for die in state.dice), pacified=(wins,) * 4)
        key = key_of(state)
        if key not in self.places:
            self.places[key] = Place(state, self.aim, self.tables)
        return self.places[key]

    def value(self, place: Place, out: int) -> int:
        """The value of a place by the cards that are out."""
        if place.ended is not None:
            return place.ended
        self.values += 1
        if self.values > MOST_VALUES:
            raise Unreadable(f"this turn has more than {MOST_VALUES} values, too many to be counted here")
        if place.invasion is not None:
            return place.invasion.value(out)
        if isinstance(place.state, State) and place.state.step == "crisis":
            out = first_blanks(place.state, out)
        if out not in place.known:
            place.known[out] = self.worked_out(place, out)
        return place.known[out]

    def worked_out(self, place: Place, out: int) -> int:
        """The mean over the cards, or the best of the decisions; see `crisis` and `decided`."""
        state = place.state
        assert isinstance(state, State)
        if state.step in rules.CHANCE:
            if not place.cards:
                place.cards = [self.place(place_of(rules.after(state, card))) for card in AT]
            drawn = [card for card in range(24) if not out >> card & 1]
            if not drawn:
                raise Unreadable("the deck has too few cards for the rest of this turn")
            if state.step == "crisis" and rules.blank_cards(state):
                return self.crisis(place, out, drawn)
            return sum(self.value(place.cards[card], out | 1 << card) for card in drawn) // len(drawn)
        return self.decided(place, state, out)

    def crisis(self, place: Place, out: int, drawn: list[int]) -> int:
        """The mean over the cards of a crisis; a blank one is replaced while the deck has more than an invasion can need."""
        state = place.state
        assert isinstance(state, State)
        blank = [card for card in rules.blank_cards(state) if card in drawn]
        whole = sum(self.value(place.cards[card], out | 1 << card) for card in drawn if card not in blank)
        if blank:
            after = place
            if len(drawn) - 1 <= rules.SPARED:
                others = frozenset(range(24)) - {blank[0]}
                after = self.place(place_of(rules.after(state._replace(out=others), CARDS[blank[0]])))
            whole += len(blank) * self.value(after, out | 1 << blank[0])
        return whole // len(drawn)

    def decided(self, place: Place, state: State, out: int) -> int:
        """The best of the decisions."""
        if not place.after:
            words = rules.choices(state)
            place.after = {word: self.place(place_of(rules.after(state, word))) for word in words}
        choices = list(place.after.items())
        if state.step == "protect" and state.rules.readings["E-PROTECT-OUT"] == "deck":
            choices = [(word, after) for word, after in choices if not out >> AT[word.split(" ")[1]] & 1]
        values = [self.value(after, out) for after in {after for _, after in choices}]
        return max(values) if self.aim.most else min(values)
