"""Actions of a turn, played one after the other."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from board import Board
from claim import read_position
from rules import ON, State, Turn, Way
from text import Lines, NoLines, Unreadable


def steps(lines: Lines, turn: Turn, state: State, plan: Iterable[str]) -> Iterator[tuple[str, State, Way]]:
    """Each step of a plan: the action, the state before it, and what comes of it.

    An attack says how it ends, ``attack dacia: draw``. What is not legal, or comes after the end of the turn, is refuted.
    """
    end = ON
    for step in plan:
        name, _, outcome = step.partition(": ")
        named = (action for action in turn.actions(state) if action.name == name)
        way = next((way for action in named for way in action.ways if way.outcome == outcome), None)
        if end != ON or way is None:
            raise lines.refuted(f"'{step}' is no legal action there")
        yield name, state, way
        state, end = way.state, way.end


class Played(NamedTuple):
    """A turn, the states from the start on, and how the last action ended."""

    turn: Turn
    states: list[State]
    way: Way | None


def demand(so: bool, what: str) -> None:
    """The position must be one where this is so."""
    if not so:
        raise Unreadable(f"expected a position where {what}")


def played(line: str, board: Board) -> Played:
    """A position and the actions that are played from there."""
    text, *names = line.split("; ")
    turn, start = read_position(text, board)
    ways = [way for _, _, way in steps(NoLines(), turn, start, names)]
    return Played(turn, [start, *(way.state for way in ways)], ways[-1] if ways else None)
