"""A file of weights is read as it was written, or refused."""

import pytest
from advisers import BOARD, in_play, player, weights

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.hint.evaluation import contributions, evaluate
from tetrasolve.tetrarchia.hint.features import FEATURES
from tetrasolve.tetrarchia.hint.weights import WeightsError, read_weights, shipped, write_weights
from tetrasolve.tetrarchia.kernel import KernelError, Networks
from tetrasolve.tetrarchia.ruleset import Ruleset


def test_what_is_written_reads_back() -> None:
    """Once rounded to half precision it stays as it is."""
    once = read_weights(write_weights(weights()))
    assert read_weights(write_weights(once)) == once
    for part, rounded in ((weights().start, once.start), (weights().end, once.end)):
        numbers = zip(memoryview(part).cast("f"), memoryview(rounded).cast("f"), strict=True)
        assert all(a == pytest.approx(b, rel=1e-3, abs=1e-6) for a, b in numbers)


def test_the_shipped_weights_say_what_made_them() -> None:
    made = shipped().made
    assert made["command"].startswith("python -m tetrasolve.tetrarchia.hint.hidden --seed ") and "done" not in made
    assert made["begin"]["command"].startswith("python -m tetrasolve.tetrarchia.hint.learn --seed ")
    assert shipped().networks().width == shipped().width


def test_the_weights_for_modules_have_those_of_the_base_game() -> None:
    """To the last bit, so positions of the base game have one value; and weights of their own."""
    more = shipped(modules=True)
    assert more.know_modules and more.fitted(modules=False).digest == shipped().digest
    assert more.digest != shipped().fitted(modules=True).digest
    assert "hidden --extend --seed " in more.made["command"] and "done" not in more.made
    assert "learn --extend --seed " in more.made["begin"]["begin"]["command"]
    assert more.made["base"] == {"digest": shipped().digest, **shipped().made}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a file of weights"),
        ("{}\n", "expected a file of weights"),
        ('{"format": "other", "features": 587, "width": 4}\n\n\n', "expected tetrasolve-weights/1"),
        ('{"format": "tetrasolve-weights/1", "features": 1, "width": 4, "made": {}}\n\n', "for 587 or 748 features"),
        (
            '{"format": "tetrasolve-weights/1", "features": 587, "width": 4, "made": {}}\nAAAA\n\nAAAA\n',
            "two networks of",
        ),
    ],
)
def test_other_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(WeightsError, match=message):
        read_weights(text)


def test_networks_of_other_sizes_are_refused() -> None:
    with pytest.raises(KernelError, match="a multiple of 4, got 6"):
        Networks(6, b"", b"")
    with pytest.raises(KernelError, match="start: expected"):
        Networks(8, b"short", weights().end)


def test_contributions_are_what_leaving_a_feature_out_changes() -> None:
    position = fast.to_position(in_play("4211", 3, 4), BOARD, Ruleset.from_level("4211"))
    found = contributions(position, weights())
    row = player("4211").features(fast.to_state(position))
    assert len(found) == sum(value != 0 for value in row) and len(row) == FEATURES
    assert evaluate(position, weights()) == pytest.approx(player("4211").value(fast.to_state(position)))
    assert all(-1 < share < 1 for share in found.values()) and any(found.values())


def test_a_game_that_is_over_has_a_value() -> None:
    borders = [1 << BOARD.order[border] for border in BOARD.borders]
    won = kernel.State(garrisons=(borders[0], sum(borders[1:]), 0, 0), result=kernel.WON)

    assert player("5200").value(kernel.State(result=kernel.FALLEN)) == 0
    assert player("5200").value(won) == 1
