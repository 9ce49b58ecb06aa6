"""Phase of the campaign: three cards move the decline or bring an event, and raise the dice.

`proceed` carries the parts of a campaign out in their order [E-ORDER, E-WHEN] until a card is drawn or the player decides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import Position, Result, State, Step, in_order
from tetrasolve.finem.rules import invasion, roles
from tetrasolve.finem.rules.invasion import EXCHANGE, KEEP, TRIBUNE
from tetrasolve.finem.rules.tribes import LOST_BY_DECLINE, end_of_phase, pacify_at_six, raise_die
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.tracks import is_crisis, moves

DECLINE, EVENT, CRISIS, DICE = "decline", "event", "crisis", "dice"
DISCARD_WORD = "discard"
ORDER_WORD = "order"


def begin(position: Position) -> Position:
    """The beginning of the phase."""
    return position.replace(step=Step.DRAW, left=0)


def drawn(position: Position, card: str) -> State:
    """After a card of the campaign is drawn, or the one that the Tribune sees first [E-EXCHANGE]."""
    if len(position.hand) == numbers.CAMPAIGN_CARDS:
        return position.replace(step=Step.EXCHANGE, card=card, out=position.out | {card})
    hand = tuple(in_order((*position.hand, card)))
    if _keeps_order(position.ruleset):
        hand = (*position.hand, card)
    position = position.replace(hand=hand, out=position.out | {card})
    if len(hand) < numbers.CAMPAIGN_CARDS:
        return position
    may_exchange = position.ruleset.readings["E-TRIBUNE"] != "invasion" and not position.has_exchanged
    if position.role == TRIBUNE and may_exchange:
        return position.replace(step=Step.EXCHANGE)
    return proceed(position)


def exchanges(position: Position) -> tuple[str, ...]:
    """What the Tribune can do with the three cards."""
    return invasion.exchanges(position)


def exchanged(position: Position, option: str) -> State:
    """After his decision: a card that he puts away counts for nothing and stays out."""
    if option == KEEP:
        return proceed(position.replace(card=None))
    if option == EXCHANGE:
        return position.replace(step=Step.DRAW, has_exchanged=True)
    hand = tuple(other for other in position.hand if other != option.removeprefix(f"{EXCHANGE} "))
    if position.card is None:
        return position.replace(step=Step.DRAW, hand=hand, has_exchanged=True)
    hand = (*hand, position.card)
    return proceed(position.replace(hand=hand if _keeps_order(position.ruleset) else tuple(in_order(hand)), card=None))


def _keeps_order(ruleset: Ruleset) -> bool:
    """Whether the cards of a campaign count in the order in which they were drawn [E-LIMIT-ORDER]."""
    return ruleset.readings["E-LIMIT-ORDER"] == "drawn"


# -- the parts in their order ------------------------------------------------------------------------------------------


def order(ruleset: Ruleset) -> tuple[str, ...]:
    """The parts of a campaign in their order."""
    if ruleset.readings["E-ORDER"] == "dice-first":
        return DICE, DECLINE, EVENT, CRISIS
    if ruleset.readings["E-ORDER"] == "crisis-last":
        is_after = ruleset.readings["E-WHEN"] == "after"
        return (DECLINE, DICE, EVENT, CRISIS) if is_after else (DECLINE, EVENT, DICE, CRISIS)
    if ruleset.readings["E-WHEN"] == "after":
        return DECLINE, CRISIS, DICE, EVENT
    return DECLINE, EVENT, CRISIS, DICE


def proceed(position: Position, done: str | None = None) -> State:
    """Carry out what follows a part of the campaign that is done (None: nothing yet)."""
    parts, is_due = order(position.ruleset), _has_crisis_due(position)
    for part in parts[0 if done is None else parts.index(done) + 1 :]:
        match part:
            case "decline":
                after = _declined(position)
                # By the cards that count now: one of a tribe that the dice eradicate later may count no more
                is_due = isinstance(after, Position) and _has_crisis_due(after)
            case "event":
                after = position.replace(step=Step.EVENT) if has_event(position) else position
            case "dice":
                after = _raised(position)
            case _:
                after = position.replace(step=Step.CRISIS) if is_due else position
        if isinstance(after, Result) or after.step is not position.step:
            return after
        position = after
    after = end_of_phase(position)
    if isinstance(after, Result):
        return after
    return roles.begin(after) if after.is_quiet else invasion.begin(after)


def suits(position: Position) -> int:
    """1 for three cards of a suit, 2 for two of a suit, 3 for neither, among the cards that count [E-GONE-SUITS]."""
    counted = [card[0] for card in position.hand if _counts(position, card)]
    return len(position.hand) + 1 - max((counted.count(suit) for suit in counted), default=1)


def _counts(position: Position, card: str) -> bool:
    """Whether a card of the campaign counts for suits and for an event [E-GONE-SUITS]."""
    return not position.is_eradicated(card[0]) or position.ruleset.readings["E-GONE-SUITS"] == "count"


def has_event(position: Position) -> bool:
    """Whether the cards bring a special event [E-EVENT]."""
    all_count = all(_counts(position, card) for card in position.hand)
    is_mixed = suits(position) == len(position.hand) and all_count
    return is_mixed and position.ruleset.readings["E-EVENT"] == "three-suits"


def _declined(position: Position) -> State:
    """After the decline has moved."""
    places = moves(position.ruleset, position.decline, suits(position))
    return _moved_to(position, places[0]) if len(places) == 1 else position.replace(step=Step.CHOOSE)


def _moved_to(position: Position, decline: int) -> State:
    """With the decline there, which may lose the game."""
    return LOST_BY_DECLINE if decline >= position.ruleset.most_decline else position.replace(decline=decline)


def _has_crisis_due(position: Position) -> bool:
    """Whether these cards have moved the decline here by a step that passes a multiple of three.

    Where a step from two places leads here, both do or neither does: so nothing has to be kept of where it was.
    """
    ruleset, after, different = position.ruleset, position.decline, suits(position)
    return any(
        after in moves(ruleset, before, different) and is_crisis(ruleset, before, after)
        for before in range(max(numbers.FIRST_DECLINE, after - numbers.CRISIS_EVERY), after + 1)
    )


def _raised(position: Position) -> State:
    """After each card has raised the die of its suit; the player may choose in which order [E-LIMIT-ORDER]."""
    if len(_orders(position)) > 1:
        return position.replace(step=Step.CHOOSE)
    if position.ruleset.readings["E-LIMIT"] != "once":
        return _raised_singly(position, 0)
    for tribe in TRIBES:
        points = sum(card[0] == tribe for card in position.hand)
        after = raise_die(position, tribe, points)
        if isinstance(after, Result):
            return after
        position = after
    return position.replace(step=Step.DISCARD) if above_limit(position) else position


def _raised_singly(position: Position, first: int, pacified: Collection[str] = ()) -> State:
    """The cards from a place of the hand on, the limit being looked at after each; `left` are those still to come [E-LIMIT].

    `pacified` are tribes that an earlier point has pacified: theirs may count no more [E-OVER].
    """
    over = {*pacified} if position.ruleset.readings["E-OVER"] == "lost" else set()
    for at in range(first, len(position.hand)):
        tribe = position.hand[at][0]
        if tribe in over:
            continue
        after = raise_die(position, tribe)
        if isinstance(after, Result):
            return after
        if after.die(tribe) < position.die(tribe) and position.ruleset.readings["E-OVER"] == "lost":
            over.add(tribe)
        position = after
        if above_limit(position):
            return position.replace(step=Step.DISCARD, left=len(position.hand) - 1 - at)
    return position


# -- what the player chooses by values of readings -----------------------------------------------------------------------


def choices(position: Position) -> tuple[str, ...]:
    """How far three cards of a suit move the decline [E-THREE], or in which order the cards count [E-LIMIT-ORDER]."""
    places = moves(position.ruleset, position.decline, suits(position))
    if len(places) > 1:
        return tuple(f"{DECLINE} {place - position.decline}" for place in places)
    return tuple(" ".join([ORDER_WORD, *order]) for order in _orders(position))


def chosen(position: Position, option: str) -> State:
    """After his choice."""
    word, *words = option.split()
    position = position.replace(step=Step.DRAW)
    if word == DECLINE:
        after = _moved_to(position, position.decline + int(words[0]))
        return after if isinstance(after, Result) else proceed(after, DECLINE)
    after = _raised_in_order(position, words)
    return after if isinstance(after, Result) or after.step is Step.DISCARD else _counted(after)


def _orders(position: Position) -> tuple[tuple[str, ...], ...]:
    """The orders of the suits of a campaign between which the player chooses: of those that come to the same the first.

    None where he does not choose [E-LIMIT-ORDER].
    """
    if position.ruleset.readings["E-LIMIT-ORDER"] != "chosen":
        return ()
    found: dict[State, tuple[str, ...]] = {}
    for order_ in dict.fromkeys(permutations(card[0] for card in in_order(position.hand))):
        found.setdefault(_raised_in_order(position, order_), order_)
    return tuple(found.values())


def _raised_in_order(position: Position, order_: Sequence[str]) -> State:
    """After the cards have raised the dice in this order of suits, or as far as points above the limit go."""
    after = _raised_singly(position.replace(step=Step.DRAW, hand=_by_suits(position.hand, order_)), 0)
    if isinstance(after, Result) or after.step is Step.DISCARD:
        return after
    return after.replace(hand=tuple(in_order(after.hand)))


def _by_suits(hand: tuple[str, ...], order_: Sequence[str]) -> tuple[str, ...]:
    """The cards so that their suits are these, those of one suit in the order of the regions."""
    left = [*in_order(hand)]
    return tuple(left.pop(next(at for at, card in enumerate(left) if card[0] == suit)) for suit in order_)


def _counted(position: Position) -> State:
    """After the last card has counted: in which order they did is no longer of use."""
    is_chosen = position.ruleset.readings["E-LIMIT-ORDER"] == "chosen"
    return proceed(position.replace(hand=tuple(in_order(position.hand))) if is_chosen else position, DICE)


# -- the limit of points, from the standard level on -------------------------------------------------------------------


def above_limit(position: Position) -> int:
    """The points that must be taken off the dice; none at the introductory level."""
    return 0 if position.ruleset.is_introductory else max(0, position.points - numbers.MOST_POINTS)


def discards(position: Position) -> tuple[str, ...]:
    """The ways to take exactly the points above the limit off dice, none below 1 [E-ELEVEN, E-LIMIT-DICE]."""
    counts_all = position.ruleset.readings["E-ELEVEN"] == "four"
    allowed = _lowered(position)
    spare = [
        position.die(tribe) - numbers.FIRST_DIE
        if tribe in allowed and (counts_all or tribe not in position.pacified)
        else 0
        for tribe in TRIBES
    ]
    if position.ruleset.readings["E-LIMIT-DICE"] == "open":
        first = [0 if tribe in position.pacified else n for tribe, n in zip(TRIBES, spare, strict=True)]
        spare = first if sum(first) >= above_limit(position) else spare
    ways = _ways(spare, above_limit(position))
    return tuple(
        " ".join([DISCARD_WORD, *(f"{tribe}{n}" for tribe, n in zip(TRIBES, way, strict=True) if n)]) for way in ways
    )


def _lowered(position: Position) -> tuple[str, ...]:
    """The tribes off whose dice points can be taken [E-LIMIT-DICE]."""
    readings = position.ruleset.readings
    if readings["E-LIMIT-DICE"] != "raised":
        return TRIBES
    if readings["E-LIMIT"] != "once":
        return (position.hand[len(position.hand) - 1 - position.left][0],)  # the card that has just raised its die
    return tuple(card[0] for card in position.hand)


def _ways(spare: list[int], points: int) -> Iterator[tuple[int, ...]]:
    """Numbers of at most `spare` each, `points` together."""
    if not spare:
        if not points:
            yield ()
        return
    for number in range(min(spare[0], points), -1, -1):
        for rest in _ways(spare[1:], points - number):
            yield (number, *rest)


def discarded(position: Position, option: str) -> State:
    """After points are taken off dice."""
    part = EVENT if position.step is Step.DISCARD_EVENT else DICE
    for word in option.split()[1:]:
        position = position.with_die(word[0], position.die(word[0]) - int(word[1:]))
    state = pacify_at_six(position)
    if isinstance(state, Result):
        return state
    pacified = [tribe for tribe in TRIBES if state.die(tribe) < position.die(tribe)]
    position = state
    if position.left and position.step is Step.DISCARD:
        first = len(position.hand) - position.left
        after = _raised_singly(position.replace(step=Step.DRAW, left=0), first, pacified)
        if isinstance(after, Result) or after.step is Step.DISCARD:
            return after
        position = after
    return _counted(position) if part == DICE else proceed(position, part)
