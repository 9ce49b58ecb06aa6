"""Readings in whole games: counts by another way, how a run stops and continues, and files that are refused."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tetrasolve.errors import FindingError, RulesetError, TetrasolveError
from tetrasolve.exact.estimate import clopper_pearson
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.hint.played import greedy_policy, greedy_results
from tetrasolve.tetrarchia.lint import wholegames
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.points import open_points
from tetrasolve.tetrarchia.lint.wholegames import (
    BATCH,
    FIRST,
    LEVELS,
    ReadingGames,
    Weight,
    games_of,
    goal_of,
    measured_pairs,
    play_games_of_pairs,
    problems,
    reference_pairs,
    stored_games,
    tables_of,
    weight_of,
)
from tetrasolve.tetrarchia.ruleset import READINGS

CHECK = Pair("I-CHECK", "each-link", "one-roll")
ENTRY = Pair("I-ENTRY", "must", "may")
STRENGTH = Path(__file__).parents[2] / "bench" / "results" / "strength-modules.json"


def invented(ruleset, seed, first, games, stop=None):
    """Letters that depend on the numbers of games; one game in ten depends on the reading."""
    if stop is not None and stop.is_set():
        raise Stopped("stopped")
    letters = []
    for number in range(first, first + games):
        random = Random(f"{seed} {ruleset.partition('?')[0]} {number}")
        letter, differs = random.choice("wwlo"), random.random() < 0.1
        letters.append(random.choice("wl") if differs and "I-CHECK" in ruleset else letter)
    return "".join(letters)


def made(series):
    return ReadingGames(0, "by hand", "digest", series)


def named(pair, level):
    return [str(ruleset) for ruleset in tables_of(pair, level)]


def test_a_level_can_have_modules_besides_those_that_a_reading_needs():
    via = Pair("I-VIA-OWN", "allowed", "forbidden")
    assert named(CHECK, "4211+dux") == ["4211+dux", "4211+dux?I-CHECK=one-roll"]
    assert named(via, "5300+dux+via-romana") == named(via, "5300+dux")
    assert named(Pair("I-PIRATES-ZONE", "lower", "higher"), "5300+goths")[0] == "5200+goths+pirates"
    assert goal_of("4211+dux") == goal_of("4211") < goal_of("5300+dux")


@pytest.mark.parametrize(
    "level", ["4211?I-FRESH=wait", "4211?ip=7", "4211+dux+dux", "5300+pirates", "carausian-revolt", "421"]
)
def test_what_is_no_level_is_refused(level):
    with pytest.raises(RulesetError):
        play_games_of_pairs([CHECK], invented, "by hand", levels=[level])


def test_readings_are_found_in_small_letters():
    assert measured_pairs(["i-check"]) == measured_pairs(["I-CHECK"])
    with pytest.raises(FindingError, match="'i-chek' does not exist, expected one like I-CHECK"):
        measured_pairs(["i-chek"])


def test_counts_are_those_of_the_letters():
    first, second = "wwlolwwwl", "wlwolwol"
    found = made(dict(zip(named(CHECK, "4211"), (first, second), strict=True))).compare(CHECK, "4211")
    both = Counter(zip(first, second, strict=False))

    assert found.games == len(second) == both.total()
    assert found.won == (sum(n for (one, _), n in both.items() if one == "w"), second.count("w"))
    assert found.alone == (both["w", "l"] + both["w", "o"], both["l", "w"] + both["o", "w"])
    assert found.difference.value == (found.won[1] - found.won[0]) / found.games
    assert made({}).compare(CHECK, "4211") is None


def test_where_no_game_differs_the_interval_is_that_of_their_share():
    letters = "w" * 500
    found = made(dict.fromkeys(named(CHECK, "4211"), letters)).compare(CHECK, "4211")
    share = clopper_pearson(0, 500, 1 - 0.1 * 0.05)[1]

    assert (found.difference.low, found.difference.high) == (-share, share)


@pytest.mark.parametrize(
    ("only", "weight"),
    [
        ({"4211": (0, 0, 2000)}, Weight.COSMETIC),
        ({"4211": (0, 0, 100)}, Weight.UNKNOWN),
        ({}, Weight.UNKNOWN),
        ({"4211": (20, 60, 10_000)}, Weight.TACTICAL),
        ({"4211": (60, 20, 10_000), "3122": (0, 0, 2000)}, Weight.TACTICAL),
        ({"4211": (0, 0, 2000), "3122": (100, 500, 2000)}, Weight.DECISIVE),
        ({"4211": (500, 100, 2000)}, Weight.DECISIVE),
    ],
)
def test_classes_follow_from_the_intervals(only, weight):
    series = {}
    for level, (first, second, games) in only.items():
        both = [("w", "l")] * first + [("l", "w")] * second + [("w", "w")] * (games - first - second)
        series |= dict(zip(named(CHECK, level), map("".join, zip(*both, strict=True)), strict=True))
    assert weight_of(made(series).comparisons(CHECK)) is weight


def test_games_are_played_until_the_interval_is_narrow():
    found, complete = play_games_of_pairs([CHECK, ENTRY], invented, "invented", levels=["4211", "4222"])
    rows = {(pair.reading, level): found.compare(pair, level) for pair in (CHECK, ENTRY) for level in ("4211", "4222")}

    assert complete
    for row in rows.values():
        assert row.is_narrow == (row.difference.half_width <= goal_of(row.table)) is True
        assert row.games % BATCH == 0
    assert rows["I-CHECK", "4211"].games > rows["I-CHECK", "4222"].games > rows["I-ENTRY", "4222"].games >= FIRST
    # what one reading needs of the table of the defaults is no part of the comparison of another one
    alone, _ = play_games_of_pairs([ENTRY], invented, "invented", levels=["4211"])
    assert alone.compare(ENTRY, "4211") == rows["I-ENTRY", "4211"]


def test_most_games_end_a_run():
    found, complete = play_games_of_pairs([CHECK], invented, "invented", levels=["4211"], most=260)
    assert complete
    assert found.compare(CHECK, "4211").games == 260
    assert not found.compare(CHECK, "4211").is_narrow


def test_an_interrupted_run_continues_with_the_same_result(tmp_path):
    whole, _ = play_games_of_pairs([CHECK, ENTRY], invented, "invented", levels=["4222"])
    work, calls = tmp_path / "games.work", 0
    while True:
        cancel, left = Stop(), 13

        def until_cancelled(*arguments, cancel=cancel):
            nonlocal left
            left -= 1
            if not left:
                cancel.set()
            return invented(*arguments)

        found, complete = play_games_of_pairs(
            [CHECK, ENTRY], until_cancelled, "invented", levels=["4222"], work=work, cancel=cancel
        )
        calls += 1
        if complete:
            break
    assert calls > 2
    assert found == whole


def test_the_number_of_processes_changes_nothing():
    one, _ = play_games_of_pairs([ENTRY], invented, "invented", levels=["4200"])
    two, complete = play_games_of_pairs([ENTRY], invented, "invented", levels=["4200"], workers=2)
    assert complete
    assert one == two


def test_time_ends_a_run_within_a_batch():
    found, complete = play_games_of_pairs(
        measured_pairs(), greedy_results, greedy_policy(), levels=["4222"], seconds=0.2
    )
    assert not complete
    assert sum(map(len, found.series.values())) < 10 * FIRST


def test_every_pair_that_kernels_play_is_measured():
    for reading in READINGS.values():
        pairs = measured_pairs([reading.name])
        assert len(pairs) == len(reading.played) * (len(reading.played) - 1) // 2
        for pair in pairs:
            for level in LEVELS:
                for ruleset in tables_of(pair, level):
                    assert reading.applies(ruleset.extensions)
                    ruleset.require_kernel()
    with pytest.raises(FindingError, match="I-NOTHING"):
        measured_pairs(["I-NOTHING"])
    with pytest.raises(RulesetError, match="garrisons is 9"):
        play_games_of_pairs([CHECK], invented, "invented", levels=["9999"])


def test_games_are_those_of_the_measured_strength():
    """The same games as another program played and kept: seed 285, with the weights of the library."""
    if not STRENGTH.is_file():
        pytest.skip("the source tree is absent")
    kept = {
        entry["level"]: entry["outcomes"]
        for entry in json.loads(STRENGTH.read_text("utf-8"))["series"]
        if entry["name"] == "greedy" and entry.get("opponent") is None
    }
    for level in ("4211", "5300", "4222", "4211+mare-nostrum"):
        assert greedy_results(level, 285, 3, 6) == kept[level][3:9]


def test_the_stored_games_are_right():
    stored = stored_games()
    assert not [*problems(stored, greedy_results, greedy_policy())]
    names = sorted(stored.series)
    some = {name: stored.series[name] for name in names[:: max(1, len(names) // 12)]}
    assert not [
        *problems(
            ReadingGames(stored.seed, stored.policy, stored.rules, some), greedy_results, greedy_policy(), sample=2
        )
    ]
    assert any(stored.comparisons(pair) for pair in measured_pairs())


def test_games_that_were_not_played_are_found():
    ruleset = named(CHECK, "5300")[1]
    letters = greedy_results(ruleset, 0, 0, 3)
    forged = letters[:2] + ("l" if letters[2] == "w" else "w")
    right, wrong = (ReadingGames(0, greedy_policy(), stored_games().rules, {ruleset: one}) for one in (letters, forged))

    assert not [*problems(right, greedy_results, greedy_policy(), sample=3)]
    assert "5300?I-CHECK=one-roll" in "".join(problems(wrong, greedy_results, greedy_policy(), sample=3))
    other = ReadingGames(0, "another policy", "other rules", {"4211+dux+vicarius": "w"})
    assert len([*problems(other, greedy_results, greedy_policy())]) == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "tetrasolve-reading-games/1"),
        ({"series": {"4211": "wx"}}, "'x'"),
        ({"series": {"4211+nothing": "w"}}, "nothing"),
        ({"series": {"4211?I-CHECK=each-link": "w"}}, "expected the ruleset 4211"),
        ({"series": ["4211"]}, "series"),
        ({"seed": -1}, "seed"),
        ({"more": 1}, "more"),
    ],
)
def test_a_file_that_is_not_right_is_refused(tmp_path, change, said):
    path = tmp_path / "games.json"
    made({"4211": "wlo"}).write(path)
    assert ReadingGames.read(path.read_text("utf-8"), "games.json") == made({"4211": "wlo"})
    data = json.loads(path.read_text("utf-8")) | change
    with pytest.raises(TetrasolveError, match=r"games\.json.*") as found:
        ReadingGames.read(json.dumps(data), "games.json")
    assert said in str(found.value)


def test_goals_are_as_the_docs_say():
    assert [goal_of(table) for table in ("4211", "3122+dux", "5200+pirates")] == [0.01, 0.01, 0.02]
    assert wholegames.DECISIVE == 0.02


def test_open_points_have_the_class_of_all_their_pairs():
    for point in open_points():
        names = [point.question.reading]
        rows = [games_of(pair).comparisons(pair) for pair in (*measured_pairs(names), *reference_pairs(names))]
        every = [row for found in rows for row in found]
        if any(row.is_decisive for row in every):
            assert point.in_games is Weight.DECISIVE
        elif any(row.excludes_zero for row in every):
            assert point.in_games is Weight.TACTICAL
        else:
            measured = bool(rows) and all(rows) and all(row.is_narrow for row in every)
            assert point.in_games is (Weight.COSMETIC if measured else Weight.UNKNOWN)
