"""A hand-made evaluation, with which the first games of the training are played."""

from __future__ import annotations

from tetrasolve.tetrarchia.board import Board

#: Weights for the logarithm of the odds of winning, by feature; all others are 0.
GUESS = {
    "revolts after fire": -6.0,
    "above 17": -2.0,
    "unrest": -1.0,
    "growth": -1.0,
    "largest group": -1.0,
    "armies": -1.0,
    **{f"secured {n}": 0.9 * n for n in range(7)},
    # Emperors without garrisons can secure no border
    **{f"spare {n}": weight for n, weight in ((-1, -3.5), (0, -1.6), (1, -0.6), (2, -0.3))},
    **{f"reserve {turn} 0": -0.2 for turn in range(4)},
    **{f"behind {border} {n}": -0.15 * n for border in Board.standard().borders for n in range(4)},
    **{f"left {left} {name}": weight for left in (1, 2, 3) for name, weight in (("farthest", -0.8), ("all", -0.8))},
    **{f"fall {phase}": weight for phase, weight in ((1, -4.5), (2, -1.7), (3, -0.7), (4, -0.3))},
    **{
        f"army {army} {name}": weight
        for army in range(3)
        for name, weight in (("there", -1.5), ("far", 0.8), ("victory", 1.1), ("defeat", -0.6))
    },
    **{
        f"actor {turn} {name}": weight
        for turn in range(3)
        for name, weight in (("off", -0.1), ("borders", 0.1), ("revolts", 0.15), ("reach", 0.2))
    },
    **{f"actor {turn} army {army} victory": 0.5 - 0.1 * turn for turn in range(3) for army in range(3)},
}
CONSTANT = 2.0  # added for any position

#: Weights of features of modules while there is no network that was trained with modules; all others are 0.
MODULE_GUESS: dict[str, float] = {}
