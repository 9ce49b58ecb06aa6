"""Whole games: they depend on their seed and number alone, and rollouts are as fair as the dice."""

from math import sqrt
from statistics import fmean, stdev

import pytest
from advisers import BOARD, in_play, player, weights

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.hint.rollout import compare, rollout
from tetrasolve.tetrarchia.kernel import KernelError, State
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.ruleset import Ruleset


def test_a_game_depends_on_its_seed_and_number() -> None:
    together = player("4222").games(6, 2, 2, 2, 11, most_turns=12)
    apart = [player("4222").games(1, 2, 2, 2, 11, first=n, most_turns=12)[0] for n in range(6)]

    assert together == apart
    assert together != player("4222").games(6, 2, 2, 2, 12, most_turns=12)


@pytest.mark.parametrize("policy", ["random", "greedy", "expectimax", "search"])
def test_games_end_as_they_say(policy: str) -> None:
    found = player("4211").games(
        4, 1, 2, 1, 3, policy=policy, ends=3, samples=3, deep_ends=2, deep_samples=2, most_turns=10
    )
    for result, turns, step in found:
        assert result in (kernel.OPEN, kernel.WON, kernel.FALLEN)
        assert (result == kernel.FALLEN) == (step > 0)
        assert 1 <= turns <= 10 and (turns == 10 or result != kernel.OPEN)


def test_lessons_are_positions_of_the_games() -> None:
    """Starts and ends by turns, in between other ends; without straying the games are those of the policy."""
    adviser = player("4211")
    results, raw, kinds, worth = adviser.lessons(3, 1, 2, 1, 5, others=4, samples=6, most_turns=15, strays=0)
    states = [State.from_bytes(raw[i : i + 64]) for i in range(0, len(raw), 64)]
    assert results == adviser.games(3, 1, 2, 1, 5, most_turns=15, policy="expectimax", ends=8, samples=6)
    assert len(states) == len(kinds) == len(worth) and {*kinds} == {0, 2, 3}
    assert kinds.count(0) == sum(turns for _, turns, _ in results)
    engine = fast.kernel_for(BOARD, Ruleset.from_level("4211"))
    for i, (state, kind) in enumerate(zip(states, kinds, strict=True)):
        assert state.phase == (kernel.ROMAN if kind <= 1 else kernel.BARBARIAN)
        if kind == 0 and i < 60:
            likely = adviser.think(state, policy="expectimax", ends=8, samples=720, top=1)[0][0]
            assert worth[i] == pytest.approx(likely, abs=0.2)
            turn = kernel.Turn(engine, state)
            ends = {bytes(turn.state(node))[:60] for node in range(turn.nodes) if turn.may_end(node)}
        elif i < 60:
            assert bytes(state)[:60] in ends  # all but zones, mover, IP and phase


def test_turns_stray_as_often_as_asked() -> None:
    *_, kinds, _ = player("4211").lessons(4, 1, 2, 1, 5, others=0, samples=1, most_turns=15, strays=500)
    left, kept = kinds.count(1), kinds.count(0)

    assert left > 5 and kept > 5 and 3 not in kinds


def test_the_worth_of_an_end_is_that_of_its_phase() -> None:
    adviser = player("4211")
    _, raw, kinds, worth = adviser.lessons(1, 1, 2, 1, 8, others=3, samples=720, most_turns=2)
    engine = fast.kernel_for(BOARD, Ruleset.from_level("4211"))
    assert kinds.count(2) == 2 and kinds.count(3) >= 3
    for i, (kind, value) in enumerate(zip(kinds, worth, strict=True)):
        if kind < 2:
            continue
        outcomes = engine.outcomes(State.from_bytes(raw[64 * i : 64 * i + 64]))
        exact = sum(chance * adviser.value(state) for state, chance in outcomes)
        spread = sqrt(sum(chance * (adviser.value(state) - exact) ** 2 for state, chance in outcomes) / 720)
        assert abs(exact - value) < 5 * spread + 1e-6


def test_luck_is_0_in_the_mean_and_takes_spread_away() -> None:
    """Whatever the evaluation is worth: here its weights are drawn at random."""
    state = in_play("4222", 3, 2)
    adviser = player("4222")
    found = adviser.rollouts(state, 36, 1, others=36, most_turns=1)
    expected = adviser.rollouts(state, 36, 2, others=36, most_turns=1)
    one, two = ([adjusted for _, adjusted in games] for games in (found, expected))

    assert abs(fmean(one) - fmean(two)) < 4 * sqrt((stdev(one) ** 2 + stdev(two) ** 2) / 36)


def test_a_single_phase_has_no_luck_left() -> None:
    """Adjusted by 36 strata of the same position, the mean over many games is the exact expectation."""
    state = in_play("4200", 3, 2)
    end = State(
        revolts=state.revolts, unrest=state.unrest, garrisons=state.garrisons, emperors=state.emperors,
        fleets=state.fleets, to_move=state.to_move, ip=0, phase=kernel.BARBARIAN,
    )  # fmt: skip
    adviser = player("4200")
    engine = fast.kernel_for(BOARD, Ruleset.from_level("4200"))
    exact = sum(chance * adviser.value(after) for after, chance in engine.outcomes(end))
    found = [adjusted for _, adjusted in adviser.rollouts(end, 720, 1, others=36, most_turns=1)]

    assert abs(fmean(found) - exact) < 5 * stdev(found) / sqrt(720) + 1e-6


def test_an_estimate_has_its_intervals() -> None:
    """A game that is broken off has the evaluation's word; one that is surely lost has none."""
    position = fast.to_position(in_play("5300", 2, 1), BOARD, Ruleset.from_level("5300"))
    end = position.replace(phase=Phase.BARBARIAN, ip=0, emperors=dict.fromkeys(position.emperors))
    found = rollout(end, 720, 4, turns=1, weights=weights())

    assert found.adjusted.n == len(found.games) == 720 and found.plain is None
    assert found.adjusted.method == "replications"
    assert found == rollout(end, 720, 4, turns=1, weights=weights())
    lost = end.replace(armies=("etruria",), discs={**end.discs, "etruria": "revolt"})
    fallen = rollout(lost, 720, 4, turns=1, weights=weights())
    assert fallen.plain is not None and fallen.plain.value == 0 and fallen.adjusted.value == pytest.approx(0, abs=1e-9)
    with pytest.raises(ValueError, match="a multiple of 36, at least 720, got 100"):
        rollout(position, 100)


def test_a_clearly_worse_position_is_given_up() -> None:
    """An army before Roma, against the same position without it."""
    ruleset = Ruleset.from_level("5300")
    good = fast.to_position(in_play("5300", 2, 0), BOARD, ruleset).replace(phase=Phase.BARBARIAN, ip=0)
    bad = good.replace(armies=("etruria",), discs={**good.discs, "etruria": "revolt"})
    best, worse = compare([good, bad], blocks=12, seed=1, turns=1, weights=weights())
    assert not best.dropped and best.behind is None
    assert worse.mean < best.mean and worse.behind is not None and worse.behind.low > 0
    assert worse.dropped and worse.games < 12 * 36
    with pytest.raises(ValueError, match="two positions"):
        compare([good])


def test_what_is_no_policy_is_refused() -> None:
    with pytest.raises(KernelError, match="policy: expected one of random, greedy, expectimax, search, got 'best'"):
        player("4211").games(1, 1, 2, 1, 1, policy="best")
    with pytest.raises(KernelError, match="one that thinks"):
        player("4211").think(in_play("4211", 1, 0), policy="random")
    with pytest.raises(KernelError, match="Roman phase"):
        player("4211").think(State(phase=kernel.BARBARIAN, ip=0))
