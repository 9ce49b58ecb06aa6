"""The smallest positions in which two values of a reading differ.

The *size* of a position is the number of its pieces: the pawn, cubes on the map, points of the dice above 1, white cubes of
pacified tribes, and cubes of both tracks beyond the first. All positions up to a size are enumerated, in the domain of `DOMAIN`,
and the kernel is asked under both values what comes of each card, or of all decisions together, or the reference rules where only
they play a value. Results are compared: another name for what leads to the same position, or of a loss, is no difference.

Where none differs, positions of games are searched, played by the greedy policy with some decisions at random, and one that differs
is made smaller piece by piece; then the smallest size lies in an interval. A position that is reported can occur under both values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from random import Random
from typing import Any

from tetrasolve.exact.deadline import check, stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, position_of, state_of
from tetrasolve.finem.kernel import Kernel, State
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.lint.pairs import INTRODUCTORY, STANDARD, Pair, digest, pairs, rulesets_of
from tetrasolve.finem.lint.played import CHANCE, decide, distances
from tetrasolve.finem.numbers import MOST_IN_REGION
from tetrasolve.finem.position import Phase, Position, Result, Step, in_order
from tetrasolve.finem.ruleset import ROLES, Ruleset
from tetrasolve.lint.findings import Certainty, Finding, Report, Searched, Shown
from tetrasolve.lint.witness import shrunk
from tetrasolve.stop import Stop, Stopped

DOMAIN = (
    "positions at each step, the pawn on C7, E5 last invaded, no card out but those in hand; hands of the lowest cards of each "
    "way to have suits; roles where they matter to the step"
)
SIZE = 2  # pieces of the positions that are enumerated, the pawn among them
DRAWN = 30_000  # positions of random games that are searched
DRAWN_BY_REFERENCE = 3_000  # where the reference rules compare them, which takes milliseconds
SET_UPS = {
    "E-MAP": "the cards of the map lie in another order",
    "E-SETUP": "twelve regions have cubes instead of nine",
    "E-SETUP=nine/three-three-six": "twelve regions have cubes instead of nine, the last six of them one each",
    "E-START": "the pawn begins on the card C7, wherever it lies",
    "E-FIRST-LAST": "the region of the start stands in the place of that of the last card",
    "E-CORNER-START": "the region of the start is still that of the table, whichever corner the pawn begins in",
    "E-FULL": "a set-up that needs a thirteenth cube is lost, with chance 73/33649, instead of drawn again",
    "E-FULL=again/card": "of a set-up that needs a thirteenth cube, with chance 73/33649, one card is drawn again instead of all",
}
LOST = "lost"  # how every loss begins
# Readings that change no game but the name of a loss; they are compared by that name
NAMES_ALONE = frozenset(
    {"E-WAR-ORDER"}
)  # no region of a civil war undoes what another one brings: each is of its own tribe
SHOWN = 4  # differences that are listed
# Positions by hand that differ, from which smaller ones are looked for: games come to such ones too seldom
KNOWN = {
    "E-CIVIL=skip/die": "introductory magister C7/C7/E5 0221/O 4/1 C5:C2.E5:E2.B7:B1 civil-war C5.E6.ER.B6 hand=C5.E6.B6",
    "E-PREFECT=action/found": "standard magister C7/C7/E5 5111/- 1/1 E5:E3 role -",
    "E-FOURTH=any/first-three": (
        "standard?E-TRIBUNE=invasion tribune C7/C7/E5 3211/E 10/1 - swap O5.O7.C6.B5.B6.B7.BS hand=B5.B6.B7.BS"
    ),
    "E-LIMIT-ORDER=suits/drawn": "standard?E-LIMIT=each-point consul C7/C7/E5 5311/E 1/1 - draw C5.C6 hand=C5.C6",
    "E-LIMIT-ORDER=suits/chosen": "standard?E-LIMIT=each-point consul C7/C7/E5 5311/E 1/1 - draw C5.C6 hand=C5.C6",
    "E-THREE=crisis/either": "standard consul C7/C7/E5 1111/B 2/1 - draw O5.O6 hand=O5.O6",
    "E-CHAIN-FIRST=once/again": "standard consul C7/C7/E5 3211/B 2/1 E7:E3.ES:E3 invade:2 O5.O6.C6",
    "E-LIMIT=once/before-six": "standard consul C7/C7/E5 3421/- 1/1 - draw C5.E5 hand=C5.E5",
    "E-WIN=at-once/turn": "standard prefect C7/C7/E5 5111/CEB 1/1 - act:1 -",
    "E-FILL=missing/three": "standard consul ES/C7/B6 1123/- 3/1 B5:B3.B6:B3.BS:B1.BR:B3 crisis O6.OC.C5 hand=O6.OC.C5",
    "E-FILL=missing/held": "standard consul C7/C7/E5 2221/- 3/1 E6:E3.ER:E3.E7:E1.EC:E1 crisis C5.C6.B7 hand=C5.C6.B7",
    "E-CRISIS-GONE=nothing/again": "introductory consul C7/C7/E5 0221/O 3/1 E5:E1.C6:C1.B6:B1 crisis C5.C6.B7 hand=C5.C6.B7",
    "E-RESIST-ALL=instead/besides": "standard consul C7/C7/E5 1111/C 1/1 C6:C1.C7:C1 resist O5.C5.E6.E7 hand=O5.C5.E6",
    "E-EMPEROR-WHEN=after/at-once": "standard consul C7/C7/E5 2221/O 1/1 - role -",
    "E-INVASION-ORDER=drawn/tribune": "standard?E-TRIBUNE=invasion tribune C7/C7/E5 3111/E 2/1 - swap O6.O7.OS.C5.EC hand=C5.OS",
    "E-LIMIT-EVENT=before/waits": "standard consul C7/C7/E5 5411/- 1/1 - raise O5.C5.E6.ES hand=O5.C5.E6",
    "E-LIMIT-DICE=any/open": "standard consul C7/C7/E5 4422/O 2/1 - discard C5.C6.B7 hand=C5.C6.B7",
}
TRIES = 12  # positions that differ and are made smaller
GREEDY = 0.8  # share of decisions that are greedy

Context = dict[str, Any]


# -- the domain ---------------------------------------------------------------------------------------------------------


def contexts(ruleset: Ruleset) -> Iterator[Context]:
    """What a position has beside its pieces: step, role, cards. `hand` are numbers of regions."""
    roles = range(len(ROLES) + 1)
    role = {name: number for number, name in enumerate(ROLES, start=1)}
    for number in roles:
        for left in (4, 1):
            yield {"step": Step.ACT, "role": number, "left": left}
    for card in ("C5", "E5"):
        yield {"step": Step.RIDE, "role": role["dictator"], "left": 2, "card": card}
    for pair in _hands(2):
        for number in (0, role["prefect"], role["tribune"]):
            yield {"step": Step.DRAW, "role": number, "hand": pair}
    for hand in _hands(3):
        suits = len({card[0] for card in hand})
        yield {"step": Step.EXCHANGE, "role": role["tribune"], "hand": hand}
        if suits == 3 and ruleset.readings["E-EVENT"] == "three-suits":
            for step in (Step.EVENT, Step.RESIST, Step.RAISE, Step.PROTECT, Step.CIVIL_WAR, Step.TRAVEL):
                for number in (0, role["prefect"]) if step is Step.RAISE else (0,):
                    yield {"step": step, "role": number, "hand": hand}
        elif suits < 3:
            yield {"step": Step.CRISIS, "role": 0, "hand": hand}
    for left in (2, 1):
        for number in (0, role["tribune"]):
            for shield in (None, "O6"):
                yield {"step": Step.INVADE, "role": number, "left": left, "protected": shield}
    yield {"step": Step.ROLE, "role": 0}
    yield {"step": Step.APPOINT, "role": role["emperor"]}


def _hands(number: int) -> Iterator[tuple[str, ...]]:
    """Hands of each multiset of suits, with the lowest cards of each."""
    for suits in combinations_with_replacement(TRIBES, number):
        yield tuple(suit + "567"[suits[:at].count(suit)] for at, suit in enumerate(suits))


@lru_cache(maxsize=4)
def tables(size: int) -> tuple[dict[str, Any], ...]:
    """All pieces on the table beside the pawn, so that there are as many as a size says: cubes, dice, pacified tribes, tracks."""
    slots = [("cubes", at) for at in range(4 * len(REGIONS))]
    slots += (
        [("die", at) for at in range(4)] + [("pacified", at) for at in range(4)] + [("decline", 0), ("outbreaks", 0)]
    )
    most = {"cubes": MOST_IN_REGION, "die": 4, "pacified": 1, "decline": 10, "outbreaks": 2}
    found = []
    for chosen in combinations_with_replacement(slots, size - 1):
        if all(chosen.count(slot) <= most[slot[0]] for slot in set(chosen)):
            cubes = [[0, 0, 0, 0] for _ in REGIONS]
            dice, pacified, tracks = [1, 1, 1, 1], [False] * 4, {"decline": 1, "outbreaks": 1}
            for kind, at in chosen:
                if kind == "cubes":
                    cubes[at // 4][at % 4] += 1
                elif kind == "die":
                    dice[at] += 1
                elif kind == "pacified":
                    pacified[at] = True
                else:
                    tracks[kind] += 1
            found.append({"cubes": cubes, "dice": dice, "pacified": pacified, **tracks})
    return tuple(found)


def positions(ruleset: Ruleset, size: int) -> Iterator[Position]:
    """All positions of the domain of a size; an eradicated tribe's die is put away where the level knows that."""
    for context in contexts(ruleset):
        for table in tables(size):
            for gone in _put_away(ruleset, table):
                yield _position(ruleset, context, table, gone)


def _put_away(ruleset: Ruleset, table: dict[str, Any]) -> Iterator[tuple[int, ...]]:
    yield ()
    if ruleset.is_introductory:
        for at in range(4):
            if table["pacified"][at] and table["dice"][at] == 1 and not any(row[at] for row in table["cubes"]):
                yield (at,)


def _position(ruleset: Ruleset, context: Context, table: dict[str, Any], gone: tuple[int, ...]) -> Position:
    start = ruleset.layout.start if "corner" not in ruleset.options else ruleset.layout.corners[0]
    hand = context.get("hand", ())
    card = context.get("card")
    o, c, e, b = (0 if at in gone else die for at, die in enumerate(table["dice"]))
    return Position(
        ruleset=ruleset,
        role=ROLES[context["role"] - 1] if context["role"] else None,
        pawn=start,
        start=start,
        last="E5",
        cubes=tuple((row[0], row[1], row[2], row[3]) for row in table["cubes"]),
        dice=(o, c, e, b),
        pacified=frozenset(tribe for tribe, is_so in zip(TRIBES, table["pacified"], strict=True) if is_so),
        decline=table["decline"],
        outbreaks=table["outbreaks"],
        step=context["step"],
        left=context.get("left", 0),
        card=card,
        hand=tuple(sorted(hand, key=NUMBER.__getitem__)),
        out=frozenset(hand) | ({card} if card else set()),
        protected=context.get("protected"),
    )


def size_of(position: Position) -> int:
    """The pieces of a position, the pawn among them."""
    dice = sum(max(0, die - 1) for die in position.dice)
    cubes = sum(map(sum, position.cubes))
    return 1 + cubes + dice + len(position.pacified) + position.decline - 1 + position.outbreaks - 1


# -- what differs ---------------------------------------------------------------------------------------------------------


def differ(position: Position, second: Ruleset, *, by_name: bool = False) -> bool:
    """Whether something else can come of a position under its rules and others: by the kernel, if it plays them.

    Of each card, or of all decisions together: an option that leads where another one does under the other rules is no
    difference, and a game that is lost is lost. `by_name`: the name of a loss is a difference, too.
    """
    if _needs_reference(second):
        return _differ_by_reference(position, second, by_name)
    return _differ(engine_of(position.ruleset), engine_of(second), state_of(position), by_name)


def _needs_reference(second: Ruleset) -> bool:
    """Whether the kernel does not play these rules, or keeps cards in another order, which is no difference by itself."""
    return bool(second.reference_only) or second.readings["E-LIMIT-ORDER"] == "drawn"


def _differ(one: Kernel, other: Kernel, state: State, by_name: bool) -> bool:
    here, there = (
        {option: _end(engine.take(state, option), by_name) for option in engine.options(state)}
        for engine in (one, other)
    )
    return here != there and (state.step in CHANCE or {*here.values()} != {*there.values()})


def _end(state: State, by_name: bool) -> State | str:
    """A state, or how the game ended: a loss by its name or without it."""
    if not state.result:
        return state
    return state.result if by_name else _named(state.result)


def _named(result: str) -> str:
    return LOST if result.startswith(LOST) else result


def _differ_by_reference(position: Position, second: Ruleset, by_name: bool) -> bool:
    here, there = _outcomes(position, position.ruleset), _outcomes(position, second)
    return bool(_apart(here, there, is_chance=position.step.is_chance, by_name=by_name))


def _outcomes(position: Position, ruleset: Ruleset) -> dict[str, str]:
    """What comes of each card or decision under these rules, in words without the rules."""
    position = position.replace(ruleset=ruleset)
    return {option: _without_rules(rules.take(position, option)) for option in rules.node(position).options}


def _apart(here: dict[str, str], there: dict[str, str], *, is_chance: bool, by_name: bool) -> list[str]:
    """The cards that come to something else, or the decisions that come to something that no decision comes to under the other."""
    one, other = (
        {option: text if by_name else _named(text) for option, text in outcomes.items()} for outcomes in (here, there)
    )
    options = dict.fromkeys((*one, *other))
    if is_chance:
        return [option for option in options if one.get(option) != other.get(option)]
    alone = {*one.values()} ^ {*other.values()}
    return [
        option
        for option in options
        if one.get(option) != other.get(option) and {one.get(option), other.get(option)} & alone
    ]


def _in_order(position: Position) -> Position:
    """With the hand of a campaign in order: how it is kept is no difference by itself [E-LIMIT-ORDER]."""
    is_kept = position.phase is Phase.CAMPAIGN and position.ruleset.readings["E-LIMIT-ORDER"] == "drawn"
    return position.replace(hand=tuple(in_order(position.hand))) if is_kept else position


def differences(position: Position, pair: Pair) -> list[Shown]:
    """What differs, by the reference rules: what can come, and what follows."""
    second = position.ruleset.with_readings([(pair.reading, pair.second)])
    here, there = _outcomes(position, position.ruleset), _outcomes(position, second)
    by_name = pair.reading in NAMES_ALONE
    apart = _apart(here, there, is_chance=position.step.is_chance, by_name=by_name)
    legal = [
        Shown(
            "legal", option, ("legal" if option in here else "not legal", "legal" if option in there else "not legal")
        )
        for option in apart
        if not (option in here and option in there)
    ]
    both = [option for option in apart if option in here and option in there]
    return legal + [Shown("effect", option, (here[option], there[option])) for option in both]


def _without_rules(state: Position | Result) -> str:
    return str(_in_order(state)).partition(" ")[2] if isinstance(state, Position) else str(state)


def can_occur(position: Position, second: Ruleset) -> bool:
    """Whether the position can occur under both rules."""
    return not position.status() and not position.replace(ruleset=second).status()


# -- searching ------------------------------------------------------------------------------------------------------------


def search_all(
    chosen: Sequence[Pair],
    before: Report,
    *,
    size: int = SIZE,
    seconds: float | None = None,
    cancel: Stop | None = None,
    keep: Callable[[Report], object] | None = None,
) -> tuple[Report, bool]:
    """The findings of these pairs, and whether all are there.

    Those of `before` are kept; one that was not searched as far is replaced once its pair is searched again. Where nothing is found
    at the standard level, the introductory one is searched.

    :param keep: called with all findings after each pair that is searched.
    :raises FindingError: when `before` is about other rules, or positions of another domain.
    """
    stop = stop_of(seconds, cancel)
    before.require_of(digest(), DOMAIN, "findings before")
    found, complete = {finding.id: finding for finding in before.findings}, True
    try:
        for pair in chosen:
            if pair.id not in found or not _is_far(found[pair.id], size):
                found[pair.id] = _searched(pair, size, stop)
                if keep is not None:
                    keep(_report(found))
    except Stopped:
        complete = False
    return _report(found), complete


def _searched(pair: Pair, size: int, stop: Stop | None) -> Finding:
    """What is found at the standard level, or else at the introductory one."""
    found = search(pair, STANDARD, size=size, stop=stop)
    if found.certainty is not Certainty.NO_DIFFERENCE:
        return found
    other = search(pair, INTRODUCTORY, size=size, stop=stop)
    return other if other.size is not None else found


def _report(found: Mapping[str, Finding]) -> Report:
    """The findings in the order of the readings; those about values that this version does not have come last."""
    order = dict.fromkeys([*(pair.id for pair in pairs() if pair.id in found), *found])
    return Report(digest(), DOMAIN, tuple(found[name] for name in order))


def _is_far(finding: Finding, size: int) -> bool:
    """Whether a finding is proved, or about the set-up, or all smaller sizes were enumerated for it."""
    is_done = finding.certainty in (Certainty.PROVED, Certainty.SET_UP)
    return is_done or max((row.up_to for row in finding.searched), default=0) >= size


def search(
    pair: Pair, level: str, *, size: int = SIZE, drawn: int | None = None, seed: int = 0, stop: Stop | None = None
) -> Finding:
    """What is found for a pair at a level.

    :raises Stopped: when `stop` is set before.
    """
    first, second = rulesets_of(pair, level)
    table = str(first)
    if drawn is None:
        drawn = DRAWN_BY_REFERENCE if pair.by_reference else DRAWN
    if pair.reading in SET_UPS:
        return Finding(
            pair.id, pair.reading, pair.values, Certainty.SET_UP, 1, (Searched(table, ()),), table,
            argument=SET_UPS.get(pair.id, SET_UPS[pair.reading]),
        )  # fmt: skip
    counts: list[int] = []
    by_name = pair.reading in NAMES_ALONE
    for number in range(1, size + 1):
        counts.append(0)
        for position in positions(first, number):
            check(stop)
            counts[-1] += 1
            if differ(position, second, by_name=by_name) and can_occur(position, second):
                return _found(pair, position, counts, table, 0)
    smallest, seen = _sampled(pair, first, second, drawn, seed, stop)
    if smallest is None:
        searched = (Searched(table, tuple(counts), seen),)
        return Finding(pair.id, pair.reading, pair.values, Certainty.NO_DIFFERENCE, size + 1, searched, table)
    return _found(pair, smallest, counts, table, seen)


def _found(pair: Pair, position: Position, counts: Sequence[int], table: str, seen: int) -> Finding:
    shown, size = differences(position, pair), size_of(position)
    least = size if not seen else min(size, len(counts) + 1)
    return Finding(
        pair.id,
        pair.reading,
        pair.values,
        Certainty.PROVED if least == size else Certainty.INTERVAL,
        least,
        (Searched(table, tuple(counts), seen),),
        table,
        size,
        str(position),
        is_first=not seen,
        differences=tuple(shown[:SHOWN]),
        more=max(0, len(shown) - SHOWN),
    )


def _sampled(
    pair: Pair, first: Ruleset, second: Ruleset, drawn: int, seed: int, stop: Stop | None
) -> tuple[Position | None, int]:
    """The smallest position that steps lead to from positions of random games, and how many were looked at."""
    by_name = pair.reading in NAMES_ALONE
    if pair.id in KNOWN:
        return _made_smaller(Position.parse(KNOWN[pair.id]), second, by_name=by_name), 1
    random, best, seen, tries = Random(f"{pair.id} {seed}"), None, 0, 0
    engine, differs = engine_of(first), _comparison(first, second, by_name=by_name)
    steps = distances(engine.neighbours)
    while seen < drawn and tries < TRIES:
        start = rules.random_set_up(first, random.getrandbits(32))
        assert isinstance(start, Position)
        packed = state_of(start)
        while not packed.result and seen < drawn and tries < TRIES:
            check(stop)
            seen += 1
            if differs(packed):
                found = position_of(first, packed)
                assert isinstance(found, Position)
                if _is_better(found, best):
                    tries += 1
                    smaller = _made_smaller(found, second, by_name=by_name)
                    if can_occur(smaller, second) and (best is None or size_of(smaller) < size_of(best)):
                        best = smaller
            is_greedy = packed.step not in CHANCE and random.random() < GREEDY
            option = decide(engine, steps, packed) if is_greedy else random.choice(engine.options(packed))
            packed = engine.take(packed, option)
    return best, seen


def _made_smaller(position: Position, second: Ruleset, *, by_name: bool) -> Position:
    def is_one(smaller: Position) -> bool:
        return differ(smaller, second, by_name=by_name) and can_occur(smaller, second)

    return shrunk(position, _smaller, is_one, 400)


def _comparison(first: Ruleset, second: Ruleset, *, by_name: bool) -> Callable[[State], bool]:
    """Whether two rulesets differ at a state: by the kernel, or by the reference rules where it does not play the second."""
    if not _needs_reference(second):
        engine, other = engine_of(first), engine_of(second)
        return lambda state: _differ(engine, other, state, by_name)

    def by_reference(state: State) -> bool:
        position = position_of(first, state)
        return isinstance(position, Position) and _differ_by_reference(position, second, by_name)

    return by_reference


def _is_better(found: Position, best: Position | None) -> bool:
    return best is None or found.step is not best.step or size_of(found) < 3 * size_of(best)


def _smaller(position: Position) -> Iterator[Position]:
    """Positions with a piece less, those without whole stacks first."""
    for region, tribes in position.occupied.items():
        for tribe in tribes:
            yield position.with_count(region, tribe, 0)
    for region, tribes in position.occupied.items():
        for tribe, count in tribes.items():
            if count > 1:
                yield position.with_count(region, tribe, count - 1)
    for tribe in TRIBES:
        if position.die(tribe) > 1:
            yield position.with_die(tribe, 1)
            yield position.with_die(tribe, position.die(tribe) - 1)
        if tribe in position.pacified:
            yield position.replace(pacified=position.pacified - {tribe}, dice=_back(position, tribe))
    if position.decline > 1:
        yield position.replace(decline=1)
        yield position.replace(decline=position.decline - 1)
    if position.outbreaks > 1:
        yield position.replace(outbreaks=position.outbreaks - 1)


def _back(position: Position, tribe: str) -> tuple[int, int, int, int]:
    return position.with_die(tribe, max(1, position.die(tribe))).dice
