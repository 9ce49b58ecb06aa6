"""The best policy of the rest of a turn: the highest expected worth over all cards, as a tree of positions.

It follows every card and every decision, and so suits the last steps of a turn; the kernel has whole turns.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tetrasolve.exact import choices
from tetrasolve.exact.distribution import Distribution
from tetrasolve.finem.position import Phase, Position, Result, State
from tetrasolve.finem.rules.turn import node, take


def best(position: Position, worth: Callable[[State], int]) -> choices.Solution[State]:
    """The highest expected `worth` of the state after the turn, from each state that can follow, and the options that reach it.

    The turn ends with its invasion: at the first position of the phase of the role, or with the game.
    """

    def following(state: State) -> choices.Node[State]:
        if isinstance(state, Result) or state.phase is Phase.ROLE:
            return choices.End(Fraction(worth(state)))
        found = node(state)
        if found.is_chance:
            return choices.Chance(Distribution.uniform(take(state, option) for option in found.options))
        return choices.Choice({option: take(state, option) for option in found.options})

    return choices.best(position, following)
