"""Lines over features: what is fitted is the least loss, the prior holds where games say little, a network says the same."""

import pytest
from advisers import BOARD, in_play

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.hint import guess
from tetrasolve.tetrarchia.hint.evaluation import evaluate
from tetrasolve.tetrarchia.hint.features import FEATURES, NAMES, features_of
from tetrasolve.tetrarchia.hint.weights import read_weights, write_weights
from tetrasolve.tetrarchia.ruleset import Ruleset

np = pytest.importorskip("numpy")
linear = pytest.importorskip("tetrasolve.tetrarchia.hint.linear")


def lessons(rng, line, tables: int):
    """Made-up positions, whose games went as the line says."""
    rows = (rng.random((tables, FEATURES)) < 0.02).astype(np.float32)
    worth = (rng.random(tables) < line.chance(rows)).astype(float)
    return linear.Lessons(rows, worth, np.arange(tables) // 5)


def test_the_guess_is_the_one_made_by_hand() -> None:
    line = linear.first_guess()
    row = np.zeros((1, FEATURES))
    row[0, [NAMES.index("secured 2"), NAMES.index("fall 1")]] = 1
    given = guess.GUESS

    assert line.logit(row)[0] == pytest.approx(guess.CONSTANT + given["secured 2"] + given["fall 1"])
    assert np.count_nonzero(line.weights) == sum(weight != 0 for weight in given.values())


def test_a_line_as_a_network_says_the_same() -> None:
    """To the kernel, to a file, and to the line that is read back."""
    rng = np.random.default_rng(3)
    lines = [linear.Line(rng.normal(0, 0.3, FEATURES), 0.2) for _ in range(2)]
    weights = read_weights(write_weights(linear.weights_of(*lines, {"seed": 3})))
    position = fast.to_position(in_play("4222", 3, 4), BOARD, Ruleset.from_level("4222"))
    again = linear.line_of(weights.start)

    assert again.weights == pytest.approx(lines[0].weights, rel=1e-3, abs=1e-6)
    shown = float(again.chance(np.array([features_of(position)]))[0])
    assert evaluate(position, weights) == pytest.approx(shown, abs=1e-5)


def test_a_distorted_line_is_calibrated() -> None:
    rng = np.random.default_rng(3)
    true = linear.Line(rng.normal(0, 1, FEATURES), 0.5)
    found = linear.calibrated(true.scaled(4.0, -3.0), lessons(rng, true, 8_000))

    assert found.weights == pytest.approx(true.weights, abs=0.12 * np.abs(true.weights).max())
    assert found.constant == pytest.approx(true.constant, abs=0.15)


def test_the_regression_is_where_the_loss_and_the_penalty_balance() -> None:
    rng = np.random.default_rng(4)
    prior = linear.Line(rng.normal(0, 1, FEATURES), 0.5)
    found = lessons(rng, prior.scaled(0.5, 0.2), 2_000)
    line = linear.bent(prior, found, 10.0)

    error = line.chance(found.rows) - found.worth
    assert found.rows.T @ error + 10 * (line.weights - prior.weights) == pytest.approx(0, abs=0.05)
    assert error.sum() == pytest.approx(0, abs=0.05)


def test_the_heavier_the_penalty_the_less_the_prior_is_left() -> None:
    rng = np.random.default_rng(5)
    prior, true = (linear.Line(rng.normal(0, 1, FEATURES), 0.5) for _ in range(2))
    found, fresh = lessons(rng, true, 3_000), lessons(rng, true, 3_000)
    far = [np.abs(linear.bent(prior, found, penalty).weights - prior.weights).max() for penalty in (1e6, 100.0, 3.0)]
    learned = linear.bent(prior, found, 3.0)

    assert far[0] < 0.01 < far[1] < far[2]
    assert linear.loss(true, fresh) < linear.loss(learned, fresh) < linear.loss(prior, fresh) - 0.05


def test_worth_beyond_a_chance_is_learned_by_its_mean() -> None:
    """Luck taken off a result can leave more than 1 or less than 0."""
    rng = np.random.default_rng(6)
    true = linear.Line(rng.normal(0, 1, FEATURES), 0.5)
    plain = lessons(rng, true, 6_000)
    noisy = linear.Lessons(plain.rows, true.chance(plain.rows) + rng.normal(0, 0.6, len(plain)), plain.game)

    assert noisy.worth.min() < 0 and noisy.worth.max() > 1
    assert linear.loss(linear.calibrated(true.scaled(3.0, 1.0), noisy), plain) < linear.loss(true, plain) + 0.005
