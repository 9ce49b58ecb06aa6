"""The profile of the rules in play: its counts, its intervals, and how it is kept and continued."""

import json
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache
from statistics import stdev

import pytest
from click.testing import CliRunner

from tetrasolve.cli.main import program
from tetrasolve.errors import FindingError
from tetrasolve.exact.checkpoint import FileLock
from tetrasolve.exact.estimate import student
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.hint.played import greedy_game
from tetrasolve.tetrarchia.lint import profile as profiles
from tetrasolve.tetrarchia.lint.inplay import all_rules, applications
from tetrasolve.tetrarchia.lint.profile import (
    Profile,
    RuleCounts,
    kept_profile,
    new_profile,
    play_games,
    problems,
    stored_profile,
)


@cache
def real_games():
    return {f"0 5300 {number}": greedy_game("5300", f"0 5300 {number}") for number in range(4)}


def known(table, seed, stop=None):
    """Games that are played already."""
    del table, stop
    return real_games()[seed]


def played(games=4):
    found = new_profile(0, "test")
    assert play_games(found, ["5300"], games, known)
    return found


def test_counts_are_sums_over_games():
    tally = played().tables["5300"]
    counts = [applications(game) for game in real_games().values()]

    assert tally.games == len(real_games())
    assert tally.won == sum(game.result == "won" for game in real_games().values())
    for rule in tally.steps:
        each = [count[rule] for count in counts]
        assert tally.steps[rule] == sum(each)
        assert tally.squares[rule] == sum(steps**2 for steps in each)
        assert tally.games_with[rule] == sum(steps > 0 for steps in each)
    assert {rule for count in counts for rule in count} == {rule for rule, n in tally.games_with.items() if n}
    assert {rule for rule, n in tally.games_with.items() if n == 0} == {*tally.never()}


def test_intervals_are_those_of_their_methods():
    """Student's for the mean; Clopper and Pearson's for the share, whose bound where nothing was seen has a closed form."""
    each = [*range(30), *[0] * 20]
    tally = RuleCounts(
        50, 50, 0, 900, {"a": sum(each), "b": 0}, {"a": sum(x * x for x in each), "b": 0}, {"a": 29, "b": 0}
    )
    mean = tally.mean("a")

    assert mean.value == sum(each) / 50
    assert mean.half_width == pytest.approx(student(0.95, 49) * stdev(each) / 50**0.5)
    assert tally.share("b").high == pytest.approx(1 - 0.025 ** (1 / 50))
    assert tally.share("b").low == 0
    assert RuleCounts(19, 19, 0, 0, {"a": 1}, {"a": 1}, {"a": 1}).mean("a") is None


def test_examples_cover_every_rule_that_applied():
    found = played()

    assert problems(found) == []
    assert {rule for example in found.examples for rule in example.rules} == found.applied()
    for example in found.examples:
        others = {rule for other in found.examples if other is not example for rule in other.rules}
        assert not {*example.rules} <= others, "each is needed"


# -- files -------------------------------------------------------------------------------------------------------------


def test_an_interrupted_profile_goes_on_where_it_was(tmp_path):
    path = tmp_path / "profile.json"
    first = kept_profile(path, 0, "test")
    assert play_games(first, ["5300"], 1, known, path=path)
    again = kept_profile(path, 0, "test")
    assert again == first
    assert play_games(again, ["5300"], 4, known, path=path)

    assert Profile.read(path.read_text("utf-8"), "file") == played()


def test_two_runs_do_not_write_one_file(tmp_path):
    path = tmp_path / "profile.json"
    asked = ["lint", "profile", "5300", "--games", "1", "--out", str(path)]
    with FileLock(path):
        refused = CliRunner().invoke(program, asked)
    assert refused.exit_code != 0
    assert not path.exists()
    assert "in use by this process" in str(refused.exception)

    assert CliRunner().invoke(program, asked).exit_code == 0
    assert Profile.read(path.read_text("utf-8"), "file").tables["5300"].games == 1


def test_a_profile_stops_when_it_is_told(tmp_path):
    path = tmp_path / "profile.json"
    stop = Stop()

    def first_only(table, seed, flag):
        stop.set()
        return known(table, seed, flag)

    found = new_profile(0, "test")
    assert not play_games(found, ["5300"], 4, first_only, path=path, cancel=stop)
    assert found.tables["5300"].games == 1
    assert Profile.read(path.read_text("utf-8"), "file") == found
    assert not play_games(found, ["5300"], 4, known, seconds=0)
    assert not play_games(new_profile(0, "test"), ["5300"], 1, greedy_game, cancel=stop), "also within a game"


def test_what_is_done_is_kept_when_a_game_fails(tmp_path):
    path = tmp_path / "profile.json"

    def fails_later(table, seed, stop):
        if seed.endswith(" 2"):
            raise RuntimeError("no more")
        return known(table, seed, stop)

    with pytest.raises(RuntimeError):
        play_games(new_profile(0, "test"), ["5300"], 4, fails_later, path=path)

    assert kept_profile(path, 0, "test").tables["5300"].games == 2


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seed": 1}, "a profile with seed 1, here 0"),
        ({"policy": "other"}, "a profile with policy 'other', here 'test'"),
        ({"about": "0"}, "a profile with rules '0'"),
    ],
)
def test_another_profile_is_not_gone_on_with(tmp_path, changed, words):
    path = tmp_path / "profile.json"
    replace(new_profile(0, "test"), **changed).write(path)

    with pytest.raises(FindingError, match=words):
        kept_profile(path, 0, "test")


def changed(**changes):
    data = {"format": profiles.FORMAT, **asdict(played(1))}
    tally = data["tables"]["5300"]
    for name, value in changes.items():
        (tally if name in tally else data)[name] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "file: "),
        ("[]", "expected a profile that says 'tetrasolve-profile/1'"),
        ('{"format": "tetrasolve-profile/1"}', "seed, policy, about"),
        (changed(won=2), "2 games won and 0 lost of 1"),
        (changed(games=-1), "games of '5300' of tables of file: found -1"),
        (changed(squares={}), "expected three counts for each rule"),
        (changed(games_with={}, steps={}, squares={"p04-win": 1}), "expected three counts"),
        (changed(games_with={"p99-no": 0}, steps={"p99-no": 0}, squares={"p99-no": 0}), "'p99-no' is no rule"),
        (changed(games_with={"p04-win": 1}, steps={"p04-win": 0}, squares={"p04-win": 0}), "0 steps in 1 of 1"),
        (changed(games_with={"p04-win": 1}, steps={"p04-win": 3}, squares={"p04-win": 2}), "3 steps in 1 of 1"),
    ],
)
def test_what_is_no_profile_is_refused(text, words):
    with pytest.raises(FindingError) as error:
        Profile.read(text, "file")

    assert words in str(error.value)


def test_an_example_that_shows_something_else_is_found():
    """Forged: it says that a rule applies which does not; it leaves a phase out; the cover misses a rule."""
    found = played(1)
    (example,) = found.examples
    never = next(rule for rule in found.tables["5300"].never())
    said = tuple(rule for rule in all_rules() if rule in {*example.rules, never})
    dice = next(i for i, line in enumerate(example.record) if line.startswith("dice:"))
    cut = (*example.record[:dice], *example.record[dice + 1 :])

    assert problems(replace(found, examples=(replace(example, rules=said),))) == [
        "5300, game 0: other rules apply in it than it says"
    ]
    assert "5300, game 0: " in problems(replace(found, examples=(replace(example, record=cut),)))[0]
    assert "expected an example of each rule" in problems(replace(found, examples=()))[0]
    assert problems(replace(found, about="0"))[0] == "the profile is about other rules, or another board"


# -- the one that comes with the library -------------------------------------------------------------------------------


def test_the_stored_profile_is_replayed():
    assert problems(stored_profile()) == []


def test_the_stored_profile_has_the_tables_of_its_recipe():
    found = stored_profile()
    levels = {"5300", "4211", "4221", "4222", "3122"}

    assert levels <= found.tables.keys()
    assert min(found.tables[level].games for level in levels) >= 300
    for tally in found.tables.values():
        assert tally.share("p11-at-once").value >= Fraction(9, 10), "games come to an end"
