"""The scripts of bench/ do what they say; nothing here looks at how fast anything is."""

import json
import subprocess
import sys
from argparse import Namespace
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tetrasolve.exact.binomial import wilson

BENCH = Path(__file__).parents[2] / "bench"
SCRIPTS = ("movegen", "phase", "games")

pytestmark = pytest.mark.skipif(not (BENCH / "benchkit").is_dir(), reason="the source tree is absent")


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The modules of bench/, by name."""
    monkeypatch.syspath_prepend(str(BENCH))
    kit = ("race", "suite", "peers", "command", "facts")
    modules = {name: import_module(f"benchkit.{name}") for name in kit}
    return SimpleNamespace(**modules, **{name: import_module(name) for name in SCRIPTS})


def run(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / f"{script}.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_quick_run_without_peers_writes_json(script: str, tmp_path: Path) -> None:
    result = run(script, "--quick", "--no-peers", "--clock", "wall", "--json", str(tmp_path / "out.json"))

    assert result.returncode == 0, result.stderr
    report = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert {"commit", "versions", "machine", "kernel", "seed", "work", "results", "ratios", "missing"} <= set(report)
    assert report["bench"] == script and report["quick"]
    for entry in report["results"].values():
        assert len(entry["seconds"]) == report["repetitions"]
        for spread in entry["per_second"].values():
            assert 0 < spread["min"] <= spread["median"] <= spread["max"]
    assert result.stdout.startswith(f"{script}: ")
    assert "repetition 1 of 2" in result.stderr


def test_the_plan_script_measures_the_expectimax(tmp_path: Path) -> None:
    """The other part needs solvers and minutes; its numbers are checked by what it refuses to differ on."""
    result = run("plan", "--expect", "--quick", "--json", str(tmp_path / "out.json"))

    assert result.returncode == 0, result.stderr
    report = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert report["quick"] and report["rows"]
    assert run("plan", "--speed").returncode == 2


@pytest.mark.parametrize("script", SCRIPTS)
def test_too_few_repetitions_are_refused(script: str) -> None:
    result = run(script, "--repetitions", "4")

    assert result.returncode == 2
    assert "expected at least 5, got 4" in result.stderr


def test_contestants_take_turns_and_ratios_are_taken_within_a_repetition(scripts: Any) -> None:
    now, order = [0.0], []

    def contestant(name: str, seconds: list[float]) -> Any:
        def work() -> dict[str, int]:
            order.append(name)
            now[0] += seconds.pop(0)
            return {"things": 6}

        return scripts.race.Contestant(name, work, lambda: now[0], stretch=False)

    # The machine is three times slower in the second repetition, for both
    run = scripts.race.race([contestant("fast", [9, 1, 3, 1]), contestant("slow", [9, 2, 6, 2])], 3, seconds=0)
    ratio = scripts.race.Ratio("r", ("fast", "things"), ("slow", "things"), goal=2.5)
    absent = scripts.race.Ratio("a", ("fast", "things"), ("nobody", "things"))

    assert order == ["fast", "slow", "fast", "slow", "slow", "fast", "fast", "slow"]
    assert run.rates("fast", "things") == [6, 2, 6]
    assert run.ratios_json([ratio, absent]) == {"r": {"median": 2, "min": 2, "max": 2, "goal": 2.5, "reached": False}}


def test_short_work_is_repeated_until_a_run_is_long_enough(scripts: Any) -> None:
    now = [0.0]

    def work() -> dict[str, int]:
        now[0] += 0.125
        return {"things": 1}

    run = scripts.race.race([scripts.race.Contestant("one", work, lambda: now[0])], 2, seconds=1)

    assert [(dict(r.counts), r.seconds) for r in run.runs["one"]] == [({"things": 8}, 1), ({"things": 8}, 1)]


def test_a_clock_that_stands_still_is_an_error(scripts: Any) -> None:
    with pytest.raises(scripts.race.BenchError, match="too short for its clock"):
        scripts.race.race([scripts.race.Contestant("one", lambda: {"things": 1}, lambda: 0.0)], 1, seconds=1)


def test_the_positions_come_from_their_seed_and_cover_every_level(scripts: Any) -> None:
    from tetrasolve.tetrarchia.position import Phase
    from tetrasolve.tetrarchia.ruleset import all_levels

    made = scripts.suite.make(scripts.suite.SEED)
    kept = [line for line in scripts.suite.POSITIONS.read_text("utf-8").splitlines() if line[0] != "#"]

    assert made == scripts.suite.make(scripts.suite.SEED)
    assert len(kept) == len(set(kept))
    for phase in Phase:
        levels = {str(entry.position.ruleset) for entry in scripts.suite.read(phase)}
        assert levels >= {str(level) for level in all_levels()}


def test_positions_survive_being_written(scripts: Any, tmp_path: Path) -> None:
    from tetrasolve.tetrarchia.position import Phase

    made = scripts.suite.make(1)
    scripts.suite.write(made, 1, tmp_path / "positions.txt")
    read = [entry.position for phase in Phase for entry in scripts.suite.read(phase, tmp_path / "positions.txt")]

    assert sorted(map(str, read)) == sorted(map(str, made))


def test_leaves_are_the_same_counted_and_played(scripts: Any) -> None:
    from tetrasolve.tetrarchia.position import Phase

    entries = list(scripts.suite.read(Phase.ROMAN))[:9]

    assert scripts.movegen.leaves(entries, 3, True) == scripts.movegen.leaves(entries, 3, False)


def test_every_way_of_working_out_phases_tells_the_same(scripts: Any) -> None:
    from tetrasolve.tetrarchia.position import Phase

    entries = list(scripts.suite.read(Phase.BARBARIAN))
    some = scripts.phase.moderate(entries, scripts.phase.sizes(entries), 3, seed=1)
    stated = scripts.phase.figures(some)

    assert len(some) == 3
    assert some == scripts.phase.moderate(entries, scripts.phase.sizes(entries), 3, seed=1)
    assert stated == scripts.phase.reference(some) == scripts.phase.outcomes_listed(some)
    seen = scripts.phase.visits(some)()
    assert seen["phases"] == 3 and seen["visits"] >= stated["outcomes"]
    assert scripts.phase.distribution([1, 2, 6]) == {"phases": 3, "median": 2, "mean": 3, "max": 6, "outcomes": 9}


def test_games_are_counted(scripts: Any) -> None:
    done = scripts.games.play(scripts.games.levels()[:2], 3, seed=1)

    assert done["games"] == 6 and done["states"] > 6


def test_a_missing_peer_is_one_line_and_the_rest_continues(
    scripts: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in ("chess", "pyspiel"):
        monkeypatch.setitem(sys.modules, module, None)
    bench = scripts.command.Bench("name", Namespace(peers=True, stockfish="no-such-engine", clock="wall", seed=1))

    assert bench.start_stockfish(3) == []
    assert bench.peer(lambda: scripts.peers.python_chess(2, True)) is None
    assert bench.peer(lambda: scripts.peers.OpenSpiel(1, 1, True)) is None
    assert bench.missing == ["Stockfish", "python-chess", "OpenSpiel"]
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3 and all(line.startswith("name: ") and "is missing" in line for line in lines)


def test_python_chess_counts_its_known_leaves(scripts: Any) -> None:
    pytest.importorskip("chess")

    assert scripts.peers.python_chess(2, True).work() == {"nodes": 400}


def test_a_program_that_is_no_stockfish_is_refused(scripts: Any) -> None:
    with pytest.raises(scripts.race.BenchError, match="ended before it sent 'id name'"):
        scripts.peers.Stockfish(True, "true")


def test_facts_name_no_folder_of_this_machine(scripts: Any) -> None:
    stated = json.dumps([scripts.facts.machine(), scripts.facts.compiled_kernel(), scripts.facts.commit()])

    assert str(BENCH.parent) not in stated
    assert str(Path.home()) not in stated


@pytest.mark.parametrize(("value", "text"), [(3.14159, "3.14"), (1234.5, "1234"), (45_678, "45.7k"), (2.5e9, "2.5G")])
def test_numbers_are_short(scripts: Any, value: float, text: str) -> None:
    assert scripts.command._number(value) == text


def test_the_strength_script_continues_from_what_it_has_played(tmp_path: Path) -> None:
    """More games add to those that were played, which stay what they were; as many change nothing."""
    kept, words = tmp_path / "kept.json", ["--levels", "4211", "--policies", "random,greedy"]
    outcomes = []
    for games in ("2", "3", "3"):
        result = run("strength", "--games", games, "--json", str(kept), *words)
        assert result.returncode == 0, result.stderr
        series = json.loads(kept.read_text("utf-8"))["series"]
        outcomes.append({entry["name"]: entry["outcomes"] for entry in series})
        assert result.stdout.startswith("level")

    assert outcomes[1] == outcomes[2] and {*outcomes[0]} == {"random", "greedy"}
    for name, first in outcomes[0].items():
        assert len(first) == 2 and len(outcomes[1][name]) == 3 and outcomes[1][name].startswith(first)
    (pair,) = json.loads(kept.read_text("utf-8"))["compared"]
    assert (pair["first"], pair["second"], pair["games"]) == ("greedy", "random", 3)
    assert run("strength", "--policies", "best").returncode == 2


def test_modules_and_scenarios_stand_for_levels(tmp_path: Path) -> None:
    """Each with the weights that ship for it; what is neither is refused in a sentence."""
    from tetrasolve.tetrarchia.hint.weights import shipped

    kept, levels = tmp_path / "kept.json", ["4211+goths", "great-persian-war fixed"]
    result = run("strength", "--levels", ",".join(levels), "--policies", "greedy", "--games", "2", "--json", str(kept))
    assert result.returncode == 0, result.stderr
    series = json.loads(kept.read_text("utf-8"))["series"]
    both = f"{shipped().digest}+{shipped(modules=True).digest}"
    assert {entry["level"]: entry["weights"] for entry in series} == dict.fromkeys(levels, both)
    assert [len(entry["outcomes"]) for entry in series] == [2, 2]
    refused = run("strength", "--levels", "4211+romans")
    assert refused.returncode == 2 and "'romans' is no module or variant" in refused.stderr


def test_weights_are_compared_on_the_same_games(tmp_path: Path) -> None:
    """Another file of weights gets a series of its own, beside that of the shipped ones."""
    from tetrasolve.tetrarchia.hint.weights import Weights, shipped, write_weights

    ours = shipped()
    other = Weights(ours.width, ours.start, bytes(len(ours.end)), {"made": "of nothing"})
    (tmp_path / "other.txt").write_text(write_weights(other), "utf-8")
    kept, words = tmp_path / "kept.json", ["--levels", "4211", "--policies", "random,greedy", "--games", "3"]
    for more in ([], ["--weights", str(tmp_path / "other.txt")]):
        result = run("strength", "--json", str(kept), *words, *more)
        assert result.returncode == 0, result.stderr

    data = json.loads(kept.read_text("utf-8"))
    first, second = data["weights"]
    assert [(entry["name"], entry["weights"]) for entry in data["series"]] == [
        ("random", None), ("greedy", first), ("greedy", second),
    ]  # fmt: skip
    pairs = [(found["first"], found["second"], found["weights"]) for found in data["compared"]]
    assert pairs == [
        ("greedy", "random", [first, None]), ("greedy", "random", [second, None]), ("greedy", "greedy", [second, first]),
    ]  # fmt: skip
    assert f"greedy {second[:6]} against greedy {first[:6]}" in result.stdout


@pytest.mark.usefixtures("scripts")
def test_the_calibration_script_counts_games_not_positions(tmp_path: Path) -> None:
    """Tables of one game share its outcome; bins and scores are those of the definition."""
    calibration = import_module("calibration")
    samples = [
        calibration.Sample(*one)
        for one in ((0.05, 0, False), (0.15, 0, False), (0.12, 1, True), (0.18, 1, True), (1.0, 1, True))
    ]
    low, middle, high = calibration.reliability(samples, 0.95)
    assert [row["tables"] for row in (low, middle, high)] == [1, 3, 1]
    assert (middle["games"], middle["effective"], middle["predicted"], middle["won"]) == (2, 1, 0.15, 0.6667)
    assert middle["ci"][0] <= middle["won"] <= middle["ci"][1]
    score = calibration.brier(samples, 0.95)
    assert score["brier"] == pytest.approx((0.05**2 + 0.15**2 + 0.88**2 + 0.82**2) / 5, abs=1e-5)
    assert score["brier_of_base_rate"] == pytest.approx(0.6 * 0.4)
    assert score["gain"]["value"] == pytest.approx(score["brier_of_base_rate"] - score["brier"], abs=2e-5)

    row = calibration.difference("4211", samples, 0.95)
    assert (row["games"], row["hints"], row["predicted"], row["won"]) == (2, 5, 0.3, 0.6)
    low, high = wilson(1, 1, 0.95)  # games of two and three hints count as one, and 0.6 of it was won
    assert row["effective"] == 1 and row["difference"]["value"] == -0.3
    assert row["difference"]["ci"] == pytest.approx([0.3 - high, 0.3 - low], abs=1e-4)
    sure = [calibration.Sample(0.97, game, won=True) for game in range(50)]
    low, high = calibration.difference("5300", sure, 0.95)["difference"]["ci"]
    assert low == -0.03 and 0.03 < high < 0.06  # none of 50 games was lost: one of 30 still can be

    result = run("calibration", "--quick", "--json", str(tmp_path / "out.json"))
    assert result.returncode == 0, result.stderr
    report = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert {"seed", "commit", "weights", "policy"} <= set(report) and report["games"] == 6
    assert set(report["moments"]) == {"start", "end", "hint"}
    for moment, found in report["moments"].items():
        assert sum(row["tables"] for row in found["bins"]) == found["tables"] > 10 and found["games"] == 6, moment
    assert [row["group"] for row in report["groups"]] == list(calibration.GROUPS[::9])
    assert all(row["games"] == 1 and row["hints"] for row in report["groups"])
    assert all(sum(found["tables"] for found in row["bins"]) == row["hints"] for row in report["groups"])
    assert run("calibration", "--quick", "--keep").returncode == 2


def test_the_calibration_script_asks_for_a_hint_at_one_turn_of_four() -> None:
    """Game number n has its first hint so that the games share the turns out, and then one in four turns."""
    calibration = import_module("calibration")
    found = calibration.tables(calibration.shipped(), 5, seed=3)
    starts, hints = (Counter(sample.game for sample in found[moment]) for moment in ("start", "hint"))
    assert set(starts) == set(range(5))
    assert all(hints[game] == (game % 4 + starts[game]) // 4 for game in range(5))


def test_the_worst_phase_has_a_result_and_its_own_row() -> None:
    """What is kept is of the position in the data file, and each question has a status."""
    result = run("worst_phase", "--show")

    assert result.returncode == 0, result.stderr
    row = (BENCH / "worst-phase.txt").read_text("utf-8").splitlines()[-1]
    kept = json.loads((BENCH / "results" / "worst_phase.json").read_text("utf-8"))
    assert kept["position"] == row and row in result.stdout
    assert set(kept["questions"]) == {"hint", "risk", "horizon", "plan"}
    assert all(question["status"] for question in kept["questions"].values())


def test_first_answers_are_timed_where_they_take_longest() -> None:
    """What is kept is of the positions in the data file; the search yields positions that take longer and longer."""
    slowest = [row for row in (BENCH / "first-answer.txt").read_text("utf-8").splitlines() if not row.startswith("#")]
    kept = json.loads((BENCH / "results" / "first_answer.json").read_text("utf-8"))
    assert [row["position"] for row in kept["positions"]] == slowest
    assert run("first_answer", "--show").returncode == 0

    result = run("first_answer", "--search", "0.5", "--seed", "3")
    assert result.returncode == 0, result.stderr
    times = [float(line.split(" ms  ")[0]) for line in result.stdout.splitlines()]
    assert times and times == sorted(times)


@pytest.mark.usefixtures("scripts")
def test_two_versions_have_a_result_that_says_what_its_numbers_say() -> None:
    """Each task is there, a goal is reached where the median says so, and both versions choose the same plans."""
    versions = import_module("versions")
    kept = json.loads((BENCH / "results" / "versions.json").read_text("utf-8"))

    assert not kept["quick"] and kept["commit"]["changed_files"] in (0, 3)  # 3: the weights of the other version
    assert {*kept["ratios"]} == {*versions.TIMES} and {*kept["choices"]} == {*kept["differ"]} == {
        "greedy",
        "hints",
        "hint",
    }
    for name, found in kept["ratios"].items():
        assert found["goal"] == versions.GOALS.get(name, versions.GOAL)
        assert (
            found["reached"] == (found["median"] <= found["goal"]) and found["min"] <= found["median"] <= found["max"]
        )
    assert kept["ratios"]["greedy"]["reached"] and kept["ratios"]["hints"]["reached"]
    assert not any(kept["differ"].values()) and all(kept["choices"].values())
    assert run("versions", "--show").returncode == 0


@pytest.mark.slow
def test_a_version_is_as_fast_as_itself_and_chooses_the_same(tmp_path: Path) -> None:
    result = run("versions", "--other", sys.executable, "--repetitions", "1", "--json", str(tmp_path / "out.json"))
    data = json.loads((tmp_path / "out.json").read_text("utf-8"))

    assert all(name in result.stdout for name in data["ratios"]), result.stderr
    assert data["choices"]["greedy"] > 100 and not any(data["differ"].values())


@pytest.mark.usefixtures("scripts")
def test_large_phases_have_a_result_that_says_what_its_numbers_say(tmp_path: Path) -> None:
    """What is kept is of the positions in the data file, all of about a million outcomes; the script takes another version too."""
    large = import_module("large_phases")
    kept = json.loads((BENCH / "results" / "large_phases.json").read_text("utf-8"))
    assert [row["position"] for row in kept["positions"]] == large.positions()
    assert all(500_000 < row["outcomes"] <= row["visits"] for row in kept["positions"])
    shown = run("large_phases", "--show")
    assert shown.returncode == 0
    for line, row in zip(shown.stdout.splitlines()[1:], kept["positions"], strict=True):
        reached = sorted(row["nanoseconds"])[len(row["nanoseconds"]) // 2] <= kept["goal"]
        assert row["position"] in line and ("goal 40: reached" if reached else "goal 40: missed") in line

    result = run("large_phases", "--quick", "--other", sys.executable, "--json", str(tmp_path / "out.json"))
    assert result.returncode == 0, result.stderr
    rows = json.loads((tmp_path / "out.json").read_text("utf-8"))["positions"]
    assert [row["outcomes"] for row in rows] == [row["outcomes"] for row in kept["positions"]]
    assert all(len(row["nanoseconds"]) == len(row["other"]) == 1 for row in rows)
