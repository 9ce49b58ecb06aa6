"""Whole games by the reference rules, for values of readings that the kernel does not play.

Chance is that of `tetrasolve.finem.lint.played`: game n of a seed has its set-up, and for each turn one order of the deck and one
role. The policy is the greedy one with a use for what some of these readings are about, so that it plays by the reading it is
given: the Dictator rides where that is worth more on average than to walk, the Tribune exchanges the card of an invasion that
threatens most, the Emperor names the role that has something to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

from tetrasolve.exact.deadline import check
from tetrasolve.finem import numbers, rules
from tetrasolve.finem.fast import engine_of, option_text, state_of
from tetrasolve.finem.kernel import Kernel
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.lint import played
from tetrasolve.finem.policies import greedy
from tetrasolve.finem.position import Phase, Position, State, Step
from tetrasolve.finem.rules import TurnNode, actions
from tetrasolve.finem.ruleset import READINGS, ROLES, Ruleset
from tetrasolve.lint.wholegames import LOST, OPEN, WON
from tetrasolve.stop import Stop

POLICY = "greedy with rides, exchanges and roles (tetrasolve.finem.lint.byreference)"
ROUNDING = 1e-9  # a ride that is worth just as much is none, whatever sums of floating-point numbers say
RIDE, EXCHANGE, PACIFY, MAGISTER, PREFECT = "ride", "exchange", "pacify", "magister", "prefect"


def play(ruleset: str, seed: int, first: int, count: int, stop: Stop | None = None) -> str:
    """The letters of games `first` to `first + count - 1` of a seed (`tetrasolve.lint.wholegames`).

    :raises Stopped: when `stop` is set before all are played.
    """
    chosen, letters = Ruleset.from_text(ruleset), []
    for number in range(first, first + count):
        check(stop)
        letters.append(game(chosen, f"{seed} {number}"))
    return "".join(letters)


def game(ruleset: Ruleset, seed: str) -> str:
    """One game: ``w``, ``l``, or ``o`` where it has not ended after `played.MOST_TURNS`."""
    state = set_up(ruleset, seed)
    for turn in range(played.MOST_TURNS):
        chance = Random(f"{seed} turn {turn}")
        deck = (REGIONS[card] for card in chance.sample(range(len(REGIONS)), len(REGIONS)))
        role = ROLES[chance.randrange(len(ROLES))]
        while isinstance(state, Position):
            node = rules.node(state)
            option = decide(state, node) if not node.is_chance else role if state.step is Step.ROLE else next(deck)
            ends = state.phase is Phase.ROLE
            state = rules.take(state, option)
            if ends and isinstance(state, Position) and state.phase is not Phase.ROLE:
                break
        if not isinstance(state, Position):
            return WON if state.is_won else LOST
    return OPEN


def set_up(ruleset: Ruleset, seed: str) -> State:
    """The set-up of a game; where it is drawn again or in part, from the same order of the deck."""
    random, ruleset = _WholeDecks(f"{seed} set-up"), ruleset.dealt(Random(f"{seed} map"))
    if "corner" not in ruleset.options:
        random.choice(
            (ruleset.layout.start,)
        )  # of one place: the games that are stored have the decks that come after it
    return rules.set_up(ruleset, *rules.drawn_set_up(ruleset, random))


class _WholeDecks(Random):
    """Chance that orders the whole deck whenever cards are drawn, so that rules that draw more of them have the same first ones."""

    def sample(self, population: Sequence[Any], k: int, **options: Any) -> list[Any]:
        return super().sample(population, len(population), **options)[:k]


# -- the policy ------------------------------------------------------------------------------------------------------------


def decide(position: Position, node: TurnNode) -> str:
    """The decision of the policy."""
    match position.step:
        case Step.ACT:
            option = _act(position, node)
            return RIDE if RIDE in node.options and not option.startswith(PACIFY) and _rides(position) else option
        case Step.RIDE:
            return max(node.options, key=lambda option: _worth(rules.take(position, option)))
        case Step.SWAP:
            return _swap(position, node)
        case Step.APPOINT:
            return _role(position, node)
        case _:
            return greedy(position, node)


@lru_cache(maxsize=64)
def _engine(ruleset: Ruleset) -> Kernel:
    """The kernel of these rules without the values that it does not play: no action but a Dictator's ride depends on them."""
    defaults = [
        (name, READINGS[name].default) for name, value in ruleset.interpretations if value in READINGS[name].reference
    ]
    return engine_of(ruleset.with_readings(defaults))


def _act(position: Position, node: TurnNode) -> str:
    """The action of the greedy policy, by the kernel's list of actions, which is the same."""
    engine = _engine(position.ruleset)
    option = option_text(played.decide(engine, played.distances(engine.neighbours), state_of(position)))
    return option if option in node.options else greedy(position, node)


def _rides(position: Position) -> bool:
    """Whether the mean of what the actions left remove after a ride is above what they remove without it."""
    asked, total = rules.take(position, RIDE), 0.0
    assert isinstance(asked, Position)
    for card, number in {card[1]: (card, _of_rank(asked, card)) for card in asked.deck}.values():
        seen = actions.drawn(asked, card)
        total += number * max((_worth(rules.take(seen, option)) for option in rules.node(seen).options), default=0.0)
    return total > _worth(position) * len(asked.deck) + ROUNDING


def _of_rank(position: Position, card: str) -> int:
    """The cards of the deck with its rank, which all lead to the same regions."""
    return sum(other[1] == card[1] for other in position.deck)


def _worth(state: State) -> float:
    """The most danger that a Dictator's actions that are left remove in one region; nothing when the phase is over."""
    if not isinstance(state, Position) or state.step is not Step.ACT:
        return 0.0
    weights = played.weights_of(state.cubes)
    steps = played.distances(_engine(state.ruleset).neighbours)[NUMBER[state.pawn]]
    found = (
        played.gain(played.stacks(row), state.left - way, weights, is_magister=False, steps=way)[0]
        for row, way in zip(state.cubes, steps, strict=True)
        if any(row)
    )
    return max(found, default=0.0)


def _swap(position: Position, node: TurnNode) -> str:
    """Exchange the card that threatens most, where it threatens more than a card of the deck does on average."""
    threats = {f"{EXCHANGE} {card}": _threat(position, card) for card in position.hand}
    allowed = [option for option in node.options if option in threats]
    worst = max(allowed, key=lambda option: threats[option], default=None)
    mean = sum(_threat(position, card) for card in position.deck) / max(1, len(position.deck))
    return worst if worst is not None and threats[worst] > mean else greedy(position, node)


def _threat(position: Position, card: str) -> int:
    """The cubes of its suit on a region, squared: three are an outbreak; none of an eradicated tribe."""
    return 0 if position.is_eradicated(card[0]) else position.count(card, card[0]) ** 2


def _role(position: Position, node: TurnNode) -> str:
    """The Prefect where a die of a tribe that is not pacified stands at 5 or more, or else the Magister Militum."""
    dice = zip(TRIBES, position.dice, strict=True)
    can_pacify = any(die >= numbers.PREFECT_AT and tribe not in position.pacified for tribe, die in dice)
    wanted = PREFECT if can_pacify else MAGISTER
    return wanted if wanted in node.options else greedy(position, node)
