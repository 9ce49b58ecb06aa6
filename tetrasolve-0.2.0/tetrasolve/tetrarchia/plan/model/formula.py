"""Boolean formulas that all solvers can load.

A *literal* is an integer: a variable, or minus it for its negation; `TRUE` and `FALSE` are literals too. A `Formula` has
three kinds of constraints: clauses, "exactly one of these" and "at most n of these". Known literals are simplified away, so
rules can be stated for any table and cost nothing where the table decides them.

Every variable that `all_of`, `any_of`, `count`, `plus` and `minus` introduce is a function of their arguments: they add no
solutions, so solutions can be counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop

Lit: TypeAlias = int

LOOKED_EVERY = 64  # variables

TRUE: Lit = 1  # the first variable, which is true in every solver
FALSE: Lit = -TRUE


@dataclass(frozen=True, slots=True)
class Sum:
    """A weighted sum of literals plus a constant: what an objective maximises."""

    terms: tuple[tuple[int, Lit], ...]
    constant: int = 0

    @classmethod
    def of(cls, terms: Iterable[tuple[int, Lit]], constant: int = 0) -> Sum:
        """The sum in normal form: each variable once, not negated, no constants among the terms and no weight 0.

        >>> Sum.of([(3, 7), (2, -7), (5, TRUE)])
        Sum(terms=((1, 7),), constant=7)
        """
        weights: dict[Lit, int] = {TRUE: constant}
        for weight, lit in terms:
            if lit < 0:  # w (not x) = w - w x
                weights[TRUE] += weight
            weights[abs(lit)] = weights.get(abs(lit), 0) + (weight if lit > 0 else -weight)
        constant = weights.pop(TRUE)
        return cls(tuple((weight, lit) for lit, weight in weights.items() if weight), constant)

    @property
    def low(self) -> int:
        """A lower bound of the sum."""
        return self.constant + sum(weight for weight, _ in self.terms if weight < 0)

    @property
    def high(self) -> int:
        """An upper bound of the sum."""
        return self.constant + sum(weight for weight, _ in self.terms if weight > 0)

    def value(self, holds: Callable[[Lit], bool]) -> int:
        """The sum under an assignment; `holds` gives the value of a literal."""
        return self.constant + sum(weight for weight, lit in self.terms if holds(lit))

    def scaled(self, factor: int) -> Sum:
        """The sum times a factor."""
        return Sum(tuple((weight * factor, lit) for weight, lit in self.terms), self.constant * factor)

    def __add__(self, other: Sum) -> Sum:
        return Sum.of((*self.terms, *other.terms), self.constant + other.constant)


class Formula:
    """Variables with their names, and what must hold of them; once `stop` is set no variable can be added.

    :raises Stopped: from whatever adds one, when it is set.
    """

    def __init__(self, stop: Stop | None = None) -> None:
        self.stop = stop
        self.names: list[str] = ["", "true"]  # by variable; there is no variable 0
        self.clauses: list[tuple[Lit, ...]] = []
        self.exactly_ones: list[tuple[Lit, ...]] = []
        self.at_mosts: list[tuple[int, tuple[Lit, ...]]] = []
        self._conjunctions: dict[tuple[Lit, ...], Lit] = {}

    @property
    def size(self) -> int:
        """The highest variable."""
        return len(self.names) - 1

    def new(self, name: str) -> Lit:
        """A new variable."""
        if len(self.names) % LOOKED_EVERY == 0:
            check(self.stop)
        self.names.append(name)
        return self.size

    # -- what must hold ------------------------------------------------------------------------------------------

    def clause(self, *lits: Lit) -> None:
        """Add: at least one of these is true."""
        found = dict.fromkeys(lit for lit in lits if lit != FALSE)
        if TRUE not in found and not any(-lit in found for lit in found):
            self.clauses.append(tuple(found))

    def exactly_one(self, *lits: Lit) -> None:
        """Add: exactly one of these is true."""
        left = [lit for lit in lits if lit != FALSE]
        if TRUE in left:
            left.remove(TRUE)
            for lit in left:
                self.clause(-lit)
        elif len(left) <= 1:
            self.clause(*left)
        else:
            self.exactly_ones.append(tuple(left))

    def at_most(self, most: int, lits: Iterable[Lit]) -> None:
        """Add: at most `most` of these are true."""
        left = [lit for lit in lits if lit != FALSE]
        most -= left.count(TRUE)
        left = [lit for lit in left if lit != TRUE]
        if most < 0:
            self.clause()
        elif most == 0:
            for lit in left:
                self.clause(-lit)
        elif most < len(left):
            self.at_mosts.append((most, tuple(left)))

    def exactly(self, number: int, lits: Sequence[Lit]) -> None:
        """Add: exactly `number` of these are true."""
        self.at_most(number, lits)
        self.at_most(len(lits) - number, [-lit for lit in lits])

    # -- literals that stand for others --------------------------------------------------------------------------

    def all_of(self, lits: Iterable[Lit]) -> Lit:
        """A literal for: all of these are true."""
        parts = sorted({lit for lit in lits if lit != TRUE})
        if FALSE in parts or any(-lit in parts for lit in parts):
            return FALSE
        if len(parts) <= 1:
            return parts[0] if parts else TRUE
        key = tuple(parts)
        if key not in self._conjunctions:
            both = self.new(f"all{key}")
            self._conjunctions[key] = both
            for lit in parts:
                self.clause(-both, lit)
            self.clause(both, *(-lit for lit in parts))
        return self._conjunctions[key]

    def any_of(self, lits: Iterable[Lit]) -> Lit:
        """A literal for: at least one of these is true."""
        return -self.all_of(-lit for lit in lits)

    def count(self, lits: Iterable[Lit], at_least: int) -> Lit:
        """A literal for: at least this number of these are true."""
        left = [lit for lit in lits if lit != FALSE]
        wanted = at_least - left.count(TRUE)
        left = [lit for lit in left if lit != TRUE]
        if wanted <= 0 or wanted > len(left):
            return TRUE if wanted <= 0 else FALSE
        if 2 * wanted > len(left) + 1:  # fewer gates by counting the negations
            return -self.count([-lit for lit in left], len(left) - wanted + 1)
        reached = [TRUE] + [FALSE] * wanted  # reached[k]: at least k of the literals so far
        for lit in left:
            for k in range(wanted, 0, -1):
                reached[k] = self.any_of((reached[k], self.all_of((reached[k - 1], lit))))
        return reached[wanted]

    # -- what changes from one layer to the next -----------------------------------------------------------------

    def plus(self, name: str, was: Lit, come: Sequence[Lit]) -> Lit:
        """A literal for: present before, or added. At most one of these may be true, which is added as a constraint."""
        parts = [lit for lit in (was, *come) if lit != FALSE]
        if len(parts) <= 1:
            return parts[0] if parts else FALSE
        now = self.new(name)
        self.exactly_one(-now, *parts)
        return now

    def minus(self, name: str, was: Lit, gone: Sequence[Lit]) -> Lit:
        """A literal for: present before, and not removed. Only what is present can be removed, once (added as constraints)."""
        if not gone:
            return was
        kept = self.new(name) if was != FALSE else FALSE
        self.exactly_one(-was, kept, *gone)
        return kept
