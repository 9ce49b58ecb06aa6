"""Proofs of unsatisfiability: what CaDiCaL proves is elaborated and confirmed, and a wrong step is refuted by its line."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import checker
import pytest
from formulas import has_solution, parity, pigeons, second_opinion, three_literals

from tetrasolve.certify.dimacs import Formula, read_dimacs
from tetrasolve.certify.drup import elaborate
from tetrasolve.certify.form import Certificate
from tetrasolve.certify.unsat import certify_unsatisfiable, prove_unsatisfiable
from tetrasolve.errors import ProofError


def confirm(certificate: Certificate) -> None:
    code, message = checker.verdict(certificate.text())

    assert code == checker.CONFIRMED, message


# -- what a solver proves ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("holes", range(1, 6))
def test_pigeons(holes: int) -> None:
    confirm(certify_unsatisfiable(pigeons(holes), "pigeons"))


@pytest.mark.parametrize("seed", range(6))
def test_parity(seed: int) -> None:
    confirm(certify_unsatisfiable(parity(5 + 7 * seed, seed), "parity"))


@pytest.mark.parametrize("variables", [8, 12, 16])
def test_small_formulas_are_proved_if_and_only_if_they_have_no_solution(variables: int) -> None:
    """Near the threshold of 4.3 clauses a variable either can be."""
    proved = 0
    for seed in range(20):
        formula = three_literals(variables, round(4.6 * variables), seed)
        steps = prove_unsatisfiable(formula)
        assert (steps is None) == has_solution(formula) if variables < 16 else True
        if steps is not None:
            confirm(certify_unsatisfiable(formula, "at random"))
            proved += 1

    assert proved


@pytest.mark.parametrize("seed", range(3))
def test_larger_formulas(seed: int) -> None:
    formula = three_literals(80, 400, seed)
    certificate = certify_unsatisfiable(formula, "at random")

    confirm(certificate)
    assert second_opinion(certificate.section("formula"), certificate.section("proof"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_many_formulas(seed: int) -> None:
    for variables in (20, 40, 60, 120):
        formula = three_literals(variables, 5 * variables, f"{variables} {seed}")
        if prove_unsatisfiable(formula) is not None:
            certificate = certify_unsatisfiable(formula, "at random")
            confirm(certificate)
            assert second_opinion(certificate.section("formula"), certificate.section("proof"))
    confirm(certify_unsatisfiable(pigeons(7), "pigeons"))


@pytest.mark.parametrize(
    "clauses",
    [
        [[]],
        [[1], [-1]],
        [[1, 2], []],
        [[1, 2], [1, 2], [-1, 2], [1, -2], [-1, -2], [-1, -2]],
        [[1], [-1, 2], [-2, 3], [-3]],
    ],
)
def test_formulas_that_hardly_need_a_proof(clauses: list[list[int]]) -> None:
    confirm(certify_unsatisfiable(Formula.of(clauses), "plain"))


def test_a_formula_with_a_solution_gets_no_certificate() -> None:
    with pytest.raises(ProofError, match="has a solution"):
        certify_unsatisfiable(Formula.of([[1, 2], [-1, 2]]), "solvable")


def test_a_proof_that_leaves_something_out_is_not_elaborated() -> None:
    formula = Formula.of([[1, 2], [-1, 2], [1, -2], [-1, -2]])
    assert elaborate(formula, ["2 0", "0"])[-1].clause == ()
    for proof, why in (
        (["0"], "does not follow"),
        (["2 0 1"], "expected literals"),
        (["1 2 0"], "does not derive the empty clause"),
    ):
        with pytest.raises(ProofError, match=why):
            elaborate(formula, proof)


# -- DIMACS ------------------------------------------------------------------------------------------------------------


def test_dimacs_reads_back() -> None:
    for seed in range(10):
        formula = three_literals(9, 30, seed)
        assert read_dimacs(formula.dimacs()) == formula
    assert read_dimacs("c a note\n\np cnf 3 2\n1 -2\n 0 3 0\n") == Formula(3, ((1, -2), (3,)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 0", "problem line"),
        ("p cnf 1", "problem line|p cnf"),
        ("p cnf 1 1\np cnf 1 1\n1 0", "once"),
        ("p cnf 1 1\n1", "closed by 0"),
        ("p cnf 1 2\n1 0", "expected 2"),
        ("p cnf 1 1\n2 0", "from 1 to 1"),
        ("p cnf 1 1\n1 -1 0", "twice"),
        ("p cnf 1 1\n01 0", "literal"),
        ("p cnf 1 1\none 0", "literal"),
        ("", "ends after 0"),
    ],
)
def test_dimacs_that_is_none(text: str, why: str) -> None:
    with pytest.raises(ProofError, match=why):
        read_dimacs(text)


# -- steps by hand -----------------------------------------------------------------------------------------------------

SQUARE = ("p cnf 2 4", "1 2 0", "-1 2 0", "1 -2 0", "-1 -2 0")
PROOF = ("5 2 0 1 2 0", "5 d 1 2 0", "6 0 5 3 4 0")


def written(formula: Sequence[str] = SQUARE, proof: Sequence[str] = PROOF) -> str:
    return Certificate(
        "unsatisfiable", (("about", "a square"),), (("formula", tuple(formula)), ("proof", tuple(proof)))
    ).text()


def test_a_proof_by_hand() -> None:
    code, message = checker.verdict(written())

    assert (code, "4 clauses over 2 variables" in message) == (checker.CONFIRMED, True)


@pytest.mark.parametrize(
    ("proof", "line", "why"),
    [
        (("5 2 0 1 2 0",), 11, "without the empty clause"),
        (("5 0 1 2 0",), 11, "not unit"),
        (("5 2 0 1 0",), 11, "as a RAT step on 2: clause 3 has no chain"),
        (("5 2 0 2 1 2 0",), 11, "more hints than are of use"),
        (("5 2 0 1 3 0",), 11, "not unit"),
        (("5 2 0 1 9 0",), 11, "9 is no clause"),
        (("5 2 0 1 5 0",), 11, "5 is no clause"),
        (("5 2 0 1 2 0", "5 d 1 2 0", "6 0 5 1 4 0"), 13, "1 is no clause here, or is deleted"),
        (("5 2 0 1 2 0", "5 d 1 1 0"), 12, "no clause 1 to be deleted"),
        (("5 2 0 1 2 0", "5 d 8 0"), 12, "no clause 8 to be deleted"),
        (("5 2 0 1 2 0", "4 d 1 0"), 12, "the number of the clause before it, 5"),
        (("5 2 0 1 2 0", "5 d 0"), 12, "expected the numbers"),
        (("4 2 0 1 2 0",), 11, "above 4"),
        (("5 2 0 1 2 0", "5 0 5 3 4 0"), 12, "above 5"),
        (("5 2 0 1 2",), 11, "a clause, 0, its hints, 0"),
        (("5 2 0 1 2 0 0",), 11, "a clause, 0, its hints, 0"),
        (("5 2 2 0 1 2 0",), 11, "twice"),
        (("5 2 -2 0 1 2 0",), 11, "twice"),
        (("5 3 0 1 2 0",), 11, "variables 1 to 2"),
        (("5 two 0 1 2 0",), 11, "no number"),
        (("05 2 0 1 2 0",), 11, "whole number"),
        (("5  2 0 1 2 0",), 11, "no number"),
        (("5 2 0 1 2 0 ",), 11, "0 at the end"),
        (("5",), 11, "then a clause and its hints"),
        ((*PROOF, "7 1 0 6 0"), 13, "nothing may follow"),
    ],
)
def test_steps_that_are_wrong(proof: tuple[str, ...], line: int, why: str) -> None:
    code, message = checker.verdict(written(proof=proof))

    assert code != checker.CONFIRMED
    assert f"line {line}: " in message and why in message, message


@pytest.mark.parametrize(
    ("formula", "line", "why"),
    [
        (("p cnf 2 4", *SQUARE[1:4]), 5, "should be 3 clauses"),
        (("p cnf 1 4", *SQUARE[1:]), 6, "variables 1 to 1"),
        (("p dnf 2 4", *SQUARE[1:]), 5, "p cnf"),
        (("p cnf 2 4", "1 2", *SQUARE[2:]), 6, "a 0 at the end"),
        (("p cnf 2 4", "1 +2 0", *SQUARE[2:]), 6, "no number"),
        (("p cnf 2 4", "1 1 0", *SQUARE[2:]), 6, "twice"),
        (("p cnf 2 4", "1 -2 0", *SQUARE[2:]), 11, "not unit"),
    ],
)
def test_formulas_that_are_wrong(formula: tuple[str, ...], line: int, why: str) -> None:
    code, message = checker.verdict(written(formula))

    assert code != checker.CONFIRMED
    assert f"line {line}: " in message and why in message, message


# A RAT step: clause 5 holds a variable 3 that no other clause has but 4. Not 3 or not 1 is no consequence, yet harmless.
RAT = ("p cnf 3 5", "1 2 0", "-1 2 0", "1 -2 0", "-1 -2 0", "3 1 0")


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("6 -3 -1 0 -5 0", None),  # clause 5 agrees with the assumption that 1 is so: no hints are needed
        ("6 -3 2 0 -5 1 2 0", "more hints than are of use"),
        ("6 -3 -1 0 0", "clause 5 has no chain"),
        ("6 -3 -1 0 -5 -4 0", "clause 4 holds no 3"),
        ("6 -3 -1 0 -5 -5 0", "two chains"),
        ("6 -3 -1 0 -5 -9 0", "clause 9 holds no 3, or does not exist"),
        ("6 -3 -1 0 -5 1 0", "needs no hints"),
        ("6 -1 -3 0 -5 0", "as a RAT step on -1"),
        ("6 0 -5 0", "no contradiction"),
    ],
)
def test_rat_steps(step: str, why: str | None) -> None:
    proof = (step, "7 2 0 1 2 0", "8 0 7 3 4 0")
    code, message = checker.verdict(written(RAT, proof))

    if why is None:
        assert code == checker.CONFIRMED, message
    else:
        assert code != checker.CONFIRMED
        assert "line 12: " in message, message
        assert why in message, message


def test_a_rat_step_that_needs_a_chain() -> None:
    """The pivot is 3; against clause 5 (3 or 1) the assumption says not 1, and clause 1 and 2 contradict each other."""
    formula = ("p cnf 3 5", "1 2 0", "1 -2 0", "-1 2 0", "-1 -2 0", "3 1 0")
    good = checker.verdict(written(formula, ("6 -3 0 -5 1 2 0", "7 2 0 1 3 0", "8 0 7 2 4 0")))
    bad = checker.verdict(written(formula, ("6 -3 0 -5 1 0", "7 2 0 1 3 0", "8 0 7 2 4 0")))

    assert good[0] == checker.CONFIRMED, good[1]
    assert "line 12: the hints for clause 5 lead to no contradiction" in bad[1]


def test_no_step_takes_the_last_solution_away() -> None:
    """Steps at random, RUP and RAT: whatever is accepted leaves a formula solvable that was so."""
    import lrat
    from text import Refuted

    lines = lrat.Lines(written().encode())
    random = Random("steps")
    follows = harmless = 0
    for _ in range(10_000):
        formula = three_literals(5, 8, random.random())
        short = [clause[: random.randint(1, 3)] for clause in formula.clauses]
        clauses = dict(enumerate(short, start=1))
        literals = tuple(v * random.choice((1, -1)) for v in random.sample(range(1, 6), random.randint(0, 2)))
        hints = [random.randint(1, 8) for _ in range(random.randint(0, 3))]
        if literals and random.random() < 0.6:
            for number, clause in clauses.items():
                if -literals[0] in clause:
                    hints += [-number, *(random.randint(1, 8) for _ in range(random.choice((0, 0, 1, 2))))]
        try:
            lrat.check_step(literals, hints, clauses, lines)
        except Refuted:
            continue
        before, after = Formula(5, tuple(short)), Formula(5, (*short, literals))
        assert has_solution(before) == has_solution(after), (short, literals, hints)
        if all(hint > 0 for hint in hints):
            opposite = Formula(5, (*short, *((-literal,) for literal in literals)))
            assert not has_solution(opposite) or literals[0] not in {-lit for clause in short for lit in clause}
            follows += 1
        else:
            harmless += 1

    assert follows > 10 and harmless > 10, (follows, harmless)
