"""The Roman phase (rulebook page 7): the legal actions of the active Emperor, their costs and effects.

Entering, moving and sailing are in `movement`, securing and subduing in `protection`, combat values in `battle`; rule modules
add and forbid actions through `hooks`. `objection` names the rule that forbids an action; `legal_actions` are those without
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tetrasolve.errors import AmbiguousActionError, IllegalActionError
from tetrasolve.tetrarchia.action import (
    END,
    REDUCE,
    REMOVE,
    SECURE,
    Action,
    Kind,
    Outcome,
    attack,
    read_action,
)
from tetrasolve.tetrarchia.action import enter as enter_action
from tetrasolve.tetrarchia.action import move as move_action
from tetrasolve.tetrarchia.action import sail as sail_action
from tetrasolve.tetrarchia.pieces import DUX, HELPERS, REMOVED, Counts
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import movement, protection
from tetrasolve.tetrarchia.rules.battle import battle, remove_army
from tetrasolve.tetrarchia.rules.chance import Roll
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.hooks import ATTACKS
from tetrasolve.tetrarchia.rules.links import attack_cost, destinations, move_cost
from tetrasolve.tetrarchia.rules.payment import STOPS, outcomes_of, payable, payment_objection, valued
from tetrasolve.tetrarchia.rules.questions import ban, fought, owner
from tetrasolve.tetrarchia.rules.registry import rule_modules

NOT_IN_USE = "that is the rule of a module or variant that is not in use"

# -- what is legal ---------------------------------------------------------------------------------------------


# Rule p07-any-order
def legal_actions(position: Position) -> tuple[Action, ...]:
    """Every legal action, an attack once for each possible outcome.

    Ending the turn is not among them: see `may_end`. After a victory, a fall or the end of the turn there are none.
    """
    return tuple(action for action in _candidates(position) if objection(position, action) is None)


def _candidates(position: Position) -> Iterator[Action]:
    """Every action that may be legal: entering, or the actions from his province."""
    here = position.here
    if here is None:
        yield from map(enter_action, movement.entries(position))
        if position.ruleset.readings["I-HELPERS-ALONE"] != "none":
            for module in rule_modules(position).actions:
                yield from (action for action in module.candidates(position) if action.figure in HELPERS)
        return
    yield from moves(position, here)
    yield from sails(position)
    yield from (SECURE, REMOVE, REDUCE)
    yield from attacks(position)
    for module in rule_modules(position).actions:
        yield from module.candidates(position)


def sails(position: Position, figure: str | None = None) -> Iterator[Action]:
    """The ways of the fleets, which this figure sends."""
    for origin in dict.fromkeys(position.fleets):
        for target in movement.sails(position, origin):
            yield replace(sail_action(origin, target), figure=figure)


def moves(position: Position, origin: str, figure: str | None = None) -> Iterator[Action]:
    """The moves of a figure in this province that may be legal."""
    return (move_action(target, figure) for target in destinations(position, origin))


def attacks(position: Position, figure: str | None = None) -> Iterator[Action]:
    """The attacks that may be legal."""
    return (attack(army, outcome, figure) for army in position.armies for outcome in Outcome)


def objection(position: Position, action: Action) -> str | None:
    """The rule that forbids this action here, in a few words; None when it is legal.

    An attack without an outcome means the attack with any outcome.
    """
    match action.kind:
        case Kind.ENTER | Kind.END if action.figure is not None:
            return f"only an Emperor can {action.kind}"
        case Kind.ENTER:
            assert action.place is not None
            return (
                _phase_objection(position)
                or _passing_objection(position, action)
                or movement.enter_objection(position, action.place)
            )
        case Kind.END:
            return _phase_objection(position) or end_objection(position)
    module = owner(position, action)
    return (
        _board_objection(position, action)
        or _strange_objection(position, action)
        or (_actor_objection(position, action) if module is None else None)
        or _passing_objection(position, action)
        or ban(position, action)
        or (_work_objection(position, action) if module is None else module.objection(position, action))
        or payment_objection(position, action)
        or _stranded_objection(position, action)
    )


def _phase_objection(position: Position) -> str | None:
    """Why no action is legal any more."""
    if position.is_won:
        return "the game is won"
    return None if position.phase is Phase.ROMAN else "the Emperor's turn is over"


# Rule p07-ip-on-board
def _board_objection(position: Position, action: Action) -> str | None:
    """Why only entering is legal: IP belong to an Emperor on the board; for helpers [I-HELPERS-ALONE]."""
    if (rule := _phase_objection(position)) or position.here is not None:
        return rule
    alone = position.ruleset.readings["I-HELPERS-ALONE"]
    deploys = action.kind is Kind.DEPLOY
    if alone == "none" or action.figure not in HELPERS or (deploys and (alone == "act" or action.figure == DUX)):
        return "he is off the board"
    return None


def _strange_objection(position: Position, action: Action) -> str | None:
    """Why an action cannot be paid for, or lead another Emperor, where no rule module allows it."""
    if action.payments or action.figure in position.emperors:
        return None if any(module.knows(action) for module in rule_modules(position).roman) else NOT_IN_USE
    return None


def _actor_objection(position: Position, action: Action) -> str | None:
    """Why this figure cannot act at all, or why an action that no rule module owns does not exist in this game."""
    elsewhere = action.place is not None and action.place not in position.board.provinces
    if elsewhere or action.kind in (Kind.DEPLOY, Kind.TRANSFER, Kind.IMPERIUM):
        return NOT_IN_USE
    if action.figure is not None and position.place_of(action.figure) is None:
        return f"{'the ' if action.figure in HELPERS else ''}{action.figure.title()} is not on the board"
    return None


# Rule p07-pass-through
def _passing_objection(position: Position, action: Action) -> str | None:
    """Why only moving on is legal: two figures of Rome share a province."""
    passing = position.passing
    if passing is None or (action.kind is Kind.MOVE and _actor(position, action) in _movers(position, passing)):
        return None
    if action.kind is Kind.IMPERIUM and position.ruleset.readings["I-PASS-POWER"] == "may":
        return None
    if _helps(position, action, passing):
        return None
    if passing not in HELPERS and passing == _actor(position, action):
        return f"he shares a province with {_company(position)} and must move away first"
    who = f"the {passing.title()}" if passing in HELPERS else "the Emperor"
    return f"{who} shares a province with {_company(position)} and must move away first"


def _helps(position: Position, action: Action, passing: str) -> bool:
    """Whether a figure elsewhere acts before the one who passes has moved on [I-PASS-HELPERS]; it attacks nobody then."""
    if position.ruleset.readings["I-PASS-HELPERS"] == "wait" or action.kind in (Kind.ATTACK, Kind.ENTER):
        return False
    if position.ruleset.readings["I-PASS-HELPERS"] != "all" and (passing in HELPERS or action.figure not in HELPERS):
        return False
    who = _actor(position, action)
    return who != passing and who not in position.others_at(position.romans[passing], passing)


def _stranded_objection(position: Position, action: Action) -> str | None:
    """Why a figure that acts in between leaves the one who passes no way on [I-PASS-HELPERS]."""
    passing = position.passing
    if passing is None or not _helps(position, action, passing):
        return None
    after = _carried_out(position, action)
    if isinstance(after, Fall):
        return None
    if after.passing != passing:
        return "the figure that shares a province must move away first, before another passes one [I-PASS-HELPERS]"
    if not movement.can_leave(after, passing, after.romans[passing], after.ip):
        return "the figure that shares a province could not move away any more [I-PASS-HELPERS]"
    return None


def _movers(position: Position, passing: str) -> tuple[str, ...]:
    """The figures that may move away from a shared province: the one who came, or either [I-MAKE-ROOM]."""
    if position.ruleset.readings["I-MAKE-ROOM"] == "newcomer":
        return (passing,)
    return (passing, *position.others_at(position.romans[passing], passing))


def _company(position: Position) -> str:
    """The other figure in a shared province, in words."""
    passing = position.passing
    assert passing is not None
    helpers = [other for other in position.others_at(position.romans[passing], passing) if other in HELPERS]
    return f"the {helpers[0].title()}" if helpers else "an Emperor" if passing in HELPERS else "another Emperor"


def _actor(position: Position, action: Action) -> str:
    """The figure that acts."""
    return action.figure or position.to_move


def _work_objection(position: Position, action: Action) -> str | None:
    figure = _actor(position, action)
    match action.kind:
        case Kind.MOVE:
            assert action.place is not None
            return movement.move_objection(position, figure, action.place)
        case Kind.SAIL:
            assert action.zones is not None
            return movement.sail_objection(position, *action.zones)
        case Kind.SECURE:
            return protection.secure_objection(position)
        case Kind.REMOVE:
            return protection.remove_objection(position, figure)
        case Kind.REDUCE:
            return protection.reduce_objection(position, figure)
        case Kind.ATTACK:
            assert action.place is not None
            return attack_objection(
                valued(position, action), figure, action.place, action.outcome, len(action.payments)
            )
    raise AssertionError(f"entering and ending are dealt with before: {action}")


# Rule p07-ip
def may_end(position: Position) -> bool:
    """Whether the active Emperor may end his turn here."""
    return objection(position, END) is None


def end_objection(position: Position) -> str | None:
    """Why the active Emperor may not end his turn here."""
    if position.is_shared:
        return f"he may not end his turn in a province with {_company(position)}"
    if position.here is None and position.ruleset.readings["I-ENTRY"] == "must":
        open_entries = [p for p in movement.entries(position) if movement.enter_objection(position, p) is None]
        if open_entries:
            return "he is off the board and must enter, since he can [I-ENTRY]"
    return None


# -- what an action costs and does -----------------------------------------------------------------------------


def cost(position: Position, action: Action) -> int:
    """The IP of a legal action."""
    module = owner(position, action)
    if module is not None:
        return module.cost(position, action)
    here = position.place_of(_actor(position, action))
    match action.kind:
        case Kind.ENTER | Kind.END:
            return 0
        case Kind.MOVE:
            assert here is not None and action.place is not None
            price = move_cost(position, here, action.place)
        case Kind.SAIL:
            price = position.ruleset.numbers["sail"]
        case Kind.SECURE:
            assert here is not None
            price = protection.secure_cost(position, here)
        case Kind.REMOVE:
            assert here is not None
            price = protection.remove_cost(position, here)
        case Kind.REDUCE:
            price = position.ruleset.numbers["reduce-revolt"]
        case Kind.ATTACK:
            assert here is not None and action.place is not None
            price = attack_cost(position, here, action.place)
    assert price is not None
    return price


def play(position: Position, action: Action) -> Position | Fall:
    """The position after an action.

    :raises IllegalActionError: when a rule forbids it; the rule is named.
    """
    rule = objection(position, action)
    if rule is not None:
        raise IllegalActionError(action, rule)
    return _carried_out(position, action)


def _carried_out(position: Position, action: Action) -> Position | Fall:
    """The position after a legal action."""
    module, figure = owner(position, action), _actor(position, action)
    for payee in rule_modules(position).roman if action.payments else ():
        position = payee.pay(position, action)
    if module is not None:
        return module.play(position, action)
    match action.kind:
        case Kind.ENTER:
            assert action.place is not None
            return movement.enter(position, action.place)
        case Kind.MOVE:
            assert action.place is not None
            return movement.move(position, figure, action.place)
        case Kind.SAIL:
            assert action.zones is not None
            return movement.sail(position, *action.zones)
        case Kind.SECURE:
            return protection.secure(position)
        case Kind.REMOVE:
            return protection.remove(position, figure)
        case Kind.REDUCE:
            return protection.reduce(position, figure)
        case Kind.ATTACK:
            assert action.place is not None and action.outcome is not None
            return after_attack(position, action.place, action.outcome, figure)
        case Kind.END:
            return _turn_over(position)
    raise AssertionError(f"an action of no rule module that is no action of the base game: {action}")


def _turn_over(position: Position) -> Position:
    """The Barbarian phase follows."""
    position = position.replace(phase=Phase.BARBARIAN, ip=0)
    for module in rule_modules(position).turns:
        position = module.turn_over(position)
    return position


# -- attack ----------------------------------------------------------------------------------------------------


# Rule p08-attack-link, p08-attack-cost, p11-no-landings
def attack_objection(
    position: Position, figure: str, army: str, outcome: Outcome | None = None, added: int = 0
) -> str | None:
    """Why this general may not attack the army there, or why the battle cannot end in this way.

    `added` is the bonus of the Roman die after the roll.
    """
    here = position.place_of(figure)
    assert here is not None
    if army not in position.armies:
        return "no army stands there"
    price = attack_cost(position, here, army)
    if price is None:
        return "no link leads there, and there are no landings"
    if price > position.ip:
        return f"this attack costs {price} IP, {position.ip} are left"
    if outcome is not None and outcome not in battle(position, figure, army).raised(added).chances():
        return f"a {outcome} cannot be rolled"
    return None


# Rule p08-attack-stays, p08-victory-moves, p08-draw
def after_attack(position: Position, army: str, outcome: Outcome, figure: str | None = None) -> Position | Fall:
    """The position after an attack of this general (default: the active Emperor) with this outcome."""
    leader = figure or position.to_move
    here = position.place_of(leader)
    assert here is not None
    price = attack_cost(position, here, army)
    assert price is not None
    paid = position.replace(ip=position.ip - price)
    if outcome is Outcome.VICTORY:
        return fought(remove_army(paid, army).with_figure(leader, army), leader, outcome, ATTACKS)
    if outcome is Outcome.DRAW:
        return fought(paid, leader, outcome, ATTACKS)
    return fought(_beaten(paid, leader, here), leader, outcome, ATTACKS)


# Rule p08-defeat-removes
def _beaten(position: Position, leader: str, here: str) -> Position:
    """Remove a beaten general with any garrison under him, and end the turn."""
    return end_of_defeat(without_garrisons(position.with_figure(leader, None), (here,)), leader)


# Rule p11-garrisons-return
def without_garrisons(position: Position, places: Iterable[str], reading: str = "I-GARRISON-ATTACK") -> Position:
    """Remove the garrisons of all Emperors in these provinces; a border stays secured [I-BORDER-DEFEAT].

    `reading` says whether they return to the reserve.
    """
    stays = position.ruleset.readings["I-BORDER-DEFEAT"] == "stays"
    gone = position.ruleset.readings[reading] == "gone"
    removed = dict.fromkeys(position.emperors, 0) | dict(position.removed)
    for place in places:
        if position.has_garrison(place) and not (stays and position.board[place].is_border):
            removed[position.discs[place]] += 1
            position = position.with_disc(place, None)
            position = position.with_piece(REMOVED, Counts.of(removed)) if gone else position
    return position


# Rule p08-defeat-ends-turn, p11-lost-attack
def end_of_defeat(position: Position, leader: str) -> Position:
    """End the turn after a lost attack, unless a rule module lets it continue."""
    if any(module.goes_on(position, leader) for module in rule_modules(position).combat):
        return position
    return _turn_over(position)


# Rule p08-battle-dice
def attack_roll(
    position: Position, army: str, figure: str | None = None, payments: tuple[str, ...] = ()
) -> Roll[Action]:
    """The roll of an attack on the army there, with the attack action for each pair of faces.

    `figure` leads it (default: the active Emperor); `army` may be ``"pirates"``; each of the `payments` adds 1 to the
    Roman die after the roll.

    :raises IllegalActionError: when the attack is not legal.
    """
    action = Action(Kind.ATTACK, army, figure=figure, payments=payments)
    rule = objection(position, action)
    if rule is not None:
        raise IllegalActionError(action, rule)
    outcomes = outcomes_of(position, action)
    return Roll(("Roman die", "Barbarian die"), tuple(attack(army, outcome, figure, payments) for outcome in outcomes))


def rolled_attack(
    position: Position, army: str, faces: tuple[int, ...], figure: str | None = None, payments: tuple[str, ...] = ()
) -> Action:
    """The attack on the army there as these two faces make it, when all of this is paid.

    :raises IllegalActionError: as `attack_roll`; or when it is a victory before the last disc is paid [I-GALERIUS-WON].
    """
    roll = attack_roll(position, army, figure, payments)
    action = roll.result(faces)
    if not payable(position, action)[roll.faces.index(faces)]:
        raise IllegalActionError(action, f"with the dice {faces[0]}-{faces[1]} it is a victory for less, and {STOPS}")
    return action


# -- reading what a player types -------------------------------------------------------------------------------


def parse(position: Position, text: str) -> Action:
    """The legal action that a text means here.

    :raises UnreadableActionError: when it is not an action.
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
