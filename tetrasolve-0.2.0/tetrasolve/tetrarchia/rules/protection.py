"""Securing provinces and borders, subduing revolts and unrest (rulebook page 8).

Only the active Emperor secures; `figure`, who subdues, can be another figure where the rules in use have one.
"""

from __future__ import annotations

from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.reserve import put_unrest

# -- secure ----------------------------------------------------------------------------------------------------


def secure_cost(position: Position, place: str) -> int:
    """IP to place a garrison here."""
    return position.ruleset.numbers["secure-border" if position.board[place].is_border else "secure"]


# Rule p08-secure-no-disc, p08-border-no-revolt, p11-own-border
def secure_objection(position: Position) -> str | None:
    """Why the active Emperor may not put a garrison where he stands."""
    here = position.here
    assert here is not None
    if here in position.discs:
        return f"a disc ({position.discs[here]}) lies there"
    if rule := printed_objection(position, here, "I-SECURE"):
        return rule
    if position.reserve_garrisons(position.to_move) <= 0:
        return "he has no garrison left in the reserve"
    province = position.board[here]
    if province.is_border:
        revolts = [p for p in position.board.members(province.region) if position.has_revolt(p)]
        if revolts:
            return f"the region of this border is not free of revolts ({', '.join(revolts)})"
    cost = secure_cost(position, here)
    return None if cost <= position.ip else f"securing costs {cost} IP here, {position.ip} are left"


def printed_objection(position: Position, there: str, readings: str) -> str | None:
    """Why a printed disc keeps a garrison of the active Emperor away, as the readings of these names say.

    ``"I-SECURE"`` stands for [I-SECURE-OWN], [I-SECURE-OTHERS] and [I-SECURE-ROMA].
    """
    printed = position.board[there].printed
    if not printed:
        return None
    whose = "OWN" if position.to_move in printed else "OTHERS"
    reading = f"{readings}-{'ROMA' if there == position.board.roma else whose}"
    return f"a printed disc lies there [{reading}]" if position.ruleset.readings[reading] == "forbidden" else None


def secure(position: Position) -> Position:
    """Place a garrison of the active Emperor in his province."""
    assert position.here is not None
    cost = secure_cost(position, position.here)
    return position.with_disc(position.here, position.to_move).replace(ip=position.ip - cost)


# -- subdue ----------------------------------------------------------------------------------------------------


def remove_cost(position: Position, place: str) -> int:
    """IP to take the revolt or unrest away that lies here."""
    return position.ruleset.numbers["remove-revolt" if position.has_revolt(place) else "remove-unrest"]


# Rule p08-subdue-here, p11-garrisons-stay
def remove_objection(position: Position, figure: str) -> str | None:
    """Why there is nothing to remove where this figure stands, or not enough IP."""
    here = position.place_of(figure)
    assert here is not None
    if not (position.has_revolt(here) or position.has_unrest(here)):
        return "neither a revolt nor an unrest lies there"
    cost = remove_cost(position, here)
    return (
        None if cost <= position.ip else f"removing the {position.discs[here]} costs {cost} IP, {position.ip} are left"
    )


def remove(position: Position, figure: str) -> Position:
    """Return the revolt or unrest in this figure's province to the reserve."""
    here = position.place_of(figure)
    assert here is not None
    cost = remove_cost(position, here)
    return position.with_disc(here, None).replace(ip=position.ip - cost)


def reduce_objection(position: Position, figure: str) -> str | None:
    """Why this figure may not turn a revolt into unrest where it stands."""
    here = position.place_of(figure)
    assert here is not None
    if not position.has_revolt(here):
        return "no revolt lies there"
    if position.reserve_unrest <= 0 and position.ruleset.readings["I-RESERVE"] == "illegal":
        return "no unrest is left in the reserve [I-RESERVE]"
    cost = position.ruleset.numbers["reduce-revolt"]
    if position.ip < cost:
        return f"reducing a revolt costs {cost} IP, {position.ip} are left"
    return None


def reduce(position: Position, figure: str) -> Position | Fall:
    """Replace the revolt in this figure's province with an unrest."""
    here = position.place_of(figure)
    assert here is not None
    return put_unrest(position.replace(ip=position.ip - position.ruleset.numbers["reduce-revolt"]), here)
