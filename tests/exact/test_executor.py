"""Work by number: the same results whoever does it, and however often it is interrupted."""

from __future__ import annotations

import json
from random import Random

import pytest

from tetrasolve.exact import checkpoint as checkpoint_module
from tetrasolve.exact.batches import Stage
from tetrasolve.exact.checkpoint import Checkpoint, CheckpointError
from tetrasolve.exact.executor import ProcessExecutor, SerialExecutor, seed_of


class Broken(Exception):  # noqa: N818  # what breaks is told by the test
    pass


def square(context: int, number: int) -> int:
    return context * number * number


def fails_at_seven(context: int, number: int) -> int:
    if number == 7:
        raise Broken
    return context


def appended(total: list[int] | None, part: int) -> list[int]:
    """A fold in which the order shows."""
    return [*(total or []), part]


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(checkpoint_module, "SAVED_EVERY", 0.0)


@pytest.fixture(scope="module")
def pool():
    with ProcessExecutor(2) as executor:
        yield executor


def test_all_executors_give_the_same_results(pool):
    wanted = [(number, 3 * number * number) for number in range(40)]
    assert list(SerialExecutor().run(square, 3, range(40))) == wanted
    assert sorted(pool.run(square, 3, range(40))) == wanted
    assert sorted(pool.run(square, 5, range(40)))[2] == (2, 20)  # another context


def test_stopping_early_drops_the_rest(pool):
    results = pool.run(square, 3, range(10**9))
    assert next(results)[1] % 3 == 0
    results.close()
    assert len(list(pool.run(square, 3, range(5)))) == 5


def test_an_error_of_a_job_comes_through(pool):
    with pytest.raises(Broken):
        list(pool.run(fails_at_seven, 3, range(20)))


def test_dask_gives_the_same_results():
    distributed = pytest.importorskip("distributed")
    from tetrasolve.exact.executor import DaskExecutor

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = DaskExecutor(client)
        wanted = list(SerialExecutor().run(seed_of, 11, range(30)))
        assert sorted(executor.run(seed_of, 11, range(30))) == wanted
        results = executor.run(seed_of, 11, range(10**9))
        assert next(results) in list(SerialExecutor().run(seed_of, 11, range(4)))
        results.close()


def test_seeds_differ_by_seed_and_path():
    seeds = {seed_of(seed, name, number) for seed in (0, 1, "1") for name in ("a", "b") for number in range(100)}
    assert len(seeds) == 600
    assert seed_of(0, "runs", 1) == 12785085498800594722  # the same on every machine, in every version


# -- stages ----------------------------------------------------------------------------------------------------


class Reversed:
    """Whatever can come out of order does."""

    def run(self, job, context, numbers):
        for number in reversed(list(numbers)):
            yield number, job(context, number)


@pytest.mark.parametrize("executor", [SerialExecutor(), Reversed(), ProcessExecutor(2)])
def test_batches_are_put_together_in_order(executor):
    stage = Stage("squares", square, 1, appended)
    assert stage.run_to(12, executor)
    assert stage.total == [number * number for number in range(12)]
    assert stage.run_to(14, executor)
    assert len(stage.total) == 14
    if isinstance(executor, ProcessExecutor):
        executor.close()


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("executor", [SerialExecutor(), Reversed()])
def test_an_interrupted_stage_goes_on_where_it_was(tmp_path, executor):
    random = Random("interruptions")
    for attempt in range(20):
        path = tmp_path / f"{attempt}.json"
        moment = random.randint(1, 11)
        done = []

        def interrupt(_, count, __, moment=moment):
            if count == moment:
                raise KeyboardInterrupt

        def counting(context, number, done=done):
            done.append(number)
            return square(context, number)

        first = Stage("squares", counting, 1, appended, Checkpoint(path, {"seed": 1}))
        with pytest.raises(KeyboardInterrupt):
            first.run_to(12, executor, interrupt)
        second = Stage("squares", counting, 1, appended, Checkpoint(path, {"seed": 1}))
        assert second.run_to(12, executor)
        assert second.total == [number * number for number in range(12)]
        assert sorted(done) == list(range(12)), "no batch was done twice"


def test_time_ends_a_stage_before_its_last_batch():
    stage = Stage("squares", square, 1, appended)
    assert not stage.run_to(12, SerialExecutor(), is_over=lambda: True)
    assert stage.done == 1


# -- checkpoints -------------------------------------------------------------------------------------------------


def written(path, **changes):
    checkpoint = Checkpoint(path, {"task": "squares", "seed": 1})
    checkpoint.keep("a", {"done": 1})
    checkpoint.write()
    data = json.loads(path.read_text())
    path.write_text(json.dumps(data | changes))


def test_a_checkpoint_reads_back(tmp_path):
    written(tmp_path / "c.json")
    again = Checkpoint(tmp_path / "c.json", {"seed": 1, "task": "squares"})
    assert again.stage("a") == {"done": 1}
    assert again.stage("b") is None
    assert [file.name for file in tmp_path.iterdir()] == ["c.json"]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"task": {"task": "squares", "seed": 2}}, "another task: seed is 2 there, 1 here"),
        ({"task": {"task": "cubes", "seed": 1}}, "another task: task is 'cubes' there"),
        ({"version": 99}, "checkpoint version 99, expected 1"),
        ({"format": "poem"}, "no checkpoint; it was left as it is"),
        ({"stages": 3}, "without its task or stages"),
    ],
)
def test_another_checkpoint_is_refused_and_left_alone(tmp_path, changes, text):
    path = tmp_path / "c.json"
    written(path, **changes)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=text):
        Checkpoint(path, {"task": "squares", "seed": 1})
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"null"])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path, content):
    path = tmp_path / "c.json"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"c\.json"):
        Checkpoint(path, {})
