"""Keys: who has none that is known is not answered, each has limits of its own, and no file or log has one."""

import logging
import threading
from datetime import UTC, datetime

import pytest
from httpservice import TOY, running, wait_until

from tetrasolve.serve.database import open_database
from tetrasolve.serve.keys import Key, KeyFileError, Quotas, digest_of, find, read_keys
from tetrasolve.serve.store import Store

FIRST, SECOND = "a" * 20 + "1" * 20, "b" * 20 + "2" * 20
KEYS = {digest_of(FIRST): Key("first"), digest_of(SECOND): Key("second", rate=0.001, burst=2, day=9)}
ADD = {"a": 1, "b": 2}


def asked(found, key, path="add", scheme="Bearer"):
    headers = {} if key is None else {"authorization": f"{scheme} {key}"}
    return found.client.post(f"/v1/{path}", json=ADD, headers=headers)


def test_only_who_has_a_key_is_answered(toy, caplog):
    found = toy(keys=KEYS)
    with caplog.at_level(logging.INFO):
        for key in (None, FIRST[:-1], FIRST + "1", FIRST.upper(), "x" * 300, digest_of(FIRST), f"{FIRST} {FIRST}"):
            for path in ("add", "jobs/add"):
                refused = asked(found, key, path)
                assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer"), key
        assert asked(found, FIRST, scheme="Basic").status_code == 401
        assert asked(found, FIRST).json() == asked(found, FIRST, scheme="bEARER").json() == {"sum": 3.0}
        place = asked(found, FIRST, "jobs/add").headers["location"]
        for method, path in (("GET", place), ("GET", f"{place}/events"), ("DELETE", place)):
            assert found.client.request(method, path).status_code == 401
            assert found.client.request(method, path, headers={"authorization": f"Bearer {FIRST}"}).status_code < 300
        wait_until(lambda: caplog.text.count('"status"') >= 20)
    assert FIRST not in caplog.text and digest_of(FIRST) not in caplog.text
    for path in ("about", "health", "ready", "schema", "openapi.json"):
        assert found.client.get(f"/v1/{path}").status_code == 200


def test_the_counters_name_keys_and_are_for_few(toy):
    """Without keys for everybody; with keys only for one that may read them, while that is no question."""
    watcher = "w" * 40
    found = toy(keys={**KEYS, digest_of(watcher): Key("watcher", metrics=True, day=0)}, rate=0.001, burst=20)

    def read(key):
        headers = {} if key is None else {"authorization": f"Bearer {key}"}
        return found.client.get("/v1/metrics", headers=headers)

    assert asked(found, FIRST).status_code == 200
    for key, status in ((None, 401), ("x" * 40, 401), (FIRST, 403), (SECOND, 403)):
        refused = read(key)
        assert (refused.status_code, refused.json()["status"]) == (status, status) and "first" not in refused.text
    assert 'tetrasolve_questions_total{key="first"} 1.0' in read(watcher).text
    assert asked(found, watcher).status_code == 429
    assert read(None).headers["www-authenticate"] == "Bearer"
    assert [read("x" * 40).status_code for _ in range(18)][-1] == 429
    open_to_all = toy()
    assert "tetrasolve_requests" in open_to_all.client.get("/v1/metrics").text


def test_a_job_belongs_to_the_key_that_opened_it(place):
    """Others, and a service without keys, find none; nor by the same Idempotency-Key. A restart changes nothing."""
    keys = {digest_of(FIRST): Key("first"), digest_of(SECOND): Key("second")}
    first, second = ({"authorization": f"Bearer {key}", "idempotency-key": "k" * 16} for key in (FIRST, SECOND))
    fields = {"time": 60}
    with running("toyengine", TOY, Store(place), keys=keys) as found:
        job = found.client.post("/v1/jobs/sleep", json=fields, headers=first).headers["location"]
    with running("toyengine", TOY, Store(place)) as found:
        open_to_all = found.client.post("/v1/jobs/add", json=ADD).headers["location"]
        assert (found.client.get(open_to_all).status_code, found.client.get(job).status_code) == (200, 404)
    with running("toyengine", TOY, Store(place), keys=keys) as found:
        for method, path in (("GET", job), ("GET", f"{job}/events"), ("DELETE", job), ("GET", open_to_all)):
            assert found.client.request(method, path, headers=second).status_code == 404
        assert found.client.post("/v1/jobs/sleep", json=fields, headers=first).headers["location"] == job
        other = found.client.post("/v1/jobs/sleep", json={"time": 50}, headers=second)
        assert other.status_code == 202 and other.headers["location"] != job
        assert found.client.get(job, headers=first).json()["state"] == "open"
        assert [found.client.delete(job, headers=header).status_code for header in (second, first)] == [404, 204]


def test_open_questions_count_for_each_key(toy):
    found = toy(keys={digest_of(FIRST): Key("first"), digest_of(SECOND): Key("second")}, client_questions=1)
    headers = {"authorization": f"Bearer {FIRST}"}
    thread = threading.Thread(target=lambda: found.client.post("/v1/sleep", json={"time": 60}, headers=headers))
    thread.start()
    wait_until(lambda: found.service.questions.open == 1)
    refused = asked(found, FIRST)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    wait_until(lambda: any(run.has_begun for run in found.service.questions._open.values()))
    second = threading.Thread(target=asked, args=(found, SECOND))
    second.start()
    wait_until(lambda: found.service.questions.open == 2)
    found.service.questions.cancel_all()
    for one in (thread, second):
        one.join()
    assert asked(found, FIRST).status_code == 200


def test_each_key_has_its_rate(toy):
    """One that is used up is not used up for others; who tries keys is limited by the address."""
    found = toy(keys=KEYS, rate=0.001, burst=5)
    assert [asked(found, SECOND).status_code for _ in range(3)] == [200, 200, 429]
    assert [asked(found, FIRST).status_code for _ in range(6)] == [200] * 5 + [429]
    assert [asked(found, "x" * 40).status_code for _ in range(6)] == [401] * 5 + [429]


def test_the_questions_of_a_day_are_counted_in_the_store(place):
    """Services that share it share them, also after a restart; a job is a question, a look at it is none."""
    keys = {digest_of(FIRST): Key("first", day=4), digest_of(SECOND): Key("second", day=0)}

    def service():
        return running("toyengine", TOY, Store(place), keys=keys)

    with service() as one, service() as other:
        assert [asked(one, FIRST).status_code, asked(other, FIRST).status_code] == [200, 200]
        job = asked(one, FIRST, "jobs/add").headers["location"]
        for _ in range(3):
            assert other.client.get(job, headers={"authorization": f"Bearer {FIRST}"}).status_code == 200
        assert asked(one, SECOND).status_code == 429
    with service() as again:
        assert asked(again, FIRST).status_code == 200
        refused = asked(again, FIRST)
        assert refused.status_code == 429 and "4 questions of this day" in refused.json()["detail"]
        assert 0 < int(refused.headers["retry-after"]) <= 86_400


def test_a_day_ends(place):
    database = open_database(place)
    quotas, key = Quotas(database), Key("a", day=2)
    evening = datetime(2026, 2, 28, 23, 59, 50, tzinfo=UTC)
    assert [quotas.take(key, evening) for _ in range(4)] == [0, 0, 10, 10]
    assert quotas.take(Key("b", day=1), evening) == 0
    morning = datetime(2026, 3, 1, 0, 0, 0, tzinfo=UTC)
    assert [quotas.take(key, morning) for _ in range(3)] == [0, 0, 86_400]
    with database.reading() as connection:
        assert connection.execute("SELECT DISTINCT day FROM quotas").fetchall() == [("2026-03-01",)]
    assert [quotas.take(Key("c"), morning) for _ in range(3)] == [0, 0, 0]
    database.close()


def test_without_the_numbers_nobody_is_answered(toy):
    """A quota that cannot be counted is not ignored."""
    found = toy(keys=KEYS)
    found.service._quotas._database.close()
    assert asked(found, FIRST).status_code == 503
    assert asked(found, "x" * 40).status_code == 401


def test_a_file_of_keys(tmp_path):
    path = tmp_path / "keys.toml"
    path.write_text(
        f'[[keys]]\nname = "a"\nsha256 = "{digest_of(FIRST)}"\n'
        f'[[keys]]\nname = "b"\nsha256 = "{digest_of(SECOND)}"\nrate = 0.5\nburst = 3\nday = 100\nmetrics = true\n'
    )
    keys = read_keys(str(path))
    assert list(keys.values()) == [Key("a"), Key("b", 0.5, 3, 100, metrics=True)]
    assert find(keys, f"Bearer  {SECOND} ").name == "b" and find(keys, FIRST) is None


ROW = f'[[keys]]\nname = "a"\nsha256 = "{"0" * 64}"\n'


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "keys"),
        ("keys = []", "keys"),
        ("keys = 5", "keys"),
        ("nonsense", "not TOML"),
        (ROW + "speed = 5", "keys 1"),
        ('[[keys]]\nname = "a"', "keys 1"),
        (ROW.replace('"a"', '"a b"'), "keys 1 name"),
        (ROW.replace('"a"', "5"), "keys 1 name"),
        (ROW + ROW, "keys 2 name"),
        (ROW + ROW.replace('"a"', '"b"'), "keys 2 sha256"),
        (ROW.replace("0" * 64, "0" * 63), "keys 1 sha256"),
        (ROW.replace("0" * 64, "A" * 64), "keys 1 sha256"),
        (ROW + "rate = 0", "keys 1 rate"),
        (ROW + "rate = nan", "keys 1 rate"),
        (ROW + "burst = 1.5", "keys 1 burst"),
        (ROW + "day = -1", "keys 1 day"),
        (ROW + "day = true", "keys 1 day"),
        (ROW + "metrics = 1", "keys 1 metrics"),
    ],
)
def test_a_file_that_is_refused(tmp_path, text, where):
    path = tmp_path / "keys.toml"
    path.write_text(text)
    with pytest.raises(KeyFileError, match=f"keys.toml: .*{where}"):
        read_keys(str(path))
