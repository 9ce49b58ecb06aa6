"""Jobs: their events are numbered and kept, a retry is the same job, and another process can go on with one; each ends once."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import httpx
import pytest
import toyengine
from httpservice import TOY, events_of, running, wait_until
from jsonschema import Draft202012Validator

from tetrasolve.serve import jobstore
from tetrasolve.serve.database import StoreFailedError, open_database
from tetrasolve.serve.jobs import ATTEMPTS
from tetrasolve.serve.jobstore import FINAL, Job, JobStore
from tetrasolve.serve.store import Store

KEY = {"idempotency-key": "3c1f4e0e-7a75-4f0e"}
LONG = {"time": 60, "report_every": 0.02}


@pytest.fixture(scope="module")
def shared():
    """A service for tests that leave nothing behind."""
    with running("toyengine", TOY) as found:
        yield found


@pytest.fixture
def stored(place):
    """Start services for the toy engine which share a store; they end with the test."""
    with ExitStack() as stack:

        def start(**settings):
            return stack.enter_context(running("toyengine", TOY, Store(place), **settings))

        yield start


def opened(found, ask="sleep", fields=LONG, **headers):
    answer = found.client.post(f"/v1/jobs/{ask}", json=fields, headers=headers)
    assert answer.status_code == 202, answer.text
    data = answer.json()
    assert answer.headers["location"] == f"/v1/jobs/{data['job']}"
    return answer.headers["location"]


def state(found, place):
    return found.client.get(place).json()


def listened(found, place, after=0):
    """All events after this one; the request ends with the last."""
    return events_of(found.client.get(f"{place}/events", headers={"last-event-id": str(after)}).text)


@contextmanager
def listening(found, place, **headers):
    """A function that gives the next event."""
    with found.client.stream("GET", f"{place}/events", headers=headers) as stream:
        lines = stream.iter_lines()

        def following():
            rows = {}
            for line in lines:
                if not line and rows:
                    return int(rows.get("id", 0)), rows["event"], json.loads(rows["data"])
                if line and not line.startswith(":"):
                    name, _, value = line.partition(": ")
                    rows[name] = value
            return None

        yield following


def one_end(found, place):
    """The final event of a job, of which there must be one."""
    (last,) = [row for row in listened(found, place) if row[1] in FINAL]
    return last


# -- one job -----------------------------------------------------------------------------------------------------------


def test_a_job_is_answered_by_numbered_events(shared):
    found = shared
    place = opened(found, fields={"time": 0.3, "report_every": 0.02})
    events = listened(found, place)
    numbers = [number for number, _, _ in events]
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) > 2
    assert {kind for _, kind, _ in events[:-1]} <= {"waiting", "started", "partial"} and events[-1][1] == "done"
    said = state(found, place)
    assert (said["state"], said["result"], said["event"]) == ("done", events[-1][2], numbers[-1])
    assert listened(found, place, numbers[1]) == events[2:]
    assert found.client.get(said["events"], headers={"last-event-id": str(numbers[-1])}).status_code == 204
    assert found.client.get(said["events"], headers={"last-event-id": "999"}).status_code == 204


def test_a_refused_question_is_the_end_of_its_job(shared):
    found = shared
    place = opened(found, "add", {"a": "x", "b": 1})
    (_, kind, problem) = one_end(found, place)
    assert (kind, problem["status"], problem["where"]) == ("error", 422, "a")
    assert state(found, place)["problem"] == problem


def test_a_job_goes_on_without_its_listener(shared):
    """Who comes back names the last event, and misses nothing that is kept."""
    found = shared
    place = opened(found)
    with listening(found, place) as following:
        seen = [following() for _ in range(3)]
    wait_until(lambda: state(found, place)["event"] > seen[-1][0] + 3)
    with listening(found, place, **{"last-event-id": str(seen[-1][0])}) as following:
        assert [following()[0] for _ in range(3)] == [seen[-1][0] + more for more in (1, 2, 3)]
        assert found.client.delete(place).status_code == 204
        while (row := following())[1] == "partial":
            last = row
        assert row[1] == "cancelled" and row[2]["ticks"] >= last[2]["ticks"] and following() is None
    wait_until(lambda: found.service.questions.open == 0)


def test_a_job_that_would_go_on_has_the_time_of_a_direct_question(toy, monkeypatch):
    """Unless it asks for more; one that ends when it is done has all the time of jobs."""
    others = toy(seconds=0.2)
    monkeypatch.setattr(toyengine, "DEEPENING", ("sleep",), raising=False)
    found = toy(seconds=0.2, workers=3)
    ends_when_done, asks_for_more = opened(others), opened(found, fields={**LONG, "seconds": 50.0})
    assert one_end(found, opened(found))[1] == "done"
    assert {state(others, ends_when_done)["state"], state(found, asks_for_more)["state"]} == {"open"}


def test_a_client_has_no_more_jobs_by_opening_many_at_once(toy):
    """Those that are on their way to the store count; who was refused may ask again."""
    found = toy(client_jobs=3)
    with ThreadPoolExecutor(16) as executor:
        answers = list(executor.map(lambda _: found.client.post("/v1/jobs/sleep", json=LONG), range(16)))
    places = [answer.headers["location"] for answer in answers if answer.status_code == 202]
    assert len(places) == 3 and {answer.status_code for answer in answers} == {202, 503}
    found.client.delete(places[0])
    wait_until(lambda: found.client.post("/v1/jobs/sleep", json=LONG).status_code == 202)
    assert found.client.post("/v1/jobs/sleep", json=LONG).status_code == 503
    found.service.end()
    wait_until(lambda: found.service.jobs.running == 0)
    assert not found.service.jobs._places


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", ["%00", "a%00b", "%ED%A0%80", "'%20OR%201=1--", "A" * 32, "0" * 31, "0" * 5000, "٣" * 32]
)
def test_what_is_no_id_is_no_job(stored, name):
    """Also where the database refuses such text."""
    found = stored()
    for method, path in (("GET", ""), ("GET", "/events"), ("DELETE", "")):
        assert found.client.request(method, f"/v1/jobs/{name}{path}").status_code == 404


def test_cancelling_twice_or_too_late_changes_nothing(shared):
    found = shared
    place = opened(found, "add", {"a": 1, "b": 2})
    assert one_end(found, place)[1:] == ("done", {"sum": 3.0})
    for _ in range(2):
        assert found.client.delete(place).status_code == 204
        assert one_end(found, place)[1:] == ("done", {"sum": 3.0})


def test_a_job_that_waits_can_be_cancelled(toy):
    found = toy(workers=1)
    first, second, third = (opened(found) for _ in range(3))
    with listening(found, third) as following:
        assert following() == (1, "waiting", {"ahead": 1})
        assert found.client.delete(second).status_code == 204
        assert one_end(found, second) == (2, "cancelled", {})
        assert found.client.delete(first).status_code == 204
        assert following()[1] in {"started", "partial"}
    found.client.delete(third)
    one_end(found, third)
    assert found.service.jobs.running == 0


def test_clients_who_wait_come_before_jobs(toy):
    """Of two workers jobs have one."""
    found = toy(workers=2)
    places = [opened(found) for _ in range(3)]
    assert found.post("add", {"a": 1, "b": 2}).json() == {"sum": 3.0}
    for place in places:
        found.client.delete(place)


def test_a_job_to_which_nobody_listens_ends(toy):
    """A listener keeps it, and so does a look at its state."""
    found = toy(job_idle=1.0, heartbeat=0.1)
    kept, left = opened(found), opened(found)
    with listening(found, kept) as following:
        following()
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            following()
        assert one_end(found, left)[1:] == ("cancelled", {})
        assert state(found, kept)["state"] == "open"
    wait_until(lambda: not found.service.jobs.running)
    assert one_end(found, kept)[1] == "cancelled"


# -- the same job ------------------------------------------------------------------------------------------------------


def test_the_same_key_is_the_same_job(toy):
    found = toy()
    places = []
    threads = [threading.Thread(target=lambda: places.append(opened(found, **KEY))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(places) == 8 and len({*places, opened(found, **{"idempotency-key": '"3c1f4e0e-7a75-4f0e"'})}) == 1
    assert found.service.jobs.running == 1
    other = found.client.post("/v1/jobs/sleep", json={"time": 59}, headers=KEY)
    assert (other.status_code, other.json()["where"]) == (422, "Idempotency-Key")
    assert opened(found) != places[0]


@pytest.mark.parametrize("key", ["1", "x" * 15, "x" * 256, "", "\xe9" * 20])
def test_a_key_that_others_may_choose_too_is_refused(shared, key):
    answer = shared.client.post("/v1/jobs/add", json={}, headers={"idempotency-key": key.encode("latin-1")})
    assert (answer.status_code, answer.json()["where"]) == (400, "Idempotency-Key")


# -- refusals ----------------------------------------------------------------------------------------------------------


def test_what_is_no_job(shared):
    found = shared
    place = opened(found)
    for path in ("/v1/jobs/0", "/v1/jobs/0/events", "/v1/jobs/sleep", f"{place[:-1]}x", "/v1/jobs/%27%20OR%201=1--"):
        assert found.client.get(path).status_code == 404, path
    assert found.client.delete("/v1/jobs/0").status_code == 404
    for last in ("x", "-1", "1" * 10, "1.5", "\xb2"):
        answer = found.client.get(f"{place}/events", headers={"last-event-id": last.encode("latin-1")})
        assert (answer.status_code, answer.json()["where"]) == (400, "Last-Event-ID")
    assert found.client.post("/v1/jobs/sleep", json={"priority": 9}).json()["where"] == "priority"
    assert (
        found.client.post("/v1/jobs/sleep", content=b"[]", headers={"content-type": "application/json"}).status_code
        == 400
    )
    found.client.delete(place)
    one_end(found, place)


def test_jobs_are_limited(toy):
    """Those of one client, and all; a retry of one that is there is no new one."""
    for settings, text in (({"client_jobs": 2}, "this client"), ({"jobs": 2}, "there are too many")):
        found = toy(**settings)
        places = [opened(found, **KEY), opened(found)]
        full = found.client.post("/v1/jobs/add", json={})
        assert (full.status_code, full.headers["retry-after"]) == (503, "1") and text in full.json()["detail"]
        assert opened(found, **KEY) == places[0]
        for place in places:
            found.client.delete(place)
            one_end(found, place)
        wait_until(lambda found=found: not found.service.jobs.running)
        opened(found, "add", {"a": 1, "b": 2})


def test_listeners_are_streams(toy):
    found = toy(streams=1)
    place = opened(found)
    with listening(found, place) as following:
        following()
        refused = found.client.get(f"{place}/events")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    wait_until(lambda: found.service._streams == 0)


def test_a_store_that_fails_is_a_problem_that_passes(toy):
    found = toy()
    place = opened(found)
    found.service.jobs._store._database.close()
    for answer in (found.client.get(place), found.client.post("/v1/jobs/add", json={}), found.client.delete(place)):
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    wait_until(lambda: not found.service.jobs.running)  # nobody can have the answer
    wait_until(lambda: found.service.questions.open == 0)


# -- other processes ---------------------------------------------------------------------------------------------------


def test_a_job_survives_a_restart(stored):
    """The listener is notified, another service begins with it again, and the numbers go on."""
    found = stored()
    place = opened(found, **KEY)
    with listening(found, place) as following:
        rows = [following() for _ in range(3)]
        found.server.should_exit = True
        while (row := following()) is not None:
            rows.append(row)
    assert rows[-1] == (0, "ending", {}) and not {kind for _, kind, _ in rows} & FINAL
    wait_until(lambda: not found._thread.is_alive())
    again = stored()
    assert opened(again, **KEY) == place
    with listening(again, place, **{"last-event-id": str(rows[-2][0])}) as following:
        number, _, _ = following()
        assert number > rows[-2][0]
        again.client.delete(place)
        while (row := following())[1] not in FINAL:
            pass
    assert row[1] == "cancelled" and one_end(again, place) == row


def test_without_a_file_a_job_ends_with_its_service(toy):
    found = toy(workers=1)
    places = [opened(found), opened(found)]
    with listening(found, places[0]) as first, listening(found, places[1]) as second:
        while first()[1] != "partial":
            pass
        assert second()[1] == "waiting"
        found.server.should_exit = True
        while (row := first())[1] == "partial":
            pass
        assert row[1] == "cancelled" and row[2]["ticks"] > 0
        assert second()[1:] == ("cancelled", {})


def test_two_services_share_their_jobs(stored):
    """One works, the other one listens and cancels."""
    first, second = stored(), stored()
    place = opened(first, **KEY)
    assert opened(second, **KEY) == place and (first.service.jobs.running, second.service.jobs.running) == (1, 0)
    with listening(second, place) as following:
        numbers = [following()[0] for _ in range(5)]
        assert numbers == sorted(set(numbers))
        assert second.client.delete(place).status_code == 204
        while (row := following())[1] not in FINAL:
            pass
        assert row[1] == "cancelled" and row[2]["ticks"] > 0
    assert one_end(first, place) == row


def test_a_job_of_a_service_that_is_gone_is_taken_over(stored, monkeypatch):
    """By the one at which somebody listens; the first one, should it come back, cannot add to it any more."""
    monkeypatch.setattr(jobstore, "LEASE", 0.5)
    first, second = stored(), stored()
    place = opened(first)
    name = place.rpartition("/")[2]
    wait_until(lambda: state(first, place)["event"] > 2)
    first.service.jobs._beating.cancel()  # as if it were stopped
    with listening(second, place) as following:
        wait_until(lambda: following()[1] and second.service.jobs.running == 1)
        wait_until(lambda: first.service.jobs.running == 0)
        number, _, _ = following()
        assert not first.service.jobs._store.append(name, first.service.jobs._owner, "done", {}, time.time())
        assert following()[0] == number + 1
    second.client.delete(place)
    assert one_end(first, place) == one_end(second, place)


@pytest.mark.slow
def test_a_job_survives_a_killed_service(tmp_path):
    """A real one, in the middle of a hint: a client that asks again with the same key has the answer, once."""
    body = {
        "position": "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal",
        "budget": "deep",
        "seconds": 6,
    }
    path = str(tmp_path / "answers.db")
    places, events = [], []
    for is_first in (True, False):
        command = [sys.executable, "-m", "tetrasolve", "serve", "--port", "0", "--store", path]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
        ) as process:
            try:
                url = re.search(r"http://\S+", process.stdout.readline()).group()
                with httpx.Client(base_url=url, timeout=60) as client:
                    answer = client.post("/v1/jobs/hint", json=body, headers=KEY)
                    places.append(answer.headers["location"])
                    last = str(events[-1][0]) if events else "0"
                    with client.stream("GET", f"{places[-1]}/events", headers={"last-event-id": last}) as stream:
                        text = ""
                        for part in stream.iter_text():
                            text += part
                            if is_first and "event: partial" in text:
                                break
                    events += events_of(text[: text.rindex("\n\n")])
            finally:
                process.send_signal(signal.SIGKILL if is_first else signal.SIGTERM)
    assert places[0] == places[1]
    numbers = [number for number, _, _ in events]
    assert numbers == sorted(set(numbers)) and [kind for _, kind, _ in events if kind in FINAL] == ["done"]
    assert events[-1][2]["plans"]


def test_a_job_outlives_an_outage_of_its_store(postgres):
    """Its events are stored when the store is back; meanwhile there is an honest 503."""
    url = postgres.new_database("outage")
    with running("toyengine", TOY, Store(url)) as found:
        place = opened(found, fields={"time": 1.5, "report_every": 0.05}, **KEY)
        wait_until(lambda: state(found, place)["event"] > 2)
        postgres.end()
        refused = found.client.get(place)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        assert found.client.post("/v1/jobs/add", json={}).status_code == 503
        assert found.post("add", {"a": 1, "b": 2}).json() == {"sum": 3.0}
        postgres.start()
        wait_until(lambda: found.client.get(place).status_code == 200)
        assert opened(found, fields={"time": 1.5, "report_every": 0.05}, **KEY) == place
        (_, kind, result) = one_end(found, place)
        assert kind == "done" and result["ticks"] > 0


def test_a_job_that_the_store_took_unseen_is_begun_when_it_is_asked_for(stored, monkeypatch):
    """The row is there and the answer to the process was lost: nobody works on it, until a retry comes."""
    found = stored()
    rows = found.service.jobs._store
    take = rows.open

    def lose(*words):
        take(*words)
        raise StoreFailedError("OperationalError")

    monkeypatch.setattr(rows, "open", lose)
    assert found.client.post("/v1/jobs/add", json={"a": 1, "b": 2}, headers=KEY).status_code == 503
    monkeypatch.setattr(rows, "open", take)
    place = opened(found, "add", {"a": 1, "b": 2}, **KEY)
    wait_until(lambda: state(found, place)["state"] == "done")
    assert one_end(found, place)[1:] == ("done", {"sum": 3.0})


def test_a_job_is_tried_again_when_its_worker_is_lost(shared, monkeypatch):
    """Once; a question that ends each worker is an error."""
    found = shared
    ask, kinds = found.service.questions.ask, ["add", "crash"]
    monkeypatch.setattr(found.service.questions, "ask", lambda _, fields: ask(kinds.pop(), fields))
    place = opened(found, "add", {"a": 1, "b": 2})
    assert one_end(found, place)[1:] == ("done", {"sum": 3.0}) and not kinds
    monkeypatch.undo()
    place = opened(found, "crash", {})
    (_, kind, problem) = one_end(found, place)
    assert (kind, problem["status"], problem["kind"]) == ("error", 503, "worker")


# -- rows --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def rows(place):
    store = JobStore(open_database(place), 10_000, 60.0)
    yield store
    store.close()


def new_job(name, owner="a", now=100.0):
    return Job(name, b"q", "add", {}, owner, now, now, 1, is_cancelled=False, ended=None)


def test_no_call_reads_all_jobs(tmp_path):
    """Ten thousand that have ended, each with 60 kB of fields, are counted in an index."""
    database, statements = open_database(str(tmp_path / "jobs.db")), []
    store = JobStore(database, 100, 60.0)
    with database.reading() as connection:
        connection.set_trace_callback(statements.append)
        for number in range(3):
            assert store.open(new_job(f"j{number}"), b"k%d" % number, 9) is not None
            assert store.append(f"j{number}", "a", "done", {"n": "x" * 60}, 100.0)
        assert store.find("j0") is None and store.beat("a", 101.0, 60.0) == []
        connection.set_trace_callback(None)
        asked = [found for found in statements if found.split()[0] in {"SELECT", "UPDATE", "DELETE"}]
        steps = [row[3] for found in asked for row in connection.execute(f"EXPLAIN QUERY PLAN {found}")]
    assert len(asked) > 9 and not [step for step in steps if step.startswith("SCAN jobs") and "COVERING" not in step]
    store.close()


def test_events_are_appended_by_the_owner_until_the_end(rows):
    rows.open(new_job("j"), None, 9)
    assert not rows.append("j", "b", "partial", {}, 100) and not rows.append("i", "a", "partial", {}, 100)
    assert rows.append("j", "a", "partial", {"n": 1}, 100)
    assert rows.adopt("j", "b", 100 + jobstore.LEASE) is None
    assert rows.adopt("j", "b", 101 + jobstore.LEASE).attempts == 2
    assert not rows.append("j", "a", "done", {}, 107) and rows.append("j", "b", "done", {"n": 2}, 107)
    assert not rows.append("j", "b", "cancelled", {}, 108) and rows.adopt("j", "c", 1000) is None
    assert [(event.number, event.kind) for event in rows.events("j")] == [(1, "partial"), (2, "done")]
    assert rows.beat("b", 108, 1) == [] and rows.find("j").ended == 107
    rows.beat("b", 168, 1)
    assert rows.find("j") is None and rows.events("j") == []


def test_an_owner_stops_what_is_cancelled_or_left(rows):
    """Of its own jobs and of those of nobody, and says that it is alive."""
    for name, owner, now in (("kept", "a", 100.0), ("left", "a", 50.0), ("other", "b", 90.0), ("nobody", None, 50.0)):
        rows.open(new_job(name, owner, now), None, 9)
    rows.cancel("kept")
    rows.cancel("other")
    assert [job.id for job in rows.beat("b", 91, 60)] == ["other"]
    assert {job.id for job in rows.beat("a", 95, 30)} == {"kept", "left", "nobody"}
    assert {job.id for job in rows.beat("a", 92 + jobstore.LEASE, 60)} == {"kept", "other"}  # whose owner is silent
    assert rows.find("left").alive == 92 + jobstore.LEASE and rows.find("other").alive == 91


def test_old_partial_results_go_first(rows):
    rows.open(new_job("j"), None, 9)
    rows.append("j", "a", "started", {"waited": 1}, 100)
    for number in range(3 * jobstore.PARTIALS):
        rows.append("j", "a", "partial", {"n": number}, 100)
    found = rows.events("j")
    assert [event.kind for event in found] == ["started"] + jobstore.PARTIALS * ["partial"]
    assert found[-1].data == {"n": 3 * jobstore.PARTIALS - 1} and found[-1].number == 3 * jobstore.PARTIALS + 1
    for _ in range(3):
        rows.append("j", "a", "partial", {"text": "x" * jobstore.PARTIAL_BYTES}, 100)
    assert [event.kind for event in rows.events("j")] == ["started", "partial"]


def test_ended_jobs_make_place(rows):
    """Events beyond the size of the store cost the jobs that ended first; where none has ended, there is no new one."""
    for name in "hij":
        assert rows.open(new_job(name), name.encode(), 9).id == name
        rows.append(name, "a", "partial", {"text": 6_000 * "x"}, 100)
        if name != "j":
            rows.append(name, "a", "done", {}, 101)
    assert rows.open(new_job("k"), b"k", 9).id == "k"
    assert [name for name in "hijk" if rows.find(name)] == ["j", "k"]
    rows.append("k", "a", "partial", {"text": 6_000 * "x"}, 100)
    assert rows.open(new_job("l"), b"l", 9) is None
    assert rows.open(new_job("m"), b"k", 0).id == "k"


def test_an_abandoned_job_is_ended_by_whoever_is_there(stored):
    """With the last result that was found; also when it ended too many services."""
    found = stored(job_idle=1.0)
    rows = found.service.jobs._store
    rows.open(new_job("j", None), None, 9)
    rows.append("j", None, "partial", {"ticks": 5}, 100)
    wait_until(lambda: rows.find("j").ended is not None)
    assert [(event.kind, event.data) for event in rows.events("j")] == [
        ("partial", {"ticks": 5}),
        ("cancelled", {"ticks": 5}),
    ]
    name = "c" * 32
    rows.open(new_job(name, None, time.time()), None, 9)
    for _ in range(ATTEMPTS):
        rows.adopt(name, "gone", time.time())
        rows.release("gone")
    (_, kind, problem) = one_end(found, f"/v1/jobs/{name}")
    assert (kind, problem["status"]) == ("error", 500) and f"{ATTEMPTS} times" in problem["detail"]


def test_a_file_of_the_version_before_keeps_its_answers(tmp_path):
    path = str(tmp_path / "answers.db")
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE answers (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, result TEXT NOT NULL, bytes INTEGER NOT NULL);"
        "INSERT INTO answers (key, result, bytes) VALUES (x'6b', '{\"status\": \"complete\"}', 22); PRAGMA user_version = 1;"
    )
    connection.close()
    store = Store(path)
    assert store.get(b"k") == {"status": "complete"}
    store.close()


# -- the document ------------------------------------------------------------------------------------------------------


def test_jobs_are_in_the_document(served):
    """For every call that may take long; answers are as it says."""
    document = served.client.get("/v1/openapi.json").json()
    quick = set(served.client.get("/v1/about").json()["quick"])
    calls = {path.removeprefix("/v1/") for path, said in document["paths"].items() if "post" in said}
    assert {f"jobs/{name}" for name in calls if "/" not in name and name not in quick} == {
        name for name in calls if "/" in name
    }
    names = [said["operationId"] for path in document["paths"].values() for said in path.values()]
    assert len(names) == len({*names})
    validator = Draft202012Validator({"$ref": "#/components/schemas/job", "components": document["components"]})
    (example, *_) = document["paths"]["/v1/jobs/risk"]["post"]["requestBody"]["content"]["application/json"][
        "examples"
    ].values()
    place = opened(served, "risk", example["value"])
    (_, kind, result) = one_end(served, place)
    validator.validate(state(served, place))
    assert (kind, result) == ("done", served.post("risk", example["value"]).json())
