"""Whether a turn has one best answer, and how much worse every other one is.

Two plans are the same answer if they end the turn in the same positions with the same chances; the IP left do not count, since they
are lost. Order of actions and detours make no other answer; another branch after one outcome of one attack does
(:doc:`/decisions/0043-one-answer`).

The kernel lists all turn states, `tetrasolve.puzzles.Answers` keeps at each of them the best policy and the best other answer,
and the reference rules replay both.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from tetrasolve.exact.certainty import fraction_data
from tetrasolve.exact.deadline import answering, public_question, stop_of
from tetrasolve.puzzles import Answers, Branch
from tetrasolve.puzzles.ranked import Verdict
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.plan.amount import Value, compare, mean
from tetrasolve.tetrarchia.plan.answer import DisagreementError
from tetrasolve.tetrarchia.plan.codes import attack_name, branch_key, is_attack, plan_of
from tetrasolve.tetrarchia.plan.exhaustive import as_fraction, places, require_phase
from tetrasolve.tetrarchia.plan.graph import criteria, turn_of
from tetrasolve.tetrarchia.plan.objective import Goal, NextGoal, Objective, Term, natural
from tetrasolve.tetrarchia.plan.policies import Edge, Measures, Watch, end_values, grouped, table_of
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.plan.replay import Ending, Later, expected_values, share_within, value_at, ways
from tetrasolve.tetrarchia.plan.task import Stated, require_stated, require_turn, require_words
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, may_end

Table: TypeAlias = Position | Fall | None  # None: the Empire has fallen, however it did
Tree: TypeAlias = tuple[tuple[int, ...], tuple[int, dict[int, tuple[int, Any]]] | None]  # as `Solution.plan` gives it


@dataclass(frozen=True, slots=True)
class Gap:
    """How much worse the best other answer is: the first term in which it differs, and by how much (more than 0).

    `term` None: the chance of keeping to the constraint.
    """

    term: Term | None
    amount: Fraction

    def as_data(self) -> dict[str, Any]:
        """The gap for JSON; the amount is exact and as a float."""
        return {"term": None if self.term is None else str(self.term), **fraction_data(self.amount)}

    def __str__(self) -> str:
        return f"{self.amount} of '{'the constraint' if self.term is None else self.term}'"


@dataclass(frozen=True)
class Uniqueness:
    """The best answer to a question about a turn, and the best of all that are another answer.

    `values` are those of the terms of the objective, exactly: chances in [0, 1], expected numbers, IP paid; with a constraint
    `kept` is the chance that it is met, 1 without one. `other` is None where all plans are the same answer, `gap` where there is
    no other or it is as good. `nodes` counts the turn states.
    """

    position: Position
    objective: Objective
    stated: Stated | None
    verdict: Verdict
    plan: Plan
    values: tuple[Fraction, ...]
    kept: Fraction
    ends: tuple[Ending, ...]
    other: Plan | None
    other_values: tuple[Fraction, ...] | None
    other_kept: Fraction | None
    other_ends: tuple[Ending, ...]
    gap: Gap | None
    nodes: int
    seconds: float

    @property
    def is_unique(self) -> bool:
        """Whether there is one answer."""
        return self.verdict is Verdict.ONE_ANSWER

    @property
    def sentence(self) -> str:
        """The verdict as a sentence."""
        match self.verdict:
            case Verdict.ONE_ANSWER:
                return f"one answer: every other plan is worse by at least {self.gap}"
            case Verdict.TWO_ANSWERS:
                return "two answers: these plans are equally good, and end in different positions"
            case Verdict.NO_SOLUTION if self.kept < 1:
                return f"no solution: no plan is certain to {self.objective.constraint}"
            case Verdict.NO_SOLUTION:
                return f"no solution: no plan has a chance of '{self.objective.terms[0]}'"
            case Verdict.TOO_MANY_TURNS:
                return f"too many turns: the chance of '{self.objective.terms[0]}' is the same in fewer turns"
        if self.other is None:
            return "decided: all plans end the turn in the same position"
        return f"decided: '{self.objective.terms[0]}' is so already"

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.puzzle.text import unique_lines

        return "\n".join(unique_lines(self))


def tables(ends: tuple[Ending, ...]) -> Counter[Table]:
    """The positions in which a turn ends, each with its chance, in the order of `ends`; IP left and paid do not count."""
    found: Counter[Table] = Counter()
    for chance, end, _ in ends:
        table = None if isinstance(end, Fall) else end.replace(ip=0, phase=Phase.BARBARIAN)
        found[table] += chance  # type: ignore[assignment]  # chances are fractions
    return found


@public_question
def unique(
    position: Position,
    objective: Objective | str,
    stated: Stated | None = None,
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Uniqueness:
    """Whether the question for the best plan of a turn has one answer; decided by all policies, none is left out.

    `stated` has the outcomes of attacks, as in a `Task`; None: the dice decide.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> found = unique(example("movement"), "clear dalmatia")
    >>> str(found.plan), str(found.gap)
    ('move moesia_inferior; move moesia_superior; move dalmatia; remove', "1 of 'clear dalmatia'")

    :raises ObjectiveError: when the objective cannot be read, or is about a phase that the search does not look through.
    :raises IllegalPositionError: when the position cannot occur, or there is no decision left in it.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before the search was complete.
    """
    stop = stop_of(seconds, cancel)
    if isinstance(objective, str):
        objective = read_objective(objective, position.board)
    require_turn(position)
    require_words(position, objective)
    require_stated(position, stated or ())
    require_phase(position, objective)
    with answering(f"whether '{objective}' has one answer"):
        return Search(position, objective, stated, stop).result()


_CHANCES = tuple(Fraction(share, 36) for share in range(37))  # of so many throws of two dice


class Search:
    """One turn as a graph, its best policy, and the best other answer; `ends` has the table and the value of ending at a node."""

    def __init__(self, position: Position, objective: Objective, stated: Stated | None, stop: Stop | None) -> None:
        self.started = time.perf_counter()
        self.position, self.objective, self.stated, self.stop = position, objective, stated, stop
        self.later = Later(stop)
        self.turn = turn_of(position, stated, stop)
        watch = Watch(stop)
        solution = self.turn.solve(criteria(objective, position) or [("ip",)], stop=stop)
        self.uprising_parts = solution.uprising_parts
        where = places(position, objective, self.turn, watch)
        exact = solution.end_values(stop=stop)
        if all(isinstance(place, int) for place in where):
            rows: list[Value | None] = list(exact)
            self.kernel_best: list[Fraction] | None = [Fraction(top, bottom) for top, bottom in solution.values]
        else:
            rows = end_values(self.turn, exact, where, Measures(fast.kernel_of(position), watch), watch)
            self.kernel_best = None
        self.ends = {node: (table_of(self.turn.state(node)), row) for node, row in enumerate(rows) if row is not None}
        self.answers = Answers[Value](
            self.turn.order(), self.ends, self.branches, compare=compare, mean=mean, look=watch.look
        )

    def options(self, node: int) -> list[tuple[Edge, ...]]:
        """The edges of each action at a node, in the order of `Pick.option`."""
        return list(grouped(self.turn.edges_from(node)))

    def branches(self, node: int) -> list[list[Branch]]:
        """The same as what dice can choose."""
        return [[Branch(_CHANCES[share], target) for _, share, target in edges] for edges in self.options(node)]

    def _plan(self, *, other: bool) -> Plan:
        tree, is_stated = self._tree(0, other=other), self.stated is not None
        return plan_of(tree, self.position.board, stated=is_stated, named_by_code=bool(self.position.rules_in_use))

    def _tree(self, node: int, *, other: bool) -> Tree:
        """A policy from a node on, in the form of `Solution.plan`."""
        codes: list[int] = []
        while True:
            pick = self.answers.pick(node, other=other)
            if pick.option is None:
                return tuple(codes), None
            edges = self.options(node)[pick.option]
            code, _, target = edges[0]
            if is_attack(code):
                after = {
                    branch_key(code): (share, self._tree(target, other=row == pick.other))
                    for row, (code, share, target) in enumerate(edges)
                }
                whole = bool(self.position.rules_in_use)
                return tuple(codes), (attack_name(code) if whole else code >> 4 & 63, after)
            codes.append(code)
            node, other = target, pick.other is not None

    # -- the second method, and the verdict ----------------------------------------------------------------------

    def result(self) -> Uniqueness:
        """Both plans as the reference rules replay them, and what that says."""
        best, other = self.answers.best[0], self.answers.other[0]
        plan = self._plan(other=False)
        ends, values, kept = self._replayed(plan, best.value)
        if self.kernel_best not in (None, self._parts(best.value)):
            raise DisagreementError(f"{self._case(plan)} the kernel's own search says {self.kernel_best}")
        second, second_values, second_kept, gap = None, None, None, None
        second_ends: tuple[Ending, ...] = ()
        if other is not None:
            second = self._plan(other=True)
            second_ends, second_values, second_kept = self._replayed(second, other.value)
            if tables(ends) == tables(second_ends):
                raise DisagreementError(f"{self._case(second)} by the reference rules it is the same as '{plan}'")
            gap = self._gap((kept, *values), (second_kept, *second_values))
        return Uniqueness(
            position=self.position,
            objective=self.objective,
            stated=self.stated,
            verdict=self._verdict(values, kept, has_other=other is not None, gap=gap),
            plan=plan,
            values=values,
            kept=kept,
            ends=ends,
            other=second,
            other_values=second_values,
            other_kept=second_kept,
            other_ends=second_ends,
            gap=gap,
            nodes=self.turn.nodes,
            seconds=time.perf_counter() - self.started,
        )

    def _replayed(self, plan: Plan, claimed: Value) -> tuple[tuple[Ending, ...], tuple[Fraction, ...], Fraction]:
        """The ends of a plan, the values of its terms, and the chance that it keeps to the constraint."""
        ends = tuple(ways(self.position, plan, self.stated))
        values = expected_values(ends, self.objective, self.stop, self.later)
        kept = share_within(ends, self.objective.constraint)
        replayed = [*([kept] if self.objective.constraint else []), *values]
        parts = zip(self._parts(claimed), self._terms, strict=True)
        found = [part if term is None else natural(term, part) for part, term in parts]
        if found != replayed:
            raise DisagreementError(f"{self._case(plan)} the search says {found}, the reference rules {replayed}")
        return ends, values, kept

    @property
    def _terms(self) -> list[Term | None]:
        """The terms of a value; None stands for the constraint."""
        return [*([None] if self.objective.constraint else []), *self.objective.terms]

    def _parts(self, value: Value) -> list[Fraction]:
        """A value as fractions, each to be maximised."""
        return [as_fraction(part, term, self.uprising_parts) for part, term in zip(value, self._terms, strict=True)]

    def _case(self, plan: Plan) -> str:
        return f"plan '{plan}' of position '{self.position}' for '{self.objective}' (please report this):"

    def _gap(self, best: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> Gap | None:
        """The first difference; None where the two are equally good."""
        for term, first, second in zip((None, *self.objective.terms), best, other, strict=True):
            if first != second:
                return Gap(term, abs(first - second))
        return None

    def _verdict(self, values: tuple[Fraction, ...], kept: Fraction, *, has_other: bool, gap: Gap | None) -> Verdict:
        goal = self.objective.terms[0]
        if kept < 1 or (isinstance(goal, (Goal, NextGoal)) and values[0] == 0):
            return Verdict.NO_SOLUTION
        met = isinstance(goal, Goal) and may_end(self.position) and value_at(goal, self.position, 0) == 1
        if not has_other or met:
            return Verdict.DECIDED
        return Verdict.TWO_ANSWERS if gap is None else Verdict.ONE_ANSWER
