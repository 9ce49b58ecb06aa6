"""The smallest positions in which two values of a reading differ.

All positions up to a size are enumerated, in the domain of `tetrasolve.finem.lint.domain`, that have what two values require to
differ (`tetrasolve.finem.lint.needed`), and the kernel is asked under both values what comes of each card, or of all decisions
together, or the reference rules where only they play a value. Results are compared: another name for what leads to the same
position, or of a loss, is no difference.

Where none differs, positions of games are searched, played by the greedy policy with some decisions at random, and one that differs
is made smaller piece by piece; then the smallest size lies in an interval, or is as small as it can be. A position that is reported
can occur under both values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from tetrasolve.exact.deadline import check, stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, position_of, state_of
from tetrasolve.finem.kernel import Kernel, State
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.lint.domain import DOMAIN, LEAST, Table, number_of, positions, size_of
from tetrasolve.finem.lint.needed import needed, why_needed
from tetrasolve.finem.lint.pairs import INTRODUCTORY, STANDARD, Pair, digest, pairs, rulesets_of
from tetrasolve.finem.lint.played import CHANCE, decide, distances
from tetrasolve.finem.position import Phase, Position, Result, Step, in_order
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.lint.findings import Certainty, Finding, Report, Searched, Shown
from tetrasolve.lint.witness import shrunk
from tetrasolve.stop import Stop, Stopped

SIZE = 14  # pieces of the positions that are enumerated, the pawn among them
POSITIONS = 6_000_000  # a size with more positions is not enumerated, and no larger one
POSITIONS_BY_REFERENCE = 100_000  # the same where the reference rules compare them
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
# Positions by hand that differ, with the fewest pieces that rows and enumeration leave, where too many would be enumerated
KNOWN = {
    "E-FILL=missing/held": "standard consul C7/C7/E5 1111/O 3/1 C7:C1.CS:C3.CR:C2 crisis E6.E7.B5 hand=E6.E7.B5",
    "E-FILL=missing/three": (
        "standard consul C7/C7/E5 1111/O 3/1 E5:E3.ES:E3.EC:E3.ER:E1 crisis C5.C6.B6 hand=C5.C6.B6"
    ),
    "E-FOURTH=any/first-three": (
        "standard?E-TRIBUNE=invasion tribune C7/C7/E5 1211/O 10/1 - swap O5.O7.C6.B5.B6.B7.BS hand=B5.B6.B7.BS"
    ),
    "E-WAR-ORDER=listed/together": (
        "standard consul C7/C7/E5 1111/O 1/1 C7:C3.CS:C3.CR:C3.E7:E3 civil-war O5.C5.E6.OR hand=O5.C5.E6"
    ),
}
TRIES = 12  # positions that differ and are made smaller
GREEDY = 0.8  # share of decisions that are greedy

Context = dict[str, Any]


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
            if pair.id not in found or not _is_far(pair, found[pair.id], size):
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


def _is_far(pair: Pair, finding: Finding, size: int) -> bool:
    """Whether a finding is proved, or about the set-up, or all sizes were enumerated for it that this would enumerate."""
    is_done = finding.certainty in (Certainty.PROVED, Certainty.SET_UP)
    through = max((row.up_to for row in finding.searched), default=0)
    return is_done or through >= size or not _can_enumerate(pair, *rulesets_of(pair, STANDARD), through + 1)


def _can_enumerate(pair: Pair, first: Ruleset, second: Ruleset, size: int) -> bool:
    """Whether the positions of a size are not too many."""
    most = POSITIONS_BY_REFERENCE if _needs_reference(second) else POSITIONS
    return sum(number_of(first, size, *part) for part in _parts(pair, first, size)) <= most


def _parts(pair: Pair, first: Ruleset, size: int) -> list[tuple[frozenset[Table], frozenset[Step] | None]]:
    """The seeds and steps of the positions of a size that have what a difference requires."""
    return [(row.seeds(first.layout), row.steps) for row in needed(pair) if row.least <= size]


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
        if not _can_enumerate(pair, first, second, number):
            break
        counts.append(0)
        for position in (one for part in _parts(pair, first, number) for one in positions(first, number, *part)):
            check(stop)
            counts[-1] += 1
            if differ(position, second, by_name=by_name) and can_occur(position, second):
                return _found(pair, position, counts, table, 0)
    smallest, seen = _sampled(pair, first, second, drawn, seed, stop)
    if smallest is None:
        searched = (Searched(table, tuple(counts), seen),)
        return Finding(pair.id, pair.reading, pair.values, Certainty.NO_DIFFERENCE, len(counts) + 1, searched, table)
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
        argument=_argument(pair, sum(counts[: least - 1]), least),
    )


def _argument(pair: Pair, count: int, least: int) -> str:
    """Why no smaller position differs, where not all of them were enumerated."""
    why = why_needed(pair, "en")
    if least <= LEAST:
        return "no position has fewer: a later turn has a pacified tribe, or three points on its dice"
    if not why:
        return ""
    if not count:
        return f"no position of fewer than {least} pieces can differ: {why}"
    return (
        f"all {count:,} positions of fewer than {least} pieces enumerated that have what a difference requires: {why}"
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
