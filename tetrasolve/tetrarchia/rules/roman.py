"""The Roman phase (rulebook page 7): what the active Emperor may do with his 6 IP, and what comes of it.

Entering, moving and sailing are in `movement`, securing and subduing in `protection`, combat values in `battle`.
`objection` names the rule that forbids an action; `legal_actions` are those without one.
"""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.errors import AmbiguousActionError, IllegalActionError
from tetrasolve.tetrarchia.action import END, REDUCE, REMOVE, SECURE, Action, Kind, Outcome, attack, read_action
from tetrasolve.tetrarchia.action import enter as enter_action
from tetrasolve.tetrarchia.action import move as move_action
from tetrasolve.tetrarchia.action import sail as sail_action
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import movement, protection
from tetrasolve.tetrarchia.rules.battle import battle
from tetrasolve.tetrarchia.rules.chance import Roll
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.links import destinations, link_cost, move_cost

# -- what is legal ---------------------------------------------------------------------------------------------


def legal_actions(position: Position) -> tuple[Action, ...]:
    """Every action the active Emperor may take now, an attack once for each outcome that can be rolled.

    Stopping is not among them: see `may_end`. After a victory, a fall or the end of the turn there are none.
    """
    return tuple(action for action in _candidates(position) if objection(position, action) is None)


def _candidates(position: Position) -> Iterator[Action]:
    """Every action worth asking about: where he could enter, or all he could do from where he stands."""
    here = position.here
    if here is None:
        yield from map(enter_action, movement.entries(position))
        return
    yield from map(move_action, destinations(position, here))
    for origin in position.fleets:
        for target in position.board.adjacent(origin):
            yield sail_action(origin, target)
    yield from (SECURE, REMOVE, REDUCE)
    for army in position.armies:
        for outcome in Outcome:
            yield attack(army, outcome)


def objection(position: Position, action: Action) -> str | None:
    """The rule that forbids this action here, in a few words; None when it is legal."""
    match action.kind:
        case Kind.ENTER:
            assert action.place is not None
            return _phase_objection(position) or movement.enter_objection(position, action.place)
        case Kind.END:
            return _phase_objection(position) or end_objection(position)
        case Kind.MOVE:
            assert action.place is not None
            return _board_objection(position) or movement.move_objection(position, action.place)
    return _turn_objection(position) or _work_objection(position, action)


def _phase_objection(position: Position) -> str | None:
    """Why nothing at all can be done any more."""
    if position.is_won:
        return "the game is won"
    return None if position.phase is Phase.ROMAN else "the Emperor's turn is over"


def _board_objection(position: Position) -> str | None:
    """Why the active Emperor cannot even move."""
    return _phase_objection(position) or ("he is off the board" if position.here is None else None)


def _turn_objection(position: Position) -> str | None:
    """Why the active Emperor cannot do anything but move."""
    shared = "he shares a province with another Emperor and must move away first"
    return _board_objection(position) or (shared if position.is_shared else None)


def _work_objection(position: Position, action: Action) -> str | None:
    match action.kind:
        case Kind.SAIL:
            assert action.zones is not None
            return movement.sail_objection(position, *action.zones)
        case Kind.SECURE:
            return protection.secure_objection(position)
        case Kind.REMOVE:
            return protection.remove_objection(position)
        case Kind.REDUCE:
            return protection.reduce_objection(position)
        case Kind.ATTACK:
            assert action.place is not None and action.outcome is not None
            return attack_objection(position, action.place, action.outcome)
    raise AssertionError(f"entering, moving and ending are dealt with before: {action}")


def may_end(position: Position) -> bool:
    """Whether the active Emperor may stop here."""
    return objection(position, END) is None


def end_objection(position: Position) -> str | None:
    """Why the active Emperor may not stop here."""
    if position.is_shared:
        return "he may not end his turn in a province with another Emperor"
    if position.here is None and position.ruleset.readings["I-ENTRY"] == "must":
        open_entries = [p for p in movement.entries(position) if movement.enter_objection(position, p) is None]
        if open_entries:
            return "he is off the board and must enter, since he can [I-ENTRY]"
    return None


# -- what an action costs and does -----------------------------------------------------------------------------


def cost(position: Position, action: Action) -> int:
    """The IP of a legal action."""
    here = position.here
    match action.kind:
        case Kind.ENTER | Kind.END:
            return 0
        case Kind.MOVE:
            assert here is not None and action.place is not None
            price = move_cost(position, here, action.place)
        case Kind.SAIL:
            price = movement.SAIL_COST
        case Kind.SECURE:
            assert here is not None
            price = protection.secure_cost(position, here)
        case Kind.REMOVE:
            assert here is not None
            price = protection.remove_cost(position, here)
        case Kind.REDUCE:
            price = protection.REDUCE_REVOLT
        case Kind.ATTACK:
            assert here is not None and action.place is not None
            price = link_cost(position, here, action.place)
    assert price is not None
    return price


def play(position: Position, action: Action) -> Position | Fall:
    """The position after an action of the active Emperor.

    :raises IllegalActionError: when a rule forbids it; the rule is named.
    """
    rule = objection(position, action)
    if rule is not None:
        raise IllegalActionError(action, rule)
    match action.kind:
        case Kind.ENTER:
            assert action.place is not None
            return movement.enter(position, action.place)
        case Kind.MOVE:
            assert action.place is not None
            return movement.move(position, action.place)
        case Kind.SAIL:
            assert action.zones is not None
            return movement.sail(position, *action.zones)
        case Kind.SECURE:
            return protection.secure(position)
        case Kind.REMOVE:
            return protection.remove(position)
        case Kind.REDUCE:
            return protection.reduce(position)
        case Kind.ATTACK:
            assert action.place is not None and action.outcome is not None
            return after_attack(position, action.place, action.outcome)
        case Kind.END:
            return position.replace(phase=Phase.BARBARIAN, ip=0)


# -- attack ----------------------------------------------------------------------------------------------------


def attack_objection(position: Position, army: str, outcome: Outcome | None = None) -> str | None:
    """Why the active Emperor may not attack the army there, or why the battle cannot end in this way."""
    here = position.here
    assert here is not None
    if army not in position.armies:
        return "no army stands there"
    price = link_cost(position, here, army)
    if price is None:
        return "no link leads there, and there are no landings"
    if price > position.ip:
        return f"this attack costs {price} IP, {position.ip} are left"
    if outcome is not None and outcome not in battle(position, position.to_move, army).chances():
        return f"a {outcome} cannot be rolled"
    return None


def after_attack(position: Position, army: str, outcome: Outcome) -> Position:
    """The position after an attack of the active Emperor that ended like this."""
    here = position.here
    assert here is not None
    price = link_cost(position, here, army)
    assert price is not None
    paid = position.replace(ip=position.ip - price)
    if outcome is Outcome.VICTORY:
        return paid.with_army(army, None).with_disc(army, None).with_emperor(position.to_move, army)
    if outcome is Outcome.DRAW:
        return paid
    return _beaten(paid, here).replace(phase=Phase.BARBARIAN, ip=0)


def _beaten(position: Position, here: str) -> Position:
    """The active Emperor goes off the board with any garrison under him; a border stays secured [I-BORDER-DEFEAT]."""
    beaten = position.with_emperor(position.to_move, None)
    keeps = position.board[here].is_border and position.ruleset.readings["I-BORDER-DEFEAT"] == "stays"
    return beaten.with_disc(here, None) if position.has_garrison(here) and not keeps else beaten


def attack_roll(position: Position, army: str) -> Roll[Action]:
    """The dice of an attack on the army there: which attack action each pair of faces makes of it.

    :raises IllegalActionError: when the attack is not legal.
    """
    rule = _turn_objection(position) or attack_objection(position, army)
    if rule is not None:
        raise IllegalActionError(f"attack {army}", rule)
    faces = battle(position, position.to_move, army).outcomes()
    return Roll(("Roman die", "Barbarian die"), tuple(attack(army, outcome) for outcome in faces))


# -- reading what a player types -------------------------------------------------------------------------------


def parse(position: Position, text: str) -> Action:
    """The legal action that a text means here.

    :raises UnreadableActionError: when it is no action.
    :raises IllegalActionError: when the rules forbid it here; the rule is named.
    :raises AmbiguousActionError: when several legal actions fit; they are listed.
    """
    readings = read_action(text, position.board)
    legal = [action for action in readings if objection(position, action) is None]
    if len(legal) == 1:
        return legal[0]
    if legal:
        raise AmbiguousActionError(text, legal)
    rules = dict.fromkeys(str(objection(position, action)) for action in readings)
    raise IllegalActionError(text.strip(), " / ".join(rules))
