"""Whole games in which all Emperors play greedily by the evaluation: the kernel chooses, the reference rules play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import END, Outcome, ordered
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, new_game, new_scenario
from tetrasolve.tetrarchia.hint.players import borrow
from tetrasolve.tetrarchia.hint.policy import GREEDY, choose
from tetrasolve.tetrarchia.hint.rollout import MOST_TURNS
from tetrasolve.tetrarchia.hint.weights import shipped
from tetrasolve.tetrarchia.kernel import FALLEN, WON
from tetrasolve.tetrarchia.plan.replay import made_of
from tetrasolve.tetrarchia.plan.tree import Fork, Plan, Shown
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import RandomDice, eager
from tetrasolve.tetrarchia.rules.payment import goes_on, until_won
from tetrasolve.tetrarchia.ruleset import Ruleset

ENDS = {WON: "w", FALLEN: "l"}
OPEN = "o"  # a game that was not over after its most turns


def greedy_policy() -> str:
    """The name of the policy, with the digests of the weights: games of equal seeds are equal where it is."""
    return f"greedy, weights {shipped().digest} and {shipped(modules=True).digest}"


def greedy_game(table: str, seed: str, stop: Stop | None = None) -> Game:
    """A game of a table, a ruleset like ``4211+dux`` or the name of a scenario, with set-up and dice from the seed.

    :raises RulesetError: when there is no such table.
    :raises Stopped: when `stop` is set before it is over.
    """
    game = new_scenario(table, seed) if table in rules.scenarios() else new_game(Ruleset.from_text(table), seed)
    play_greedily(game, seed, stop=stop)
    return game


def play_greedily(game: Game, seed: int | str, turns: int = MOST_TURNS, stop: Stop | None = None) -> None:
    """Play a game to its end, or for so many turns; dice come from the seed, choices in Barbarian phases are `eager`.

    :raises Stopped: when `stop` is set.
    """
    dice = RandomDice(f"game {seed}")
    for _ in range(turns):
        if game.is_over:
            return
        check(stop)
        if game.position.phase is Phase.ROMAN:
            _take_turn(game, dice)
        if not game.is_over:
            game.barbarians(dice, eager)


def _take_turn(game: Game, dice: RandomDice) -> None:
    plan = choose(game.position, GREEDY)
    while True:
        for action in plan.steps:
            game.act(action)
        if plan.fork is None:
            break
        plan = _fought(game, plan.fork, dice)
    if not game.is_over and game.position.phase is Phase.ROMAN:
        game.act(END)


def _fought(game: Game, fork: Fork, dice: RandomDice) -> Plan:
    """Roll the attack of a plan; the plan after it."""
    position = game.position
    faces = (dice.roll("Roman die"), dice.roll("Barbarian die"))
    for shows, _, branch in fork.branches:
        attack, rest = made_of(fork, shows, branch, goes_on=goes_on(position))
        roll = rules.attack_roll(position, fork.army, fork.figure, attack.payments)
        if roll.result(faces) == attack and _is_shown(position, fork, shows, faces):
            game.act(until_won(position, attack)[roll.faces.index(faces)], faces)
            return rest
    raise AssertionError(f"the plan has no branch for {faces} of {fork}")


def _is_shown(position: Position, fork: Fork, shows: Outcome | Shown, faces: tuple[int, int]) -> bool:
    """Whether these dice show what a branch is for, with each number of discs that can be paid."""
    payments, paid = fork.payments, 0
    while isinstance(shows, Shown):
        rolled = rules.attack_roll(position, fork.army, fork.figure, payments).result(faces)
        if rolled.outcome is not shows.outcome(paid):
            return False
        discs = rules.boosts(position, fork.figure, payments, fork.army)
        if not discs:
            break
        payments, paid = ordered((*payments, discs[0]), position.board), paid + 1
    return True


def greedy_results(ruleset: str, seed: int, first: int, games: int, stop: Stop | None = None) -> str:
    """How games of a ruleset end, played by the kernel alone: a letter for each, ``w`` won, ``l`` lost, ``o`` not over.

    Game number `first` is the first one; each has its set-up and dice from the seed and its number. Choices in Barbarian
    phases are those of a fixed policy.

    :raises RulesetError: when the text is not a ruleset.
    :raises Stopped: when `stop` is set before all are over.

    >>> greedy_results("5300", 0, 0, 4) == greedy_results("5300", 0, 0, 2) + greedy_results("5300", 0, 2, 2)
    True
    """
    rules_of_game = Ruleset.from_text(ruleset)
    rules_of_game.require_kernel()
    return results(rules_of_game, None, {"policy": "greedy"}, seed, first, games, stop=stop)


def results(
    ruleset: Ruleset,
    start: Position | None,
    policy: Mapping[str, Any],
    seed: int,
    first: int,
    games: int,
    *,
    board: Board | None = None,
    stop: Stop | None = None,
) -> str:
    """How games by a policy end, as `greedy_results` writes it; the policy is given with its numbers, as to `Player.games`.

    All games begin at `start`; without it each has a set-up of its own, on the standard board.

    :raises Stopped: when `stop` is set before all are over.
    """
    rebels = start is not None and bool(start.rebels)
    state = None if start is None else fast.state_of(start, rebels=rebels)
    revolts, fleets, armies = ruleset.revolts, ruleset.fleets, ruleset.armies
    with borrow(board or Board.standard(), ruleset, rebels=rebels) as player:
        played = player.games(games, revolts, fleets, armies, seed, first=first, start=state, stop=stop, **policy)
    return "".join(ENDS.get(result, OPEN) for result, _, _ in played)


def greedy_courses(ruleset: str, seed: int, first: int, games: int, stop: Stop | None = None) -> list[tuple[str, int]]:
    """As `greedy_results`, with the number of turns of each game; house rules are played too.

    :raises RulesetError: when the text is not a ruleset.
    :raises Stopped: when `stop` is set before all are over.

    >>> "".join(end for end, _ in greedy_courses("5300", 0, 0, 2)) == greedy_results("5300", 0, 0, 2)
    True
    """
    rules_of_game = Ruleset.from_text(ruleset)
    rules_of_game.require_kernel()
    revolts, fleets, armies = rules_of_game.revolts, rules_of_game.fleets, rules_of_game.armies
    with borrow(Board.standard(), rules_of_game) as player:
        played = player.games(games, revolts, fleets, armies, seed, first=first, policy="greedy", stop=stop)
    return [(ENDS.get(result, OPEN), turns) for result, turns, _ in played]
