"""Both engines under random house rules: whatever one says, the other has to say."""

from collections import Counter
from dataclasses import fields
from random import Random

import pytest
from bothengines import compare_turn
from houserules import house_positions

from tetrasolve.tetrarchia import fast, kernel, rules, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.house import HOUSE_NUMBERS, STANDARD
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, Figures
from tetrasolve.tetrarchia.ruleset import Ruleset

SHARES = {
    "roman": (400, 4_000),
    "barbarian": (60, 500),
}  # positions of a chunk that always runs, and of one that takes its time
MOST_VISITS = 300  # ways through a phase that the reference rules follow
EACH_CHANCE, EACH_FIGURE = 1e-12, 1e-11  # a sum of so many positive terms may be off by that many roundings, too
FEWEST = 5  # positions under each house rule in a long chunk

chunks = pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.slow)])


def test_the_kernel_has_the_limits_of_the_data_file():
    in_both = {name: number for name, number in HOUSE_NUMBERS.items() if not number.reference}

    assert {name: (n.default, n.least, n.most) for name, n in in_both.items()} == whole.HOUSE_NUMBERS


def compare_roman(position, met):
    """Hold the engines against each other on one position, and count the house rules; the successors."""
    met.update(name for name, _ in position.ruleset.house)
    return [after for _, after in compare_turn(position) if isinstance(after, Position)]


@chunks
def test_both_engines_say_the_same_of_the_roman_phase(is_long):
    """Legal actions, costs, odds, stopping and every successor, a few steps on from each position."""
    random, met, compared = Random(f"house, roman phase {is_long}"), Counter(), 0
    for start in house_positions(random, Phase.ROMAN):
        position = start
        for _ in range(3):
            if position is None or position.is_won or position.phase is Phase.BARBARIAN:
                break
            compared += 1
            successors = compare_roman(position, met)
            position = random.choice(successors) if successors else None
        if compared >= SHARES["roman"][is_long]:
            break
    assert all(met[name] >= FEWEST for name in whole.HOUSE_NUMBERS), met


def compare_barbarian(position):
    """The distribution of a phase, the figures of doubles and fractions."""
    engine, state = fast.kernel_of(position), fast.to_state(position)
    solved, listed = rules.solve(position, rules.decline), engine.outcomes(state, whole.DECLINE)
    chances = {after: chance for after, chance in listed if after.result != whole.FALLEN}
    lost = sum(chance for after, chance in listed if after.result == whole.FALLEN)
    expected = {fast.state_of(after): chance for after, chance in solved.ends.items() if isinstance(after, Position)}
    assert chances.keys() == expected.keys(), position
    assert all(abs(chances[after] - chance) <= EACH_CHANCE for after, chance in expected.items()), position
    falls = sum(chance for after, chance in solved.ends.items() if isinstance(after, Fall))
    assert abs(lost - falls) <= EACH_CHANCE, position
    exact, doubles, fractions = (
        solved.figures(),
        engine.phase(state, whole.DECLINE),
        engine.phase_exact(state, whole.DECLINE),
    )
    assert all(abs(getattr(exact, f.name) - doubles[f.name]) <= EACH_FIGURE for f in fields(Figures)), position
    assert fractions.pop("outcomes") == exact.outcomes
    assert {name: getattr(exact, name).as_integer_ratio() for name in fractions} == fractions, position
    return bool(falls)


@chunks
def test_both_engines_say_the_same_of_the_barbarian_phase(is_long):
    """Reserves that are small, and battles with bonuses: falls are among them."""
    random, compared, falls = Random(f"house, barbarian phase {is_long}"), 0, 0
    for position in house_positions(random, Phase.BARBARIAN):
        if fast.kernel_of(position).phase(fast.to_state(position))["visits"] > MOST_VISITS:
            continue
        falls += compare_barbarian(position)
        compared += 1
        if compared == SHARES["barbarian"][is_long]:
            break
    assert falls


def test_the_kernel_rolls_the_set_ups_of_the_reference():
    """The same number of revolts in each region, whatever the house rule; the rest is drawn alike."""
    for first in range(4):
        ruleset = Ruleset.from_text(f"4222?first-revolts={first}")
        engine, rng = fast.kernel_for(Board.standard(), ruleset), fast.engine_for(ruleset).Rng(1)
        for seed in range(20):
            found = fast.to_position(engine.setup(2, 2, 2, rng), Board.standard(), ruleset)
            for position in (found, rules.random_set_up(ruleset, seed)):
                regions = Counter(position.board[place].region for place in position.revolts)
                assert position.status() == ()
                assert len(position.revolts) == 6 * first + 2
                assert all(regions[region] >= first for region in range(1, 7))


def test_games_of_the_rulebook_are_the_same_in_the_kernel_that_plays_house_rules():
    """So that games with and without house rules can be compared: same set-ups, same dice, same evaluation."""
    ruleset = Ruleset.from_level("4222")
    plain, other = new_player(Board.standard(), ruleset), new_player(Board.standard(), ruleset, rebels=True)
    played = [player.games(12, 2, 2, 2, 7, policy="greedy") for player in (plain, other)]

    assert isinstance(plain, kernel.Player) and isinstance(other, whole.Player)
    assert played[0] == played[1]


@pytest.mark.parametrize(
    ("house", "error"),
    [
        ({"ip": 1}, r"house\['ip'\]: expected an integer from 2 to 9, got 1"),
        ({"revolts": 22}, r"house\['revolts'\]: expected an integer from 6 to 21, got 22"),
        ({"attack": -1}, r"house\['attack'\]: expected an integer from 0 to 9, got -1"),
        ({"blocked": 2}, "house: 'blocked' is no number of the rulebook that can be changed"),
    ],
)
def test_the_kernel_refuses_what_it_cannot_play(house, error):
    tables = {**fast._tables(Board.standard(), Ruleset()), "house": house}

    with pytest.raises(whole.KernelError, match=error):
        whole.Tables(**tables)


@pytest.mark.parametrize(
    ("house", "fields", "error"),
    [
        ({"armies": 1}, {"armies": 0b11}, "armies: expected at most 1, got 2"),
        ({"revolts": 6}, {"revolts": 0b1111111}, "revolts: expected at most 6, got 7"),
        ({"unrest": 6}, {"unrest": 0b1111111}, "unrest: expected at most 6"),
        ({"ip": 5}, {"ip": 6}, "ip: expected at most 5, got 6"),
        ({}, {"ip": 7}, "ip: expected at most 6, got 7"),
    ],
)
def test_the_kernel_refuses_states_with_more_than_there_is(house, fields, error):
    engine = whole.Kernel(whole.Tables(**fast._tables(Board.standard(), Ruleset()), house=house))

    with pytest.raises(whole.KernelError, match=error):
        engine.legal(whole.State(**fields))


def test_the_defaults_are_those_of_the_rulebook():
    named = {name: value for name, value in STANDARD.items() if not HOUSE_NUMBERS[name].reference}
    tables = fast._tables(Board.standard(), Ruleset())
    plain, other = (whole.Kernel(whole.Tables(**tables, house=house)) for house in ({}, named))
    acting = whole.State(revolts=0b1011 << 3, emperors=(20, 63, 63, 63))
    waiting = whole.State(revolts=0b1011 << 3, phase=1, ip=0)

    assert plain.legal(acting) == other.legal(acting)
    assert plain.phase(waiting) == other.phase(waiting)
