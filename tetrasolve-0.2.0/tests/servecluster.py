"""Two instances of the service behind haproxy on one Postgres, as examples/deploy describes them; any of them may be killed."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pgserver
import psycopg
from pgserver import PgServer

EXAMPLES = Path(__file__).parents[1] / "examples"
DEPLOY = EXAMPLES / "deploy"
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"  # where Debian has haproxy
PACKAGES = {"node": "nodejs"}
UP = 60.0  # seconds in which everything has started


def missing():
    """Why there can be no cluster, None where there can."""
    for name in ("haproxy", "node", "curl"):
        if shutil.which(name, path=PATH) is None:
            return f"{name} is not installed (on Debian: apt install {PACKAGES.get(name, name)})"
    if not DEPLOY.is_dir():
        return "examples/deploy is absent"
    return pgserver.missing()


def free_ports(number):
    """Ports of loopback that nobody uses."""
    with ExitStack() as open_sockets:
        found = []
        for _ in range(number):
            one = open_sockets.enter_context(socket.socket())
            one.bind(("127.0.0.1", 0))
            found.append(one.getsockname()[1])
        return found


def until(test, seconds=UP, what="this"):
    """Wait until it holds; failures of the network count as no."""
    end = time.monotonic() + seconds
    while True:
        try:
            if found := test():
                return found
        except httpx.HTTPError:
            pass
        assert time.monotonic() < end, f"{what} did not happen within {seconds:g} s"
        time.sleep(0.05)


def started_by(unit, port, store):
    """The command of a unit of systemd, run by this Python."""
    (line,) = re.findall(r"^ExecStart=(.*)", unit.read_text(), re.MULTILINE)
    program, *words = shlex.split(line.replace("%i", str(port)).replace("${TETRASOLVE_STORE}", store))
    assert Path(program).name == "tetrasolve"
    return [sys.executable, "-m", "tetrasolve", *words]


class Instance:
    """One `tetrasolve serve`, started again on the same port when it was killed."""

    def __init__(self, port, store, log):
        self.url = f"http://127.0.0.1:{port}"
        self._command, self._log = started_by(DEPLOY / "tetrasolve@.service", port, store), log
        self._process = None

    def start(self):
        self._process = subprocess.Popen(self._command, stdout=self._log, stderr=self._log)

    def is_ready(self):
        return httpx.get(f"{self.url}/v1/ready", timeout=5).status_code == 200

    def workers(self):
        """Its processes, with the ticks that each has used."""
        found, ahead = {}, [self._process.pid]
        while ahead:
            for path in Path(f"/proc/{ahead.pop()}/task").glob("*/children"):
                try:
                    for child in map(int, path.read_text().split()):
                        found[child] = ticks(child)
                        ahead.append(child)
                except OSError:  # it ended meanwhile
                    continue
        return found

    def busiest(self, seconds=0.3):
        """The process that worked most just now."""
        before = self.workers()
        time.sleep(seconds)
        return max((now - before.get(pid, now), pid) for pid, now in self.workers().items())[1]

    def kill(self):
        """Kill it as a power cut would; its workers have to end by themselves."""
        workers = self.workers()
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(30)
        return workers

    def end(self):
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(30)


def ticks(pid):
    """The processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def lives(pid):
    """Whether there is such a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Cluster:
    """All of them; a context manager."""

    def __init__(self, folder):
        self._folder = folder
        self._stack = ExitStack()

    def __enter__(self):
        with ExitStack() as stack:
            self.postgres = stack.enter_context(PgServer())
            self.store = self.postgres.new_database("cluster")
            first, second, front = free_ports(3)
            self.instances = []
            for port in (first, second):
                log = stack.enter_context((self._folder / f"{port}.log").open("w"))
                self.instances.append(Instance(port, self.store, log))
                stack.callback(self.instances[-1].end)
                self.instances[-1].start()
            self.url = f"http://127.0.0.1:{front}"
            places = {"BIND": f"127.0.0.1:{front}", "A": f"127.0.0.1:{first}", "B": f"127.0.0.1:{second}"}
            log = stack.enter_context((self._folder / "haproxy.log").open("w"))
            proxy = subprocess.Popen(
                [shutil.which("haproxy", path=PATH), "-db", "-f", DEPLOY / "haproxy.cfg"], stdout=log, stderr=log,
                env={**os.environ, **{f"TETRASOLVE_{name}": value for name, value in places.items()}},
            )  # fmt: skip
            stack.callback(proxy.wait, 30)
            stack.callback(proxy.terminate)
            for instance in self.instances:
                until(instance.is_ready, what="the start of an instance")
            until(lambda: httpx.get(f"{self.url}/v1/ready", timeout=5).status_code == 200, what="the start of haproxy")
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def rows(self, statement):
        """What the database says, beside the service."""
        with psycopg.connect(self.store) as connection:
            return connection.execute(statement).fetchall()

    def jobs(self):
        """Each job: its id, what was asked, and how often it was begun."""
        return [
            (name, json.loads(fields), attempts)
            for name, fields, attempts in self.rows("SELECT id, fields, attempts FROM jobs")
        ]

    def events(self):
        """The stored events of each job: numbers, kinds and data."""
        found = {}
        for job, number, kind, data in self.rows("SELECT job, number, kind, data FROM events ORDER BY job, number"):
            found.setdefault(job, []).append((number, kind, json.loads(data)))
        return found
