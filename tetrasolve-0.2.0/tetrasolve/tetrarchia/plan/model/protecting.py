"""Securing and subduing: the constraints of page 8 for one layer."""

from __future__ import annotations

from tetrasolve.tetrarchia.action import REDUCE, REMOVE
from tetrasolve.tetrarchia.action import SECURE as SECURE_ACTION
from tetrasolve.tetrarchia.plan.model.table import FALLEN, Deed, Deeds, TurnLayer
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC

SECURE, SECURE_BORDER = 1, 2
REMOVE_REVOLT, REMOVE_UNREST, REDUCE_REVOLT = 2, 1, 1


def secures(layer: TurnLayer, here: str) -> Deeds:
    """Placing a garrison where no disc lies; on a border only if its region is free of revolts.

    The limit of the reserve is part of `turn`, which counts all garrisons placed.
    """
    province = layer.board[here]
    if printed_is_in_the_way(layer, here, "I-SECURE"):
        return
    conditions = [layer.free_of_discs(here), -layer.shared(here)]
    if province.is_border:
        conditions += [-layer.revolt(member) for member in layer.board.members(province.region)]
    price = SECURE_BORDER if province.is_border else SECURE
    yield Deed(SECURE_ACTION, price, here, tuple(conditions), puts=((layer.emperor, here),))


def printed_is_in_the_way(layer: TurnLayer, there: str, readings: str) -> bool:
    """Whether a printed disc keeps a garrison away, as the readings of these names say: [I-SECURE-OWN], [I-SECURE-OTHERS]..."""
    printed = layer.board[there].printed
    if not printed:
        return False
    whose = "OWN" if layer.emperor in printed else "OTHERS"
    return layer.reading(f"{readings}-{'ROMA' if there == layer.board.roma else whose}") == "forbidden"


def subdues(layer: TurnLayer, here: str) -> Deeds:
    """Removing a revolt or an unrest; reducing a revolt while an unrest is left in the reserve [I-RESERVE]."""
    revolt, unrest = (REVOLT_DISC, here), (UNREST_DISC, here)
    alone = -layer.shared(here)
    yield Deed(REMOVE, REMOVE_REVOLT, here, (layer.revolt(here), alone), takes=(revolt,))
    yield Deed(REMOVE, REMOVE_UNREST, here, (layer.unrest(here), alone), takes=(unrest,))
    reducible = (layer.revolt(here), alone)
    yield Deed(REDUCE, REDUCE_REVOLT, here, (*reducible, layer.unrest_left), takes=(revolt,), puts=(unrest,))
    if layer.reading("I-RESERVE") == "falls":
        yield Deed(REDUCE, REDUCE_REVOLT, None, (*reducible, -layer.unrest_left), ends=FALLEN)
