"""The steps of Roman phases: each action with tags for what it does, and for what the rules forbid in the position before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import (
    PIRATES,
    SECURE,
    Action,
    Kind,
    Outcome,
    deploy,
    enter,
    move,
    sail,
)
from tetrasolve.tetrarchia.pieces import DUX, HELPERS, VICARIUS
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Battle, Fall
from tetrasolve.tetrarchia.rules.battle import battle, group, linked
from tetrasolve.tetrarchia.rules.links import destinations, link_cost
from tetrasolve.tetrarchia.rules.movement import entries
from tetrasolve.tetrarchia.rules.payment import valued

# A tag for a part of an objection of the reference rules to an action of this kind.
OBJECTIONS: Mapping[tuple[Kind, str], str] = {
    (Kind.SECURE, "a disc ("): "forbids:secure-on-disc",
    (Kind.SECURE, "not free of revolts"): "forbids:border-with-revolt",
    (Kind.SECURE, "the Dux has no garrisons"): "forbids:dux-secures",
    (Kind.SECURE, "he is off the board"): "forbids:off-board",
    (Kind.MOVE, "an army stands there"): "forbids:onto-army",
    (Kind.MOVE, "could not move away at once"): "forbids:staying-with-figure",
    (Kind.END, "he may not end his turn in a province with"): "forbids:staying-with-figure",
    (Kind.MOVE, "the Vicarius has no troops"): "forbids:vicarius-into-revolt",
    (Kind.MOVE, "are left"): "forbids:too-dear",
    (Kind.SAIL, "a fleet lies in zone"): "forbids:zone-with-fleet",
    (Kind.SAIL, "the Pirates keep fleets out"): "forbids:zone-of-pirates",
    (Kind.ENTER, "covers his capital"): "forbids:covered-capital",
    (Kind.ATTACK, "there are no landings"): "forbids:attack-by-sea",
    (Kind.ATTACK, "there must be a Roman fleet"): "forbids:rebels-without-fleet",
    (Kind.DEPLOY, "a figure stands there"): "forbids:deployed-on-figure",
    (Kind.DEPLOY, "a revolt lies there"): "forbids:deployed-on-revolt",
    (Kind.DEPLOY, "has been deployed before"): "forbids:deployed-again",
}


class TurnSteps:
    """The Roman phases of a game; it keeps who was removed by what, and what was done before in the turn."""

    def __init__(self, start: Position) -> None:
        self._left: dict[str, str] = {}  # figures that are off the board, by what removed them
        self._placed = Counter[str]()  # garrisons placed in the game by each Emperor
        self._kinds: list[Kind] = []  # of the turn
        self._on_board = {figure for figure, place in start.emperors.items() if place is not None}

    def phase(self, removed: Mapping[str, str]) -> None:
        """A Barbarian phase in which these figures were removed."""
        self._left |= removed
        self._kinds.clear()

    def action(self, before: Position, action: Action, after: Position | Fall) -> frozenset[str]:
        """The tags of an action."""
        tags = {"action", str(action.kind), f"of-{before.to_move}", _figure(action)}
        tags.update(_forbidden(before))
        if action.kind in self._kinds[:-1] and action.kind is not self._kinds[-1]:
            tags.add("after-others")  # an action of the same kind was done before, and another one since
        self._kinds.append(action.kind)
        tags.update(self._more(before, action, after))
        if isinstance(after, Position):
            tags.update(glory_tags(before, after))
            for figure in before.romans.keys() - after.romans.keys():
                self._left[figure] = "defeat"
                tags.add("dux-removed" if figure == DUX else "emperor-removed")
            if before.phase is not after.phase:
                tags.add("turn-over")
        return frozenset(tags)

    def _more(self, before: Position, action: Action, after: Position | Fall) -> Iterator[str]:
        match action.kind:
            case Kind.ENTER:
                yield "roma" if action.place == before.board.roma else "capital"
                yield f"after-{self._left[before.to_move]}" if before.to_move in self._left else "first"
            case Kind.MOVE:
                yield from _move_tags(before, action, after)
            case Kind.SECURE:
                yield from self._secure_tags(before)
            case Kind.REMOVE:
                yield "revolt" if before.has_revolt(_place(before, action)) else "unrest"
            case Kind.ATTACK:
                yield from _attack_tags(before, action, after)
            case Kind.END:
                yield "on-board" if before.here is not None else "off-board"
                yield "ip-left" if before.ip else "no-ip-left"
            case Kind.TRANSFER:
                link = before.board.link(_place(before, action), action.place or "")
                yield "broken" if link is not None and link.broken else "normal"

    def _secure_tags(self, before: Position) -> Iterator[str]:
        here = before.here
        assert here is not None
        self._placed[before.to_move] += 1
        yield "border" if before.board[here].is_border else "province"
        if self._placed[before.to_move] > before.ruleset.garrisons - before.removed.get(before.to_move, 0):
            yield "placed-again"  # more were placed than he has: one of them was on the board before
        if before.board[here].is_border and any(
            before.has_revolt(place) and before.board[place].region != before.board[here].region
            for place in before.board.neighbours(here)
        ):
            yield "beside-foreign-revolt"


def _figure(action: Action) -> str:
    """Who acts: the active Emperor, the Dux, the Vicarius, or another Emperor."""
    return "emperor" if action.figure is None else action.figure if action.figure in HELPERS else "other-emperor"


def _place(before: Position, action: Action) -> str:
    place = before.place_of(action.figure or before.to_move)
    assert place is not None, "who acts is on the board"
    return place


def glory_tags(before: Position, after: Position) -> Iterator[str]:
    """Whether an Emperor has taken or given back a disc of glory."""
    for emperor, discs in after.glory.items():
        if discs != before.glory.get(emperor, 0):
            yield "glory-taken" if discs > before.glory.get(emperor, 0) else "glory-given"


def _move_tags(before: Position, action: Action, after: Position | Fall) -> Iterator[str]:
    """A move through a link, or (``sea``) by a fleet where that is cheaper."""
    origin, target = _place(before, action), action.place
    assert target is not None
    price, by_link, figure = rules.cost(before, action), link_cost(before, origin, target), action.figure
    toll = before.has_revolt(target)
    if by_link == price:
        link = before.board.link(origin, target)
        yield "broken" if link is not None and link.broken else "normal"
    else:
        yield "sea"
        if price - toll > 1:
            yield "joined-zones"
        if not set(before.board[origin].zones) & set(before.board[target].zones):
            yield "other-zone"
    if toll:
        yield "into-revolt"
    if before.others_at(target, figure or before.to_move):
        yield "into-shared"
    if before.passing == (figure or before.to_move):
        yield "out-of-shared"
    if figure == VICARIUS and before.has_unrest(target) and isinstance(after, Position) and target not in after.discs:
        yield "unrest-gone"


def _attack_tags(before: Position, action: Action, after: Position | Fall) -> Iterator[str]:
    leader, place, target = action.figure or before.to_move, _place(before, action), action.place
    assert target is not None and action.outcome is not None
    yield str(action.outcome)
    yield "pirates" if target == PIRATES else "rebels" if target in before.rebels else "army"
    if action.payments:
        yield "paid"
    position = valued(before, action)
    yield from fight_tags(position, leader, target, battle(position, leader, target))
    if target != PIRATES:
        yield "by-land"
        link = before.board.link(place, target)
        yield "broken" if link is not None and link.broken else "normal"
        if action.outcome is Outcome.VICTORY and target in before.discs:
            yield "disc-removed"
    if isinstance(after, Position) and any(before.has_garrison(p) and not after.has_garrison(p) for p in before.discs):
        yield "garrison-lost"


def fight_tags(position: Position, leader: str, army: str, values: Battle) -> Iterator[str]:
    """What counts in a battle, and what does not."""
    counted = {
        "garrisons": values.garrisons,
        "emperors": values.emperors,
        "revolts": values.revolts,
        "armies": values.armies,
        "goths-bonus": values.bonus,
    }
    yield from (f"with-{name}" for name, value in counted.items() if value)
    if army == PIRATES:
        return
    place, own = position.generals[leader], position.own_discs(leader)
    groups = {group(position, start, own) for start in (place, *linked(position, place)) if start in own}
    if len(groups) > 1:
        yield "second-group"
    if any(position.has_garrison(p) and position.discs[p] != leader for p in (place, *linked(position, place))):
        yield "others-garrison"
    dux = position.place_of(DUX)
    if leader != DUX and dux is not None and dux in linked(position, army):
        yield "with-dux"
    vicarius = position.place_of(VICARIUS)
    if vicarius is not None and vicarius in linked(position, army):
        yield "beside-vicarius"


# -- what is forbidden -------------------------------------------------------------------------------------------------


def _candidates(position: Position) -> Iterator[Action]:
    """Actions that somebody may think of: some are legal, and of the others the first objection counts."""
    here = position.here
    yield SECURE
    yield Action(Kind.END)
    if here is None:
        yield from map(enter, entries(position))
        return
    figures = [(None, here), *((f, place) for f in HELPERS if (place := position.place_of(f)) is not None)]
    for figure, place in figures:
        yield from (move(target, figure) for target in destinations(position, place))
    for zone in position.fleets:
        yield from (sail(zone, other) for other in position.board.adjacent(zone))
    for army in position.armies:
        linked_ = link_cost(position, here, army) is not None
        by_sea = set(position.board[here].zones) & set(position.board[army].zones) & set(position.fleets)
        if linked_ or by_sea:
            yield Action(Kind.ATTACK, army)
    if position.place_of(DUX) is not None:
        yield Action(Kind.SECURE, figure=DUX)
    near = position.board.neighbours(here)
    yield from (deploy(helper, place) for helper in HELPERS if helper in position.ruleset.modules for place in near)


@lru_cache(maxsize=64)
def _forbidden(position: Position) -> frozenset[str]:
    """The tags of the objections in a position."""
    found: set[str] = set()
    for action in _candidates(position):
        rule = rules.objection(position, action)
        if rule is not None:
            found.update(_tags_of(action, rule))
    return frozenset(found)


def _tags_of(action: Action, rule: str) -> Iterable[str]:
    if "shares a province with" in rule:
        yield "forbids:staying-with-figure"
    for (kind, part), tag in OBJECTIONS.items():
        if kind is action.kind and part in rule:
            yield f"{tag}:{action.figure}" if kind is Kind.DEPLOY else tag
