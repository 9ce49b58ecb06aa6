"""Smallest sets: found by trying all, formulas that mean what they say, proofs without anything idle."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice, product
from random import Random

import checker
import networkx as nx
import pytest
from formulas import parity, pigeons, three_literals
from tampered import certificates, claiming, confirmed, other_lines, other_numbers

from tetrasolve.certify.dimacs import Clause, Formula
from tetrasolve.certify.drup import Step
from tetrasolve.certify.form import Certificate
from tetrasolve.certify.tight import tighten
from tetrasolve.certify.unsat import prove_unsatisfiable
from tetrasolve.claims.fact import Topic, Values
from tetrasolve.errors import MissingExtraError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.families import CLAIMS
from tetrasolve.tetrarchia.facts.routes.barred import EVERY
from tetrasolve.tetrarchia.facts.routes.reach import starts
from tetrasolve.tetrarchia.facts.smallest import CERTIFICATE, at_most, cover, formula, smallest
from tetrasolve.tetrarchia.masks import rows_of

BOARD = Board.standard()
TOPICS = [kind for kind in CLAIMS.topics().values() if kind.certificate == CERTIFICATE]

ROUTES = [kind for kind in TOPICS if kind.family == "routes"]  # the others are tried with all cascades


def values(kind: str, instance: str) -> Values:
    return CLAIMS.topics()[kind].derive(BOARD)[instance]


# -- the search ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_all_smallest_sets_of_a_small_demand(seed: int) -> None:
    random = Random(f"covers {seed}")
    allowed = sum(1 << row for row in range(9))
    wanted = tuple(random.randrange(1, 2**9) & random.randrange(1, 2**9) or 1 for _ in range(random.randint(1, 12)))
    good = [mask for mask in range(2**9) if all(mask & claim for claim in wanted)]
    least = min(map(int.bit_count, good))

    found = smallest(cover(BOARD, allowed, wanted))

    assert found is not None and sorted(found) == [mask for mask in good if mask.bit_count() == least]
    assert [list(rows_of(mask)) for mask in found] == sorted(list(rows_of(mask)) for mask in found)


def test_a_demand_that_cannot_be_met() -> None:
    assert smallest(cover(BOARD, 0b11, (0b01, 0))) is None
    assert smallest(cover(BOARD, 0b11, ())) == (0,)


@pytest.mark.parametrize("border", [*BOARD.borders, EVERY])
def test_armies_that_cut_off_roma(border: str) -> None:
    """All pairs of armies tried on the graph."""
    graph = nx.Graph(link.between for link in BOARD.links)
    ends = BOARD.borders if border == EVERY else (border,)
    able = [place for place in BOARD.ids if BOARD[place].arrow is not None and not BOARD[place].is_border]
    for size in range(1, 4):
        good = []
        for armies in combinations(able, size):
            left = graph.subgraph(set(graph) - set(armies))
            if not any(nx.has_path(left, BOARD.roma, end) for end in ends):
                good.append(armies)
        if good:
            break
    found = values("barrier", f"cut-{border}")

    assert (found["least"], found["count"], found["first"]) == (size, len(good), good[0])


def test_revolts_on_all_cheapest_ways() -> None:
    """With them each border costs more, and without one of them some border is not."""
    for start in starts(BOARD):
        found = values("barrier", f"hinder-{start}")
        revolts = found["first"]
        assert isinstance(revolts, tuple)
        free = prices(start, ())
        assert all(prices(start, revolts)[border] > free[border] for border in BOARD.borders)
        for gone in revolts:
            fewer = prices(start, tuple(place for place in revolts if place != gone))
            assert any(fewer[border] == free[border] for border in BOARD.borders)


def prices(start: str, revolts: tuple[str, ...]) -> dict[str, int]:
    """The IP of the cheapest way to each province."""
    graph = nx.DiGraph()
    for link in BOARD.links:
        for a, b in (link.between, link.between[::-1]):
            graph.add_edge(a, b, weight=1 + link.broken + (b in revolts))
    return dict(nx.single_source_dijkstra_path_length(graph, start))


# -- the formula -----------------------------------------------------------------------------------------------


def solutions(clauses: list[Clause], variables: int) -> Iterator[tuple[bool, ...]]:
    for chosen in product((False, True), repeat=variables):
        if all(any(chosen[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses):
            yield chosen


@pytest.mark.parametrize(("variables", "most"), [(3, 0), (3, 1), (4, 2), (4, 3), (3, 3)])
def test_a_counter_counts(variables: int, most: int) -> None:
    clauses = list(at_most(range(1, variables + 1), most, variables))
    used = max(abs(literal) for clause in clauses for literal in clause)
    found = {chosen[:variables] for chosen in solutions(clauses, used)}

    assert found == {chosen for chosen in product((False, True), repeat=variables) if sum(chosen) <= most}


def test_a_set_that_is_left_out_is_a_solution() -> None:
    """Without the clause for one of the sets the formula has a solution."""
    wanted = (0b0011, 0b0110, 0b1100)
    demand = cover(BOARD, 0b1111, wanted)
    found = smallest(demand)
    assert found == (0b0101, 0b0110, 0b1010)
    assert prove_unsatisfiable(formula(demand, found)) is not None
    for row in range(len(found)):
        assert prove_unsatisfiable(formula(demand, (*found[:row], *found[row + 1 :]))) is None


# -- proofs ----------------------------------------------------------------------------------------------------


def proof_of(given: Formula, steps: tuple[Step, ...]) -> str:
    sections = (("formula", given.lines()), ("proof", tuple(map(str, steps))))
    return Certificate("unsatisfiable", (("about", "a formula"),), sections).text()


@pytest.mark.parametrize("seed", range(6))
def test_tight_proofs_hold(seed: int) -> None:
    formulas = [pigeons(3), parity(9, 2), *(three_literals(9, 60, f"tight {seed} {n}") for n in range(3))]
    for given in formulas:
        steps = prove_unsatisfiable(given)
        if steps is not None:
            tight = tighten(given, steps)
            assert checker.verdict(proof_of(given, tight))[0] == checker.CONFIRMED
            assert sum(len(step.clause) + len(step.hints) for step in tight) <= sum(
                len(step.clause) + len(step.hints) for step in steps
            )
            assert tighten(given, tight) == tight


# -- certificates ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ROUTES, ids=lambda kind: kind.id)
def test_certificates_are_confirmed_and_changed_ones_are_not(kind: Topic) -> None:
    for fact, certificate in islice(certificates(kind), 2):
        good, message = confirmed(certificate)
        assert good, (fact, message)
        for changed in [*other_numbers(certificate, 5), *other_lines(certificate, 5)]:
            good, message = confirmed(changed)
            assert not good, (fact, message, changed)


def test_a_proof_is_always_the_same() -> None:
    kind = CLAIMS.topics()["barrier"]
    found = kind.derive(BOARD)
    for start in (name for name in found if name.startswith("hinder-")):
        assert len({kind.certify(BOARD, start, found[start]).text() for _ in range(3)}) == 1


@pytest.mark.parametrize("kind", TOPICS, ids=lambda kind: kind.id)
def test_a_set_that_is_not_listed_is_missed(kind: Topic) -> None:
    """A certificate that lists all sets but one, with values that fit, has no proof."""
    fact, certificate = next(iter(certificates(kind)))
    found = kind.derive(BOARD)[fact.partition("/")[2]]
    fewer = claiming(certificate, dict(found) | {"count": int(str(found["count"])) - 1})
    sets = certificate.section("sets")
    changed = replace(
        certificate,
        sections=tuple((name, sets[:-1] if name == "sets" else lines) for name, lines in certificate.sections),
    )
    for text in (fewer, changed.text()):
        good, message = confirmed(text)
        assert not good, message


def test_without_a_solver_there_is_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    kind = CLAIMS.topics()["barrier"]
    with pytest.raises(MissingExtraError, match="python-sat"):
        kind.certify(BOARD, f"cut-{EVERY}", kind.derive(BOARD)[f"cut-{EVERY}"])
