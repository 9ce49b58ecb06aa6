"""What a policy says is worth what it says: compared with enumerations of turns and phases."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import pytest
from advisers import BOARD, in_play, plainly, player, weights

from tetrasolve.errors import IllegalPositionError, SecondsError
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.hint import policy as policy_module
from tetrasolve.tetrarchia.hint.evaluation import ready
from tetrasolve.tetrarchia.hint.policy import (
    DEEPEST,
    DEFAULT,
    EXPECTIMAX,
    GREEDY,
    Budget,
    _next,
    candidates,
    choose,
    deepening,
)
from tetrasolve.tetrarchia.kernel import Player, State
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import RandomDice
from tetrasolve.tetrarchia.ruleset import Ruleset

SMALL = Budget("search", ends=8, samples=12, rounds=2, deep_ends=2, deep_samples=3)


def end_of(state: State) -> State:
    """A position as it lies when the turn has ended there."""
    return State(
        revolts=state.revolts, unrest=state.unrest, garrisons=state.garrisons, armies=state.armies,
        emperors=state.emperors, fleets=state.fleets, to_move=state.to_move, ip=0, phase=kernel.BARBARIAN,
    )  # fmt: skip


def best_by_hand(adviser: Player, level: str, start: State) -> float:
    """The greatest value of a policy, over the whole graph of the turn."""
    turn = kernel.Turn(fast.kernel_for(BOARD, Ruleset.from_level(level)), start)
    best: dict[int, float] = {}
    for node in turn.order():
        state, options = turn.state(node), []
        if turn.may_end(node):
            options.append(adviser.value(state if state.result != kernel.OPEN else end_of(state)))
        attacks: dict[int, float] = {}
        for code, chance, target in turn.edges_from(node):
            if code & 15 == kernel.ATTACK:
                attacks[code & 0x3FF] = attacks.get(code & 0x3FF, 0) + chance / 36 * best[target]
            else:
                options.append(best[target])
        best[node] = max([*options, *attacks.values()])
    return best[0]


@pytest.mark.parametrize("seed", range(8))
def test_greedy_is_the_best_of_all_policies(seed: int) -> None:
    """With the dice of attacks and what follows them."""
    level = ("3122", "4222", "5212")[seed % 3]
    adviser, start = player(level, seed), in_play(level, seed, 3 + seed)
    found = adviser.think(start, policy="greedy", top=1)

    assert found[0][0] == pytest.approx(best_by_hand(adviser, level, start), abs=1e-5)


def test_some_of_these_turns_have_attacks() -> None:
    found = [player(level, s).think(in_play(level, s, 3 + s), policy="greedy", top=200)
             for s in range(8) for level in [("3122", "4222", "5212")[s % 3]]]  # fmt: skip

    assert any(tree[1] is not None for plans in found for *_, tree in plans)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_values_of_sampled_phases_are_those_of_the_whole_phase(seed: int) -> None:
    """One-turn expectimax against the distribution of the reference rules and the network in plain Python."""
    level = "4200"
    ruleset = Ruleset.from_level(level)
    start = in_play(level, seed, 1)
    position = fast.to_position(start, BOARD, ruleset)
    found = candidates(position, Budget("expectimax", ends=3, samples=3600, rounds=1), seed, 3, weights())
    for candidate in found.candidates[:2]:
        if candidate.plan.fork is not None:
            continue
        ((_, end, _),) = endings(position, candidate.plan)
        assert isinstance(end, Position)
        exact = sum(
            float(chance) * (plainly(after) if isinstance(after, Position) else 0)
            for after, chance in rules.outcomes(end.replace(phase=Phase.BARBARIAN, ip=0)).items()
        )

        assert candidate.stage == 2 and candidate.error is not None
        assert abs(candidate.value - exact) <= 5 * candidate.error + 1e-4


NEXT = {"policy": "expectimax", "ends": 16, "samples": 9, "rounds": 3}


def test_a_deeper_look_is_the_mean_of_best_next_turns() -> None:
    """The value of a closer look lies where those of the next turn do, as expectimax sees it."""
    level, start = "4222", in_play("4222", 4, 3)
    adviser = player(level)
    engine = fast.kernel_for(BOARD, Ruleset.from_level(level))
    (value, looked, doubt, tree), *_ = adviser.think(start, 1, top=1, ends=4, samples=6, deep_ends=1, deep_samples=72)
    state = start
    assert looked == 3 and tree[1] is None
    for code in tree[0]:
        state = engine.play(state, code)
    state = end_of(state)
    rng, values = kernel.Rng(9), []
    for _ in range(72):
        after = engine.sample(state, rng)
        values.append(adviser.think(after, top=1, **NEXT)[0][0] if after.result == kernel.OPEN else 0.0)
    mean = sum(values) / len(values)
    spread = sum((x - mean) ** 2 for x in values) / (len(values) - 1) / len(values)

    assert abs(mean - value) < 4 * sqrt(spread + doubt)


@pytest.mark.parametrize("budget", [GREEDY, EXPECTIMAX, SMALL], ids=lambda budget: budget.policy)
def test_candidates_can_be_played_and_come_best_first(budget: Budget) -> None:
    random = Random(1)
    for seed in range(3):
        position = fast.to_position(in_play("4222", random.randrange(99), 4), BOARD, Ruleset.from_level("4222"))
        found = candidates(position, budget, seed, 30, weights())
        assert 1 <= len(found.candidates) <= 30
        assert len({str(candidate.plan) for candidate in found.candidates}) == len(found.candidates)
        for candidate in found.candidates:
            ends = endings(position, candidate.plan)
            assert sum(chance for chance, *_ in ends) == 1
        for one, two in pairwise(found.candidates[: budget.ends >> budget.rounds]):  # of the last round
            assert (one.stage, one.value) >= (two.stage, two.value) or one.plan.fork or two.plan.fork


def test_the_same_seed_gives_the_same_answer() -> None:
    position = fast.to_position(in_play("4222", 7, 2), BOARD, Ruleset.from_level("4222"))
    for budget in (SMALL, EXPECTIMAX):
        first, again = (candidates(position, budget, 3, 10, weights()) for _ in range(2))
        other = candidates(position, budget, 4, 10, weights())

        assert first.candidates == again.candidates
        assert (first.turns, first.phases) == (again.turns, again.phases)
        assert [(c.value, c.error) for c in first.candidates] != [(c.value, c.error) for c in other.candidates]


def test_looks_come_one_after_the_other() -> None:
    position = fast.to_position(in_play("4222", 7, 5), BOARD, Ruleset.from_level("4222"))
    looks = list(deepening(position, SMALL, weights=weights()))

    assert [look.best.stage for look in looks] == [1, 2, 3]
    assert looks[0].turns == 1 and looks[1].phases >= SMALL.samples


def test_seconds_let_a_search_grow() -> None:
    position = fast.to_position(in_play("4200", 7, 2), BOARD, Ruleset.from_level("4200"))
    budget = Budget("expectimax", ends=2, samples=2, seconds=0.2)
    *_, last = deepening(position, budget, weights=weights())

    assert last.budget.samples > 2


def test_seconds_never_search_less_than_the_budget() -> None:
    """With time enough; small budgets are included in larger ones of the same policy alone."""
    position = fast.to_position(in_play("4200", 7, 2), BOARD, Ruleset.from_level("4200"))
    budget = Budget(ends=8, samples=12, rounds=2, deep_ends=4, deep_samples=12)
    plain = candidates(position, budget, weights=weights())
    looks = []
    for look in deepening(position, replace(budget, seconds=600), weights=weights()):
        looks.append(look)
        if look.budget.includes(budget):
            break
    assert [look.budget.includes(budget) for look in looks] == [False, False, False, True]
    assert looks[-1].candidates == plain.candidates and looks[2].turns < looks[-1].turns
    assert not replace(budget, policy="expectimax").includes(budget) and not budget.includes(EXPECTIMAX)


def test_the_next_look_reaches_the_budget_first() -> None:
    """The whole of it where it fits, a part where that fits, and else the whole again: it may fit after all."""
    named = Budget(ends=96, samples=9, deep_ends=12, deep_samples=60)
    first = replace(named, deep_ends=2, deep_samples=6)
    assert _next(first, named, 1.0, 0.0, 100.0) == _next(first, named, 1.0, 0.0, 31.0) == named  # 60 times the work
    part = _next(first, named, 1.0, 0.0, 20.0)
    assert part is not None and first.work < part.work < named.work and not part.includes(named)
    assert _next(first, named, 1.0, 0.0, 1.0) == named
    assert _next(named, named, 1.0, 1.0, 9.0) is None
    more = _next(named, named, 1.0, 4.0, 9.0)
    assert more is not None and more.includes(named) and more.work > named.work


class CutOff:
    """A player whose search of the whole budget is cut off once stage 3 has evaluated so many plans."""

    def __init__(self, whole: kernel.Player, evaluated: int) -> None:
        self.whole, self.evaluated = whole, evaluated
        self.counters, self.scope = whole.counters, whole.scope

    def think(self, state: State, seed: int, *, deep_ends: int, deep_samples: int, **budget: Any) -> list[Any]:
        """As the player does it, or the same with fewer plans in its last stage."""
        if (deep_ends, deep_samples) != (LONG.deep_ends, LONG.deep_samples):
            return self.whole.think(state, seed, deep_ends=deep_ends, deep_samples=deep_samples, **budget)
        if not self.evaluated:
            raise Stopped("deadline", [])
        raise Stopped(
            "deadline",
            self.whole.think(state, seed, deep_ends=self.evaluated, deep_samples=deep_samples, **budget),
        )


LONG = Budget(ends=8, samples=12, rounds=2, deep_ends=5, deep_samples=12)


@pytest.mark.parametrize("evaluated", [0, 1, 2, 4])
def test_a_search_that_is_cut_off_counts_if_it_compares_as_much(
    monkeypatch: pytest.MonkeyPatch, evaluated: int
) -> None:
    """At least the plans that the search before has compared: it had two of them in its last stage."""

    @contextmanager
    def cut_off(*args: Any) -> Iterator[tuple[CutOff, State]]:
        with ready(*args) as (whole, state):
            yield CutOff(whole, evaluated), state

    position = fast.to_position(in_play("4200", 7, 2), BOARD, Ruleset.from_level("4200"))
    expected = candidates(position, replace(LONG, deep_ends=max(evaluated, 1)), top=3, weights=weights())
    monkeypatch.setattr(policy_module, "ready", cut_off)
    *_, before, last = deepening(position, replace(LONG, seconds=600), top=3, weights=weights())

    assert len(last.candidates) == 3 and not last.budget.includes(LONG)
    if (
        evaluated < 2
    ):  # the last search that was completed: first a look at the phases, then two plans, six turns after each
        assert (before.budget.policy, last.budget.deep_ends, last.budget.deep_samples) == ("expectimax", 2, 6)
    else:
        assert before.budget == last.budget and last.candidates == expected.candidates
        assert before.candidates[:2] != last.candidates[:2]


def test_a_search_that_is_stopped_is_one_of_fewer_plans() -> None:
    """Whenever it is stopped in its last stage; such a moment is looked for by bisection."""
    state, most = in_play("4222", 7, 5), 12
    long: dict[str, Any] = {"ends": 40, "samples": 4, "rounds": 1, "deep_samples": 20, "top": most}
    low = high = 0.0
    found: list[Any] = []
    while not found:
        if high - low < 1e-3:
            low, high = 0.0, 4.0
        middle = (low + high) / 2
        try:
            player("4222").think(state, 3, deep_ends=most, stop=Stop(middle), **long)
        except Stopped as stopped:
            found, low = [row for row in stopped.partial if row[1] == DEEPEST], middle
        else:
            high = middle
    shorter = [player("4222").think(state, 3, deep_ends=ends, **long) for ends in range(1, len(found) + 1)]
    assert found in [[row for row in rows if row[1] == DEEPEST] for rows in shorter]


def test_greedy_has_nothing_to_deepen() -> None:
    position = fast.to_position(in_play("4222", 7, 5), BOARD, Ruleset.from_level("4222"))
    (only,) = deepening(position, replace(GREEDY, seconds=600), weights=weights())
    assert only.budget.includes(GREEDY) and only.turns == 1


def test_a_game_by_the_policy_is_one_of_the_reference_rules() -> None:
    """Every action is legal there, and the record of the game with all its dice reads back."""
    game = new_game(Ruleset.from_level("4222"), 5)
    dice = RandomDice(8)
    for turn in range(12):
        while isinstance(game.state, Position) and game.state.phase is Phase.ROMAN and not game.is_over:
            plan = choose(game.state, EXPECTIMAX, turn, weights())
            for step in plan.steps:
                game.act(step)
            if plan.fork is None:
                if not game.is_over:
                    game.end()
            else:
                game.attack(plan.fork.army, dice)
        if game.is_over:
            break
        game.barbarians(dice)
        if game.is_over:
            break

    assert read_record(write_record(game)).played == game.played
    assert sum(played.action is None for played in game.played) >= 3


def test_what_cannot_be_thought_about_is_refused() -> None:
    position = fast.to_position(in_play("4200", 1, 1), BOARD, Ruleset.from_level("4200"))
    with pytest.raises(IllegalPositionError, match="Roman phase"):
        candidates(position.replace(phase=Phase.BARBARIAN, ip=0))
    with pytest.raises(ValueError, match="deep_ends: expected 1 to 4096, got 0"):
        Budget(deep_ends=0)
    with pytest.raises(ValueError, match="policy: expected"):
        Budget("random")  # type: ignore[arg-type]
    for seconds in (-1, float("nan")):
        with pytest.raises(SecondsError, match="seconds: expected at least 0"):
            Budget(seconds=seconds)
    assert DEFAULT.policy == "search"


def test_an_emperor_who_cannot_enter_ends_his_turn() -> None:
    """His only plan is to do nothing, whatever the policy."""
    start = in_play("4200", 1, 0)
    engine = fast.kernel_for(BOARD, Ruleset.from_level("4200"))
    capital = BOARD.order[BOARD.emperors[0].capital]
    blocked = State(
        revolts=start.revolts | 1 << capital,
        armies=1 << BOARD.order["roma"],
        emperors=(63, 63, 63, 63),
        fleets=start.fleets,
    )
    assert engine.may_end(blocked)
    for policy in ("greedy", "expectimax", "search"):
        (found,) = player("4200").think(blocked, policy=policy, ends=2, samples=2, deep_ends=1, deep_samples=1)
        assert found[3] == ((), None)


def test_a_plan_that_wins_at_once_is_worth_1() -> None:
    """Five borders are secured and the Emperor stands on the sixth."""
    borders = [BOARD.order[border] for border in BOARD.borders]
    garrisons = sum(1 << border for border in borders[1:])
    state = State(garrisons=(0, garrisons, 0, 0), emperors=(borders[0], 63, 63, 63), fleets=3)
    for policy in ("greedy", "expectimax", "search"):
        value, looked, doubt, tree = player("5200").think(state, policy=policy, top=1)[0]
        assert (value, looked, doubt, tree) == (1.0, 3, 0.0, ((kernel.SECURE,), None))


def test_plans_have_exact_chances() -> None:
    position = fast.to_position(in_play("4222", 2, 5), BOARD, Ruleset.from_level("4222"))
    plans = [candidate.plan for candidate in candidates(position, GREEDY, top=400, weights=weights()).candidates]
    forks = [plan.fork for plan in plans if isinstance(plan, Plan) and plan.fork]
    assert all(sum(chance for _, chance, _ in fork.branches) == Fraction(1) for fork in forks)
