"""The smallest sets of provinces that meet a demand: all of them found, and a formula without a solution as their certificate.

A *demand* is met by more provinces if it is met by fewer. It asks for one of the provinces of each *claim*: of each of many
sets (`cover`), or of each way through the map (`barrier`). The search takes the provinces of a claim that is not met, one
after the other, and gives up where too many claims that share no province are left.

The formula says that a set meets the demand, has no more provinces than the smallest, and contains none of those that were
found. It has no solution: so no set is smaller, and no other is as small. The search of the proof is CaDiCaL's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tetrasolve.certify.dimacs import Clause, Formula
from tetrasolve.certify.form import Certificate
from tetrasolve.certify.tight import tighten
from tetrasolve.certify.unsat import prove_unsatisfiable
from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.claims.saying import NEVER
from tetrasolve.errors import ProofError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.masks import rows_of

CERTIFICATE = "smallest-sets"
Sets = tuple[int, ...]  # masks of provinces, in the order of their rows


class Demand(NamedTuple):
    """What a set of provinces is to meet; sets are masks by row.

    `claims` gives for sets of provinces that are taken and banned the claims that are not met, which share no province: the
    provinces of each that are not banned, fewest first. `clauses` hold for a set, over variables by row from 1 on and perhaps
    others, if and only if it meets the demand.
    """

    board: Board
    allowed: int  # the provinces that can be taken
    claims: Callable[[int, int], list[int]]
    clauses: tuple[Clause, ...]


def cover(board: Board, allowed: int, wanted: Sequence[int]) -> Demand:
    """One of each of these sets of provinces is to be taken, all of them allowed."""

    def claims(taken: int, banned: int) -> list[int]:
        found, used = [], 0
        for claim in sorted((claim & ~banned for claim in wanted if not claim & taken), key=int.bit_count):
            if not claim & used:
                found.append(claim)
                used |= claim
        return found

    return Demand(board, allowed, claims, tuple(tuple(row + 1 for row in rows_of(claim)) for claim in wanted))


class Layer(NamedTuple):
    """Ways from a start to any of some ends, by arcs from row to row."""

    start: int
    ends: int
    arcs: tuple[tuple[int, ...], ...]


def barrier(board: Board, allowed: int, layers: Sequence[Layer]) -> Demand:
    """One province of each way of each layer is to be taken, the start excepted."""

    def claims(taken: int, banned: int) -> list[int]:
        found = []
        for layer in layers:
            while (way := _way(layer, allowed, taken)) is not None:
                found.append(way & ~banned)
                taken |= way
                if not way:
                    break  # nothing bars this way
        return sorted(found, key=int.bit_count)

    return Demand(board, allowed, claims, tuple(_barring(len(board.ids), allowed, layers)))


def _way(layer: Layer, allowed: int, taken: int) -> int | None:
    """What can be taken on a shortest way, a mask; None where there is no way."""
    ways = {layer.start: 0}
    for row in (queue := [layer.start]):
        if layer.ends >> row & 1:
            return ways[row]
        for other in layer.arcs[row]:
            if other not in ways and not taken >> other & 1:
                ways[other] = ways[row] | (1 << other & allowed)
                queue.append(other)
    return None


def _barring(places: int, allowed: int, layers: Sequence[Layer]) -> Iterator[Clause]:
    """In each layer a variable for each province that is reached."""
    for number, layer in enumerate(layers, start=1):
        first = number * places + 1
        yield (first + layer.start,)
        for row, others in enumerate(layer.arcs):
            for other in others:
                take = (other + 1,) if allowed >> other & 1 else ()
                yield (-(first + row), *take, first + other)
        for row in rows_of(layer.ends):
            yield (-(first + row),)


# -- the search ------------------------------------------------------------------------------------------------


def smallest(demand: Demand) -> Sets | None:
    """All smallest sets that meet a demand; None where there is none."""
    found: list[int] = []

    def search(taken: int, banned: int, left: int) -> None:
        claims = demand.claims(taken, banned)
        if not claims:
            found.append(taken)
        elif len(claims) <= left:
            for row in rows_of(claims[0]):
                search(taken | 1 << row, banned, left - 1)
                banned |= 1 << row

    if demand.claims(demand.allowed, 0):
        return None
    size = 0
    while not found:
        search(0, 0, size)
        size += 1
    return tuple(sorted(found, key=lambda mask: list(rows_of(mask))))


# -- the certificate -------------------------------------------------------------------------------------------


def formula(demand: Demand, found: Sets | None) -> Formula:
    """The formula that a set meets the demand, is no larger than these, and contains none of them."""
    places = len(demand.board.ids)
    clauses: list[Clause] = [(-(row + 1),) for row in range(places) if not demand.allowed >> row & 1]
    clauses += demand.clauses
    if found is not None:
        used = max((abs(literal) for clause in clauses for literal in clause), default=0)
        clauses += at_most([row + 1 for row in rows_of(demand.allowed)], found[0].bit_count(), max(used, places))
        clauses += [tuple(-(row + 1) for row in rows_of(mask)) for mask in found]
    return Formula.of(clauses)


def at_most(variables: Sequence[int], most: int, used: int) -> Iterator[Clause]:
    """No more than so many variables are true: a sequential counter (Sinz 2005), over new variables above those used.

    The j-th counter of the i-th variable is true if j of the variables up to this one are.

    >>> list(at_most([1, 2], 1, 2))
    [(-1, 3), (-2, 4), (-3, 4), (-2, -3)]
    """
    if most == 0:
        yield from ((-variable,) for variable in variables)
        return
    for number, variable in enumerate(variables):
        here = used + 1 + number * most
        before = here - most
        yield (-variable, here)
        if number:
            yield from ((-(before + j), here + j) for j in range(most))
            yield from ((-variable, -(before + j - 1), here + j) for j in range(1, most))
            yield (-variable, -(before + most - 1))


# -- facts -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """What is asked of each instance: the smallest sets that meet a demand."""

    instances: Callable[[Board], Iterable[str]]
    demand: Callable[[Board, str], Demand]
    say: Callable[[str, Values], str]


def sets_kind(
    kind: str,
    family: str,
    title: str,
    how: str,
    rows: tuple[str, ...],
    questions: Mapping[str, Question],
    ruleset: str = "every ruleset",
    effort: float = 0.1,
) -> Topic:
    """A kind of facts about smallest sets; an instance is the name of a question, a hyphen, and an instance of the question."""

    def derive(board: Board) -> dict[str, Values]:
        return {
            f"{name}-{rest}": _values(question, board, rest)
            for name, question in questions.items()
            for rest in question.instances(board)
        }

    def certify(board: Board, instance: str, values: Values) -> Certificate:
        name, _, rest = instance.partition("-")
        return fact_certificate(
            CERTIFICATE, board, f"{kind}/{instance}", (), values, _proof(questions[name], board, rest)
        )

    def say(instance: str, values: Values) -> str:
        name, _, rest = instance.partition("-")
        return questions[name].say(rest, values)

    return Topic(kind, family, title, how, CERTIFICATE, rows, derive, certify, say, ruleset=ruleset, effort=effort)


def _values(question: Question, board: Board, instance: str) -> Values:
    demand, found = _answer(question, board, instance)
    if found is None:
        return {"least": NEVER, "count": 0}
    always = demand.allowed
    for mask in found:
        always &= mask
    values: dict[str, Value] = {"least": found[0].bit_count(), "count": len(found)}
    values |= {"first": board.unmask(found[0]), "always": board.unmask(always)}
    for row in rows_of(demand.allowed):
        values[f"times.{board.ids[row]}"] = sum(mask >> row & 1 for mask in found)
    return values


def _proof(question: Question, board: Board, instance: str) -> dict[str, list[str]]:
    """The sets as they are found, in their order, and the proof that there are no others.

    :raises MissingExtraError: when python-sat is not installed.
    """
    demand, found = _answer(question, board, instance)
    claim = formula(demand, found)
    steps = prove_unsatisfiable(claim)
    if steps is None:
        raise ProofError(f"{instance}: there are more sets than were found")
    sets = [".".join(board[board.ids[row]].code for row in rows_of(mask)) or "-" for mask in found or ()]
    return {"sets": sets, "proof": [str(step) for step in tighten(claim, steps)]}


@lru_cache(maxsize=64)
def _answer(question: Question, board: Board, instance: str) -> tuple[Demand, Sets | None]:
    demand = question.demand(board, instance)
    return demand, smallest(demand)
