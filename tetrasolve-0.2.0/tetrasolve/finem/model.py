"""A model of the actions of a turn for CP-SAT: an answer that shares no code with the search.

Each of the actions left is a row of variables: where the pawn stands, what is done, the cubes of each region that has some, the
dice, and which tribes are pacified. What is made best is a linear evaluation of the last row, or the value of a won game. The
Dictator's ride is a chance and is left out: of a Dictator the model answers plans without one.

Written from the page of the rules: actions, E-PACIFY, E-AGAIN, E-ERADICATE, E-WIN; no other reading changes what actions do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tetrasolve.errors import IllegalPositionError, MissingExtraError, OutOfTimeError
from tetrasolve.exact.deadline import check, interruptible, stop_of
from tetrasolve.finem.evaluation import Objective
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Position, Step
from tetrasolve.stop import Stop, Stopped

FULL, TOP, PREFECT_TOP = 3, 6, 5
FAR = ("consul", "emperor")
PATIENCE = 0.1  # seconds; the presolve of CP-SAT looks at its flag now and then only


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The best value of the model, which is proved, and actions that reach it."""

    value: int
    actions: tuple[str, ...]


def solve_model(
    position: Position, aim: Objective, *, seconds: float | None = None, cancel: Stop | None = None, seed: int = 0
) -> ModelAnswer:
    """The best actions without a ride by CP-SAT, with one worker.

    :raises IllegalPositionError: when no action is next.
    :raises MissingExtraError: when OR-Tools is not installed.
    :raises OutOfTimeError: when the time runs out before the best value is proved.
    """
    stop = stop_of(seconds, cancel)
    if position.step is not Step.ACT:
        raise IllegalPositionError([f"step {position.step}: expected one at which an action is next"])
    try:
        from ortools.sat.python import cp_model
    except ModuleNotFoundError as error:
        raise MissingExtraError("ortools", "solvers") from error
    text = "the model of a turn: the time ran out before the best value was proved"
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # with the seed: the same answer on any machine
    solver.parameters.random_seed = seed
    solver.parameters.catch_sigint_signal = False  # Ctrl-C is for Python
    try:
        check(stop)
        built = _Model(cp_model.CpModel(), position, aim)
        status = interruptible(lambda: solver.solve(built.model), solver.stop_search, stop, patience=PATIENCE)
    except Stopped:
        raise OutOfTimeError(text) from None
    assert status == cp_model.OPTIMAL, solver.status_name(
        status
    )  # to pass is always a plan, and nothing limits the search
    return ModelAnswer(round(solver.objective_value), tuple(built.actions(solver)))


class _Model:
    """The variables and constraints of a position."""

    def __init__(self, model: Any, position: Position, aim: Objective) -> None:
        self.model, self.position = model, position
        self.readings = position.ruleset.readings
        self.rows = position.left
        self.stacks = {
            (region, tribe): count for region, tribes in position.occupied.items() for tribe, count in tribes.items()
        }
        flag, number = model.new_bool_var, model.new_int_var
        rows, later = range(self.rows), range(self.rows + 1)
        self.at = [{region: flag(f"at {k} {region}") for region in REGIONS} for k in later]
        self.cubes = [
            {stack: number(0, most, f"cubes {k} {stack}") for stack, most in self.stacks.items()} for k in later
        ]
        self.die = [{tribe: number(0, TOP, f"die {k} {tribe}") for tribe in TRIBES} for k in later]
        self.pacified = [{tribe: flag(f"pacified {k} {tribe}") for tribe in TRIBES} for k in later]
        self.one = [{tribe: flag(f"confront {k} {tribe}") for tribe in TRIBES} for k in rows]
        self.all = [{tribe: flag(f"all {k} {tribe}") for tribe in TRIBES} for k in rows]
        self.calm = [{tribe: flag(f"pacify {k} {tribe}") for tribe in TRIBES} for k in rows]
        self.move = [flag(f"move {k}") for k in rows]
        self.rest = [flag(f"rest {k}") for k in rows]
        self.won = [flag(f"won {k}") for k in later]
        self._begin()
        for k in rows:
            self._action(k)
        self._aim(aim)

    def _begin(self) -> None:
        model, position = self.model, self.position
        for region in REGIONS:
            model.add(self.at[0][region] == int(region == position.pawn))
        for stack, count in self.stacks.items():
            model.add(self.cubes[0][stack] == count)
        for tribe in TRIBES:
            model.add(self.die[0][tribe] == position.die(tribe))
            model.add(self.pacified[0][tribe] == int(tribe in position.pacified))
        for k in range(self.rows + 1):
            model.add_exactly_one(self.at[k].values())
            model.add_min_equality(self.won[k], [self.pacified[k][tribe] for tribe in TRIBES])

    def _action(self, k: int) -> None:
        """One action: exactly one is taken, or none from here on; a game that is won at once has none left."""
        model = self.model
        done = [*self.one[k].values(), *self.all[k].values(), *self.calm[k].values(), self.move[k], self.rest[k]]
        model.add_exactly_one(done)
        if k:
            model.add_implication(self.rest[k - 1], self.rest[k])
            if self.readings["E-WIN"] == "at-once":
                model.add_implication(self.won[k], self.rest[k])
        self._moving(k)
        for stack in self.stacks:
            self._confronting(k, *stack)
        for tribe in TRIBES:
            self._allowed(k, tribe)
            self._tribe(k, tribe)

    def _moving(self, k: int) -> None:
        model, position = self.model, self.position
        for region in REGIONS:
            goals = {*position.layout.neighbours[region]}
            if position.role in FAR:
                goals |= {position.start, position.last}
            reached = [self.at[k + 1][goal] for goal in goals - {region}]
            model.add_bool_or([self.at[k][region].negated(), self.move[k].negated(), *reached])
            model.add(self.at[k + 1][region] == self.at[k][region]).only_enforce_if(self.move[k].negated())

    def _confronting(self, k: int, region: str, tribe: str) -> None:
        """A stack loses a cube, or all, where the pawn confronts its tribe; otherwise it stays."""
        model, here = self.model, self.at[k][region]
        before, after = self.cubes[k][region, tribe], self.cubes[k + 1][region, tribe]
        one, whole = self.one[k][tribe], self.all[k][tribe]
        model.add(before >= 1).only_enforce_if(here, one)
        model.add(after == before - 1).only_enforce_if(here, one)
        model.add(before >= 2).only_enforce_if(here, whole)
        model.add(after == 0).only_enforce_if(here, whole)
        model.add(after == before).only_enforce_if(here.negated())
        model.add(after == before).only_enforce_if(one.negated(), whole.negated())

    def _allowed(self, k: int, tribe: str) -> None:
        model, position = self.model, self.position
        for region in REGIONS:
            if (region, tribe) not in self.stacks:
                model.add_implication(self.at[k][region], self.one[k][tribe].negated())
                model.add_implication(self.at[k][region], self.all[k][tribe].negated())
        if position.role != "magister":
            model.add(self.all[k][tribe] == 0)
        enough = PREFECT_TOP if position.role == "prefect" else TOP
        least = 1 if self.readings["E-PACIFY"] == "free" else enough
        model.add(self.die[k][tribe] >= least).only_enforce_if(self.calm[k][tribe])
        if self.readings["E-AGAIN"] == "stays":
            model.add_implication(self.calm[k][tribe], self.pacified[k][tribe].negated())

    def _tribe(self, k: int, tribe: str) -> None:
        """The die and the white cube of a tribe after an action [E-ERADICATE]."""
        model, calm = self.model, self.calm[k][tribe]
        before, after = self.pacified[k][tribe], self.pacified[k + 1][tribe]
        model.add_max_equality(after, [before, calm])
        left = sum(self.cubes[k + 1][stack] for stack in self.stacks if stack[1] == tribe)
        empty = model.new_bool_var(f"empty {k} {tribe}")
        model.add(left == 0).only_enforce_if(empty)
        model.add(left >= 1).only_enforce_if(empty.negated())
        looked = model.new_bool_var(f"looked {k} {tribe}")
        removed = [*self.one[k].values(), *self.all[k].values()]
        calmed: list[Any] = []
        if self.readings["E-ERADICATE"] == "own":
            removed = [self.one[k][tribe], self.all[k][tribe]]
        elif self.readings["E-ERADICATE"] == "always":
            calmed = [calm]
        model.add(looked == (sum([*removed, *calmed]) if self.position.ruleset.is_introductory else 0))
        gone = model.new_bool_var(f"gone {k} {tribe}")
        model.add_min_equality(gone, [looked, after, empty])
        model.add(self.die[k + 1][tribe] == 0).only_enforce_if(gone)
        model.add(self.die[k + 1][tribe] == 1).only_enforce_if(gone.negated(), calm)
        model.add(self.die[k + 1][tribe] == self.die[k][tribe]).only_enforce_if(gone.negated(), calm.negated())

    def _aim(self, aim: Objective) -> None:
        evaluation, last, position = aim.evaluation, self.rows, self.position
        constant, won, _ = evaluation.sums
        die, pacified, cubes = evaluation.tribes
        base = constant + evaluation.tracks[0] * position.outbreaks + evaluation.tracks[1] * position.decline
        worth = base + sum(
            die[at] * self.die[last][tribe] + pacified[at] * self.pacified[last][tribe]
            for at, tribe in enumerate(TRIBES)
        )
        worth += sum(cubes[TRIBES.index(stack[1])] * self.cubes[last][stack] for stack in self.stacks)
        low, high = evaluation.range(position.ruleset.most_decline)
        value = self.model.new_int_var(min(low, won), max(high, won), "value")
        self.model.add(value == won).only_enforce_if(self.won[last])
        self.model.add(value == worth).only_enforce_if(self.won[last].negated())
        (self.model.maximize if aim.aims_at_most else self.model.minimize)(value)

    def actions(self, solver: Any) -> list[str]:
        """The actions of a solution, in words."""
        found = []
        for k in range(self.rows):
            words: Mapping[str, Any] = {
                **{f"confront {tribe}": self.one[k][tribe] for tribe in TRIBES},
                **{f"confront {tribe} all": self.all[k][tribe] for tribe in TRIBES},
                **{f"pacify {tribe}": self.calm[k][tribe] for tribe in TRIBES},
            }
            found += [word for word, taken in words.items() if solver.value(taken)]
            if solver.value(self.move[k]):
                goal = next(region for region in REGIONS if solver.value(self.at[k + 1][region]))
                found.append(f"move {goal}")
        return found
