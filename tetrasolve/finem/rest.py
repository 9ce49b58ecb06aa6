"""What the rest of a turn is worth under the best policy, from the reference rules: a second way beside the kernel.

The rules carry each step out once, and three things follow from them. Cards that are out matter only in that they cannot be drawn,
so a step is a *place* with a value for each set of cards that are out. Of the cards of a campaign only the suits count, so a place
has any cards of those suits in the hand. An invasion decides nothing, so for each set of cards the worth of its orders is tallied
once; that of all sets without given cards follows by inclusion and exclusion. Where the pawn stands and which region was invaded
last does not matter before the next turn.

Only a Tribune who exchanges a card of the invasion [E-TRIBUNE] decides there, when he has its cards in their order. Each order is
a place then, which limits how much of his turn can be followed (`MOST_ORDERS`).

Values are whole numbers, of which `ONE` are one: each card divides by the number of cards in the deck, which falls within a turn.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import factorial, perm

from tetrasolve.errors import TooLargeError
from tetrasolve.exact.deadline import check
from tetrasolve.finem import rules
from tetrasolve.finem.evaluation import Evaluation, Objective
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.position import WON, Phase, Position, Result, State, Step, in_order
from tetrasolve.finem.rules.tribes import all_pacified
from tetrasolve.finem.status.turn import collects, keeps_order
from tetrasolve.stop import Stop

ONE = factorial(len(REGIONS))
_CARDS = tuple((card, 1 << NUMBER[card]) for card in REGIONS)
_ALL = (1 << len(REGIONS)) - 1
_Tally = tuple[int, int]  # the worth of games that go on, and their number
MOST_ORDERS = 50_000  # of a Tribune's cards of the invasion, each with up to 24 steps after it: a minute or two
_SHIFT = 40  # a tally as one whole number: there are fewer orders of four cards than 2**40


class Rest:
    """The values of states after the actions of a turn, all with the same rules and for the same objective."""

    def __init__(self, aim: Objective, stop: Stop | None = None) -> None:
        self.aim, self.stop = aim, stop
        self.places: dict[State | tuple[object, ...], _Place] = {}
        self.invasions: dict[tuple[object, ...], _Invasion] = {}
        self.orders = 0  # of cards that a Tribune has collected, by the cards that are out

    def value(self, state: State) -> Fraction:
        """The expected value under the best decisions.

        :raises TooLargeError: where a Tribune exchanges a card of the invasion, and more than `MOST_ORDERS` orders of its cards
            would have to be followed: from the campaign on with a whole deck, and in an invasion of three or four cards.
        :raises Stopped: when the flag is set.
        """
        out = sum(1 << NUMBER[card] for card in state.out) if isinstance(state, Position) else 0
        return Fraction(self._value(self._place(state), out), ONE)

    def _place(self, state: State) -> _Place:
        key = state if isinstance(state, Result) else _key(state := _plain(state))
        if key not in self.places:
            self.places[key] = self._made(state)
        return self.places[key]

    def _made(self, state: State) -> _Place:
        evaluation = self.aim.evaluation
        if isinstance(state, Result) or state.phase is Phase.ROLE:
            return _Place(state, ended=ONE * evaluation.of(state))
        if state.step is not Step.INVADE or _collects(state):
            return _Place(state)
        blocked = 0 if state.protected is None else 1 << NUMBER[state.protected]
        bare = state.replace(
            dice=tuple(min(die, 1) for die in state.dice),
            pacified=frozenset(),
            decline=1,
            protected=state.protected if state.ruleset.readings["E-PROTECT"] == "chain" else None,
        )
        if _key(bare) not in self.invasions:
            self.invasions[_key(bare)] = _Invasion(bare, evaluation, self.stop)
        invasion = self.invasions[_key(bare)]
        if state.ruleset.readings["E-WIN"] == "turn" and all_pacified(state):
            return _Place(state, invasion=invasion, blocked=blocked, won=evaluation.of(Result(WON)))
        return _Place(state, invasion=invasion, blocked=blocked, fixed=_fixed(state, evaluation))

    def _value(self, place: _Place, out: int) -> int:
        if place.ended is not None:
            return place.ended
        if out not in place.known:
            place.known[out] = self._worked_out(place, out)
        return place.known[out]

    def _worked_out(self, place: _Place, out: int) -> int:
        state = place.state
        assert isinstance(state, Position)
        if _collects(state) and state.step is not Step.ORDER:
            self._count()
        if place.invasion is not None:
            # A protected region's card is replaced, so the others come as if it were out
            worth, ways = place.invasion.tally(out | place.blocked)
            orders = perm((_ALL & ~(out | place.blocked)).bit_count(), state.left)
            _, _, lost = self.aim.evaluation.sums
            if place.won is not None:
                worth = place.won * ways
            return ONE // orders * (worth + place.fixed * ways + lost * (orders - ways))
        check(self.stop)
        if not place.after:
            place.after = {
                word: self._place(rules.take(state, _like(state, word))) for word in rules.node(state).options
            }
            place.choices = [*{id(after): after for after in place.after.values()}.values()]
        if state.step.is_chance:
            after, values = place.after, self._value
            drawn = [values(after[card], out | bit) for card, bit in _CARDS if not out & bit]
            return sum(drawn) // len(drawn)
        choices = place.choices
        if state.step is Step.PROTECT and state.ruleset.readings["E-PROTECT-OUT"] == "deck":
            choices = [after for word, after in place.after.items() if not out >> NUMBER[word.split()[1]] & 1]
        found = {self._value(after, out) for after in choices}
        return max(found) if self.aim.aims_at_most else min(found)

    def _count(self) -> None:
        self.orders += 1
        if self.orders > MOST_ORDERS:
            raise TooLargeError(
                f"a Tribune who exchanges a card of the invasion: more than {MOST_ORDERS:,} orders of its cards,"
                " expected a step with fewer cards to come"
            )


class _Place:
    """A step without the cards that are out, what follows it, and its value by these cards.

    `ended` is the value where the turn is over; `fixed` is what an invasion does not change, if the game goes on, and `won` the
    value of a game that the end of the turn wins [E-WIN].
    """

    __slots__ = ("after", "blocked", "choices", "ended", "fixed", "invasion", "known", "state", "won")

    def __init__(
        self,
        state: State,
        ended: int | None = None,
        invasion: _Invasion | None = None,
        blocked: int = 0,
        fixed: int = 0,
        won: int | None = None,
    ) -> None:
        self.state, self.ended, self.invasion, self.blocked, self.fixed = state, ended, invasion, blocked, fixed
        self.won = won
        self.after: dict[str, _Place] = {}
        self.choices: list[_Place] = []
        self.known: dict[int, int] = {}


class _Invasion:
    """An invasion of some cards, by the cubes: for each set of cards the tally of all sets that contain it."""

    def __init__(self, state: Position, evaluation: Evaluation, stop: Stop | None) -> None:
        self.cards = state.left
        cubes = evaluation.tribes[2]
        waiting: dict[tuple[tuple[object, ...], int], tuple[Position, int]] = {(_key(state), 0): (state, 1)}
        ended: dict[int, int] = {}
        for _ in range(self.cards):
            following: dict[tuple[tuple[object, ...], int], tuple[Position, int]] = {}
            for (_, drawn), (here, ways) in waiting.items():
                check(stop)
                for card in REGIONS:
                    bit = 1 << NUMBER[card]
                    if drawn & bit or card == here.protected:
                        continue
                    after = rules.take(here, card)
                    if isinstance(after, Result):
                        continue
                    if after.phase is Phase.ROLE:
                        goes = evaluation.tracks[0] * after.outbreaks
                        goes += sum(weight * after.on_map(tribe) for weight, tribe in zip(cubes, TRIBES, strict=True))
                        ended[drawn | bit] = ended.get(drawn | bit, 0) + (ways * goes << _SHIFT) + ways
                        continue
                    after = _plain(after)
                    key = _key(after), drawn | bit
                    following[key] = after, ways + (following[key][1] if key in following else 0)
            waiting = following
        self.known: dict[int, _Tally] = {}
        self.holding: dict[int, int] = {}
        for drawn, tally in ended.items():
            bits = [bit for _, bit in _CARDS if bit & drawn]
            for size in range(self.cards + 1):
                for part in map(sum, combinations(bits, size)):
                    self.holding[part] = self.holding.get(part, 0) + tally

    def tally(self, out: int) -> _Tally:
        """The tally of all orders in which no card comes that is out."""
        if out not in self.known:
            bits, get = [bit for _, bit in _CARDS if bit & out], self.holding.get
            total = get(0, 0)
            for size in range(1, self.cards + 1):
                parts = sum(get(sum(part), 0) for part in combinations(bits, size))
                total += -parts if size % 2 else parts
            number = total & ((1 << _SHIFT) - 1)
            self.known[out] = (total - number) >> _SHIFT, number
        return self.known[out]


def _fixed(state: Position, evaluation: Evaluation) -> int:
    """The part of the value of a game that goes on which an invasion leaves as it is."""
    die, pacified, _ = evaluation.tribes
    return (
        evaluation.sums[0]
        + evaluation.tracks[1] * state.decline
        + sum(weight * face for weight, face in zip(die, state.dice, strict=True))
        + sum(weight * (tribe in state.pacified) for weight, tribe in zip(pacified, TRIBES, strict=True))
    )


def _plain(state: Position) -> Position:
    """A position of the same place: nothing out, the first cards of the suits of its hand, the pawn at its start.

    Cards that a Tribune has collected stay as they are, and are out.
    """
    if _collects(state):
        collected = frozenset(state.hand) | ({state.card} if state.card is not None else frozenset())
        return state.replace(pawn=state.start, last=state.start, out=collected)
    hand = _first_cards(state.hand, ())
    if not keeps_order(state):  # then the order of the suits counts
        hand = tuple(in_order(hand))
    card = None if state.card is None else _first_cards((state.card,), hand)[0]
    return state.replace(pawn=state.start, last=state.start, out=frozenset(), hand=hand, card=card)


def _collects(state: Position) -> bool:
    """Whether this is the invasion of a Tribune who draws all its cards before they are carried out [E-TRIBUNE]."""
    return state.step in (Step.INVADE, Step.SWAP, Step.ORDER) and collects(state)


def _first_cards(cards: tuple[str, ...], taken: tuple[str, ...]) -> tuple[str, ...]:
    """The first cards of the same suits that are not taken."""
    found: list[str] = []
    for card in cards:
        found.append(next(other for other in REGIONS if other[0] == card[0] and other not in (*taken, *found)))
    return tuple(found)


def _like(state: Position, word: str) -> str:
    """A card of the suit that is not in the hand of the place, where a campaign draws; any other option as it is."""
    return _first_cards((word,), state.hand)[0] if state.step is Step.DRAW else word


def _key(state: Position) -> tuple[object, ...]:
    return (
        state.cubes,
        state.dice,
        state.pacified,
        state.decline,
        state.outbreaks,
        state.step,
        state.left,
        state.card,
        state.hand,
        state.protected,
        state.is_quiet,
        state.has_exchanged,
    )
