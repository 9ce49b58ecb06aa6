"""Positions of the game in one line, read strictly, and the rules of a turn that they name.

Fields: ruleset; role; regions of the pawn, of the start and of the last invasion; dice and pacified tribes; decline and outbreaks;
cubes; step; cards out of the deck; then what is needed of ``card=``, ``hand=``, ``protected=``, ``quiet``, ``exchanged`` and
``travels``.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from text import Lines, Unreadable

from finem.map import AT, CARDS, SUITS, Map

LEVELS = ("introductory", "standard", "expert")
OPTIONS = ("corner", "sphere", "cap3")
ROLES = ("tribune", "prefect", "consul", "magister", "dictator", "emperor")
STEPS = (
    *("act", "dictator", "ride", "draw", "exchange", "event", "travel", "resist", "raise", "protect", "civil-war"),
    *("discard-event", "crisis", "discard", "invade", "swap", "role", "appoint", "choose", "order"),
)
READINGS = {
    "E-MAP": ("printed", "dealt"),
    "E-SETUP": ("nine", "twelve", "three-three-six"),
    "E-FULL": ("again", "lost", "card"),
    "E-WIN": ("at-once", "phase", "turn"),
    "E-LAST": ("invaded", "drawn", "put"),
    "E-DICTATOR": ("may", "must", "there"),
    "E-PACIFY": ("automatic", "action", "free"),
    "E-PREFECT": ("action", "turn", "standing", "found"),
    "E-TRIBUNE": ("campaign", "invasion", "either"),
    "E-EXCHANGE": ("blind", "must", "may", "by-phase"),
    "E-ORDER": ("listed", "dice-first", "crisis-last"),
    "E-THREE": ("crisis", "two", "stop", "need", "either"),
    "E-WHEN": ("at-once", "after"),
    "E-EVENT": ("three-suits", "never"),
    "E-CRISIS": ("passed", "exact"),
    "E-OVER": ("carry", "lost"),
    "E-ELEVEN": ("four", "open"),
    "E-CIVIL": ("skip", "return", "die"),
    "E-PROTECT": ("card", "chain"),
    "E-ERADICATE": ("removal", "own", "always"),
    "E-EMPEROR": ("any", "other"),
    "E-SPHERE": ("gap", "skip"),
    "E-CAP3-END": ("nine", "ten"),
    "E-FILL": ("missing", "three", "held"),
    "E-CRISIS-GONE": ("nothing", "return", "again"),
    "E-WAR": ("outbreak", "none"),
    "E-WAR-ORDER": ("listed", "together"),
    "E-LIMIT": ("once", "each-point", "lost", "before-six"),
    "E-LIMIT-DICE": ("any", "raised", "open"),
    "E-GONE-SUITS": ("count", "ignored"),
    "E-RESIST": ("must", "may"),
    "E-TRAVEL": ("may", "must"),
    "E-RAISE": ("must", "may"),
    "E-PROTECT-OUT": ("any", "deck"),
    "E-SWAP": ("last", "place"),
    "E-FIRST-LAST": ("set-up", "none"),
    "E-AGAIN": ("rises", "stays"),
    "E-START": ("place", "card"),
    "E-WAR-LAST": ("never", "counts", "card", "card-only"),
    "E-DICTATOR-STAY": ("used", "free"),
    "E-FOURTH": ("any", "first-three"),
    "E-LIMIT-ORDER": ("suits", "drawn", "chosen"),
    "E-CHAIN-FIRST": ("once", "again"),
    "E-CORNER-START": ("corner", "table"),
    "E-RAISE-STUCK": ("named", "not"),
    "E-RESIST-ALL": ("instead", "besides"),
    "E-EMPEROR-WHEN": ("after", "at-once"),
    "E-LIMIT-EVENT": ("before", "waits"),
    "E-EMPEROR-TRAVEL": ("alone", "besides"),
    "E-INVASION-ORDER": ("drawn", "tribune"),
}
LEVEL = re.compile(r"([a-z]+)((?:\+[a-z0-9]+)*)(?:\?([A-Z0-9a-z=,-]+))?(?:@((?:[OCEB][567SCR]){24}))?")


class Rules(NamedTuple):
    """The rules of a game: its level, options and readings, and which regions are adjacent."""

    text: str
    level: str
    options: frozenset[str]
    readings: Mapping[str, str]
    adjacent: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]

    @property
    def a_card(self) -> int:
        """Cubes of decline on each card of the track."""
        return 3 if "cap3" in self.options else 4

    @property
    def last_decline(self) -> int:
        """The decline that loses."""
        return 3 * self.a_card + ("cap3" in self.options and self.readings["E-CAP3-END"] == "ten")


class State(NamedTuple):
    """A position: `cubes` has 96 numbers, four for each region; `pacified` one truth for each tribe; regions are numbers."""

    rules: Rules
    role: str
    pawn: int
    start: int
    last: int
    dice: tuple[int, ...]
    pacified: tuple[bool, ...]
    decline: int
    outbreaks: int
    cubes: tuple[int, ...]
    step: str
    left: int = 0
    card: int = -1
    hand: tuple[int, ...] = ()
    out: frozenset[int] = frozenset()
    protected: int = -1
    quiet: bool = False
    exchanged: bool = False
    travels: bool = False


# Where a reading changes nothing it is not written, so that a rule that asks for it is not asked beside others that forbid it:
# without one of these levels or options, and beside all values of one of these rows
LIMITED = "standard expert"
ONLY_WITH = {
    "E-ELEVEN": LIMITED, "E-LIMIT": LIMITED, "E-LIMIT-DICE": LIMITED, "E-LIMIT-ORDER": LIMITED, "E-LIMIT-EVENT": LIMITED,
    "E-CIVIL": "introductory", "E-ERADICATE": "introductory", "E-CRISIS-GONE": "introductory", "E-GONE-SUITS": "introductory",
    "E-SPHERE": "sphere", "E-CAP3-END": "cap3", "E-CORNER-START": "corner",
}  # fmt: skip
NO_EVENT = "E-EVENT=never"
IDLE = {
    **dict.fromkeys(("E-CIVIL", "E-PROTECT", "E-WAR", "E-RESIST", "E-TRAVEL", "E-RAISE", "E-PROTECT-OUT"), (NO_EVENT,)),
    "E-WAR-LAST": (NO_EVENT,), "E-RESIST-ALL": (NO_EVENT,), "E-WAR-ORDER": (NO_EVENT, "E-WAR=none"),
    "E-WHEN": ("E-ORDER=dice-first", NO_EVENT),
    "E-RAISE-STUCK": (
        NO_EVENT,
        "E-PACIFY=automatic E-AGAIN=rises E-LIMIT=once", "E-PACIFY=automatic E-AGAIN=rises E-LIMIT=each-point",
        "E-PACIFY=free E-AGAIN=rises E-LIMIT=once", "E-PACIFY=free E-AGAIN=rises E-LIMIT=each-point",
        "E-PACIFY=automatic E-AGAIN=rises E-LIMIT=before-six", "E-PACIFY=free E-AGAIN=rises E-LIMIT=before-six",
    ),
    "E-LAST": ("E-LAST=drawn standard", "E-LAST=drawn expert"), "E-EMPEROR-TRAVEL": ("E-EMPEROR-WHEN=after",),
    "E-CRISIS": ("E-THREE=stop", "E-THREE=need"),
    "E-EXCHANGE": ("E-EXCHANGE=by-phase E-TRIBUNE=campaign",),
    "E-OVER": ("E-PACIFY=action E-PREFECT=action", "E-PACIFY=action E-PREFECT=found", "E-AGAIN=stays"),
    "E-LIMIT-DICE": ("E-LIMIT=lost", "E-LIMIT-DICE=open E-ELEVEN=open"),
    "E-SWAP": ("E-TRIBUNE=campaign", "E-INVASION-ORDER=tribune"), "E-FOURTH": ("E-TRIBUNE=campaign",),
    "E-INVASION-ORDER": ("E-TRIBUNE=campaign",),
    "E-START": ("E-MAP=printed", "corner E-CORNER-START=corner"),
    "E-DICTATOR-STAY": ("E-DICTATOR=must", "E-DICTATOR=there"), "E-LIMIT-ORDER": ("E-LIMIT=once",),
    "E-LIMIT-EVENT": (
        NO_EVENT, "E-ORDER=dice-first", "E-WHEN=after", "E-LIMIT=each-point", "E-LIMIT=before-six", "E-LIMIT=lost",
        "E-LIMIT-DICE=raised",
    ),
}  # fmt: skip


def read_rules(text: str, table: Map) -> Rules:
    """The rules with this text: ``standard``, ``expert+sphere?E-SPHERE=skip``, ``@`` and 24 cards."""
    match = LEVEL.fullmatch(text)
    if match is None or match[1] not in LEVELS:
        raise Unreadable(f"ruleset '{text[:60]}': expected a level, options, readings, cards")
    options = match[2].split("+")[1:]
    if options != [option for option in OPTIONS if option in options]:
        raise Unreadable(f"ruleset '{text[:60]}': expected options of {', '.join(OPTIONS)}, each once, in this order")
    if match[1] == "expert" and not options:
        raise Unreadable("the level expert has at least one option")
    readings = {name: values[0] for name, values in READINGS.items()}
    given = []
    for part in match[3].split(",") if match[3] else ():
        name, _, value = part.partition("=")
        if value not in READINGS.get(name, ())[1:]:
            raise Unreadable(f"reading '{part}': expected a name and a value that is not the usual one")
        readings[name] = value
        given.append(name)
    if given != sorted(set(given)):
        raise Unreadable("readings: expected each name once, in alphabetical order")
    cards = tuple(match[4][at : at + 2] for at in range(0, 48, 2)) if match[4] else ()
    known = {*(f"{name}={value}" for name, value in readings.items() if name != "E-MAP"), match[1], *options}
    known.add("E-MAP=dealt" if cards else "E-MAP=printed")
    for name in given:
        if name in ONLY_WITH and known.isdisjoint(ONLY_WITH[name].split()):
            raise Unreadable(f"reading {name} changes nothing without {ONLY_WITH[name]}")
        if any(known.issuperset(beside.split()) for beside in IDLE.get(name, ())):
            raise Unreadable(f"reading {name} changes nothing beside the others")
    if readings["E-MAP"] == "dealt" or (cards and len(set(cards)) != 24):
        raise Unreadable("a position has a map: the printed one, or each of the 24 cards after an @")
    border = readings["E-SPHERE"] if "sphere" in options else "flat"
    printed = [card for row in table.grid for card in row if card != "."]
    lies = dict(zip(printed, cards or printed, strict=True))
    is_corner = "corner" in options and readings["E-CORNER-START"] == "corner"
    places = table.corners if is_corner else (table.start,)
    by_card = readings["E-START"] == "card" and not is_corner
    names = [table.card(place) for place in places]
    starts = tuple(AT[name if by_card else lies[name]] for name in names)
    return Rules(text, match[1], frozenset(options), readings, table.adjacent(border, cards), starts)


def read_map(lines: Lines, tables: list[Map]) -> Map:
    """The map that a certificate names, if it is one of these."""
    name, _, digest = lines.field("board").partition(" ")
    for table in tables:
        if (table.id, table.whole_digest()) == (name, digest):
            return table
    raise lines.unreadable("this is not the map in the data file of the game; name its file with --board")


def read_start(lines: Lines, tables: list[Map]) -> "State":
    """The position of a certificate, on the map that it names."""
    table = read_map(lines, tables)
    try:
        return read_state(lines.field("position"), table)
    except Unreadable as error:
        raise lines.unreadable(str(error)) from None


def read_state(text: str, table: Map) -> State:
    """The position with this text."""
    words = text.split(" ")
    if len(words) < 8:
        raise Unreadable(f"a position has 8 fields or more, found {len(words)}")
    rules = read_rules(words[0], table)
    if words[1] not in (*ROLES, "none"):
        raise Unreadable(f"role '{words[1][:20]}'")
    regions = words[2].split("/")
    dice = re.fullmatch(r"([0-6]{4})/(-|O?C?E?B?)", words[3])
    tracks = re.fullmatch(r"([0-9]{1,2})/([0-9])", words[4])
    step = re.fullmatch(r"([a-z-]+)(?::(?:([1-4])|([OCEB][567SCR])))?", words[6])
    if len(regions) != 3 or dice is None or tracks is None or step is None or step[1] not in STEPS or not dice[2]:
        raise Unreadable("expected three regions, dice like 1241/E, tracks like 3/1 and a step")
    cubes = [0] * 96
    last = -1
    for part in words[5].split(".") if words[5] != "-" else ():
        match = re.fullmatch(r"([OCEB][567SCR]):((?:[OCEB][1-3]){1,4})", part)
        if match is None or AT[match[1]] <= last:
            raise Unreadable(f"cubes '{part[:30]}': expected regions in their order, each with tribes and numbers")
        last = AT[match[1]]
        suits = match[2][::2]
        if [*suits] != [suit for suit in SUITS if suit in suits]:
            raise Unreadable(f"cubes '{part}': expected tribes in their order, each once")
        for suit, number in zip(suits, match[2][1::2], strict=True):
            cubes[4 * last + SUITS.index(suit)] = int(number)
    state = State(
        rules,
        words[1],
        region(regions[0]),
        region(regions[1]),
        region(regions[2]),
        dice=tuple(map(int, dice[1])),
        pacified=tuple(suit in dice[2] for suit in SUITS),
        decline=int(tracks[1]),
        outbreaks=int(tracks[2]),
        cubes=tuple(cubes),
        step=step[1],
        left=int(step[2] or 0),
        card=region(step[3]) if step[3] else -1,
        out=frozenset(several(words[7])) if words[7] != "-" else frozenset(),
    )
    state = more(state, words[8:])
    if write_state(state) != text:
        raise Unreadable(f"the usual text of this position is '{write_state(state)}'")
    return state


def more(state: State, words: list[str]) -> State:
    """The position with the fields that only some have."""
    order = ("card", "hand", "protected", "quiet", "exchanged", "travels")
    names = [word.partition("=")[0] for word in words]
    if names != [name for name in order if name in names]:
        raise Unreadable(f"further fields: expected {', '.join(order)}, each once, in this order")
    for word in words:
        name, equals, value = word.partition("=")
        if bool(equals) != (name in order[:3]):
            raise Unreadable(f"further field '{word[:30]}'")
        if name == "card" and state.card < 0 and state.left:
            state = state._replace(card=region(value))
        elif name == "card":
            raise Unreadable("the card stands in the step where no number does")
        elif name == "hand":
            state = state._replace(hand=several(value))
        elif name == "protected":
            state = state._replace(protected=region(value))
        elif name == "quiet":
            state = state._replace(quiet=True)
        elif name == "exchanged":
            state = state._replace(exchanged=True)
        else:
            state = state._replace(travels=True)
    return state


def region(word: str) -> int:
    """The number of a region."""
    if word not in AT:
        raise Unreadable(f"'{word[:20]}' is no region")
    return AT[word]


def several(word: str) -> tuple[int, ...]:
    """Different regions between points."""
    found = tuple(region(part) for part in word.split("."))
    if len(set(found)) < len(found):
        raise Unreadable(f"'{word[:80]}': expected each card once")
    return found


def write_state(state: State) -> str:
    """The one line of a position."""
    rows = [
        (card, "".join(f"{SUITS[at]}{number}" for at, number in enumerate(state.cubes[4 * r : 4 * r + 4]) if number))
        for r, card in enumerate(CARDS)
    ]
    detail = str(state.left) if state.left else CARDS[state.card] if state.card >= 0 else ""
    words = [
        state.rules.text,
        state.role,
        "/".join(CARDS[r] for r in (state.pawn, state.start, state.last)),
        "".join(map(str, state.dice))
        + "/"
        + ("".join(s for s, p in zip(SUITS, state.pacified, strict=True) if p) or "-"),
        f"{state.decline}/{state.outbreaks}",
        ".".join(f"{card}:{row}" for card, row in rows if row) or "-",
        state.step + (f":{detail}" if detail else ""),
        ".".join(CARDS[r] for r in sorted(state.out)) or "-",
    ]
    words += [f"card={CARDS[state.card]}"] if state.left and state.card >= 0 else []
    words += ["hand=" + ".".join(CARDS[r] for r in state.hand)] if state.hand else []
    words += [f"protected={CARDS[state.protected]}"] if state.protected >= 0 else []
    return " ".join([*words, *(name for name in ("quiet", "exchanged", "travels") if getattr(state, name))])


def cannot_occur(state: State) -> str:
    """Why this is no position of the phase of actions of an open game; empty if it may be one."""
    if state.step != "act" or not state.left or state.card >= 0 or state.hand or state.protected >= 0:
        return "it is not in the phase of actions"
    if state.quiet or state.exchanged:
        return "the marks of later phases stand there"
    taken = 4 if state.rules.readings["E-DICTATOR-STAY"] == "free" else 4 - state.left
    if len(state.out) > (taken if state.role == "dictator" else 0):
        return "cards are out that nobody has drawn"
    if state.travels and (
        state.rules.readings["E-EMPEROR-TRAVEL"] == "alone" or state.role in ("none", "consul", "emperor")
    ):
        return "no card of the Emperor has brought a travel besides this role"
    return open_game(state)


def open_game(state: State) -> str:
    """Why cubes, tracks and dice are those of no open game; empty if they may be."""
    totals = [sum(state.cubes[at::4]) for at in range(4)]
    if max(totals) > 12:
        return "a tribe has more than twelve cubes"
    if not 1 <= state.decline < state.rules.last_decline or not 1 <= state.outbreaks <= 3:
        return "a track stands where the game has not begun, or is lost"
    if all(state.pacified) and not may_go_on(state):
        return "the game is won"
    for at in range(4):
        gone = state.dice[at] == 0
        if gone and (state.rules.level != "introductory" or not state.pacified[at] or totals[at]):
            return "a die is put away of a tribe that is not eradicated"
        if state.dice[at] == 6 and state.rules.readings["E-PACIFY"] != "action":
            return "a die stands at 6"
        if trouble := by_readings(state, at, is_bare=not totals[at]):
            return trouble
    if state.start not in state.rules.starts:
        return "the pawn has not begun there"
    if too_many(state):
        return f"the dice have {too_many(state)} points above the limit"
    return ""


def by_readings(state: State, suit: int, *, is_bare: bool) -> str:
    """Why a die cannot stand where it does by values of readings; empty if it can. `is_bare`: no cube of the tribe is there."""
    readings, die, pacified = state.rules.readings, state.dice[suit], state.pacified[suit]
    if readings["E-AGAIN"] == "stays" and pacified and die > 1:
        return "the die of a pacified tribe has risen"
    is_looked_at = readings["E-ERADICATE"] == "always" and readings["E-CIVIL"] != "die"
    if is_looked_at and pacified and is_bare and die and state.rules.level == "introductory":
        return "a tribe is pacified and has no cube, and its die is not put away"
    # The role has pacified at 5; as `found` it does so before the first point of his turn alone
    until_points = readings["E-PREFECT"] == "found" and state.step in ("act", "exchange")
    if state.role == "prefect" and die >= 5 and (until_points or readings["E-PREFECT"] == "standing"):
        return "a die stands at 5 that the Prefect's role has pacified"
    return ""


def may_go_on(state: State) -> bool:
    """Whether a game in which all tribes are pacified is not over yet: to the end of the turn, or of the actions that did it."""
    readings = state.rules.readings
    if readings["E-WIN"] == "turn":
        return True
    rides = 0 if readings["E-DICTATOR-STAY"] == "free" else len(state.out)
    may_pacify = state.role == "prefect" or readings["E-PACIFY"] != "automatic"
    return (
        readings["E-WIN"] == "phase"
        and state.step == "act"
        and 4 - state.left > rides
        and may_pacify
        and min(state.dice) <= 1
    )


def too_many(state: State) -> int:
    """The points above eleven that must be taken off."""
    if state.rules.level == "introductory":
        return 0
    counted = [
        die for die, over in zip(state.dice, state.pacified, strict=True)
        if state.rules.readings["E-ELEVEN"] == "four" or not over
    ]  # fmt: skip
    return max(0, sum(counted) - 11)
