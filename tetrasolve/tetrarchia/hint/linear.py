"""The logarithm of the odds of winning as a sum over features, fitted to what tables were worth; needs numpy.

A `Line` is fitted by logistic regression. First two numbers are, a factor and a constant, which make chances of what it
says: it is *calibrated*. Then all its weights are, with a penalty on the square of how far each is from where it was, which
is a Gaussian prior: it is *bent*. The less the games say about a feature, the more its weight stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tetrasolve.tetrarchia.hint import features, guess
from tetrasolve.tetrarchia.hint.weights import Weights

WIDTH = 4  # of the hidden layer: the least that the kernel takes; one unit is used
STEPS = 30  # of Newton's method at most
CLOSE = 1e-3  # the greatest change of a weight in the last of these
FREE = 1e-6  # the penalty on what is to have none

Array = np.ndarray[Any, np.dtype[np.float32]]


@dataclass
class Line:
    """Weights and a constant."""

    weights: Any  # of the features, 64-bit floats
    constant: float

    def logit(self, rows: Any) -> Any:
        """Of rows of features."""
        return rows @ self.weights + self.constant

    def chance(self, rows: Any) -> Any:
        """Of winning, for rows of features."""
        return sigmoid(self.logit(rows))

    def scaled(self, factor: float, constant: float) -> Line:
        """The same order of tables, at other odds."""
        return Line(self.weights * factor, self.constant * factor + constant)

    def network(self) -> bytes:
        """As a network whose hidden layer passes the sum on in its first unit, and whose other units say nothing."""
        first = np.zeros((features.FEATURES, WIDTH), np.float32)
        first[:, 0] = self.weights
        rest = np.array([0] * WIDTH + [1] + [0] * (WIDTH - 1) + [self.constant], np.float32)
        return first.tobytes() + rest.tobytes()


def line_of(network: bytes) -> Line:
    """The line that `Line.network` wrote."""
    numbers = np.frombuffer(network, np.float32).astype(float)
    return Line(numbers[: WIDTH * features.FEATURES : WIDTH], float(numbers[-1]))


def first_guess() -> Line:
    """The guess made by hand."""
    weights = np.zeros(features.FEATURES)
    for name, weight in guess.GUESS.items():
        weights[features.NAMES.index(name)] = weight
    return Line(weights, guess.CONSTANT)


def weights_of(start: Line, end: Line, made: dict[str, Any]) -> Weights:
    """Both lines for a file."""
    return Weights(WIDTH, start.network(), end.network(), made)


@dataclass
class Lessons:
    """Rows of features, what each was worth, and the number of the game it is from.

    What a table was worth may lie outside [0, 1]: only its mean is a chance.
    """

    rows: Array
    worth: Any
    game: Any

    def __len__(self) -> int:
        return len(self.worth)

    def of(self, chosen: Any) -> Lessons:
        """Some of them."""
        return Lessons(self.rows[chosen], self.worth[chosen], self.game[chosen])


def sigmoid(logit: Any) -> Any:
    """The chance that a logarithm of odds is of."""
    return 1 / (1 + np.exp(-logit))


def loss(line: Line, lessons: Lessons) -> float:
    """The mean logistic loss."""
    logit = line.logit(lessons.rows)
    return float(np.mean(np.logaddexp(0, logit) - lessons.worth * logit))


def newton(rows: Any, worth: Any, prior: Any, penalty: Any, begin: Any) -> Any:
    """The weights with the least loss, summed over the rows, plus half the penalties on the squares from the prior."""
    found = begin.copy()
    for _ in range(STEPS):
        said = sigmoid(rows @ found.astype(rows.dtype)).astype(rows.dtype)
        slope = rows.T @ (said - worth).astype(rows.dtype) + penalty * (found - prior)
        curve = rows.T @ (rows * np.maximum(said * (1 - said), 1e-6)[:, None])
        step = np.linalg.solve(curve.astype(float) + np.diag(penalty), slope.astype(float))
        found = found - step * min(1.0, 4 / max(np.abs(step).max(), 1e-9))  # a step too long may lead away
        if np.abs(step).max() < CLOSE:
            break
    return found


def calibrated(line: Line, lessons: Lessons) -> Line:
    """The line with the factor and the constant that make it tell chances."""
    rows = np.stack([line.logit(lessons.rows.astype(float)), np.ones(len(lessons))], 1)
    factor, constant = newton(rows, lessons.worth, np.zeros(2), np.full(2, FREE), np.array([0.3, 0.0]))
    return line.scaled(float(factor), float(constant))


def bent(prior: Line, lessons: Lessons, penalty: float) -> Line:
    """The regression with a penalty for all weights but the constant."""
    rows = np.concatenate([lessons.rows, np.ones((len(lessons), 1), np.float32)], 1)
    heavy = np.full(features.FEATURES + 1, penalty)
    heavy[-1] = FREE
    whole = np.append(prior.weights, prior.constant)
    found = newton(rows, lessons.worth, whole, heavy, whole)
    return Line(found[:-1], float(found[-1]))
