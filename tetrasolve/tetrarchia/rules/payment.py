"""Discs that are paid in an attack: what it then comes to, and when he who pays has to stop (rulebook page 14)."""

from __future__ import annotations

from dataclasses import replace

from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.battle import battle
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.registry import rule_modules

STOPS = "he stops paying when he has won [I-GALERIUS-WON]"


def goes_on(position: Position) -> bool:
    """Whether he who has won a battle can pay on for it [I-GALERIUS-WON]."""
    return position.ruleset.readings["I-GALERIUS-WON"] == "goes-on"


def valued(position: Position, action: Action) -> Position:
    """The position whose values count in an attack: before or after the payments for it [I-GALERIUS-PAYS]."""
    if position.ruleset.readings["I-GALERIUS-PAYS"] == "counts":
        return position
    for payee in rule_modules(position).roman if action.payments else ():
        position = payee.pay(position, action)
    return position


def outcomes_of(position: Position, action: Action) -> tuple[Outcome, ...]:
    """The outcome of an attack for each pair of faces, with what is paid for it."""
    assert action.place is not None
    fight = battle(valued(position, action), action.figure or position.to_move, action.place)
    return fight.raised(len(action.payments)).outcomes()


# Rule p14-imperium-galerius
def payable(position: Position, action: Action) -> tuple[bool, ...]:
    """For each pair of faces of an attack whether all that it names can be paid, in some order.

    Before the last of them it is no victory, since he stops when he has won; or he can go on [I-GALERIUS-WON].
    """
    payments = action.payments
    always = (True,) * len(FACES) ** 2
    if not payments or goes_on(position):
        return always
    is_lost = position.ruleset.readings["I-GALERIUS-PAYS"] == "lost"  # then it matters in which order they are paid
    ways = []
    for last in dict.fromkeys(payments) if is_lost else payments[:1]:
        fewer = replace(action, payments=_without(payments, last))
        earlier = payable(position, fewer) if is_lost else always  # more discs are never worse where they still count
        ways.append(
            [can and o is not Outcome.VICTORY for can, o in zip(earlier, outcomes_of(position, fewer), strict=True)]
        )
    return tuple(any(row) for row in zip(*ways, strict=True))


def payment_objection(position: Position, action: Action) -> str | None:
    """Why no dice that give this outcome let all be paid that the attack names."""
    if action.kind is not Kind.ATTACK or not action.payments or action.outcome is None:
        return None
    rows = zip(outcomes_of(position, action), payable(position, action), strict=True)
    if any(outcome is action.outcome and can for outcome, can in rows):
        return None
    return f"each {action.outcome} with so many discs is a victory for less, and {STOPS}"


def until_won(position: Position, action: Action) -> tuple[Action, ...]:
    """For each pair of faces the attack when up to these discs are paid, one after the other, and he stops as he must."""
    count = len(action.payments)
    numbers = [count] if goes_on(position) else range(count + 1)
    ways = [replace(action, payments=action.payments[:number], outcome=None) for number in numbers]
    rows = [[replace(way, outcome=outcome) for outcome in outcomes_of(position, way)] for way in ways]
    return tuple(next((a for a in row if a.outcome is Outcome.VICTORY), row[-1]) for row in zip(*rows, strict=True))


def _without(payments: tuple[str, ...], disc: str) -> tuple[str, ...]:
    """These payments but for one disc."""
    at = payments.index(disc)
    return payments[:at] + payments[at + 1 :]
