"""Which plans differ in idea: by how far they are apart on the table after the turn, not by their steps.

The table after a turn is a set of *facts*: which disc lies where, which figure stands where, which armies are left. With attacks
each fact has a chance. The *distance* of two plans is the sum of the differences of these chances, each with the weight of its
fact (`WEIGHTS`). Two plans differ in idea if their distance is at least `far_apart`, or if they attack different armies.

This works for all modules, variants, scenarios and rebels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tetrasolve.tetrarchia.pieces import NO_PIECES, POWER
from tetrasolve.tetrarchia.plan.replay import Ending
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules import Fall

Fact: TypeAlias = tuple[str, str, str]  # its kind, where or who, and what

# A figure or fleet that stands elsewhere changes two facts, so each has half the weight of the change
WEIGHTS = {
    "revolt": Fraction(2),
    "army": Fraction(2),
    "border": Fraction(2),  # secured
    "garrison": Fraction(1),
    "unrest": Fraction(1),
    "figure": Fraction(1, 2),
    "fleet": Fraction(1, 4),
    "piece": Fraction(1, 2),
    "game": Fraction(4),  # won or lost
}
QUARTERS = {kind: int(4 * weight) for kind, weight in WEIGHTS.items()}
ZERO, ONE = Fraction(0), Fraction(1)
DIFFERENT = Fraction(4)  # for example another revolt quieted, or two other garrisons and another place to stand


def far_apart(position: Position) -> Fraction:
    """From which distance on plans for the rest of this turn differ in idea: less where fewer IP are left to be spent.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> [str(far_apart(example("movement").replace(ip=ip))) for ip in (1, 3, 6)]
    ['1', '2', '4']
    """
    return max(DIFFERENT * min(Fraction(position.ip, position.ruleset.numbers["ip"]), Fraction(1)), Fraction(1))


@dataclass(frozen=True, slots=True)
class Idea:
    """The facts of the table after a plan, each with its chance, and the armies that it attacks."""

    facts: Mapping[Fact, Fraction]
    attacked: frozenset[str]

    def distance(self, other: Idea) -> Fraction:
        """The distance on the table after the turn: 0 for equal tables, symmetric, with the triangle inequality."""
        if not self.attacked and not other.attacked:  # without dice every fact has the chance 1, and fractions are slow
            return Fraction(sum(QUARTERS[kind] for kind, _, _ in self.facts.keys() ^ other.facts.keys()), 4)
        total = ZERO
        for fact, chance in self.facts.items():
            there = other.facts.get(fact, ZERO)
            if chance is not there and chance != there:
                total += WEIGHTS[fact[0]] * abs(chance - there)
        for fact, chance in other.facts.items():
            if fact not in self.facts:
                total += WEIGHTS[fact[0]] * chance
        return total

    def differs(self, other: Idea, apart: Fraction = DIFFERENT) -> bool:
        """Whether these are two ideas, from this distance on."""
        return self.attacked != other.attacked or self.distance(other) >= apart


def idea_of(plan: Plan, ends: Iterable[Ending]) -> Idea:
    """The idea of a plan with these ends of its turn."""
    facts: dict[Fact, Fraction] = {}
    for chance, end, _ in ends:
        if chance == 1:
            facts = dict.fromkeys(_facts(end), ONE)
            break
        for fact in _facts(end):
            facts[fact] = facts.get(fact, ZERO) + chance
    return Idea(facts, frozenset(_attacked(plan)))


def _facts(end: Position | Fall) -> Iterator[Fact]:
    if isinstance(end, Fall):
        yield "game", "lost", ""
        return
    if end.is_won:
        yield "game", "won", ""
    for province, disc in end.discs.items():
        if disc in (REVOLT_DISC, UNREST_DISC):
            yield disc, province, ""
        else:
            yield "border" if end.board[province].is_border else "garrison", province, disc
    for army in end.armies:
        yield "army", army, ""
    for emperor, place in end.emperors.items():
        yield "figure", emperor, place or ""
    for number, zone in enumerate(end.fleets):
        yield "fleet", str(zone), str(end.fleets[:number].count(zone))
    for key, value in end.pieces.plain().items() if end.pieces is not NO_PIECES else ():
        if key != POWER:  # it is for the turn only
            yield "piece", key, str(value)


def _attacked(plan: Plan) -> Iterator[str]:
    if plan.fork is not None:
        yield plan.fork.army
        for _, _, branch in plan.fork.branches:
            yield from _attacked(branch)
