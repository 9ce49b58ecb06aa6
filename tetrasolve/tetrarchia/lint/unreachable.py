"""Findings whose values differ in no position that a game comes to, by an invariant of which the premises are checked.

One invariant is that no revolt and no unrest lies in Roma. No set-up and no scenario puts one there. Unrest comes only to a
province that dice name, or where a revolt is reduced. A revolt comes to a province that dice name, to those linked to such a one
(uprising), to where unrest lies (fire), to where an army enters, and to where the black disc is put. Dice name neither Roma nor a
province linked to it; an army that enters Roma ends the game; and the black disc is kept out of Roma by the usual reading.

The other is that no rebels stand on a border of the Goths: only scenarios bring rebels, each on its border, where they stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources

from tetrasolve.errors import FindingError
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import GOTH_REGIONS
from tetrasolve.tetrarchia.rules import rolled_scenario, scenario, scenarios
from tetrasolve.tetrarchia.rules.modules.rebels import Rebels
from tetrasolve.tetrarchia.ruleset import READINGS

ROMA = (
    "no game comes to a revolt or an unrest in Roma: dice name neither Roma nor a province linked to it, and an army that "
    "enters Roma ends the game"
)
REBELS = "no rebels stand on border III or IV: only scenarios bring rebels, each on another border, where they stay"


def roma_without_revolt(board: Board) -> str:
    """The argument that no revolt and no unrest comes to Roma on this board; empty where a premise does not hold."""
    named = {
        name for name in board.ids if board[name].region and board[name].number
    }  # by the dice of a phase or a set-up
    near = {board.roma, *board.neighbours(board.roma)}
    begun = all(
        board.find(place) != board[board.roma]
        for war in map(scenario, scenarios())
        for place in (*war.revolts, *war.armies, *war.rebels)  # rebels stand on a revolt
    )
    kept_out = READINGS["I-BLACK-CAPITALS"].default == "all"
    return ROMA if near.isdisjoint(named) and begun and kept_out else ""


def rebels_elsewhere(board: Board) -> str:
    """The argument that no rebels come to a border of the Goths on this board; empty where a premise does not hold."""
    tables = [rolled_scenario(name, 0, board=board).position for name in scenarios()]
    stay = all(Rebels().stays(table, border) for table in tables for border in table.rebels)
    near = any(board[border].region in GOTH_REGIONS for table in tables for border in table.rebels)
    return REBELS if stay and not near else ""


INVARIANTS: Mapping[str, Callable[[Board], str]] = {
    "roma-without-revolt": roma_without_revolt,
    "rebels-elsewhere": rebels_elsewhere,
}


@cache
def unreachable() -> Mapping[str, str]:
    """The invariant of each finding that has one, by the id of the finding.

    >>> unreachable()["I-ENTRY-ROMA=open/no-revolt"]
    'roma-without-revolt'
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/unreachable.toml").read_text("utf-8")
    return {row["id"]: row["invariant"] for row in read_toml(text)["finding"]}


@cache
def why_unreachable(finding: str, board: Board | None = None) -> str:
    """The argument that no game comes to a position in which the values of a finding differ; empty where none is known.

    :raises FindingError: when the argument that is named does not hold on the board.
    """
    if finding not in unreachable():
        return ""
    found = INVARIANTS[unreachable()[finding]](board or Board.standard())
    if not found:
        raise FindingError(f"{finding}: the invariant {unreachable()[finding]} does not hold on this board")
    return found
