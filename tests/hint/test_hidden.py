"""Hidden units are fitted to what a search finds: the fit finds what is there, and a seed means the same again."""

from pathlib import Path

import pytest
from trainings import interrupt_in_second_round

from tetrasolve.tetrarchia.hint.features import FEATURES
from tetrasolve.tetrarchia.hint.weights import read_weights, shipped, write_weights

np = pytest.importorskip("numpy")
hidden = pytest.importorskip("tetrasolve.tetrarchia.hint.hidden")
linear = pytest.importorskip("tetrasolve.tetrarchia.hint.linear")

WORDS = [
    "--seed",
    "3",
    "--games",
    "4",
    "--rounds",
    "2",
    "--others",
    "1",
    "--units",
    "6",
    "--passes",
    "1",
    "--jobs",
    "1",
]


@pytest.fixture
def begin(tmp_path: Path) -> Path:
    """A file of linear weights: those made by hand."""
    guess = linear.first_guess()
    file = tmp_path / "linear.txt"
    file.write_text(write_weights(linear.weights_of(guess, guess, {"command": "by hand"})), "utf-8")
    return file


def some_line(random, units: int):
    """A model with hidden units, with weights by chance."""
    layer = linear.Layer(random.normal(0, 1, (FEATURES, units)), random.normal(0, 1, units), random.normal(0, 2, units))
    return linear.Line(random.normal(0, 0.3, FEATURES), 0.2, layer)


def test_a_model_with_hidden_units_reads_back_from_its_network() -> None:
    """And says the same at any width that has room for its units."""
    random = np.random.default_rng(3)
    line, plain = some_line(random, 6), linear.Line(random.normal(0, 1, FEATURES), 0.1)
    weights = linear.weights_of(line, plain, {})
    rows = random.random((50, FEATURES)).astype(np.float32)

    assert weights.width == 8 and plain.units == 1
    for model, network in ((line, weights.start), (plain, weights.end)):
        again = linear.line_of(network, weights.width)
        assert again.logit(rows) == pytest.approx(model.logit(rows), rel=1e-4, abs=1e-3)
    assert linear.line_of(weights.end, 8).hidden is None
    assert line.scaled(0.5, 1.0).logit(rows) == pytest.approx(0.5 * line.logit(rows) + 1, rel=1e-6)


def test_the_fit_finds_what_no_linear_model_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that a unit decides: the linear model with the least loss is far from them, the fitted one is near."""
    monkeypatch.setattr(hidden, "SPEED", 0.02)
    random = np.random.default_rng(5)
    rows = np.zeros((4000, 8), np.float16)
    rows[:, :2] = random.integers(0, 2, (4000, 2))
    both = (rows[:, 0] == rows[:, 1]).astype(float)
    known = linear.Lessons(rows, 0.1 + 0.8 * both, np.arange(4000))
    nothing = linear.Line(np.zeros(8), 0.0)
    exact = linear.Lessons(rows.astype(np.float32), known.worth, known.game)

    assert hidden.distance(linear.bent(nothing, exact, 1.0), known) > 0.35
    assert hidden.distance(hidden.fitted(hidden.with_units(nothing, 8, random), known, 20, random), known) < 0.1


def test_half_of_the_games_are_at_hard_levels() -> None:
    """And the level of a game depends on the seed and the number alone."""
    levels = [hidden.level_of(7, number).level for number in range(2000)]
    assert levels[:50] == [hidden.level_of(7, number).level for number in range(50)]
    assert levels[:50] != [hidden.level_of(8, number).level for number in range(50)]
    assert 0.5 < sum(level in hidden.HARD for level in levels) / 2000 < 0.65
    assert len(set(levels)) == 81


def test_the_same_command_gives_the_same_weights_in_one_go_or_in_two(tmp_path: Path, begin: Path) -> None:
    """Whatever the number of processes; the files say what made them and what they began with."""
    files = [tmp_path / name / "weights.txt" for name in ("one", "two")]
    for file in files:
        file.parent.mkdir()
    hidden.main([*WORDS, str(begin), str(files[0])])
    interrupt_in_second_round(hidden, [*WORDS, str(begin), str(files[1])])
    assert read_weights(files[1].read_text("utf-8")).made["done"] == 1
    hidden.main([*WORDS, "--measure", "--jobs", "2", str(begin), str(files[1])])

    one, two = (file.read_text("utf-8") for file in files)
    assert one == two
    made = read_weights(one)
    assert made.made["command"].endswith("--others 1 --units 6 --passes 1 linear.txt weights.txt")
    assert made.made["begin"]["command"] == "by hand" and "done" not in made.made
    assert linear.line_of(made.start, made.width).units == 7 and linear.line_of(made.end, made.width).units == 1


def test_a_file_of_another_command_is_left_alone(
    tmp_path: Path, begin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "weights.txt"
    file.write_text(begin.read_text("utf-8"), "utf-8")
    with pytest.raises(SystemExit):
        hidden.main([*WORDS, str(begin), str(file)])
    assert "made by another command: by hand" in capsys.readouterr().err
    assert file.read_text("utf-8") == begin.read_text("utf-8")


def test_weights_for_modules_take_those_of_the_base_game(tmp_path: Path) -> None:
    """And keep their own; joining them twice changes nothing."""
    base = linear.weights_of(some_line(np.random.default_rng(1), 5), linear.first_guess(), {"command": "none"})
    base = read_weights(write_weights(base))
    files = [tmp_path / name for name in ("weights.txt", "weights-modules.txt")]
    files[0].write_text(write_weights(base), "utf-8")
    files[1].write_text(write_weights(shipped(modules=True)), "utf-8")
    hidden.main(["--join", *map(str, files)])
    once = files[1].read_text("utf-8")
    hidden.main(["--join", *map(str, files)])
    found = read_weights(once)

    assert files[1].read_text("utf-8") == once
    assert found.fitted(modules=False).digest == base.digest and found.made["base"]["digest"] == base.digest
    before = shipped(modules=True)
    for part, other in ((found.start, before.start), (found.end, before.end)):
        own, old = linear.line_of(part, found.width), linear.line_of(other, before.width)
        assert own.weights[FEATURES:].tolist() == old.weights[FEATURES:].tolist()


@pytest.mark.parametrize("games", ["2", pytest.param("4", marks=pytest.mark.slow)])
def test_the_weights_of_modules_are_fitted_beside_those_of_the_base_game(tmp_path: Path, games: str) -> None:
    """Those stay as they are, to the last bit; hidden units see the features of modules afterwards."""
    before, units = shipped(modules=True), slice(1, None)
    files = [tmp_path / name for name in ("linear-modules.txt", "weights-modules.txt")]
    files[0].write_text(write_weights(before), "utf-8")
    hidden.main(["--extend", *WORDS, "--games", games, *map(str, files)])
    found = read_weights(files[1].read_text("utf-8"))

    assert found.know_modules and found.digest != before.digest
    assert found.fitted(modules=False).digest == shipped().digest
    assert found.made["base"] == before.made["base"] and found.made["begin"]["digest"] == before.digest
    assert "base" not in found.made["begin"] and " --extend --seed 3 " in found.made["command"]
    rows, old = (
        np.frombuffer(weights.start, np.float32)[:-1].reshape(-1, weights.width) for weights in (found, before)
    )
    assert (rows[:FEATURES] == old[:FEATURES]).all() and (rows[-2:] == old[-2:]).all()
    assert (rows[FEATURES:-2, units] != old[FEATURES:-2, units]).any()
    assert (rows[FEATURES:-2, 0] != old[FEATURES:-2, 0]).any()
    assert found.end != before.end


def test_weights_that_extend_others_are_refused(
    tmp_path: Path, begin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of the base game alone, and those for modules that were fitted beside another network of the base game."""
    guess = linear.first_guess(modules=True)
    other = tmp_path / "other.txt"
    other.write_text(write_weights(linear.weights_of(guess, guess, {"command": "by hand"})), "utf-8")
    for file in (begin, other):
        with pytest.raises(SystemExit):
            hidden.main(["--extend", *WORDS, str(file), str(tmp_path / "weights.txt")])
        assert "expected weights for modules that extend the shipped ones" in capsys.readouterr().err
        assert not (tmp_path / "weights.txt").exists()
