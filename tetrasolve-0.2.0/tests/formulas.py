"""Formulas for tests of proofs, and second opinions on them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from random import Random

import pytest

from tetrasolve.certify.dimacs import Formula


def pigeons(holes: int) -> Formula:
    """One pigeon more than there are holes."""
    sits = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    somewhere = [[sits[p, h] for h in range(holes)] for p in range(holes + 1)]
    alone = [[-sits[p, h], -sits[q, h]] for h in range(holes) for p, q in combinations(range(holes + 1), 2)]
    return Formula.of(somewhere + alone)


def parity(variables: int, seed: int) -> Formula:
    """A ring of equations a + b = 0 or 1 that sum up to 1 = 0."""
    random = Random(f"parity {seed}")
    order = random.sample(range(1, variables + 1), variables)
    odd = [random.random() < 0.5 for _ in order]
    odd[0] ^= sum(odd) % 2 == 0
    clauses = []
    for a, b, differ in zip(order, order[1:] + order[:1], odd, strict=True):
        clauses += [(a, b), (-a, -b)] if differ else [(a, -b), (-a, b)]
    return Formula.of(clauses)


def three_literals(variables: int, clauses: int, seed: object) -> Formula:
    """Clauses of three literals at random."""
    random = Random(f"3-SAT {seed}")
    return Formula(
        variables,
        tuple(
            tuple(variable * random.choice((1, -1)) for variable in random.sample(range(1, variables + 1), 3))
            for _ in range(clauses)
        ),
    )


def has_solution(formula: Formula) -> bool:
    """By trying all assignments."""
    return any(
        all(any((literal > 0) == values[abs(literal) - 1] for literal in clause) for clause in formula.clauses)
        for values in product((False, True), repeat=formula.variables)
    )


def second_opinion(formula: Sequence[str], proof: Sequence[str]) -> bool:
    """Whether `dratify`, a checker that takes no hints, accepts the clauses of a proof."""
    dratify = pytest.importorskip("dratify")
    steps = []
    alive = dict(enumerate((line.split()[:-1] for line in formula[1:]), start=1))
    for line in proof:
        number, *words = line.split()
        if words[0] == "d":
            steps += [" ".join(["d", *alive.pop(int(word)), "0"]) for word in words[1:-1]]
        else:
            alive[int(number)] = words[: words.index("0")]
            steps.append(" ".join([*alive[int(number)], "0"]))
    return bool(dratify.check_proof(dratify.parse_dimacs("\n".join(formula)), "\n".join(steps), engine="python").ok)
