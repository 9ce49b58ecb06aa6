"""The positions that are enumerated for the smallest one in which two values of a reading differ.

The *size* of a position is the number of its pieces: the pawn, cubes on the map, points of the dice above 1, white cubes of
pacified tribes, and cubes of both tracks beyond the first. A *table* has all pieces but the pawn; what else a position has, its
step and its cards, is its *situation*. Situations are those of the second turn and later: the first has 15 pieces at least, since
nine cards of a set-up put 18 cubes and its four actions remove one each; its event can remove one more, and then its campaign puts
three points. An invasion has 4 pieces at least: each suit of its campaign has left a point or a white cube, and two cards of one
suit a cube of the decline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb

from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.numbers import MOST_IN_REGION
from tetrasolve.finem.position import Position, Step, in_order
from tetrasolve.finem.ruleset import ROLES, Ruleset
from tetrasolve.finem.status.turn import EVENT_RANKS
from tetrasolve.finem.tracks import invasion_cards

DOMAIN = (
    "positions of the second turn and later, at each step but the Dictator's draw and choices that other values alone have; "
    "hands of the lowest cards of each way to have suits; one card for each event; E5 last invaded; the pawn on C7, and before an "
    "action of the Consul on each region; roles where they matter to the step; three campaigns before an exchange in the invasion"
)

# -- tables: sorted numbers of slots, one for each piece ------------------------------------------------------------------

CUBES, DICE, WHITE, DECLINE, OUTBREAKS = 0, 96, 100, 104, 105  # the first slot of each kind
SLOTS = 106
LEAST = 2  # pieces of any position of the domain: the pawn, and a white cube where there are no three points
MOST = (*(MOST_IN_REGION,) * DICE, *(4,) * len(TRIBES), *(1,) * len(TRIBES), 10, 2)  # pieces that a slot can have

Table = tuple[int, ...]
LISTED = 1_000_000  # tables of one seed that are listed at most


def cube(region: str, tribe: str) -> int:
    """The slot of the cubes of a tribe in a region."""
    return CUBES + len(TRIBES) * NUMBER[region] + TRIBES.index(tribe)


@lru_cache(maxsize=8)
def tables(size: int, seeds: frozenset[Table]) -> tuple[Table, ...]:
    """All tables of positions of a size that have the pieces of at least one of the seeds, in their order.

    >>> len(tables(2, frozenset({()}))), tables(3, frozenset({(WHITE,), (DECLINE, DECLINE)}))[-1]
    (106, (104, 104))
    """
    found = set()
    for seed in seeds:
        if len(seed) < size:
            for rest in combinations_with_replacement(range(SLOTS), size - 1 - len(seed)):
                table = tuple(sorted((*seed, *rest)))
                if can_be(table):
                    found.add(table)
    return tuple(sorted(found))


def can_be(table: Table) -> bool:
    """Whether no slot has more pieces than it can."""
    return all(table.count(slot) <= MOST[slot] for slot in {*table})


def joined(one: Table, other: Table) -> Table:
    """The fewest pieces among which are those of both tables.

    >>> joined((DICE, DICE), (DICE, DECLINE))
    (96, 96, 104)
    """
    return tuple(slot for slot in sorted({*one, *other}) for _ in range(max(one.count(slot), other.count(slot))))


# -- situations -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Situation:
    """What a position has beside its pieces.

    `drawn`: cards of the invasion drawn so far. `cards`: how many cards invade; tables with another number are left out.
    """

    step: Step
    role: str = "consul"
    left: int = 0
    card: str | None = None
    hand: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    protected: str | None = None
    pawn: str | None = None
    drawn: int | None = None
    cards: int | None = None


EXCHANGED = (("O6", "O7", "OS"), ("O6", "O7", "C6"), ("O6", "C6", "E6"))  # campaigns before an exchange in the invasion
EVENTS = (Step.TRAVEL, Step.RESIST, Step.RAISE, Step.PROTECT, Step.CIVIL_WAR)


def situations(ruleset: Ruleset) -> Iterator[Situation]:
    """All situations of the domain."""
    for role in ROLES:
        for left in (4, 1):
            yield Situation(Step.ACT, role, left)
    for pawn in REGIONS:
        yield Situation(Step.ACT, "consul", 4, pawn=pawn)
    for card in ("C5", "E5", "E7"):
        yield Situation(Step.RIDE, "dictator", 2, card=card, out=(card,))
    for hand in hands(2):
        for role in ("consul", "prefect", "tribune"):
            yield Situation(Step.DRAW, role, hand=hand, out=hand)
    for hand in hands(3) if ruleset.readings["E-TRIBUNE"] != "invasion" else ():
        yield Situation(Step.EXCHANGE, "tribune", hand=hand, out=hand)
    yield from _of_events(ruleset)
    yield from _of_points(ruleset)
    yield from _of_invasions(ruleset)
    yield Situation(Step.ROLE)
    yield Situation(Step.APPOINT, "emperor")


def hands(number: int, ranks: str = "567") -> Iterator[tuple[str, ...]]:
    """Hands of each multiset of suits, with the first of these ranks.

    >>> len([*hands(3)]), next(hands(2))
    (20, ('O5', 'O6'))
    """
    for suits in combinations_with_replacement(TRIBES, number):
        yield tuple(suit + ranks[suits[:at].count(suit)] for at, suit in enumerate(suits))


def _is_event(ruleset: Ruleset, hand: Sequence[str]) -> bool:
    return len({card[0] for card in hand}) == len(hand) and ruleset.readings["E-EVENT"] == "three-suits"


def _beside(hand: Collection[str], rank: str) -> str:
    """The first card of a rank that is not in a hand."""
    return next(tribe + rank for tribe in TRIBES if tribe + rank not in hand)


def _of_events(ruleset: Ruleset) -> Iterator[Situation]:
    for hand in hands(3):
        if _is_event(ruleset, hand):
            yield Situation(Step.EVENT, hand=hand, out=hand)
            for step in EVENTS:
                for role in ("consul", "prefect") if step is Step.RAISE else ("consul",):
                    yield Situation(step, role, hand=hand, out=(*hand, _beside(hand, EVENT_RANKS[step])))
        elif len({card[0] for card in hand}) < len(hand):
            yield Situation(Step.CRISIS, hand=hand, out=hand)


def _of_points(ruleset: Ruleset) -> Iterator[Situation]:
    """Points above the limit, after the event of a sota or after the dice have risen."""
    lefts = range(1 if ruleset.readings["E-LIMIT"] == "once" else 3)
    for hand in hands(3):
        out = (*hand, _beside(hand, "5")) if _is_event(ruleset, hand) else hand
        for left in lefts:
            yield Situation(Step.DISCARD, left=left, hand=hand, out=out)
        if _is_event(ruleset, hand):
            yield Situation(Step.DISCARD_EVENT, hand=hand, out=(*hand, _beside(hand, EVENT_RANKS[Step.DISCARD_EVENT])))


def _of_invasions(ruleset: Ruleset) -> Iterator[Situation]:
    collects = ruleset.readings["E-TRIBUNE"] != "campaign"
    for campaign in hands(3, "67S"):
        for card, protected in ((_beside(campaign, "5"), None), (_beside(campaign, "C"), "E7")):
            is_event = _is_event(ruleset, campaign)
            if not is_event and protected is not None:
                continue
            out = (*campaign, card) if is_event else campaign
            yield Situation(Step.INVADE, out=out, protected=protected, drawn=0)
            yield Situation(Step.INVADE, out=(*out, "E5"), protected=protected, drawn=1)
            yield Situation(Step.INVADE, "tribune", out=out, protected=protected, drawn=0)
            if collects and protected is None and campaign in EXCHANGED:
                yield from _of_exchanges(out)


def _of_exchanges(out: tuple[str, ...]) -> Iterator[Situation]:
    """The Tribune's exchange in the invasion: its cards in two orders."""
    for number in (2, 3, 4):
        for hand in hands(number, "RC5S"):
            if not {*hand} & {*out}:
                for cards in dict.fromkeys((hand, hand[::-1])):
                    yield Situation(Step.SWAP, "tribune", hand=cards, out=(*out, *hand), cards=number)


# -- positions ------------------------------------------------------------------------------------------------------------


def positions(
    ruleset: Ruleset, size: int, seeds: frozenset[Table], steps: Collection[Step] | None = None
) -> Iterator[Position]:
    """All positions of the domain of a size that have the pieces of a seed, at these steps or all.

    An eradicated tribe's die is put away or not, where the level knows that.
    """
    for situation in situations(ruleset):
        if steps is None or situation.step in steps:
            for table in tables(size, seeds):
                for gone in _put_away(ruleset, table):
                    position = placed(ruleset, situation, table, gone)
                    if position is not None:
                        yield position


def number_of(ruleset: Ruleset, size: int, seeds: frozenset[Table], steps: Collection[Step] | None = None) -> int:
    """About how many these are: situations times tables; a rough number, of one seed, where there are too many."""
    chosen = [situation for situation in situations(ruleset) if steps is None or situation.step in steps]
    rests = (comb(SLOTS + size - 2 - len(seed), size - 1 - len(seed)) for seed in seeds if len(seed) < size)
    largest = max(rests, default=0)
    if largest > LISTED:
        return len(chosen) * largest
    by_cards = Counter(invasion_cards(ruleset, 1 + table.count(DECLINE)) for table in tables(size, seeds))
    return sum(by_cards.total() if one.cards is None else by_cards[one.cards] for one in chosen)


def _put_away(ruleset: Ruleset, table: Table) -> Iterable[tuple[int, ...]]:
    if not ruleset.is_introductory:
        return ((),)
    may_be = [
        at
        for at in range(len(TRIBES))
        if WHITE + at in table and DICE + at not in table and not any(slot < DICE and slot % 4 == at for slot in table)
    ]
    return [some for number in range(len(may_be) + 1) for some in combinations(may_be, number)]


def placed(ruleset: Ruleset, situation: Situation, table: Table, gone: tuple[int, ...] = ()) -> Position | None:
    """The position of a situation and a table, the dice of some tribes put away; None where they do not go together."""
    start = ruleset.layout.start if "corner" not in ruleset.options else ruleset.layout.corners[0]
    cubes = [[0, 0, 0, 0] for _ in REGIONS]
    dice, white, tracks = [1, 1, 1, 1], [], [1, 1]
    for slot in table:
        if slot < DICE:
            cubes[slot // 4][slot % 4] += 1
        elif slot < WHITE:
            dice[slot - DICE] += 1
        elif slot < DECLINE:
            white.append(TRIBES[slot - WHITE])
        else:
            tracks[slot - DECLINE] += 1
    for at in gone:
        dice[at] = 0
    left, cards = situation.left, invasion_cards(ruleset, tracks[0])
    if situation.drawn is not None:
        left = cards - situation.drawn
    if situation.cards not in (None, cards):
        return None
    hand = situation.hand if situation.step is Step.SWAP else tuple(in_order(situation.hand))
    return Position(
        ruleset=ruleset,
        role=situation.role,
        pawn=situation.pawn or start,
        start=start,
        last="E5",
        cubes=tuple((row[0], row[1], row[2], row[3]) for row in cubes),
        dice=(dice[0], dice[1], dice[2], dice[3]),
        pacified=frozenset(white),
        decline=tracks[0],
        outbreaks=tracks[1],
        step=situation.step,
        left=left,
        card=situation.card,
        hand=hand,
        out=frozenset(situation.out),
        protected=situation.protected,
    )


def table_of(position: Position) -> Table:
    """The pieces of a position but the pawn."""
    cubes = [
        CUBES + 4 * at + tribe for at, row in enumerate(position.cubes) for tribe in range(4) for _ in range(row[tribe])
    ]
    dice = [DICE + at for at, die in enumerate(position.dice) for _ in range(die - 1)]
    white = [WHITE + at for at, tribe in enumerate(TRIBES) if tribe in position.pacified]
    tracks = [DECLINE] * (position.decline - 1) + [OUTBREAKS] * (position.outbreaks - 1)
    return (*cubes, *dice, *white, *tracks)


def size_of(position: Position) -> int:
    """The pieces of a position, the pawn among them."""
    return 1 + len(table_of(position))
