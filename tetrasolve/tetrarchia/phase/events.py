"""The events of one Barbarian phase: the exact distribution of each kind of event.

Events that are visible in the results of the phase are counted there. For the others the expected visits to the steps in
which they happen are computed; for an event that happens at most once this is its chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.numbers import DIE
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall, SolvedPhase
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, uprisings
from tetrasolve.tetrarchia.rules.advance import Clash, Crossing
from tetrasolve.tetrarchia.rules.barbarian import rerolls
from tetrasolve.tetrarchia.rules.chance import faces_of
from tetrasolve.tetrarchia.rules.choices import Decide, settled
from tetrasolve.tetrarchia.rules.modules.imperium import Boost
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.registry import rule_modules
from tetrasolve.tetrarchia.rules.step import Rolling, Settled, unmarked

ZERO = Fraction(0)
MOST_UPRISINGS = 8  # listed one by one; the tail of the chain is one exact number

Counts = Mapping[int, Fraction]


@dataclass(frozen=True, slots=True)
class Events:
    """The events of a phase. All mappings are to chances in [0, 1]; those of counts are over results that are not lost.

    `uprisings` by their number, up to `MOST_UPRISINGS`, `more_uprisings` beyond; `new_revolts` and `new_unrest` by how
    many provinces have one that had none, `garrisons_lost` by number, `turned` by province that is set in revolt,
    `arrivals` by border, `removed` by Emperor, `battles` by army, Emperor and outcome, `falls` by cause.
    """

    uprisings: Counts
    more_uprisings: Fraction
    expected_uprisings: Fraction
    new_revolts: Counts
    new_unrest: Counts
    garrisons_lost: Counts
    turned: Mapping[str, Fraction]
    arrivals: Mapping[str, Fraction]
    removed: Mapping[str, Fraction]
    battles: Mapping[tuple[str, str, Outcome], Fraction]
    falls: Mapping[Fall, Fraction]


def events(
    position: Position,
    most_uprisings: int = MOST_UPRISINGS,
    stop: Stop | None = None,
    *,
    decide: Decide = rules.decline,
) -> Events:
    """The events of the Barbarian phase of this position; `decide` answers its choices and must be deterministic.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> events(example("movement")).new_revolts[0]  # the chance that no province is set in revolt
    Fraction(29, 36)

    :raises IllegalPositionError: when no Barbarian phase can follow.
    :raises Stopped: when `stop` is set before all are known.
    """
    solved = rules.solve(position, decide, stop)
    counts, more = uprising_counts(position, most_uprisings, stop, decide=decide)
    return Events(
        uprisings=counts,
        more_uprisings=more,
        expected_uprisings=solved.figures().e_uprisings,
        new_revolts=_counts(solved, lambda after: len(after.revolts - position.revolts)),
        new_unrest=_counts(solved, lambda after: len(after.unrest - position.unrest)),
        garrisons_lost=_counts(solved, lambda after: len(_lost_garrisons(position, after))),
        turned=members_in(solved, lambda after: after.revolts - position.revolts),
        arrivals=_arrivals(solved),
        removed=members_in(solved, lambda after: _removed(position, after)),
        battles=battles_in(solved),
        falls={end: chance for end, chance in solved.ends.items() if isinstance(end, Fall)},
    )


# -- read off the results --------------------------------------------------------------------------------------


def _counts(solved: SolvedPhase, number: Callable[[Position], int]) -> dict[int, Fraction]:
    counts: dict[int, Fraction] = {}
    for end, chance in solved.ends.items():
        if isinstance(end, Position):
            count = number(end)
            counts[count] = counts.get(count, ZERO) + chance
    return dict(sorted(counts.items()))


def members_in(solved: SolvedPhase, members: Callable[[Position], frozenset[str]]) -> dict[str, Fraction]:
    """For each element that `members` gives for some result that is not lost, its chance, likeliest first."""
    chances: dict[str, Fraction] = {}
    for end, chance in solved.ends.items():
        for member in members(end) if isinstance(end, Position) else ():
            chances[member] = chances.get(member, ZERO) + chance
    return dict(sorted(chances.items(), key=lambda item: (-item[1], item[0])))


def _lost_garrisons(before: Position, after: Position) -> frozenset[str]:
    return frozenset(p for p in before.discs if before.has_garrison(p) and not after.has_garrison(p))


def _removed(before: Position, after: Position) -> frozenset[str]:
    return frozenset(e for e, place in before.emperors.items() if place is not None and after.emperors[e] is None)


# -- visits ----------------------------------------------------------------------------------------------------


def _arrivals(solved: SolvedPhase) -> dict[str, Fraction]:
    chances: dict[str, Fraction] = {}
    for step, visits in solved.visits.items():
        if isinstance(step, (Position, Fall)):
            continue
        rolled = unmarked(step)
        if not isinstance(rolled, EchoRegion):
            continue
        again = rerolls(step, solved.decide)
        for faces, border in rolled.arrivals():
            if faces not in again:
                chances[border] = chances.get(border, ZERO) + visits / DIE
    return chances


def battles_in(solved: SolvedPhase) -> dict[tuple[str, str, Outcome], Fraction]:
    """The chance of each battle and outcome in the advance: by army, general and outcome.

    Dice that are rolled again are no outcome; what a general adds to his die is part of it.
    """
    chances: dict[tuple[str, str, Outcome], Fraction] = {}
    for step, visits in solved.visits.items():
        if isinstance(step, (Position, Fall)):
            continue
        clash = unmarked(step)
        if not isinstance(clash, Clash):
            continue
        for outcome, faces in _outcomes_of(step, clash, solved.decide).items():
            key = (clash.armies[0], clash.general, outcome)
            chances[key] = chances.get(key, ZERO) + visits * Fraction(faces, 36)
    return chances


def _outcomes_of(step: Rolling, clash: Clash, decide: Decide) -> dict[Outcome, int]:
    """The number of the 36 pairs of faces for each outcome of a battle, after the choices that follow the roll."""
    fight = clash.fight
    if not rule_modules(clash.position).decisions:
        return fight.chances()
    again = rerolls(step, decide)
    counts: dict[Outcome, int] = {}
    for faces, result in zip(faces_of(2), clash.roll().results, strict=True):
        if faces in again:
            continue
        after, added = result, 0
        while isinstance(after, Boost) and (answer := decide(after)):
            after, added = after.after(after.options[answer]), added + 1
        outcome = fight.raised(added).outcome(faces[0], faces[1])
        counts[outcome] = counts.get(outcome, 0) + 1
    return counts


# -- the number of uprisings -----------------------------------------------------------------------------------


def uprising_counts(
    position: Position, most: int, stop: Stop | None = None, *, decide: Decide = rules.decline
) -> tuple[dict[int, Fraction], Fraction]:
    """The chance of each number of uprisings from 0 to `most`, and of more.

    The chain is split at its uprisings: `_next_uprising` gives the start of the next one.
    """
    memo: dict[Settled, Mapping[Settled, Fraction]] = {}
    flow: Mapping[Settled, Fraction] = {rules.barbarian.start(position, decide): Fraction(1)}
    reached = Fraction(1)
    counts: dict[int, Fraction] = {}
    for number in range(most + 1):
        risen: dict[Settled, Fraction] = {}
        for step, chance in flow.items():
            check(stop)
            for start, share in _next_uprising(step, decide, memo).items():
                risen[start] = risen.get(start, ZERO) + chance * share
        again = sum(risen.values(), ZERO)
        counts[number], reached, flow = reached - again, again, risen
    return counts, reached


def _next_uprising(
    step: Settled, decide: Decide, memo: dict[Settled, Mapping[Settled, Fraction]]
) -> Mapping[Settled, Fraction]:
    """The first step of the next uprising, with its chance; the steps before it form no cycle."""
    if isinstance(step, (Position, Fall)):
        return {}
    rolled = unmarked(step)
    if isinstance(rolled, (Crossing, Clash)):
        return {}  # the advance has no uprisings
    if step not in memo:
        risen: dict[Settled, Fraction] = {}
        rising = frozenset(uprisings(rolled) if isinstance(rolled, (Activity, EchoProvince)) else ())
        for after, is_risen, share in _landings(step, rising, decide):
            for start, chance in (
                {after: Fraction(1)}.items() if is_risen else _next_uprising(after, decide, memo).items()
            ):
                risen[start] = risen.get(start, ZERO) + chance * share
        memo[step] = risen
    return memo[step]


def _landings(
    step: Rolling, rising: frozenset[tuple[int, ...]], decide: Decide
) -> Iterator[tuple[Settled, bool, Fraction]]:
    """The next roll after each face of one, whether an uprising comes before it, and its chance.

    Faces after which the same roll is made again for nothing decide nothing: they are left out. Those that are rolled again for
    a disc start no uprising.
    """
    roll = step.roll()
    landings = [(faces, result) for faces, result in zip(roll.faces, roll.results, strict=True) if result != step]
    again = rerolls(step, decide)
    for faces, result in landings:
        after = settled(landed(step, faces, result), decide)
        yield after, faces in rising and faces not in again, Fraction(1, len(landings))
