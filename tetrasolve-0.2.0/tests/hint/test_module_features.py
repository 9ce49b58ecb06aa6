"""Features of positions with modules, variants and rebels: both engines write the same row, and the base game's part is its own."""

from random import Random

import pytest
from advisers import BOARD, weights
from scatter import RECIPES, scattered
from scattermodules import any_extensions, with_figures

from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.hint.features import FEATURES, NAMES, features_of, projected
from tetrasolve.tetrarchia.hint.modulefeatures import MODULE_NAMES, PLAYED, TABLE, module_features_of
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.weights import shipped
from tetrasolve.tetrarchia.pieces import Helper
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

LEVELS = tuple(all_levels())
ALL_NAMES = NAMES + MODULE_NAMES


def row_of(position: Position) -> list[float]:
    """The row of the kernel that plays all modules."""
    engine = fast.kernel_for(BOARD, position.ruleset, rebels=True)
    player = whole.Player(engine, weights().networks(modules=True))
    return player.features(fast.state_of(position, rebels=True))


def named(row: list[float]) -> dict[str, float]:
    return {name: value for name, value in zip(ALL_NAMES, row, strict=True) if value}


def test_names_are_as_many_as_the_kernel_writes() -> None:
    assert len(ALL_NAMES) == len({*ALL_NAMES}) == whole.FEATURES_OF_A_POSITION
    assert FEATURES == kernel.FEATURES_OF_A_POSITION
    assert {*PLAYED} == {*fast.EXTENSIONS}


@pytest.mark.parametrize("recipe", sorted(RECIPES))
@pytest.mark.parametrize("phase", Phase)
def test_both_write_the_same_row(recipe: str, phase: Phase) -> None:
    """On positions with any set of modules, under any readings; at the start and the end of a turn nobody shares a province."""
    random = Random(f"modules {recipe} {phase}")
    for _ in range(12):
        ruleset = any_extensions(random.choice(LEVELS), random)
        position = with_figures(recipe, ruleset, random, BOARD, phase)
        if position.is_shared:
            continue

        stated = features_of(position) + module_features_of(position)
        assert named(row_of(position)) == pytest.approx(named(stated)), position


def test_every_feature_of_modules_is_seen_within_its_range() -> None:
    """But for those of single provinces each takes several values."""
    random = Random(11)
    values: dict[str, set[float]] = {feature.name: set() for feature in TABLE}
    for number in range(500):
        ruleset = any_extensions(LEVELS[40], random, plain=1)
        phase = random.choice(list(Phase))
        position = with_figures(sorted(RECIPES)[number % len(RECIPES)], ruleset, random, BOARD, phase)
        for name, value in zip(MODULE_NAMES, row_of(position)[len(NAMES) :], strict=True):
            values[name].add(value)
    for feature in TABLE:
        assert 0 <= min(values[feature.name]) <= max(values[feature.name]) <= feature.most + 1e-6, feature
        if not any(feature.name == f"{figure} {place}" for figure in ("dux", "vicarius") for place in BOARD.ids):
            assert len(values[feature.name]) > 1, feature


def test_a_position_of_the_base_game_has_the_same_features_and_value_with_all_modules_at_hand() -> None:
    random = Random(8)
    for phase in (Phase.ROMAN, Phase.BARBARIAN) * 20:
        position = scattered(random.choice(sorted(RECIPES)), random.choice(LEVELS), random, BOARD, phase)
        if position.is_won:
            continue
        row = row_of(position)
        base = new_player(BOARD, position.ruleset)
        assert row[:FEATURES] == base.features(fast.to_state(position))
        assert not any(row[FEATURES:])
        more = new_player(BOARD, position.ruleset, rebels=True)
        assert more.value(fast.state_of(position, rebels=True)) == base.value(fast.to_state(position))


def test_weights_without_modules_are_the_first_rows_of_those_with_them() -> None:
    chosen = shipped()
    assert not chosen.know_modules
    more = chosen.fitted(modules=True)
    assert more.know_modules and more.features == whole.FEATURES_OF_A_POSITION
    assert more.fitted(modules=False) == chosen
    assert chosen.fitted(modules=False) is chosen


def test_a_projected_phase_moves_no_rebels_and_takes_the_figures_along() -> None:
    random = Random(2)
    seen = set()
    for _ in range(150):
        ruleset = Ruleset(4, 2, 1, 1, frozenset({"dux", "vicarius", "goths"}), frozenset())
        position = with_figures(random.choice(sorted(RECIPES)), ruleset, random, BOARD, Phase.BARBARIAN)
        ways = [BOARD[army].arrow for army in position.armies if army not in position.rebels]
        free = [place for place in ways if place is not None and position.is_empty(place)]
        if free:
            position = position.with_piece("vicarius", Helper(free[0]))
        after, falls = projected(position)
        if falls:
            continue
        assert position.rebels == after.rebels
        if position.goths is not None:
            assert after.goths in after.armies
            seen.add("the Goths go on" if after.goths != position.goths else "the Goths stay")
        for figure in ("dux", "vicarius"):
            before, now = position.place_of(figure), after.place_of(figure)
            assert now in (before, None)
            if before is not None and now is None:
                assert before in after.revolts
                seen.add(f"the {figure} dies")
    assert seen == {"the Goths go on", "the Goths stay", "the dux dies", "the vicarius dies"}
