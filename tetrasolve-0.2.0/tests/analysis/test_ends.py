"""How the server of `tetrasolve analyse` ends: by its input, by a signal, and when its answers cannot be written."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "tetrasolve", "analyse"]
LONG = "4211 D:6 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-"


def started(*options, **streams):
    """A server that has answered once, so all its handlers are in place."""
    return subprocess.Popen(
        [*COMMAND, *options],
        stdin=subprocess.PIPE,
        stdout=streams.get("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
    )


def ask(server, *requests):
    for request in requests:
        server.stdin.write(json.dumps(request).encode() + b"\n")
    server.stdin.flush()


def hints(number):
    return [{"id": f"{n}", "ask": "hint", "position": LONG, "budget": "deep", "games": 10**6} for n in range(number)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("wait", [0.0, 1.0])
def test_a_signal_ends_it_soon_and_all_is_answered(number, wait):
    with started() as server:
        ask(server, *hints(20), {"id": "about", "ask": "about"})
        first = server.stdout.readline()
        time.sleep(wait)  # the worker is being started, or at work
        server.send_signal(number)
        rest = server.stdout.read()
        assert server.wait(10) == 0
        assert server.stderr.read() == b""
        server.stdin.close()
    answers = [json.loads(line) for line in (first + rest).splitlines()]
    finals = [answer["id"] for answer in answers if answer["final"]]
    assert sorted(finals) == sorted([*(f"{n}" for n in range(20)), "about"])


def test_it_ends_when_its_reader_has_gone():
    """Though its input stays open, and nothing is to be written just now."""
    with started() as server:
        ask(server, {"id": "about", "ask": "about"})
        server.stdout.readline()
        ask(server, *hints(3))
        server.stdout.close()
        assert server.wait(10) == 0  # as any program at the start of a pipeline
        server.stderr.close()
        server.stdin.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_write_error_is_an_error():
    with Path("/dev/full").open("wb") as full, started(stdout=full) as server:
        ask(server, {"id": "about", "ask": "about"})
        assert server.wait(10) == 2
        assert server.stderr.read().startswith(b"error: output: No space left on device")
        server.stdin.close()


def test_a_reader_that_stops_reading_does_not_keep_it():
    """Answers that nobody takes are given up when the server is asked to end."""
    with started() as server:
        ask(server, {"id": "about", "ask": "about"})
        server.stdout.readline()
        ask(server, *({"id": f"about {number}", "ask": "about"} for number in range(200)))  # more than a pipe takes
        time.sleep(0.5)
        server.send_signal(signal.SIGTERM)
        assert server.wait(10) == 3
        server.stdout.close()
        server.stderr.close()
        server.stdin.close()
