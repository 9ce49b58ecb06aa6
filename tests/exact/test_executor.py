"""Work by number: the same results whichever worker does it, and however often it is interrupted."""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
import time
from multiprocessing import active_children, get_context
from pathlib import Path
from random import Random

import pytest

from tetrasolve.exact import checkpoint as checkpoint_module
from tetrasolve.exact.batches import Stage
from tetrasolve.exact.checkpoint import Checkpoint, CheckpointError, CheckpointInUseError, FileLock
from tetrasolve.exact.executor import ProcessExecutor, SerialExecutor, seed_of
from tetrasolve.stop import Stop, Stopped


class Broken(Exception):  # noqa: N818  # what breaks is given by the test
    pass


def square(context: int, number: int) -> int:
    return context * number * number


def fails_at_seven(context: int, number: int) -> int:
    if number == 7:
        raise Broken
    return context


def never_ends(context: int, number: int) -> int:
    if number:
        time.sleep(3600)
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


@pytest.mark.parametrize("ended_by", ["an error", "a flag"])
def test_workers_end_in_the_middle_of_a_job(ended_by):
    expected, stop = (Broken, None) if ended_by == "an error" else (Stopped, Stop(0.5))
    before = set(active_children())
    with pytest.raises(expected), ProcessExecutor(2, stop=stop) as executor:
        for _ in executor.run(never_ends, 3, range(4)):
            if stop is None:
                raise Broken
    assert not set(active_children()) - before


SENDS_MUCH = """
import sys, time
from tetrasolve.exact.executor import ProcessExecutor

def large(context, number):
    return bytes(60_000_000 if number else 1)

for pause in range(12):
    try:
        with ProcessExecutor(2) as executor:
            next(executor.run(large, None, range(8)))
            time.sleep(0.006 * pause)
            raise KeyError
    except KeyError:
        print(pause, flush=True)
"""


def test_workers_that_are_sending_a_large_result_do_not_leave_the_parent_waiting():
    """In a process of its own, because one that waits for ever could not be ended here."""
    command = [sys.executable, "-c", SENDS_MUCH]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == [str(pause) for pause in range(12)]


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
def test_an_interrupted_stage_continues_where_it_was(tmp_path, executor):
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

        with Checkpoint(path, {"seed": 1}) as checkpoint, pytest.raises(KeyboardInterrupt):
            Stage("squares", counting, 1, appended, checkpoint).run_to(12, executor, interrupt)
        with Checkpoint(path, {"seed": 1}) as checkpoint:
            second = Stage("squares", counting, 1, appended, checkpoint)
            assert second.run_to(12, executor)
        assert second.total == [number * number for number in range(12)]
        assert sorted(done) == list(range(12)), "no batch was done twice"


def test_time_ends_a_stage_before_its_last_batch():
    stage = Stage("squares", square, 1, appended)
    assert not stage.run_to(12, SerialExecutor(), is_over=lambda: True)
    assert stage.done == 1


# -- checkpoints -------------------------------------------------------------------------------------------------


TASK = {"task": "squares", "seed": 1}


def written(path):
    with Checkpoint(path, TASK) as checkpoint:
        checkpoint.keep("a", {"done": 1, "total": [0], "ahead": {"3": 9}})
        checkpoint.write()


def forged(path, version=2, name="tetrasolve checkpoint", **changes):
    """A checkpoint with other content under the checksum that belongs to it."""
    written(path)
    body = json.dumps(json.loads(path.read_bytes().split(b"\n")[1]) | changes).encode() + b"\n"
    header = {"format": name, "version": version, "sha256": hashlib.sha256(body).hexdigest()}
    path.write_bytes(json.dumps(header).encode() + b"\n" + body)


def test_a_checkpoint_reads_back(tmp_path):
    written(tmp_path / "c.json")
    with Checkpoint(tmp_path / "c.json", {"seed": 1, "task": "squares"}) as again:
        assert again.stage("a") == {"done": 1, "total": [0], "ahead": {"3": 9}}
        assert again.stage("b") is None
    assert [file.name for file in tmp_path.iterdir()] == ["c.json"]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"task": {"task": "squares", "seed": 2}}, "another task: seed is 2 there, 1 here"),
        ({"task": {"task": "cubes", "seed": 1}}, "another task: task is 'cubes' there"),
        ({"version": 99}, "checkpoint version 99, expected 2"),
        ({"name": "poem"}, "no checkpoint; it was left as it is"),
        ({"stages": 3}, "without its task or stages"),
        ({"more": 3}, "without its task or stages"),
    ],
)
def test_another_checkpoint_is_refused_and_left_alone(tmp_path, changes, text):
    path = tmp_path / "c.json"
    forged(path, **changes)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=text):
        Checkpoint(path, TASK)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["c.json"]


def test_a_checkpoint_of_the_first_version_is_refused(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps({"format": "tetrasolve checkpoint", "version": 1, "task": TASK}))
    with pytest.raises(CheckpointError, match="version 1, expected 2; it was left as it is"):
        Checkpoint(tmp_path / "c.json", TASK)


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (7, "not the state of a stage"),
        ({"done": 1, "total": [0]}, "not the state of a stage"),
        ({"done": 1, "total": [0], "ahead": []}, "not the state of a stage"),
        ({"done": -1, "total": [0], "ahead": {}}, "-1 batches are done"),
        ({"done": True, "total": [0], "ahead": {}}, "True batches are done"),
        ({"done": 0, "total": [0], "ahead": {}}, "0 batches are done"),
        ({"done": 2, "total": None, "ahead": {}}, "2 batches are done"),
        ({"done": 13, "total": [0], "ahead": {}}, "13 batches are done, expected at most 12"),
        ({"done": 2, "total": [0], "ahead": {"1": 1}}, "found batch '1' beside 2"),
        ({"done": 2, "total": [0], "ahead": {"03": 1}}, "found batch '03'"),
        ({"done": 2, "total": [0], "ahead": {"x": 1}}, "found batch 'x'"),
    ],
)
def test_a_stage_that_cannot_be_is_refused(tmp_path, state, text):
    forged(tmp_path / "c.json", stages={"squares": state})
    with Checkpoint(tmp_path / "c.json", TASK) as checkpoint, pytest.raises(CheckpointError, match=text):
        Stage("squares", square, 1, appended, checkpoint).run_to(12, SerialExecutor())


def test_damage_is_found_wherever_it_is(tmp_path):
    """Each byte of a checkpoint changed, lost or doubled, and cut off behind it."""
    path = tmp_path / "c.json"
    written(path)
    whole = path.read_bytes()
    for at in range(len(whole)):
        changes = (bytes([whole[at] ^ 1]), bytes([whole[at] ^ 32]), b"", whole[at : at + 1] * 2)
        for damaged in (*(whole[:at] + change + whole[at + 1 :] for change in changes), whole[:at]):
            path.write_bytes(damaged)
            with pytest.raises(CheckpointError):
                Checkpoint(path, TASK)
            assert path.read_bytes() == damaged


def test_a_checkpoint_is_open_once(tmp_path):
    path = tmp_path / "c.json"
    with Checkpoint(path, TASK) as first:
        with pytest.raises(CheckpointInUseError, match="in use by this process"):
            Checkpoint(path, TASK)
        first.keep("a", 1)
        first.write()
    with Checkpoint(path, TASK) as again:
        assert again.stage("a") == 1
        again.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", [".", "/", ""])
def test_what_is_no_file_is_not_locked(path):
    with pytest.raises(CheckpointError, match="cannot be locked: expected a file"):
        FileLock(Path(path))


def test_a_forked_child_does_not_hold_the_lock(tmp_path):
    """It may outlive its parent, who can no longer be asked to stop."""
    path = tmp_path / "c.json"
    checkpoint = Checkpoint(path, TASK)
    process = get_context("fork").Process(target=time.sleep, args=(30,))
    process.start()
    checkpoint.close()
    Checkpoint(path, TASK).close()
    process.kill()
    process.join()


def test_a_checkpoint_that_cannot_be_written_says_so(tmp_path):
    path = tmp_path / "c.json"
    written(path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Checkpoint(path, TASK) as checkpoint:
        checkpoint.keep("a", "x" * 100_000)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
        try:
            with pytest.raises(CheckpointError, match=r"c\.json: cannot be written: File too large"):
                checkpoint.write()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    for name, text in (("no/c.json", "cannot be locked: No such file"), ("a\0b", "null byte")):
        with pytest.raises(CheckpointError, match=text):
            Checkpoint(tmp_path / name, TASK)
    (tmp_path / "folder").mkdir()
    with pytest.raises(CheckpointError, match="is a directory"):
        Checkpoint(tmp_path / "folder", TASK)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"null"])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path, content):
    path = tmp_path / "c.json"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"c\.json"):
        Checkpoint(path, {})
