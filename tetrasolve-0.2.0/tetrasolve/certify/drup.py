"""Proofs of a SAT solver (DRUP), elaborated into LRAT: every clause with the clauses it follows from.

A DRUP proof lists the clauses that a solver learnt. Each is verified by *unit propagation*: assume that all its literals are
false; propagation then reaches a contradiction. Finding it requires a search through all clauses. LRAT saves the checker
this search: it names the clauses that propagate, in order. This module finds them once: forward through the proof with two
watched literals a clause, then backward from the empty clause to keep the steps that it depends on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tetrasolve.certify.dimacs import Clause, Formula
from tetrasolve.errors import ProofError, shown

_STEP = re.compile(r"(d )?((?:-?[1-9][0-9]{0,17} )*)0")  # no formula has variables of more digits


@dataclass(frozen=True, slots=True)
class Step:
    """A clause of a proof by its number, and its hints: the numbers of the clauses that make it follow, in order."""

    number: int
    clause: Clause
    hints: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(map(str, (self.number, *self.clause, 0, *self.hints, 0)))


def elaborate(formula: Formula, proof: Iterable[str]) -> tuple[Step, ...]:
    """The steps from a formula to the empty clause, from a DRUP proof; steps that are not needed are left out.

    :raises ProofError: when a line is not DRUP, a clause does not follow by unit propagation, or none is empty.
    """
    search = _Propagation()
    for clause in formula.clauses:
        search.add(clause)
    for number, line in enumerate(proof, start=1):
        if search.refutation is not None:
            break
        match = _STEP.fullmatch(line.strip())
        if match is None:
            raise ProofError(f"line {number} of the proof: found {shown(line)}, expected literals and 0")
        literals = tuple(dict.fromkeys(map(int, match[2].split())))
        if match[1]:
            search.delete(literals)
            continue
        hints = search.derive(literals)
        if hints is None:
            raise ProofError(f"line {number} of the proof: the clause does not follow by unit propagation")
        search.add(literals, hints)
    if search.refutation is None:
        raise ProofError("the proof does not derive the empty clause")
    return _trimmed(search, len(formula.clauses))


def _trimmed(search: _Propagation, given: int) -> tuple[Step, ...]:
    """The derived clauses that the empty clause depends on, with consecutive numbers."""
    assert search.refutation is not None
    hints = {number: search.hints[number] for number in range(given, len(search.clauses))}
    needed, waiting = set(), list(search.refutation)
    while waiting:
        number = waiting.pop()
        if number >= given and number not in needed:
            needed.add(number)
            waiting += hints[number]
    name = {number: number + 1 for number in range(given)}
    steps: list[Step] = []
    for number in sorted(needed):
        name[number] = given + len(steps) + 1
        steps.append(Step(name[number], search.clauses[number], tuple(name[hint] for hint in hints[number])))
    return (*steps, Step(given + len(steps) + 1, (), tuple(name[hint] for hint in search.refutation)))


class _Propagation:
    """Unit propagation with two watched literals a clause; numbers of clauses count from 0."""

    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self.hints: dict[int, tuple[int, ...]] = {}  # of derived clauses
        self.refutation: tuple[int, ...] | None = None  # hints of the empty clause
        self.watched: dict[int, list[int]] = {}  # by literal: the clauses that watch it
        self.pair: list[list[int]] = []  # by clause: the literals it watches
        self.true: set[int] = set()
        self.trail: list[int] = []  # literals made true, in order
        self.reason: dict[int, int] = {}  # by literal: the clause that forced it
        self.known: dict[frozenset[int], list[int]] = {}  # clauses by their literals, for deletions
        self.deleted: set[int] = set()

    def add(self, clause: Clause, hints: Sequence[int] = ()) -> None:
        """Add a clause; its permanent consequences are propagated now."""
        number = len(self.clauses)
        self.clauses.append(clause)
        self.hints[number] = tuple(hints)
        self.known.setdefault(frozenset(clause), []).append(number)
        # watch literals that are not false, where there are any
        order = sorted(clause, key=lambda literal: -literal in self.true)
        self.pair.append(order[:2])
        for literal in order[:2]:
            self.watched.setdefault(literal, []).append(number)
        if self.refutation is not None:
            return
        conflict = None
        if not order or -order[0] in self.true:
            conflict = number
        elif (len(order) == 1 or -order[1] in self.true) and order[0] not in self.true:
            start = len(self.trail)
            self.force(order[0], number)
            conflict = self.propagate(start)
        if conflict is not None:
            self.refutation = self.chain(conflict)

    def delete(self, clause: Clause) -> None:
        """Delete a clause. One with a permanent consequence is kept, as it may be a hint."""
        numbers = self.known.get(frozenset(clause), [])
        if numbers and all(self.reason.get(literal) != numbers[-1] for literal in clause):
            self.deleted.add(numbers.pop())

    def derive(self, clause: Clause) -> tuple[int, ...] | None:
        """The hints by which a clause follows; None if unit propagation does not show that it does."""
        start = len(self.trail)
        assumed = {-literal for literal in clause}
        if assumed & set(clause):
            return None  # a tautology: no solver learns it, and LRAT has no hints for it
        # where something forced for good contradicts the assumption, the first such thing rests on no other
        forced = next((literal for literal in self.trail if -literal in assumed), None)
        if forced is not None:
            return self.chain(self.reason[forced], assumed)
        fresh = sorted(assumed - self.true)
        self.true.update(fresh)
        self.trail += fresh
        conflict = self.propagate(start)
        hints = None if conflict is None else self.chain(conflict, assumed)
        for literal in self.trail[start:]:
            self.true.discard(literal)
            self.reason.pop(literal, None)
        del self.trail[start:]
        return hints

    def force(self, literal: int, number: int) -> None:
        self.true.add(literal)
        self.trail.append(literal)
        self.reason[literal] = number

    def propagate(self, position: int) -> int | None:
        """Propagate the trail from this position on; returns a clause that became false, or None."""
        while position < len(self.trail):
            false = -self.trail[position]
            position += 1
            kept: list[int] = []
            watching = self.watched.get(false, [])
            for index, number in enumerate(watching):
                if number in self.deleted:
                    continue
                pair = self.pair[number]
                other = pair[0] if pair[-1] == false else pair[-1]
                if other == false or other not in self.true:  # no true literal is watched
                    spare = next(
                        (lit for lit in self.clauses[number] if lit not in pair and -lit not in self.true), None
                    )
                    if spare is not None:
                        self.pair[number] = [other, spare]
                        self.watched.setdefault(spare, []).append(number)
                        continue
                    kept.append(number)
                    if other == false or -other in self.true:
                        self.watched[false] = kept + watching[index + 1 :]
                        return number
                    self.force(other, number)
                else:
                    kept.append(number)
            self.watched[false] = kept
        return None

    def chain(self, conflict: int, assumed: AbstractSet[int] = frozenset()) -> tuple[int, ...]:
        """The clauses that lead to a false clause, in the order in which they become unit, itself the last."""
        needed = {-literal for literal in self.clauses[conflict]}
        used = [conflict]
        for literal in reversed(self.trail):
            if literal in needed and literal not in assumed:
                used.append(self.reason[literal])
                needed |= {-other for other in self.clauses[self.reason[literal]] if other != literal}
        return tuple(reversed(used))
