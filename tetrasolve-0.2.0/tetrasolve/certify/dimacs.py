"""Formulas in conjunctive normal form, and their text form, DIMACS."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tetrasolve.errors import ProofError, shown

Clause: TypeAlias = tuple[int, ...]  # literals: a variable from 1 on, or minus it for its opposite

_COUNT = re.compile(r"0|[1-9][0-9]{0,8}")
_LITERAL = re.compile(r"-?[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses over the variables 1 to `variables`; each clause names a variable at most once.

    >>> print(Formula.of([(1, 2), (-1,)]).dimacs(), end="")
    p cnf 2 2
    1 2 0
    -1 0

    :raises ProofError: when a clause has a literal 0, a variable twice, or one above `variables`.
    """

    variables: int
    clauses: tuple[Clause, ...]

    def __post_init__(self) -> None:
        for number, clause in enumerate(self.clauses, start=1):
            named = {abs(literal) for literal in clause}
            if len(named) < len(clause):
                raise ProofError(f"clause {number}: names a variable twice")
            if not all(0 < variable <= self.variables for variable in named):
                raise ProofError(f"clause {number}: expected variables from 1 to {self.variables}")

    @staticmethod
    def of(clauses: Iterable[Sequence[int]]) -> Formula:
        """The formula of these clauses, over the variables up to the largest that they name."""
        rows = tuple(tuple(clause) for clause in clauses)
        return Formula(max((abs(literal) for row in rows for literal in row), default=0), rows)

    def lines(self) -> tuple[str, ...]:
        """The lines of its text form: the problem line, then one for each clause."""
        head = f"p cnf {self.variables} {len(self.clauses)}"
        return (head, *(" ".join(map(str, (*clause, 0))) for clause in self.clauses))

    def dimacs(self) -> str:
        """Its text form; `read_dimacs` gives the same formula back."""
        return "".join(f"{line}\n" for line in self.lines())


def read_dimacs(text: str) -> Formula:
    """A formula from its text form: comments, a problem line, then clauses that end in 0, in any lines.

    :raises ProofError: when the text has another form; the line is named.
    """
    variables = count = -1
    clauses: list[Clause] = []
    clause: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p":
            if (
                count >= 0
                or len(words) != 4
                or words[1] != "cnf"
                or not all(_COUNT.fullmatch(word) for word in words[2:])
            ):
                raise ProofError(f"line {number}: found {shown(line)}, expected 'p cnf VARIABLES CLAUSES' once")
            variables, count = int(words[2]), int(words[3])
            continue
        if count < 0:
            raise ProofError(f"line {number}: found {shown(line)}, expected the problem line before the clauses")
        for word in words:
            if word == "0":
                clauses.append(tuple(clause))
                clause.clear()
            elif _LITERAL.fullmatch(word):
                clause.append(int(word))
            else:
                raise ProofError(f"line {number}: found {shown(word)}, expected a literal or 0")
    if clause or len(clauses) != count:
        raise ProofError(f"the text ends after {len(clauses)} clauses, expected {max(count, 0)}, each closed by 0")
    return Formula(variables, tuple(clauses))
