"""Why a position cannot occur: every reason at once, each with the rule behind it.

A position without reasons is *legal*: nothing in it contradicts the rules. That does not prove that a game reaches it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tetrasolve.errors import IllegalPositionError
from tetrasolve.finem import numbers
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Phase, Position, Step
from tetrasolve.finem.tracks import invasion_cards, is_crisis, moved

MAGISTER, DICTATOR, TRIBUNE, EMPEROR = "magister", "dictator", "tribune", "emperor"
# The rank of the event that leads to each of its steps
EVENT_RANKS = {
    Step.TRAVEL: "5",
    Step.RESIST: "7",
    Step.RAISE: "S",
    Step.PROTECT: "C",
    Step.CIVIL_WAR: "R",
    Step.DISCARD_EVENT: "S",
}
CAMPAIGN_BEGINS = (Step.DRAW, Step.EXCHANGE)  # nothing has been pacified since the phase of actions


@dataclass(frozen=True, slots=True)
class Objection:
    """One thing that is wrong: `code` for programs, `where` the place, `text` for people, `rule` the rule it breaks."""

    code: str
    where: str
    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text} ({self.rule})"


Check = Callable[[Position], Iterator[Objection]]


def status(position: Position) -> tuple[Objection, ...]:
    """Every reason why this position cannot occur; none when it is legal."""
    return tuple(reason for check in CHECKS for reason in check(position))


def require_legal(position: Position) -> None:
    """Refuse a position that cannot occur.

    :raises IllegalPositionError: with all reasons.
    """
    if reasons := status(position):
        raise IllegalPositionError(reasons)


# -- what lies on the table --------------------------------------------------------------------------------------------


def _cubes(position: Position) -> Iterator[Objection]:
    most = numbers.MOST_IN_REGION
    for region in REGIONS:
        for tribe in TRIBES:
            if (count := position.count(region, tribe)) > most:
                text = f"{count} cubes of {tribe}, expected at most {most}"
                yield Objection("region-overfull", region, text, "a fourth cube is an outbreak")
    for tribe in TRIBES:
        if (count := position.on_map(tribe)) > numbers.CUBES:
            yield Objection("too-many-cubes", tribe, f"{count} on the map, there are {numbers.CUBES}", "materials")


def _dice(position: Position) -> Iterator[Objection]:
    top = numbers.PACIFIED_AT - (position.ruleset.readings["E-PACIFY"] != "action")
    for tribe, die in zip(TRIBES, position.dice, strict=True):
        if die > top:
            text = f"a die of {die}, expected at most {top}"
            yield Objection("die-too-high", tribe, text, "a die of 6 pacifies, by itself or by the action [E-PACIFY]")
        if die == 0:
            yield from _put_away(position, tribe)
        elif (
            position.ruleset.is_introductory
            and position.ruleset.readings["E-ERADICATE"] == "always"
            and tribe in position.pacified
            and not position.on_map(tribe)
        ):
            yield Objection("not-put-away", tribe, "pacified without a cube, and its die is there", "eradication")


def _put_away(position: Position, tribe: str) -> Iterator[Objection]:
    if not position.ruleset.is_introductory:
        yield Objection("eradicated", tribe, "its die is put away", "no tribe is eradicated from the standard level on")
    if tribe not in position.pacified:
        yield Objection("eradicated-unpacified", tribe, "its die is put away and it is not pacified", "eradication")
    if position.on_map(tribe):
        text = f"its die is put away and {position.on_map(tribe)} of its cubes are on the map"
        yield Objection("eradicated-cubes", tribe, text, "eradication")


def _limit(position: Position) -> Iterator[Objection]:
    if position.ruleset.is_introductory:
        if position.step in (Step.DISCARD, Step.DISCARD_EVENT):
            yield Objection("step", "step", f"{position.step} at the introductory level", "standard game: the limit")
        return
    above = position.points - numbers.MOST_POINTS
    most = {Step.DISCARD: numbers.CAMPAIGN_CARDS, Step.DISCARD_EVENT: 1}.get(position.step, 0)
    if above > most:
        text = f"{position.points} points on the dice, expected at most {numbers.MOST_POINTS + most}"
        yield Objection("too-many-points", "dice", text, "standard game: at most 11 points")
    elif most and above <= 0:
        yield Objection(
            "nothing-to-discard", "step", f"{position.points} points on the dice", "standard game: the limit"
        )


def _victory(position: Position) -> Iterator[Objection]:
    at_end = position.ruleset.readings["E-WIN"] == "phase"
    may_be = at_end and position.phase in (Phase.ACTIONS, Phase.CAMPAIGN) and position.step not in CAMPAIGN_BEGINS
    if len(position.pacified) == len(TRIBES) and not may_be:
        yield Objection("won", "pacified", "all four tribes are pacified", "the game is won")


def _tracks(position: Position) -> Iterator[Objection]:
    last = position.ruleset.most_decline - 1
    if not numbers.FIRST_DECLINE <= position.decline <= last:
        text = f"{position.decline}, expected {numbers.FIRST_DECLINE} to {last}"
        yield Objection("decline", "decline", text, f"a decline of {last + 1} loses")
    last = numbers.MOST_OUTBREAKS - 1
    if not numbers.FIRST_OUTBREAKS <= position.outbreaks <= last:
        text = f"{position.outbreaks}, expected {numbers.FIRST_OUTBREAKS} to {last}"
        yield Objection("outbreaks", "outbreaks", text, f"outbreaks of {last + 1} lose")


def _start(position: Position) -> Iterator[Objection]:
    layout = position.layout
    expected = layout.corners if "corner" in position.ruleset.options else (layout.start,)
    if position.start not in expected:
        text = f"{position.start}, expected {' or '.join(expected)}"
        yield Objection("start", "start", text, "set-up")


def _first_turn(position: Position) -> Iterator[Objection]:
    dice_first = position.ruleset.readings["E-ORDER"] == "dice-first"
    steps = (Step.ACT, Step.DRAW, Step.EVENT, *((Step.DISCARD,) if dice_first else ()))
    if position.role is not None or position.step not in steps:
        return
    begun = dice_first and position.step in (Step.EVENT, Step.DISCARD)
    later = position.ruleset.readings["E-WHEN"] == "after" and position.step is Step.EVENT
    if max(position.dice) > numbers.FIRST_DIE and not begun and not later:
        yield Objection("first-dice", "dice", "a die has risen in the first turn's actions", "no role: the first turn")
    first = (numbers.FIRST_DECLINE, numbers.FIRST_OUTBREAKS)
    if (position.decline, position.outbreaks) != first:
        yield Objection(
            "first-tracks", "tracks", "a track has moved before the first campaign", "no role: the first turn"
        )
    if position.pacified and position.ruleset.readings["E-PACIFY"] != "free" and not begun and not later:
        yield Objection("first-pacified", "pacified", "pacified before the first campaign", "no role: the first turn")


# -- where in the turn ---------------------------------------------------------------------------------------------------


def _step(position: Position) -> Iterator[Objection]:
    """The step, and what is left of it."""
    step, left = position.step, position.left
    least, most = 0, 0
    if step is Step.ACT:
        least, most = 1, numbers.ACTIONS
    elif step in (Step.DICTATOR, Step.RIDE):
        most = numbers.ACTIONS - 1
    elif step is Step.INVADE:
        least, most = 1, invasion_cards(position.ruleset, position.decline)
    if not least <= left <= most:
        yield Objection("left", "left", f"{left}, expected {least} to {most}", f"step {step}")
    if (step is Step.RIDE or _has_seen(position)) != (position.card is not None):
        text = "no card" if position.card is None else f"a card at the step {step}"
        yield Objection("card", "card", text, "the Dictator moves by a card, the Tribune exchanges one [E-EXCHANGE]")
    elif position.card is not None and position.card in position.hand:
        yield Objection(
            "card-in-hand", position.card, "in the hand already", "the Tribune exchanges a card for another"
        )
    elif position.card is not None and position.card not in position.out:
        yield Objection("card-in-deck", position.card, "in the deck", "a card that was drawn stays out")
    yield from _role_of_step(position)


def _has_seen(position: Position) -> bool:
    """Whether the Tribune sees the card for which he exchanges another [E-EXCHANGE]."""
    return position.step in (Step.EXCHANGE, Step.SWAP) and position.has_exchanged and not _is_blind(position)


def _is_blind(position: Position) -> bool:
    return position.ruleset.readings["E-EXCHANGE"] == "blind"


def _role_of_step(position: Position) -> Iterator[Objection]:
    step, role, readings = position.step, position.role, position.ruleset.readings
    if step in (Step.DICTATOR, Step.RIDE) and role != DICTATOR:
        yield Objection("role", "role", f"step {step} without the Dictator", "roles")
    if step in (Step.EXCHANGE, Step.SWAP) and role != TRIBUNE:
        yield Objection("role", "role", f"step {step} without the Tribune", "roles")
    if step is Step.EXCHANGE and readings["E-TRIBUNE"] == "invasion":
        yield Objection(
            "exchange", "step", "an exchange in the campaign", "the Tribune's is in the invasion [E-TRIBUNE]"
        )
    if step is Step.SWAP and readings["E-TRIBUNE"] == "campaign":
        yield Objection("swap", "step", "an exchange in the invasion", "the Tribune's is in the campaign [E-TRIBUNE]")
    if (step is Step.APPOINT and role != EMPEROR) or (step is Step.ROLE and role == EMPEROR):
        yield Objection("role", "role", f"step {step} as {role}", "the Emperor alone names the next role")
    if position.has_exchanged and not _may_have_exchanged(position):
        yield Objection(
            "exchanged", "has_exchanged", f"a card exchanged at step {step} as {role}", "the Tribune's, once"
        )


def _may_have_exchanged(position: Position) -> bool:
    """Whether the Tribune can have exchanged a card before this step [E-TRIBUNE]."""
    if position.role != TRIBUNE or (position.step in (Step.EXCHANGE, Step.SWAP) and _is_blind(position)):
        return False
    in_invasion = position.ruleset.readings["E-TRIBUNE"] == "invasion"
    return position.phase is Phase.INVASION or (position.phase is Phase.CAMPAIGN and not in_invasion)


def _hand(position: Position) -> Iterator[Objection]:
    """The cards of a campaign, or of a Tribune's invasion."""
    step, hand, all_cards = position.step, position.hand, numbers.CAMPAIGN_CARDS
    if not set(hand) <= position.out:
        yield Objection("hand-in-deck", "hand", "a card of the hand is in the deck", "a card that was drawn stays out")
    if position.phase is Phase.CAMPAIGN:
        expected = (0, all_cards - 1) if step is Step.DRAW else (all_cards, all_cards)
        if position.has_exchanged and step is Step.DRAW:
            expected = (all_cards - 1,) * 2 if _is_blind(position) else (all_cards, all_cards)
    elif position.phase is Phase.INVASION and _collects(position):
        cards = invasion_cards(position.ruleset, position.decline)
        drawn = cards if step is Step.SWAP or _waits(position) else cards - position.left
        expected = (drawn, drawn)
    else:
        expected = (0, 0)
    if not expected[0] <= len(hand) <= expected[1]:
        text = f"{len(hand)} cards, expected {expected[0]} to {expected[1]}"
        yield Objection("hand", "hand", text, f"step {step}")
    if len(hand) == all_cards and position.phase is Phase.CAMPAIGN and step is not Step.DRAW:
        yield from _campaign(position)


def _waits(position: Position) -> bool:
    """Whether the card is drawn that the Tribune sees before he exchanges one in the invasion [E-EXCHANGE]."""
    in_step = position.step is Step.INVADE and _collects(position)
    return in_step and position.has_exchanged and not _is_blind(position)


def _collects(position: Position) -> bool:
    """Whether the cards of the invasion are collected before they are carried out [E-TRIBUNE]."""
    if position.role != TRIBUNE or position.ruleset.readings["E-TRIBUNE"] == "campaign":
        return False
    return not position.has_exchanged or bool(position.hand) or position.ruleset.readings["E-TRIBUNE"] == "invasion"


def _campaign(position: Position) -> Iterator[Objection]:
    """Whether these three cards lead to this step."""
    ruleset, step = position.ruleset, position.step
    suits = len({card[0] for card in position.hand})
    has_event = suits == len(position.hand) and ruleset.readings["E-EVENT"] == "three-suits"
    if step in (Step.EVENT, *EVENT_RANKS) and not has_event:
        yield Objection("no-event", "step", f"{step} with cards of {suits} suits", "an event comes with three suits")
    if step is Step.CRISIS:
        steps = [(before, moved(ruleset, before, suits)) for before in range(1, position.decline)]
        if not any(after == position.decline and is_crisis(ruleset, before, after) for before, after in steps):
            text = f"decline {position.decline} with cards of {suits} suits"
            yield Objection("no-crisis", "step", text, "a crisis comes when a campaign reaches a multiple of three")


def _out(position: Position) -> Iterator[Objection]:
    """The cards drawn in this turn."""
    least, most = _cards_out(position)
    if not least <= len(position.out) <= most:
        text = f"{len(position.out)}, expected {least} to {most}"
        yield Objection("cards-out", "out", text, f"step {position.step} as {position.role or 'nobody'}")
    rank = EVENT_RANKS.get(position.step)
    if rank is not None and not _has_come(position, rank):
        yield Objection("event-card", "out", f"no card of rank {rank} beside the campaign", f"step {position.step}")


def _has_come(position: Position, rank: str) -> bool:
    """Whether a card of this rank is out beside the hand."""
    return any(card[1] == rank for card in position.out - {*position.hand})


def _cards_out(position: Position) -> tuple[int, int]:
    """The fewest and the most cards that can be out."""
    step, exchanged = position.step, int(position.has_exchanged)
    rides = numbers.ACTIONS if position.role == DICTATOR else 0
    if step in (Step.ACT, Step.DICTATOR):
        return 0, min(rides, numbers.ACTIONS - position.left - (step is Step.DICTATOR))
    if step is Step.RIDE:
        return 1, min(rides, numbers.ACTIONS - position.left)
    if position.phase is Phase.ROLE:
        return 0, 0
    if position.phase is Phase.INVASION:
        least, more = _drawn_in_invasion(position)
        least += numbers.CAMPAIGN_CARDS
        exchanged -= _waits(position)
        return least + exchanged, least + exchanged + more + rides
    has_event = position.is_quiet or position.protected is not None
    if step is Step.DRAW and not _is_blind(position):
        exchanged = 0  # the card that he sees is not drawn yet
    least = len(position.hand) + exchanged + (step in EVENT_RANKS or has_event)
    if has_event:
        return least, least + rides
    if step is Step.DISCARD:
        fewest, more = _drawn_before_dice(position)
        return least + fewest, least + more + rides
    return least, least + rides


def _drawn_in_invasion(position: Position) -> tuple[int, int]:
    """Cards drawn in this invasion phase, and what may be out besides: event and civil war, or crisis, or a replaced card."""
    cards = invasion_cards(position.ruleset, position.decline)
    drawn = len(position.hand) if _collects(position) else cards - position.left
    if position.protected is not None:
        return drawn + 1, int(position.protected in position.out)  # the event's card; the replaced one
    return drawn, 2


def _event_marks(position: Position) -> Iterator[Objection]:
    """What an event has left behind."""
    is_later = position.step is Step.DISCARD and _event_precedes_dice(position)
    if position.protected is not None and not (
        (is_later or position.phase is Phase.INVASION) and _has_come(position, "C")
    ):
        text = f"protected at step {position.step}"
        yield Objection("protected", position.protected, text, "event C: this turn's invasion")
    if position.is_quiet and not (is_later and _has_come(position, "6")):
        text = f"no invasion this turn, at step {position.step}"
        yield Objection("quiet", "is_quiet", text, "event 6: the phase is skipped")
    if position.is_quiet and position.protected is not None:
        yield Objection("two-events", "is_quiet", "no invasion, and a region protected from it", "one event a turn")
    if (position.is_quiet or position.protected) and position.ruleset.readings["E-EVENT"] == "never":
        yield Objection("no-events", "out", "an event has come", "there is none [E-EVENT]")


def _drawn_before_dice(position: Position) -> tuple[int, int]:
    """The fewest and the most cards that an event or a crisis of this campaign has drawn before its dice were raised."""
    if _event_precedes_dice(position):
        return 1, 2  # the event's card, and that of a civil war
    suits = len({card[0] for card in position.hand})
    is_listed = position.ruleset.readings["E-ORDER"] == "listed"
    return 0, int(is_listed and suits < numbers.CAMPAIGN_CARDS)  # the card of a crisis


def _event_precedes_dice(position: Position) -> bool:
    """Whether an event of this campaign has come before its dice were raised [E-ORDER, E-WHEN]."""
    readings = position.ruleset.readings
    suits = len({card[0] for card in position.hand})
    has_event = suits == numbers.CAMPAIGN_CARDS and readings["E-EVENT"] == "three-suits"
    return has_event and readings["E-ORDER"] == "listed" and readings["E-WHEN"] == "at-once"


def _options(position: Position) -> Iterator[Objection]:
    """Steps of an event that are left out where there is nothing to choose."""
    if position.step is Step.RESIST and not position.occupied:
        yield Objection("nothing-to-remove", "cubes", "none on the map", "event 7: one cube, if there is any")
    if position.step is Step.RAISE and not any(position.dice):
        yield Objection("nothing-to-raise", "dice", "all are put away", "event S: a die that is not put away")


CHECKS: tuple[Check, ...] = (
    _cubes,
    _dice,
    _limit,
    _victory,
    _tracks,
    _start,
    _first_turn,
    _step,
    _hand,
    _out,
    _event_marks,
    _options,
)
