"""Actions of a turn, played one after the other from a position in a line of text."""

from typing import NamedTuple

from board import Board
from claim import read_position
from rules import State, Turn, Way
from text import Unreadable


class Played(NamedTuple):
    """A turn, the states from the start on, and how the last action ended."""

    turn: Turn
    states: list[State]
    names: list[str]
    way: Way | None

    @property
    def emperor(self) -> str:
        """Whose turn it is."""
        return self.turn.emperor


def demand(so: bool, what: str) -> None:
    """The position must be one where this is so."""
    if not so:
        raise Unreadable(f"expected a position where {what}")


def played(line: str, board: Board) -> Played:
    """The actions of a line played one after the other; an attack says how it ends: ``attack dacia: draw``."""
    text, *names = line.split("; ")
    turn, start = read_position(text, board)
    states, way = [start], None
    for name in names:
        what, _, outcome = name.partition(": ")
        found = [w for a in turn.actions(states[-1]) if a.name == what for w in a.ways if w.outcome == outcome]
        demand(len(found) == 1, f"'{name}' can be played")
        way = found[0]
        states.append(way.state)
    return Played(turn, states, names, way)
