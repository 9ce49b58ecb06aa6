"""An evaluation by the first unit alone is worked out in another way: it is that of the whole layer, for positions and for ends."""

from array import array
from random import Random

import pytest
from advisers import BOARD, WIDTH, in_play, plainly, weights, without_units
from scatter import RECIPES, any_readings, scattered

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.hint.features import FEATURES
from tetrasolve.tetrarchia.hint.weights import Weights, shipped
from tetrasolve.tetrarchia.kernel import Networks, Player, State
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

LEVELS = tuple(all_levels())
LINEAR = without_units(weights(), *range(1, WIDTH))


def with_an_idle_unit(chosen: Weights) -> Weights:
    """The same evaluation with one more unit, the last, that has a weight but never finds anything."""
    columns = chosen.width
    parts = [array("f", part) for part in (chosen.start, chosen.end)]
    for part in parts:
        assert not part[(FEATURES + 2) * columns - 1]  # nothing is lost
        part[columns - 1 : (FEATURES + 1) * columns : columns] = array("f", [0.0] * (FEATURES + 1))
        part[(FEATURES + 2) * columns - 1] = 1.0
    return Weights(columns, parts[0].tobytes(), parts[1].tobytes(), {})


@pytest.mark.parametrize("recipe", sorted(RECIPES))
@pytest.mark.parametrize("phase", Phase)
def test_a_position_has_the_value_of_the_plain_network(recipe: str, phase: Phase) -> None:
    """On positions that are hard, under any readings of the rules; by one player, which keeps what holds for many."""
    random = Random(f"{recipe} {phase}")
    networks = LINEAR.networks()
    for _ in range(4):
        ruleset = any_readings(random.choice(LEVELS), random)
        adviser = Player(fast.kernel_for(BOARD, ruleset), networks)
        for _ in range(3):
            position = scattered(recipe, ruleset, random, BOARD, phase)
            if not position.is_won:
                assert adviser.value(fast.to_state(position)) == pytest.approx(plainly(position, LINEAR), abs=1e-5)


def ends_with_values(adviser: Player, engine: kernel.Kernel, start: State) -> list[tuple[State, float]]:
    """The ends without a battle as `think` finds and values them."""
    found = []
    for value, _, _, (codes, fork) in adviser.think(start, policy="greedy", top=4096):
        if fork is None:
            end = start
            for code in codes:
                end = engine.play(end, code)
            found.append((engine.play(end, kernel.END) if end.result == kernel.OPEN else end, value))
    return found


@pytest.mark.parametrize("level", ["3122", "4222", "5212"])
def test_an_end_has_the_value_that_it_has_alone(level: str) -> None:
    """Ends share what they have in common with others of their turn."""
    engine = fast.kernel_for(BOARD, Ruleset.from_level(level))
    adviser, alone = (Player(engine, LINEAR.networks()) for _ in range(2))
    seen = near = 0
    for seed in range(4):
        for end, value in ends_with_values(adviser, engine, in_play(level, seed, 2 + 2 * seed)):
            assert value == pytest.approx(alone.value(end), abs=1e-12)
            seen += 1
            near += end.armies != 0
    assert seen > 1000 and near > 100


@pytest.mark.parametrize("chosen", [LINEAR, shipped()], ids=["chance", "shipped"])
@pytest.mark.parametrize("policy", ["greedy", "expectimax", "search"])
def test_choices_are_those_of_the_whole_layer(chosen: Weights, policy: str) -> None:
    for seed, level in enumerate(("3122", "4222", "5212", "3110")):
        engine = fast.kernel_for(BOARD, Ruleset.from_level(level))
        start = in_play(level, seed, 1 + 2 * seed)
        one, two = (
            Player(engine, networks.networks()).think(
                start, seed, top=5, policy=policy, ends=12, samples=9, rounds=2, deep_ends=2, deep_samples=3
            )
            for networks in (chosen, with_an_idle_unit(chosen))
        )
        assert [plan for *_, plan in one] == [plan for *_, plan in two]
        assert [value for value, *_ in one] == pytest.approx([value for value, *_ in two], abs=1e-5)


def test_units_without_weight_count_for_nothing() -> None:
    """Wherever they lie, even where what they find is no number; and `width` still counts them."""
    part = array("f", weights().start)
    part[5 : FEATURES * WIDTH : WIDTH] = array("f", [float("nan")] * FEATURES)
    broken = Weights(WIDTH, part.tobytes(), weights().end, {})
    chosen = without_units(broken, 2, 5, 7)
    state = in_play("4222", 3)
    position = fast.to_position(state, BOARD, Ruleset.from_level("4222"))
    value = Player(fast.kernel_for(BOARD, position.ruleset), chosen.networks()).value(state)

    assert value == pytest.approx(plainly(position, without_units(weights(), 2, 5, 7)), abs=1e-5)
    assert Networks(WIDTH, chosen.start, chosen.end).width == WIDTH
