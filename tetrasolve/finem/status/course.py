"""Whether a turn can have come here: some campaign, event, crisis and invasion that fit cards, decline, dice and cubes.

The cards that are out are split up in every way that the step allows: rides of a Dictator, a card that the Tribune put away, three
cards of a campaign, an event with its civil war or a crisis, cards of the invasion. Each split is a `Course`. It is held against
decline, dice and cubes, in this order; where none passes, the first of them that stops all is the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import Phase, Position, Step
from tetrasolve.finem.status.firstturn import first_dice
from tetrasolve.finem.status.table import begun_on
from tetrasolve.finem.status.turn import (
    EVENT_RANKS,
    brings_event,
    chooses_decline,
    collects,
    event_precedes_dice,
    is_complete,
    keeps_place,
    rides,
    suits_counted,
    waits,
)
from tetrasolve.finem.tracks import invasion_cards, is_crisis, moves
from tetrasolve.reason import Reason

PREFECT = "prefect"
WALK = numbers.ACTIONS  # regions that the pawn can move in a turn without a role


@dataclass(frozen=True, slots=True)
class Course:
    """What may have been drawn in this turn; `rest` are the cards of rides, exchanges and the invasion."""

    campaign: tuple[str, ...]
    event: str | None  # its card
    war: str | None  # the card of a civil war
    crisis: str | None  # its card
    rest: frozenset[str]

    @property
    def points(self) -> tuple[int, ...]:
        """The points that the campaign gives to each die."""
        return tuple(sum(card[0] == tribe for card in self.campaign) for tribe in TRIBES)

    @property
    def rank(self) -> str | None:
        """The rank of the event."""
        return None if self.event is None else self.event[1]


Stage = tuple[Callable[[Position, Course], bool], str, str, str]


def course(position: Position) -> Iterator[Reason]:
    """A turn whose campaign is complete, that cannot have come here."""
    if not is_complete(position) or not set(position.hand) <= position.out:
        return
    passed = 0
    for one in _courses(position):
        stage = next((at for at, (fits, *_) in enumerate(_STAGES) if not fits(position, one)), len(_STAGES))
        if stage == len(_STAGES):
            return
        passed = max(passed, stage + 1)
    if not passed:
        step = f"step {position.step} as {position.role or 'nobody'}"
        cards = ".".join(sorted(position.out))
        text = f"{cards}: no campaign with what it brings, exchanges, rides and invasion have drawn just these"
        yield Reason("cards-out", "out", text, step)
    else:
        _, code, where, text = _STAGES[passed - 1]
        if code == "no-decline" and position.step is Step.CRISIS:
            code, where = "no-crisis", "step"
        yield Reason(code, where, text, f"the course of a turn, step {position.step}")


# -- the cards ------------------------------------------------------------------------------------------------------------


def _courses(position: Position) -> Iterator[Course]:
    """All ways to split the cards that are out."""
    if position.phase is Phase.CAMPAIGN:
        campaigns = [position.hand] if len(position.hand) == numbers.CAMPAIGN_CARDS else []
    else:
        campaigns = list(combinations(sorted(position.out - {*position.hand}), numbers.CAMPAIGN_CARDS))
    for campaign in campaigns:
        others = position.out - {*campaign}
        for drawn in _drawn(position, campaign, sorted(others - {*position.hand})):
            one = Course(campaign, *drawn, frozenset(others - {*drawn}))
            if _rest_fits(position, one):
                yield one


def _drawn(
    position: Position, campaign: tuple[str, ...], others: list[str]
) -> Iterator[tuple[str | None, str | None, str | None]]:
    """The cards of event, civil war and crisis that have been drawn before this step."""
    step = position.step
    has_event = brings_event(position, campaign)
    if step in EVENT_RANKS:
        yield from ((card, None, None) for card in others if card[1] == EVENT_RANKS[step])
    elif not _lies_behind(position, has_event=has_event):
        yield None, None, None
    elif has_event:
        if (
            position.ruleset.readings["E-GONE-SUITS"] == "ignored"
            and not position.is_quiet
            and position.protected is None
        ):
            yield None, None, None  # one of the three suits may not have counted
        for event in others:
            if _leaves_marks(position, event):
                wars = [war for war in others if war != event] if event[1] == "R" else [None]
                yield from ((event, war, None) for war in wars)
    elif not position.is_quiet and position.protected is None:
        yield None, None, None
        if len({card[0] for card in campaign}) < numbers.CAMPAIGN_CARDS:
            yield from ((None, None, card) for card in others)


def _lies_behind(position: Position, *, has_event: bool) -> bool:
    """Whether the event of this campaign, or the crisis that it can bring, has come before this step."""
    if position.step is Step.DISCARD or (position.step is Step.CHOOSE and not chooses_decline(position)):
        return event_precedes_dice(position) if has_event else _is_listed(position)
    return position.phase is Phase.INVASION


def _is_listed(position: Position) -> bool:
    return position.ruleset.readings["E-ORDER"] == "listed"


def _declines_first(position: Position) -> bool:
    """Whether the decline moves before the dice rise [E-ORDER]."""
    return position.ruleset.readings["E-ORDER"] != "dice-first"


def _crisis_is_last(position: Position) -> bool:
    """Whether a crisis waits for the dice [E-ORDER]."""
    return position.ruleset.readings["E-ORDER"] == "crisis-last"


def _leaves_marks(position: Position, event: str) -> bool:
    """Whether an event that is over leaves just the marks that the position has."""
    return (event[1] == "6") == position.is_quiet and (event[1] == "C") == (position.protected is not None)


def _rest_fits(position: Position, one: Course) -> bool:
    """Whether rides, exchanges, cards of the invasion and replaced ones are as many as the cards left."""
    rest, most = one.rest, rides(position) + _replaced_by_crisis(position, one)
    exchanged = int(position.has_exchanged and not waits(position) and not keeps_place(position))
    invading = _invading(position)
    if not set(position.hand) <= rest and position.phase is Phase.INVASION:
        return False
    spare = len(rest) - invading - exchanged
    if position.phase is Phase.INVASION and position.protected in rest:
        if position.protected in position.hand:
            return False
        kept = spare + exchanged > 0 and 0 <= spare <= most  # it is one of these
        return kept or 0 <= spare - 1 <= most
    return 0 <= spare <= most


def _replaced_by_crisis(position: Position, one: Course) -> int:
    """The most cards of eradicated tribes for which a crisis can have drawn others [E-CRISIS-GONE]."""
    has_drawn = one.crisis is not None or position.step is Step.CRISIS
    if position.ruleset.readings["E-CRISIS-GONE"] != "again" or not has_drawn:
        return 0
    return sum(position.is_eradicated(card[0]) for card in one.rest)


def _invading(position: Position) -> int:
    """The cards of the invasion that have been drawn and count."""
    if position.phase is not Phase.INVASION:
        return 0
    if collects(position) and position.step is not Step.ORDER:
        return len(position.hand)
    return invasion_cards(position.ruleset, position.decline) - position.left


# -- decline --------------------------------------------------------------------------------------------------------------


def _decline(position: Position, one: Course) -> bool:
    """Whether this campaign can have moved the decline here, with a crisis where it brings one."""
    ruleset, decline = position.ruleset, position.decline
    most = numbers.FIRST_DECLINE if position.role is None else decline
    earlier = range(numbers.FIRST_DECLINE, most + 1)
    has_moved = position.phase is Phase.INVASION or position.step is Step.CRISIS or _declines_first(position)
    if not has_moved or chooses_decline(position):
        return decline in earlier
    for before in earlier:
        if any(decline in moves(ruleset, before, suits) for suits in suits_counted(position, one.campaign)):
            has_crisis = is_crisis(ruleset, before, decline)
            if position.step is Step.CRISIS:
                if has_crisis:
                    return True
            elif _crisis_is_last(position) and position.phase is Phase.CAMPAIGN:
                return True  # it has not come yet
            elif has_crisis == (one.crisis is not None):
                return True
    return False


# -- dice -----------------------------------------------------------------------------------------------------------------


def _dice(position: Position, one: Course) -> bool:
    """Whether the points of this campaign, and of event S, can have led to these dice."""
    has_raised = one.rank == "S" and position.step is not Step.RAISE
    has_risen = _has_risen(position, one)
    if position.role is None:
        points = one.points if has_risen else (0,) * len(TRIBES)
        must_raise = has_raised and position.ruleset.readings["E-RAISE"] == "must"
        return first_dice(position, points, may_raise=has_raised, must_raise=must_raise)
    if not has_risen or _may_be_cut(position, one):
        return has_risen or len(position.pacified) < len(TRIBES) or _wins_late(position)
    later = one.rank == "S" and not _raises_first(position) and has_raised
    none = (0,) * len(TRIBES)
    extras = [tuple(int(tribe == other) for other in TRIBES) for tribe in TRIBES] if later else [none]
    extras += [none] if later and position.ruleset.readings["E-RAISE"] == "may" else []
    return any(_comes_from_dice(position, one, extra) for extra in extras)


def _wins_late(position: Position) -> bool:
    """Whether the last tribe may have been pacified in an earlier phase of this turn [E-WIN]."""
    return position.ruleset.readings["E-WIN"] == "turn"


def _may_be_cut(position: Position, one: Course) -> bool:
    """Whether points may have been taken off since the dice have risen."""
    if position.ruleset.is_introductory:
        return False
    if position.ruleset.readings["E-LIMIT"] != "once":
        return True
    if position.step is Step.DISCARD:
        return False
    return position.points >= numbers.MOST_POINTS or (one.rank == "S" and not _raises_first(position))


def _is_back(position: Position, one: Course) -> bool:
    """Whether a civil war or a crisis may have brought back the die of an eradicated tribe [E-CIVIL, E-CRISIS-GONE]."""
    readings = position.ruleset.readings
    by_war = one.war is not None and readings["E-CIVIL"] != "skip"
    return by_war or (one.crisis is not None and readings["E-CRISIS-GONE"] == "return")


def _raises_first(position: Position) -> bool:
    """Whether the event comes before the dice rise [E-ORDER, E-WHEN]."""
    return _declines_first(position) and position.ruleset.readings["E-WHEN"] == "at-once"


def _has_risen(position: Position, one: Course) -> bool:
    """Whether the dice have risen before this step."""
    if position.step is Step.CHOOSE:
        return chooses_decline(position) and not _declines_first(position)
    if position.phase is Phase.INVASION or position.step is Step.DISCARD or not _declines_first(position):
        return True
    if position.step is Step.CRISIS and _crisis_is_last(position):
        return True
    in_event = position.step is Step.EVENT or one.event is not None
    return in_event and position.ruleset.readings["E-WHEN"] == "after"


def _comes_from_dice(position: Position, one: Course, extra: tuple[int, ...]) -> bool:
    """Whether dice that can stand before a later turn's points lead here; `extra`: points of an event S that comes after them."""
    earlier = [
        list(_dice_before(position, one, tribe, steps)) for tribe, *steps in zip(TRIBES, one.points, extra, strict=True)
    ]
    raised_before = one.rank == "S" and _raises_first(position)  # it may have pacified the last tribe
    counts_all = position.ruleset.readings["E-ELEVEN"] == "four"
    least = len(TRIBES) * numbers.FIRST_DIE + numbers.CAMPAIGN_CARDS
    for way in product(*earlier):
        if all(was for _, was in way) and not raised_before and not _wins_late(position):
            continue  # the game was won in an earlier phase
        if not any(was for _, was in way) and sum(die for die, _ in way) < least:
            continue  # a campaign has come before
        points = sum(die for die, was in way if counts_all or not was)
        most = numbers.MOST_POINTS + (raised_before and position.ruleset.readings["E-LIMIT-EVENT"] == "waits")
        if position.ruleset.is_introductory or points <= most:
            return True
    return False


def _dice_before(position: Position, one: Course, tribe: str, steps: list[int]) -> Iterator[tuple[int, bool]]:
    """The dice of a tribe, pacified or not, that these points can have led here."""
    die, is_pacified = position.die(tribe), tribe in position.pacified
    if die == 0 or (is_pacified and _is_back(position, one)):
        yield from ((die, True), (numbers.FIRST_DIE, False), (numbers.PREFECT_AT, False))  # eradicated before, or since
        return
    for before in range(numbers.FIRST_DIE, numbers.PACIFIED_AT + 1):
        for was in (False, True)[: 1 + is_pacified]:
            if _risen(position, before, was, steps) == (die, is_pacified):
                yield before, was


def _risen(position: Position, die: int, was: bool, steps: list[int]) -> tuple[int, bool]:
    """A die after points, and whether its tribe is pacified then."""
    readings = position.ruleset.readings
    by_turn = position.role == PREFECT and position.ruleset.points_pacify_at_5
    for points in steps:
        for _ in range(points):
            if die == numbers.PACIFIED_AT or (was and readings["E-AGAIN"] == "stays"):
                break
            die += 1
            reaches = die == numbers.PACIFIED_AT and readings["E-PACIFY"] != "action"
            if reaches or (by_turn and die >= numbers.PREFECT_AT):
                die, was = numbers.FIRST_DIE, True
                if readings["E-OVER"] == "lost":
                    break
    return die, was


# -- cubes, the region last invaded, the pawn -----------------------------------------------------------------------------


def _table(position: Position, one: Course) -> bool:
    """Whether crisis, civil war and invasion have left their cubes, and the region last invaded; nothing removes them since."""
    if one.crisis is not None and not _holds(position, one.crisis, numbers.CRISIS_CUBES):
        return False
    if one.war is not None and not all(_holds_or_is_back(position, tribe + one.war[1]) for tribe in TRIBES):
        return False
    if position.role is None and one.rank != "5" and not _is_near(position):
        return False
    is_collecting = collects(position) and position.step is not Step.ORDER
    return position.phase is not Phase.INVASION or is_collecting or _invaded(position, one)


def _holds_or_is_back(position: Position, region: str) -> bool:
    """Whether a region of a civil war has a cube of its suit, or its tribe got none and is, or was, eradicated [E-CIVIL]."""
    without_cube = position.ruleset.readings["E-CIVIL"] == "die" and region[0] in position.pacified
    return without_cube or _holds(position, region, 1)


def _holds(position: Position, region: str, number: int) -> bool:
    """Whether a region has at least this many cubes of its suit, or its tribe is eradicated."""
    return position.is_eradicated(region[0]) or position.count(region, region[0]) >= number


def _invaded(position: Position, one: Course) -> bool:
    """Whether enough of the cards left can have invaded, the region last invaded among them [E-LAST]."""
    drawn = _invading(position) - len(position.hand)
    if not drawn:
        return True
    others = one.rest - {position.protected, *position.hand}
    cards = [card for card in others if _holds(position, card, 1)]
    if len(cards) < drawn:
        return False
    gone = sum(position.is_eradicated(card[0]) for card in cards)
    match position.ruleset.readings["E-LAST"]:
        case "drawn":
            return position.last in cards
        case "invaded":
            return gone >= drawn or (position.last in cards and not position.is_eradicated(position.last[0]))
        case _:
            is_calm = position.outbreaks == numbers.FIRST_OUTBREAKS  # each card has put its cube
            return not is_calm or gone >= drawn or position.last in cards


def _is_near(position: Position) -> bool:
    """Whether four moves from the start reach the pawn."""
    reached = {*begun_on(position)}
    for _ in range(WALK):
        reached |= {other for region in reached for other in position.layout.neighbours[region]}
    return position.pawn in reached


_STAGES: tuple[Stage, ...] = (
    (
        _decline,
        "no-decline",
        "decline",
        "no campaign with these cards moves it here, with the crisis it brings or without",
    ),
    (_dice, "no-points", "dice", "no campaign with these cards leads to them"),
    (_table, "no-invasion", "cubes", "the cards that are out have not left their cubes, region last invaded or pawn"),
)
