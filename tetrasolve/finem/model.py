"""A model of the actions of a turn for CP-SAT: an answer that shares no code with the search.

A *node* is a number of actions taken and the cards that the Dictator has drawn by then; without him there is one for each number.
It has rows of variables: where the pawn stands, what is done, the cubes of each region that has some, the dice, and which tribes
are pacified, before and after the action. A ride leads to a node for each card, so what is decided there is a policy, and the
chances of the cards are the weights of the nodes in what is made best. Nodes that a policy does not come to count nothing.

With `ends` None the actions end the matter: a node at the end is worth a linear evaluation of its variables, or that of a won
game. Only the rank of a Dictator's card matters then, and the nodes go by ranks. Otherwise `ends` has the situations after the
actions with the value of each, which is taken over from there; the nodes go by cards, since those that are out count in a
situation, too. A situation that the model comes to and that is not among them is worth more than all, so that it is seen.

Where a Dictator's stay uses no action [E-DICTATOR-STAY], a ride to another region leads to a node with one action more, and one
after which he stays to a node with as many as before.

Written from the page of the rules: actions, E-PACIFY, E-AGAIN, E-ERADICATE, E-WIN, E-DICTATOR, E-DICTATOR-STAY, and the travel
besides a role of E-EMPEROR-TRAVEL; no other reading changes what actions do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, perm
from typing import Any

from tetrasolve.errors import IllegalPositionError, MissingExtraError, OutOfTimeError, TooLargeError
from tetrasolve.exact.deadline import check, interruptible, stop_of
from tetrasolve.finem.evaluation import Objective
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.numbers import ACTIONS
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.stop import Stop, Stopped

FULL, TOP, PREFECT_TOP = 3, 6, 5
FAR = ("consul", "emperor")
DICTATOR = "dictator"
PATIENCE = 0.1  # seconds; the presolve of CP-SAT looks at its flag now and then only
MOST_NODES = 700  # of a Dictator: three actions by ranks have 361, two by cards 627
LARGEST = 2**53  # what the solver's bounds, which are doubles, hold exactly

Drawn = tuple[str, ...]  # ranks or cards in the order in which they were drawn
End = tuple[object, ...]  # a situation after the actions: see `end_of`


def end_of(state: State) -> End:
    """What the rest of a turn looks at after the actions: cubes, dice, tribes, cards out; of a game that is over its result."""
    if isinstance(state, Result):
        return (state.is_won,)
    return (state.cubes, state.dice, state.pacified, state.out)


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The best value of the model, which is proved, and actions that reach it.

    A Dictator's end with ``ride`` where one comes. `policy` has what follows the ranks or cards that were drawn: the move of that
    ride, and actions to the next ride or the end; under nothing drawn it has `actions`.
    """

    value: Fraction
    actions: tuple[str, ...]
    policy: Mapping[Drawn, tuple[str, ...]] = field(default_factory=dict)


def solve_model(
    position: Position,
    aim: Objective,
    *,
    ends: Mapping[End, Fraction] | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
    seed: int = 0,
) -> ModelAnswer:
    """The best actions by CP-SAT, with one worker.

    :param ends: the values of all situations after the actions; None where the actions end the matter.
    :raises IllegalPositionError: when no action is next.
    :raises MissingExtraError: when OR-Tools is not installed.
    :raises OutOfTimeError: when the time runs out before the best value is proved.
    :raises TooLargeError: when a Dictator's turn has more than `MOST_NODES` nodes, or the values of its ends have no common
        denominator that the solver can count with.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    stop = stop_of(seconds, cancel)
    position.ruleset.require_kernel()
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
        built = _Model(cp_model.CpModel(), position, aim, ends)
        status = interruptible(lambda: solver.solve(built.model), solver.stop_search, stop, patience=PATIENCE)
    except Stopped:
        raise OutOfTimeError(text) from None
    assert status == cp_model.OPTIMAL, solver.status_name(
        status
    )  # to pass is always a plan, and nothing limits the search
    policy = built.policy(solver)
    return ModelAnswer(built.value(solver), policy[()], policy)


def nodes_of(position: Position, *, by_cards: bool) -> dict[tuple[int, Drawn], int]:
    """The nodes of a phase of actions by the actions taken and what was drawn, each with its number of ways to draw it.

    A number of ways counts the orders of as many cards as there are actions, so that all nodes have the same unit.
    """
    left, deck = position.left, position.deck
    if position.role == DICTATOR and position.ruleset.readings["E-DICTATOR-STAY"] == "free":
        return _nodes_of_free_stays(position, by_cards=by_cards)
    found: dict[tuple[int, Drawn], int] = {(0, ()): 1}
    for taken in range(left):
        for (before, drawn), ways in list(found.items()):
            if before != taken:
                continue
            found.setdefault((taken + 1, drawn), ways)
            if position.role != DICTATOR:
                continue
            for label in dict.fromkeys(card if by_cards else card[1] for card in deck):
                cards = sum((card if by_cards else card[1]) == label for card in deck) - drawn.count(label)
                if cards:
                    found[taken + 1, (*drawn, label)] = ways * cards
    if position.role != DICTATOR:
        return found
    for (taken, drawn), ways in found.items():
        rest = 1
        for number in range(len(drawn), left):
            rest *= len(deck) - number
        found[taken, drawn] = ways * rest
    return found


def _nodes_of_free_stays(position: Position, *, by_cards: bool) -> dict[tuple[int, Drawn], int]:
    """The nodes where a stay uses no action: as many cards can be drawn as a turn has actions, at any number of actions taken."""
    left, deck = position.left, position.deck
    most = max(0, ACTIONS - len(position.out))
    labels = [card if by_cards else card[1] for card in deck]
    ways: dict[Drawn, int] = {(): 1}
    level: list[Drawn] = [()]
    for _ in range(most):
        following: list[Drawn] = []
        for drawn in level:
            for label in dict.fromkeys(labels):
                cards = labels.count(label) - drawn.count(label)
                if cards:
                    ways[*drawn, label] = ways[drawn] * cards
                    following.append((*drawn, label))
        level = following
    unit = {drawn: number * perm(len(deck) - len(drawn), most - len(drawn)) for drawn, number in ways.items()}
    # In the order in which they are come to: by cards, since a stay leads to a node with a card more, then by actions
    return {
        (taken, drawn): number
        for drawn, number in sorted(unit.items(), key=lambda pair: len(pair[0]))
        for taken in range(left + 1)
    }


def modelled_nodes(position: Position, *, by_cards: bool) -> dict[tuple[int, Drawn], int]:
    """The nodes of a phase of actions, as `nodes_of` has them.

    :raises TooLargeError: when they are more than `MOST_NODES`.
    """
    found = nodes_of(position, by_cards=by_cards)
    if len(found) > MOST_NODES:
        raise TooLargeError(f"the model of a turn: {len(found)} nodes, expected at most {MOST_NODES}")
    return found


class _Node:
    """The variables of a node: before an action, the action, and after it unless it is a ride."""

    def __init__(
        self, model: Any, name: str, stacks: Mapping[tuple[str, str], int], *, is_last: bool, can_win: bool
    ) -> None:
        flag, number = model.new_bool_var, model.new_int_var
        self.is_met = flag(f"met {name}")
        self.is_last = is_last
        times = ("before",) if is_last else ("before", "after")
        self.at = [{region: flag(f"at {name} {when} {region}") for region in REGIONS} for when in times]
        self.cubes = [
            {stack: number(0, most, f"cubes {name} {when} {stack}") for stack, most in stacks.items()} for when in times
        ]
        self.die = [{tribe: number(0, TOP, f"die {name} {when} {tribe}") for tribe in TRIBES} for when in times]
        self.pacified = [{tribe: flag(f"pacified {name} {when} {tribe}") for tribe in TRIBES} for when in times]
        self.won = [flag(f"won {name} {when}") for when in times]
        for at in self.at:
            model.add_exactly_one(at.values())
        for won, pacified in zip(self.won, self.pacified, strict=True):
            if can_win:
                model.add_min_equality(won, list(pacified.values()))
            else:  # the end of the turn wins
                model.add(won == 0)
        if is_last:
            return
        self.one = {tribe: flag(f"confront {name} {tribe}") for tribe in TRIBES}
        self.all = {tribe: flag(f"all {name} {tribe}") for tribe in TRIBES}
        self.calm = {tribe: flag(f"pacify {name} {tribe}") for tribe in TRIBES}
        self.move = flag(f"move {name}")
        self.rest = flag(f"rest {name}")
        self.ride = flag(f"ride {name}")
        self.stays: dict[str, Any] = {}  # by what is drawn, where a stay uses no action
        model.add_exactly_one(
            [*self.one.values(), *self.all.values(), *self.calm.values(), self.move, self.rest, self.ride]
        )


class _Model:
    """The variables and constraints of a position."""

    def __init__(self, model: Any, position: Position, aim: Objective, ends: Mapping[End, Fraction] | None) -> None:
        self.model, self.position, self.aim, self.ends = model, position, aim, ends
        self.readings = position.ruleset.readings
        self.stays_free = self.readings["E-DICTATOR-STAY"] == "free" and position.role == DICTATOR
        can_win = self.readings["E-WIN"] != "turn"
        self.stacks = {
            (region, tribe): count for region, tribes in position.occupied.items() for tribe, count in tribes.items()
        }
        self.ways = modelled_nodes(position, by_cards=ends is not None)
        self.nodes = {
            (taken, drawn): _Node(
                model, f"{taken} {'.'.join(drawn)}", self.stacks, is_last=taken == position.left, can_win=can_win
            )
            for taken, drawn in self.ways
        }
        if self.stays_free:
            self._may_stay()
        self._begin()
        for key, node in self.nodes.items():
            if not node.is_last:
                self._action(key, node)
        for key, node in self.nodes.items():
            if key != (0, ()):
                self._come_to(key, node)
        self._aim()

    def _may_stay(self) -> None:
        """What is drawn decides whether the Dictator stays, which uses no action; he draws no more cards than there are actions."""
        for taken, drawn in self.nodes:
            rider = self.nodes[taken, drawn[:-1]]
            if drawn and not rider.is_last:
                rider.stays[drawn[-1]] = self.model.new_bool_var(f"stay {taken} {drawn}")
        for node in self.nodes.values():
            if not node.is_last and not node.stays:
                self.model.add(node.ride == 0)

    def _begin(self) -> None:
        model, position, node = self.model, self.position, self.nodes[0, ()]
        model.add(node.is_met == 1)
        for region in REGIONS:
            model.add(node.at[0][region] == int(region == position.pawn))
        for stack, count in self.stacks.items():
            model.add(node.cubes[0][stack] == count)
        for tribe in TRIBES:
            model.add(node.die[0][tribe] == position.die(tribe))
            model.add(node.pacified[0][tribe] == int(tribe in position.pacified))

    def _come_to(self, key: tuple[int, Drawn], node: _Node) -> None:
        """How a node is come to: by an action from the one with as many cards, or by a ride from the one with a card less."""
        model, (taken, drawn) = self.model, key
        ways: list[Any] = []
        before = self.nodes.get((taken - 1, drawn))
        if before is not None:
            by_action = model.new_bool_var(f"action to {key}")
            model.add_min_equality(by_action, [before.is_met, before.ride.negated()])
            ways.append(by_action)
            self._same(before, 1, node, by_action)
            for region in REGIONS:
                model.add(node.at[0][region] == before.at[1][region]).only_enforce_if(by_action)
            if not node.is_last:  # nothing is done after the end of the phase
                model.add_bool_or([by_action.negated(), before.rest.negated(), node.rest])
        rider = self.nodes.get((taken - 1, drawn[:-1])) if drawn else None
        if rider is not None:
            by_ride = model.new_bool_var(f"ride to {key}")
            leaves = [rider.stays[drawn[-1]].negated()] if self.stays_free else []
            model.add_min_equality(by_ride, [rider.is_met, rider.ride, *leaves])
            ways.append(by_ride)
            self._same(rider, 0, node, by_ride)
            self._ridden(rider, node, drawn[-1][-1], by_ride)
        stayer = self.nodes.get((taken, drawn[:-1])) if drawn and self.stays_free else None
        if stayer is not None and not stayer.is_last:
            by_stay = model.new_bool_var(f"stay to {key}")
            model.add_min_equality(by_stay, [stayer.is_met, stayer.ride, stayer.stays[drawn[-1]]])
            ways.append(by_stay)
            self._same(stayer, 0, node, by_stay)
            for region in REGIONS:
                model.add(node.at[0][region] == stayer.at[0][region]).only_enforce_if(by_stay)
        model.add_max_equality(node.is_met, ways)

    def _same(self, before: _Node, when: int, node: _Node, way: Any) -> None:
        """Cubes, dice and tribes are those of the node before."""
        for stack in self.stacks:
            self.model.add(node.cubes[0][stack] == before.cubes[when][stack]).only_enforce_if(way)
        for tribe in TRIBES:
            self.model.add(node.die[0][tribe] == before.die[when][tribe]).only_enforce_if(way)
            self.model.add(node.pacified[0][tribe] == before.pacified[when][tribe]).only_enforce_if(way)

    def _ridden(self, before: _Node, node: _Node, rank: str, way: Any) -> None:
        """The pawn is on another region of the rank, or where it was, which may need the rank [E-DICTATOR]."""
        model, may_stay = self.model, self.readings["E-DICTATOR"] == "may" and not self.stays_free
        must_leave = self.readings["E-DICTATOR"] != "there" and not may_stay
        for region in REGIONS:
            was, is_there = before.at[0][region], node.at[0][region]
            if must_leave:
                model.add_bool_or([way.negated(), was.negated(), is_there.negated()])
            if region[1] != rank:
                model.add_bool_or([way.negated(), is_there.negated(), *([was] if may_stay else [])])

    def _action(self, key: tuple[int, Drawn], node: _Node) -> None:
        """One action; a game that is won at once has none left, and a node that is not come to needs none."""
        model = self.model
        model.add_implication(node.is_met.negated(), node.rest)
        if self.position.role != DICTATOR:
            model.add(node.ride == 0)
        if key[0] and self.readings["E-WIN"] == "at-once":
            model.add_implication(node.won[0], node.rest)
        self._moving(node)
        for stack in self.stacks:
            self._confronting(node, *stack)
        for tribe in TRIBES:
            self._allowed(node, tribe)
            self._tribe(key, node, tribe)

    def _moving(self, node: _Node) -> None:
        model, position = self.model, self.position
        for region in REGIONS:
            goals = {*position.layout.neighbours[region]}
            if position.role in FAR or position.has_travel:
                goals |= {position.start, position.last}
            reached = [node.at[1][goal] for goal in goals - {region}]
            model.add_bool_or([node.at[0][region].negated(), node.move.negated(), *reached])
            model.add(node.at[1][region] == node.at[0][region]).only_enforce_if(node.move.negated())

    def _confronting(self, node: _Node, region: str, tribe: str) -> None:
        """A stack loses a cube, or all, where the pawn confronts its tribe; otherwise it stays."""
        model, here = self.model, node.at[0][region]
        before, after = node.cubes[0][region, tribe], node.cubes[1][region, tribe]
        one, whole = node.one[tribe], node.all[tribe]
        model.add(before >= 1).only_enforce_if(here, one)
        model.add(after == before - 1).only_enforce_if(here, one)
        model.add(before >= 2).only_enforce_if(here, whole)
        model.add(after == 0).only_enforce_if(here, whole)
        model.add(after == before).only_enforce_if(here.negated())
        model.add(after == before).only_enforce_if(one.negated(), whole.negated())

    def _allowed(self, node: _Node, tribe: str) -> None:
        model, position = self.model, self.position
        for region in REGIONS:
            if (region, tribe) not in self.stacks:
                model.add_implication(node.at[0][region], node.one[tribe].negated())
                model.add_implication(node.at[0][region], node.all[tribe].negated())
        if position.role != "magister":
            model.add(node.all[tribe] == 0)
        enough = PREFECT_TOP if position.role == "prefect" else TOP
        least = 1 if self.readings["E-PACIFY"] == "free" else enough
        model.add(node.die[0][tribe] >= least).only_enforce_if(node.calm[tribe])
        if self.readings["E-AGAIN"] == "stays":
            model.add_implication(node.calm[tribe], node.pacified[0][tribe].negated())

    def _tribe(self, key: tuple[int, Drawn], node: _Node, tribe: str) -> None:
        """The die and the white cube of a tribe after an action [E-ERADICATE]."""
        model, calm = self.model, node.calm[tribe]
        before, after = node.pacified[0][tribe], node.pacified[1][tribe]
        model.add_max_equality(after, [before, calm])
        left = sum(node.cubes[1][stack] for stack in self.stacks if stack[1] == tribe)
        empty = model.new_bool_var(f"empty {key} {tribe}")
        model.add(left == 0).only_enforce_if(empty)
        model.add(left >= 1).only_enforce_if(empty.negated())
        looked = model.new_bool_var(f"looked {key} {tribe}")
        removed = [*node.one.values(), *node.all.values()]
        calmed: list[Any] = []
        if self.readings["E-ERADICATE"] == "own":
            removed = [node.one[tribe], node.all[tribe]]
        elif self.readings["E-ERADICATE"] == "always":
            calmed = [calm]
        model.add(looked == (sum([*removed, *calmed]) if self.position.ruleset.is_introductory else 0))
        gone = model.new_bool_var(f"gone {key} {tribe}")
        model.add_min_equality(gone, [looked, after, empty])
        model.add(node.die[1][tribe] == 0).only_enforce_if(gone)
        model.add(node.die[1][tribe] == 1).only_enforce_if(gone.negated(), calm)
        model.add(node.die[1][tribe] == node.die[0][tribe]).only_enforce_if(gone.negated(), calm.negated())

    # -- what is made best -------------------------------------------------------------------------------------------

    def _aim(self) -> None:
        """The values of the last nodes by their chances; `scale` is what a value is multiplied by."""
        last = {key: node for key, node in self.nodes.items() if node.is_last}
        self.unit = self.ways[0, ()]
        self.numbers: list[Fraction] = []  # by rank, where nothing is a chance
        self.scale = 1
        if self.ends is None:
            low, high = self.aim.evaluation.range(self.position.ruleset.most_decline)
            values = {key: self._linear(key, node) for key, node in last.items()}
        else:
            self.numbers = sorted(set(self.ends.values()))
            if self.position.role == DICTATOR:
                self.scale = lcm(*(value.denominator for value in self.numbers))
                whole = [int(value * self.scale) for value in self.numbers]
            else:
                whole = list(range(len(self.numbers)))
            low, high = whole[0] - 1, whole[-1] + 1
            of = dict(zip(self.numbers, whole, strict=True))
            values = {key: self._tabled(key, node, of, low, high) for key, node in last.items()}
        if max(abs(low), abs(high)) * self.unit >= LARGEST:
            raise TooLargeError("the model of a turn: the values of its ends have too large a common denominator")
        self.terms: list[tuple[Any, int]] = []
        for key, node in last.items():
            counted = self.model.new_int_var(min(low, 0), max(high, 0), f"counted {key}")
            self.model.add(counted == values[key]).only_enforce_if(node.is_met)
            self.model.add(counted == 0).only_enforce_if(node.is_met.negated())
            self.terms.append((counted, self.ways[key]))
        total = sum(ways * counted for counted, ways in self.terms)
        (self.model.maximize if self.aim.aims_at_most else self.model.minimize)(total)

    def _linear(self, key: tuple[int, Drawn], node: _Node) -> Any:
        """The evaluation of the position in which the actions end."""
        evaluation, position = self.aim.evaluation, self.position
        constant, won, _ = evaluation.sums
        die, pacified, cubes = evaluation.tribes
        base = constant + evaluation.tracks[0] * position.outbreaks + evaluation.tracks[1] * position.decline
        worth = base + sum(
            die[at] * node.die[0][tribe] + pacified[at] * node.pacified[0][tribe] for at, tribe in enumerate(TRIBES)
        )
        worth += sum(cubes[TRIBES.index(stack[1])] * node.cubes[0][stack] for stack in self.stacks)
        low, high = evaluation.range(position.ruleset.most_decline)
        value = self.model.new_int_var(low, high, f"value {key}")
        self.model.add(value == won).only_enforce_if(node.won[0])
        self.model.add(value == worth).only_enforce_if(node.won[0].negated())
        return value

    def _tabled(self, key: tuple[int, Drawn], node: _Node, of: Mapping[Fraction, int], low: int, high: int) -> Any:
        """The value of the situation that it is; one that is not among them is better than all."""
        model, out = self.model, self.position.out | {*key[1]}
        assert self.ends is not None
        value = model.new_int_var(low, high, f"value {key}")
        known, other = [], model.new_bool_var(f"other {key}")
        for number, (end, worth) in enumerate(self.ends.items()):
            if len(end) > 1 and end[-1] != out:
                continue
            known.append(model.new_bool_var(f"is {key} {number}"))
            model.add(value == of[worth]).only_enforce_if(known[-1])
            differences = []
            for at, (variable, number_there) in enumerate(self._fields(node, end)):
                model.add(variable == number_there).only_enforce_if(known[-1])
                less, more = (model.new_bool_var(f"{word} {key} {number} {at}") for word in ("less", "more"))
                model.add(variable <= number_there - 1).only_enforce_if(less)
                model.add(variable >= number_there + 1).only_enforce_if(more)
                differences += [less, more]
            model.add_bool_or([other.negated(), *differences])
        model.add(value == (high if self.aim.aims_at_most else low)).only_enforce_if(other)
        model.add_exactly_one([*known, other])
        return value

    def _fields(self, node: _Node, end: End) -> list[tuple[Any, int]]:
        """The variables that a situation fixes, with their values."""
        if len(end) == 1:
            return [(node.won[0], int(bool(end[0])))]
        cubes, dice, pacified, _ = end
        assert isinstance(cubes, tuple) and isinstance(dice, tuple) and isinstance(pacified, frozenset)
        return [
            (node.won[0], 0),
            *((node.cubes[0][r, t], cubes[REGIONS.index(r)][TRIBES.index(t)]) for r, t in self.stacks),
            *((node.die[0][tribe], dice[at]) for at, tribe in enumerate(TRIBES)),
            *((node.pacified[0][tribe], int(tribe in pacified)) for tribe in TRIBES),
        ]

    # -- the answer --------------------------------------------------------------------------------------------------

    def value(self, solver: Any) -> Fraction:
        """The value of a solution."""
        total = sum(ways * solver.value(counted) for counted, ways in self.terms)
        if self.ends is not None and self.position.role != DICTATOR:
            if total < 0:  # a situation that is not among the ends
                return self.numbers[0] - 1
            return self.numbers[total] if total < len(self.numbers) else self.numbers[-1] + 1
        return Fraction(total, self.unit * self.scale)

    def policy(self, solver: Any) -> dict[Drawn, tuple[str, ...]]:
        """The actions of a solution in words, by what was drawn before them."""
        found: dict[Drawn, list[str]] = {}
        for (taken, drawn), node in self.nodes.items():
            if not solver.value(node.is_met):
                continue
            if drawn not in found:
                found[drawn] = self._ride_in_words(solver, (taken, drawn), node) if drawn else []
            if not node.is_last:
                found[drawn] += self._words(solver, node)
        return {drawn: tuple(words) for drawn, words in found.items()}

    def _ride_in_words(self, solver: Any, key: tuple[int, Drawn], node: _Node) -> list[str]:
        """How the Dictator has come to a node with his last card; to his first node there has come nobody."""
        taken, drawn = key
        goal = self._place(solver, node, 0)
        if self.stays_free:
            rider = self.nodes[taken, drawn[:-1]]
            is_stay = not rider.is_last and solver.value(rider.is_met) and solver.value(rider.ride)
            return ["stay"] if is_stay and solver.value(rider.stays[drawn[-1]]) else [f"move {goal}"]
        before = self.nodes.get((taken - 1, drawn[:-1]))
        if before is None:
            return []
        is_stay = self.readings["E-DICTATOR"] == "may" and goal == self._place(solver, before, 0)
        return ["stay"] if is_stay else [f"move {goal}"]

    def _place(self, solver: Any, node: _Node, when: int) -> str:
        return next(region for region in REGIONS if solver.value(node.at[when][region]))

    def _words(self, solver: Any, node: _Node) -> list[str]:
        words: Mapping[str, Any] = {
            **{f"confront {tribe}": node.one[tribe] for tribe in TRIBES},
            **{f"confront {tribe} all": node.all[tribe] for tribe in TRIBES},
            **{f"pacify {tribe}": node.calm[tribe] for tribe in TRIBES},
            "ride": node.ride,
        }
        if solver.value(node.move):
            return [f"move {self._place(solver, node, 1)}"]
        return [word for word, taken in words.items() if solver.value(taken)]
