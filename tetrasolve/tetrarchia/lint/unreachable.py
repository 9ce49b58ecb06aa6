"""Findings whose values differ in no position that a game comes to, by an invariant of which the premises are checked.

The one invariant is that no revolt and no unrest lies in Roma. No set-up and no scenario puts one there. Unrest comes only to a
province that dice name, or where a revolt is reduced. A revolt comes to a province that dice name, to those linked to such a one
(uprising), to where unrest lies (fire), to where an army enters, and to where the black disc is put. Dice name neither Roma nor a
province linked to it; an army that enters Roma ends the game; and the black disc is kept out of Roma by the usual reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources

from tetrasolve.errors import FindingError
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.rules import scenario, scenarios
from tetrasolve.tetrarchia.ruleset import READINGS

ROMA = (
    "no game comes to a revolt or an unrest in Roma: dice name neither Roma nor a province linked to it, and an army that "
    "enters Roma ends the game"
)


def roma_without_revolt(board: Board) -> str:
    """The argument that no revolt and no unrest comes to Roma on this board; empty where a premise does not hold."""
    named = {
        name for name in board.ids if board[name].region and board[name].number
    }  # by the dice of a phase or a set-up
    near = {board.roma, *board.neighbours(board.roma)}
    begun = all(board.roma not in (*war.revolts, *war.armies) for war in map(scenario, scenarios()))
    kept_out = READINGS["I-BLACK-CAPITALS"].default == "all"
    return ROMA if near.isdisjoint(named) and begun and kept_out else ""


INVARIANTS: Mapping[str, Callable[[Board], str]] = {"roma-without-revolt": roma_without_revolt}


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
