"""The kernel's row of features is that of the reference, which is made from the rules' own words."""

from random import Random

import pytest
from advisers import BOARD, plainly, player, weights
from scatter import RECIPES, any_readings, scattered

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.hint.features import FEATURES, NAMES, features_of, projected
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = tuple(all_levels())


def test_names_are_as_many_as_the_kernel_writes() -> None:
    assert FEATURES == len(NAMES) == len(set(NAMES)) == kernel.FEATURES_OF_A_POSITION


@pytest.mark.parametrize("recipe", sorted(RECIPES))
@pytest.mark.parametrize("phase", Phase)
def test_both_write_the_same_row(recipe: str, phase: Phase) -> None:
    """On positions that are hard, under any readings of the rules."""
    random = Random(f"{recipe} {phase}")
    for _ in range(12):
        position = scattered(recipe, any_readings(random.choice(LEVELS), random), random, BOARD, phase)
        if position.is_won or position.is_shared:  # no turn ends where two share a province
            continue
        engine = fast.kernel_for(BOARD, position.ruleset)
        row = kernel.Player(engine, weights().networks()).features(fast.to_state(position))

        stated = {name: value for name, value in zip(NAMES, features_of(position), strict=True) if value}
        assert {name: value for name, value in zip(NAMES, row, strict=True) if value} == pytest.approx(stated), position


def test_the_value_is_that_of_the_network_in_plain_python() -> None:
    random = Random(3)
    for phase in (Phase.ROMAN, Phase.BARBARIAN) * 10:
        position = scattered(min(RECIPES), LEVELS[40], random, BOARD, phase)
        if position.is_won:
            continue
        state = fast.to_state(position)

        assert player(str(LEVELS[40].level)).value(state) == pytest.approx(plainly(position), abs=1e-5)


def test_many_rows_at_once_are_the_same_rows() -> None:
    adviser = player("4211")
    engine = fast.kernel_for(BOARD, LEVELS[0])
    states = [engine.setup(1, 2, 1, kernel.Rng(seed)) for seed in range(5)]
    rows = memoryview(adviser.features_of_many(b"".join(map(bytes, states)))).cast("f").tolist()

    assert rows == [number for state in states for number in adviser.features(state)]
    with pytest.raises(kernel.KernelError, match="a multiple of 64"):
        adviser.features_of_many(b"short")


def test_nothing_but_the_sure_comes_in_a_projected_phase() -> None:
    """Each projected position is one that the phase can really lead to, but for the activity, which hits something."""
    random = Random(5)
    seen = 0
    for _ in range(30):
        position = scattered(min(RECIPES), LEVELS[0], random, BOARD, Phase.BARBARIAN)
        after, falls = projected(position)
        if falls or position.is_won:
            continue
        seen += 1
        assert position.revolts <= after.revolts | {*position.armies, *after.armies}
        assert len(after.armies) == len(position.armies)
        for army in after.armies:
            assert army in position.armies or any(BOARD[old].arrow == army for old in position.armies)
    assert seen > 5
