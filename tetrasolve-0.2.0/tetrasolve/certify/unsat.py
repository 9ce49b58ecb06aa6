"""Certificates that a formula has no solution: the formula in DIMACS and a proof in LRAT.

CaDiCaL (python-sat) does the search; this module elaborates the proof that it logs, and the checker verifies it. A
certificate is about the formula alone. The field `about` says what the formula stands for; that is not part of the proof.
"""

from __future__ import annotations

from tetrasolve.certify.dimacs import Formula
from tetrasolve.certify.drup import Step, elaborate
from tetrasolve.certify.form import Certificate
from tetrasolve.errors import MissingExtraError, ProofError

KIND = "unsatisfiable"
FIELDS = ("about",)
SECTIONS = ("formula", "proof")
EXTRA = "proofs"
SOLVER = "cadical195"  # of the solvers in python-sat, one whose proofs are complete


def prove_unsatisfiable(formula: Formula) -> tuple[Step, ...] | None:
    """An LRAT proof that a formula has no solution; None where it has one.

    :raises MissingExtraError: when python-sat is not installed.
    :raises ProofError: when the solver's proof does not hold.
    """
    empty = next((row for row, clause in enumerate(formula.clauses, start=1) if not clause), None)
    if empty is not None:  # the solver would overlook it
        return (Step(len(formula.clauses) + 1, (), (empty,)),)
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise MissingExtraError("python-sat", EXTRA) from None
    with Solver(name=SOLVER, bootstrap_with=formula.clauses, with_proof=True) as solver:
        if solver.solve():
            return None
        proof = solver.get_proof()
    return elaborate(formula, proof)


def certify_unsatisfiable(formula: Formula, about: str) -> Certificate:
    """A certificate that a formula has no solution; `about` says in one line what it stands for.

    >>> certificate = certify_unsatisfiable(Formula.of([(1,), (-1, 2), (-2,)]), "a contradiction")
    >>> certificate.section("proof")
    ('4 0 1 2 3 0',)

    :raises ProofError: when it has a solution.
    :raises MissingExtraError: as `prove_unsatisfiable`.
    """
    steps = prove_unsatisfiable(formula)
    if steps is None:
        raise ProofError("the formula has a solution")
    return Certificate(
        KIND, (("about", about),), (("formula", formula.lines()), ("proof", tuple(str(step) for step in steps)))
    )
