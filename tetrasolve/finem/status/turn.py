"""Where in the turn: the step, the role, the hand, the cards out before a campaign is complete, and the marks of events."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from tetrasolve.finem import numbers
from tetrasolve.finem.position import Phase, Position, Step, in_order
from tetrasolve.finem.tracks import invasion_cards, moves
from tetrasolve.reason import Reason

DICTATOR, TRIBUNE, EMPEROR = "dictator", "tribune", "emperor"
OTHERS = (TRIBUNE, "prefect", "magister", DICTATOR)  # the roles that do not travel by themselves
IN_ITS_PLACE = "the card lies in its place until the other comes [E-SWAP]"
NO_EVENTS = "there is none [E-EVENT]"
FOR_ANOTHER = "the Tribune exchanges a card for another"
# The rank of the event that leads to each of its steps
EVENT_RANKS = {
    Step.TRAVEL: "5",
    Step.RESIST: "7",
    Step.RAISE: "S",
    Step.PROTECT: "C",
    Step.CIVIL_WAR: "R",
    Step.DISCARD_EVENT: "S",
}


def _step(position: Position) -> Iterator[Reason]:
    """The step, and what is left of it."""
    step, left = position.step, position.left
    least, most = 0, 0
    if step is Step.ACT:
        least, most = 1, numbers.ACTIONS
    elif step in (Step.DICTATOR, Step.RIDE):
        most = numbers.ACTIONS - 1
    elif step is Step.DISCARD and position.ruleset.readings["E-LIMIT"] in ("each-point", "before-six"):
        most = numbers.CAMPAIGN_CARDS - 1
    elif step is Step.INVADE:
        least, most = 1, invasion_cards(position.ruleset, position.decline)
    if not least <= left <= most:
        yield Reason("left", "left", f"{left}, expected {between(least, most)}", f"step {step}")
    if (step is Step.RIDE or _has_seen(position) or keeps_place(position)) != (position.card is not None):
        text = "no card" if position.card is None else f"a card at the step {step}"
        yield Reason("card", "card", text, _rule_of_card(position))
    elif position.card is not None and (position.card in position.hand) != keeps_place(position):
        text, rule = ("not in the hand", IN_ITS_PLACE) if keeps_place(position) else ("in the hand", FOR_ANOTHER)
        yield Reason("card-in-hand", position.card, text, rule)
    elif keeps_place(position) and _spares_fourth(position):
        yield Reason("fourth", "card", "the fourth card is put away", "one of the first three [E-FOURTH]")
    elif position.card is not None and position.card not in position.out:
        yield Reason("card-in-deck", position.card, "in the deck", "a card that was drawn stays out")
    yield from _role_of_step(position)


def _rule_of_card(position: Position) -> str:
    """Why a card belongs to this step, or none does, by the values in force."""
    if position.card is None and keeps_place(position):
        return IN_ITS_PLACE
    if position.card is None and _has_seen(position):
        return "the Tribune sees the other card first [E-EXCHANGE]"
    if position.step is Step.RIDE:
        return "the Dictator moves by a card"
    if position.step in (Step.EXCHANGE, Step.SWAP) and is_blind(position):
        return "the Tribune puts a card away before he sees another [E-EXCHANGE]"
    return "only the Dictator's move and an exchange of the Tribune have a card"


def _has_seen(position: Position) -> bool:
    """Whether the Tribune sees the card for which he exchanges another [E-EXCHANGE]."""
    return position.step in (Step.EXCHANGE, Step.SWAP) and position.has_exchanged and not is_blind(position)


def keeps_place(position: Position) -> bool:
    """Whether a card that the Tribune puts away lies in his hand until the other takes its place [E-SWAP]."""
    is_last = position.ruleset.readings["E-SWAP"] == "last"
    return (
        not is_last
        and position.step is Step.INVADE
        and position.has_exchanged
        and bool(position.hand)
        and is_blind(position)
    )


def _spares_fourth(position: Position) -> bool:
    """Whether the card that is put away is the fourth, which may not be [E-FOURTH]."""
    is_fourth = position.card in position.hand[numbers.CAMPAIGN_CARDS :]
    return is_fourth and position.ruleset.readings["E-FOURTH"] == "first-three"


def is_blind(position: Position) -> bool:
    """Whether the Tribune puts a card away before he sees another [E-EXCHANGE]."""
    reading = position.ruleset.readings["E-EXCHANGE"]
    return reading == "blind" or (reading == "by-phase" and position.phase is Phase.CAMPAIGN)


def _role_of_step(position: Position) -> Iterator[Reason]:
    step, role, readings = position.step, position.role, position.ruleset.readings
    if step in (Step.DICTATOR, Step.RIDE) and role != DICTATOR:
        yield Reason("role", "role", f"step {step} without the Dictator", "roles")
    if step in (Step.EXCHANGE, Step.SWAP, Step.ORDER) and role != TRIBUNE:
        yield Reason("role", "role", f"step {step} without the Tribune", "roles")
    if step is Step.DISCARD_EVENT and readings["E-LIMIT-DICE"] == "raised":
        yield Reason("no-choice", "step", "points to take off", "the point of event S goes by itself [E-LIMIT-DICE]")
    if step is Step.DISCARD_EVENT and readings["E-LIMIT-EVENT"] == "waits":
        yield Reason(
            "no-choice", "step", "points to take off", "the point of event S waits for the dice [E-LIMIT-EVENT]"
        )
    if step in (Step.DISCARD, Step.DISCARD_EVENT) and readings["E-LIMIT"] == "lost":
        yield Reason("no-choice", "step", "points to take off", "points above eleven are lost [E-LIMIT]")
    if step is Step.CHOOSE and not _may_choose(position):
        yield Reason("no-choice", "step", "a choice of the player", _rule_of_choice(position))
    if step is Step.EXCHANGE and readings["E-TRIBUNE"] == "invasion":
        yield Reason("exchange", "step", "an exchange in the campaign", "the Tribune's is in the invasion [E-TRIBUNE]")
    if step is Step.ORDER and (readings["E-INVASION-ORDER"] == "drawn" or not collects(position)):
        chosen = "the Tribune's, in the invasion [E-INVASION-ORDER]"
        rule = "nothing is chosen there" if readings["E-INVASION-ORDER"] == "drawn" else chosen
        yield Reason("no-choice", "step", "an order of the cards", rule)
    if step is Step.SWAP and readings["E-TRIBUNE"] == "campaign":
        yield Reason("swap", "step", "an exchange in the invasion", "the Tribune's is in the campaign [E-TRIBUNE]")
    draws_after = role == EMPEROR and readings["E-EMPEROR-WHEN"] == "after"
    if (step is Step.APPOINT and role != EMPEROR) or (step is Step.ROLE and draws_after):
        yield Reason("role", "role", f"step {step} as {role}", "the Emperor alone names the next role")
    if position.has_exchanged and not _may_have_exchanged(position):
        yield Reason("exchanged", "has_exchanged", f"a card exchanged at step {step} as {role}", "the Tribune's, once")
    if position.has_travel and not _may_travel(position):
        text = f"the Consul's travel besides the role, at step {step} as {role or 'nobody'}"
        brought = "brought by the Emperor's card [E-EMPEROR-TRAVEL]"
        yield Reason("travels", "has_travel", text, brought if _brings_travel(position) else "no role travels besides")


def _may_travel(position: Position) -> bool:
    """Whether the Emperor's card can have brought the Consul's travel besides this role [E-EMPEROR-TRAVEL]."""
    return _brings_travel(position) and position.phase is Phase.ACTIONS and position.role in OTHERS


def _brings_travel(position: Position) -> bool:
    """Whether the Emperor's card brings the Consul's travel besides the role that is named [E-EMPEROR-WHEN, E-EMPEROR-TRAVEL]."""
    readings = position.ruleset.readings
    return readings["E-EMPEROR-WHEN"] == "at-once" and readings["E-EMPEROR-TRAVEL"] == "besides"


def chooses_decline(position: Position) -> bool:
    """Whether it is the step at which the player chooses how far three cards of a suit move the decline [E-THREE]."""
    return position.step is Step.CHOOSE and 1 in suits_counted(position, position.hand)


def _may_choose(position: Position) -> bool:
    """Whether two moves of the decline, or two orders of the cards, are left to the player [E-THREE, E-LIMIT-ORDER]."""
    if chooses_decline(position):
        return len(moves(position.ruleset, position.decline, 1)) > 1
    suits = {card[0] for card in position.hand}
    reaches = position.points + numbers.CAMPAIGN_CARDS > numbers.MOST_POINTS
    return len(suits) > 1 and reaches and position.ruleset.readings["E-LIMIT-ORDER"] == "chosen"


def _rule_of_choice(position: Position) -> str:
    """What the player chooses under the values in force."""
    readings = position.ruleset.readings
    decline, order = readings["E-THREE"] == "either", readings["E-LIMIT-ORDER"] == "chosen"
    if decline and order:
        return "the decline [E-THREE] or the order [E-LIMIT-ORDER]"
    if decline:
        return "the decline after three cards of a suit [E-THREE]"
    return "the order of cards of two suits at the limit [E-LIMIT-ORDER]" if order else "nothing is chosen there"


def _may_have_exchanged(position: Position) -> bool:
    """Whether the Tribune can have exchanged a card before this step [E-TRIBUNE]."""
    if position.role != TRIBUNE or (position.step in (Step.EXCHANGE, Step.SWAP) and is_blind(position)):
        return False
    in_invasion = position.ruleset.readings["E-TRIBUNE"] == "invasion"
    return position.phase is Phase.INVASION or (position.phase is Phase.CAMPAIGN and not in_invasion)


def _hand(position: Position) -> Iterator[Reason]:
    """The cards of a campaign, or of a Tribune's invasion."""
    step, hand, all_cards = position.step, position.hand, numbers.CAMPAIGN_CARDS
    if not set(hand) <= position.out:
        yield Reason("hand-in-deck", "hand", "a card of the hand is in the deck", "a card that was drawn stays out")
    if position.phase is Phase.CAMPAIGN:
        expected = (0, all_cards - 1) if step is Step.DRAW else (all_cards, all_cards)
        if position.has_exchanged and step is Step.DRAW:
            expected = (all_cards - 1,) * 2 if is_blind(position) else (all_cards, all_cards)
    elif position.phase is Phase.INVASION and collects(position):
        cards = invasion_cards(position.ruleset, position.decline)
        drawn = cards if step is Step.SWAP or waits(position) or keeps_place(position) else cards - position.left
        expected = (2, cards) if step is Step.ORDER else (drawn, drawn)
    else:
        expected = (0, 0)
    if not expected[0] <= len(hand) <= expected[1]:
        text = f"{len(hand)} cards, expected {between(*expected)}"
        yield Reason("hand", "hand", text, f"step {step}")
    if len(set(hand)) < len(hand):
        yield Reason("hand-twice", "hand", "a card twice", "each card is in the deck once")
    elif position.phase is Phase.CAMPAIGN and not keeps_order(position) and hand != tuple(in_order(hand)):
        text = f"{'.'.join(hand)}, expected {'.'.join(in_order(hand))}"
        yield Reason("hand-order", "hand", text, "the cards of a campaign are kept in the order of the regions")
    if len(hand) == all_cards and step in (Step.EVENT, *EVENT_RANKS) and not brings_event(position, hand):
        if position.ruleset.readings["E-EVENT"] == "never":
            yield Reason("no-event", "step", "an event has come", NO_EVENTS)
        else:
            text = f"{step} with cards of {len({card[0] for card in hand})} suits"
            yield Reason("no-event", "step", text, "an event comes with three suits")


def between(least: int, most: int) -> str:
    """A range in words; one number where there is no other.

    >>> between(0, 2), between(3, 3)
    ('0 to 2', '3')
    """
    return f"{least} to {most}" if least < most else f"{least}"


def keeps_order(position: Position) -> bool:
    """Whether the cards of a campaign are in the order in which they were drawn, or count [E-LIMIT-ORDER]."""
    reading = position.ruleset.readings["E-LIMIT-ORDER"]
    return reading == "drawn" or (reading == "chosen" and position.step is Step.DISCARD)


def brings_event(position: Position, cards: Collection[str]) -> bool:
    """Whether three cards of a campaign bring a special event [E-EVENT]."""
    is_mixed = len({card[0] for card in cards}) == numbers.CAMPAIGN_CARDS
    return is_mixed and position.ruleset.readings["E-EVENT"] == "three-suits"


def suits_counted(position: Position, cards: Collection[str]) -> set[int]:
    """1 for three cards of a suit, 2 for two, 3 for neither: of those that can have counted [E-GONE-SUITS].

    Which tribes were eradicated when the cards came is not known: any of the pacified ones may have been.
    """
    suits = [card[0] for card in cards]
    ignores = position.ruleset.readings["E-GONE-SUITS"] == "ignored"
    gone = [tribe for tribe in position.pacified if tribe in suits] if ignores else []
    return {
        numbers.CAMPAIGN_CARDS + 1 - max((suits.count(suit) for suit in suits if suit not in some), default=1)
        for number in range(len(gone) + 1)
        for some in combinations(gone, number)
    }


def waits(position: Position) -> bool:
    """Whether the card is drawn that the Tribune sees before he exchanges one in the invasion [E-EXCHANGE]."""
    in_step = position.step is Step.INVADE and collects(position)
    return in_step and position.has_exchanged and not is_blind(position)


def collects(position: Position) -> bool:
    """Whether the cards of the invasion are collected before they are carried out [E-TRIBUNE]."""
    if position.role != TRIBUNE or position.ruleset.readings["E-TRIBUNE"] == "campaign":
        return False
    return not position.has_exchanged or bool(position.hand) or position.ruleset.readings["E-TRIBUNE"] == "invasion"


def _out(position: Position) -> Iterator[Reason]:
    """The cards drawn in this turn, until its campaign is complete; `course` has what follows."""
    if position.step in EVENT_RANKS and not has_come(position, EVENT_RANKS[position.step]):
        rank = EVENT_RANKS[position.step]
        yield Reason("event-card", "out", f"no card of rank {rank} beside the campaign", f"step {position.step}")
    if is_complete(position):
        return
    least, most = _cards_out(position)
    most = max(least, most)  # it is less where more actions are left than a turn has
    if not least <= len(position.out) <= most:
        text = f"{len(position.out)}, expected {between(least, most)}"
        yield Reason("cards-out", "out", text, f"step {position.step} as {position.role or 'nobody'}")


def is_complete(position: Position) -> bool:
    """Whether the cards of this turn's campaign are settled, and still out."""
    begins = (Step.DRAW, Step.EXCHANGE)
    return position.phase is Phase.INVASION or (position.phase is Phase.CAMPAIGN and position.step not in begins)


def has_come(position: Position, rank: str) -> bool:
    """Whether a card of this rank is out beside the hand."""
    return any(card[1] == rank for card in position.out - {*position.hand})


def rides(position: Position) -> int:
    """The most cards that a Dictator can have drawn in his actions."""
    return numbers.ACTIONS if position.role == DICTATOR else 0


def stay_is_free(position: Position) -> bool:
    """Whether a Dictator who stays has used no action, so that more cards can be out than actions are taken [E-DICTATOR-STAY]."""
    return position.role == DICTATOR and position.ruleset.readings["E-DICTATOR-STAY"] == "free"


def _cards_out(position: Position) -> tuple[int, int]:
    """The fewest and the most cards that can be out."""
    step, taken = position.step, numbers.ACTIONS if stay_is_free(position) else numbers.ACTIONS - position.left
    if step in (Step.ACT, Step.DICTATOR):
        return 0, min(rides(position), taken - (step is Step.DICTATOR))
    if step is Step.RIDE:
        return 1, min(rides(position), taken)
    if position.phase is Phase.ROLE:
        return 0, 0
    put_away = position.has_exchanged and is_blind(position)
    least = len(position.hand) + (put_away or position.card is not None)
    return least, least + rides(position)


def _event_marks(position: Position) -> Iterator[Reason]:
    """What an event has left behind."""
    is_later = position.step in (Step.DISCARD, Step.CHOOSE) and event_precedes_dice(position)
    if position.protected is not None and not (
        (is_later or position.phase is Phase.INVASION) and has_come(position, "C")
    ):
        text = f"protected at step {position.step}"
        yield Reason("protected", position.protected, text, "event C: this turn's invasion")
    if position.is_quiet and not (is_later and has_come(position, "6")):
        text = f"no invasion this turn, at step {position.step}"
        yield Reason("quiet", "is_quiet", text, "event 6: the phase is skipped")
    if position.is_quiet and position.protected is not None:
        yield Reason("two-events", "is_quiet", "no invasion, and a region protected from it", "one event a turn")
    if position.protected in position.hand and position.ruleset.readings["E-PROTECT-OUT"] == "deck":
        yield Reason("protected-out", "protected", "its card is in the hand", "only one in the deck [E-PROTECT-OUT]")
    if (position.is_quiet or position.protected) and position.ruleset.readings["E-EVENT"] == "never":
        yield Reason("no-events", "out", "an event has come", NO_EVENTS)


def event_precedes_dice(position: Position) -> bool:
    """Whether an event of this campaign has come before its dice were raised [E-ORDER, E-WHEN]."""
    readings = position.ruleset.readings
    is_first = readings["E-ORDER"] != "dice-first" and readings["E-WHEN"] == "at-once"
    return is_first and brings_event(position, position.hand)


TURN_CHECKS = (_step, _hand, _out, _event_marks)
