"""Every long job gives on a cluster what it gives in one process."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from daskcluster import kill, local_cluster

from tetrasolve.claims import proving, robust
from tetrasolve.cli.main import run
from tetrasolve.errors import ClusterError
from tetrasolve.exact.cluster import Cluster
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.lint import wholegames
from tetrasolve.tetrarchia.facts.subject import standard_subject
from tetrasolve.tetrarchia.hint.played import greedy_game
from tetrasolve.tetrarchia.lint import profile, search
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import shipping as puzzles
from tetrasolve.tetrarchia.puzzle.recipe import puzzles_of_game, recipe
from tetrasolve.tetrarchia.risk import compare, layers, rollout, splitting
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.scenario import measuring
from tetrasolve.tetrarchia.scenario import shipping as scenarios

pytest.importorskip("distributed")

BEFORE_ROMA = "4211 D:6 -/-/-/- 23 sic sic - -/-/-/-"
BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    with local_cluster() as cluster:
        yield cluster


@pytest.fixture
def cluster(dask: Any) -> Iterator[Cluster]:
    with Cluster.connect(dask.scheduler_address) as found:
        yield found


@pytest.fixture
def both(dask: Any, capsys: pytest.CaptureFixture[str]) -> Any:
    """What a command prints by one process, after it did so on the cluster."""

    def compare_both(*words: str, code: int = 0) -> str:
        printed = []
        for more in (["--cluster", dask.scheduler_address], ["--workers", "1"]):
            assert run([*words, *more]) == code
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1]
        return printed[1]

    return compare_both


def test_a_horizon(both: Any) -> None:
    data = json.loads(both("risk", BEFORE_ROMA, "--horizon", "3", "--runs", "200", "--json"))
    assert [row["phase"] for row in data["phases"]] == [1, 2, 3]


@pytest.mark.parametrize("level", ["5300", pytest.param("3122", marks=pytest.mark.slow)])
def test_house_rules(both: Any, tmp_path: Path, level: str) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("[house]\nborders-to-win = 3\n", "utf-8")
    words = ("lint", "house", str(rules), "--level", level, "--games", "25", "--no-facts", "--seed", "2")
    assert "25 games" in both(*words)


def test_facts_are_proved_and_their_files_are_written_here(dask: Any, tmp_path: Path) -> None:
    files = {}
    for name, more in (("here", ["--workers", "1"]), ("there", ["--cluster", dask.scheduler_address])):
        folder = tmp_path / name
        assert run(["facts", "prove", "barrier", "map/radius", "map/border", "--folder", str(folder), *more]) == 0
        assert run(["facts", "robust", "map/radius", "--folder", str(folder), *more]) == 0
        files[name] = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}
    assert files["here"] == files["there"]
    assert any(path.suffix == ".cert" for path in files["here"])


@pytest.mark.parametrize(
    ("reading", "size", "batches"),
    [("I-ROMA-COVERED", 1, 2), pytest.param("I-CHECK", 2, 3, marks=pytest.mark.slow)],
)
def test_a_search_for_differences(dask: Any, tmp_path: Path, reading: str, size: int, batches: int) -> None:
    """Sizes are enumerated and batches drawn in both; the short one is for a reading whose difference is found at once."""
    found = []
    for name, more in (("here", ["--workers", "1"]), ("there", ["--cluster", dask.scheduler_address])):
        out = str(tmp_path / name)
        words = ["lint", "run", "--reading", reading, "--size", str(size), "--batches", str(batches)]
        assert run([*words, "--out", out, *more]) == 0
        found.append(Path(out).read_text("utf-8"))
    assert found[0] == found[1]


def test_whole_games_under_two_readings(both: Any, tmp_path: Path) -> None:
    words = ["lint", "games", "--reading", "I-CHECK", "--level", "5300", "--most", "50", "--out", str(tmp_path / "a")]
    assert "50 games" in both(*words)


def test_a_profile(both: Any) -> None:
    data = json.loads(both("lint", "profile", "5300", "4211+dux", "--games", "1", "--json"))
    assert [row["games"] for row in data["tables"]] == [1, 1]


def test_a_win_rate(both: Any) -> None:
    data = json.loads(both("scenario", "measure", "5300", "--policy", "random", "--half-width", "0.2", "--json"))
    assert data["rates"][0]["status"] == "complete"


def test_two_set_ups(both: Any) -> None:
    both("scenario", "compare", "5300", "4222", "--policy", "random", "--within", "0.2", "--json")


@pytest.mark.slow
def test_a_collection_of_scenarios(cluster: Cluster, tmp_path: Path) -> None:
    wanted = [scenarios.Wanted("africa-burns", 0.5, "greedy", (), 0.1, 4)]
    for name, workers in (("there", cluster), ("here", 1)):
        assert scenarios.make_all(wanted, tmp_path / name, tmp_path / "work", workers=workers)
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_a_collection_of_puzzles(cluster: Cluster) -> None:
    parts = [replace(part, count=2, games=2, turns=2) for part in recipe()[:2]]
    here, there = puzzles.Making(parts), puzzles.Making(parts)
    assert here.run(SerialExecutor()) and there.run(cluster.executor())
    assert here.lines() == there.lines()
    assert here.made() == there.made()


@pytest.mark.slow
def test_games_of_a_calibration(dask: Any, tmp_path: Path) -> None:
    calibrate = pytest.importorskip("tetrasolve.tetrarchia.hint.calibrate")
    files = []
    for more in (["--jobs", "1"], ["--cluster", dask.scheduler_address]):
        files.append(tmp_path / more[0])
        with pytest.raises(SystemExit):  # two games are too few for a curve
            calibrate.main([str(files[-1]), str(tmp_path / "out"), "--games", "2", *more])
    assert files[0].read_text("utf-8") == files[1].read_text("utf-8")
    assert len(files[0].read_text("utf-8").splitlines()) == 3


# -- measurements --------------------------------------------------------------------------------------------------


def without_time(data: Any) -> Any:
    """Results without how long they took."""
    if isinstance(data, dict):
        return {key: without_time(value) for key, value in data.items() if key not in ("seconds", "machine")}
    return [without_time(value) for value in data] if isinstance(data, list) else data


MEASUREMENTS = {
    "levels": ["--quick"],
    "strength": ["--games", "12", "--policies", "random", "--levels", "5300,danubian-wars"],
    "strength_modules": ["--table", "small.toml"],
}
SMALL = """
seed = 5
[[stages]]
games = 12
policies = ["greedy"]
[[groups]]
title = "Levels"
courses = ["5300"]
"""


@pytest.mark.skipif(not (BENCH / "benchkit").is_dir(), reason="the source tree is absent")
@pytest.mark.parametrize("name", MEASUREMENTS)
def test_a_measurement(name: str, dask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL, "utf-8")
    script = import_module(name)
    for out, more in (("here", ["--jobs", "1"]), ("there", ["--cluster", dask.scheduler_address])):
        assert script.main([*MEASUREMENTS[name], "--json", out, *more]) == 0
    here, there = (without_time(json.loads(Path(out).read_text("utf-8"))) for out in ("here", "there"))
    assert here == there


@pytest.mark.slow
@pytest.mark.skipif(not (BENCH / "benchkit").is_dir(), reason="the source tree is absent")
def test_what_hints_say_of_games(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    script, weights = import_module("calibration"), import_module("tetrasolve.tetrarchia.hint.weights").shipped()
    assert script.tables(weights, 2, 3, cluster) == script.tables(weights, 2, 3)
    assert script.group("4211+dux", 1, 3, cluster) == script.group("4211+dux", 1, 3)


# -- whatever happens to workers -----------------------------------------------------------------------------------


def test_a_killed_worker_changes_no_figure_of_a_horizon(cluster: Cluster) -> None:
    settings: dict[str, Any] = {"fractions": 5, "limit": 100, "runs": 1200, "batch": 100}
    wanted = horizon(Position.parse(BEFORE_ROMA), 4, executor=SerialExecutor(), **settings)
    killers = []

    def kill_one(_stage: str, done: int, _count: int) -> None:
        if done == 3 and not killers:
            killers.append(threading.Thread(target=kill, args=(cluster._client,)))
            killers[0].start()

    found = horizon(Position.parse(BEFORE_ROMA), 4, executor=cluster.executor(), progress=kill_one, **settings)
    assert killers
    killers[0].join()
    assert found.as_data() == wanted.as_data()


JOBS = [
    layers.figures, layers.gathered, rollout.play, rollout.play_quiet, compare.play_together, splitting.replicate,
    proving._derive, proving._certify, robust._ask_one, robust._ask_pairs, search._enumerated, search._drawn,
    wholegames._batch, profile._counted, measuring._batch, puzzles_of_game,
]  # fmt: skip


@pytest.mark.parametrize("job", JOBS, ids=lambda job: f"{job.__module__.rpartition('.')[2]}.{job.__name__}")
def test_each_job_says_what_it_gives(job: Any) -> None:
    assert get_type_hints(job)["return"] is not Any


@pytest.mark.parametrize("letters", ["wwwwww", "wwww", "wwwwx", ""])
def test_letters_that_are_no_games_are_refused(letters: str) -> None:
    with pytest.raises(ClusterError, match="something else than 5 games"):
        measuring._joined("", letters)
    with pytest.raises(ClusterError, match="something else than 25 games"):
        wholegames._joined("", letters)


@pytest.mark.parametrize(
    ("counts", "in_play"),
    [
        ({"p99-none": 1}, ["p99-none"]),
        ({"p06-first-revolts": 1}, []),
        ({"p06-first-revolts": 0}, ["p06-first-revolts"]),
    ],
)
def test_counts_of_no_rules_are_refused(counts: dict[str, int], in_play: list[str]) -> None:
    found = profile.new_profile(0, "test")
    game = profile._counted(profile._Context(0, ("5300",), greedy_game, None, None), 0)
    found.add("5300", game)
    with pytest.raises(ClusterError, match="something else than the rules of a game"):
        found.add("5300", {**game, "counts": counts, "in_play": in_play})
    assert found.tables["5300"].games == 1


def test_a_certificate_of_another_fact_is_refused_and_not_kept(tmp_path: Path) -> None:
    subject = standard_subject()
    one, two = proving.facts_of(subject.claims.topics()["barrier"], subject.board)[:2]
    text = proving.certificate_text(two, subject)
    file = proving.file_of(two, text)
    for name in (file, proving.file_of(one, text), f"../{file}", "/etc/passwd"):
        for data in (proving.packed(file, text), b"", b"\xfd7zXZ\0"):
            with pytest.raises(ClusterError, match=f"something else than a certificate of {one.id}"):
                proving._take_all(tmp_path / "folder", [one], subject, [(one.id, name, data)])
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    for files in ([], [(two.id, file, None)], [(one.id, file, b"")], [(two.id, file, b"")] * 2):
        with pytest.raises(ClusterError, match="something else than"):
            proving._take_all(tmp_path / "folder", [two], subject, files)
    proving._take_all(tmp_path / "folder", [two], subject, [(two.id, file, proving.packed(file, text))])
    assert proving.certified(tmp_path / "folder", two, subject) == file


# -- the options -----------------------------------------------------------------------------------------------------


def test_a_cluster_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "profile", "5300", "--games", "1", "--cluster", "here"]) == 2
    assert "'here': expected the address of a scheduler like tcp://" in capsys.readouterr().err
    assert run(["lint", "profile", "5300", "--games", "1", "--cluster", "tcp://127.0.0.1:1", "--workers", "2"]) == 2
    assert "give one of them" in capsys.readouterr().err


def test_without_dask_the_extra_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["scenario", "measure", "5300", "--cluster", "tcp://127.0.0.1:8786"]) == 2
    assert "pip install 'tetrasolve[dask]'" in capsys.readouterr().err
