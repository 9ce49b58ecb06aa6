"""Entering, moving, passing through, and sailing (rulebook page 7).

Each action has an objection, the rule that forbids it or None, and a function that carries it out. `figure` is the figure
that moves: the active Emperor or, where the rules in use have one, another figure of Rome that moves with his IP.
"""

from __future__ import annotations

from tetrasolve.tetrarchia.pieces import HELPERS, VICARIUS
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.links import destinations, move_cost
from tetrasolve.tetrarchia.rules.questions import barred, closed
from tetrasolve.tetrarchia.rules.registry import rule_modules

# -- entering --------------------------------------------------------------------------------------------------


# Rule p07-entry
def entries(position: Position) -> tuple[str, ...]:
    """The provinces where the active Emperor can enter: Roma and his capital."""
    board = position.board
    emperor = board.emperor(position.to_move)
    assert emperor is not None
    return tuple(dict.fromkeys((board.roma, emperor.capital)))


# Rule p07-entry-covered, p08-defeat-comes-back, p09-emperors-come-back
def enter_objection(position: Position, place: str) -> str | None:
    """Why the active Emperor may not enter here."""
    if position.here is not None:
        return "he is on the board already"
    if position.ip < position.ruleset.numbers["ip"]:
        return "an Emperor enters at the start of his turn"
    if place not in entries(position):
        return "an Emperor enters in Roma or in his capital"
    if place != position.board.roma and place in position.discs:
        return f"a disc ({position.discs[place]}) covers his capital"
    if place == position.board.roma and _roma_is_closed(position):
        return f"a disc ({position.discs[place]}) covers Roma [I-ENTRY-ROMA]"
    if place in position.armies:
        return "an army stands there"
    if position.place_of(VICARIUS) == place and position.ruleset.readings["I-VICARIUS-ENTRY"] == "closed":
        return "the Vicarius stands there [I-VICARIUS-ENTRY]"
    if position.others_at(place) and position.ruleset.readings["I-ENTRY-SHARED"] == "free-only":
        return f"{_other(position, place, position.to_move)} stands there [I-ENTRY-SHARED]"
    return _stay_objection(position, position.to_move, place, position.ip)


def _roma_is_closed(position: Position) -> bool:
    """Whether the disc on Roma, if there is one, closes it [I-ENTRY-ROMA]."""
    closed_by, roma = position.ruleset.readings["I-ENTRY-ROMA"], position.board.roma
    return (
        (closed_by == "no-disc" and roma in position.discs)
        or (closed_by in ("no-revolt", "no-unrest") and position.has_revolt(roma))
        or (closed_by == "no-unrest" and position.has_unrest(roma))
    )


def enter(position: Position, place: str) -> Position:
    """Place the active Emperor on the board, at no cost."""
    return position.with_figure(position.to_move, place)


# -- moving ----------------------------------------------------------------------------------------------------


# Rule p05-links, p07-one-figure, p11-one-of-each
def move_objection(position: Position, figure: str, target: str) -> str | None:
    """Why this figure may not move there."""
    here = position.place_of(figure)
    assert here is not None
    cost = move_cost(position, here, target)
    if cost is None:
        return "neither a link nor a fleet leads there"
    if target in position.armies:
        return "an army stands there"
    if rule := closed(position, figure, target):
        return rule
    if cost > position.ip:
        return f"this move costs {cost} IP, {position.ip} are left"
    single = position.ruleset.readings["I-PASS"] == "single"
    if single and position.passing == figure and position.others_at(target, figure):
        return "from a shared province he must move to one without a figure [I-PASS]"
    return _stay_objection(position, figure, target, position.ip - cost)


def move(position: Position, figure: str, target: str) -> Position:
    """Move this figure."""
    here = position.place_of(figure)
    assert here is not None
    cost = move_cost(position, here, target)
    assert cost is not None
    moved = position.with_figure(figure, target).replace(ip=position.ip - cost)
    for module in rule_modules(position).roman:
        moved = module.entered(moved, figure, target)
    return moved


# -- passing through -------------------------------------------------------------------------------------------


# Rule p07-pass-through
def _stay_objection(position: Position, figure: str, place: str, ip: int) -> str | None:
    """Why it may not be here with this number of IP left: it may pass another figure only if it can still move away."""
    if not position.others_at(place, figure) or can_leave(position, figure, place, ip):
        return None
    return f"{_other(position, place, figure)} stands there and he could not move away at once [I-PASS]"


def can_leave(position: Position, figure: str, place: str, ip: int) -> bool:
    """Whether moves with this IP lead from a shared province to one that need not be shared."""
    single = position.ruleset.readings["I-PASS"] == "single"
    for target in destinations(position, place):
        cost = move_cost(position, place, target)
        if target in position.armies or cost is None or cost > ip or closed(position, figure, target):
            continue
        if not position.others_at(target, figure):
            return True
        if not single and can_leave(position, figure, target, ip - cost):
            return True
    return False


def _other(position: Position, place: str, figure: str) -> str:
    """The other figure in a province, in words."""
    helpers = [other for other in position.others_at(place, figure) if other in HELPERS]
    return f"the {helpers[0].title()}" if helpers else "another Emperor" if figure not in HELPERS else "an Emperor"


# -- sailing ---------------------------------------------------------------------------------------------------


def sails(position: Position, origin: int) -> tuple[int, ...]:
    """The zones to which a fleet in this one can sail where they are free: adjacent ones, and those that rule modules add."""
    near = position.board.adjacent(origin)
    more = {zone for module in rule_modules(position).sea for zone in module.sails(position, origin)}
    return (*near, *sorted(more.difference(near)))


# Rule p08-sail-free
def sail_objection(position: Position, origin: int, target: int) -> str | None:
    """Why no fleet may sail from one zone to the other."""
    if origin not in position.fleets:
        return f"no fleet lies in zone {origin}"
    if target not in sails(position, origin):
        return f"zones {origin} and {target} are not adjacent"
    if target in position.fleets:
        return f"a fleet lies in zone {target} already"
    if rule := barred(position, target):
        return rule
    cost = position.ruleset.numbers["sail"]
    if position.ip < cost:
        return f"sailing costs {cost} IP, {position.ip} are left"
    return None


def sail(position: Position, origin: int, target: int) -> Position:
    """Move a fleet to the next zone."""
    fleets = list(position.fleets)
    fleets.remove(origin)  # one of them, where two were placed in a zone [I-FLEETS]
    return position.replace(fleets=(*fleets, target), ip=position.ip - position.ruleset.numbers["sail"])
