"""Both engines have the same numbers of the rulebook, each its own: a wrong one is seen by name, not only by what it leads to."""

import pytest

from tetrasolve.tetrarchia import kernel, numbers, whole

# What the reference rules alone know: what a level may choose, the fixed set-up of a scenario, points at the end of a game
NOT_IN_THE_KERNELS = {
    "GARRISONS_A_LEVEL",
    "FLEETS_A_LEVEL",
    "REVOLTS_A_LEVEL",
    "ARMIES_A_LEVEL",
    "FIXED_PROVINCE",
    "AHEAD_OF_ALL",
}
REFERENCE = {name: value for name, value in vars(numbers).items() if name.isupper()}


@pytest.mark.parametrize("engine", [kernel, whole], ids=["kernel", "whole"])
def test_the_numbers_are_those_of_the_reference(engine):
    assert {name: REFERENCE.get(name) for name in engine.NUMBERS} == engine.NUMBERS


def test_the_whole_kernel_knows_all_but_what_it_does_not_play():
    assert set(REFERENCE) - set(whole.NUMBERS) == NOT_IN_THE_KERNELS


def test_the_whole_kernel_has_the_numbers_of_the_base_game():
    assert {name: whole.NUMBERS[name] for name in kernel.NUMBERS} == kernel.NUMBERS
