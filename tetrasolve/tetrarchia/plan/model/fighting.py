"""Attacks with a stated outcome: the constraints of pages 8 and 9 for one layer.

Whether an outcome can be rolled depends on four numbers: his group, the Emperors who support, the revolts of the army and
the armies that support it. Each has two bounds; literals are made only where the result depends on the number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

from tetrasolve.tetrarchia.action import Outcome, attack
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Formula, Lit
from tetrasolve.tetrarchia.plan.model.moving import INTO_A_REVOLT, link_price
from tetrasolve.tetrarchia.plan.model.table import ARMY, BEATEN, OTHER, Deed, Deeds, Thing, TurnLayer
from tetrasolve.tetrarchia.position import REVOLT_DISC

DIE = range(1, 7)


def attacks(layer: TurnLayer, here: str, outcomes: Mapping[str, Collection[Outcome]]) -> Deeds:
    """The attacks on armies through links; `outcomes` has the possible outcomes for each army."""
    table = layer.table
    for army, allowed in outcomes.items():
        link = link_price(layer, here, army)
        if link is None or table[ARMY, army] == FALSE:
            continue
        for under, revolt in ((False, -layer.revolt(army)), (True, layer.revolt(army))):
            meeting = (table[ARMY, army], revolt, -layer.shared(here))
            if FALSE in meeting:
                continue
            cost = link + (INTO_A_REVOLT if under else 0)
            disc: tuple[Thing, ...] = ((REVOLT_DISC, army),) if under else ()  # no other disc lies under an army
            for outcome in allowed:
                action = attack(army, outcome)
                conditions = (*meeting, *rollable(layer, here, army, under, outcome))
                if outcome is Outcome.VICTORY:
                    yield Deed(action, cost, army, conditions, takes=((ARMY, army), *disc))
                elif outcome is Outcome.DRAW:
                    yield Deed(action, cost, here, conditions)
                else:
                    for garrison, lost in _garrisons_lost(layer, here):
                        yield Deed(action, cost, None, (*conditions, garrison), takes=lost, ends=BEATEN)


def _garrisons_lost(layer: TurnLayer, here: str) -> Iterator[tuple[Lit, tuple[Thing, ...]]]:
    """The garrisons that a beaten Emperor can lose, with conditions: any garrison under him [I-BORDER-DEFEAT]."""
    if layer.board[here].is_border and layer.reading("I-BORDER-DEFEAT") == "stays":
        yield TRUE, ()
        return
    for owner in layer.board.emperors:
        yield layer.table[owner.id, here], ((owner.id, here),)
    yield -layer.garrison(here), ()


# -- which outcomes can be rolled ------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def can_be_rolled(outcome: Outcome, garrisons: int, emperors: int, revolts: int, armies: int) -> bool:
    """Whether two dice can give this outcome of (d6 + garrisons) x 2^emperors against (d6 + revolts) x 2^armies."""
    for roman, barbarian in product(DIE, DIE):
        difference = (roman + garrisons) * 2**emperors - (barbarian + revolts) * 2**armies
        won = Outcome.DRAW if difference == 0 else Outcome.VICTORY if difference > 0 else Outcome.DEFEAT
        if won is outcome:
            return True
    return False


def rollable(layer: TurnLayer, here: str, army: str, under: bool, outcome: Outcome) -> tuple[Lit, ...]:
    """Literals whose conjunction is true exactly where this outcome of an attack can be rolled.

    `under`: whether a revolt lies under the army.
    """
    beside_army, beside_here = battle_links(layer, army), battle_links(layer, here)
    counts = (
        _group(layer, here, beside_here),
        _number(layer.formula, (layer.table[OTHER, place] for place in beside_army)),
        _revolts(layer, army, under, beside_army),
        _number(layer.formula, (layer.table[ARMY, place] for place in beside_here if place != army)),
    )
    cells = list(product(*(count.range for count in counts)))
    ruled_out = [cell for cell in cells if not can_be_rolled(outcome, *cell)]
    if len(ruled_out) == len(cells):
        return (FALSE,)
    return tuple(
        -layer.formula.all_of(lit for count, size in zip(counts, cell, strict=True) for lit in count.equals(size))
        for cell in ruled_out
    )


def battle_links(layer: TurnLayer, place: str) -> tuple[str, ...]:
    """The provinces that count as linked in battle [I-BATTLE-BROKEN]."""
    broken_too = layer.reading("I-BATTLE-BROKEN") == "linked"
    return tuple(name for name, link in layer.board.neighbours(place).items() if broken_too or not link.broken)


@dataclass
class Tally:
    """A number between `low` and `high`: the largest number of true literals in one of several groups.

    The literals are made only where the number matters.
    """

    formula: Formula
    low: int
    high: int
    literals: Callable[[], Sequence[Sequence[Lit]]]

    @cached_property
    def groups(self) -> Sequence[Sequence[Lit]]:
        """The literals, group by group."""
        return self.literals()

    @property
    def range(self) -> range:
        """The possible numbers."""
        return range(self.low, self.high + 1)

    def at_least(self, size: int) -> Lit:
        """A literal: the number is at least this."""
        if size <= self.low or size > self.high:
            return TRUE if size <= self.low else FALSE
        return self.formula.any_of(self.formula.count(group, size) for group in self.groups)

    def equals(self, size: int) -> tuple[Lit, Lit]:
        """Two literals whose conjunction is that the number is this."""
        return self.at_least(size), -self.at_least(size + 1)


def _number(formula: Formula, lits: Iterable[Lit]) -> Tally:
    """The number of true literals."""
    known = [lit for lit in lits if lit != FALSE]
    return Tally(formula, known.count(TRUE), len(known), lambda: (known,))


def _largest_group(layer: TurnLayer, members: Mapping[str, Lit], starts: Iterable[str], most: int) -> Tally:
    """The size, at most `most`, of the largest continuous group of members that holds one of the provinces `starts`."""
    possible = {place: lit for place, lit in members.items() if lit != FALSE}
    sure = {place for place, lit in possible.items() if lit == TRUE}
    begun = [place for place in starts if place in possible]
    low = max((len(_flood(layer, start, sure)) for start in begun if start in sure), default=0)
    high = min(most, max((len(_flood(layer, start, possible)) for start in begun), default=0))
    return Tally(layer.formula, low, high, lambda: [_reached(layer, possible, start, high) for start in begun])


def _flood(layer: TurnLayer, start: str, members: Container[str]) -> set[str]:
    """All members that are connected to one of them."""
    found, edge = {start}, [start]
    while edge:
        for place in battle_links(layer, edge.pop()):
            if place in members and place not in found:
                found.add(place)
                edge.append(place)
    return found


def _reached(layer: TurnLayer, members: Mapping[str, Lit], start: str, most: int) -> tuple[Lit, ...]:
    """Literals for the provinces in the group of `start`: those reached from it through members, step by step.

    No group is larger than `most`, so `most` - 1 steps are enough.
    """
    formula, near = layer.formula, _flood(layer, start, members)
    inside = {start: members[start]}
    for _ in range(most - 1):
        joined = {
            place: formula.any_of(inside.get(other, FALSE) for other in (place, *battle_links(layer, place)))
            for place in near
        }
        further = {place: formula.all_of((members[place], lit)) for place, lit in joined.items() if lit != FALSE}
        if further == inside:
            break
        inside = further
    return tuple(inside.values())


def _group(layer: TurnLayer, here: str, beside: Iterable[str]) -> Tally:
    """The largest group of his own discs that contains his province or is linked to it."""
    own = {place: own_disc(layer, place) for place in layer.board.ids}
    return _largest_group(layer, own, (here, *beside), layer.most_own)


def own_disc(layer: TurnLayer, place: str) -> Lit:
    """Whether a garrison of the active Emperor lies there, or his printed disc with nothing on it."""
    garrison = layer.table[layer.emperor, place]
    if layer.emperor not in layer.board[place].printed:
        return garrison
    return layer.formula.any_of((garrison, layer.free_of_discs(place)))


def _revolts(layer: TurnLayer, army: str, under: bool, beside: Iterable[str]) -> Tally:
    """The group of revolts under the army or, where none lies there, the largest one linked to it [I-REVOLT-GROUP]."""
    revolts = {place: layer.revolt(place) for place in layer.board.ids} | {army: TRUE if under else FALSE}
    if under:
        return _largest_group(layer, revolts, (army,), len(revolts))
    linked = layer.reading("I-REVOLT-GROUP") == "largest-linked"
    return _largest_group(layer, revolts, beside if linked else (), len(revolts))
