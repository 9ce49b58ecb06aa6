"""The checker has the Barbarian phase a third time; here it meets the reference rules, outcome by outcome and die by die."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from random import Random

import checker  # puts the modules of the checker within reach
import pytest
from barbarian import Phase
from board import read_board
from claim import write_table
from phases import phases
from phasesteps import Activity, Again, Echo, Fallen, Scene
from phasetext import read_phase
from scatter import any_readings
from text import Unreadable

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall, GivenDice, RandomDice

BOARD = read_board(checker.BOARDS[0])
FALLS = {"roma": Fall.ARMY_IN_ROMA, "revolts": Fall.NO_REVOLT_LEFT, "unrest": Fall.NO_UNREST_LEFT}
WORDS = {"link": 1, "activity": 2, "echo": 1, "province": 1, "battle": 2}


def positions(count: int, seed: int) -> Iterator[Position]:
    """Positions before a Barbarian phase, all readings in turn."""
    random = Random(f"checker {seed}")
    for position in phases(count, 3_000, seed):
        yield position.replace(ruleset=any_readings(position.ruleset, random))


def written(end: object) -> object:
    """An end of a phase as both sides can have it: a table with the places of the Emperors, or the reason of a fall."""
    match end:
        case Scene(table=table, places=places):
            return write_table(table, BOARD), places
        case Fallen(why=why):
            return FALLS[why]
        case Position():
            return " ".join(str(end).split(" ")[3:]), tuple(end.emperors.values())
    return end


def same_outcomes(position: Position) -> None:
    phase, scene = read_phase(str(position), BOARD)
    solved = phase.solve(phase.begin(scene))
    theirs = rules.solve(position)
    assert {written(end): chance for end, chance in solved.ends.items()} == {
        written(end): chance for end, chance in theirs.ends.items()
    }, position
    figures = theirs.figures()
    assert uprisings(phase, solved.visits) == figures.e_uprisings, position


def uprisings(phase: Phase, visits: object) -> Fraction:
    """How many are expected; the checker sums the dice after an echo that name a province, so they are asked here."""
    total = Fraction(0)
    assert isinstance(visits, dict)
    for step, times in visits.items():
        if isinstance(step, Activity):
            total += times * Fraction(sum(place in step.scene.table.revolts for place in phase.at.values()), 36)
        if isinstance(step, Echo):
            for region in range(1, 7):
                again = phase.echo(step.scene, region)
                if isinstance(again, Again):
                    risen = sum(phase.at[region, number] in step.scene.table.revolts for number in range(1, 7))
                    total += times * Fraction(risen, 36)
    return total


def test_outcome_by_outcome() -> None:
    for position in positions(25, seed=1):
        same_outcomes(position)


@pytest.mark.slow
def test_outcome_by_outcome_on_many_positions() -> None:
    for position in positions(300, seed=2):
        same_outcomes(position)


def thrown(phase: Phase, scene: Scene, faces: list[int]) -> object:
    """One phase with these faces, all of which it must use."""
    dice = GivenDice(faces)
    step = phase.begin(scene)
    while not isinstance(step, (Scene, Fallen)):
        word, results = phase.roll(step)
        index = 0
        for _ in range(WORDS[word]):
            index = 6 * index + dice.roll(word) - 1
        step = results[index]
    assert dice.left == 0
    return step


def test_die_by_die() -> None:
    """The same faces in the same order lead to the same end."""
    longest = 0
    for number, position in enumerate(positions(60, seed=7)):
        phase, scene = read_phase(str(position), BOARD)
        for seed in range(12):
            dice = RandomDice(f"{number} {seed}")
            end = rules.sample(position, dice)
            assert written(thrown(phase, scene, dice.rolled)) == written(end), (position, dice.rolled)
            longest = max(longest, len(dice.rolled))
    assert longest > 9  # chains, crossings and battles were among them


def test_a_board_whose_dice_name_nothing_is_not_read() -> None:
    text = str(next(islice(positions(1, seed=4), 1)))
    without = read_board(checker.BOARDS[0])
    numbers = dict(without.number)
    without.number["bithynia"] = 0
    try:
        with pytest.raises(Unreadable, match="do not fit this board"):
            read_phase(text, without)
    finally:
        without.number.update(numbers)


GOOD = "4211 M:b bit/pin/aqu/cis 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"
BAD = [
    ("M:b", "M:6", "expected the letter of an Emperor and ':b'"),
    ("M:b", "X:b", "expected the letter of an Emperor and ':b'"),
    ("4211", "4211+dux", "expected a position of the base game"),
    ("4211", "4211?I-FRESH=advance", "expected a name and the value that is not the usual one"),
    ("aqu/cis", "aqu/aqu", "two Emperors stand in one province"),
    ("aqu/cis", "aqu", "the places of four Emperors"),
    ("aqu/cis", "aqu/nar", "an Emperor stands with an army"),
    ("nar tin", "nar.psu tin", "on no revolt within the Empire"),
    ("-/-/lug/etr.dal", "gae.bri/srm/gma.lib/per", "the game is won"),
]


def test_a_position_is_read_as_it_prints() -> None:
    phase, scene = read_phase(GOOD, BOARD)

    assert str(Position.parse(GOOD, Board.standard())) == GOOD
    assert phase.readings["I-FRESH"] == "advance"
    assert scene.places == ("bithynia", "pannonia_inferior", "aquitania", "cisalpina")


@pytest.mark.parametrize(("old", "new", "why"), BAD)
def test_what_is_no_position(old: str, new: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises(Unreadable, match=why):
        read_phase(GOOD.replace(old, new, 1), BOARD)
