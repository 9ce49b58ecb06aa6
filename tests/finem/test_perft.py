"""Counts of sequences of options: by both engines, by the map alone, and by hand."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import cast

import pytest
from tablefinem import ALL_RULESETS, random_game, table

from tetrasolve.errors import ArgumentError, IllegalPositionError, OutOfTimeError
from tetrasolve.finem import rules
from tetrasolve.finem.examples import examples
from tetrasolve.finem.game import new_game
from tetrasolve.finem.numbers import game_data
from tetrasolve.finem.perft import LONGEST, Perft, perft
from tetrasolve.finem.position import Phase, Position, State
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop


def walks(region: str, actions: int) -> int:
    """Ways from a region through the printed map, which can end before: only the text of the data file is read."""
    rows = [row.split() for row in game_data()["map"]["rows"]]
    touching = {pair for line in (*rows, *map(list, zip(*rows, strict=True))) for pair in pairwise(line)}
    near = {one if other == region else other for one, other in touching if region in (one, other)} - {"."}
    return 1 + sum(walks(other, actions - 1) for other in near) if actions else 1


@pytest.mark.parametrize("start", ["C7", "E5", "BR"])
def test_on_an_empty_map_sequences_are_walks(start: str) -> None:
    position = table("prefect", at=start, dice="2221/-")
    counts = [perft(position, depth).count for depth in range(6)]
    assert counts == [walks(start, depth) for depth in range(5)] + [walks(start, 4)]


def test_a_rank_of_four_regions_is_counted_by_hand() -> None:
    """A Dictator on C7 with one action: three moves and a pass; a card of rank 7 takes him to three regions, others to four."""
    position = table("dictator", dice="2221/-", step="act:1")
    assert perft(position, 3).count == 3 + 1 + 4 * (3 + 1) + 20 * (4 + 1)
    found = perft(position, 3).by_option
    assert found == {"move O7": 1, "move C6": 1, "move CS": 1, "ride": 116, "pass": 1}
    assert perft(position, 2).by_option["ride"] == 24


KNOWN = {
    "standard": (1, 4, 15, 49, 162, 162),
    "dictator": (1, 6, 47, 294, 1649, 9772),
}


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("engine", ["kernel", "reference"])
def test_known_counts(name: str, engine: str) -> None:
    position = examples()[name] if name in examples() else new_game(Ruleset(name), 3).position
    assert tuple(perft(position, depth, engine=engine).count for depth in range(6)) == KNOWN[name]


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_both_engines_count_the_same_behind_each_option(ruleset: str) -> None:
    """In a game played at random: the first turn with each role that comes; half of the positions are in the middle of a ride."""
    roles: dict[tuple[object, ...], Position] = {}
    for seed in range(6):
        for position, _, _ in random_game(ruleset, seed):
            if position.phase is Phase.ACTIONS:
                roles.setdefault((position.role, position.step), position)
    assert len(roles) >= 4
    for position in roles.values():
        one, other = perft(position, 3), perft(position, 3, engine="reference")
        assert one.by_option == other.by_option, str(position)
        assert [*one.by_option] == [*other.by_option]


def test_no_phase_is_longer_than_the_longest() -> None:
    """A free stay gives the action back, and four cards are the most; after three of them one ride and four actions are left."""
    position = table("dictator", rules="introductory?E-DICTATOR-STAY=free", dice="2221/-", more="O5.O6.O7")
    counts = [perft(position, depth).count for depth in (6, 7, 8)]
    assert counts[0] < counts[1] == counts[2]
    assert LONGEST == 3 * 3 + 7
    plain = table("dictator", dice="2221/-", step="act:1")
    assert perft(plain, 3).count == perft(plain, LONGEST).count


def test_no_option_is_one_sequence() -> None:
    found = perft(examples()["dictator"], 0)
    assert (found.count, found.by_option) == (1, {})
    assert found == Perft(examples()["dictator"], 0, "kernel", {})


def test_what_is_refused() -> None:
    position = examples()["dictator"]
    for depth in (-1, LONGEST + 1, 1.5, True, "2"):
        with pytest.raises(ArgumentError, match="a whole number from 0 to 16"):
            perft(position, depth)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="one of kernel, reference"):
        perft(position, 1, engine="checker")
    with pytest.raises(IllegalPositionError, match="expected a position in the phase of actions"):
        perft(examples()["limit"], 1)
    for engine in ("kernel", "reference"):
        with pytest.raises(IllegalPositionError):
            perft(table(dice="9111/-"), 1, engine=engine)


@pytest.mark.parametrize("engine", ["kernel", "reference"])
def test_it_ends_when_the_time_is_over(engine: str) -> None:
    cancel = Stop()
    cancel.set()
    for ended in ({"seconds": 0.0}, {"cancel": cancel}):
        with pytest.raises(OutOfTimeError, match="before there was an answer"):
            perft(examples()["dictator"], LONGEST, engine=engine, **ended)  # type: ignore[arg-type]


def test_counts_add_up_along_a_turn() -> None:
    """A sequence is its first option and the rest."""
    random = Random(5)
    state: State = examples()["dictator"]
    while isinstance(state, Position) and state.phase is Phase.ACTIONS:
        found = perft(state, 4)
        assert tuple(found.by_option) == rules.node(state).options
        option = random.choice(tuple(found.by_option))
        state = rules.take(state, option)
        is_inside = isinstance(state, Position) and state.phase is Phase.ACTIONS
        assert found.by_option[option] == (perft(cast("Position", state), 3).count if is_inside else 1)
