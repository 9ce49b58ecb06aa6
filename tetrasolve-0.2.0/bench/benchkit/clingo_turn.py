"""The best plan of a deterministic turn by clingo, an answer set solver: somebody else's engine on an encoding of ours."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from benchkit.race import BenchError
from tetrasolve.tetrarchia.action import REDUCE, REMOVE, SECURE, Action, Outcome, attack, enter, move, sail
from tetrasolve.tetrarchia.plan.answer import Answer, Status
from tetrasolve.tetrarchia.plan.objective import Goal, LeastIp, Objective, Value
from tetrasolve.tetrarchia.plan.task import Task
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules.combat import Battle

ENCODING = Path(__file__).with_suffix(".lp")


def solve_clingo(task: Task, *, seconds: float | None = None) -> Answer:
    """What clingo says about a task without a constraint; its plan is not replayed here.

    :raises BenchError: when clingo is missing, or the task has a constraint.
    """
    try:
        clingo: Any = import_module("clingo")
    except ImportError:
        raise BenchError("clingo is missing (pip install clingo)") from None
    if task.objective.constraint:
        raise BenchError("the encoding for clingo knows no constraints")
    started = time.perf_counter()
    control = clingo.Control(["--opt-mode=opt", "--warn=none"])
    control.load(str(ENCODING))
    control.add("base", [], "\n".join(facts(task)))
    control.ground([("base", [])])
    best: tuple[tuple[Action, ...], tuple[int, ...]] | None = None
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - started))
            if not handle.wait(left):
                handle.cancel()
                closed = False
                break
            model = handle.model()
            if model is None:
                closed = True
                break
            done = sorted((term.arguments[1].number, term.arguments[0]) for term in model.symbols(shown=True))
            costs = dict(zip(model.priority, model.cost, strict=True))  # without a term that cannot but be 0
            ranks = range(len(task.objective.terms), 0, -1)
            best = tuple(_action(term) for _, term in done), tuple(-costs.get(rank, 0) for rank in ranks)
    steps, values = best or (None, None)
    proved = Status.INFEASIBLE_PROVED if _hopeless(task.objective, values) else Status.OPTIMAL_PROVED
    found = Status.FEASIBLE if values is not None else Status.UNKNOWN
    return Answer(
        engine="clingo",
        status=proved if closed else found,
        steps=steps,
        values=values,
        bound=values if closed else None,
        seconds=time.perf_counter() - started,
        nodes=int(control.statistics["solving"]["solvers"]["choices"]),
        version=f"clingo {clingo.__version__}",
    )


def _hopeless(objective: Objective, values: tuple[int, ...] | None) -> bool:
    return values is None or (isinstance(objective.terms[0], Goal) and values[0] == 0)


def _action(term: Any) -> Action:
    """The action of a term like ``move(roma)``."""
    match term.name:
        case "enter":
            return enter(term.arguments[0].name)
        case "move":
            return move(term.arguments[0].name)
        case "sail":
            return sail(term.arguments[0].number, term.arguments[1].number)
        case "attack":
            return attack(term.arguments[0].name, Outcome(term.arguments[1].name))
    return {"secure": SECURE, "remove": REMOVE, "reduce": REDUCE}[term.name]


# -- facts -----------------------------------------------------------------------------------------------------


def facts(task: Task) -> Iterator[str]:
    """Everything that the encoding asks for."""
    yield from _board(task.position)
    yield from _table(task.position)
    yield from _wanted(task)
    for army, outcome in task.stated:
        yield f"stated({army},{outcome})."
    if task.stated:
        yield from _rollable(task)


def _board(position: Position) -> Iterator[str]:
    board, broken_too = position.board, position.ruleset.readings["I-BATTLE-BROKEN"] == "linked"
    for link in board.links:
        for a, b in (link.between, reversed(link.between)):
            yield f"link({a},{b},{'broken' if link.broken else 'normal'})."
            if broken_too or not link.broken:
                yield f"in_battle({a},{b})."
    for province in board.provinces.values():
        yield f"{'border' if province.is_border else 'member'}({province.id},{province.region})."
        for zone in province.zones:
            yield f"coast({province.id},{zone})."
    for zone in board.coast:
        for other in board.adjacent(zone):
            yield f"adjacent({zone},{other})."
    emperor = board.emperor(position.to_move)
    assert emperor is not None
    yield f"me({emperor.id}). entry({board.roma},roma)."
    if emperor.capital != board.roma:
        yield f"entry({emperor.capital},capital)."
    for province_id in board.printed(emperor.id):
        yield f"printed({province_id})."


def _table(position: Position) -> Iterator[str]:
    yield f"ip({position.ip}). steps({position.ip + (position.here is None)})."
    yield "off." if position.here is None else f"he({position.here})."
    for name, place in position.emperors.items():
        if name != position.to_move and place is not None:
            yield f"other({place})."
    for army in position.armies:
        yield f"army({army})."
    for zone in position.fleets:
        yield f"fleet({zone})."
    for province, disc in position.discs.items():
        yield f"disc({province},{disc})."
    yield f"garrisons_left({position.reserve_garrisons(position.to_move)}). unrest_left({position.reserve_unrest})."
    for reading, value in position.ruleset.readings.items():
        yield f"reading({reading.removeprefix('I-').lower().replace('-', '_')},{value.replace('-', '_')})."


def _rollable(task: Task) -> Iterator[str]:
    """Every combination of values with which an outcome that is stated can be rolled."""
    position = task.position
    own = range(position.ruleset.garrisons + len(position.board.printed(position.to_move)) + 1)
    revolts, outcomes = range(len(position.revolts) + 1), sorted({outcome for _, outcome in task.stated})
    for garrisons, emperors, group, armies in product(own, range(4), revolts, range(3)):
        possible = Battle(garrisons, emperors, group, armies).chances()
        for outcome in outcomes:
            if outcome in possible:
                yield f"rollable({outcome},{garrisons},{emperors},{group},{armies})."


def _wanted(task: Task) -> Iterator[str]:
    board, terms = task.position.board, task.objective.terms
    for number, term in enumerate(terms):
        yield f"rank({number},{len(terms) - number})."
        match term:
            case Goal():
                yield f"goal({number})."
                for kind in ("reach", "secure", "clear", "kill"):
                    yield from (f"want({number},{kind},{place})." for place in sorted(getattr(term, kind)))
            case Value():
                for kind in (REVOLT_DISC, UNREST_DISC, "garrison", "army", "emperor"):
                    table = term.table(kind, board) or []
                    for place, weight in zip(board.ids, table, strict=False):
                        if weight:
                            yield f"worth({number},{kind},{place},{weight})."
            case LeastIp():
                yield f"thrift({number})."
