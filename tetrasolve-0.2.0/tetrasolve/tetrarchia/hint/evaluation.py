"""The evaluation of a position for Rome, by two small networks trained on games against the dice.

The value is an opinion: a chance of winning with good play, learned from games and not proved. Its calibration is measured in
`bench/`, and `rollout` gives an estimate with an interval for a single position.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import exp
from types import ModuleType

from tetrasolve.errors import IllegalPositionError
from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.hint.features import NAMES
from tetrasolve.tetrarchia.hint.modulefeatures import MODULE_NAMES
from tetrasolve.tetrarchia.hint.players import borrow
from tetrasolve.tetrarchia.hint.weights import Weights, shipped
from tetrasolve.tetrarchia.kernel import Kernel, Player, State
from tetrasolve.tetrarchia.position import Position

MOST_DISCS = 1000  # more than there are


def states_in(data: bytes, engine: ModuleType = kernel) -> list[State]:
    """The positions in the bytes of `Player.lessons` of this kernel."""
    size = len(bytes(engine.State()))
    return [engine.State.from_bytes(data[at : at + size]) for at in range(0, len(data), size)]


@contextmanager
def ready(position: Position, weights: Weights | None = None) -> Iterator[tuple[Player, State]]:
    """A context with a player for the caller's exclusive use, and the state of a position.

    :raises IllegalPositionError: when the position cannot occur.
    """
    state = fast.to_state(position)
    with borrow(position.board, position.ruleset, weights, rebels=bool(position.rebels)) as player:
        yield player, state


def evaluate(position: Position, weights: Weights | None = None) -> float:
    """The raw value of the networks, a chance that Rome wins, at the start of a Roman phase or before a Barbarian phase.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> 0 < evaluate(example("movement")) < 1
    True

    :raises IllegalPositionError: when the position cannot occur.
    """
    with ready(position, weights) as (player, state):
        return player.value(state)


def end_value(player: Player, rules: Kernel, state: State) -> float:
    """The raw value of ending a turn in a state where that is possible; 1 after a victory in the game, 0 after a fall."""
    if state.result != kernel.OPEN:
        return float(state.result == kernel.WON)
    return player.value(state if state.phase == kernel.BARBARIAN else rules.play(state, kernel.END))


def disc_count(state: State) -> int:
    """Garrisons minus revolts, unrest and armies; a game that is over counts for more than all of them."""
    if state.result != kernel.OPEN:
        return MOST_DISCS if state.result == kernel.WON else -MOST_DISCS
    ours = sum(mask.bit_count() for mask in state.garrisons)
    return ours - state.revolts.bit_count() - state.unrest.bit_count() - state.armies.bit_count()


def contributions(position: Position, weights: Weights | None = None) -> dict[str, float]:
    """The contribution of each feature that is not 0 to the chance of winning: the value with it minus the value without.

    The features are those of `tetrasolve.tetrarchia.hint.features.NAMES` and, with modules or rebels, of
    `tetrasolve.tetrarchia.hint.modulefeatures.MODULE_NAMES`. The contributions do not add up to the chance, since each feature is
    left out alone.

    :raises IllegalPositionError: when the position cannot occur, or the game is over.
    """
    with ready(position, weights) as (player, state):
        row = player.features(state)
    if position.is_won:
        raise IllegalPositionError(["the game is won"])
    names = NAMES if len(row) == len(NAMES) else NAMES + MODULE_NAMES
    modules = names is not NAMES
    chosen = (weights or shipped(modules=modules)).fitted(modules=modules)
    part = chosen.start if state.phase == 0 else chosen.end
    columns = chosen.width
    numbers = memoryview(part).cast("f")
    count = len(names)
    bias, second = numbers[count * columns : (count + 1) * columns], numbers[(count + 1) * columns : -1]
    sums = list(bias)
    for feature, value in enumerate(row):
        if value:
            sums = [total + value * numbers[feature * columns + unit] for unit, total in enumerate(sums)]

    def chance(hidden: list[float]) -> float:
        logit = numbers[-1] + hidden[0] * second[0]
        logit += sum(max(hidden[unit], 0) * second[unit] for unit in range(1, columns))
        return 1 / (1 + exp(-logit))

    whole = chance(sums)
    return {
        names[feature]: whole
        - chance([total - value * numbers[feature * columns + unit] for unit, total in enumerate(sums)])
        for feature, value in enumerate(row)
        if value
    }
