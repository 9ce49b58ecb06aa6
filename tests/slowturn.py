"""One Roman phase the slow way: everything an Emperor can do, found by the reference rules and nothing else."""

from __future__ import annotations

from hashlib import sha256

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall


def perft(position: Position | Fall, depth: int, known: dict[tuple[Position, int], int] | None = None) -> int:
    """How many sequences of so many actions there are, an attack's outcomes counted each; stopping is no action."""
    if depth == 0:
        return 1
    if isinstance(position, Fall):
        return 0
    if depth == 1:
        return len(rules.legal_actions(position))
    known = {} if known is None else known
    count = known.get((position, depth))
    if count is None:
        after = (rules.play(position, action) for action in rules.legal_actions(position))
        known[position, depth] = count = sum(perft(table, depth - 1, known) for table in after)
    return count


def turn_ends(position: Position) -> dict[Position, int]:
    """Every table on which the turn can end without an attack, won ones too, with the most IP that can be left there."""
    met: set[Position] = {position}
    edge = [position]
    ends: dict[Position, int] = {}
    while edge:
        here = edge.pop()
        if here.is_won or rules.may_end(here):
            table = here.replace(ip=0)
            ends[table] = max(ends.get(table, 0), here.ip)
        for action in rules.legal_actions(here):
            if action.kind is Kind.ATTACK:
                continue
            after = rules.play(here, action)
            if isinstance(after, Position) and after not in met:
                met.add(after)
                edge.append(after)
    return ends


def ends_signature(ends: dict[Position, int]) -> str:
    """One text for a set of ends: of their one-line notations, sorted, each with the most IP that can be left."""
    lines = sorted(str(table.replace(ip=ip)) for table, ip in ends.items())
    return sha256("\n".join(lines).encode()).hexdigest()[:16]
