"""The readings that nothing in a turn asks for: found in the calls of the kernels, and tried in turns of the other two engines."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from checker import BOARDS
from kernelcalls import SOURCES, Calls, calls_of

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.bestplans import never_asked, stored_plans
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.readings import without_effect
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

BOARD = Board.standard()
TURN = ("Turn.__cinit__", "Turn.solve")  # makes the graph of a turn, and solves it for objectives
KERNELS = ("whole.pyx", "kernel.pyx")
TURNS = [Position.parse(row.position, BOARD) for row in stored_plans().values() if row.position is not None]

pytestmark = pytest.mark.skipif(not SOURCES.exists(), reason="the sources of the kernels are absent")


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_function_that_solves_a_turn_asks_for_them(kernel: str) -> None:
    """What a function may call is taken too widely, so that what is not found is never called."""
    assert calls_of(kernel).asked_from(TURN).isdisjoint(never_asked())


def test_all_others_that_the_kernels_play_are_asked_for() -> None:
    """The list is as long as it can be: but for readings without effect on this board."""
    played = {name for name, reading in READINGS.items() if len(reading.played) > 1}
    asked = calls_of("whole.pyx").asked_from(TURN)

    same = without_effect(BOARD).keys() - {name for name, reading in READINGS.items() if reading.reference}
    assert played - asked - same == never_asked().keys()


def test_only_the_set_up_asks_for_those_of_the_set_up() -> None:
    """A phase does not: neither its exact distribution, nor its figures."""
    of_set_up = {name for name, part in never_asked().items() if part == "set-up"}
    calls = calls_of("whole.pyx")
    phases = [name for name in calls.calls if name.startswith(("Kernel.phase", "Kernel.outcomes", "Kernel.figures"))]

    assert of_set_up == {"I-SETUP-REROLL", "I-SETUP-CAPITAL"} and phases
    assert calls.asked_from(["set_up"]) >= of_set_up
    assert calls.asked_from([*phases, *TURN]).isdisjoint(of_set_up)
    of_phase = {name for name, part in never_asked().items() if part == "phase"}
    assert calls.asked_from(phases) >= of_phase - {"I-CANCEL-WHEN"}  # of that only rolled phases, and best play, ask


@pytest.mark.parametrize(
    ("caller", "change", "reading"),
    [
        ("legal_moves", "    return B.reading[I_FRESH]\n", "I-FRESH"),  # asked for where actions are made
        (
            "Solution.solve_places",
            "        self.compare_all(&arrive)\n",
            "I-GOTHS-BORDER",
        ),  # through the address of a function
        ("Turn.solve", "        x = B.turn[0]\n", "I-ORDER-DISTANCE"),  # through a table
        ("Solution.run", "        other.phase()\n", "I-CHECK-ORDER"),  # through a method of any class
    ],
)
def test_a_call_that_is_put_in_is_found(caller: str, change: str, reading: str) -> None:
    calls = Calls("whole.pyx")
    assert reading not in calls.asked_from(TURN)
    calls._take(caller, change)
    if "phase" in change:
        calls.methods["phase"].add("check_number")

    assert reading in calls.asked_from(TURN)


class Guarded(dict[str, str]):
    """Readings of which some must not be asked for."""

    def __getitem__(self, name: str) -> str:
        assert name not in never_asked(), f"{name} is asked for in a turn"
        return super().__getitem__(name)


def turns(count: int) -> Iterator[Position]:
    """Positions of turns with and without modules, on the way of random play from the positions of findings."""
    random = Random("never asked")
    for _ in range(count):
        yield random.choice(TURNS)


def test_the_reference_rules_do_not_ask_for_them_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proof, since their functions are chosen at run time: a second way, on turns that are played at random."""
    whole = Ruleset.__dict__["readings"].func
    monkeypatch.setattr(Ruleset, "readings", property(lambda self: Guarded(whole(self))))
    random, played = Random("turns"), 0
    for position in turns(120):
        now: Any = position
        while not isinstance(now, rules.Fall) and (actions := rules.legal_actions(now)) and random.random() < 0.9:
            now, played = rules.play(now, random.choice(actions)), played + 1
            if isinstance(now, Position):
                rules.may_end(now)
    assert played > 100


def test_the_checker_does_not_ask_for_them_in_turns() -> None:
    """Nor its own rules, written from neither engine."""
    read, deeds = (importlib.import_module(name) for name in ("moduleposition", "moduleturn"))
    board = importlib.import_module("board").read_board(BOARDS[0])
    random, seen = Random("deeds"), 0
    for position in turns(60):
        if not position.ruleset.interpretations:
            begun = read.read(str(position), board, True)
            rules_, now = begun.rules._replace(readings=Guarded(begun.rules.readings)), begun.start
            while (made := list(deeds.deeds(rules_, now))) and random.random() < 0.9:
                seen += len(made)
                now = random.choice(random.choice(made).results).after
    assert seen > 500
