"""The model with modules, variants and rebels: as many solutions as the reference rules have finished turns."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from moduleturns import EACH, TOGETHER, positions

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import PIRATES, Action, Kind, Outcome
from tetrasolve.tetrarchia.plan.model.formula import Formula
from tetrasolve.tetrarchia.plan.model.turn import TurnModel
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

cpsat = pytest.importorskip("tetrasolve.tetrarchia.plan.model.cpsat", reason="needs OR-Tools", exc_type=ImportError)
cp_model = pytest.importorskip("ortools.sat.python.cp_model", reason="needs OR-Tools")
z3model = pytest.importorskip("tetrasolve.tetrarchia.plan.model.z3model", reason="needs Z3", exc_type=ImportError)


def finished(position: Position | Fall, depth: int) -> Iterator[tuple[Action, ...]]:
    """The turns of so many actions by the reference rules, up to where they may end or are over."""
    if isinstance(position, Fall) or position.phase is Phase.BARBARIAN or position.is_won:
        if depth == 0:
            yield ()
    elif depth == 0:
        if rules.may_end(position):
            yield ()
    else:
        for action in rules.legal_actions(position):
            for rest in finished(rules.play(position, action), depth - 1):
                yield (action, *rest)


def modelled(position: Position, depth: int) -> tuple[Formula, TurnModel]:
    """The model of the turns of so many actions; attacks may end in any way."""
    formula = Formula()
    turn = TurnModel.of(formula, position, dict.fromkeys((*position.armies, PIRATES), tuple(Outcome)))
    turn.count_actions(depth)
    return formula, turn


def counts(position: Position, most: int, deepest: int = 3) -> dict[int, int]:
    """How many turns of each length there are, up to the first length that has too many."""
    found: dict[int, int] = {}
    for depth in range(deepest + 1):
        some = sum(1 for _, _ in zip(finished(position, depth), range(most + 1), strict=False))
        if some > most:
            break
        found[depth] = some
    return found


def require_the_same(position: Position, most: int) -> None:
    """The model has exactly these turns."""
    wanted = counts(position, most)
    assert {depth: cpsat.count_solutions(modelled(position, depth)[0]) for depth in wanted} == wanted, str(position)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
def test_the_model_has_the_turns_of_the_rules(extensions: str) -> None:
    """Costs, legality, passing, the sea, what attacks mean: each module alone, and several together."""
    for position in positions(extensions, 3, most_ip=2):
        require_the_same(position, most=40)


@pytest.mark.slow
@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
def test_the_model_has_the_turns_of_the_rules_on_many_positions(extensions: str) -> None:
    """More positions, and longer turns."""
    for position in positions(extensions, 40):
        require_the_same(position, most=150)


@pytest.mark.parametrize("extensions", ["dux vicarius", "pirates goths mare-nostrum via-romana"])
def test_z3_reads_the_same_model(extensions: str) -> None:
    for position in positions(extensions, 2, most_ip=1):
        wanted = counts(position, most=8, deepest=2)
        found = {}
        for depth in wanted:
            formula, turn = modelled(position, depth)
            found[depth] = z3model.count_solutions(formula, [arc.lit for arc in turn.arcs])
        assert found == wanted


def test_the_positions_need_every_action() -> None:
    """Among their turns are all actions of modules, by all who can do them."""
    done = {
        (action.kind, action.figure, action.place in (PIRATES, "reserve"), bool(action.payments))
        for extensions in (*EACH, *TOGETHER, "imperium pirates")
        for position in positions(extensions, 60)
        for action in rules.legal_actions(position)
    }
    for kind in Kind:
        assert kind is Kind.END or any(found == kind for found, *_ in done), kind
    for figure, kinds in {
        "dux": {Kind.DEPLOY, Kind.MOVE, Kind.REMOVE, Kind.REDUCE, Kind.ATTACK},
        "vicarius": {Kind.DEPLOY, Kind.MOVE},
        "maximian": {Kind.MOVE},
    }.items():
        assert {kind for kind, who, *_ in done if who == figure} == kinds, figure
    assert {figure for kind, figure, pirates, _ in done if kind is Kind.ATTACK and pirates} == {None, "dux"}
    assert {pirates for kind, _, pirates, paid in done if kind is Kind.ATTACK and paid} == {True, False}


class Turns(cp_model.CpSolverSolutionCallback):
    """Collects the turns of all solutions."""

    def __init__(self, turn: TurnModel, variables: list[cp_model.IntVar]) -> None:
        super().__init__()
        self.turn, self.variables, self.found = turn, variables, []

    def on_solution_callback(self) -> None:
        true = {lit for lit in range(1, len(self.variables)) if self.boolean_value(self.variables[lit])}
        self.found.append(self.turn.actions(true))


def test_the_solutions_are_the_turns() -> None:
    """Action by action, with figures and payments."""
    paid = 0
    some = positions("imperium pirates", 150, most_ip=2)
    fights = [one for one in some if any(action.payments for action in rules.legal_actions(one))]
    for position in [*fights[:3], *positions("dux imperium", 3, most_ip=2)]:
        formula, turn = modelled(position, 1)
        model, variables = cpsat.load(formula)
        solver, turns = cp_model.CpSolver(), Turns(turn, variables)
        solver.parameters.num_workers, solver.parameters.enumerate_all_solutions = 1, True
        solver.solve(model, turns)
        assert sorted(map(str, turns.found)) == sorted(map(str, finished(position, 1)))
        paid += sum(bool(action.payments) for (action,) in turns.found)
    assert paid
