"""Who plays the Barbarians in the games of the kernel: no player of them knows dice that are still to be rolled."""

from functools import lru_cache
from math import sqrt
from statistics import fmean, stdev

import pytest
from advisers import BOARD, player

from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.hint.evaluation import states_in
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.kernel import KernelError, Player, State
from tetrasolve.tetrarchia.plan.evaluation import read_evaluation
from tetrasolve.tetrarchia.ruleset import Ruleset
from tetrasolve.tetrarchia.whole import KernelError as WholeError

RULES = Ruleset.from_text("4211+barbaria")
ENGINE = fast.kernel_for(BOARD, RULES)


@lru_cache
def shipped_player(decide: str = "eager") -> Player:
    return new_player(BOARD, RULES, decide=decide)


def harm_of(state: State) -> float:
    """What the greedy opponent counts."""
    if state.result == kernel.FALLEN:
        return 100
    off = state.emperors.count(kernel.OFF)
    return state.revolts.bit_count() + 0.5 * state.unrest.bit_count() + state.armies.bit_count() + off


def most_harm(state: State) -> float:
    """The greatest mean that any player of the Barbarians reaches in this phase, solved."""
    count = read_evaluation("revolt=-2 unrest=-1 army=-2 emperor=2 constant=-8 fallen=-200", BOARD).tables(BOARD)
    found = whole.best_phase(ENGINE, state, "worth", -1, 1, weights=count)  # type: ignore[arg-type]  # all modules
    return -found["value"] / 2


def ends_of_turns() -> list[State]:
    _, noted, kinds, _ = shipped_player().lessons(8, 1, 2, 1, 3, others=0, strays=0, ends=4, samples=4, most_turns=60)
    states = states_in(noted, whole)
    return [state for state, kind in zip(states, kinds, strict=True) if kind == 2]


def after(state: State, opponent: str | None, phases: int, decide: str = "eager") -> list[State]:
    chosen = shipped_player(decide)
    return [chosen.phase(state, seed, opponent=opponent) for seed in range(phases)]


def test_no_opponent_does_more_harm_than_best_play_and_the_greedy_one_nearly_as_much() -> None:
    """A player who looked at the dice to come would do more."""
    states = [state for state in ends_of_turns() if 1 <= state.gray <= 3][:40:8]  # type: ignore[attr-defined]  # solved at once
    phases, most, eager, reached = 500, 0.0, 0.0, 0.0
    for state in states:
        best = most_harm(state)
        for opponent in ("greedy", "best"):
            found = [harm_of(end) for end in after(state, opponent, phases)]
            assert fmean(found) - best < 4 * stdev(found) / sqrt(phases), opponent
            if opponent == "greedy":
                reached += fmean(found)
        most += best
        eager += sum(chance * harm_of(end) for end, chance in ENGINE.outcomes(state, whole.EAGER))
    assert len(states) == 5 and most > eager + 0.5
    assert reached > eager + 0.7 * (most - eager)


def test_the_best_opponent_leaves_less_to_rome_than_the_others() -> None:
    """By the evaluation that it asks, in the mean over phases."""
    judge, phases = shipped_player(), 24
    values: dict[str | None, list[float]] = {None: [], "greedy": [], "random": [], "best": []}
    for state in ends_of_turns()[::4]:
        for who, found in values.items():
            found += [judge.value(end) for end in after(state, who, phases)]
    best = values.pop("best")
    for who, found in values.items():
        gains = [one - other for one, other in zip(found, best, strict=True)]
        assert fmean(gains) > 3 * stdev(gains) / sqrt(len(gains)), who


def test_at_random_each_answer_is_as_likely_as_by_the_policy_of_that_name() -> None:
    for state in ends_of_turns()[::15]:
        assert after(state, "random", 20) == after(state, None, 20, "random")


def test_games_against_an_opponent_depend_on_their_seed_and_number_alone() -> None:
    chosen = shipped_player()
    for opponent in whole.OPPONENTS:
        together = chosen.games(3, 1, 2, 1, 9, most_turns=25, opponent=opponent)
        assert together == [chosen.games(1, 1, 2, 1, 9, first=n, most_turns=25, opponent=opponent)[0] for n in range(3)]
    assert chosen.games(3, 1, 2, 1, 9, most_turns=25) == new_player(BOARD, RULES).games(3, 1, 2, 1, 9, most_turns=25)


def test_opponents_that_cannot_be_are_refused() -> None:
    with pytest.raises(KernelError, match="nobody plays the Barbarians without Barbaria"):
        player("4211").games(1, 1, 2, 1, 9, opponent="best")
    with pytest.raises(WholeError, match="expected one of random, greedy, best, got 'bold'"):
        shipped_player().games(1, 1, 2, 1, 9, opponent="bold")
    with pytest.raises(WholeError, match="a player who does not decline all"):
        shipped_player("decline").phase(ends_of_turns()[0], opponent="best")
