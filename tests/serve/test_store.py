"""Answers that were given once cost no worker, and are the same; what is not complete is not kept."""

import sqlite3
import threading

import pytest
from httpservice import events_of, running

from tetrasolve.games import game
from tetrasolve.serve.store import Store, StoreError, key_of
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.service.engine import digest

FIGHT = str(example("fight"))
RISK = {"position": FIGHT}


def test_a_stored_answer_costs_no_worker(tmp_path):
    """It is the same answer, to the last character, as JSON and as an event, for another process too."""
    path = str(tmp_path / "answers.db")
    engine, schema = game().get_questions(), game().get_messages()
    with running(engine, schema, Store(path)) as found:
        first = found.post("risk", {**RISK, "seconds": 30}).text
        hint = {"position": FIGHT, "budget": "greedy", "top": 1}
        streamed = found.events("hint", hint)[-1][2]
        found.service.questions.ask = None  # whatever is asked from now on must be stored
        assert found.post("risk", RISK).text == first
        assert found.post("hint", hint).json() == streamed
    with running(engine, schema, Store(path)) as again:
        again.service.questions.ask = None
        assert again.post("risk", RISK).text == first
        assert [row[1:] for row in events_of(again.post("hint", hint, accept="text/event-stream").text)] == [
            ("done", streamed)
        ]
        assert "tetrasolve_stored_answers_total 2.0" in again.client.get("/v1/metrics").text


def test_what_makes_another_question():
    fields = {"position": FIGHT, "seed": 1}
    keys = [
        key_of("d", "hint", fields),
        key_of("e", "hint", fields),
        key_of("d", "risk", fields),
        key_of("d", "hint", {**fields, "seed": 2}),
        key_of("d", "hint", {**fields, "budget": "deep"}),
    ]
    assert len({*keys}) == len(keys)
    assert key_of("d", "hint", {**fields, "seconds": 1, "report_every": 2}) == keys[0]
    assert len(digest()) == 64


def test_only_complete_answers_are_kept_and_none_changes(tmp_path):
    store = Store(str(tmp_path / "answers.db"))
    for number, status in enumerate(("interrupted", "feasible", "unknown", None)):
        store.put(bytes([number]), {"status": status})
        assert store.get(bytes([number])) is None
    store.put(b"k", {"status": "complete", "value": 1})
    store.put(b"k", {"status": "complete", "value": 2})
    assert store.get(b"k") == {"status": "complete", "value": 1}
    store.close()


def test_the_oldest_answers_go_first(tmp_path):
    size = 2**20
    store = Store(str(tmp_path / "answers.db"), size)
    for number in range(300):
        store.put(number.to_bytes(2, "big"), {"status": "complete", "text": "x" * 10_000})
    there = [number for number in range(300) if store.get(number.to_bytes(2, "big")) is not None]
    assert there == list(range(there[0], 300)) and 40 < len(there) < 110
    assert store._total() <= size
    store.close()


def test_threads_and_connections_share_a_file(tmp_path):
    stores = [Store(str(tmp_path / "answers.db")) for _ in range(2)]

    def write(place):
        for number in range(50):
            stores[place % 2].put(f"{number}".encode(), {"status": "complete", "number": number})

    threads = [threading.Thread(target=write, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [stores[0].get(f"{number}".encode())["number"] for number in range(50)] == list(range(50))
    for store in stores:
        store.close()


def test_a_store_that_fails_costs_no_answer(tmp_path):
    store = Store(str(tmp_path / "answers.db"))
    with running(game().get_questions(), game().get_messages(), store) as found:
        store.close()
        assert found.post("risk", RISK).status_code == 200
        assert "tetrasolve_store_errors_total 2.0" in found.client.get("/v1/metrics").text


def test_a_file_that_is_no_store_is_left_as_it_is(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear friend, " * 100)
    with pytest.raises(StoreError, match="cannot be used as a store"):
        Store(str(path))
    assert path.read_text().startswith("Dear friend")
    later = tmp_path / "later.db"
    connection = sqlite3.connect(later)
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(StoreError, match="its version is 9"):
        Store(str(later))
    with pytest.raises(StoreError, match="cannot be used"):
        Store(str(tmp_path / "nowhere" / "answers.db"))
