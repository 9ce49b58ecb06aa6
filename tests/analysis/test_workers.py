"""Worker processes whose exit code another thread has asked the system for."""

import os
import sys
import threading

import pytest

from tetrasolve.analysis import server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="exit codes are kept there for all who ask")


@pytest.fixture
def ended():
    """A worker that was killed and whose exit code the system has already handed out, and what `multiprocessing` knows of it."""
    worker = server._Worker("toyengine", server.Limits(workers=1), ())
    process = worker._process._popen
    worker._process.kill()
    assert os.waitpid(process.pid, 0)[0] == process.pid
    return worker, process


def test_the_code_is_waited_for_until_the_thread_that_has_it_notes_it(ended):
    worker, process = ended
    threading.Timer(0.3, lambda: setattr(process, "returncode", -9)).start()
    assert worker.end() == "signal SIGKILL"


def test_a_code_that_nobody_notes_is_not_waited_for_without_end(ended, monkeypatch):
    monkeypatch.setattr(server, "COLLECTED", 0.1)
    worker, process = ended
    assert worker.end() == "no exit code"

    process.returncode = -9  # else `multiprocessing` takes it for one that runs
    worker._process.close()
