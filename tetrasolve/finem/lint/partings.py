"""What a value that the kernel does not play changes in a turn, exactly: the reference rules are followed where the two part.

The kernel follows the turn under the first rules. The second value of a reading can matter at some positions of a turn alone
(`MATTERS`). These are followed by the reference rules under both values. Where a card or a decision leads to something else, the
chances of a loss and of a victory are compared from there. As soon as the reading cannot matter any more in the turn, the
kernel says the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations

from tetrasolve.errors import ReferenceOnlyError
from tetrasolve.exact.deadline import check
from tetrasolve.finem import numbers, rules
from tetrasolve.finem.fast import engine_of, state_of
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.lint.pairs import Pair, reference_pairs
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import WON, Phase, Position, Result, State, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop

POLICY = "careful"
BEFORE = (Step.DRAW, Step.EXCHANGE)
EVENT_POINTS = 1  # of event S
Chances = tuple[Fraction, Fraction]  # of a loss and of a victory in the rest of the turn
NONE: Chances = (Fraction(0), Fraction(0))


# -- where a reading can matter --------------------------------------------------------------------------------------------


def _at(steps: tuple[Step, ...], also: Callable[[Position], bool], position: Position) -> bool:
    return position.step in steps and also(position)


def _always(position: Position) -> bool:
    del position
    return True


def _can_exceed(position: Position) -> bool:
    """Whether a campaign and an event can bring more points than there may be, and a victory: dice alone end no turn otherwise."""
    most = position.points + numbers.CAMPAIGN_CARDS + EVENT_POINTS
    return most > numbers.MOST_POINTS and _can_win(position)


def _can_win(position: Position) -> bool:
    """Whether as many points as a turn can bring pacify what is not pacified yet; in the invasion none come."""
    if position.phase is Phase.INVASION:
        return False
    missing = sum(
        numbers.PACIFIED_AT - die
        for tribe, die in zip(TRIBES, position.dice, strict=True)
        if tribe not in position.pacified
    )
    return missing <= numbers.CAMPAIGN_CARDS + EVENT_POINTS


_CAMPAIGN = tuple(step for step in Step if step.phase is Phase.CAMPAIGN)
_NEVER: Callable[[Position], bool] = partial(_at, (), _always)
MATTERS: Mapping[str, Callable[[Position], bool]] = {
    "E-ORDER=crisis-last": partial(
        _at,
        (*BEFORE, Step.CRISIS, Step.DISCARD),
        lambda position: position.ruleset.is_introductory or _can_win(position),  # or a tribe may be eradicated before
    ),
    "E-CRISIS-GONE=again": partial(_at, (*BEFORE, Step.CRISIS), lambda position: not all(position.dice)),
    "E-RESIST-ALL=besides": partial(
        _at, (*BEFORE, Step.EVENT, Step.RESIST), lambda position: any(map(position.on_map, position.pacified))
    ),
    "E-LIMIT-EVENT=waits": partial(
        _at,
        (*BEFORE, Step.EVENT, Step.RAISE, Step.DISCARD),
        lambda position: position.points >= numbers.MOST_POINTS and _can_win(position),
    ),
    "E-LIMIT=lost": partial(_at, _CAMPAIGN, _can_exceed),
    "E-LIMIT-ORDER=drawn": partial(_at, _CAMPAIGN, _can_exceed),
    "E-LIMIT-DICE=open": partial(_at, _CAMPAIGN, _can_exceed),
    "E-FILL=held": partial(_at, (*BEFORE, Step.CRISIS), _always),
    "E-WIN=turn": partial(_at, _CAMPAIGN, _can_win),
    # Of actions, the set-up, the role and the way of the Consul; of a Tribune who keeps his cards; of a die that the policy
    # does not name
    "E-DICTATOR=there": _NEVER,
    "E-DICTATOR-STAY=free": _NEVER,
    "E-SETUP=three-three-six": _NEVER,
    "E-FULL=card": _NEVER,
    "E-CORNER-START=table": _NEVER,
    "E-EMPEROR-WHEN=at-once": _NEVER,
    "E-WAR-LAST=card": _NEVER,
    "E-FOURTH=first-three": _NEVER,
    "E-RAISE-STUCK=not": _NEVER,
}


def is_followed(pair: Pair) -> bool:
    """Whether it is known where the second value matters in a turn; E-CHAIN-FIRST can matter everywhere, which takes too long."""
    return f"{pair.reading}={pair.second}" in MATTERS


def followed_pairs(names: Iterable[str] = ()) -> tuple[Pair, ...]:
    """The pairs of these readings whose second value the reference rules follow in a turn.

    :raises FindingError: for a reading that does not exist, or of which the kernel plays all values.
    :raises ReferenceOnlyError: when none is followed.
    """
    found = reference_pairs(names)
    kept = tuple(pair for pair in found if is_followed(pair))
    if not kept:
        raise ReferenceOnlyError([f"{pair.reading}={pair.second}" for pair in found])
    return kept


def change(pair: Pair, position: Position, second: Ruleset, stop: Stop | None = None) -> Chances:
    """The chance of a loss under the second rules less that under the position's own, and that of a victory.

    From the beginning of a turn, of which the player passes the actions and decides by the policy `careful`.

    :raises ReferenceOnlyError: when it is not known where the second value matters.
    :raises Stopped: when `stop` is set before.
    """
    if not is_followed(pair):
        raise ReferenceOnlyError([f"{pair.reading}={pair.second}"])
    passed = rules.take(position, "pass")
    if isinstance(passed, Result):
        return NONE
    return _Parting(pair, position.ruleset, second, stop).difference(passed)


class _Parting:
    """One turn under two rules."""

    def __init__(self, pair: Pair, first: Ruleset, second: Ruleset, stop: Stop | None) -> None:
        self._matters = MATTERS[f"{pair.reading}={pair.second}"]
        self._in_order = pair.reading == "E-LIMIT-ORDER"  # the cards of a hand count as they were drawn
        self._commutes = pair.reading == "E-ORDER"
        self._first, self._second, self._stop = first, second, stop
        self._engine = engine_of(first)
        self._known: dict[Position, Chances] = {}
        self._worth: dict[Position, Chances] = {}

    def difference(self, position: Position) -> Chances:
        """The chances under the second rules less those under the first, from a position that is the same under both."""
        if not self._matters(position):
            return NONE
        check(self._stop)
        total, number = [Fraction(0), Fraction(0)], 0
        for one, other in self._next(position):
            number += 1
            found = (
                self.difference(one)
                if isinstance(one, Position) and self._is_same(one, other)
                else self._gap(one, other)
            )
            total = [a + b for a, b in zip(total, found, strict=True)]
        return total[0] / number, total[1] / number

    def _next(self, position: Position) -> Iterator[tuple[State, State]]:
        """What follows under both rules, equally likely: all hands of a campaign at once, or a card, or the policy's decision."""
        twin = position.replace(ruleset=self._second)
        if position.step is Step.DRAW and not position.hand and not self._in_order:
            for *two, last in combinations(position.deck, numbers.CAMPAIGN_CARDS):
                hand = {"hand": tuple(two), "out": position.out | {*two}}
                yield rules.take(position.replace(**hand), last), rules.take(twin.replace(**hand), last)
            return
        node = rules.node(position)
        if node.is_chance:
            for card in node.options:
                yield rules.take(position, card), rules.take(twin, card)
            return
        decided = (POLICIES[POLICY](one, rules.node(one)) for one in (position, twin))
        yield tuple(rules.take(one, option) for one, option in zip((position, twin), decided, strict=True))  # type: ignore[misc]  # two of them

    def _is_same(self, one: Position, other: State) -> bool:
        return isinstance(other, Position) and other.replace(ruleset=self._first) == one

    def _gap(self, one: State, other: State) -> Chances:
        if self._commutes and self._comes_to_the_same(one, other):
            return NONE
        first, second = self._first_chances(one), self._second_chances(other)
        return second[0] - first[0], second[1] - first[1]

    def _comes_to_the_same(self, one: State, other: State) -> bool:
        """Whether a crisis before the dice and one after them leave the same: no tribe is pacified, and no points are taken off."""
        both = isinstance(one, Position) and isinstance(other, Position) and one.step is other.step is Step.CRISIS
        return both and one.pacified == other.pacified and other.points <= numbers.MOST_POINTS  # type: ignore[union-attr]  # positions

    def _first_chances(self, state: State) -> Chances:
        """By the kernel."""
        if isinstance(state, Result):
            return Fraction(not state.is_won), Fraction(state.is_won)
        if state.phase is Phase.ROLE:
            return NONE
        if state not in self._known:
            found = self._engine.turn(state_of(state), POLICY, stop=self._stop)
            unit, ends = found["unit"], found["ends"]
            won = Fraction(ends.get(WON, 0), unit)
            self._known[state] = Fraction(sum(ends.values()), unit) - won, won
        return self._known[state]

    def _second_chances(self, state: State) -> Chances:
        """By the reference rules, until the reading cannot matter any more."""
        if isinstance(state, Result) or state.phase is Phase.ROLE:
            return self._first_chances(state)
        if not self._matters(state):
            lost, won = self._first_chances(state.replace(ruleset=self._first))
            waits = len(state.pacified) == len(
                TRIBES
            )  # a victory at the end of the turn, if nothing loses before [E-WIN]
            return (lost, 1 - lost) if waits else (lost, won)
        if state not in self._worth:
            check(self._stop)
            node = rules.node(state)
            options = node.options if node.is_chance else (POLICIES[POLICY](state, node),)
            found = [self._second_chances(rules.take(state, option)) for option in options]
            lost, won = (sum(column, Fraction(0)) / len(found) for column in zip(*found, strict=True))
            self._worth[state] = lost, won
        return self._worth[state]
