"""The race of the dice against the decline: a proved upper bound on the win rate of every policy.

The relaxed process has no cubes. What is left are the dice, the tribes that are pacified, the decline and the roles; it is lost
by the decline alone. Whatever a policy does in the game it can do here with the same cards, and it loses here only where it loses
there, so the optimum of the race is not below the win rate of any policy. Kept are the cards of the campaign, the limit of points
with the player's choice of what to take off, event S, the Prefect's action, the Tribune's exchange, the Emperor's choice of a role.

Two things are rounded in the player's favour: in a Tribune's turn the card of an event is an S with 1/5 (at most 4 of 20 cards
are), and a die need not be raised by it. The cards that a Dictator draws before the campaign change nothing: after any number of
cards that he chooses to see, each set of three cards comes with the same chance, and nothing that he saw matters later.

The optimum is approached from above: by that of a game which is won, whatever comes, after so many turns. Every number is whole,
and each division is rounded up, so each of them is a bound. It knows all levels and options, E-PACIFY ``automatic`` and ``action``,
and the defaults of all other readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from operator import mul

from tetrasolve.bounds.bound import UpperBound
from tetrasolve.errors import ArgumentError
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.deadline import answering, check, public_question, stop_of
from tetrasolve.finem import numbers
from tetrasolve.finem.facts.dice import HANDS, NO_ROLE, PREFECT, START, State, actions, campaigns, is_won
from tetrasolve.finem.layout import RANKS, TRIBES
from tetrasolve.finem.ruleset import ROLES, Ruleset
from tetrasolve.finem.tracks import moved
from tetrasolve.stop import Stop

METHOD = "the race of the dice against the decline"
ONE = 2**60  # the unit of values: a rounding is below 1e-18, and a bound has some hundreds of them
WON = -1  # in place of the number of a state: the last place of a list of values, which holds ONE
CARDS = len(RANKS) * len(TRIBES)
PACIFY = ("automatic", "action")  # the values of E-PACIFY that are known here
EVENT_S = Fraction(1, len(RANKS))
EVENT_S_OF_TRIBUNE = Fraction(len(TRIBES), CARDS - numbers.CAMPAIGN_CARDS - 1)
TRIBUNE, EMPEROR = "tribune", "emperor"
KINDS: Mapping[str, int] = {
    NO_ROLE: len(ROLES) - 3,
    PREFECT: 1,
    TRIBUNE: 1,
    EMPEROR: 1,
}  # of roles, and how many there are

Ends = tuple[int, ...]  # numbers of dice states among which the player chooses
Pair = tuple[set[State], set[State]]
Choices = tuple[tuple[Ends, Ends], ...]  # after each of HANDS: without event S, and with it
Values = Mapping[int, Sequence[int]]  # by decline: of each dice state, of ONE


@dataclass(frozen=True, slots=True)
class RaceBound:
    """The bound of the race from a set-up, and the least value of a state in which the first turn can end; both are proved."""

    start: UpperBound
    least_later: Fraction


@public_question
def race(ruleset: Ruleset, turns: int = 32, *, seconds: float | None = None, cancel: Stop | None = None) -> RaceBound:
    """The optimum of the race from a set-up, as if it was won after so many turns; some seconds a turn.

    :raises ArgumentError: for a ruleset that is not known here, or less than two turns.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set.
    """
    stop = stop_of(seconds, cancel)
    require_known(ruleset)
    if turns < 2:
        raise ArgumentError("turns", turns, "at least 2")
    with answering("race"):
        process = Race(ruleset, stop=stop)
        steps = [by_kind for _, by_kind in zip(range(turns), process.turns(stop=stop), strict=False)]
    return RaceBound(process.bound(steps[-1]), process.least_later(steps[-2]))


def require_known(ruleset: Ruleset) -> None:
    """Refuse a ruleset whose race is not known.

    :raises ArgumentError: when a reading other than E-PACIFY is not at its default, or E-PACIFY is `free`.
    """
    others = [name for name, _ in ruleset.interpretations if name != "E-PACIFY"]
    if others or ruleset.readings["E-PACIFY"] not in PACIFY:
        expected = f"E-PACIFY {' or '.join(PACIFY)}, and the defaults of all other readings"
        raise ArgumentError("ruleset", str(ruleset), expected)


class Race:
    """The dice states that follow a first one, up to the order of the tribes, and what a turn can make of each of them.

    Of the pacifications by action, too, the player chooses after the cards are known, since a Dictator can see some before.
    """

    def __init__(self, ruleset: Ruleset, start: State = START, stop: Stop | None = None) -> None:
        self.ruleset, self.start = ruleset, alike(start)
        self.numbers: dict[State, int] = {}
        self.choices: dict[str, list[Choices | None]] = {NO_ROLE: [], PREFECT: []}  # None: the actions win
        self.declines = range(numbers.FIRST_DECLINE, ruleset.most_decline)
        found: list[dict[str, list[Pair] | None]] = []
        waiting = [self.start]
        while waiting:
            check(stop)
            state = waiting.pop()
            if state in self.numbers:
                continue
            self.numbers[state] = len(self.numbers)
            found.append({role: self._after(state, role) for role in self.choices})
            ends = {end for hands in found[-1].values() for plain, with_s in hands or () for end in plain | with_s}
            waiting += [end for end in ends if not is_won(end)]
        for by_role in found:
            for role, hands in by_role.items():
                self.choices[role].append(None if hands is None else tuple(map(self._ends, hands)))

    def _after(self, state: State, role: str) -> list[Pair] | None:
        """The states after each of `HANDS`, among which the player chooses; None where the actions win at once."""
        found: dict[tuple[str, ...], Pair] = {hand: (set(), set()) for hand in HANDS}
        for _, acted in actions(self.ruleset, state, role):
            if is_won(acted):
                return None
            for hand, raised, after in campaigns(self.ruleset, acted, role):
                found[hand][1].add(alike(after))
                if not raised:
                    found[hand][0].add(alike(after))
        return [*found.values()]

    def _ends(self, pair: Pair) -> tuple[Ends, Ends]:
        plain, with_s = (tuple(sorted({WON if is_won(end) else self.numbers[end] for end in ends})) for ends in pair)
        return plain, with_s

    def turns(self, last: int = ONE, stop: Stop | None = None) -> Iterator[dict[str, Values]]:
        """The values at the beginning of a turn, by its role, for a game that is worth `last` after one turn, after two, and so on.

        :raises Stopped: when the time runs out.
        """
        mean: Values = {decline: [last] * len(self.numbers) for decline in self.declines}
        most = mean
        while True:
            by_kind: dict[str, dict[int, list[int]]] = {kind: {} for kind in KINDS}
            for decline in self.declines:
                hands = self._hands(NO_ROLE, decline, mean, stop)
                by_kind[NO_ROLE][decline] = [_expected(EVENT_S, pairs) for pairs in hands]
                by_kind[TRIBUNE][decline] = [_exchanging(pairs) for pairs in hands]
                for kind, role, following in ((PREFECT, PREFECT, mean), (EMPEROR, NO_ROLE, most)):
                    rows = self._hands(role, decline, following, stop)
                    by_kind[kind][decline] = [_expected(EVENT_S, pairs) for pairs in rows]
            yield {**by_kind}
            mean, most = self.mean(by_kind), {}
            for decline in self.declines:
                columns = zip(*(by_kind[kind][decline] for kind in KINDS), strict=True)
                most[decline] = [max(row) for row in columns]

    def mean(self, by_kind: Mapping[str, Values]) -> dict[int, list[int]]:
        """The values before the card of the role is drawn."""
        return {
            decline: [
                up(sum(map(mul, row, KINDS.values())), len(ROLES))
                for row in zip(*(by_kind[kind][decline] for kind in KINDS), strict=True)
            ]
            for decline in self.declines
        }

    def _hands(self, role: str, decline: int, following: Values, stop: Stop | None) -> list[list[tuple[int, int]]]:
        """For each state the value of the best choice after each of `HANDS`, without and with event S."""
        worth: dict[int, list[int]] = {}
        for suits in (1, 2, 3):
            place = moved(self.ruleset, decline, suits)
            values = following.get(place)  # None: the decline has lost, before the dice rise
            worth[suits] = [0] * (len(self.numbers) + 1) if values is None else [*values, ONE]
        of_hands = [worth[len({*hand})].__getitem__ for hand in HANDS]
        found = []
        for choices in self.choices[role]:
            check(stop)
            if choices is None:
                found.append([(ONE, ONE) for _ in HANDS])
                continue
            pairs = zip(of_hands, choices, strict=True)
            found.append([(max(map(of, plain)), max(map(of, with_s))) for of, (plain, with_s) in pairs])
        return found

    def bound(self, by_kind: Mapping[str, Values]) -> UpperBound:
        """The bound from the first state, in a turn without a role."""
        value = by_kind[NO_ROLE][numbers.FIRST_DECLINE][self.numbers[self.start]]
        return UpperBound(Exact(Fraction(value, ONE)), METHOD)

    def least_later(self, by_kind: Mapping[str, Values]) -> Fraction:
        """The least value of a state in which the first turn can end, if the first state is that of a set-up."""
        mean = self.mean(by_kind)
        ends = {
            mean[moved(self.ruleset, numbers.FIRST_DECLINE, len({*hand}))][end]
            for hand, pair in zip(HANDS, self.choices[NO_ROLE][self.numbers[self.start]] or (), strict=True)
            for end in {*pair[0], *pair[1]}
        }
        return Fraction(min(ends), ONE)


def _expected(event: Fraction, pairs: Sequence[tuple[int, int]]) -> int:
    """The mean over the hands; an event S comes with this chance."""
    other = event.denominator - event.numerator
    total = sum(ways * (other * plain + event.numerator * s) for ways, (plain, s) in zip(WAYS, pairs, strict=True))
    return up(total, event.denominator * sum(WAYS))


def _exchanging(pairs: Sequence[tuple[int, int]]) -> int:
    """The mean over the hands, each of which the Tribune may exchange a card of."""
    event = EVENT_S_OF_TRIBUNE
    hands = [
        up((event.denominator - event.numerator) * plain + event.numerator * s, event.denominator) for plain, s in pairs
    ]
    best = [
        max(kept, *(up(sum(times * hands[at] for at, times in row), SEEN) for row in EXCHANGES[number]))
        for number, kept in enumerate(hands)
    ]
    return up(sum(map(mul, best, WAYS)), sum(WAYS))


def up(number: int, divisor: int) -> int:
    """A quotient, rounded up."""
    return -(-number // divisor)


def alike(state: State) -> State:
    """The first of the states from which this one differs in the order of the tribes only.

    >>> alike(((5, 1, 2, 1), frozenset("C")))
    ((1, 1, 2, 5), frozenset({'C'}))
    """
    rows = sorted((die, tribe in state[1]) for tribe, die in zip(TRIBES, state[0], strict=True))
    o, c, e, b = (die for die, _ in rows)
    return (o, c, e, b), frozenset(tribe for tribe, (_, is_in) in zip(TRIBES, rows, strict=True) if is_in)


def _exchanges() -> Iterator[tuple[tuple[tuple[int, int], ...], ...]]:
    """For each hand and each suit of it that is put away the hands that follow, with the numbers of cards that lead there."""
    of = {hand: number for number, hand in enumerate(HANDS)}
    for hand in HANDS:
        rows = []
        for away in sorted({*hand}):
            kept = [*hand]
            kept.remove(away)
            drawn = ((tribe, len(RANKS) - hand.count(tribe)) for tribe in TRIBES)
            rows.append(tuple((of[_in_order((*kept, tribe))], times) for tribe, times in drawn))
        yield tuple(rows)


def _in_order(hand: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(hand, key=TRIBES.index))


SEEN = CARDS - numbers.CAMPAIGN_CARDS  # cards from which the Tribune draws another
WAYS = [prod(comb(len(RANKS), hand.count(tribe)) for tribe in TRIBES) for hand in HANDS]  # of drawing each hand
EXCHANGES = [*_exchanges()]
