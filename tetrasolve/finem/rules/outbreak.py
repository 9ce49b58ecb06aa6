"""Outbreaks: a region that would get a fourth cube of a tribe gives one to each neighbour, which can chain.

A chain belongs to one card and one tribe. No region has two outbreaks in it, and one that has its outbreak in it gets no cube;
the first region may be struck once more [E-CHAIN-FIRST].
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from tetrasolve.finem import numbers
from tetrasolve.finem.position import Position, State
from tetrasolve.finem.rules.tribes import LOST_BY_OUTBREAKS, lost_by_reserve


def outbreak(position: Position, region: str, tribe: str) -> State:
    """The state after the chain that begins with an outbreak of a tribe in a region: the end is looked at when it is over."""
    return looked_at(chain_of(position, region, tribe), (tribe,))


def chain_of(position: Position, region: str, tribe: str) -> Position:
    """The position after such a chain, carried out to its end, whether it loses or not.

    The order in which its outbreaks are carried out changes nothing: docs/explanation/et-finem-rules.md, section 4, has a proof.
    """
    spared = position.protected if position.ruleset.readings["E-PROTECT"] == "chain" else None
    waiting = deque([region])
    chain = {region}
    if position.ruleset.readings["E-CHAIN-FIRST"] == "again":  # the first outbreak is none of the chain
        chain, position = set(), position.replace(outbreaks=position.outbreaks + 1)
    while waiting:
        here = waiting.popleft()
        for other in position.layout.neighbours[here]:
            if other in chain or other == spared:
                continue
            count = position.count(other, tribe)
            if count == numbers.MOST_IN_REGION:
                chain.add(other)
                waiting.append(other)
            else:
                position = position.with_count(other, tribe, count + 1)
    return position.replace(outbreaks=position.outbreaks + len(chain))


def looked_at(position: Position, tribes: Iterable[str]) -> State:
    """Lost by the fourth outbreak, or else by a 13th cube of the first of these tribes that has one."""
    if position.outbreaks >= numbers.MOST_OUTBREAKS:
        return LOST_BY_OUTBREAKS
    over = [tribe for tribe in tribes if position.on_map(tribe) > numbers.CUBES]
    return lost_by_reserve(over[0]) if over else position
