"""What the first turn loses whatever is played: a statistical upper bound on the win rate of every policy.

For a set-up the least chance to lose in the first turn is exact: all sequences of actions, each followed by the best decisions in
the phases (`tetrasolve.finem.plan`). Set-ups are drawn as games draw them, and the mean of these chances is what no policy
escapes (`tetrasolve.bounds.losses`).

In the first turn neither a die of 6 nor the limit of eleven points can be reached: four dice at 1 gain at most four points. So the
figure of a set-up is the same at the levels introductory and standard, and for the readings automatic and action of E-PACIFY. With
the decline at most at 3 after the campaign two cards invade, with cap3 or without, and no decline loses: cap3 changes nothing
either. The options corner and sphere move the pawn and the borders, so they have set-ups of their own.
"""

from __future__ import annotations

from fractions import Fraction

from tetrasolve.errors import OutOfTimeError
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.deadline import public_question, stop_of
from tetrasolve.finem.game import new_game
from tetrasolve.finem.plan import plan
from tetrasolve.finem.position import Position
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop

CAP = Fraction(
    1, 100
)  # of a loss that counts; chosen on set-ups with other seeds, before those of the bound were drawn


def start_of(ruleset: Ruleset, seed: int, number: int) -> Position | None:
    """The set-up of a game of a series; None where it has lost the game [E-FULL]."""
    start = new_game(ruleset, f"bound {seed} {number}").start
    return start if isinstance(start, Position) else None


@public_question
def least_loss(start: Position, *, seconds: float | None = None, cancel: Stop | None = None) -> Fraction:
    """The least chance, over all policies, to lose in the turn that begins at a position.

    >>> from tetrasolve.finem.examples import examples
    >>> least_loss(examples()["dictator"].replace(role="consul", left=1))
    Fraction(375677, 24227280)

    :raises IllegalPositionError: when the position cannot occur, or is not in the phase of actions.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before it was known.
    """
    found = plan(start, "p_lost", cancel=stop_of(seconds, cancel))
    if not isinstance(found.value, Exact):
        raise OutOfTimeError("least_loss: the time ran out before there was an answer")
    return found.value.value
