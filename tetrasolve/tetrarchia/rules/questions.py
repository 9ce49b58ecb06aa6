"""Calls to the hooks of the rule modules in use that several modules of the base game share.

They are called for every possible action, so they are fast without rule modules: they make no generators then.
"""

from __future__ import annotations

from collections.abc import Hashable

from tetrasolve.tetrarchia.action import Action, Outcome
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.hooks import OwnActions
from tetrasolve.tetrarchia.rules.registry import rule_modules
from tetrasolve.tetrarchia.rules.step import Choice, Rerolled, Rolling, Step, Then

# Readings with the value `chosen`, with which there can be a choice without a rule module that has any
CHOSEN = ("I-ORDER-TIE", "I-PIRATES-ZONE", "I-USURPER-ORDER", "I-CHECK-ORDER", "I-SHORTEST")


def ban(position: Position, action: Action) -> str | None:
    """The first objection of a rule module to an action of the base game."""
    for module in rule_modules(position).roman:
        if rule := module.ban(position, action):
            return rule
    return None


def owner(position: Position, action: Action) -> OwnActions | None:
    """The rule module that an action belongs to, None where it is one of the base game."""
    for module in rule_modules(position).actions:
        if module.owns(action):
            return module
    return None


def closed(position: Position, figure: str, province: str) -> str | None:
    """The first reason why this figure cannot reach a province."""
    for module in rule_modules(position).roman:
        if rule := module.closed(position, figure, province):
            return rule
    return None


def barred(position: Position, zone: int) -> str | None:
    """The first reason why no Roman fleet can reach a zone."""
    for module in rule_modules(position).sea:
        if rule := module.barred(position, zone):
            return rule
    return None


def fought(position: Position, leader: str, outcome: Outcome, how: str) -> Position | Fall:
    """The position after a battle that this general led, or the fall that follows; `how` as in the hook."""
    for module in rule_modules(position).combat:
        after = module.fought(position, leader, outcome, how)
        if isinstance(after, Fall):
            return after
        position = after
    return position


def seen(position: Position) -> tuple[Hashable, ...]:
    """Data of each rule module about the position before a step that places revolts."""
    return tuple([module.seen(position) for module in rule_modules(position).revolts])


def after_revolts(position: Position, before: tuple[Hashable, ...], resting: frozenset[str], then: Then) -> Step:
    """The step after a step that has placed revolts: that of a rule module, else `then`; `before` is from `seen`."""
    for module, remembered in zip(
        rule_modules(position).revolts, before, strict=False
    ):  # a step made in a test has no data
        step = module.revolted(position, remembered, resting, then)
        if step is not None:
            return step
    return then(position, resting)


def postponed(position: Position, before: tuple[Hashable, ...]) -> frozenset[str]:
    """The numbers of regions in which revolts just placed lead to something later; `before` is from `seen`."""
    modules = zip(rule_modules(position).revolts, before, strict=False)
    return frozenset(number for module, remembered in modules for number in module.postponed(position, remembered))


def late(position: Position, regions: frozenset[str], resting: frozenset[str], then: Then) -> Step:
    """The step for what was `postponed` in these regions, else `then`."""
    for module in rule_modules(position).revolts:
        step = module.late(position, regions, resting, then)
        if step is not None:
            return step
    return then(position, resting)


def opened(position: Position, number: int, resting: frozenset[str], then: Then) -> Step:
    """The beginning of step `number` of the Barbarian phase: a choice if there is one, else `then`."""
    for module in rule_modules(position).decisions:
        choice = module.opening(position, number, resting, then)
        if choice is not None:
            return choice
    return then(position, resting)


def may_ask(position: Position) -> bool:
    """Whether players may have something to choose in the Barbarian phase: with rule modules that say so, or by a reading."""
    return bool(rule_modules(position).decisions) or any(chooses(position, reading) for reading in CHOSEN)


def chooses(position: Position, reading: str) -> bool:
    """Whether a player chooses what this reading is about."""
    return position.ruleset.readings[reading] == "chosen"


def handler(position: Position) -> str:
    """The player who handles the pieces in the Barbarian phase: that of a rule module, else the Emperor whose turn it was."""
    players = (module.handler() for module in rule_modules(position).decisions)
    return next((player for player in players if player is not None), position.to_move)


def may_reroll(position: Position) -> bool:
    """Whether dice that are rolled at this position may be rolled again."""
    return any(module.rerolls(position) for module in rule_modules(position).decisions)


def landed(step: Rolling, faces: tuple[int, ...], result: Step) -> Step:
    """The step after these faces: the choice to roll again if there is one, else `result`.

    A choice about the dice can be answered first, and then leads to this one [I-REROLL-GALERIUS].
    """
    first = result.before_rolling_again(isinstance(step, Rerolled)) if isinstance(result, Choice) else None
    if first is not None:
        return first
    if isinstance(step, Rerolled):
        return result
    for module in rule_modules(step.position).decisions:
        if module.rerolls(step.position) and (choice := module.rolled(step, faces, result)) is not None:
            return choice
    return result


def begun(position: Position) -> Position | Fall:
    """The position at the beginning of a turn, or the fall of the Empire that this brings by a rule module [I-REFILL]."""
    for module in rule_modules(position).turns:
        if (fall := module.fallen(position)) is not None:
            return fall
    return new_turn(position)


def new_turn(position: Position) -> Position:
    """The position at the beginning of a turn, with the changes of rule modules."""
    for module in rule_modules(position).turns:
        position = module.new_turn(position)
    return position
