"""Losses that nothing prevents: each relaxed part against the real rules, and the bound that they give."""

from fractions import Fraction
from random import Random

import pytest

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.bounds.unavoidable import (
    MOST_REMOVED,
    chain_falls,
    fewest_falls,
    least_loss,
    most_kills,
    proved_bound,
)
from tetrasolve.tetrarchia.kernel import OFF, Kernel, Rng, State, Turn
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

pytestmark = pytest.mark.program

BOARD = Board.standard()
REGIONS = [place for region in range(1, 7) for place in BOARD.members(region)]
ROMAN = [place for place in BOARD.ids if not BOARD[place].is_border]


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return fast.kernel_for(BOARD, Ruleset.from_level("5312"))


def crowded(random: Random) -> tuple[State, list[str]]:
    """A position before a phase: revolts, and anything else where there is room; one or two armies on borders."""
    places = random.sample(ROMAN, len(ROMAN))
    revolts, rest = places[:15], places[15:]
    unrest, mine, yours = rest[:4], rest[4:8], rest[8:12]
    armies = random.sample(BOARD.borders, random.randint(1, 2))
    state = State(
        revolts=BOARD.mask(revolts),
        unrest=BOARD.mask(unrest),
        garrisons=(BOARD.mask(mine), BOARD.mask(yours), 0, 0),
        armies=BOARD.mask(armies),
        emperors=(BOARD.order[rest[0]], BOARD.order[rest[9]], OFF, OFF),
        fleets=3,
        phase=1,
    )
    return state, revolts


def test_a_chain_of_revolts_alone_falls_no_more_often_than_the_phase(kernel: Kernel) -> None:
    random, positive = Random(11), 0
    for _ in range(25):
        state, revolts = crowded(random)
        lower = chain_falls(BOARD, revolts, 4)
        positive += lower > 0

        assert lower <= Fraction(*kernel.phase_exact(state)["p_lost"])
    assert positive > 20


def test_a_chain_from_revolts_alone_is_much_of_the_phase(kernel: Kernel) -> None:
    """With 18 revolts, no disc beside them and one army, a third of all falls and more are those that are followed."""
    revolts = Random(3).sample(ROMAN, 18)
    state = State(revolts=BOARD.mask(revolts), armies=BOARD.mask(["persia"]), fleets=1, phase=1)
    real = Fraction(*kernel.phase_exact(state)["p_lost"])

    assert real / 3 < chain_falls(BOARD, revolts, 4) <= real


def test_more_revolts_and_longer_chains_fall_more_often() -> None:
    random = Random(5)
    for _ in range(20):
        few = random.sample(REGIONS, 9)
        more = [*few, random.choice([place for place in REGIONS if place not in few])]

        assert chain_falls(BOARD, few, 4) <= chain_falls(BOARD, more, 4)
        assert chain_falls(BOARD, few, 3) <= chain_falls(BOARD, few, 4)


def test_the_fewest_falls_are_those_of_the_worst_two_revolts() -> None:
    least = fewest_falls(BOARD, 2)

    assert least > 0
    assert all(
        least <= chain_falls(BOARD, pair)
        for pair in (("tingitana", "belgica"), ("achaia", "aquitania"), ("noricum", "galatia"))
    )


@pytest.mark.parametrize("level", ["3101", "5322", "4212"])
def test_no_real_turn_removes_an_army_of_the_set_up_more_often(level: str) -> None:
    ruleset = Ruleset.from_level(level)
    kernel = fast.kernel_for(BOARD, ruleset)
    for seed in range(6):
        state = kernel.setup(ruleset.revolts, ruleset.fleets, ruleset.armies, Rng(seed))
        for border in BOARD.unmask(state.armies):
            ((top, bottom),) = Turn(kernel, state).solve([("goal", 0, 0, 0, 0, BOARD.mask([border]))]).values

            assert Fraction(top, bottom) <= most_kills(BOARD, 0, border) < 1


def test_no_real_second_turn_does_either(kernel: Kernel) -> None:
    random = Random(8)
    for _ in range(12):
        border, revolts = random.choice(BOARD.borders), random.sample(REGIONS, 8)
        first = random.choice([place for place in ROMAN if place not in BOARD.neighbours(border)])
        state = State(
            revolts=BOARD.mask(revolts),
            armies=BOARD.mask([border]),
            emperors=(BOARD.order[first], OFF, OFF, OFF),
            fleets=random.randint(1, 7),
            to_move=1,
        )
        ((top, bottom),) = Turn(kernel, state).solve([("goal", 0, 0, 0, 0, BOARD.mask([border]))]).values

        assert Fraction(top, bottom) <= most_kills(BOARD, 1, border) < 1


def test_a_helper_beside_the_army_can_make_victory_certain() -> None:
    """So the border near which Diocletian stands has to be left out."""
    assert max(most_kills(BOARD, 1, "sarmatia", BOARD.order[near]) for near in BOARD.neighbours("sarmatia")) == 1


def test_nobody_is_near_two_borders() -> None:
    for place in BOARD.ids:
        near = [border for border in BOARD.borders if border == place or border in BOARD.neighbours(place)]
        assert len(near) <= 1


@pytest.mark.parametrize("level", ["3100", "5322"])
def test_a_first_turn_leaves_at_least_four_revolts_of_the_set_up(level: str) -> None:
    ruleset = Ruleset.from_level(level)
    kernel = fast.kernel_for(BOARD, ruleset)
    for seed in range(3):
        state = kernel.setup(ruleset.revolts, ruleset.fleets, ruleset.armies, Rng(seed))
        placed = state.revolts.bit_count()
        left = min((state.revolts & end.revolts).bit_count() for end in kernel.end_states(state, by_position=True))

        assert placed - MOST_REMOVED <= left < placed


def test_every_level_is_lost_now_and_then() -> None:
    bounds = {ruleset.level: proved_bound(ruleset) for ruleset in all_levels()}

    assert all(bound.certainty == "proved" and bound.excludes(1) for bound in bounds.values())
    assert 0 < least_loss(BOARD, armies=False) < least_loss(BOARD, armies=True)
