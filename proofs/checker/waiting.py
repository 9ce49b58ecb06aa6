"""Attacking or waiting: an attack, and what comes of waiting where the army goes, followed through all dice of the phase.

The positions stand here, or are made by a rule from the board, so that nobody can put another position in their place.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from barbarian import Phase
from board import Board
from claim import read_position
from combat import paths
from phasesteps import Clash, Scene, Solved, Step
from phasetext import read_phase
from rules import Turn

EXAMPLE = "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"  # the fight of the rulebook

Values = dict[str, str]


def stated(board: Board, text: str) -> tuple[Phase, Scene]:
    """A position before a Barbarian phase, whatever IP are left."""
    words = text.split(" ")
    return read_phase(" ".join((words[0], words[1].partition(":")[0] + ":b", *words[2:])), board)


OUTCOMES = ("victory", "draw", "defeat")


def wait(board: Board, text: str, army: str) -> Values:
    """An attack from where the active Emperor stands, and what comes of waiting where the army goes."""
    turn, start = read_position(text, board)
    assert start.place is not None  # as he stands in each of these positions
    price, target = turn.link_cost(start.table, start.place, army), board.arrow[army]
    values = {"attack.ip": str(price), "attack.from": start.place, "wait.in": target}
    for word, count in zip(OUTCOMES, turn.odds(start.place, start.table, army), strict=True):
        values[f"attack.{word}"] = str(Fraction(count, 36))
    phase, scene = stated(board, text)
    places = tuple(target if index == turn.active else place for index, place in enumerate(scene.places))
    assert places.count(target) == 1 and target not in scene.table.armies and price is not None
    met = battles(phase, phase.solve(phase.begin(scene._replace(places=places))), army, turn.active)
    for word, chance in zip(OUTCOMES, met, strict=True):
        values[f"wait.{word}"] = str(chance)
    values["wait.none"] = str(1 - sum(met))
    return values


def alone(board: Board, army: str) -> str:
    """The first Emperor stands where the army goes, and nothing else is on the map but a revolt under the army."""
    code = board.code[army]
    revolt = "-" if army in board.borders else code
    place = board.code[board.arrow[army]]
    return f"4211 {board.letters[0]}:6 {place}/-/-/- 23 {code} {revolt} - -/-/-/-"


def battles(phase: Phase, solved: Solved, army: str, emperor: int) -> list[Fraction]:
    """The chances of victory, draw and defeat of this Emperor when this army attacks him."""
    met = [Fraction(0)] * 3
    for step, visits in solved.visits.items():
        if isinstance(step, Clash) and step.armies[0] == army and phase_target(phase, step, emperor):
            turn = Turn(phase.board, phase.readings, 0, emperor, list(step.scene.places))
            counts = turn.odds(phase.board.arrow[army], step.scene.table, army)
            met = [chance + visits * Fraction(count, 36) for chance, count in zip(met, counts, strict=True)]
    return met


def phase_target(phase: Phase, step: Step, emperor: int) -> bool:
    """Whether it is this Emperor who is in the way."""
    assert isinstance(step, Clash)
    return step.scene.places[emperor] == phase.board.arrow[step.armies[0]]


# -- instances -------------------------------------------------------------------------------------------------

Instances = dict[str, Callable[[], Values]]


def waits(board: Board) -> Instances:
    """Comparisons of an attack with waiting; an army that no link joins to where it goes cannot be attacked from there."""
    armies = [army for army in paths(board) if army in board.arrow and board.arrow[army] in board.links[army]]
    return {
        "example": partial(wait, board, EXAMPLE, "narbonensis"),
        **{f"alone-{army}": partial(wait, board, alone(board, army), army) for army in armies},
    }


COUNTS: dict[str, Callable[[Board], Instances]] = {"wait": waits}
