"""The function `plan`: optimal turn plans by any engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tetrasolve.errors import ObjectiveError
from tetrasolve.exact.deadline import answering, left, public_question, stop_of
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.plan.exhaustive import ENGINE, PlanResult, exhaustive
from tetrasolve.tetrarchia.plan.judge import judge
from tetrasolve.tetrarchia.plan.objective import Objective
from tetrasolve.tetrarchia.plan.policies import Watch
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.plan.solvers import SOLVERS, could_attack, from_answer, solve
from tetrasolve.tetrarchia.plan.task import NO_ATTACK, Stated, Task, read_attacks, require_turn
from tetrasolve.tetrarchia.position import Position

JUDGE = "judge"
ENGINES = (ENGINE, *SOLVERS, JUDGE)


@public_question
def plan(
    position: Position,
    objective: Objective | str,
    *,
    engine: str = ENGINE,
    attacks: Stated | str | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
    seed: int = 0,
    cases: Path | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> PlanResult:
    """An optimal plan for the rest of the active Emperor's turn.

    `engine`: ``exhaustive`` (all policies), ``cpsat`` or ``z3`` (a model of the turn; attacks must be none or stated), or
    ``judge``: all of them, which must agree; where they differ the smallest case is written to the folder `cases`. With modules,
    variants or rebels the judge asks the reference rules, too, which answer in short turns.
    `attacks`: ``dice`` (None), ``none``, or stated outcomes. After `seconds`, or when `cancel` is set, the best plan so far is
    returned as `feasible` with a bound, or as `unknown`. `progress` is called with the stage, the number done, and the total.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> result = plan(example("movement"), "clear dalmatia")
    >>> result.status, result.values  # Dalmatia is cleared for sure, for 6 IP
    (<Status.OPTIMAL_PROVED: 'optimal_proved'>, (Fraction(1, 1), Fraction(6, 1)))

    :raises ObjectiveError: when the objective or the attacks cannot be read, or no solver can plan for them.
    :raises IllegalPositionError: when the position cannot occur, or there is no decision left in it.
    :raises MissingExtraError: when a solver is not installed.
    :raises DisagreementError: when two methods give different answers.
    :raises OutOfTimeError: when the time ran out before it was known whether a solver can plan for the position.
    """
    stop = stop_of(seconds, cancel)
    board = position.board
    objective = read_objective(objective, board) if isinstance(objective, str) else objective
    stated = read_attacks(attacks, board) if isinstance(attacks, str) else attacks
    if engine not in ENGINES:
        raise ObjectiveError(f"engine {engine!r} does not exist; there are {', '.join(ENGINES)}")
    require_turn(position)
    if engine == ENGINE:
        return exhaustive(position, objective, stated, Watch(stop, progress, cancel))
    with answering(f"a plan by engine {engine}"):
        task = Task(position, objective, _decided(position, stated, engine, stop))
    if engine == JUDGE:
        found = judge(task, seconds=left(stop), cancel=cancel, seed=seed, cases=cases).result
        return replace(found, engine=JUDGE, stated=stated)
    return from_answer(task, solve(engine, task, cancel=stop, seed=seed))


def _decided(position: Position, stated: Stated | None, engine: str, stop: Stop | None) -> Stated:
    """The stated attacks for a model of the turn."""
    if stated is None and could_attack(position, stop):
        raise ObjectiveError(
            f"engine {engine} knows no dice, and {_attackable(position)} may be attacked here: say attacks none, or how they "
            "end, like victory@narbonensis"
        )
    return NO_ATTACK if stated is None else stated


def _attackable(position: Position) -> str:
    return "an army" if position.pieces.pirates is None else "an army or the Pirates"
