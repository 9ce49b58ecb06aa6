"""What can be done in a turn with modules, variants or rebels.

The Emperor, the Dux, the Vicarius and an Emperor whom Diocletian leads all act by the rules of a Roman phase, each seen from
where he stands. The files of the modules say what they change.
"""

from collections.abc import Iterator
from typing import NamedTuple

import aeterna
import dux
import goths
import imperium
import marenostrum
import pirates
import rebels
import viaromana
import vicarius
from objectives import Ending
from pirates import PIRATES
from rules import NOWHERE, ON, State, Table, Turn, linked_in_battle, prices
from rules import odds as count_faces
from situations import DUX, HELPERS, MAXIMIAN, VICARIUS, Deed, Result, Rules, Situation, sure

Strengths = tuple[int, int, int, int]


class Figure(Turn):
    """The rules of a Roman phase for one figure in a situation."""

    def __init__(self, rules: Rules, now: Situation, figure: int) -> None:
        self.board, self.readings = rules.board, rules.readings
        self.linked = linked_in_battle(rules.board, rules.readings["I-BATTLE-BROKEN"])
        self.active, self.emperor = rules.active, rules.board.emperors[rules.active]
        self.rules, self.now, self.figure = rules, now, figure
        self.supply = rules.supply - now.paid[rules.active]
        self.most_unrest = rules.unrest_left(now) + len(now.table.unrest)
        self.others = now.others(figure)

    def prices(self, place: str, fleets: frozenset[int]) -> tuple[tuple[str, int], ...]:
        """Fleets in adjacent zones join them; a province can be closed."""
        found = prices(self.board, place, fleets, marenostrum.zones(self.rules))
        if "vicarius" not in self.rules.use:
            return found
        return tuple(way for way in found if not vicarius.closed(self.rules, self.now, self.figure, way[0]))

    def entries(self, state: State) -> Iterator[str]:
        """Not where the Vicarius keeps him out."""
        for place in super().entries(state):
            if not vicarius.shut(self.rules, self.now, place):
                yield place

    def voyages(self, fleets: frozenset[int]) -> Iterator[tuple[int, int]]:
        """Not to the Pirates."""
        for origin, target in super().voyages(fleets):
            if target != self.now.pirates:
                yield origin, target

    def allies(self) -> list[str]:
        """The Dux supports, the Vicarius does not."""
        return self.now.allies(self.figure)

    def own_discs(self, table: Table) -> frozenset[str]:
        """The Dux has none."""
        return NOWHERE if self.figure == DUX else super().own_discs(table)


# -- deeds -------------------------------------------------------------------------------------------------------


def deeds(rules: Rules, now: Situation) -> Iterator[Deed]:
    """All that can be done."""
    if now.dice is not None:
        yield from pay(rules, now)
        return
    here = now.places[rules.active]
    if here is None:
        emperor = Figure(rules, now, rules.active)
        for place in emperor.entries(State(now.ip, None, now.table)):
            yield sure(f"enter {place}", moved(now, rules.active, place, now.ip))
        return
    able = [rules.active, *(who for who in HELPERS if now.places[who] in rules.board.row), *imperium.led(rules, now)]
    if now.passing is not None:  # who shares a province must move away first
        yield from moves(rules, now, Figure(rules, now, now.passing))
        return
    for who in able:
        figure = Figure(rules, now, who)
        yield from moves(rules, now, figure)
        if who in (rules.active, DUX):
            yield from subdue(rules, now, figure)
            yield from attacks(rules, now, figure)
    yield from alone(rules, now, Figure(rules, now, rules.active), here)


def may_stop(rules: Rules, now: Situation) -> bool:
    """Whether the turn may end here."""
    if now.dice is not None or now.passing is not None:
        return False
    if now.places[rules.active] is None:
        return Figure(rules, now, rules.active).may_stop(State(now.ip, None, now.table))
    return True


def moves(rules: Rules, now: Situation, figure: Figure) -> Iterator[Deed]:
    """The moves of a figure."""
    for target, cost in figure.moves(State(now.ip, now.places[figure.figure], now.table)):
        yield sure(rules.name(figure.figure, f"move {target}"), moved(now, figure.figure, target, now.ip - cost))


def moved(now: Situation, figure: int, target: str, ip: int) -> Situation:
    """The situation after a figure has come to a province, perhaps that of another one."""
    after = now.put(figure, target)._replace(ip=ip)
    if target in now.others(figure):
        after = after._replace(passing=figure)
    return after._replace(table=vicarius.calmed(now.table, target)) if figure == VICARIUS else after


def subdue(rules: Rules, now: Situation, figure: Figure) -> Iterator[Deed]:
    """Against the revolt or unrest where an Emperor or the Dux stands."""
    for action in figure.subdue(now.ip, str(now.places[figure.figure]), now.table):
        yield base(rules, now, figure.figure, action.name, action.ways[0].state, action.ways[0].end)


def base(rules: Rules, now: Situation, figure: int, name: str, state: State, end: str) -> Deed:
    """A deed of the base game that moves no figure."""
    return sure(rules.name(figure, name), now._replace(ip=state.ip, table=state.table), end)


def alone(rules: Rules, now: Situation, emperor: Figure, here: str) -> Iterator[Deed]:
    """What only the active Emperor does."""
    for origin, zone in emperor.voyages(now.table.fleets) if now.ip >= 1 else ():
        table = now.table._replace(fleets=now.table.fleets - {origin} | {zone})
        yield sure(f"sail {origin}>{zone}", now._replace(ip=now.ip - 1, table=table))
    for action in emperor.secure(now.ip, here, now.table):
        yield base(rules, now, rules.active, action.name, action.ways[0].state, action.ways[0].end)
    yield from dux.deployments(rules, now)
    yield from vicarius.deployments(rules, now)
    yield from viaromana.transfers(rules, now, emperor, here)
    yield from imperium.powers(rules, now)


# -- battles -----------------------------------------------------------------------------------------------------


class Battle(NamedTuple):
    """An attack that is made."""

    rules: Rules
    now: Situation
    leader: int
    target: str
    price: int


def targets(rules: Rules, now: Situation, figure: Figure) -> Iterator[tuple[str, int, Strengths]]:
    """The armies that a figure can attack, and the Pirates, with the IP and what counts in the battle."""
    here = str(now.places[figure.figure])
    for army in rules.in_order(now.table.armies):
        price = figure.link_cost(now.table, here, army)
        if price is not None and price <= now.ip and not rebels.guarded(rules, now, army):
            g, e, r, a = figure.strengths(here, now.table, army)
            beside = now.table.armies & figure.linked[here] - {army}
            yield army, price, (g, e, r + goths.bonus(rules, now, army, beside), a)
    if pirates.reached(rules, now, here):
        g, e, r, a = pirates.strengths(rules, now, figure.figure, figure)
        supporters = now.table.armies & pirates.shore(rules, now)
        yield PIRATES, pirates.ATTACK, (g, e, r + goths.bonus(rules, now, PIRATES, supporters), a)


def attacks(rules: Rules, now: Situation, figure: Figure) -> Iterator[Deed]:
    """The attacks of a figure: by dice, after which Galerius can pay, or with the outcomes that are stated."""
    who = figure.figure
    for target, price, (g, e, r, a) in targets(rules, now, figure):
        battle, name = Battle(rules, now, who, target, price), rules.name(who, f"attack {target}")
        paying = imperium.adds(rules, now, who, target)
        if rules.stated is not None:
            outcome = rules.stated.get(target, "")
            for discs in imperium.payments(rules, now) if paying else [()]:
                faces, fewer = (dict(chances(g + many, e, r, a)) for many in (len(discs), max(0, len(discs) - 1)))
                won_for_less = bool(discs) and outcome == "victory" and faces["victory"] == fewer["victory"]
                if faces.get(outcome) and not won_for_less:
                    yield sure(" +".join([f"{name}: {outcome}", *discs]), *fought(battle, outcome, discs))
        elif paying:
            dice = imperium.shown(rules, now, target, price, (g, e, r, a))
            yield Deed(name, [Result(share, str(one), now._replace(dice=one), ON) for one, share in dice.items()])
        else:
            found = [(word, share) for word, share in chances(g, e, r, a) if share]
            yield Deed(name, [Result(share, word, *fought(battle, word)) for word, share in found])


def chances(g: int, e: int, r: int, a: int) -> Iterator[tuple[str, int]]:
    """The outcomes, each with how many of 36 pairs of faces."""
    return zip(("victory", "draw", "defeat"), count_faces(g, e, r, a), strict=True)


def pay(rules: Rules, now: Situation) -> Iterator[Deed]:
    """All that Galerius can make of dice that lie on the table."""
    dice, before = now.dice, now._replace(dice=None)
    assert dice is not None
    battle = Battle(rules, before, rules.active, dice.target, dice.price)
    for discs in imperium.payments(rules, before):
        if discs and dice.outcome(len(discs) - 1) == "victory":
            continue  # he stops when he has won [I-GALERIUS-WON]
        outcome = dice.outcome(len(discs))
        name = " +".join([f"attack {dice.target}: {outcome}", *discs])
        yield sure(name, *fought(battle, outcome, discs))


def fought(battle: Battle, outcome: str, discs: imperium.Payments = ()) -> tuple[Situation, str]:
    """The situation after a battle, and whether the turn goes on."""
    rules, now, leader, target, price = battle
    here, table = str(now.places[leader]), now.table
    after, end = imperium.paid(rules, now, discs)._replace(ip=now.ip - price), ON
    if outcome == "victory" and target == PIRATES:
        after = after._replace(pirates=None)
    elif outcome == "victory":
        table = after.table.without_disc(target)._replace(armies=table.armies - {target})
        left = None if now.goths == target else now.goths
        after = after.put(leader, target)._replace(table=table, goths=left, rebels=now.rebels - {target})
    elif outcome == "defeat":
        after, end = after.put(leader, None), dux.beaten(rules, leader)
        keeps = here in rules.board.borders and rules.readings["I-BORDER-DEFEAT"] == "stays"
        if target == PIRATES:
            after = after._replace(table=pirates.swept(rules, after))
        elif here in after.table.secured() and not keeps:
            after = after._replace(table=after.table.without_disc(here))
    return after._replace(glory=aeterna.glory(rules, after, leader, target, outcome)), end


# -- the end -----------------------------------------------------------------------------------------------------


def ending(rules: Rules, start: Situation, now: Situation) -> Ending:
    """What is looked at when the turn ends; Maximian's seventh IP was not there at its start."""
    gained = imperium.MAXIMIAN_GAINS * (now.power and not start.power and rules.active == MAXIMIAN)
    helpers = {name: str(now.places[who]) for who, name in HELPERS.items() if now.places[who] in rules.board.row}
    purse = imperium.purse(rules, now)
    place, glory = now.places[rules.active], now.glory[rules.active]
    return Ending(now.ip - gained, place, now.table, rules.reserve(now), purse, helpers, now.pirates is not None, glory)
