"""Training: what a table is said to have been worth, and that a seed means the same weights again."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
train = pytest.importorskip("tetrasolve.tetrarchia.hint.train")

KEPT, STRAYED, COME_TO, OTHER = range(4)


def test_worth_is_part_one_step_part_what_came_of_it() -> None:
    kinds = np.array([KEPT, OTHER, COME_TO, KEPT, COME_TO])
    worth = np.array([0.5, 0.1, 0.4, 0.3, 0.2])
    found = train.returns(kinds, worth, 1.0, trace=0.5, discount=0.9)

    last = 0.5 * 0.9 * 0.2 + 0.5 * 0.9 * 1.0
    start = 0.5 * 0.3 + 0.5 * last
    end = 0.5 * 0.9 * 0.4 + 0.5 * 0.9 * start
    assert found.tolist() == pytest.approx([0.5 * 0.5 + 0.5 * end, 0.9 * 0.1, end, start, last])


def test_nothing_is_learned_from_a_mistake_about_the_table_before_it() -> None:
    """The start of a turn that strays, and all before it, know only what the best way would have been worth."""
    kinds = np.array([KEPT, COME_TO, STRAYED, COME_TO])
    worth = np.array([0.5, 0.6, 0.7, 0.1])
    found = train.returns(kinds, worth, 0.0, trace=1.0, discount=1.0)

    assert found.tolist() == pytest.approx([0.7, 0.7, 0.7, 0.0])


def test_the_loss_falls_along_its_gradient() -> None:
    """The gradients are those of the loss, by finite differences."""
    rng = np.random.default_rng(1)
    layers = train.first_guess(4, rng)
    rows = rng.random((16, train.features.FEATURES)).astype(np.float32)
    worth = rng.random(16).astype(np.float32)
    held = []

    class Kept(train.Adam):
        def step(self, gradients, rate) -> None:
            del rate
            held.append([part.copy() for part in gradients])

    def loss() -> float:
        return train.descend(layers, Kept(layers), rows, worth, 0.0) / 16

    loss()
    for part, gradient in zip(layers.parts()[1:], held[0][1:], strict=True):
        for i in range(part.size):
            before = part[i]
            part[i] = before + 0.01
            above = loss()
            part[i] = before - 0.01
            below = loss()
            part[i] = before
            assert (above - below) / 0.02 == pytest.approx(float(gradient[i]), abs=2e-3)


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    words = ["--seed", "3", "--rounds", "1", "--first", "2", "--width", "4"]
    texts = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        train.main([*words, str(tmp_path / name / "weights.txt")])
        texts.append((tmp_path / name / "weights.txt").read_text("utf-8"))

    assert texts[0] == texts[1]
    assert '"command": "python -m tetrasolve.tetrarchia.hint.train --seed 3 --rounds 1 --first 2' in texts[0]
