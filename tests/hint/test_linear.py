"""Weights by regression: what is fitted is the least loss, the prior holds where games say little, a seed means the same again."""

from pathlib import Path

import pytest

from tetrasolve.tetrarchia.hint.weights import read_weights

np = pytest.importorskip("numpy")
linear = pytest.importorskip("tetrasolve.tetrarchia.hint.linear")

FEATURES = linear.features.FEATURES


def lessons(rng, line, tables: int):
    """Made-up tables, whose games went as the line says."""
    rows = (rng.random((tables, FEATURES)) < 0.02).astype(np.float32)
    worth = (rng.random(tables) < linear.chance(line.logit(rows))).astype(float)
    return linear.Lessons(rows, worth, np.arange(tables) // 5)


def test_only_tables_after_the_last_stray_know_how_the_game_went() -> None:
    kinds = np.array([0, 2, 1, 2, 0, 3, 2, 0, 2])

    assert np.flatnonzero(linear.after_last_stray(kinds)).tolist() == [4, 7]
    assert np.flatnonzero(linear.after_last_stray(kinds[4:])).tolist() == [0, 3]


def test_the_guess_is_the_one_made_by_hand() -> None:
    """Said by the kernel's network just as the training's first network says it."""
    rows = np.random.default_rng(2).random((9, FEATURES)).astype(np.float32)
    _, by_training = linear.first_guess(8, np.random.default_rng(1)).forward(rows)
    _, by_line = linear.guess().layers().forward(rows)

    assert by_line == pytest.approx(by_training, abs=1e-3)


def test_a_distorted_line_is_calibrated() -> None:
    rng = np.random.default_rng(3)
    true = linear.Line(rng.normal(0, 1, FEATURES), 0.5)
    factor, constant = linear.calibrated(true.scaled(4.0, -3.0), lessons(rng, true, 8_000))

    assert factor == pytest.approx(0.25, abs=0.03)
    assert constant == pytest.approx(0.75, abs=0.15)


def test_the_regression_is_where_the_loss_and_the_penalty_balance() -> None:
    rng = np.random.default_rng(4)
    prior = linear.Line(rng.normal(0, 1, FEATURES), 0.5)
    found = lessons(rng, prior.scaled(0.5, 0.2), 2_000)
    line = linear.bent(prior, found, 10.0, prior)

    error = linear.chance(line.logit(found.rows)).astype(float) - found.worth
    assert found.rows.T @ error + 10 * (line.weights - prior.weights) == pytest.approx(0, abs=0.05)
    assert error.sum() == pytest.approx(0, abs=0.05)


def test_a_win_counts_less_with_each_turn_it_takes() -> None:
    found = linear.Lessons(np.zeros((5, FEATURES), np.float32), np.array([1.0, 1, 1, 0, 0]), np.array([4, 4, 4, 7, 7]))

    assert linear.discounted(found, 0.5).worth.tolist() == [0.25, 0.5, 1, 0, 0]


def test_games_left_out_choose_how_far_the_prior_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the prior is right nothing beats it by much; where it is wrong a light penalty is taken."""
    monkeypatch.setattr(linear, "PENALTIES", (100.0, 3.0))
    rng = np.random.default_rng(5)
    true = linear.Line(rng.normal(0, 2, FEATURES), 0.5)
    found, fresh = lessons(rng, true, 3_000), lessons(rng, true, 3_000)
    right = linear.best_bent(true, found, "right")
    learned = linear.best_bent(linear.Line(np.zeros(FEATURES), 0.0), found, "wrong")

    best = linear.loss(true.logit(fresh.rows), fresh.worth)
    assert linear.loss(right.logit(fresh.rows), fresh.worth) < best + 0.01
    assert best < linear.loss(learned.logit(fresh.rows), fresh.worth) < linear.loss(0 * fresh.worth, fresh.worth) - 0.03


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    words = ["--seed", "3", "--games", "8", "--others", "1"]
    texts = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        linear.main([*words, "--calibrate", str(tmp_path / name / "weights.txt")])
        texts.append((tmp_path / name / "weights.txt").read_text("utf-8"))

    assert texts[0] == texts[1]
    assert '"command": "python -m tetrasolve.tetrarchia.hint.linear --seed 3 --games 8' in texts[0]
    weights = read_weights(texts[0])
    given = linear.guess().weights
    for part in (weights.start, weights.end):
        numbers = np.frombuffer(part, np.float32)[: 4 * FEATURES].reshape(-1, 4)[:, 0]
        factor = numbers @ given / (given @ given)
        assert factor > 0 and numbers == pytest.approx(factor * given, abs=0.01 * factor)
