"""The rules of a turn: what can come at a position, and the position after it, or how the game ends.

Written from the author's text and the page "the rules made exact". Every step of a turn that draws a card or asks the player is a
position; `choices` lists what can come, `after` carries one of them out.
"""

from collections.abc import Callable
from itertools import permutations, product

from finem.map import AT, CARDS, SUITS
from finem.position import ROLES, State, too_many

CHANCE = frozenset({"dictator", "draw", "event", "civil-war", "crisis", "invade", "role"})
WON = "won"
OUTBREAKS = "lost: outbreaks"
DECLINE = "lost: decline"
EVENTS = {"5": "travel", "7": "resist", "S": "raise", "C": "protect", "R": "civil-war"}

SPARED = 5  # cards that a crisis leaves for the invasion: four, and one that a Tribune exchanges

Next = State | str  # a position, or how the game ended


def no_cube(suit: int) -> str:
    """The end of a game that needs a thirteenth cube."""
    return f"lost: no cube of {SUITS[suit]} left"


def total(state: State, suit: int) -> int:
    """The cubes of a tribe on the map."""
    return sum(state.cubes[suit::4])


def with_cubes(state: State, region: int, suit: int, number: int) -> State:
    """The position with so many cubes of a tribe in a region."""
    at = 4 * region + suit
    return state._replace(cubes=(*state.cubes[:at], number, *state.cubes[at + 1 :]))


# -- chains of outbreaks -----------------------------------------------------------------------------------------------


def burst(state: State, region: int, suit: int) -> tuple[tuple[int, ...], int]:
    """The cubes after the chain that begins in a region, and its outbreaks: one at a time, the one found last first."""
    spared = state.protected if state.rules.readings["E-PROTECT"] == "chain" else -1
    cubes = list(state.cubes)
    again = state.rules.readings["E-CHAIN-FIRST"] == "again"
    begun, waiting = set() if again else {region}, [region]
    while waiting:
        for near in state.rules.adjacent[waiting.pop()]:
            if near in begun or near == spared:
                continue
            if cubes[4 * near + suit] < 3:
                cubes[4 * near + suit] += 1
            else:
                begun.add(near)
                waiting.append(near)
    return tuple(cubes), len(begun) + again  # the first one is none of the chain then


def outbreak(state: State, region: int, suit: int) -> Next:
    """After a chain, at whose end losses are looked at."""
    cubes, bursts = burst(state, region, suit)
    if state.outbreaks + bursts >= 4:
        return OUTBREAKS
    if sum(cubes[suit::4]) > 12:
        return no_cube(suit)
    return state._replace(cubes=cubes, outbreaks=state.outbreaks + bursts)


def put(state: State, region: int, suit: int, number: int) -> Next:
    """Put cubes of a tribe on a region."""
    if total(state, suit) + number > 12:
        return no_cube(suit)
    return with_cubes(state, region, suit, state.cubes[4 * region + suit] + number)


# -- tribes ------------------------------------------------------------------------------------------------------------


def look(state: State, suits: tuple[int, ...]) -> State:
    """Put away the dice of those of these tribes that are pacified and have no cube; at the introductory level."""
    dice = list(state.dice)
    for suit in suits if state.rules.level == "introductory" else ():
        if state.pacified[suit] and not total(state, suit):
            dice[suit] = 0
    return state._replace(dice=tuple(dice))


def remove(state: State, region: int, suit: int, number: int) -> State:
    """Take cubes away."""
    state = with_cubes(state, region, suit, state.cubes[4 * region + suit] - number)
    return look(state, (suit,) if state.rules.readings["E-ERADICATE"] == "own" else (0, 1, 2, 3))


def pacify(state: State, suit: int) -> Next:
    """Pacify a tribe."""
    dice = (*state.dice[:suit], 1, *state.dice[suit + 1 :])
    state = state._replace(dice=dice, pacified=(*state.pacified[:suit], True, *state.pacified[suit + 1 :]))
    if state.rules.readings["E-ERADICATE"] == "always":
        state = look(state, (suit,))
    if state.rules.readings["E-WIN"] == "at-once":
        return closed(state)
    return state


def closed(state: State) -> Next:
    """The end of a phase: won if all tribes are pacified, and that is not looked at when the turn ends."""
    return WON if all(state.pacified) and state.rules.readings["E-WIN"] != "turn" else state


def done_with(state: State, suit: int) -> bool:
    """Whether a tribe is pacified, and its die stays where it is for that."""
    return state.pacified[suit] and state.rules.readings["E-AGAIN"] == "stays"


def point(state: State, suit: int) -> tuple[Next, bool]:
    """One point for the die of a tribe, and whether it pacified."""
    die = state.dice[suit]
    if die in (0, 6) or done_with(state, suit):
        return state, False
    before, state = state, state._replace(dice=(*state.dice[:suit], die + 1, *state.dice[suit + 1 :]))
    if state.rules.readings["E-LIMIT"] == "lost" and too_many(state):
        return before, False
    if stands_at_six(state, suit) and too_many(state):
        return state, False  # the point above the limit goes first, and may be this one
    early = state.role == "prefect" and state.rules.readings["E-PREFECT"] in ("turn", "standing") and die + 1 >= 5
    if early or (die + 1 == 6 and state.rules.readings["E-PACIFY"] != "action"):
        return pacify(state, suit), True
    return state, False


def stands_at_six(state: State, suit: int) -> bool:
    """Whether a die has come to 6 which pacifies only within the limit of points."""
    readings = state.rules.readings
    return state.dice[suit] == 6 and readings["E-LIMIT"] == "before-six" and readings["E-PACIFY"] != "action"


def points(state: State, suit: int, number: int) -> Next:
    """Points for the die of a tribe, one after the other."""
    for _ in range(number):
        found, pacified = point(state, suit)
        if isinstance(found, str) or (pacified and state.rules.readings["E-OVER"] == "lost"):
            return found
        state = found
    return state


# -- actions -----------------------------------------------------------------------------------------------------------


def act_choices(state: State) -> list[str]:
    """The actions."""
    found = []
    for suit, name in enumerate(SUITS):
        number = state.cubes[4 * state.pawn + suit]
        found += [f"confront {name}"] * (number > 0)
        found += [f"confront {name} all"] * (number > 1 and state.role == "magister")
    goals = {*state.rules.adjacent[state.pawn]}
    if state.travels or state.role in ("consul", "emperor"):
        goals |= {state.start, state.last}
    found += [f"move {CARDS[region]}" for region in sorted(goals - {state.pawn})]
    enough = 5 if state.role == "prefect" else 6
    for suit, name in enumerate(SUITS):
        if (
            state.dice[suit]
            and not done_with(state, suit)
            and (state.rules.readings["E-PACIFY"] == "free" or state.dice[suit] >= enough)
        ):
            found.append(f"pacify {name}")
    may_draw = state.rules.readings["E-DICTATOR-STAY"] == "used" or len(state.out) < 4
    return [*found, *["ride"] * (state.role == "dictator" and may_draw), "pass"]


def act(state: State, words: list[str]) -> Next:
    """After an action."""
    if words[0] == "pass":
        return end_of_actions(state)
    left = state.left - 1
    if words[0] == "ride":
        return state._replace(step="dictator", left=left)
    found: Next
    if words[0] == "move":
        found = state._replace(pawn=AT[words[1]])
    elif words[0] == "pacify":
        found = pacify(state, SUITS.index(words[1]))
    else:
        suit = SUITS.index(words[1])
        found = remove(state, state.pawn, suit, state.cubes[4 * state.pawn + suit] if len(words) > 2 else 1)
    return found if isinstance(found, str) else acted(found, left)


def acted(state: State, left: int) -> Next:
    """After an action that is done, with so many left."""
    return state._replace(step="act", left=left) if left else end_of_actions(state)


def end_of_actions(state: State) -> Next:
    """The phase of actions is over."""
    found = closed(state)
    return found if isinstance(found, str) else found._replace(step="draw", left=0, travels=False)


def ride_choices(state: State) -> list[str]:
    """Where the Dictator can go with his card."""
    goals, reading = [suit + CARDS[state.card][1] for suit in SUITS], state.rules.readings["E-DICTATOR"]
    stay = ["stay"] * (reading == "may")
    return [f"move {goal}" for goal in goals if AT[goal] != state.pawn or reading == "there"] + stay


def ride(state: State, words: list[str]) -> Next:
    """After he went or stayed."""
    if words[0] == "stay":
        used_none = state.rules.readings["E-DICTATOR-STAY"] == "free"
        return acted(state._replace(card=-1), state.left + used_none)
    return acted(state._replace(pawn=AT[words[1]], card=-1), state.left)


# -- campaign ----------------------------------------------------------------------------------------------------------


def may_exchange(state: State, phase: str) -> bool:
    """Whether a Tribune may still exchange a card in a phase."""
    return state.role == "tribune" and not state.exchanged and state.rules.readings["E-TRIBUNE"] in (phase, "either")


def exchange_choices(state: State) -> list[str]:
    """What he can do with his hand."""
    number = 3 if state.rules.readings["E-FOURTH"] == "first-three" else 4
    cards = [f"exchange {CARDS[card]}" for card in state.hand[:number]]
    reading = state.rules.readings["E-EXCHANGE"]
    if reading == "by-phase":  # each part of the text for its own phase
        reading = "blind" if state.step == "exchange" else "must"
    if reading == "blind":
        return ["keep", *cards]
    if state.card < 0:
        return ["keep", "exchange"]
    return cards if reading == "must" else ["keep", *cards]


def ordered(state: State, hand: tuple[int, ...]) -> tuple[int, ...]:
    """The cards of a campaign as they are kept: by suits, or as they were drawn."""
    return hand if state.rules.readings["E-LIMIT-ORDER"] == "drawn" else tuple(sorted(hand))


def draw(state: State, card: int) -> Next:
    """After a card of the campaign."""
    state = state._replace(out=state.out | {card})
    if len(state.hand) == 3:
        return state._replace(step="exchange", card=card)
    state = state._replace(hand=ordered(state, (*state.hand, card)))
    if len(state.hand) < 3:
        return state
    return state._replace(step="exchange") if may_exchange(state, "campaign") else campaign(state)


def exchange(state: State, words: list[str]) -> Next:
    """After the Tribune's decision."""
    if words == ["keep"]:
        return campaign(state._replace(card=-1))
    if words == ["exchange"]:
        return state._replace(step="draw", exchanged=True)
    hand = [card for card in state.hand if card != AT[words[1]]]
    if state.card < 0:
        return state._replace(step="draw", hand=tuple(hand), exchanged=True)
    return campaign(state._replace(hand=ordered(state, (*hand, state.card)), card=-1))


def suits_of(state: State) -> str:
    """What the cards of a campaign are: ``three`` or ``two`` of a suit, ``mixed`` or ``none`` of these."""
    gone = [suit for suit in range(4) if not state.dice[suit] and state.rules.readings["E-GONE-SUITS"] == "ignored"]
    suits = [card // 6 for card in state.hand if card // 6 not in gone]
    different = len(set(suits))
    if len(suits) == 3:
        return ("three", "two", "mixed")[different - 1]
    return "two" if len(suits) == 2 and different == 1 else "none"


def campaign(state: State, done: str = "") -> Next:
    """What the three cards bring, from after the part that is done on."""
    parts = ["decline", "event", "dice"]
    last = state.rules.readings["E-ORDER"] == "crisis-last"
    due = last and done in ("decline", "event", "dice") and has_hit(state)
    if state.rules.readings["E-ORDER"] == "dice-first":
        parts = ["dice", "decline", "event"]
    elif state.rules.readings["E-WHEN"] == "after":
        parts = ["decline", "dice", "event"]
    for part in () if done == "crisis" else parts[parts.index(done) + 1 if done else 0 :]:
        suits = suits_of(state)
        if part == "event" and suits == "mixed" and state.rules.readings["E-EVENT"] == "three-suits":
            return state._replace(step="event")
        if part == "decline" and suits in ("two", "three"):
            places = goals(state, suits)
            if len(places) > 1:
                return state._replace(step="choose")
            moved, due = declined(state, places[0])
            if isinstance(moved, str) or moved.step == "crisis":
                return moved
            state = moved
        if part == "dice":
            if len(orders(state)) > 1:
                return state._replace(step="choose")
            found = rise(state)
            if isinstance(found, str) or found.step == "discard":
                return found
            state = found
    if due:
        return state._replace(step="crisis")
    found = closed(state)
    if isinstance(found, str):
        return found
    return next_role(found) if found.quiet else invasion(found)


def has_hit(state: State) -> bool:
    """Whether the cards in the hand have moved the decline to a crisis that is still to come: tried from each place before."""
    suits = suits_of(state)
    for before in range(max(1, state.decline - 3), state.decline) if suits in ("two", "three") else ():
        if state.decline in goals(state._replace(decline=before), suits):
            exact = state.rules.readings["E-CRISIS"] == "exact"
            return state.decline % 3 == 0 if exact else state.decline // 3 > before // 3
    return False


def rise(state: State, begin: int = 0, pacified_before: tuple[int, ...] = ()) -> Next:
    """After the points of the cards from a place on: all of them, or as far as one is above the limit; then points go.

    Tribes that an earlier card has pacified may get no more points of this campaign.
    """
    found: Next
    if state.rules.readings["E-LIMIT"] == "once":
        for suit in range(4):
            found = points(state, suit, sum(card // 6 == suit for card in state.hand))
            if isinstance(found, str):
                return found
            state = found
        return state._replace(step="discard") if too_many(state) else state
    closed_suits = {*pacified_before} if state.rules.readings["E-OVER"] == "lost" else set()
    for at, card in [*enumerate(state.hand)][begin:]:
        if card // 6 in closed_suits:
            continue
        found, pacified = point(state, card // 6)
        if isinstance(found, str):
            return found
        state = found
        if pacified and state.rules.readings["E-OVER"] == "lost":
            closed_suits.add(card // 6)
        if too_many(state):
            return state._replace(step="discard", left=2 - at)
    return state


def steps(state: State, suits: str) -> int:
    """How far a campaign with two or three of a suit moves the decline, at most where the player chooses."""
    missing = 3 - state.decline % 3
    by_reading = {
        "crisis": max(2, missing),
        "two": 2,
        "stop": min(2, missing),
        "need": missing,
        "either": max(2, missing),
    }
    return 1 if suits == "two" else by_reading[state.rules.readings["E-THREE"]]


def goals(state: State, suits: str) -> list[int]:
    """The places to which a campaign can move the decline; of more than one the player chooses."""
    by = {steps(state, suits)}
    if suits == "three" and state.rules.readings["E-THREE"] == "either":
        by = {2, 3 - state.decline % 3}
    return sorted({min(state.rules.last_decline, state.decline + number) for number in by})


def declined(state: State, place: int) -> tuple[Next, bool]:
    """After the decline has moved to a place, and whether a crisis is due at the end; at its last place it loses."""
    if place == state.rules.last_decline:
        return DECLINE, False
    exact = state.rules.readings["E-CRISIS"] == "exact"
    hit = place % 3 == 0 if exact else place // 3 > state.decline // 3
    state, last = state._replace(decline=place), state.rules.readings["E-ORDER"] == "crisis-last"
    return (state._replace(step="crisis"), False) if hit and not last else (state, hit)


# -- what the player chooses in a campaign by values of readings ---------------------------------------------------------


def in_order(state: State, suits: tuple[int, ...]) -> Next:
    """After the cards have counted in an order of their suits, in which they lie while points are taken off."""
    rest = sorted(state.hand)
    hand = []
    for suit in suits:
        hand.append(next(card for card in rest if card // 6 == suit))
        rest.remove(hand[-1])
    return put_back(rise(state._replace(step="draw", hand=tuple(hand))))


def put_back(found: Next) -> Next:
    """The hand by its suits again, once all its cards have counted."""
    if isinstance(found, str) or found.step == "discard":
        return found
    return found._replace(hand=ordered(found, found.hand))


def orders(state: State) -> list[tuple[int, ...]]:
    """The orders of suits between which the player chooses, each of which leads elsewhere."""
    if state.rules.readings["E-LIMIT-ORDER"] != "chosen":
        return []
    ways: dict[object, tuple[int, ...]] = {}
    for suits in sorted({*permutations(card // 6 for card in state.hand)}, reverse=True):
        found = in_order(state, suits)
        ways[found if isinstance(found, str) else found[1:]] = (
            suits  # of those that lead there the first one comes last
        )
    return sorted(ways.values())


def choose_choices(state: State) -> list[str]:
    """How far the decline moves, or in which order the cards count."""
    places = goals(state, "three") if suits_of(state) == "three" else []
    if len(places) > 1:
        return [f"decline {place - state.decline}" for place in places]
    return [" ".join(["order", *(SUITS[suit] for suit in order)]) for order in orders(state)]


def choose(state: State, words: list[str]) -> Next:
    """After the choice."""
    if words[0] == "decline":
        found, _ = declined(state, state.decline + int(words[1]))
        return found if isinstance(found, str) or found.step == "crisis" else campaign(found, "decline")
    found = in_order(state, tuple(SUITS.index(word) for word in words[1:]))
    return found if isinstance(found, str) or found.step == "discard" else campaign(found, "dice")


def crisis(state: State, card: int) -> Next:
    """After the card of a crisis."""
    suit, before = card // 6, state.cubes[4 * card + card // 6]
    state = state._replace(out=state.out | {card})
    if card in blank_cards(state) and 24 - len(state.out) > SPARED:
        return state  # another one is drawn
    if not state.dice[suit] and state.rules.readings["E-CRISIS-GONE"] == "return":
        state = state._replace(dice=(*state.dice[:suit], 1, *state.dice[suit + 1 :]))
    state = invaded(state, card, was_put=before < 3)
    if not state.dice[suit]:
        return after_crisis(state)
    if state.rules.readings["E-FILL"] != "missing" and total(state, suit) > 9:
        return no_cube(suit)
    found = put(state, card, suit, 3 - before)
    if isinstance(found, State) and before:
        found = outbreak(found, card, suit)
    if state.rules.readings["E-FILL"] == "held" and isinstance(found, State) and total(found, suit) + before > 12:
        return no_cube(suit)  # those that do not fit are not there yet
    return found if isinstance(found, str) else after_crisis(found)


def blank_cards(state: State) -> tuple[int, ...]:
    """The cards for which a crisis draws another one: of eradicated tribes, by a value of a reading."""
    if state.rules.readings["E-CRISIS-GONE"] != "again":
        return ()
    return tuple(card for card in range(24) if not state.dice[card // 6])


def after_crisis(state: State) -> Next:
    """What the campaign brings after the crisis, which can be its last part."""
    return campaign(state, "crisis" if state.rules.readings["E-ORDER"] == "crisis-last" else "decline")


def invaded(state: State, card: int, was_put: bool) -> State:
    """The position in which a region counts as the one last invaded, if it does."""
    reading, gone = state.rules.readings["E-LAST"], not state.dice[card // 6]
    counts = {"invaded": not gone, "drawn": True, "put": was_put and not gone}[reading]
    return state._replace(last=card) if counts else state


def discard_choices(state: State) -> list[str]:
    """The ways to take the points above eleven off."""
    counted = [
        max(0, die - 1) if state.rules.readings["E-ELEVEN"] == "four" or not over else 0
        for die, over in zip(state.dice, state.pacified, strict=True)
    ]
    if state.rules.readings["E-LIMIT-DICE"] == "raised":
        cards = state.hand if state.rules.readings["E-LIMIT"] == "once" else state.hand[2 - state.left : 3 - state.left]
        counted = [most if suit in {card // 6 for card in cards} else 0 for suit, most in enumerate(counted)]
    if state.rules.readings["E-LIMIT-DICE"] == "open":
        others = [0 if over else most for most, over in zip(counted, state.pacified, strict=True)]
        counted = others if sum(others) >= too_many(state) else counted
    ways = [way for way in product(*(range(most + 1) for most in counted)) if sum(way) == too_many(state)]
    return [
        " ".join(["discard", *(f"{SUITS[suit]}{number}" for suit, number in enumerate(way) if number)])
        for way in sorted(ways, reverse=True)
    ]


def discard(state: State, words: list[str]) -> Next:
    """After the points are taken off."""
    dice = list(state.dice)
    for word in words[1:]:
        dice[SUITS.index(word[0])] -= int(word[1:])
    state = state._replace(dice=tuple(dice))
    waiting = tuple(suit for suit in range(4) if stands_at_six(state, suit))  # at most one, whose point did not go
    for suit in waiting:
        found = pacify(state, suit)
        if isinstance(found, str):
            return found
        state = found
    if state.step == "discard-event":
        return campaign(state, "event")
    if state.left:
        found = rise(state._replace(step="draw", left=0), 3 - state.left, waiting)
        if isinstance(found, str) or found.step == "discard":
            return found
        state = found
    return campaign(state._replace(hand=ordered(state, state.hand)), "dice")


# -- events ------------------------------------------------------------------------------------------------------------


def event(state: State, card: int) -> Next:
    """After the card of a special event."""
    state, rank = state._replace(out=state.out | {card}), CARDS[card][1]
    if rank == "6":
        return campaign(state._replace(quiet=True), "event")
    if (rank == "7" and not any(state.cubes)) or (rank == "S" and not nameable(state)):
        return campaign(state, "event")
    return state._replace(step=EVENTS[rank])


def nameable(state: State) -> list[int]:
    """The tribes whose die event S can raise, or name."""
    found = [suit for suit in range(4) if state.dice[suit]]
    if state.rules.readings["E-RAISE-STUCK"] == "named":
        return found
    return [suit for suit in found if point(state, suit)[0] is not state]


def event_choices(state: State) -> list[str]:
    """What the player can decide in an event."""
    if state.step == "travel":
        stay = ["stay"] * (state.rules.readings["E-TRAVEL"] == "may")
        return [*(f"move {card}" for card in CARDS if AT[card] != state.pawn), *stay]
    if state.step == "protect":
        in_deck = state.rules.readings["E-PROTECT-OUT"] == "deck"
        return [f"protect {card}" for card in CARDS if not (in_deck and AT[card] in state.out)]
    if state.step == "raise":
        keep = ["keep"] * (state.rules.readings["E-RAISE"] == "may")
        return [*(f"raise {SUITS[suit]}" for suit in nameable(state)), *keep]
    found = []
    for at, number in enumerate(state.cubes):
        if number:
            found.append(f"remove {CARDS[at // 4]} {SUITS[at % 4]}")
            if state.rules.readings["E-RESIST-ALL"] == "besides":
                ones = [card for card in CARDS if state.pacified[at % 4] and state.cubes[4 * AT[card] + at % 4]]
                found += [f"remove {CARDS[at // 4]} {SUITS[at % 4]} all {card}" for card in ones]
            else:
                found += [f"{found[-1]} all"] * (number > 1 and state.pacified[at % 4])
    return found + ["keep"] * (state.rules.readings["E-RESIST"] == "may")


def decided(state: State, words: list[str]) -> Next:
    """After the decision of an event."""
    if words[0] == "raise":
        suit = SUITS.index(words[1])
        found, _ = point(state, suit)
        if isinstance(found, State) and too_many(found):
            if state.rules.readings["E-LIMIT-DICE"] == "raised":  # its own point goes again
                return campaign(found._replace(dice=state.dice), "event")
            if state.rules.readings["E-LIMIT-EVENT"] == "waits":
                return campaign(found, "event")
            return found._replace(step="discard-event")
        return found if isinstance(found, str) else campaign(found, "event")
    if words[0] == "protect":
        state = state._replace(protected=AT[words[1]])
    elif words[0] == "move":
        state = state._replace(pawn=AT[words[1]])
    elif words[0] == "remove":
        region, suit = AT[words[1]], SUITS.index(words[2])
        for card in words[4:]:  # the one cube, which may be the last there
            state = remove(state, AT[card], suit, 1)
        state = remove(state, region, suit, state.cubes[4 * region + suit] if len(words) > 3 else 1)
    return campaign(state, "event")


def civil_war(state: State, card: int) -> Next:
    """After the card of a civil war: the regions of its rank, in the order O C E B; dice that are away may come back then."""
    state, readings = state._replace(out=state.out | {card}), state.rules.readings
    ends, reading, was_full = [], readings["E-WAR-LAST"], state.cubes[4 * card + card // 6] == 3
    for suit in range(4):
        region = 6 * suit + card % 6
        if not state.dice[suit] and readings["E-CIVIL"] == "return":
            state = state._replace(dice=(*state.dice[:suit], 1, *state.dice[suit + 1 :]))
        if reading in ("counts", "card"):
            state = invaded(state, region, was_put=state.cubes[4 * region + suit] < 3)
        if not state.dice[suit]:
            continue
        cubes, bursts = struck(state, region, suit)
        state = state._replace(cubes=cubes, outbreaks=state.outbreaks + bursts)
        ends += [OUTBREAKS] * (state.outbreaks >= 4) + [no_cube(suit)] * (total(state, suit) > 12)
        if ends and readings["E-WAR-ORDER"] == "listed":
            return ends[0]
    if ends:  # all four have come: outbreaks lose before missing cubes
        return OUTBREAKS if OUTBREAKS in ends else ends[0]
    if reading.startswith("card"):
        state = invaded(state, card, was_put=not was_full)
    return campaign(state._replace(dice=tuple(die or int(readings["E-CIVIL"] == "die") for die in state.dice)), "event")


def struck(state: State, region: int, suit: int) -> tuple[tuple[int, ...], int]:
    """The cubes after a region of a civil war, and how many outbreaks came of it, whether that loses or not."""
    if state.cubes[4 * region + suit] < 3:
        return with_cubes(state, region, suit, state.cubes[4 * region + suit] + 1).cubes, 0
    return (state.cubes, 0) if state.rules.readings["E-WAR"] == "none" else burst(state, region, suit)


# -- invasion, role ----------------------------------------------------------------------------------------------------


def cards_of_invasion(state: State) -> int:
    """2, 3 or 4, by the last card of the track that holds a cube."""
    return 2 + min(2, (state.decline - 1) // state.rules.a_card)


def invasion(state: State) -> State:
    """The phase of the invasion begins."""
    return state._replace(step="invade", left=cards_of_invasion(state), hand=())


def collects(state: State) -> bool:
    """Whether a Tribune sees all cards before they are carried out."""
    reading = state.rules.readings["E-TRIBUNE"]
    used = state.exchanged and not state.hand and reading == "either"  # in the campaign
    return state.role == "tribune" and reading != "campaign" and not used


def invade(state: State, card: int) -> Next:
    """After a card of the invasion."""
    state = state._replace(out=state.out | {card})
    if card == state.protected:
        return state
    left = state.left - 1
    if state.card >= 0:  # it comes where the card lay that is put away
        hand = tuple(card if old == state.card else old for old in state.hand)
        return carried_out(state._replace(hand=hand, card=-1, left=left))
    if not collects(state):
        found = invade_region(state._replace(left=left), card)
        return found if isinstance(found, str) or left else next_role(found)
    if state.exchanged and state.rules.readings["E-EXCHANGE"] != "blind":
        return state._replace(step="swap", left=0, card=card)
    state = state._replace(hand=(*state.hand, card), left=left)
    if left:
        return state
    return carried_out(state) if state.exchanged else state._replace(step="swap")


def swap(state: State, words: list[str]) -> Next:
    """After the Tribune's decision."""
    if words == ["keep"]:
        return carried_out(state._replace(card=-1))
    if words == ["exchange"]:
        return state._replace(step="invade", left=1, exchanged=True)
    away, in_place = AT[words[1]], state.rules.readings["E-SWAP"] == "place"
    hand = tuple(card for card in state.hand if card != away)
    if state.card < 0 and in_place:
        return state._replace(step="invade", left=1, card=away, exchanged=True)
    if state.card < 0:
        return state._replace(step="invade", left=1, hand=hand, exchanged=True)
    hand = tuple(state.card if card == away else card for card in state.hand) if in_place else (*hand, state.card)
    return carried_out(state._replace(hand=hand, card=-1))


def carried_out(state: State) -> Next:
    """After all cards of an invasion, in the order in which they were drawn, or before the first that the Tribune names."""
    if state.rules.readings["E-INVASION-ORDER"] == "tribune" and len(state.hand) > 1:
        return state._replace(step="order", left=0)
    for card in state.hand:
        found = invade_region(state, card)
        if isinstance(found, str):
            return found
        state = found
    return next_role(state)


def order_choices(state: State) -> list[str]:
    """The cards of the hand, each of which can come next."""
    return [f"invade {CARDS[card]}" for card in state.hand]


def order(state: State, words: list[str]) -> Next:
    """After the card that the Tribune has named; one that is alone then comes by itself."""
    named = AT[words[1]]
    found = invade_region(state._replace(hand=tuple(card for card in state.hand if card != named)), named)
    return found if isinstance(found, str) else carried_out(found)


def invade_region(state: State, card: int) -> Next:
    """A cube of its suit on a region, or an outbreak where there are three."""
    suit, full = card // 6, state.cubes[4 * card + card // 6] == 3
    state = invaded(state, card, was_put=not full)
    if not state.dice[suit]:
        return state
    return outbreak(state, card, suit) if full else put(state, card, suit, 1)


def next_role(state: State) -> Next:
    """The cards go back to the deck, and the role of the next turn is drawn or named; or the turn has won."""
    if all(state.pacified) and state.rules.readings["E-WIN"] == "turn":
        return WON
    later = state.rules.readings["E-EMPEROR-WHEN"] == "after"
    return state._replace(
        step="appoint" if state.role == "emperor" and later else "role",
        left=0,
        hand=(),
        out=frozenset(),
        protected=-1,
        quiet=False,
        exchanged=False,
    )


def role(state: State, name: str) -> Next:
    """The next turn begins, or an Emperor's card lets the player name its role."""
    if name == "emperor" and state.step == "role" and state.rules.readings["E-EMPEROR-WHEN"] == "at-once":
        return state._replace(role=name, step="appoint")
    is_named = state.step == "appoint" and state.rules.readings["E-EMPEROR-WHEN"] == "at-once"
    besides = is_named and state.rules.readings["E-EMPEROR-TRAVEL"] == "besides" and name not in ("consul", "emperor")
    state = state._replace(role=name, step="act", left=4, travels=besides)
    for suit in range(4) if name == "prefect" and state.rules.readings["E-PREFECT"] in ("standing", "found") else ():
        if state.dice[suit] >= 5:
            found = pacify(state, suit)
            if isinstance(found, str):
                return found
            state = found
    return closed(state)


# -- all steps ---------------------------------------------------------------------------------------------------------

DECIDED: dict[str, tuple[Callable[[State], list[str]], Callable[[State, list[str]], Next]]] = {
    "act": (act_choices, act),
    "ride": (ride_choices, ride),
    "exchange": (exchange_choices, exchange),
    "swap": (exchange_choices, swap),
    "order": (order_choices, order),
    "discard": (discard_choices, discard),
    "discard-event": (discard_choices, discard),
    "choose": (choose_choices, choose),
    **dict.fromkeys(("travel", "resist", "raise", "protect"), (event_choices, decided)),
}
DRAWN: dict[str, Callable[[State, int], Next]] = {
    "dictator": lambda state, card: state._replace(step="ride", card=card, out=state.out | {card}),
    "draw": draw,
    "event": event,
    "civil-war": civil_war,
    "crisis": crisis,
    "invade": invade,
}


def choices(state: State) -> list[str]:
    """What can come: the cards of the deck, or what the player can decide."""
    if state.step in ("role", "appoint"):
        others = state.step == "appoint" and state.rules.readings["E-EMPEROR"] == "other"
        return [name for name in ROLES if not (others and name == "emperor")]
    if state.step in CHANCE:
        return [card for card in CARDS if AT[card] not in state.out]
    return DECIDED[state.step][0](state)


def after(state: State, word: str) -> Next:
    """The position after what comes, which must be one of `choices`."""
    if state.step in ("role", "appoint"):
        return role(state, word)
    if state.step in CHANCE:
        return DRAWN[state.step](state, AT[word])
    return DECIDED[state.step][1](state, word.split(" "))


def set_up(state: State, cards: tuple[int, ...]) -> Next:
    """The first position after these cards of a set-up: groups with three cubes, two and one; `state` has no cube yet."""
    group = 3 if state.rules.readings["E-SETUP"] == "three-three-six" else len(cards) // 3
    for at, card in enumerate(cards):
        state = with_cubes(state, card, card // 6, max(1, 3 - at // group))
    full = [suit for suit in range(4) if total(state, suit) > 12]
    last = state.start if state.rules.readings["E-FIRST-LAST"] == "none" else cards[-1]
    return no_cube(full[0]) if full else state._replace(last=last)
