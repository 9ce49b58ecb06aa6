"""Phase of invasion: two, three or four cards, each of which puts a cube of its suit on its region or has an outbreak there."""

from __future__ import annotations

from tetrasolve.finem import numbers
from tetrasolve.finem.position import Phase, Position, Result, State, Step
from tetrasolve.finem.rules import roles
from tetrasolve.finem.rules.outbreak import outbreak
from tetrasolve.finem.rules.tribes import put
from tetrasolve.finem.tracks import invasion_cards

TRIBUNE = "tribune"
KEEP, EXCHANGE, INVADE = "keep", "exchange", "invade"


def begin(position: Position) -> Position:
    """The beginning of the phase: the number of cards is fixed here."""
    return position.replace(step=Step.INVADE, left=invasion_cards(position.ruleset, position.decline), hand=())


def drawn(position: Position, card: str) -> State:
    """After a card of the invasion is drawn."""
    position = position.replace(out=position.out | {card})
    if card == position.protected:
        return position  # another is drawn in its place, event C
    left = position.left - 1
    if position.card is not None:
        return _carried_out(_exchanged(position.replace(left=left), position.card, card))
    if _collects(position) and position.has_exchanged and not puts_away_first(position):
        return position.replace(step=Step.SWAP, left=0, card=card)
    if _collects(position):
        position = position.replace(hand=(*position.hand, card), left=left)
        if left:
            return position
        return _carried_out(position) if position.has_exchanged else position.replace(step=Step.SWAP)
    after = invaded(position.replace(left=left), card)
    return after if isinstance(after, Result) or left else roles.begin(after)


def swaps(position: Position) -> tuple[str, ...]:
    """What the Tribune can do with the cards of the invasion."""
    return exchanges(position)


def exchanges(position: Position) -> tuple[str, ...]:
    """The ways of a Tribune to exchange a card of his hand, in either phase [E-EXCHANGE, E-FOURTH]."""
    cards = tuple(f"{EXCHANGE} {card}" for card in position.hand)
    if position.ruleset.readings["E-FOURTH"] == "first-three":
        cards = cards[: numbers.CAMPAIGN_CARDS]  # the table speaks of three
    if puts_away_first(position):
        return (KEEP, *cards)
    if position.card is None:
        return (KEEP, EXCHANGE)  # then he sees the card
    return (KEEP, *cards) if position.ruleset.readings["E-EXCHANGE"] == "may" else cards


def puts_away_first(position: Position) -> bool:
    """Whether the Tribune puts a card away before he sees another, in this phase [E-EXCHANGE]."""
    reading = position.ruleset.readings["E-EXCHANGE"]
    return reading == "blind" or (reading == "by-phase" and position.phase is Phase.CAMPAIGN)


def swapped(position: Position, option: str) -> State:
    """After his decision: the cards are carried out, or one of them is put away and another drawn."""
    if option == KEEP:
        return _carried_out(position.replace(card=None))
    if option == EXCHANGE:
        return position.replace(step=Step.INVADE, left=1, has_exchanged=True)
    away = option.removeprefix(f"{EXCHANGE} ")
    if position.card is not None:
        return _carried_out(_exchanged(position, away, position.card))
    position = position.replace(step=Step.INVADE, left=1, has_exchanged=True)
    if position.ruleset.readings["E-SWAP"] == "place":
        return position.replace(card=away)  # it keeps its place until the other is drawn
    return position.replace(hand=tuple(other for other in position.hand if other != away))


def _exchanged(position: Position, away: str, card: str) -> Position:
    """With a card of the hand put away, and the other last, or in its place [E-SWAP]."""
    hand = tuple(other for other in position.hand if other != away)
    if position.ruleset.readings["E-SWAP"] == "place":
        at = position.hand.index(away)
        return position.replace(hand=(*hand[:at], card, *hand[at:]), card=None)
    return position.replace(hand=(*hand, card), card=None)


def _collects(position: Position) -> bool:
    """Whether all cards are drawn before they are carried out: for the Tribune [E-TRIBUNE]."""
    reading = position.ruleset.readings["E-TRIBUNE"]
    if position.role != TRIBUNE or reading == "campaign":
        return False
    was_in_campaign = reading == "either" and position.has_exchanged and not position.hand
    return not was_in_campaign


def _carried_out(position: Position) -> State:
    """After the cards of the hand, in their order, or in that which the Tribune chooses [E-INVASION-ORDER]."""
    if position.ruleset.readings["E-INVASION-ORDER"] == "tribune" and len(position.hand) > 1:
        return position.replace(step=Step.ORDER, left=0)
    for card in position.hand:
        after = invaded(position, card)
        if isinstance(after, Result):
            return after
        position = after
    return roles.begin(position)


def orders(position: Position) -> tuple[str, ...]:
    """The cards that can be carried out next."""
    return tuple(f"{INVADE} {card}" for card in position.hand)


def ordered(position: Position, option: str) -> State:
    """After the card that the Tribune names; the last one follows by itself."""
    card = option.removeprefix(f"{INVADE} ")
    after = invaded(position, card)
    if isinstance(after, Result):
        return after
    return _carried_out(after.replace(hand=tuple(other for other in position.hand if other != card)))


def invaded(position: Position, card: str) -> State:
    """After the invasion of a region: a cube of its suit, or an outbreak where it has three."""
    tribe = card[0]
    if position.is_eradicated(tribe):
        return last_invaded(position, card, was_put=False)
    if position.count(card, tribe) == numbers.MOST_IN_REGION:
        return outbreak(last_invaded(position, card, was_put=False), card, tribe)
    return put(last_invaded(position, card, was_put=True), card, tribe)


def last_invaded(position: Position, card: str, *, was_put: bool) -> Position:
    """The position with this region as the one last invaded, where it counts as invaded [E-LAST]."""
    match position.ruleset.readings["E-LAST"]:
        case "invaded":
            counts = not position.is_eradicated(card[0])
        case "drawn":
            counts = True
        case _:
            counts = was_put
    return position.replace(last=card) if counts else position
