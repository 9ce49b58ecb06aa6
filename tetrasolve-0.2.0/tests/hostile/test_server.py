"""The server of the protocol under fire: each id has exactly one final answer, memory is bounded, no thread is lost."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

TESTS = Path(__file__).resolve().parents[1]
WORKERS = 2
SERVER = f"""
import sys
sys.path.insert(0, {str(TESTS)!r})
from tetrasolve.analysis.server import Limits, Server

def write(line):
    sys.stdout.write(line + "\\n")
    sys.stdout.flush()

if __name__ == "__main__":
    server = Server("toyengine", write, Limits(workers={WORKERS}, memory=2**28, processor_seconds=5.0))
    sys.exit(0 if server.serve(sys.stdin.buffer.raw, 1) else 3)
"""
MOST_MEMORY = 200 * 2**10  # KiB

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system has no /proc")


def children(pid):
    with contextlib.suppress(OSError):
        return [
            int(word)
            for path in Path(f"/proc/{pid}/task").iterdir()
            for word in (path / "children").read_text().split()
        ]
    return []


def most_memory(pid):
    rows = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(rows["VmHWM"].split()[0])


class Client:
    """Sends whatever it is given, and reads answers in a thread of its own, now and then slowly."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.process = subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.answers = []
        self.news = threading.Condition()
        self.is_slow = False
        self.thread = threading.Thread(target=self._read)
        self.thread.start()

    def _read(self):
        for line in self.process.stdout:
            with self.news:
                self.answers.append(json.loads(line))
                self.news.notify_all()
            if self.is_slow:
                time.sleep(0.002)

    def send(self, line):
        self.process.stdin.write(line + b"\n")

    def flush(self):
        self.process.stdin.flush()

    def finals(self):
        with self.news:
            return Counter(answer["id"] for answer in self.answers if answer["final"])

    def wait(self, condition, timeout=120):
        with self.news:
            assert self.news.wait_for(lambda: condition(self.answers), timeout)

    def kill_a_worker(self):
        """Any process below the server but Python's resource tracker, which is none of its workers."""
        workers = []
        for pid in children(self.process.pid):
            with contextlib.suppress(OSError):
                if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    workers.append(pid)
        if workers:
            with contextlib.suppress(OSError):
                os.kill(self.random.choice(workers), signal.SIGKILL)

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(60)
        self.thread.join(60)
        self.process.stdout.close()
        return code


def message(random, number):
    """A message, and the id under which its final answer comes (None: under no id)."""
    name = f"n{number}"
    request = {"id": name}
    kind = random.randrange(100)
    if kind < 30:
        request |= {"ask": "add", "a": random.random(), "b": 1}
    elif kind < 45:
        request |= {
            "ask": "sleep",
            "time": random.random() / 200,
            "priority": random.randrange(-3, 4),
            "report_every": 0.01,
        }
    elif kind < 50:
        request |= {"ask": "sleep", "time": 30, "seconds": random.choice([0.001, 0.01, 0.05])}
    elif kind < 58:
        request |= {"ask": random.choice(["fail", "refuse", "confuse", "nothing", "", "x" * 5000])}
    elif kind < 70:
        request |= {"ask": "cancel", "target": f"n{max(0, number - random.randrange(30))}"}
    elif kind < 71:
        request |= {"ask": "cancel", "targets": "all"}
    elif kind < 74:
        request |= {"ask": "about"}
    elif kind < 78:
        return b'{"id": "%s", "ask": "add", "a": %s}' % (name.encode(), b"[" * 500 + b"]" * 500), None
    elif kind < 80:
        return b'{"id": "%s", "a": "%s"}' % (name.encode(), b"x" * random.choice([70_000, 300_000])), None
    elif kind < 83:
        return b'{"id": "%s", %s "k": 0, "k": 1}' % (
            name.encode(),
            b",".join(b'"k%d": 0' % n for n in range(3000)) + b",",
        ), None
    elif kind < 92:
        return random.randbytes(random.randrange(1, 200)).replace(b"\n", b"").strip() or b"?", None
    else:
        whole = json.dumps({"id": name, "ask": "add", "a": 1, "b": 1}).encode()
        return whole[: random.randrange(1, len(whole))], None
    return json.dumps(request).encode(), name


RARE = ("crash", "hang", "hoard", "stopped", "freeze")  # each costs a worker, or a second


@pytest.mark.parametrize("count", [400, pytest.param(12_000, marks=pytest.mark.slow)])
def test_messages_kills_and_cancel_storms(count):
    client = Client(f"storm {count}")
    random, expected, nameless = client.random, [], 0
    step = count // 8
    for number in range(count):
        line, name = message(random, number)
        if number % 100 == 50:
            name = f"n{number}"
            rare = {"id": name, "ask": RARE[number // 100 % len(RARE)], "seconds": 0.05, "report_every": 0.01}
            line = json.dumps(rare).encode()
        client.send(line)
        expected += [name] if name else []
        nameless += name is None
        if number % step == step // 2:
            client.flush()
            client.kill_a_worker()
        if number % step == 0:
            client.is_slow = not client.is_slow
        if number % 400 == 399:  # a storm of requests that are cancelled at once
            names = [f"s{number}-{one}" for one in range(200)]
            for one in names:
                client.send(json.dumps({"id": one, "ask": "sleep", "time": 30}).encode())
            client.send(json.dumps({"id": f"c{number}", "ask": "cancel", "targets": "all"}).encode())
            expected += [*names, f"c{number}"]
    client.is_slow = False
    client.flush()
    wanted = len(expected) + nameless
    client.wait(lambda answers: sum(answer["final"] for answer in answers) >= wanted, 60 + count / 20)

    # no thread is lost: as many requests as there are workers are at work at the same time
    names = {f"last {number}" for number in range(WORKERS)}
    for name in names:
        client.send(json.dumps({"id": name, "ask": "sleep", "time": 60, "report_every": 0.05}).encode())
    client.flush()
    client.wait(lambda answers: names <= {answer["id"] for answer in answers}, 60)
    assert not any(client.finals()[name] for name in names)
    client.send(b'{"id": "stop", "ask": "cancel", "targets": "all"}')
    memory = most_memory(client.process.pid)
    assert client.end() == 0

    finals = client.finals()
    assert finals.pop(None, 0) == nameless
    assert finals == Counter([*expected, *names, "stop"])
    assert memory < MOST_MEMORY
    last = {}
    for number, answer in enumerate(client.answers):
        if answer["id"] is not None:
            last[answer["id"]] = number
    assert all(client.answers[number]["final"] for number in last.values()), "nothing comes after the final answer"


@pytest.mark.parametrize("attempts", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_readers_that_vanish(attempts):
    """In the middle of a storm: the server ends, and its workers with it."""
    for attempt in range(attempts):
        random = Random(f"vanish {attempt}")
        with subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdin.write(b'{"id": "about", "ask": "about"}\n')
            process.stdin.flush()
            process.stdout.readline()
            with contextlib.suppress(BrokenPipeError):
                for number in range(random.randrange(200)):
                    line, _ = message(random, number)
                    process.stdin.write(line + b"\n")
                process.stdin.flush()
            workers = children(process.pid)
            process.stdout.close()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.flush()
            assert process.wait(20) in (0, 1, 120)  # a closed pipe, as Python reports it
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
        deadline = time.monotonic() + 20
        while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


def test_many_large_requests_that_wait():
    """The queue is limited in bytes, and what waits is kept as bytes: deep objects take no more than they have letters."""
    client = Client("large")
    client.send(b'{"id": "first", "ask": "sleep", "time": 60}')
    body = b",".join([b"[]"] * 20_000)
    for number in range(400):
        client.send(b'{"id": "%d", "ask": "add", "a": [%s]}' % (number, body))
    client.send(b'{"id": "stop", "ask": "cancel", "targets": "all"}')
    client.flush()
    client.wait(lambda answers: any(answer["id"] == "stop" for answer in answers))
    memory = most_memory(client.process.pid)
    assert client.end() == 0
    assert client.finals() == Counter(["first", "stop", *map(str, range(400))])
    assert memory < MOST_MEMORY
