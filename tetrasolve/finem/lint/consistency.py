"""Whether the rules are consistent: each claim proved, refuted with a trace, or unknown with what was searched.

=============== ==========================================================================================
claim           what it says
=============== ==========================================================================================
``cards``       every card has a defined effect at every step at which one is drawn, and every face of a die pays
``supply``      no reserve is ever negative, no region and no die has more than there is, no track goes back
``way-on``      in no position the game is stuck: something can come, or be decided
``ends``        the game ends with probability 1, whatever the player does, with a bound on its turns
``won``         the game can be won from every start
``lost``        the game can be lost from every start
``in-play``     every rule applies in some game, or with a reading that is named
=============== ==========================================================================================

They are looked at with the defaults and with each other value of each reading. The positions searched are those of games at random.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb
from random import Random

from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.deadline import is_over, stop_of
from tetrasolve.finem import numbers, rules
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.lint.inplay import PLAYERS, RULES, profile
from tetrasolve.finem.lint.kindcards import won_from_every_start
from tetrasolve.finem.lint.pairs import INTRODUCTORY, STANDARD, pairs, rulesets_of
from tetrasolve.finem.position import Position, Result, State, Step, in_order
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.lint.verdicts import Status, Verdict
from tetrasolve.stop import Stop

GAMES = 2  # at random, of each ruleset that is searched
EVERY = 7  # of their positions one in so many is searched
LISTED = 8  # rules that were not found, in a verdict
PLAYED = 40  # games of each table and policy in which rules are looked for
CARDS = REGIONS  # of which each is drawn at each step
LIMITS = (
    *product(("four", "open"), ("once", "each-point"), ("any", "raised"), ("automatic", "action")),
)  # readings of the limit
MOST_OPTIONS = 24  # of a position that are tried: all but of events with many
CLAIMS = {
    "cards": "every card has a defined effect at every step at which one is drawn, and every face of a die pays",
    "supply": "no reserve is ever negative, no region and no die has more than there is, and no track goes back",
    "way-on": "in no position the game is stuck",
    "ends": "the game ends with probability 1, whatever the player does",
    "won": "the game can be won from every start",
    "lost": "the game can be lost from every start",
    "in-play": "every rule applies in some game, or with a reading that is named",
}
LOST_FACTS = ("first-turn/lost",)
PLAY_FACTS = (
    "decline-soonest/crisis",
    "pacify-action/introductory-automatic",
    "pacify-action/standard-automatic",
    "limit/standard-automatic",
)
# Rules that the defaults never show, and a ruleset in which they apply
ELSEWHERE = {
    "step swap": "standard?E-TRIBUNE=invasion",
    "step choose": "standard?E-THREE=either",
    "step order": "standard?E-INVASION-ORDER=tribune,E-TRIBUNE=invasion",
    "returned": "introductory?E-CIVIL=return",
}


class _RefutedError(Exception):
    """A claim does not hold: in this position, after this."""

    def __init__(self, problem: str, position: Position | None = None, then: str = "") -> None:
        super().__init__(problem)
        self.position, self.then = position, then


def check_consistency(
    *, games: int = GAMES, every: int = EVERY, seconds: float | None = None, cancel: Stop | None = None
) -> tuple[Verdict, ...]:
    """The verdict on each claim; of the positions of so many games of each ruleset each `every`-th is searched.

    After `seconds`, or when `cancel` is set, what was searched until then counts.
    """
    stop = stop_of(seconds, cancel)
    searched = _Search(stop)
    searched.games(rulesets(), games, every)
    return (
        _checked("cards", _cards(stop), searched.refuted.get("cards"), stop),
        searched.supply(),
        _checked("way-on", _discards(stop), searched.refuted.get("way-on"), stop),
        _ends(searched),
        _won(stop),
        Verdict(
            "lost", CLAIMS["lost"], Status.PROVED,
            "a fact with a certificate: the player passes, and some cards of the first turn bring three outbreaks", LOST_FACTS,
        ),
        _in_play(stop),
    )  # fmt: skip


def rulesets() -> tuple[Ruleset, ...]:
    """The levels, an expert's game with all options, and each other value of each reading; maps that are dealt are laid out."""
    found = [Ruleset.from_text(text) for text in (INTRODUCTORY, STANDARD, "expert+corner+sphere+cap3")]
    for pair in pairs():
        found += [rulesets_of(pair, level)[1].dealt(Random(pair.id)) for level in (STANDARD, INTRODUCTORY)]
    return tuple(dict.fromkeys(found))


# -- cards, faces, discards ----------------------------------------------------------------------------------------------


def _cards(stop: Stop | None) -> Iterator[str]:
    """Each card at each step that draws one: what it does depends on its region, the regions beside it, and its tribe."""
    for ruleset in rulesets():
        for card in CARDS:
            if is_over(stop):
                return
            for position in _card_cases(ruleset, card):
                _defined(position, card)
                yield "cards, of regions with each number of cubes, alone and among full ones, and of tribes with each die"


def _card_cases(ruleset: Ruleset, card: str) -> Iterator[Position]:
    tribe, layout = card[0], ruleset.layout
    start = layout.corners[0] if "corner" in ruleset.options else layout.start
    blank = Position(
        ruleset,
        "consul",
        start,
        start,
        REGIONS[0],
        ((0, 0, 0, 0),) * len(REGIONS),
        (1, 1, 1, 1),
        frozenset(),
        3,
        1,
        Step.DRAW,
    )
    for own, full in product(range(numbers.MOST_IN_REGION + 1), (False, True)):
        position = blank.with_count(card, tribe, own)
        for near in layout.neighbours[card] if full else ():
            position = position.with_count(near, tribe, numbers.MOST_IN_REGION)
        if position.on_map(tribe) > numbers.CUBES:
            continue
        for step in (Step.CRISIS, Step.EVENT, Step.CIVIL_WAR, Step.INVADE):
            yield position.replace(
                step=step, left=1 if step is Step.INVADE else 0, hand=_any_hand(card), out=frozenset(_any_hand(card))
            )
    yield blank.replace(step=Step.DICTATOR, role="dictator", left=1)
    top = numbers.PACIFIED_AT + (ruleset.readings["E-PACIFY"] == "action")
    for die, is_pacified in product(range(1, top), (False, True)):
        raised = blank.with_die(tribe, die).replace(pacified=frozenset({tribe} if is_pacified else ()))
        yield raised.replace(hand=_two(card), out=frozenset(_two(card)))
    if ruleset.is_introductory:
        gone = blank.with_die(tribe, 0).replace(pacified=frozenset({tribe}))
        for step in (Step.CRISIS, Step.CIVIL_WAR, Step.INVADE):
            yield gone.replace(
                step=step, left=1 if step is Step.INVADE else 0, hand=_any_hand(card), out=frozenset(_any_hand(card))
            )


def _any_hand(card: str) -> tuple[str, ...]:
    """Three cards of a campaign beside a card."""
    return tuple(in_order([region for region in REGIONS if region[1] != card[1]][:3]))


def _two(card: str) -> tuple[str, ...]:
    """Two cards of a suit that are drawn before a card."""
    return tuple(region for region in REGIONS if region[0] == card[0] and region != card)[:2]


def _defined(position: Position, card: str) -> State:
    """What a card does.

    :raises _RefutedError: when the rules say nothing, or something that cannot be.
    """
    try:
        after = rules.take(position, card)
    except Exception as error:  # a defect of the rules can raise anything
        raise _RefutedError(_named(error), position, card) from error
    if problem := supply_problem(position, after):
        raise _RefutedError(problem, position, card)
    return after


def _named(error: Exception) -> str:
    return str(error) if isinstance(error, TetrasolveError) else f"{type(error).__name__}: {error}"


def _discards(stop: Stop | None) -> Iterator[str]:
    """Every way to come to dice above the limit: something can be taken off. Suits are alike, so the dice are in order."""
    for eleven, limit, dice_of, pacify in LIMITS:
        readings = [
            ("E-ELEVEN", eleven),
            ("E-LIMIT", limit),
            ("E-LIMIT-DICE", dice_of),
            ("E-PACIFY", pacify),
            ("E-EVENT", "never"),
        ]
        ruleset = Ruleset(STANDARD).with_readings(readings)
        top = numbers.PACIFIED_AT + (pacify == "action")
        for dice in combinations_with_replacement(range(1, top), len(TRIBES)):
            for over in (combinations(TRIBES, number) for number in range(len(TRIBES) if eleven == "open" else 1)):
                if is_over(stop):
                    return
                for pacified in over:
                    yield from _discarding(ruleset, dice, frozenset(pacified))


def _discarding(ruleset: Ruleset, dice: tuple[int, ...], pacified: frozenset[str]) -> Iterator[str]:
    start = ruleset.layout.start
    o, c, e, b = dice
    before = Position(
        ruleset,
        "consul",
        start,
        start,
        REGIONS[0],
        ((0, 0, 0, 0),) * len(REGIONS),
        (o, c, e, b),
        pacified,
        1,
        1,
        Step.DRAW,
    )
    if before.points > numbers.MOST_POINTS:
        return
    for suits in combinations_with_replacement(TRIBES, numbers.CAMPAIGN_CARDS):
        cards = [suit + "567"[suits[:at].count(suit)] for at, suit in enumerate(suits)]
        state = rules.take(before.replace(hand=tuple(cards[:2]), out=frozenset(cards[:2])), cards[2])
        while isinstance(state, Position) and state.step is Step.DISCARD:
            found = rules.node(state).options
            if not found:
                raise _RefutedError("points are above the limit, and none can be taken off", state)
            yield "campaigns with each three suits at each dice"
            state = rules.take(state, found[0])


def _checked(claim: str, cases: Iterator[str], refuted: Verdict | None, stop: Stop | None) -> Verdict:
    """A claim that is proved by enumeration, unless the time runs out."""
    count, what = 0, ""
    try:
        for count, what in enumerate(cases, start=1):  # noqa: B007  # the last of each is said
            pass
    except _RefutedError as error:
        trace = () if error.position is None else (str(error.position),)
        return Verdict(claim, CLAIMS[claim], Status.REFUTED, str(error), (), trace, error.then)
    if refuted is not None:
        return refuted
    if is_over(stop):
        return Verdict(claim, CLAIMS[claim], Status.UNKNOWN, f"the time ran out after {count:,} cases")
    return Verdict(
        claim,
        CLAIMS[claim],
        Status.PROVED,
        f"enumeration: {count:,} cases: {what}{_REST.get(claim, '')}",
        _CITED.get(claim, ()),
    )


_CITED = {"way-on": ("deck",)}
_REST = {
    "way-on": (
        "; at the other steps: to pass is always legal; the deck never runs out; a step of an event is entered only where there is "
        "something to choose; each rank has three other regions"
    )
}


# -- positions of games --------------------------------------------------------------------------------------------------


class _Search:
    """What follows from positions of games at random."""

    def __init__(self, stop: Stop | None) -> None:
        self._stop = stop
        self.refuted: dict[str, Verdict] = {}
        self.played = self.positions = self.made = self.rulesets = 0

    def games(self, chosen: Iterable[Ruleset], count: int, every: int) -> None:
        """Search positions of so many games of each ruleset."""
        for ruleset in chosen:
            self.rulesets += 1
            for seed in range(count):
                if is_over(self._stop):
                    return
                self._game(ruleset, seed, every)

    def _game(self, ruleset: Ruleset, seed: int, every: int) -> None:
        random, number = Random(f"{ruleset} {seed}"), 0
        state = rules.random_set_up(ruleset, seed)
        self.played += 1
        while isinstance(state, Position) and not is_over(self._stop):
            options = rules.node(state).options
            if not options:
                self._refute("way-on", "nothing can come, and nothing can be decided", state, "")
                return
            if number % every == 0:
                self.positions += 1
                few = options if len(options) <= MOST_OPTIONS else random.sample(options, MOST_OPTIONS)
                for option in few:
                    self._tried(state, option)
            number += 1
            following = self._tried(state, random.choice(options))
            if following is None:
                return
            state = following

    def _tried(self, position: Position, option: str) -> State | None:
        try:
            after = rules.take(position, option)
        except Exception as error:  # noqa: BLE001  # a defect of the rules can raise anything
            self._refute("cards", _named(error), position, option)
            return None
        self.made += 1
        if problem := supply_problem(position, after):
            self._refute("supply", problem, position, option)
        if isinstance(after, Position) and not rules.node(after).options:
            self._refute("way-on", "nothing can come, and nothing can be decided", after, "")
        return after

    def _refute(self, claim: str, problem: str, position: Position, then: str) -> None:
        verdict = Verdict(claim, CLAIMS[claim], Status.REFUTED, problem, (), (str(position),), then)
        self.refuted.setdefault(claim, verdict)

    def supply(self) -> Verdict:
        """The verdict on supplies: what was searched is no proof."""
        if "supply" in self.refuted:
            return self.refuted["supply"]
        how = (
            f"nothing was found in {self.positions:,} positions of {self.played} games at random under {self.rulesets} rulesets, "
            f"and {self.made:,} that one card or decision makes of them"
        )
        return Verdict("supply", CLAIMS["supply"], Status.UNKNOWN, how)


def supply_problem(before: Position, after: State) -> str:
    """Which reserve is negative, what has too much, or which track went back; the empty text where all is well."""
    if isinstance(after, Result):
        return ""
    for tribe in TRIBES:
        if after.on_map(tribe) > numbers.CUBES:
            return f"{after.on_map(tribe)} cubes of {tribe} on the map, there are {numbers.CUBES}"
        if not 0 <= after.die(tribe) <= numbers.PACIFIED_AT:
            return f"the die of {tribe} shows {after.die(tribe)}"
    if any(not 0 <= count <= numbers.MOST_IN_REGION for row in after.cubes for count in row):
        return f"more than {numbers.MOST_IN_REGION} cubes of a tribe in a region"
    if not before.decline <= after.decline < after.ruleset.most_decline:
        return f"the decline goes from {before.decline} to {after.decline}"
    if not before.outbreaks <= after.outbreaks < numbers.MOST_OUTBREAKS:
        return f"outbreaks go from {before.outbreaks} to {after.outbreaks}"
    if not before.pacified <= after.pacified:
        return "a tribe that was pacified is so no longer"
    begins_turn = after.step in (Step.ROLE, Step.APPOINT, Step.ACT)
    return "" if before.out <= after.out or begins_turn else "a card came back into the deck"


# -- the end ---------------------------------------------------------------------------------------------------------------


def least_chance_of_three() -> Fraction:
    """The least chance of three cards of a suit in a campaign, with at most four cards out that a Dictator drew.

    >>> least_chance_of_three()
    Fraction(2, 57)
    """
    chances = []
    a_suit = len(REGIONS) // len(TRIBES)
    for gone in product(range(numbers.ACTIONS + 1), repeat=len(TRIBES)):
        if sum(gone) <= numbers.ACTIONS:
            cards = len(REGIONS) - sum(gone)
            three = sum(comb(a_suit - number, numbers.CAMPAIGN_CARDS) for number in gone)
            chances.append(Fraction(three, comb(cards, numbers.CAMPAIGN_CARDS)))
    return min(chances)


def _ends(searched: _Search) -> Verdict:
    """Whatever the player does, three cards of a suit move the decline, also after a Tribune's exchange; it never goes back."""
    if "supply" in searched.refuted:
        return Verdict(
            "ends", CLAIMS["ends"], Status.UNKNOWN, "it follows from tracks that never go back, and one does"
        )
    chance = least_chance_of_three()
    steps = max(ruleset.most_decline for ruleset in rulesets()) - numbers.FIRST_DECLINE
    how = (
        f"the decline never goes back, and loses after at most {steps} steps; in each turn it moves with chance {chance} at least: "
        "three cards of a suit come whatever the player has done, and a Tribune who exchanges one still has two; so a game lasts "
        f"at most {float(steps / chance):.0f} turns in the mean (not shown for E-GONE-SUITS=ignored, where cards may not count)"
    )
    return Verdict("ends", CLAIMS["ends"], Status.PROVED, how)


def _won(stop: Stop | None) -> Verdict:
    """By a game in which no cube is put on the map (`tetrasolve.finem.lint.kindcards`)."""
    shown, left = 0, []
    for ruleset in rulesets():
        if is_over(stop):
            return Verdict("won", CLAIMS["won"], Status.UNKNOWN, f"the time ran out after {shown} rulesets")
        if won_from_every_start(ruleset):
            shown += 1
        else:
            left.append(str(ruleset))
    how = f"with kind cards, with which no cube is put on the map, under {shown} rulesets"
    how += f"; not shown for {', '.join(left)}" if left else ""
    return Verdict("won", CLAIMS["won"], Status.PROVED if shown else Status.UNKNOWN, how)


# -- rules in play -----------------------------------------------------------------------------------------------------


def _in_play(stop: Stop | None) -> Verdict:
    """Rules that apply in games, and those that never do, with the reading that brings them."""
    found: set[str] = set()
    played = 0
    for policy, table in product(PLAYERS, (INTRODUCTORY, STANDARD)):
        one = profile(table, PLAYED, policy=policy, stop=stop)
        found |= one.in_games.keys()
        played += one.games
    never = [rule for rule in RULES if rule not in found]
    brought = []
    for rule, table in ELSEWHERE.items():
        games = (profile(table, PLAYED * 3, policy=policy, stop=stop) for policy in PLAYERS)
        if rule in never and any(rule in one.in_games for one in games):
            never.remove(rule)
            brought.append(f"{rule} with {table}")
    if "end lost: decline" in never:  # the fact says how soon
        never.remove("end lost: decline")
    how = f"{len(RULES) - len(never) - len(brought)} of {len(RULES)} rules apply in {played} games"
    how += f"; only elsewhere: {', '.join(brought)}" if brought else ""
    how += f"; not found: {_first(never)}" if never else ""
    status = Status.UNKNOWN if never or is_over(stop) else Status.PROVED
    return Verdict("in-play", CLAIMS["in-play"], status, how, PLAY_FACTS)


def _first(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")
