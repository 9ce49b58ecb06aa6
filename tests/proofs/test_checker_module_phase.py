"""The checker's Barbarian phase with modules, variants and rebels meets the reference rules, outcome by outcome.

Its readings are those that it knows; all of them occur in the positions, half of which have readings at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import checker  # puts the modules of the checker within reach
import pytest
from board import read_board
from claim import write_table
from modulephase import More, phase_of, scene_of
from moduleposition import READINGS as OF_MODULES
from moduleposition import read
from moduleturns import EACH, TOGETHER, positions
from phasesteps import Fallen, Scene
from rules import LATER, READINGS
from shown import Shown
from wholephase import WholePhase

from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.certificate import UNKNOWN_READINGS
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = read_board(checker.BOARDS[0])
FALLS = {"roma": Fall.ARMY_IN_ROMA, "revolts": Fall.NO_REVOLT_LEFT, "unrest": Fall.NO_UNREST_LEFT}
USUAL = Ruleset.from_text("4211").readings


def ended(extensions: str, most_visits: int) -> Iterator[Position]:
    """Positions with these modules in which the turn may end and a small phase follows."""
    for position in positions(extensions, 10**6):
        readings = [pair for pair in position.ruleset.interpretations if pair[0] not in UNKNOWN_READINGS]
        known = position.replace(ruleset=replace(position.ruleset, interpretations=tuple(readings)))
        if known.is_won or not rules.may_end(known) or not known.rules_in_use:
            continue
        if fast.kernel_of(known).phase(fast.to_state(known))["visits"] <= most_visits:
            yield known


def written(end: object) -> object:
    """An end as both sides can have it: what lies and stands on the board, or the reason of a fall."""
    match end:
        case Scene(table=table, places=places, more=More() as more):
            return write_table(table, BOARD).split(" ")[1:], places, more.vicarius, more.goths, sorted(more.rebels)
        case Fallen(why=why):
            return FALLS[why]
        case Position():
            dux, vicarius = end.place_of("dux"), end.place_of("vicarius")
            return str(end).split(" ")[4:8], (*end.emperors.values(), dux), vicarius, end.goths, sorted(end.rebels)
    return end


def tallied(ends: Iterator[tuple[object, Fraction]]) -> Counter[str]:
    """The chance of each end; glory and the Pirates are not compared, since nothing in a phase depends on them."""
    found: Counter[str] = Counter()
    for end, chance in ends:
        found[str(written(end))] += chance  # type: ignore[assignment]  # chances are fractions
    return found


@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
@pytest.mark.parametrize(("count", "most"), [(2, 120), pytest.param(60, 1_500, marks=pytest.mark.slow)])
def test_outcome_by_outcome(extensions: str, count: int, most: int) -> None:
    for position in islice(ended(extensions, most), count):
        begun = read(str(position), BOARD, of_base_game=True)
        phase = phase_of(begun.rules, begun.start)
        solved = phase.solve(phase.begin(scene_of(phase, begun.start)))
        theirs = rules.solve(position)
        assert tallied(iter(solved.ends.items())) == tallied(iter(theirs.ends.items())), position


@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
@pytest.mark.parametrize(("count", "most"), [(2, 120), pytest.param(30, 1_500, marks=pytest.mark.slow)])
def test_results_as_certificates_write_them(extensions: str, count: int, most: int) -> None:
    """Positions after a phase in one line are those of the reference rules."""
    for position in islice(ended(extensions, most), count):
        begun = read(str(position), BOARD, of_base_game=True)
        shown = Shown(str(position), begun, begun.rules.readings)
        found = {shown.result(end) for end in WholePhase(begun.rules, begun.start).ends(begun.start)}
        assert found == {"fallen" if isinstance(end, Fall) else str(end) for end in rules.solve(position).ends}, (
            position
        )


def whole(end: object) -> str:
    """The same with fleets, the Pirates, glory and gray discs."""
    match end:
        case Scene(table=table, more=More() as more):
            beside = sorted(table.fleets), more.pirates, more.glory, more.gray
        case Position():
            zone = end.pieces.pirates.zone if end.pieces.pirates else None
            glory = tuple(end.glory.get(name, 0) for name in BOARD.emperors)
            beside = sorted(end.fleets), zone, glory, end.gray
        case _:
            return "fallen"
    return f"{written(end)} {beside}"


@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
@pytest.mark.parametrize(("count", "most"), [(2, 120), pytest.param(60, 1_500, marks=pytest.mark.slow)])
def test_all_that_a_phase_leaves_behind(extensions: str, count: int, most: int) -> None:
    for position in islice(ended(extensions, most), count):
        begun = read(str(position), BOARD, of_base_game=True)
        found: Counter[str] = Counter()
        for end, chance in WholePhase(begun.rules, begun.start).ends(begun.start).items():
            found[whole(end)] += chance  # type: ignore[assignment]  # chances are fractions
        expected: Counter[str] = Counter()
        for end, chance in rules.solve(position).ends.items():
            expected[whole(end)] += chance  # type: ignore[assignment]
        assert found == expected, position


def test_readings_that_the_checker_does_not_know_are_named() -> None:
    known = {*READINGS, *LATER, *(name for readings in OF_MODULES.values() for name in readings)}
    assert set(USUAL) - known == UNKNOWN_READINGS
