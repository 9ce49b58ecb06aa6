"""Actions of a turn, played one after the other."""

from collections.abc import Iterable, Iterator

from rules import ON, State, Turn, Way
from text import Lines


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
