"""Solvers that do not search a whole turn: what they see of it, and which action they prefer at each state.

All solvers know what is asked, and look a number of actions ahead for it. Where that decides nothing, they go by what is on the
board: by discs, by the evaluation, or by the best turn according to the evaluation (`PREFERENCES`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import inf

from tetrasolve.puzzles.effort import Choice
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.fast import kernel_of
from tetrasolve.tetrarchia.hint.evaluation import disc_count, end_value, ready
from tetrasolve.tetrarchia.plan.amount import Amount, Value, compare, mean
from tetrasolve.tetrarchia.plan.exhaustive import as_fraction
from tetrasolve.tetrarchia.plan.objective import Objective
from tetrasolve.tetrarchia.plan.policies import PROGRESS_EVERY, Watch
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.unique import Search

DIGITS = 9  # of what solvers compare: the order of a sum of doubles decides nothing

Way = tuple[tuple[float, int], ...]  # the chance and the state of each outcome of an action; none: the turn ends
Preference = Callable[[int], float]


class Turn:
    """A turn with one answer as solvers see it: its states, what can be chosen at those of right play, and what each seems worth.

    `terms`: so many of the objective's terms are asked for. A choice is right while the best value of these is within reach.

    :raises Stopped: when `stop` is set before all of it is known.
    """

    def __init__(self, position: Position, objective: Objective, terms: int, stop: Stop | None) -> None:
        self.watch = Watch(stop)
        self.position, self.objective, self.terms = position, objective, terms
        self.search = Search(position, objective, None, stop)
        self.graph = self.search.turn
        self.order = self.graph.order()
        self.ways: list[list[Way]] = []
        for node in range(self.graph.nodes):
            self._look(node)
            self.ways.append(
                [tuple((share / 36, target) for _, share, target in edges) for edges in self.search.options(node)]
            )
        self.aim = {node: self._number(value) for node, (_, value) in self.search.ends.items()}
        self._ahead: list[list[float]] = [[self.aim.get(node, -inf) for node in range(self.graph.nodes)]]
        self.region: dict[int, list[Choice]] = {}
        waiting = [0]
        while waiting:
            node = waiting.pop()
            if node not in self.region:
                self._look(len(self.region))
                self.region[node] = self._choices(node)
                waiting += [after for choice in self.region[node] for after in choice.after]

    def _look(self, done: int) -> None:
        if done % PROGRESS_EVERY == 0:
            self.watch.look()

    def _number(self, value: Value) -> float:
        """The first term as a solver takes it."""
        part = value[0]
        if isinstance(part, Amount):
            return (part.low + part.high) / 2
        return float(as_fraction(part, self.objective.terms[0], self.search.uprising_parts))

    def _choices(self, node: int) -> list[Choice]:
        """The end of the turn, where it is possible, and each action."""
        best = self.search.answers.best
        aim = best[node].value[: self.terms]
        found: list[Choice] = []
        if node in self.search.ends:
            found.append(Choice(compare(self.search.ends[node][1][: self.terms], aim) == 0))
        for branches in self.search.branches(node):
            value = mean([(branch.chance, best[branch.node].value) for branch in branches])[: self.terms]
            is_right = compare(value, aim) == 0
            found.append(Choice(is_right, tuple(branch.node for branch in branches) if is_right else ()))
        return found

    def answer_states(self) -> list[int]:
        """The states of the printed answer at which there is something to choose."""
        found, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            found.append(node)
            option = self.search.answers.best[node].option
            if option is not None:
                waiting += [target for _, target in self.ways[node][option]]
        return [node for node in found if len(self.region[node]) > 1]

    def means(self, node: int, at: Callable[[int], float]) -> list[float]:
        """A number for each choice of a state: its mean over the dice."""
        own = [at(node)] if node in self.search.ends else []
        return own + [sum(share * at(target) for share, target in way) for way in self.ways[node]]

    # -- what a solver goes by ------------------------------------------------------------------------------------

    def within_reach(self, actions: int) -> list[float]:
        """The best value at each state of what is asked, with so many actions more at most."""
        while len(self._ahead) <= actions:
            before, rows = self._ahead[-1], []
            for node, ways in enumerate(self.ways):
                self._look(node)
                offers = [sum(share * before[target] for share, target in way) for way in ways]
                rows.append(max([*offers, self.aim.get(node, -inf)]))
            self._ahead.append(rows)
        return self._ahead[actions]

    def best_values(self, node: int) -> list[float]:
        """The best value that is left of what is asked after each choice of a state."""
        best = self.search.answers.best
        own = [self.aim[node]] if node in self.aim else []
        return own + [sum(share * self._number(best[target].value) for share, target in way) for way in self.ways[node]]

    def worths(self, actions: int, prefer: Preference) -> Callable[[int], Sequence[tuple[float, ...]]]:
        """What each choice of a state seems worth to a solver that looks so many actions ahead, at least 1."""
        seen = self.within_reach(actions - 1)

        @cache
        def of(node: int) -> list[tuple[float, ...]]:
            aims = [self.aim[node]] if node in self.aim else []
            aims += [sum(share * seen[target] for share, target in way) for way in self.ways[node]]
            rest = self.means(node, prefer)
            return [(round(aim, DIGITS), round(other, DIGITS)) for aim, other in zip(aims, rest, strict=True)]

        return of

    def discs(self, node: int) -> float:
        """Garrisons minus revolts, unrest and armies."""
        return disc_count(self.graph.state(node))

    @property
    def evaluation(self) -> Preference:
        """The value of the turn's end there; where the Emperor cannot end, that of the best state that he can come to."""
        return self._evaluated[0].__getitem__

    @property
    def best_turn(self) -> Preference:
        """The value of the best turn from there on, by the evaluation at its end."""
        return self._evaluated[1].__getitem__

    @property
    def _evaluated(self) -> tuple[list[float], list[float]]:
        if not hasattr(self, "_evaluations"):
            self._evaluations = self._evaluate()
        return self._evaluations

    def _evaluate(self) -> tuple[list[float], list[float]]:
        rules = kernel_of(self.position)
        here, best = [0.0] * self.graph.nodes, [0.0] * self.graph.nodes
        with ready(self.position) as (player, _):
            for done, node in enumerate(self.order):
                self._look(done)
                offers = [sum(share * best[target] for share, target in way) for way in self.ways[node]]
                if self.graph.may_end(node):
                    here[node] = end_value(player, rules, self.graph.state(node))
                    offers.append(here[node])
                else:
                    here[node] = max(offers)
                best[node] = max(offers)
        return here, best


PREFERENCES: dict[str, Callable[[Turn], Preference]] = {
    "discs": lambda turn: turn.discs,
    "evaluation": lambda turn: turn.evaluation,
    "turn": lambda turn: turn.best_turn,
}
