"""Shortens proofs: removes clauses that are not used, and hints and literals that are not needed.

Clauses that a solver learns can contain literals that their derivation does not need. Without these a clause is stronger and
other steps get shorter, which can make more of them redundant. So the passes are repeated until nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tetrasolve.certify.dimacs import Clause, Formula
from tetrasolve.certify.drup import Step


def tighten(formula: Formula, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same proof without redundant parts; all steps must follow by their hints (RUP), the last is the empty clause.

    >>> steps = [Step(4, (2, 3), (1,)), Step(5, (2,), (1,)), Step(6, (), (5, 2))]
    >>> [str(step) for step in tighten(Formula.of([(2,), (-2,), (1, 3)]), steps)]
    ['4 0 1 2 0']
    """
    given = dict(enumerate(formula.clauses, start=1))
    while (shorter := _used(len(given), _shortened(given, steps))) != tuple(steps):
        steps = shorter
    return shorter


def _shortened(given: Mapping[int, Clause], steps: Sequence[Step]) -> list[Step]:
    """Each step with the literals and hints that it needs, up to the first empty clause; none that repeats a clause."""
    clauses = dict(given)
    same: dict[int, int] = {}  # clauses that would be repeated
    found = []
    for step in steps:
        literals, hints = _needed(step.clause, [same.get(hint, hint) for hint in step.hints], clauses)
        if literals and len(hints) == 1:
            same[step.number] = hints[0]
            continue
        found.append(Step(step.number, literals, hints))
        clauses[step.number] = literals
        if not literals:
            break
    return found


def _needed(clause: Clause, hints: Sequence[int], clauses: Mapping[int, Clause]) -> tuple[Clause, tuple[int, ...]]:
    """The literals and the hints by which a clause follows."""
    true = {-literal for literal in clause}
    forced: list[tuple[int, int]] = []  # literals and the hints that force them
    last = hints[-1]
    for hint in hints:
        left = [literal for literal in clauses[hint] if -literal not in true]
        if not left:
            last = hint
            break
        if left[0] not in true:
            true.add(left[0])
            forced.append((left[0], hint))
    needed = {-literal for literal in clauses[last]}
    chain = [last]
    for literal, reason in reversed(forced):
        if literal in needed:
            chain.append(reason)
            needed |= {-other for other in clauses[reason] if other != literal}
    return tuple(literal for literal in clause if -literal in needed), tuple(reversed(chain))


def _used(given: int, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps on which the last one depends, numbered without a gap."""
    needed = {steps[-1].number}
    for step in reversed(steps):
        if step.number in needed:
            needed.update(step.hints)
    kept = [step for step in steps if step.number in needed]
    name = {number: number for number in range(1, given + 1)}
    name |= {step.number: given + row for row, step in enumerate(kept, start=1)}
    return tuple(Step(name[step.number], step.clause, tuple(name[hint] for hint in step.hints)) for step in kept)
