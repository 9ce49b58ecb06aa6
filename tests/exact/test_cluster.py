"""A Dask cluster gives the results of one process, whatever happens to its workers, and refuses programs that are not equal."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypedDict

import pytest
from daskcluster import kill, local_cluster, wait_until, worker_ids

from tetrasolve.errors import ClusterError, ClusterLostError, MissingExtraError
from tetrasolve.exact import cluster as cluster_module
from tetrasolve.exact import deadline
from tetrasolve.exact.answers import conform, promised
from tetrasolve.exact.batches import Stage
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.cluster import Build, Cluster, DaskExecutor, build, executing
from tetrasolve.exact.deadline import moment, stop_at
from tetrasolve.exact.executor import ProcessExecutor, SerialExecutor, in_order, seed_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import StrictError

pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def dask():
    with local_cluster() as cluster:
        yield cluster


@pytest.fixture
def reached(dask):
    with Cluster.connect(dask.scheduler_address) as found:
        yield found


def slowly(context: tuple[float, str], number: int) -> int:
    """A job that leaves a file when it begins; those of a test file are sent with their text."""
    Path(context[1], f"{number} {os.getpid()}").touch()
    time.sleep(context[0])
    return number * number


def added(total: int | None, part: int) -> int:
    return (total or 0) + part


# -- the same results ----------------------------------------------------------------------------------------------


def test_results_are_those_of_one_process(reached):
    wanted = list(SerialExecutor().run(seed_of, 11, range(30)))
    assert sorted(reached.executor().run(seed_of, 11, range(30))) == wanted
    assert list(in_order(reached.executor().run(seed_of, 11, range(5, 30)), range(5, 30))) == wanted[5:]
    with executing(reached) as executor:
        assert sorted(executor.run(seed_of, 12, range(3))) == list(SerialExecutor().run(seed_of, 12, range(3)))


def test_stopping_early_drops_the_rest(reached, tmp_path):
    results = reached.executor().run(slowly, (0.01, str(tmp_path)), range(10**9))
    assert next(results)[0] < 4
    results.close()
    assert list(reached.executor().run(seed_of, 1, range(1)))
    assert len(list(tmp_path.iterdir())) < 20


def test_a_flag_ends_it(reached, tmp_path):
    stop = Stop()
    results = reached.executor(stop).run(slowly, (0.05, str(tmp_path)), range(10**9))
    next(results)
    stop.set()
    with pytest.raises(Stopped):
        list(results)


def test_an_error_of_a_job_comes_through(reached):
    with pytest.raises(ZeroDivisionError):
        list(reached.executor().run(divided, 1, range(3)))


def sent_over(data: bytes) -> Any:
    return pickle.loads(data)  # noqa: S301  # what was made here


def divided(context: int, number: int) -> int:
    return context // number


def test_executing_takes_processes_or_this_one():
    with executing(1) as here, executing(2) as two:
        assert isinstance(here, SerialExecutor) and isinstance(two, ProcessExecutor)
    with pytest.raises(ValueError, match="at least 1"), executing(0):
        pass


# -- whatever is lost ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how_many", [1, 2])
def test_killed_workers_cost_nothing_but_time(reached, tmp_path, how_many):
    """With all of them the copies of the context are gone, too."""
    client = reached._client
    wait_until(lambda: len(client.nthreads()) == 2)
    before = worker_ids(client)
    results = reached.executor().run(slowly, (0.1, str(tmp_path)), range(12))
    first = next(results)
    kill(client, how_many)
    assert sorted([first, *results]) == [(number, number * number) for number in range(12)]
    wait_until(lambda: len(client.nthreads()) == 2)
    assert len({*before} & {*worker_ids(client)}) == 2 - how_many


def ends_its_worker(_context: None, _number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_job_that_ends_its_workers_is_named(dask, reached, monkeypatch):
    monkeypatch.setattr(dask.scheduler, "allowed_failures", 0)  # 3 by default, and a new worker takes seconds to start
    with pytest.raises(ClusterLostError, match="a worker ended while it did a job, as 0 others before it"):
        list(reached.executor().run(ends_its_worker, None, range(1)))


def test_a_cluster_that_has_no_workers_for_long_is_lost(monkeypatch):
    monkeypatch.setattr(cluster_module, "WITHOUT_WORKERS", 0.1)
    monkeypatch.setattr(cluster_module, "COUNTED_EVERY", 0.05)
    with local_cluster(0) as dask:
        distributed = pytest.importorskip("distributed")
        with distributed.Client(dask) as client, pytest.raises(ClusterLostError, match=r"no workers for 0\.1 s"):
            list(DaskExecutor(client).run(seed_of, 1, range(3)))


def test_a_lost_scheduler_is_said_and_the_checkpoint_goes_on(tmp_path):
    path, batches = tmp_path / "checkpoint", tmp_path / "batches"
    batches.mkdir()
    with Checkpoint(path, {"task": 1}) as checkpoint:
        stage = Stage("squares", slowly, (0.02, str(batches)), added, checkpoint)
        with local_cluster() as dask, Cluster.connect(dask.scheduler_address) as found:

            def close(_stage: str, done: int, _count: int) -> None:
                if done == 3:
                    threading.Thread(target=dask.close).start()

            with pytest.raises(ClusterLostError, match="with the same checkpoint, goes on"):
                stage.run_to(500, found.executor(), close)
    with Checkpoint(path, {"task": 1}) as checkpoint:
        stage = Stage("squares", slowly, (0.0, str(batches)), added, checkpoint)
        assert stage.done + len(stage._ahead) >= 3  # workers end them in any order
        assert stage.run_to(600, SerialExecutor())
    assert stage.total == sum(number * number for number in range(600))


# -- who is there --------------------------------------------------------------------------------------------------


def test_nobody_at_an_address_is_said():
    with pytest.raises(ClusterError, match=r"'tcp://127\.0\.0\.1:1': no scheduler of a cluster answers"):
        Cluster.connect("tcp://127.0.0.1:1", 0.3)
    for address in (
        "nowhere",
        "",
        "http://127.0.0.1:1",
        "tcp://127.0.0.1",
        "tcp://x:99999999",
        "tcp://:8786",
        "inproc://x",
    ):
        with pytest.raises(ClusterError, match="expected the address of a scheduler"):
            Cluster.connect(address)


def test_a_cluster_without_workers_is_said():
    with local_cluster(0) as dask, pytest.raises(ClusterError, match=r"no workers: none came within 0\.2 s"):
        Cluster.connect(dask.scheduler_address, 0.2)


def test_a_missing_extra_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tetrasolve\[dask\]'"):
        Cluster.connect("tcp://127.0.0.1:1")


def test_other_programs_are_refused_before_anything_is_sent(dask, monkeypatch):
    other = replace(build(), files="0" * 64)
    monkeypatch.setattr(cluster_module, "build", lambda: other)
    with pytest.raises(ClusterError, match=r"worker tcp://.* runs .* and this is .*0000.*same wheel everywhere"):
        Cluster.connect(dask.scheduler_address)


def test_a_worker_that_comes_later_is_asked_before_its_job(reached, monkeypatch):
    other = replace(build(), version="9.9")
    monkeypatch.setattr(cluster_module, "build", lambda: other)
    with pytest.raises(ClusterError, match=r"a worker runs tetrasolve .* and this is tetrasolve 9\.9"):
        list(reached.executor().run(seed_of, 1, range(3)))


def test_a_worker_without_the_library_is_refused(tmp_path):
    """A worker of an interpreter that does not have it: here, one that cannot import it."""
    (tmp_path / "tetrasolve").mkdir()
    (tmp_path / "tetrasolve" / "__init__.py").write_text("raise ImportError('absent here')")
    with local_cluster(0) as dask:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", dask.scheduler_address, "--no-nanny"]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        worker = subprocess.Popen(
            [*command, "--no-dashboard"], env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL
        )
        try:
            with pytest.raises(ClusterError, match=r"runs no such tetrasolve .*absent here"):
                Cluster.connect(dask.scheduler_address, 30)
        finally:
            worker.kill()
            worker.wait()


def test_the_digest_is_of_code_data_and_kernels():
    assert build() == build()
    assert len(build().files) == 64
    assert sent_over(pickle.dumps(build())) == build()
    assert build() != Build(build().version, build().files, "3.10")


# -- hostile answers -----------------------------------------------------------------------------------------------


class Tally(TypedDict):
    n: int
    counts: dict[str, list[int]]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, int), ("a", str), (b"a", bytes), (None, None), (1.5, float), (True, bool), (Fraction(1, 2), Fraction),
        ([], list[int]), ((1, "a"), tuple[int, str]), ((1, 2, 3), tuple[int, ...]), ({"a": 1}, dict[str, int]),
        (1, int | None), (None, int | None), ("a", Literal["a", "b"]), (object(), Any),
        ({"n": 1, "counts": {"a": [1]}}, Tally), (frozenset({1}), frozenset[int]),
    ],
)  # fmt: skip
def test_answers_of_their_types_are_taken(value, kind):
    conform(value, kind, "answer")


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (True, int, "expected int"),
        (1.0, int, "expected int"),
        (1, float, "expected float"),
        ("a", bytes, "expected bytes"),
        (1, None, "expected None"),
        ([1, "a"], list[int], r"answer, \[1\]: found 'a'"),
        ((1,), tuple[int, str], "answer: found"),
        ((1, 2), tuple[int, str], r"answer, \[1\]"),
        ([1], tuple[int, ...], "expected tuple"),
        ({1: 1}, dict[str, int], "a key: found 1"),
        ({"a": "b"}, dict[str, int], "'a': found 'b'"),
        ("a", int | None, "expected int | None"),
        ("c", Literal["a", "b"], "Literal"),
        (True, Literal[1], "Literal"),
        ({"n": 1}, Tally, "expected Tally"),
        ({"n": 1, "counts": {}, "more": 1}, Tally, "expected Tally"),
        ({"n": 1, "counts": {"a": [None]}}, Tally, r"answer, counts, 'a', \[0\]"),
        (type("Int", (int,), {})(1), int, "expected int"),
        (type("Dict", (dict,), {})(n=1, counts={}), Tally, "expected Tally"),
    ],
)
def test_answers_of_other_types_are_refused(value, kind, text):
    with pytest.raises(StrictError, match=text.replace("|", r"\|")):
        conform(value, kind, "answer")


def lies(context: Any, number: int) -> int:
    return context[number]


@pytest.mark.parametrize("answer", [None, True, "4", 4.0, [4], {"n": 4}])
def test_a_worker_that_answers_something_else_is_refused(reached, answer):
    with pytest.raises(ClusterError, match=r"something else than a result: job lies, number 1: .* expected int"):
        list(reached.executor().run(lies, [4, answer], range(2)))


def test_a_job_without_an_annotation_promises_nothing():
    assert promised(lambda _, number: number) is Any
    assert promised(slowly) is int


# -- deadlines on other machines -----------------------------------------------------------------------------------


def test_a_deadline_of_another_machine_is_as_far_away_as_it_was(monkeypatch):
    sent = pickle.dumps(moment(Stop(100)))
    near = stop_at(sent_over(sent)).remaining
    assert 50 < near <= 100
    monkeypatch.setattr(deadline, "_clock", lambda: "another machine")
    monkeypatch.setattr(deadline.time, "monotonic", lambda: -(10**6))
    assert stop_at(sent_over(sent)).remaining > 50
    assert stop_at(sent_over(pickle.dumps(moment(Stop())))).remaining is None


def test_the_executor_of_a_client_needs_no_cluster(dask):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(dask) as client:
        assert sorted(DaskExecutor(client).run(seed_of, 1, range(3))) == list(
            SerialExecutor().run(seed_of, 1, range(3))
        )
