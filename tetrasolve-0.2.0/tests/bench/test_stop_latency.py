"""Every long command ends when it is asked to, while it computes: with its exit code, and without a traceback.

How soon that is, `bench/stop_latency.py` measures; here the bound only tells an end from none.
"""

from __future__ import annotations

import json
import signal
import sys
from importlib import import_module
from pathlib import Path

import pytest

BOUND = 10.0  # seconds: a hundred times what it takes, on a machine that is busy with something else
BENCH = Path(__file__).parents[2] / "bench"
if not (BENCH / "benchkit").is_dir():
    pytest.skip("the source tree is absent", allow_module_level=True)
sys.path.insert(0, str(BENCH))  # the script is imported by its tests alone
bench = import_module("stop_latency")

SHORT = ("risk, modules", "facts prove")

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("stop")
    bench.prepared(found)
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize(
    "command", [pytest.param(name, marks=() if name in SHORT else pytest.mark.slow) for name in bench.COMMANDS]
)
def test_a_signal_ends_it(command: str, number: signal.Signals, folder: Path) -> None:
    if command == "plan --engine judge":
        pytest.importorskip("ortools")
        pytest.importorskip("z3")
    if command == "campaign":
        pytest.importorskip("numpy")
    ended = bench.ended_by(command, number, folder)
    assert ended is not None, "it was done before it could be asked to end"
    expected = bench.CODES.get(command, (3, -signal.SIGTERM))
    # `python -m` ends by the signal, although it was caught, where it came inside exec() of a text: what dataclasses use while
    # modules are loaded. The installed script has the exit code.
    also = -signal.SIGINT if number == signal.SIGINT else None
    assert ended.code in (expected[number == signal.SIGTERM], also)
    assert "Traceback" not in ended.error and "error" not in ended.error
    assert ended.seconds < BOUND


def test_no_kernel_call_is_forgotten() -> None:
    """Whatever takes a flag in the stub of the kernel is measured."""
    stub = (bench.HERE.parent / "tetrasolve" / "tetrarchia" / "kernel.pyi").read_text("utf-8")
    names: set[str] = set()
    name = ""
    for line in stub.splitlines():
        if line.strip().startswith(("def ", "class ")):
            name = line.split("def ")[-1].split("(")[0] if "def " in line else name
        if "stop: Stop" in line:
            names.add(name)
    measured = {word for call in bench.kernel_calls() for word in call.replace("modules: ", "").split(".")}
    assert names - {"__init__", "__new__"} - measured == NOT_MEASURED


NOT_MEASURED: set[str] = set()


def test_the_kept_results_are_of_all_that_is_measured() -> None:
    """Each command ended with its code, and all within the goals."""
    kept = json.loads(bench.RESULTS.read_text("utf-8"))
    found = kept["found"]
    assert set(found["kernel"]) == set(bench.kernel_calls())
    assert set(found["questions"]) == set(bench.QUESTIONS)
    assert set(found["commands"]) == set(bench.COMMANDS)
    for part, rows in found.items():
        assert all(row["most"] <= kept["goals"][part] for row in rows.values())
    for name, row in found["commands"].items():
        codes = (row["SIGINT"]["code"], row["SIGTERM"]["code"])
        assert codes == bench.CODES.get(name, (3, -signal.SIGTERM))
