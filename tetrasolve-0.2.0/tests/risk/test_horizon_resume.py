"""Interrupted at twenty moments, by the keyboard or by force: the numbers are those of a run in one piece."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from random import Random

import pytest

from tetrasolve.exact import checkpoint as checkpoint_module
from tetrasolve.exact.checkpoint import CheckpointError
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.compare import compare
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.risk.splitting import rare_fall

BEFORE_ROMA = "4211 D:6 -/-/-/- 23 sic sic - -/-/-/-"
TASK = {"fractions": 5, "limit": 100, "runs": 2000, "batch": 50, "seed": 3}

# The same with the default executor; every batch is written down, and slowed down so that there is something to interrupt.
SCRIPT = f"""
import json, sys, time
from tetrasolve.exact import checkpoint
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.horizon import horizon
checkpoint.SAVED_EVERY = 0.0
if __name__ == "__main__":
    print("ready", flush=True)
    found = horizon(Position.parse({BEFORE_ROMA!r}), 4, checkpoint=sys.argv[1], **{TASK!r},
                    progress=lambda *_: time.sleep(0.01))
    print(json.dumps(found.as_data()))
"""


@pytest.fixture(scope="module")
def in_one_piece():
    return json.dumps(horizon(Position.parse(BEFORE_ROMA), 4, executor=SerialExecutor(), **TASK).as_data())


@pytest.mark.parametrize(
    "attempt", [*range(4), *(pytest.param(number, marks=pytest.mark.slow) for number in range(4, 14))]
)
def test_interrupted_from_the_keyboard(tmp_path, monkeypatch, in_one_piece, attempt):
    monkeypatch.setattr(checkpoint_module, "SAVED_EVERY", 0.0 if attempt % 2 else 3600.0)
    random = Random(f"keyboard {attempt}")
    position, path = Position.parse(BEFORE_ROMA), tmp_path / "horizon.json"
    interruptions = 0
    while True:
        moment = random.randint(1, 60)
        calls = 0

        def interrupt(*_, moment=moment):
            nonlocal calls
            calls += 1
            if calls == moment:
                raise KeyboardInterrupt

        try:
            found = horizon(position, 4, executor=SerialExecutor(), checkpoint=path, progress=interrupt, **TASK)
            break
        except KeyboardInterrupt:
            interruptions += 1
    assert interruptions >= 1
    assert json.dumps(found.as_data()) == in_one_piece


# 50 kills in the slow form, 4 in the short one
@pytest.mark.parametrize("attempt", [0, 1, *(pytest.param(number, marks=pytest.mark.slow) for number in range(2, 25))])
def test_killed(tmp_path, in_one_piece, attempt):
    random = Random(f"kill {attempt}")
    path = tmp_path / "horizon.json"
    command = [sys.executable, "-c", SCRIPT, str(path)]
    killed = False
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "ready\n"
            try:
                process.wait(random.uniform(0.1, 0.8))
            except subprocess.TimeoutExpired:
                killed = True
                process.kill()
    assert killed
    last = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert last.stdout.splitlines()[-1] == in_one_piece


def test_three_processes_on_one_checkpoint(tmp_path, in_one_piece):
    """One works; the others say who holds the checkpoint. The one that gets to work has the same figures."""
    path = tmp_path / "horizon.json"
    command = [sys.executable, "-c", SCRIPT, str(path)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(3)]
    ends = {process.pid: (*process.communicate(timeout=120), process.returncode) for process in processes}
    workers = {pid for pid, (_, _, code) in ends.items() if code == 0}
    assert workers
    for pid, (output, errors, _) in ends.items():
        if pid in workers:
            assert output.splitlines()[-1] == in_one_piece
        else:
            holder = re.search(r"CheckpointInUseError: .*horizon\.json: the file is in use by process ([0-9]+)", errors)
            assert holder and int(holder[1]) in workers
    assert [file.name for file in tmp_path.iterdir()] == ["horizon.json"]


def test_a_damaged_checkpoint_gives_no_figures(tmp_path):
    position, path, random = Position.parse(BEFORE_ROMA), tmp_path / "horizon.json", Random("damage")
    horizon(position, 4, executor=SerialExecutor(), checkpoint=path, **TASK)
    whole = path.read_bytes()
    for region in range(25):
        data = bytearray(whole)
        at = random.randrange(region * len(whole) // 25, (region + 1) * len(whole) // 25)
        data[at] = random.choice([byte for byte in b'0123456789{}[]":, ' if byte != data[at]])
        path.write_bytes(data)
        with pytest.raises(CheckpointError):
            horizon(position, 4, executor=SerialExecutor(), checkpoint=path, **TASK)


def test_a_finished_task_is_answered_from_its_checkpoint(tmp_path, in_one_piece):
    position, path = Position.parse(BEFORE_ROMA), tmp_path / "horizon.json"
    horizon(position, 4, executor=SerialExecutor(), checkpoint=path, **TASK)
    stages = []
    again = horizon(
        position, 4, executor=SerialExecutor(), checkpoint=path, progress=lambda s, *_: stages.append(s), **TASK
    )
    assert json.dumps(again.as_data()) == in_one_piece
    assert not [stage for stage in stages if not stage.startswith("positions after")]


def test_a_checkpoint_of_another_task_is_refused(tmp_path):
    position, path = Position.parse(BEFORE_ROMA), tmp_path / "c.json"
    settings = {"executor": SerialExecutor(), "checkpoint": path}
    horizon(position, 1, **settings)
    with pytest.raises(CheckpointError, match="another task: phases is 1 there, 2 here"):
        horizon(position, 2, **settings)
    with pytest.raises(CheckpointError, match="another task: task is 'horizon' there, 'compare' here"):
        compare({"a": (position, ())}, 1, **settings)
    with pytest.raises(CheckpointError, match="another task: task is 'horizon' there, 'rare fall' here"):
        rare_fall(position, 1, **settings)


def test_stopping_early_survives_interruptions(tmp_path):
    position = Position.parse(BEFORE_ROMA)
    settings = {
        "executor": SerialExecutor(),
        "fractions": 0,
        "limit": 0,
        "runs": 5_000,
        "batch": 50,
        "half_width": 0.12,
    }
    whole = horizon(position, 2, progress=None, **settings)
    random = Random("early")
    path = tmp_path / "c.json"
    found = None
    while found is None:
        moment = random.randint(2, 9)
        stages = []

        def interrupt(stage, *_, moment=moment, stages=stages):
            stages.append(stage)
            if len(stages) == moment and stage == "runs":
                raise KeyboardInterrupt

        try:
            found = horizon(position, 2, checkpoint=path, progress=interrupt, **settings)
        except KeyboardInterrupt:
            continue
    assert found == whole
