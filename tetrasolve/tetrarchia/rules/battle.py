"""Battle (rulebook pages 8 and 9): the combat values of a general and an army.

The values do not depend on who attacks: support always counts next to the opponent. A general is an Emperor or, where the
rules in use have one, another figure that leads legions (`Position.generals`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.combat import Battle
from tetrasolve.tetrarchia.rules.registry import rule_modules


# Rule p08-battle-emperors, p08-battle-armies, p11-attack-values, p11-attack-support
def battle(position: Position, leader: str, army: str) -> Battle:
    """The combat values of this general, from his province, and of the army in province `army`."""
    modules = rule_modules(position).combat
    for module in modules:
        values = module.battle(position, leader, army)
        if values is not None:
            return values
    place = position.generals[leader]
    others = [where for name, where in position.generals.items() if name != leader]
    beside_army, beside_leader = _supporting(position, army), _supporting(position, place)
    numbers = position.ruleset.numbers
    supporters = frozenset(where for where in position.armies if where != army and where in beside_leader)
    return Battle(
        garrisons=_garrison_group(position, leader, place),
        emperors=sum(where in beside_army for where in others),
        revolts=revolt_group(position, army),
        armies=len(supporters),
        bonus=numbers["barbarian-bonus"] + sum(module.bonus(position, army, supporters) for module in modules),
        roman_bonus=numbers["roman-bonus"],
        factor=numbers["support-factor"],
    )


# Rule p08-victory-removes, p11-attack-defeat
def remove_army(position: Position, army: str) -> Position:
    """Remove a beaten army and any disc of its province."""
    return position.with_army(army, None).with_disc(army, None)


def linked(position: Position, province: str) -> frozenset[str]:
    """The provinces that count as linked in battle; a broken link counts without a check [I-BATTLE-BROKEN]."""
    return _linked(position.board, province, position.ruleset.readings["I-BATTLE-BROKEN"] == "linked")


def _supporting(position: Position, province: str) -> frozenset[str]:
    """The provinces from which a battle at this one is supported: over broken links, too [I-SUPPORT-BROKEN]."""
    readings = position.ruleset.readings
    broken_too = readings["I-BATTLE-BROKEN"] == "linked" == readings["I-SUPPORT-BROKEN"]
    return _linked(position.board, province, broken_too)


@lru_cache(maxsize=4096)
def _linked(board: Board, province: str, broken_too: bool) -> frozenset[str]:
    return frozenset(name for name, link in board.neighbours(province).items() if broken_too or not link.broken)


# Rule p08-battle-own-group, p08-battle-one-group
def _garrison_group(position: Position, leader: str, place: str) -> int:
    """The largest continuous group of his own discs that contains his province or is linked to it."""
    own = position.own_discs(leader)
    return _largest(group(position, start, own) for start in (place, *linked(position, place)) if start in own)


# Rule p08-battle-revolts
def revolt_group(position: Position, army: str) -> int:
    """The continuous group of revolts under the army or, where none lies there, one linked to it, by default the largest.

    Whether any counts where none lies under it: [I-REVOLT-GROUP]; which of several: [I-REVOLT-BESIDE].
    """
    if army in position.revolts:
        return len(group(position, army, position.revolts))
    if position.ruleset.readings["I-REVOLT-GROUP"] == "under-army":
        return 0
    if position.ruleset.readings["I-REVOLT-BESIDE"] == "smallest":
        near = linked(position, army) & position.revolts
        return min((len(group(position, start, position.revolts)) for start in near), default=0)
    beside = linked(position, army) & position.revolts
    return _largest(group(position, start, position.revolts) for start in beside)


def group(position: Position, start: str, members: frozenset[str]) -> frozenset[str]:
    """The continuous group of `members` that contains `start`."""
    found = {start}
    edge = [start]
    while edge:
        for province in linked(position, edge.pop()) & members:
            if province not in found:
                found.add(province)
                edge.append(province)
    return frozenset(found)


def _largest(groups: Iterable[frozenset[str]]) -> int:
    return max(map(len, groups), default=0)
