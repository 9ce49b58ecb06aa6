"""Certificates of findings about plans: a turn has other best plans under two values, and smaller turns have not.

The stand-alone checker makes both turns in full by rules of its own (kind ``plan-difference``). Of the base game it also solves all
turns of fewer pieces again, below `MOST_LEAST`; of a finding that is proved for more, and with modules, the certificate says less.
"""

from __future__ import annotations

from fractions import Fraction

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.boardrows import whole_digest
from tetrasolve.tetrarchia.lint.bestplans import PlanFinding
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.small import BASE
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.plan.objective import looks_ahead, natural
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.position import Position

KIND = "plan-difference"
MOST_LEAST = 2
UPRISING = "least p_uprising"


def certify_plan_finding(found: PlanFinding, board: Board | None = None) -> Certificate:
    """The certificate of a finding about plans.

    :raises FindingError: for a finding without a position, for a value that the reference rules alone play, and for an objective
        about the phase after the turn in a game in which players decide in it.
    """
    board = board or Board.standard()
    if found.position is None or found.results is None or found.plans is None:
        raise FindingError(
            f"{found.id}: no position is known in which its best plans differ, so there is nothing to certify"
        )
    reading, _, values = found.id.partition("=")
    first, second = values.split("/")
    position, objective = Position.parse(found.position, board), read_objective(found.objective, board)
    if Pair(reading, first, second).by_reference:
        raise FindingError(
            f"{found.id}: the stand-alone checker does not know a value that the reference rules alone play"
        )
    decided = {"barbaria"} if found.objective == UPRISING else WITH_CHOICES
    if any(map(looks_ahead, objective.terms)) and decided & position.ruleset.extensions:
        raise FindingError(f"{found.id}: players decide in the phase, which the stand-alone checker does not follow")
    least = min(found.solved_through, MOST_LEAST) if found.table == BASE else 1
    optima = []
    for results in found.results:
        terms = zip(objective.terms, map(Fraction, results), strict=True)
        optima.append(
            " ".join(str(value) for value in [*[1] * bool(objective.constraint), *(natural(*one) for one in terms)])
        )
    fields = (
        ("board", f"{board.id} {whole_digest(board)}"),
        ("values", f"{reading} {first} {second}"),
        ("position", found.position),
        ("pieces", str(found.size)),
        ("objective", str(objective)),
        ("optimum", optima[0]),
        ("plan", found.plans[0]),
        ("optimum", optima[1]),
        ("plan", found.plans[1]),
        ("least", str(least)),
        ("smaller", str(sum(found.enumerated[: least - 1]))),
    )
    return Certificate(KIND, fields, ())
