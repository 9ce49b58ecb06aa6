"""Models for the logarithm of the odds of winning, linear or with a hidden layer beside, fitted to the values of positions.

Requires numpy.

A `Line` is fitted by logistic regression in two steps. *Calibration* fits a factor and a constant for the whole model.
Then all weights are fitted with a quadratic penalty on their distance from the previous weights (a Gaussian prior): the model
is *bent*. The fewer data there are about a feature, the less its weight changes. A hidden layer is fitted by
`tetrasolve.tetrarchia.hint.hidden`; here it stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tetrasolve.tetrarchia.hint import guess
from tetrasolve.tetrarchia.hint.features import NAMES
from tetrasolve.tetrarchia.hint.modulefeatures import MODULE_NAMES
from tetrasolve.tetrarchia.hint.weights import Weights

WIDTH = 4  # units of the hidden layer: the kernel accepts multiples of this; a linear model uses one
STEPS = 30  # the most steps of Newton's method
CLOSE = 1e-3  # the largest change of a weight in the last step
FREE = 1e-6  # the penalty on weights that should have none

Array = np.ndarray[Any, np.dtype[np.float32]]


@dataclass
class Layer:
    """Hidden units: the weights of the features for each (a column), their biases, and the weight of each unit's positive part."""

    first: Any
    bias: Any
    second: Any

    def of(self, rows: Any) -> Any:
        """What the units add to the logarithms of the odds of rows of features, at least as many as they have weights for."""
        return np.maximum(rows[:, : len(self.first)] @ self.first + self.bias, 0) @ self.second


@dataclass
class Line:
    """A linear model: weights and a constant; and what hidden units add to it, where there are some."""

    weights: Any  # one for each feature, 64-bit floats
    constant: float
    hidden: Layer | None = None

    def logit(self, rows: Any) -> Any:
        """The logarithms of the odds of rows of features."""
        straight = rows @ self.weights + self.constant
        return straight if self.hidden is None else straight + self.hidden.of(rows)

    def chance(self, rows: Any) -> Any:
        """The chances to win of rows of features."""
        return sigmoid(self.logit(rows))

    def scaled(self, factor: float, constant: float) -> Line:
        """The model with a factor and a constant applied to its logarithm of odds."""
        layer = self.hidden and replace(self.hidden, second=self.hidden.second * factor)
        return Line(self.weights * factor, self.constant * factor + constant, layer)

    @property
    def units(self) -> int:
        """The number of units of its network: the first passes the linear sum on."""
        return 1 + (0 if self.hidden is None else len(self.hidden.second))

    def network(self, width: int = WIDTH) -> bytes:
        """The model as a network of this width: units that it does not have are 0."""
        numbers = np.zeros((len(self.weights) + 2, width), np.float32)
        numbers[:-2, 0], numbers[-1, 0] = self.weights, 1
        if self.hidden is not None:
            own = slice(1, self.units)
            numbers[: len(self.hidden.first), own] = self.hidden.first
            numbers[-2:, own] = self.hidden.bias, self.hidden.second
        return numbers.tobytes() + np.float32(self.constant).tobytes()


def line_of(network: bytes, width: int = WIDTH) -> Line:
    """The model from the result of `Line.network`."""
    numbers = np.frombuffer(network, np.float32).astype(float)
    rows = numbers[:-1].reshape(-1, width)
    used = np.flatnonzero(rows[-1, 1:]) + 1
    layer = Layer(rows[:-2, used], rows[-2, used], rows[-1, used]) if len(used) else None
    return Line(rows[:-2, 0], float(numbers[-1]), layer)


def first_guess(*, modules: bool = False) -> Line:
    """The hand-made model, with or without the features of modules."""
    names = (*NAMES, *MODULE_NAMES) if modules else NAMES
    weights = np.zeros(len(names))
    for name, weight in (*guess.GUESS.items(), *(guess.MODULE_GUESS.items() if modules else ())):
        weights[names.index(name)] = weight
    return Line(weights, guess.CONSTANT)


def weights_of(start: Line, end: Line, made: dict[str, Any]) -> Weights:
    """Both models as weights for a file."""
    width = -(-max(start.units, end.units) // WIDTH) * WIDTH
    return Weights(width, start.network(width), end.network(width), made)


@dataclass
class Lessons:
    """Rows of features, the value of each, and the number of its game.

    The value of a position can be outside [0, 1]: only its mean is a chance.
    """

    rows: Array
    worth: Any
    game: Any

    def __len__(self) -> int:
        return len(self.worth)

    def of(self, chosen: Any) -> Lessons:
        """A selection of rows."""
        return Lessons(self.rows[chosen], self.worth[chosen], self.game[chosen])


def sigmoid(logit: Any) -> Any:
    """The chance with this logarithm of odds."""
    return 1 / (1 + np.exp(-logit))


def loss(line: Line, lessons: Lessons) -> float:
    """The mean logistic loss."""
    logit = line.logit(lessons.rows)
    return float(np.mean(np.logaddexp(0, logit) - lessons.worth * logit))


def newton(rows: Any, worth: Any, prior: Any, penalty: Any, begin: Any, known: Any = 0.0) -> Any:
    """The weights with the least loss, summed over the rows, plus half the penalties on the squares from the prior.

    `known` is a part of the logarithms of odds that does not change.
    """
    found = begin.copy()
    for _ in range(STEPS):
        chances = sigmoid(known + rows @ found.astype(rows.dtype)).astype(rows.dtype)
        slope = rows.T @ (chances - worth).astype(rows.dtype) + penalty * (found - prior)
        curve = rows.T @ (rows * np.maximum(chances * (1 - chances), 1e-6)[:, None])
        step = np.linalg.solve(curve.astype(float) + np.diag(penalty), slope.astype(float))
        found = found - step * min(1.0, 4 / max(np.abs(step).max(), 1e-9))  # a step that is too long can diverge
        if np.abs(step).max() < CLOSE:
            break
    return found


def calibrated(line: Line, lessons: Lessons) -> Line:
    """The model with the best factor and constant."""
    rows = np.stack([line.logit(lessons.rows.astype(float)), np.ones(len(lessons))], 1)
    factor, constant = newton(rows, lessons.worth, np.zeros(2), np.full(2, FREE), np.array([0.3, 0.0]))
    return line.scaled(float(factor), float(constant))


def bent(prior: Line, lessons: Lessons, penalty: float) -> Line:
    """The linear model fitted with a penalty on changes of all weights but the constant."""
    rows = np.concatenate([lessons.rows, np.ones((len(lessons), 1), np.float32)], 1)
    heavy = np.full(len(prior.weights) + 1, penalty)
    heavy[-1] = FREE
    whole = np.append(prior.weights, prior.constant)
    found = newton(rows, lessons.worth, whole, heavy, whole)
    return Line(found[:-1], float(found[-1]))


def extended(prior: Line, lessons: Lessons, penalty: float) -> Line:
    """The model with the weights of the features of modules fitted, and all others and the constant as they are."""
    base = len(NAMES)
    played = lessons.of(lessons.rows[:, base:].any(axis=1))  # nothing else says anything about them
    rows = played.rows[:, base:]
    known = prior.logit(np.where(np.arange(played.rows.shape[1]) < base, played.rows, 0)).astype(np.float32)
    begin = prior.weights[base:]
    found = newton(rows, played.worth, begin, np.full(len(begin), penalty), begin, known)
    return Line(np.append(prior.weights[:base], found), prior.constant, prior.hidden)
