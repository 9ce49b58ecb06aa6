"""Actions that modules and variants add: the constraints of pages 12 to 14 for one layer, a function for each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product

from tetrasolve.tetrarchia.action import Outcome, attack, deploy, imperium, transfer
from tetrasolve.tetrarchia.numbers import ARMIES, IP_A_TURN
from tetrasolve.tetrarchia.pieces import DUX, RESERVE, VICARIUS
from tetrasolve.tetrarchia.plan.model.fighting import (
    Tally,
    allies,
    battles,
    counted,
    number,
    own_disc,
    payments,
    rollable,
)
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Lit
from tetrasolve.tetrarchia.plan.model.moving import link_price
from tetrasolve.tetrarchia.plan.model.protecting import printed_is_in_the_way
from tetrasolve.tetrarchia.plan.model.table import (
    ARMY,
    DIOCLETIAN,
    MAXIMIAN,
    PIRATES,
    POWER_USED,
    UNUSED,
    Deed,
    Deeds,
    TurnLayer,
    figure,
)
from tetrasolve.tetrarchia.position import UNREST_DISC

DEPLOY = 2
ATTACK_PIRATES = 2
A_STEP = 1  # a layer that is no IP: a power is free, and yet one action of the turn


def transfers(layer: TurnLayer, here: str) -> Deeds:
    """Via Romana: his own garrison here goes to a linked Roman province without a disc, where no figure is [I-VIA-EMPTY].

    A border stays secured [I-VIA-BORDER]. Printed discs: [I-VIA-OWN], [I-VIA-OTHERS], [I-VIA-ROMA].
    """
    if not layer.uses("via-romana") or (layer.board[here].is_border and layer.reading("I-VIA-BORDER") == "stays"):
        return
    own = (layer.emperor, here)
    for target in layer.board.neighbours(here):
        price = link_price(layer, here, target)
        if layer.board[target].is_border or price is None or printed_is_in_the_way(layer, target, "I-VIA"):
            continue
        empty = TRUE
        if layer.reading("I-VIA-EMPTY") == "no-figure":
            empty = layer.formula.all_of((-layer.table[ARMY, target], -layer.shared(target)))
        conditions = (layer.table[own], -layer.shared(here), layer.free_of_discs(target), empty)
        yield Deed(transfer(target), price, here, conditions, takes=(own,), puts=((layer.emperor, target),))


def dux_deployments(layer: TurnLayer, here: str) -> Deeds:
    """The Dux comes once, to a linked Roman province without a figure, perhaps onto a revolt [I-DUX-REVOLT].

    Whether a broken link serves: [I-DUX-BROKEN].
    """
    unused = (UNUSED, DUX)
    broken_too = layer.reading("I-DUX-BROKEN") == "allowed"
    for target, link in layer.board.neighbours(here).items() if layer.table[unused] != FALSE else ():
        if layer.board[target].is_border or (link.broken and not broken_too):
            continue
        calm = -layer.revolt(target) if layer.reading("I-DUX-REVOLT") == "forbidden" else TRUE
        free = (-layer.table[ARMY, target], -layer.shared(target), calm)
        conditions = (layer.table[unused], -layer.shared(here), *free)
        yield Deed(deploy(DUX, target), DEPLOY, here, conditions, takes=(unused,), puts=((figure(DUX), target),))


def vicarius_deployments(layer: TurnLayer) -> Deeds:
    """The Vicarius comes once, to any Roman province without figure and revolt; he removes unrest there [I-VICARIUS-UNREST].

    `layer` is seen by him: the active Emperor is one of the other figures.
    """
    unused = (UNUSED, VICARIUS)
    for target in layer.board.ids if layer.table[unused] != FALSE else ():
        if layer.board[target].is_border:
            continue
        free = (-layer.table[ARMY, target], -layer.shared(target), -layer.revolt(target))
        puts = ((figure(VICARIUS), target),)
        sweeps = ((UNREST_DISC, target),) if layer.reading("I-VICARIUS-UNREST") == "removed" else ()
        conditions = (layer.table[unused], *free)
        yield Deed(deploy(VICARIUS, target), DEPLOY, target, conditions, takes=(unused,), puts=puts, sweeps=sweeps)


def raids(layer: TurnLayer, here: str, outcomes: Mapping[str, Collection[Outcome]]) -> Deeds:
    """Attacks on the Pirates from their coast, where all provinces count as linked, for 2 IP.

    Victory removes them, defeat the general with all garrisons of the coast.
    """
    for zone in sorted(layer.board[here].zones):
        pirates = (PIRATES, zone)
        if layer.table[pirates] == FALSE:
            continue
        adds = layer.reading("I-GALERIUS-SEA") == "adds"
        for outcome, paying in product(outcomes.get(PIRATES, ()), payments(layer) if adds else range(1)):
            possible = _rollable_at_sea(layer, zone, outcome, paying)
            conditions = (layer.table[pirates], -layer.shared(here), possible)
            won = Deed(attack(PIRATES, outcome), ATTACK_PIRATES, here, conditions, takes=(pirates,), paying=paying)
            yield from battles(layer, here, won, layer.board.coast[zone])


def _rollable_at_sea(layer: TurnLayer, zone: int, outcome: Outcome, added: int) -> Lit:
    """Whether this outcome can be rolled, from any province of the coast."""
    key = (layer.figure, zone, outcome, added)
    if key not in layer.at_sea:
        layer.at_sea[key] = layer.formula.all_of(rollable(layer.formula, outcome, added, _numbers_at_sea(layer, zone)))
    return layer.at_sea[key]


def _numbers_at_sea(layer: TurnLayer, zone: int) -> Sequence[Tally]:
    """Garrisons [I-PIRATES-PRINTED], Emperors, revolts and armies on a coast, and the Goths' bonus.

    Several allies: [I-PIRATES-EMPERORS], [I-PIRATES-ARMIES]; the Goths: [I-GOTHS-SUPPORT], [I-GOTHS-SEA].
    """
    formula, table, coast = layer.formula, layer.table, layer.board.coast[zone]
    printed = layer.reading("I-PIRATES-PRINTED") == "count"
    own = (own_disc(layer, place) if printed else table[layer.emperor, place] for place in coast)
    goths = layer.extras.goths
    support = goths in coast and layer.reading("I-GOTHS-SUPPORT") == "supporter"
    support = support and layer.reading("I-GOTHS-SEA") == "count"
    one_ally, one_army = (layer.reading(f"I-PIRATES-{who}") == "once" for who in ("EMPERORS", "ARMIES"))
    return (
        number(formula, own if layer.figure is None else (), layer.most_own),
        allies(layer, coast, 1 if one_ally else None),
        number(formula, map(layer.revolt, coast)),
        counted(formula, (table[ARMY, place] for place in coast), 1 if one_army else ARMIES),
        number(formula, (table[ARMY, goths],) if support and goths is not None else ()),
    )


def powers(layer: TurnLayer, ip: int) -> Deeds:
    """Diocletian and Maximian use their power once in a turn, for a disc of the reserve or one on the board.

    `ip` are those of the first layer: Maximian may have to decide before he has spent any [I-MAXIMIAN-WHEN]. The discs of
    borders are no price [I-IMPERIUM-BORDER]. That the reserve has a disc is part of `turn`.
    """
    if layer.extras.power not in (DIOCLETIAN, MAXIMIAN) or layer.table[POWER_USED] == TRUE:
        return
    late = layer.extras.power == MAXIMIAN and (layer.spent > 0 or ip < IP_A_TURN)
    if late and layer.reading("I-MAXIMIAN-WHEN") == "first":
        return
    unused = -layer.table[POWER_USED]
    yield Deed(imperium(RESERVE), A_STEP, None, (unused,), puts=(POWER_USED,))
    for place in payable(layer):
        own = (layer.emperor, place)
        yield Deed(imperium(place), A_STEP, None, (unused, layer.table[own]), takes=(own,), puts=(POWER_USED,))


def payable(layer: TurnLayer) -> list[str]:
    """The provinces where a disc may lie with which the active Emperor can pay [I-IMPERIUM-BORDER]."""
    stays = layer.reading("I-IMPERIUM-BORDER") == "stays"
    own = layer.table.all(layer.emperor)
    return [place for place in layer.board.ids if place in own and not (stays and layer.board[place].is_border)]
