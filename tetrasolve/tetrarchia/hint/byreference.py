"""Whole games by the reference rules, for values of readings that the kernels do not play.

The kernel chooses the plans of a turn, greedily, as under the default of each value that it does not play; the reference rules
carry them out and play the Barbarian phases. Where they refuse the best plan, the best one that they allow is played. So the policy
keeps what a value forbids, and what it changes in dice, battles and Barbarian phases happens; but it never uses an action that a
value allows besides. Of those values no games are compared (`tetrasolve.tetrarchia.lint.wholegames.WITHOUT_GAMES`).

Each die comes from the seed, the number of the game, the turn, what is asked of the die, and how often that was asked in this
turn. So both values see the same dice as long as their games are the same, also where one of them rolls a die more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

from tetrasolve.errors import IllegalActionError
from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action, Kind, Outcome
from tetrasolve.tetrarchia.game import Game, new_game
from tetrasolve.tetrarchia.hint.played import OPEN, greedy_policy
from tetrasolve.tetrarchia.hint.policy import GREEDY, candidates
from tetrasolve.tetrarchia.hint.rollout import MOST_TURNS
from tetrasolve.tetrarchia.numbers import DIE
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, eager
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

FURTHER = 64  # plans that are looked at where the rules refuse the best one
MOST_ATTACKS = 64  # in a turn, which has 6 IP: more of them would be an error in the rules


def reference_policy() -> str:
    """The name of the policy, with what the games of equal seeds depend on."""
    return f"{greedy_policy()}; plans of the kernel by the reference rules"


def reference_results(ruleset: str, seed: int, first: int, games: int, stop: Stop | None = None) -> str:
    """How games of a ruleset end: a letter for each, ``w`` won, ``l`` lost, ``o`` not over.

    Game number `first` is the first one; each has its set-up and dice from the seed and its number.

    :raises RulesetError: when the text is not a ruleset.
    :raises Stopped: when `stop` is set before all are over.

    >>> reference_results("5300", 0, 0, 2) == reference_results("5300", 0, 0, 1) + reference_results("5300", 0, 1, 1)
    True
    """
    chosen = Ruleset.from_text(ruleset)
    return "".join(_letter(reference_game(chosen, f"{seed} {n}", stop)) for n in range(first, first + games))


def reference_game(ruleset: Ruleset, seed: str, stop: Stop | None = None) -> Game:
    """One game of a ruleset, to its end or for the most turns.

    :raises Stopped: when `stop` is set before it is over.
    """
    game = new_game(ruleset, seed)
    for turn in range(MOST_TURNS):
        if game.is_over:
            break
        check(stop)
        dice = _Dice(f"{seed} {turn}")
        _play_turn(game, dice)
        if not game.is_over:
            game.barbarians(dice, eager)
    return game


def _letter(game: Game) -> str:
    if not game.is_over:
        return OPEN
    return "l" if isinstance(game.state, Fall) else "w"


class _Dice:
    """Dice of a turn, one row of faces for each question."""

    def __init__(self, seed: str) -> None:
        self._seed, self._asked = seed, Counter[str]()

    def roll(self, question: str) -> int:
        """A face from 1 to 6."""
        self._asked[question] += 1
        return Random(f"{self._seed} {question} {self._asked[question]}").randint(1, DIE)


# -- turns -------------------------------------------------------------------------------------------------------------


def _play_turn(game: Game, dice: _Dice) -> None:
    for _ in range(MOST_ATTACKS):
        if game.is_over or game.position.phase is not Phase.ROMAN:
            return
        plan = _chosen(game.position)
        for action in plan.steps:
            game.act(action)
        if plan.fork is None:
            break
        game.attack(plan.fork.army, dice, plan.fork.figure, _paying(plan.fork.payments))
    if not game.is_over and game.position.phase is Phase.ROMAN:
        game.act(END)


def _paying(named: tuple[str, ...]) -> Callable[[Action, tuple[int, ...], tuple[str, ...]], str | None]:
    """Pays the discs that a plan names, in their order, until the attack is a victory."""
    left = [*named]

    def pay(attack: Action, _faces: tuple[int, ...], discs: tuple[str, ...]) -> str | None:
        if attack.outcome is Outcome.VICTORY:
            return None
        return next((left.pop(left.index(disc)) for disc in left if disc in discs), None)

    return pay


def _chosen(position: Position) -> Plan:
    """The best plan of those that the rules allow up to their first attack."""
    known = _known(position)
    for most in (1, FURTHER):
        for candidate in candidates(known, GREEDY, top=most).candidates:
            if _is_allowed(position, candidate.plan):
                return candidate.plan
    return Plan(tuple(_way_out(position)))


def _known(position: Position) -> Position:
    """The position as the kernels know it, with the default of each value that they do not play.

    There a zone has one fleet [I-FLEETS], and garrisons are out of the game for a power alone [I-GARRISON-ATTACK].
    """
    ruleset = position.ruleset
    plain = [
        (name, READINGS[name].default) for name, value in ruleset.interpretations if value in READINGS[name].reference
    ]
    if not plain:
        return position
    pieces = position.pieces if "imperium" in ruleset.extensions else replace(position.pieces, removed=None)
    fleets = tuple(sorted({*position.fleets}))
    known = replace(ruleset.with_readings(plain), fleets=len(fleets))
    return position.replace(ruleset=known, fleets=fleets, pieces=pieces)


def _is_allowed(position: Position, plan: Plan) -> bool:
    """Whether the rules allow a plan up to its first attack, or to the end of the turn."""
    state: Position | Fall = position
    try:
        for action in plan.steps:
            if isinstance(state, Fall):
                return False
            state = rules.play(state, action)
        if isinstance(state, Fall):
            return False
        if plan.fork is not None:
            rules.attack_roll(state, plan.fork.army, plan.fork.figure)
        elif state.phase is Phase.ROMAN and not state.is_won:
            rules.play(state, END)
    except IllegalActionError:
        return False
    return True


def _way_out(position: Position) -> list[Action]:
    """Nothing, or where the turn may not end yet, the actions after which it may: the fewest.

    :raises IllegalActionError: where there is none, which no rule admits.
    """
    rows: list[tuple[Position, list[Action]]] = [(position, [])]
    for state, before in rows:  # they grow
        if rules.may_end(state):
            return before
        for action in rules.legal_actions(state):
            after = rules.play(state, action)
            if isinstance(after, Position) and action.kind is not Kind.ATTACK:
                rows.append((after, [*before, action]))
    raise IllegalActionError(END, "the turn cannot end")
