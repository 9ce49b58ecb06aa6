"""How weights are made: what a position was worth, and that a seed means the same again, in one go or in two."""

from pathlib import Path

import pytest
from trainings import interrupt_in_second_round

from tetrasolve.tetrarchia import fast, kernel, rules, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint import features
from tetrasolve.tetrarchia.hint.courses import mixed
from tetrasolve.tetrarchia.hint.evaluation import evaluate
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.weights import Weights, read_weights, shipped
from tetrasolve.tetrarchia.kernel import State
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

np = pytest.importorskip("numpy")
learn = pytest.importorskip("tetrasolve.tetrarchia.hint.learn")
linear = pytest.importorskip("tetrasolve.tetrarchia.hint.linear")

KEPT, STRAYED, COME_TO, OTHER = range(4)
WORDS = ["--seed", "3", "--games", "4", "--rounds", "2", "--others", "1", "--jobs", "1"]


def returns(kinds, known, message, result, discount=1.0):
    return learn.returns(*(np.array(column) for column in (kinds, known, message)), result, discount).tolist()


def test_a_result_less_its_luck() -> None:
    """Two turns of a game that was won: the first phase went better than expected, the second won it."""
    kinds = [KEPT, COME_TO, KEPT, OTHER, COME_TO]
    found = returns(kinds, [0.5, 0.4, 0.7, 0.1, 0.8], [0.5, 0, 0.6, 0, 0], 1.0)

    luck = [0.6 - 0.4, 1.0 - 0.8]
    assert found == pytest.approx([1 - sum(luck), 0.4, 1 - luck[1], 0.1, 0.8])


def test_where_the_line_knows_all_every_position_is_worth_what_it_says() -> None:
    """Values that are means of the values after them: what is left when luck is taken off is the first of them."""
    assert returns([KEPT, COME_TO] * 2, [0.5, 0.5, 0.75, 0.75], [0.5, 0, 0.75, 0], 1.0)[::2] == [0.5, 0.75]
    assert returns([KEPT, COME_TO] * 2, [0.5, 0.5, 0.75, 0.75], [0.5, 0, 0.75, 0], 0.0)[::2] == [0.5, 0.75]


def test_nothing_is_learned_from_a_mistake_about_the_position_before_it() -> None:
    """The start of a turn that strays, and what led there, know what the best way to play would have been worth."""
    kinds = [KEPT, COME_TO, STRAYED, COME_TO, KEPT, COME_TO]
    lost = returns(kinds, [0.5, 0.6, 0.7, 0.1, 0.2, 0.2], [0.5, 0, 0.65, 0, 0.15, 0], 0.0)

    assert lost == pytest.approx([0.7 - (0.65 - 0.6), 0.6, 0.7, 0.1, 0.0 - (0.0 - 0.2), 0.2])


def test_a_win_counts_less_with_each_turn_it_takes() -> None:
    calm = [KEPT, COME_TO, KEPT, COME_TO, KEPT]
    assert returns(calm, [1.0] * 5, [1.0] * 5, 1.0, discount=0.5)[::2] == [0.25, 0.5, 1.0]
    assert returns(calm, [0.0] * 5, [0.0] * 5, 0.0, discount=0.5)[::2] == [0.0] * 3


def test_a_game_without_end_is_lost_from_where_too_few_garrisons_were_left() -> None:
    """The start of the first turn from which they were too few for good is the last position that is reported."""
    kinds = np.array([KEPT, COME_TO, KEPT, OTHER, COME_TO, KEPT, COME_TO])

    def stated(*stuck: int) -> int:
        rows = np.zeros((7, features.FEATURES), np.float32)
        rows[list(stuck), features.NAMES.index("spare -1")] = 1
        return learn.until_stuck(kinds, rows)

    assert stated(4, 5, 6) == 6
    assert stated(1, 2, 3, 4, 5, 6) == stated(2, 3, 4, 5, 6) == 3
    assert stated(3, 4, 5, 6) == stated(1, 4, 5, 6) == 6
    assert stated(0, 1, 2, 3, 4, 5, 6) == 1
    assert stated() == stated(2, 3) == stated(6) == 0  # nothing is known of such a game


def test_the_same_command_gives_the_same_weights_in_one_go_or_in_two(tmp_path: Path) -> None:
    files = [tmp_path / name / "weights.txt" for name in ("one", "two")]
    for file in files:
        file.parent.mkdir()
    learn.main([*WORDS, str(files[0])])
    interrupt_in_second_round(learn, [*WORDS, str(files[1])])
    assert read_weights(files[1].read_text("utf-8")).made["done"] == 1
    learn.main([*WORDS, str(files[1])])

    one, two = (file.read_text("utf-8") for file in files)
    assert one == two
    made = read_weights(one).made
    assert made["command"].startswith("python -m tetrasolve.tetrarchia.hint.learn --seed 3 --rounds 2 --games 4 ")
    assert "done" not in made


def test_a_file_of_another_command_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "weights.txt"
    learn.main([*WORDS, "--rounds", "0", str(file)])
    before = file.read_text("utf-8")
    with pytest.raises(SystemExit):
        learn.main([*WORDS, "--rounds", "0", "--seed", "4", str(file)])

    assert "made by another command: python -m tetrasolve.tetrarchia.hint.learn --seed 3" in capsys.readouterr().err
    assert file.read_text("utf-8") == before


def test_one_network_learns_from_games_with_modules(tmp_path: Path) -> None:
    """The file has inputs for modules, reads back, and plays both the base game and all modules; in one go or in two."""
    words = ["--modules", *WORDS, "--games", "6", "--rounds", "1"]
    files = [tmp_path / name / "weights.txt" for name in ("one", "two")]
    for file in files:
        file.parent.mkdir()
    learn.main([*words, str(files[0])])
    learn.main([*words, "--jobs", "2", str(files[1])])
    assert files[0].read_text("utf-8") == files[1].read_text("utf-8")
    made = read_weights(files[0].read_text("utf-8"))
    assert made.know_modules and made.made["command"].startswith(
        "python -m tetrasolve.tetrarchia.hint.learn --modules "
    )
    position = rules.rolled_scenario("great-persian-war", 1).position
    assert 0 < evaluate(position, made) < 1
    assert 0 < evaluate(rules.random_set_up(Ruleset.from_level("4211"), 1), made) < 1


def test_extended_weights_value_the_base_game_as_before(tmp_path: Path) -> None:
    """The weights of the base game stay as shipped to the last bit; others are no longer 0."""
    file = tmp_path / "weights.txt"
    learn.main(["--extend", *WORDS, "--games", "8", "--rounds", "1", str(file)])
    made = read_weights(file.read_text("utf-8"))

    assert made.know_modules and "learn --extend --seed 3 " in made.made["command"]
    assert made.fitted(modules=False).digest == shipped().digest
    for one, other in zip((made.start, made.end), networks_of(shipped().fitted(modules=True)), strict=True):
        assert np.any(linear.line_of(one).weights != linear.line_of(other).weights)


def networks_of(weights: Weights) -> tuple[bytes, bytes]:
    return weights.start, weights.end


def test_where_nothing_is_known_of_modules_extended_weights_do_not_change() -> None:
    """Rows of the base game say nothing about modules; those that differ by one feature alone decide its weight."""
    size, base = whole.FEATURES_OF_A_POSITION, features.FEATURES
    prior = linear.Line(np.linspace(-0.5, 0.5, size), 0.25)
    rows = np.zeros((400, size), np.float32)
    rows[:, 3] = 1
    some = linear.Lessons(rows, np.full(400, 0.9), np.arange(400))
    assert linear.extended(prior, some, 1.0).weights.tolist() == prior.weights.tolist()

    rows[::2, base + 5] = 1
    found = linear.extended(prior, some, 1e-6)
    changed = np.flatnonzero(found.weights != prior.weights)
    assert changed.tolist() == [base + 5] and found.constant == prior.constant
    assert found.chance(rows[:1].astype(float))[0] == pytest.approx(0.9, abs=1e-3)


def test_rows_of_the_base_game_have_nothing_in_the_features_of_modules() -> None:
    ruleset = Ruleset.from_level("4211")
    player = new_player(Board.standard(), ruleset)
    data = bytes(fast.to_state(rules.random_set_up(ruleset, 1)))
    assert learn.rows_of(player, data, features.FEATURES, kernel).tolist() == [player.features(State.from_bytes(data))]
    longer = learn.rows_of(player, data, whole.FEATURES_OF_A_POSITION, kernel)
    assert longer.shape == (1, whole.FEATURES_OF_A_POSITION) and not longer[0, features.FEATURES :].any()


def test_courses_cover_all_rules_and_depend_on_the_number_alone() -> None:
    drawn = [mixed(7, number) for number in range(300)]
    assert drawn == [mixed(7, number) for number in range(300)] != [mixed(8, number) for number in range(300)]
    assert {course.scenario for course in drawn} == {None, *rules.scenarios()}
    assert {course.fixed for course in drawn if course.scenario} == {True, False}
    alone = {min(course.ruleset.extensions) for course in drawn if len(course.ruleset.extensions) == 1}
    assert alone == {*MODULES, *VARIANTS} and any(not course.ruleset.extensions for course in drawn)
    assert all(course.ruleset.fleets <= 2 for course in drawn if "pirates" in course.ruleset.extensions)
