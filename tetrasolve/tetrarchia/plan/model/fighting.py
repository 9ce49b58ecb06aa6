"""Attacks with a stated outcome: the constraints of pages 8 and 9 for one layer.

Whether an outcome can be rolled depends on five numbers: his group, the Emperors who support, the revolts of the army, the
armies that support it, and the bonus of the Goths. Each has two bounds; literals are made only where the result depends on the
number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product

from tetrasolve.tetrarchia.action import Outcome, attack
from tetrasolve.tetrarchia.numbers import ARMIES
from tetrasolve.tetrarchia.pieces import DUX
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Formula, Lit
from tetrasolve.tetrarchia.plan.model.moving import INTO_A_REVOLT, link_price
from tetrasolve.tetrarchia.plan.model.table import (
    ARMY,
    BEATEN,
    FLEET,
    GALERIUS,
    GLORY,
    PIRATES,
    Deed,
    Deeds,
    Thing,
    TurnLayer,
)
from tetrasolve.tetrarchia.position import REVOLT_DISC

DIE = range(1, 7)


def attacks(layer: TurnLayer, here: str, outcomes: Mapping[str, Collection[Outcome]]) -> Deeds:
    """The attacks on armies through links; `outcomes` has the possible outcomes for each army.

    Rebels are attacked only while a fleet lies in the zone that their scenario names.
    """
    table = layer.table
    for army, allowed in outcomes.items():
        link = None if army == PIRATES else link_price(layer, here, army)
        if link is None or table[ARMY, army] == FALSE:
            continue
        fleet = table[FLEET, layer.extras.rebels[army]] if army in layer.extras.rebels else TRUE
        for under, revolt in ((False, -layer.revolt(army)), (True, layer.revolt(army))):
            meeting = (table[ARMY, army], revolt, -layer.shared(here), fleet)
            if FALSE in meeting:
                continue
            cost = link + (INTO_A_REVOLT if under else 0)
            disc: tuple[Thing, ...] = ((REVOLT_DISC, army),) if under else ()  # no other disc lies under an army
            numbers = combat_numbers(layer, here, army, under)
            for outcome, paying in product(allowed, payments(layer)):
                conditions = (*meeting, *rollable(layer.formula, outcome, paying, numbers))
                won = Deed(attack(army, outcome), cost, army, conditions, takes=((ARMY, army), *disc), paying=paying)
                yield from battles(layer, here, won, (here,))


def battles(layer: TurnLayer, here: str, won: Deed, coast: Iterable[str]) -> Deeds:
    """A battle with the outcome of its action, from the deed that a victory would be.

    An Emperor who wins takes a disc of glory if one is left [I-GLORY-SEA, I-GLORY-DUX]. One who loses is removed with all
    garrisons in the provinces `coast` [I-BORDER-DEFEAT], which ends the turn [I-DUX-DEFEAT].
    """
    match won.action.outcome:
        case Outcome.VICTORY if _brings_glory(layer, won):
            label: Thing = (GLORY, f"{layer.spent} {won.action.place}")
            yield replace(won, conditions=(*won.conditions, layer.unrest_left), puts=(label,))
            yield replace(won, conditions=(*won.conditions, -layer.unrest_left))
        case Outcome.VICTORY:
            yield won
        case Outcome.DRAW:
            yield replace(won, target=here, takes=())
        case _:
            stays = layer.reading("I-BORDER-DEFEAT") == "stays"
            places = [place for place in coast if not (stays and layer.board[place].is_border)]
            lost = tuple((owner.id, place) for place in places for owner in layer.board.emperors)
            goes_on = layer.figure == DUX and layer.reading("I-DUX-DEFEAT") == "dux-only"
            yield replace(won, target=None, takes=(), sweeps=lost, ends=None if goes_on else BEATEN)


def _brings_glory(layer: TurnLayer, won: Deed) -> bool:
    """Whether the active Emperor takes a disc for this victory, if one is left."""
    led = layer.figure is None or (layer.figure == DUX and layer.reading("I-GLORY-DUX") == "active")
    at_sea = won.action.place == PIRATES and layer.reading("I-GLORY-SEA") == "none"
    return layer.uses("roma-aeterna") and led and not at_sea


def payments(layer: TurnLayer) -> range:
    """The numbers of discs with which Galerius can pay for a battle that he leads; none for others."""
    pays = layer.extras.power == GALERIUS and layer.figure is None
    return range(layer.ruleset.garrisons - layer.extras.removed + 1 if pays else 1)


# -- which outcomes can be rolled ------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def can_be_rolled(outcome: Outcome, garrisons: int, emperors: int, revolts: int, armies: int, added: int = 0) -> bool:
    """Whether two dice can give this outcome of (d6 + garrisons) x 2^emperors against (d6 + revolts) x 2^armies.

    `added` is paid for, one disc for each 1 more of the Roman die, after the roll and not after a victory [I-GALERIUS-WON].
    """
    for roman, barbarian in product(DIE, DIE):
        difference = (roman + garrisons + added) * 2**emperors - (barbarian + revolts) * 2**armies
        won = Outcome.DRAW if difference == 0 else Outcome.VICTORY if difference > 0 else Outcome.DEFEAT
        if won is outcome and (not added or difference <= 2**emperors):
            return True
    return False


def combat_numbers(layer: TurnLayer, here: str, army: str, under: bool) -> Sequence[Tally]:
    """The numbers that a battle depends on: garrisons, Emperors, revolts, armies, the Goths' bonus.

    `under`: whether a revolt lies under the army.
    """
    beside_army, beside_here = battle_links(layer, army), battle_links(layer, here)
    return (
        _group(layer, here, beside_here),
        allies(layer, beside_army),
        _revolts(layer, army, under, beside_army),
        number(layer.formula, (layer.table[ARMY, place] for place in beside_here if place != army), ARMIES - 1),
        _goths(layer, army, beside_here),
    )


def rollable(formula: Formula, outcome: Outcome, added: int, numbers: Sequence[Tally]) -> tuple[Lit, ...]:
    """Literals whose conjunction is true exactly where this outcome of an attack can be rolled.

    `added` is what is paid for the Roman die.
    """
    cells = list(product(*(number.range for number in numbers)))
    ruled_out = [
        (garrisons, emperors, revolts, armies, bonus)
        for garrisons, emperors, revolts, armies, bonus in cells
        if not can_be_rolled(outcome, garrisons, emperors, revolts + bonus, armies, added)
    ]
    if len(ruled_out) == len(cells):
        return (FALSE,)
    return tuple(
        -formula.all_of(lit for count, size in zip(numbers, cell, strict=True) for lit in count.equals(size))
        for cell in ruled_out
    )


def _goths(layer: TurnLayer, army: str, beside: Collection[str]) -> Tally:
    """The bonus of the Barbarian die in a battle in which the Goths are involved [I-GOTHS-SUPPORT]."""
    goths = layer.extras.goths
    if goths == army:
        return number(layer.formula, (TRUE,))
    support = goths is not None and goths in beside and layer.reading("I-GOTHS-SUPPORT") == "supporter"
    return number(layer.formula, (layer.table[ARMY, goths],) if support and goths is not None else ())


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
    _known: dict[int, Lit] = field(default_factory=dict)

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
        if size not in self._known:
            self._known[size] = self.formula.any_of(self.formula.count(group, size) for group in self.groups)
        return self._known[size]

    def equals(self, size: int) -> tuple[Lit, Lit]:
        """Two literals whose conjunction is that the number is this."""
        return self.at_least(size), -self.at_least(size + 1)


def number(formula: Formula, lits: Iterable[Lit], most: int | None = None) -> Tally:
    """The number of true literals, of which at most `most` can be true together."""
    known = [lit for lit in lits if lit != FALSE]
    return Tally(formula, known.count(TRUE), len(known) if most is None else min(most, len(known)), lambda: (known,))


def counted(formula: Formula, lits: Iterable[Lit], most: int) -> Tally:
    """The number of true literals, or `most` where there are more."""
    known = [lit for lit in lits if lit != FALSE]
    return Tally(formula, min(known.count(TRUE), most), min(len(known), most), lambda: (known,))


def allies(layer: TurnLayer, places: Iterable[str], counting: int | None = None) -> Tally:
    """The number of other generals in these provinces, no more than `counting`."""
    lits = [lit for place in places for lit in layer.allies(place)]
    if counting is not None:
        return counted(layer.formula, lits, counting)
    return number(layer.formula, lits, len(layer.board.emperors))  # the Dux and three Emperors, or all four


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
    """The largest group of his own discs that contains his province or is linked to it; the Dux has none."""
    if layer.figure is not None:
        return number(layer.formula, ())
    own = {place: own_disc(layer, place) for place in layer.board.ids}
    return _largest_group(layer, own, (here, *beside), layer.most_own)


def own_disc(layer: TurnLayer, place: str) -> Lit:
    """Whether a garrison of the active Emperor lies there, or his printed disc with nothing on it; in Roma [I-ROMA-COVERED]."""
    garrison = layer.table[layer.emperor, place]
    if layer.emperor not in layer.board[place].printed:
        return garrison
    if place == layer.board.roma and layer.reading("I-ROMA-COVERED") == "counts":
        garrison = layer.garrison(place)
    return layer.formula.any_of((garrison, layer.free_of_discs(place)))


def _revolts(layer: TurnLayer, army: str, under: bool, beside: Iterable[str]) -> Tally:
    """The group of revolts under the army or, where none lies there, the largest one linked to it [I-REVOLT-GROUP]."""
    revolts = {place: layer.revolt(place) for place in layer.board.ids} | {army: TRUE if under else FALSE}
    if under:
        return _largest_group(layer, revolts, (army,), len(revolts))
    linked = layer.reading("I-REVOLT-GROUP") == "largest-linked"
    return _largest_group(layer, revolts, beside if linked else (), len(revolts))
