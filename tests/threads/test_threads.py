"""Public functions called from several threads at once: each call gives its serial answer.

The checked and sanitizer builds run this too, so it takes the library as it is installed; their short forms leave the longest test
out. Calls share boards, rulesets and positions on purpose: that is what a service does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import pytest

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.hint.advice import hint
from tetrasolve.tetrarchia.hint.evaluation import contributions, evaluate, ready, states_in
from tetrasolve.tetrarchia.hint.players import MOST_IDLE, Pool, new_player
from tetrasolve.tetrarchia.hint.policy import GREEDY, Budget, candidates
from tetrasolve.tetrarchia.hint.rollout import rollout
from tetrasolve.tetrarchia.phase.events import events
from tetrasolve.tetrarchia.plan import plan
from tetrasolve.tetrarchia.plan.campaign.question import Campaign, read_goal
from tetrasolve.tetrarchia.plan.campaign.solving import solve_campaign
from tetrasolve.tetrarchia.plan.expect import best_turn
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk import risk
from tetrasolve.tetrarchia.risk.combat import fights
from tetrasolve.tetrarchia.ruleset import Ruleset

THREADS = 8
BOARD = Board.standard()
LEVEL = Ruleset.from_level("4211")
Question = Callable[[], Any]


def starts(count: int) -> list[Position]:
    """Starts of turns in games of one level, so that all calls share one ruleset."""
    player = new_player(BOARD, LEVEL)
    _, noted, kinds, _ = player.lessons(
        4, LEVEL.revolts, LEVEL.fleets, LEVEL.armies, 5, strays=0, others=0, ends=2, samples=1
    )
    rows = [state for state, kind in zip(states_in(noted), kinds, strict=True) if kind == 0]
    return [fast.to_position(state, BOARD, LEVEL) for state in Random(5).sample(rows, count)]


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    return starts(6)


# -- questions, each a function of nothing that gives data to compare -----------------------------------------------


def hint_of(position: Position, budget: str) -> Any:
    return {**hint(position, budget=budget).as_data(), "seconds": 0}


def choice_of(position: Position, ends: int, seed: int) -> Any:
    budget = Budget("expectimax", ends=ends, samples=4, rounds=2)
    found = candidates(position, budget, seed)
    return found.candidates, found.turns, found.phases


def plan_of(position: Position, objective: str) -> Any:
    found = plan(position, objective)
    return found.status, str(found.plan), found.values


def best_of(position: Position) -> Any:
    found = best_turn(position, "revolt=-3 unrest=-1 garrison=1 fallen=-100")
    return found.status, str(found.plan), found.value


def perft_of(position: Position, depth: int) -> Any:
    return fast.kernel_of(position).perft(fast.to_state(position), depth)


def ends_of(position: Position) -> Any:
    return len(fast.kernel_of(position).end_states(fast.to_state(position)))


def outcomes_of(position: Position) -> Any:
    return [(bytes(state), chance) for state, chance in fast.kernel_of(position).outcomes(fast.to_state(position))]


def events_of(position: Position) -> Any:
    return str(events(position))


def games_of(ruleset: Ruleset, seed: int) -> Any:
    return fast.kernel_for(BOARD, ruleset).random_games(20, ruleset.revolts, ruleset.fleets, ruleset.armies, seed)


def campaign_of(position: Position) -> Any:
    found = solve_campaign(Campaign(position, read_goal("secure sarmatia")))
    return found.status, found.value, found.bound


def rollout_of(position: Position) -> Any:
    return rollout(position, 720, turns=1).games


def refused(position: Position) -> Any:
    """An error must leave the player of its thread as good as new."""
    with pytest.raises(kernel.KernelError), ready(position) as (player, state):
        player.think(state, policy="nothing of the kind")


def phase_of(position: Position) -> Any:
    return fast.kernel_of(position).phase_exact(fast.to_state(position))


def chances_of(position: Position) -> Any:
    return fast.kernel_of(position).events(fast.to_state(position))


def set_up(ruleset: Ruleset) -> Any:
    return str(new_game(ruleset, 7, board=BOARD).position)


def questions(positions: list[Position]) -> Iterator[Question]:
    """Calls of every kind, many of them on the same ruleset."""
    for position in positions:
        for ask in (evaluate, contributions, phase_of, chances_of, outcomes_of, refused):
            yield partial(ask, position)
        yield from (partial(hint_of, position, "greedy"), partial(perft_of, position, 3))
        yield from (partial(choice_of, position, 8, 1), partial(choice_of, position, 24, 2))
    for printed in (example("fight"), example("movement")):
        for ask in (risk, best_of, fights, ends_of, events_of):
            yield partial(ask, printed)
        yield from (partial(hint_of, printed, "greedy"), partial(plan_of, printed, "least ip"))
    yield partial(plan_of, example("fight"), "kill narbonensis then least uprising")
    yield partial(campaign_of, example("movement"))
    yield partial(rollout_of, example("movement"))
    for text in ("4211", "3101", "4211+pirates+goths+dux", "5322+imperium", "4211+barbaria"):
        ruleset = Ruleset.from_text(text)
        yield from (partial(games_of, ruleset, 3), partial(set_up, ruleset))


def ask_all(asked: list[Question], calls: int, seed: int) -> None:
    """Serial answers first, then so many calls from `THREADS` threads in random order, switching often."""
    serial = [question() for question in asked]
    order = [i % len(asked) for i in range(calls)]
    Random(seed).shuffle(order)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            answers = list(pool.map(lambda i: asked[i](), order))
    finally:
        sys.setswitchinterval(interval)
    wrong = [i for i, answer in zip(order, answers, strict=True) if answer != serial[i]]
    assert wrong == []


def test_two_hundred_mixed_calls(positions):
    """The short form, for builds of the kernel that check everything and are many times slower."""
    ask_all(list(questions(positions)), 200, seed=1)


@pytest.mark.parametrize(
    ("count", "calls"),
    [(4, 150), *(pytest.param(*full, marks=pytest.mark.slow) for full in ((8, 300), (24, 2_000)))],
)
def test_many_mixed_calls(count, calls):
    """On more positions, with hints at default settings among them."""
    many = starts(count)
    asked = [*questions(many), *(partial(hint_of, position, "search") for position in many[: count // 4])]
    ask_all(asked, calls, seed=2)


def test_models_of_two_solvers():
    """Z3 and CP-SAT from several threads."""
    pytest.importorskip("z3")
    pytest.importorskip("ortools")

    def answer(engine: str) -> Any:
        found = plan(example("fight").replace(ip=2), "secure germania_superior", engine=engine, attacks="none")
        return found.status, found.values

    ask_all([partial(answer, "z3"), partial(answer, "cpsat")], 8, seed=3)


# -- the pool --------------------------------------------------------------------------------------------------


def test_no_cache_of_a_player_changes_an_answer(positions):
    """A player that has seen other positions in any order says, to the last bit, what a new one says."""
    manner: dict[str, Any] = {
        "policy": "search",
        "ends": 12,
        "samples": 6,
        "rounds": 2,
        "deep_ends": 2,
        "deep_samples": 3,
    }
    states = [fast.to_state(position) for position in positions]
    fresh = []
    for state in states:
        player = new_player(BOARD, LEVEL)
        fresh.append((player.think(state, 3, **manner), player.value(state), player.features(state)))
    used, random = new_player(BOARD, LEVEL), Random(4)
    for _ in range(3):
        for i in random.sample(range(len(states)), len(states)):
            assert (used.think(states[i], 3, **manner), used.value(states[i]), used.features(states[i])) == fresh[i]
            used.games(1, LEVEL.revolts, LEVEL.fleets, LEVEL.armies, i, policy="greedy", most_turns=6)


def test_a_player_has_one_borrower():
    """Nested and repeated borrowing: never the same player twice at once, and the one given back is used again."""
    pool = Pool()
    with pool.borrow(BOARD, LEVEL) as one, pool.borrow(BOARD, LEVEL) as other:
        assert one is not other
    assert len(pool) == 2
    with pool.borrow(BOARD, LEVEL) as again:
        assert again in (one, other)
        assert len(pool) == 1


def test_levels_with_equal_rules_share_players():
    """They differ in the set-up alone; garrisons, modules and readings are the rules of the game after it."""
    pool = Pool()
    with pool.borrow(BOARD, Ruleset.from_level("4211")) as player:
        pass
    for text, shared in (("4322", True), ("3211", False), ("4211+pirates", False)):
        with pool.borrow(BOARD, Ruleset.from_text(text)) as other:
            assert (other is player) == shared, text
    position = new_game(Ruleset.from_level("4322"), 1).position
    state = fast.to_state(position)
    with pool.borrow(BOARD, Ruleset.from_level("4322")) as used:
        assert used is player
        assert used.value(state) == new_player(BOARD, Ruleset.from_level("4322")).value(state)


def test_the_pool_is_bounded():
    """Over all rulesets together; the player used last stays."""
    pool = Pool(most=2)
    for level in ("3101", "4211", "5322"):
        with pool.borrow(BOARD, Ruleset.from_level(level)):
            pass
    assert len(pool) == 2 < MOST_IDLE
    with pool.borrow(BOARD, Ruleset.from_level("5322")):
        assert len(pool) == 1


def test_a_player_whose_caller_failed_is_dropped():
    """Nobody knows what a call that raised has left in it."""
    pool = Pool()
    with pytest.raises(RuntimeError), pool.borrow(BOARD, LEVEL):
        raise RuntimeError("in the middle of a search")
    assert len(pool) == 0


def test_one_question_from_all_threads(positions):
    """The same position at the same time: one answer."""
    with ThreadPoolExecutor(THREADS) as pool:
        answers = set(pool.map(lambda _: str(candidates(positions[0], GREEDY).best), range(40)))
    assert len(answers) == 1
