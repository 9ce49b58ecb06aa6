"""Instances, workers and the database are killed while clients ask: each client has each answer, once."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from itertools import count

import httpx
import pytest
from servecluster import EXAMPLES, Cluster, lives, missing, until

from tetrasolve.analysis.worker import RequestContext
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.service.engine import HANDLERS

pytestmark = pytest.mark.slow

FINAL = {"done", "cancelled", "error"}
POSITION = "4211 D:4 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-"
PROGRAMS = {  # the clients of the how-to
    "python": [sys.executable, EXAMPLES / "job_client.py"],
    "node": ["node", EXAMPLES / "job_client.mjs"],
    "curl": ["sh", EXAMPLES / "job_client.sh"],
}
OUTAGE = 10.0  # seconds without a database
LATER = {429, 502, 503, 504}
SEEDS = count(1)
RECOMPUTED = 3  # jobs whose result is worked out here again; those that were begun most often


def job_of(seed):
    """A question of a second and a half whose answer depends on the seed."""
    return {"position": POSITION, "budget": "expectimax", "seed": seed, "seconds": 120}


def answer_of(result):
    return {name: value for name, value in result.items() if name != "seconds"}


def by_the_library(kind, fields):
    """The answer without a service."""
    asked = {name: value for name, value in fields.items() if name != "seconds"}
    context = RequestContext(seconds=fields.get("seconds"))  # with a limit a hint searches further than without
    return answer_of(json.loads(json.dumps(HANDLERS[kind](asked, context))))


class Clients:
    """Each asks one question after the other in a thread of its own until `stop`.

    What they received is kept, and what went wrong.
    """

    def __init__(self, url):
        self.url = url
        self.received, self.problems, self.answers, self.retries = {}, [], [], 0
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._ask_jobs, args=(name,)) for name in PROGRAMS]
        self._threads += [threading.Thread(target=self._ask, args=(number,)) for number in range(2)]

    def start(self):
        for thread in self._threads:
            thread.start()

    def stop(self):
        """Let each have its last answer."""
        self._stop.set()
        for thread in self._threads:
            thread.join(320)
        assert not any(thread.is_alive() for thread in self._threads)

    def _ask_jobs(self, name):
        while not self._stop.is_set():
            seed = next(SEEDS)
            command = [*PROGRAMS[name], self.url, "hint", json.dumps(job_of(seed))]
            try:
                done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=310)
            except subprocess.TimeoutExpired as error:
                self.problems.append((name, seed, "no end", str(error)))
                return
            rows = [line.split(" ", 2) for line in done.stdout.splitlines()]
            self.received[seed] = [(int(number), kind, json.loads(data)) for number, kind, data in rows]
            if done.returncode or done.stderr:
                self.problems.append((name, seed, done.returncode, done.stderr))

    def _ask(self, number):
        """Plain questions, sent again after what may pass."""
        drawn = random.Random(number)
        with httpx.Client(base_url=self.url, timeout=30) as client:
            while not self._stop.is_set():
                fields = {"position": str(example(drawn.choice(sorted(examples()))))}
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    pause = 1.0
                    try:
                        found = client.post("/v1/risk", json=fields)
                        if found.status_code not in LATER:
                            self.answers.append((time.monotonic(), fields, found.status_code, found.json()))
                            break
                        pause = float(found.headers["retry-after"])
                    except httpx.TransportError:
                        pass
                    self.retries += 1
                    self._stop.wait(pause)
                else:
                    self.problems.append(("risk", number, fields))
                self._stop.wait(0.1)


def open_jobs(instance):
    """How many jobs this one works on."""
    text = httpx.get(f"{instance.url}/v1/metrics", timeout=5).text
    return float(next(line.split()[1] for line in text.splitlines() if line.startswith("tetrasolve_open_jobs ")))


def kill(instance):
    """Kill an instance that works; its workers end with it. It is started again after three seconds."""
    until(lambda: open_jobs(instance) > 0, what="a job on this instance")
    workers = instance.kill()
    until(lambda: not any(lives(pid) for pid in workers), 10, "the end of its workers")
    time.sleep(3)
    instance.start()
    until(instance.is_ready, what="the restart")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if (problem := missing()) is not None:
        pytest.skip(problem)
    with Cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def test_every_client_has_every_answer_once(cluster):
    """An instance, a worker, the database for ten seconds, and the other instance; then one is restarted in good order."""
    first, second = cluster.instances
    clients = Clients(cluster.url)
    clients.start()
    try:
        kill(first)

        until(lambda: open_jobs(second) > 0, what="a job on this instance")
        os.kill(second.busiest(), signal.SIGKILL)

        until(lambda: open_jobs(second) > 0, what="a job on this instance")
        cluster.postgres.end()
        began = time.monotonic()
        time.sleep(OUTAGE)
        ended = time.monotonic()
        cluster.postgres.start()

        kill(second)
        first.end()
        first.start()
        until(first.is_ready, what="the restart")
    finally:
        clients.stop()
    assert not clients.problems
    check_jobs(cluster, clients.received)
    assert all(status == 200 for _, _, status, _ in clients.answers)
    assert [row for row in clients.answers if began + 1 < row[0] < ended], "questions need no store"
    for place in sorted(examples()):
        fields = {"position": str(example(place))}
        found = [answer for _, asked, _, answer in clients.answers if asked == fields]
        assert all(answer == found[0] for answer in found[1:])
        assert not found or answer_of(found[0]) == by_the_library("risk", fields)


def check_jobs(cluster, received):
    """What each client received, what is stored, and what the library says."""
    jobs = {fields["seed"]: (name, attempts) for name, fields, attempts in cluster.jobs()}
    stored = cluster.events()
    assert len(received) >= len(PROGRAMS)
    assert len(cluster.jobs()) == len(jobs) and set(jobs) == set(received), "each question is one job"
    for seed, events in received.items():
        name, attempts = jobs[seed]
        for rows in (events, stored[name]):
            numbers = [number for number, _, _ in rows]
            assert numbers == sorted(set(numbers)), (seed, attempts)
            assert [kind for _, kind, _ in rows if kind in FINAL] == ["done"] and rows[-1][1] == "done"
        assert events[-1] == stored[name][-1]
        kept = {number: rest for number, *rest in stored[name]}
        assert all(kept.get(number, rest) == rest for number, *rest in events)
    often = sorted(received, key=lambda seed: -jobs[seed][1])
    assert jobs[often[0]][1] >= 2, "a job was begun again after a kill"
    for seed in often[:RECOMPUTED]:
        assert answer_of(received[seed][-1][2]) == by_the_library("hint", job_of(seed))


# -- what the proxy does ------------------------------------------------------------------------------------------------


def test_where_no_instance_answers_the_proxy_says_when_to_come_back(cluster):
    for instance in cluster.instances:
        instance.end()
    for _ in range(3):
        found = httpx.get(f"{cluster.url}/v1/ready")
        assert (found.status_code, found.headers["retry-after"]) == (503, "1")
        assert found.headers["content-type"] == "application/problem+json" and found.json()["status"] == 503
    for instance in cluster.instances:
        instance.start()
    until(lambda: httpx.get(f"{cluster.url}/v1/ready").status_code == 200)


def test_one_instance_is_enough_and_no_request_meets_the_other(cluster):
    """Once the proxy has noticed that it ended; before that a connection that fails is tried on the other one."""
    cluster.instances[1].end()
    with httpx.Client(base_url=cluster.url) as client:
        assert {client.get("/v1/health").status_code for _ in range(50)} == {200}
    cluster.instances[1].start()
    until(cluster.instances[1].is_ready)


def test_counters_are_not_for_those_outside(cluster):
    assert httpx.get(f"{cluster.url}/v1/metrics").status_code == 403
    assert httpx.get(f"{cluster.instances[0].url}/v1/metrics").status_code == 200


def test_the_proxy_limits_each_client(cluster):
    """The last test, since it uses up what this client may ask in ten seconds."""
    with httpx.Client(base_url=cluster.url) as client:
        answers = (client.get("/v1/health") for _ in range(5000))
        found = next(answer for answer in answers if answer.status_code != 200)
    assert (found.status_code, found.headers["retry-after"]) == (429, "1")
    assert found.json()["status"] == 429 and found.headers["content-type"] == "application/problem+json"
