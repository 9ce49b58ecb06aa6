"""The number of outcomes of a Barbarian phase, where they are only counted, against the list of them."""

from random import Random

import pytest
from scatter import RECIPES, any_readings, scattered

from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import all_levels

BOARD = Board.standard()
LEVELS = tuple(all_levels())
# Of thousands of outcomes: rows grow, and words wait more than once. An Emperor is in the way of an army in the last two
LARGE = (
    "3301 M:b per/car/thr/rha 123 - bel.aqu.gat.bit gla.rha.psu.thr.ach.cyr tar.tri.bri/rom.srm.lib/lus.gin.lug/tin.gae.gma",
    "3220 D:b cyr/rha/asi/rom 23 gma psu.nor.pin.cap.num.cae gla.tar.nar.msu.aeg cil.srm.lib/rom.bae.dal/car.bel.bri/tin.lug.gae",
    "3112 D:b cis/gat/mac/lib 1 nar.per nar.dal.msu.cil.gat.tri.num.afr aqu.rha car.epi.gae/dac.asi.srm/thr/luc.sic.bri",
)


def counted(position: Position) -> tuple[int, int]:
    """Both numbers."""
    engine, state = fast.kernel_of(position), fast.to_state(position)
    return int(engine.phase(state)["outcomes"]), len(engine.outcomes(state))


@pytest.mark.parametrize("recipe", sorted(RECIPES))
def test_as_many_are_counted_as_listed(recipe: str) -> None:
    random = Random(f"counted {recipe}")
    for _ in range(40):
        position = scattered(recipe, any_readings(random.choice(LEVELS), random), random, BOARD, Phase.BARBARIAN)
        if position.is_won or fast.kernel_of(position).phase(fast.to_state(position))["visits"] > 30_000:
            continue
        number, listed = counted(position)
        assert number == listed, position


@pytest.mark.parametrize("line", LARGE)
def test_as_many_are_counted_as_listed_where_there_are_thousands(line: str) -> None:
    number, listed = counted(Position.parse(line))
    assert number == listed > 10_000


def test_a_stopped_count_leaves_nothing_behind() -> None:
    position = Position.parse(LARGE[0])
    engine, state = fast.kernel_of(position), fast.to_state(position)
    expected = engine.phase(state)
    partial = []
    for seconds in (0.0, 0.0005, 0.002):
        try:
            engine.phase(state, stop=Stop(seconds))
        except Stopped as stopped:
            partial.append(stopped.partial)
        assert engine.phase(state) == expected
    assert partial
    assert all(0 <= found["mass"] <= 1 + 1e-9 and found["outcomes"] <= expected["outcomes"] for found in partial)
