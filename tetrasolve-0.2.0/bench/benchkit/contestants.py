"""Who plays in bench/rivals.py: our policy, its parts on their own, flat Monte Carlo, and the tree search of OpenSpiel.

The parts look one turn ahead, over all ends of the turn, with sampled Barbarian phases by sequential halving: with our network
or with a plain count of discs at the leaves. They are compiled, and they have the same time as ours.

The other rivals know the rules and nothing of the game but what their settings say. What an unfinished random playout is worth to
them can be chosen: random play wins no game of 2,000, so that with victories alone they would not learn anything.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from math import inf, log, sqrt
from time import perf_counter
from typing import Any

from benchkit.race import BenchError
from benchkit.samedice import Roll, attack_code, below
from tetrasolve.adapters.moments import CODES
from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.features import NAMES
from tetrasolve.tetrarchia.hint.policy import Budget, Thinking, deepening
from tetrasolve.tetrarchia.hint.weights import Weights
from tetrasolve.tetrarchia.kernel import Kernel, Rng, State
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

Worth = Callable[[State], float]  # of a position, from one random playout


# -- ours ------------------------------------------------------------------------------------------------------


@dataclass
class Ours:
    """The policy of `tetrasolve.tetrarchia.hint.policy`, asked once a turn for a plan with branches after attacks.

    A look that would take longer than what is left is not begun: the first look goes through one turn, the third through as
    many as its numbers say.
    """

    rules: Kernel
    level: Ruleset
    seconds: float
    seed: int
    weights: Weights
    settings: dict[str, Any]

    def turn(self, state: State, roll: Roll) -> State:
        """The turn by the plan."""
        position = fast.to_position(state, Board.standard(), self.level)
        plan = self.thought(position).best.plan
        while True:
            for step in plan.steps:
                state = self.rules.play(state, fast.to_code(step, position.board))
            if plan.fork is None:
                return ended(self.rules, state)
            code = attack_code(self.rules, state, position.board.order[plan.fork.army], roll)
            state = self.rules.play(state, code)
            rolled = fast.OUTCOMES[code >> 10]
            plan = next(after for outcome, _, after in plan.fork.branches if outcome is rolled)

    def thought(self, position: Position) -> Thinking:
        """The closest look that there is time for."""
        began = perf_counter()
        budget = Budget(**self.settings, seconds=self.seconds)
        looks = deepening(position, budget, self.seed, 1, self.weights)
        last = next(looks)
        a_turn = perf_counter() - began
        last = next(looks, last)  # a look that is not over in time is dropped
        needed = a_turn * budget.deep_ends * budget.deep_samples
        if perf_counter() - began + needed > self.seconds:
            return last
        for closer in looks:
            last = closer
        return last


@dataclass
class OneTurn(Ours):
    """The ends of the turn, compared by sampled phases and the value of the positions after them; more samples while there is time.

    `evaluation`: ``ours``, or ``discs`` for a plain evaluation by the numbers in the settings.
    """

    def __post_init__(self) -> None:
        self.numbers = {name: value for name, value in self.settings.items() if name in ("ends", "samples", "rounds")}
        if self.settings["evaluation"] == "discs":
            self.weights = by_discs(**{name: self.settings[name] for name in DISCS})

    def thought(self, position: Position) -> Thinking:
        """The closest look that there was time for."""
        budget = Budget("expectimax", **self.numbers, seconds=self.seconds)
        *_, last = deepening(position, budget, self.seed, 1, self.weights)
        return last


DISCS = {
    "secured": 2.0,
    "revolt": -0.25,
    "unrest": -0.1,
    "army": -0.8,
}  # the best of six that were tried, 40 games each at 3122


def by_discs(secured: float, revolt: float, unrest: float, army: float) -> Weights:
    """An evaluation that counts what lies on the board: the logarithm of the odds has so much for each of them.

    A victory and a fall are known to the search itself.
    """
    count = {f"secured {number}": number * secured for number in range(7)}
    count |= {f"revolt {place}": revolt for place in Board.standard().ids}
    count |= {f"unrest {place}": unrest for place in Board.standard().ids}
    count |= {f"army {number} there": army for number in range(3)}
    line = b"".join(struct.pack("<4f", count.get(name, 0.0), 0, 0, 0) for name in NAMES)
    line += struct.pack("<9f", 0, 0, 0, 0, 1, 0, 0, 0, 0)  # no bias, the first unit passed on, no constant
    return Weights(4, line, line, {"made": "by hand"})


def ended(rules: Kernel, state: State) -> State:
    """The turn's end, where it has not ended by itself."""
    over = state.result != kernel.OPEN or state.phase == kernel.BARBARIAN
    return state if over else rules.play(state, kernel.END)


# -- what a random playout says --------------------------------------------------------------------------------

LIMIT = 10  # turns that make a fall worth half as much as endless resistance


class Playouts:
    """Random games from a position on, in the middle of a turn or at its end, and what they are worth.

    `aim`: ``victory`` (1 for a won game, 0 for a lost one), ``endurance`` (the longer a lost game lasts the more it is worth, up
    to 1 for a won one), ``borders`` (after so many turns a sixth for each secured border; 0 if the Empire has fallen), or
    ``progress`` (endurance, and by the weight of `share` the borders that are secured before it).
    """

    def __init__(self, rules: Kernel, seed: int, settings: dict[str, Any]) -> None:
        self.rules, self.rng = rules, Rng(seed)
        self.turns, self.share = settings.get("turns", 400), settings.get("share", 0.5)
        self.borders = Board.standard().mask(Board.standard().borders)
        self.worth: Worth = {
            "victory": self.victory, "endurance": self.endurance, "borders": self.by_borders, "progress": self.progress,
        }[settings["aim"]]  # fmt: skip

    def _next_turn(self, state: State) -> State:
        """After the Barbarian phase, if it comes now."""
        if state.phase == kernel.BARBARIAN and state.result == kernel.OPEN:
            return self.rules.sample(state, self.rng)
        return state

    def victory(self, state: State) -> float:
        """Whole games: won or not."""
        state = self._next_turn(state)
        if state.result == kernel.OPEN:
            return float(self.rules.random_game(state, self.rng, 400)[0] == kernel.WON)
        return float(state.result == kernel.WON)

    def endurance(self, state: State) -> float:
        """Whole games: how long the Empire lasts."""
        state = self._next_turn(state)
        if state.result != kernel.OPEN:
            return float(state.result == kernel.WON)
        result, turns, _ = self.rules.random_game(state, self.rng, 400)
        return 1.0 if result == kernel.WON else turns / (turns + LIMIT)

    def secured(self, state: State) -> float:
        """The share of the borders."""
        return sum((mask & self.borders).bit_count() for mask in state.garrisons) / 6

    def progress(self, state: State) -> float:
        """How long the Empire lasts, and the borders now."""
        if state.result != kernel.OPEN:
            return float(state.result == kernel.WON)
        return (1 - self.share) * self.endurance(state) + self.share * self.secured(state)

    def by_borders(self, state: State) -> float:
        """Some turns: how many borders are secured then."""
        for number in count():
            state = self._next_turn(state)
            if state.result != kernel.OPEN:
                return float(state.result == kernel.WON)
            if number == self.turns:
                return self.secured(state)
            state = at_random(self.rules, state, self.rng)
        raise AssertionError("unreachable")


def at_random(rules: Kernel, state: State, rng: Rng) -> State:
    """The turn to its end, each step any of the legal ones."""
    while state.phase == kernel.ROMAN and state.result == kernel.OPEN:
        state = rules.random_turn(state, rng)  # one step, in spite of its name
    return state


# -- flat Monte Carlo ------------------------------------------------------------------------------------------


@dataclass
class Arm:
    """A continuation: to end the turn in this position, or to attack from it."""

    state: State
    army: int | None
    total: float = 0.0
    tries: int = 0

    @property
    def mean(self) -> float:
        """Of its playouts."""
        return self.total / self.tries if self.tries else -inf


@dataclass
class FlatMonteCarlo:
    """Candidate ends of the turn, and attacks on the way, each with the mean of its random playouts; the best mean is played.

    The candidates are drawn evenly from all ends of the turn that the kernel lists, and from all attacks that can be made on
    the way there. `shares`: playouts go to all alike (``even``), to the better half again and again (``halving``), or by
    UCB1 with the constant `c` (``ucb``). After an attack there is half as long again to think.
    """

    rules: Kernel
    level: Ruleset
    seconds: float
    seed: int
    settings: dict[str, Any]

    def __post_init__(self) -> None:
        self.rng = Rng(self.seed)
        self.playouts = Playouts(self.rules, self.seed + 1, self.settings)

    def turn(self, state: State, roll: Roll) -> State:
        """The turn, thought about again after each attack."""
        seconds = self.seconds
        while state.result == kernel.OPEN and state.phase == kernel.ROMAN:
            deadline = perf_counter() + seconds
            arm = self.best(self.candidates(state), deadline)
            if arm.army is None:
                return ended(self.rules, arm.state)
            state = self.rules.play(arm.state, attack_code(self.rules, arm.state, arm.army, roll))
            seconds /= 2
        return state

    def candidates(self, state: State) -> list[Arm]:
        """Some of all continuations; where one wins, that one."""
        ends = self.rules.end_states(state)
        won = next((end for end in ends if end.result == kernel.WON), None)
        if won is not None:
            return [Arm(won, None)]
        ways = [(end, None) for end in ends] + [(end, army) for end in self._near(ends) for army in self._attacks(end)]
        most = min(self.settings["ends"], len(ways))
        for i in range(most):
            other = i + below(self.rng, len(ways) - i)
            ways[i], ways[other] = ways[other], ways[i]
        return [Arm(*way) for way in ways[:most]]

    def _near(self, ends: Sequence[State]) -> list[State]:
        """Those from which there may be an attack: an army is linked to where he stands, and IP are left."""
        board, armies = Board.standard(), ends[0].armies if ends else 0
        beside = {board.order[near] for army in board.unmask(armies) for near in board.neighbours(army)}
        return [end for end in ends if end.emperors[end.to_move] in beside and end.ip and end.phase == kernel.ROMAN]

    def _attacks(self, state: State) -> set[int]:
        return {code >> 4 & 63 for code in self.rules.legal(state) if code & 15 == kernel.ATTACK}

    def _sampled(self, arm: Arm) -> None:
        """One more playout: the attack is rolled, the turn played on at random, the game too."""
        state = arm.state
        if arm.army is not None:
            code = attack_code(self.rules, state, arm.army, lambda: below(self.rng, 36))
            state = self.rules.play(state, code)  # the playout plays the turn on
        elif state.phase == kernel.ROMAN:
            state = self.rules.play(state, kernel.END)
        arm.total += self.playouts.worth(state)
        arm.tries += 1

    def best(self, arms: list[Arm], deadline: float) -> Arm:
        """The one with the best mean when the time is over."""
        if len(arms) > 1:
            {"even": self._even, "halving": self._halving, "ucb": self._ucb}[self.settings["shares"]](arms, deadline)
        return max(arms, key=lambda arm: (arm.mean, arm.tries))

    def _even(self, arms: Sequence[Arm], deadline: float) -> None:
        while True:
            for arm in arms:
                self._sampled(arm)
                if perf_counter() >= deadline:
                    return

    def _halving(self, arms: list[Arm], deadline: float) -> None:
        rounds = max(1, (len(arms) - 1).bit_length())
        for left in range(rounds, 0, -1):
            now = perf_counter()
            self._even(arms, now + (deadline - now) / left)
            arms.sort(key=lambda arm: arm.mean, reverse=True)
            del arms[max(1, len(arms) // 2) :]

    def _ucb(self, arms: Sequence[Arm], deadline: float) -> None:
        for arm in arms:
            self._sampled(arm)
        c = self.settings["c"]
        for tries in count(len(arms)):
            weight = log(tries)
            self._sampled(max(arms, key=lambda arm: arm.mean + c * sqrt(weight / arm.tries)))
            if perf_counter() >= deadline:
                return


# -- OpenSpiel -------------------------------------------------------------------------------------------------


@dataclass
class OpenSpielMcts:
    """Monte Carlo tree search of OpenSpiel on the adapter, a search for each step of the turn.

    A step has half of the time that is left of the turn; where there is only one, none is needed. `search`: ``c++``, with
    OpenSpiel's own random rollouts; or ``python``, its search in Python, whose leaves are valued by random playouts of our
    kernel, `rollouts` at a time.
    """

    rules: Kernel
    level: Ruleset
    seconds: float
    seed: int
    settings: dict[str, Any]

    def __post_init__(self) -> None:
        try:
            import pyspiel

            import tetrasolve.adapters.openspiel
        except ImportError:
            raise BenchError("OpenSpiel is missing (pip install open-spiel)") from None
        self.spiel: Any = pyspiel
        self.adapter: Any = tetrasolve.adapters.openspiel
        self.rng = Rng(self.seed)
        if self.settings["search"] == "python":
            self.playouts = Playouts(self.rules, self.seed, self.settings)
        self.searches = 0

    def turn(self, state: State, roll: Roll) -> State:
        """The turn, step by step."""
        deadline = perf_counter() + self.seconds
        while state.result == kernel.OPEN and state.phase == kernel.ROMAN:
            game = self._game(state)  # pyspiel needs it to be held here: its C++ part alone forgets what is Python
            tree = game.new_initial_state()
            actions = tree.legal_actions()
            left = deadline - perf_counter()
            number = actions[0] if len(actions) == 1 else self._search(game, tree, left / 2)
            code = CODES[number]
            if code & 15 == kernel.ATTACK:
                code = attack_code(self.rules, state, code >> 4, roll)
            state = self.rules.play(state, code)
        return state

    def _game(self, state: State) -> Any:
        """The game from this position on."""
        position = fast.to_position(state, Board.standard(), self.level)
        turns = self.settings.get("turns", 400)
        return self.spiel.load_game(
            self.adapter.NAME, {"position": str(position), "turns": turns, "reward": self.settings["aim"]}
        )

    def _search(self, game: Any, tree: Any, seconds: float) -> int:
        self.searches += 1
        way = self._in_cpp if self.settings["search"] == "c++" else self._in_python
        return way(game, tree, max(seconds, 0.001))

    def _in_cpp(self, game: Any, tree: Any, seconds: float) -> int:
        seed = self.seed + self.searches
        spiel, most, megabytes = self.spiel, 10**9, 500
        bot = spiel.MCTSBot(
            game, spiel.RandomRolloutEvaluator(self.settings["rollouts"], seed), self.settings["uct_c"], most, megabytes,
            self.settings["solve"], seed, False, spiel.ChildSelectionPolicy.UCT, seconds,
        )  # fmt: skip
        return self._best(bot.mcts_search(tree), tree)  # `step` would do the same, but it crashes on games in Python

    def _in_python(self, game: Any, tree: Any, seconds: float) -> int:
        bot = _timed_search()(game, self.settings["uct_c"], 10**9, self, solve=self.settings["solve"])
        return self._best(bot.search_for(tree, seconds), tree)

    def _best(self, root: Any, tree: Any) -> int:
        """What was visited most; anything where there was time for one visit only."""
        if root.children:
            return int(root.best_child().action)
        actions = tree.legal_actions()
        return int(actions[below(self.rng, len(actions))])

    # what the search in Python asks of an evaluator

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """All actions alike; the chances of dice."""
        if state.is_chance_node():
            return list(state.chance_outcomes())
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]

    def evaluate(self, state: Any) -> list[float]:
        """The mean of some random playouts from here, after the same rolls of what is under way."""
        reached = state.moment
        while reached.decider == "dice":
            reached = reached.after(_drawn_number(reached.chances, self.rng))
        return [sum(self._playout(reached) for _ in range(self.settings["rollouts"])) / self.settings["rollouts"]]

    def _playout(self, moment: Any) -> float:
        """What one random game is worth."""
        if not moment.decider:
            return float(moment.won is True)
        return self.playouts.worth(moment.state)


class _TimeOver(Exception):  # noqa: N818 # no error
    """A search has had its time."""


@cache
def _timed_search() -> Any:
    """OpenSpiel's search in Python, which knows a number of simulations only, with a clock."""
    from open_spiel.python.algorithms import mcts

    class TimedSearch(mcts.MCTSBot):  # type: ignore[misc] # has no types
        def search_for(self, state: Any, seconds: float) -> Any:
            self.deadline, self.root = perf_counter() + seconds, None
            try:
                return self.mcts_search(state)
            except _TimeOver:
                return self.root

        def _apply_tree_policy(self, root: Any, state: Any) -> Any:
            self.root = root
            if root.children and perf_counter() >= self.deadline:
                raise _TimeOver
            return super()._apply_tree_policy(root, state)

    return TimedSearch


def _drawn_number(chances: Sequence[tuple[int, Any]], rng: Rng) -> int:
    """A branch by its chance; all are whole numbers of 36ths."""
    rolled = below(rng, 36)
    for number, chance in chances:
        rolled -= int(36 * chance)
        if rolled < 0:
            return number
    raise AssertionError("chances of a roll sum to 1")
