"""Answers that were given once cost no worker, and are the same; what is not complete is not kept."""

import random
import sqlite3
import threading

import pytest
from httpservice import events_of, running

from tetrasolve.analysis.depth import FINAL, Depth
from tetrasolve.games import game
from tetrasolve.serve.database import StoreError
from tetrasolve.serve.store import Store, key_of
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.service.engine import digest

FIGHT = str(example("fight"))
RISK = {"position": FIGHT}


def test_a_stored_answer_costs_no_worker(place):
    """It is the same answer, to the last character, as JSON and as an event, for another process too."""
    engine, schema = game().get_questions(), game().get_messages()
    with running(engine, schema, Store(place)) as found:
        first = found.post("risk", {**RISK, "seconds": 30}).text
        hint = {"position": FIGHT, "budget": "greedy", "top": 1}
        streamed = found.events("hint", hint)[-1][2]
        found.service.questions.ask = None  # whatever is asked from now on must be stored
        assert found.post("risk", RISK).text == first
        assert found.post("hint", hint).json() == streamed
    with running(engine, schema, Store(place)) as again:
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


def test_an_exact_answer_never_changes(place):
    store = Store(place)
    assert store.put(b"k", {"value": 1})
    assert not store.put(b"k", {"value": 2}) and not store.put(b"k", {"value": 3}, Depth(whole=9), 60)
    assert store.get(b"k") == store.get(b"k", 1e9) == {"value": 1}
    assert store.get(b"other") is None
    store.close()


def test_an_opinion_is_replaced_by_a_deeper_one(place):
    """And given to those who have no more time than was spent on it, or on one that was not deeper."""
    store = Store(place)

    def known(*seconds):
        return [None if (found := store.get(b"k", second)) is None else found["value"] for second in seconds]

    assert store.put(b"k", {"value": 1}, Depth(work=10), 1) and known(0.5, 1, 2) == [1, 1, None]
    assert store.put(b"k", {"value": 2}, Depth(work=20), 0.5) and known(0.5, 1, 2) == [2, 2, None]
    assert not store.put(b"k", {"value": 3}, Depth(work=15), 5) and known(1, 5, 6) == [2, 2, None]
    assert not store.put(b"k", {"value": 4}, Depth(work=20), 5)
    assert store.put(b"k", {"value": 5}, Depth(whole=1, work=1), 0.1) and known(0.1, 5, 6) == [5, 5, None]
    assert store.put(b"k", {"value": 6}, Depth(whole=1, work=1), 7) and known(7, 8) == [6, None]
    assert store.put(b"k", {"value": 7}, FINAL, 0.2) and known(7, 1e6) == [7, 7]
    store.close()


def test_many_writers_leave_the_deepest(place):
    stores = [Store(place) for _ in range(2)]
    order = [*range(60)]
    random.Random(3).shuffle(order)

    def write(part):
        for work in order[part::4]:
            stores[part % 2].put(b"k", {"value": work}, Depth(work=work), work)

    in_threads(write)
    assert stores[0].get(b"k", 59) == {"value": 59}
    for store in stores:
        store.close()


def test_the_oldest_opinions_go_first(place):
    size = 2**20
    store = Store(place, size)
    for number in range(40):
        store.put(f"exact {number}".encode(), {"text": "x" * 10_000})
    for number in range(200):
        store.put(f"opinion {number}".encode(), {"text": "x" * 10_000}, Depth(), 1)
    assert all(store.get(f"exact {number}".encode()) is not None for number in range(40))
    there = [number for number in range(200) if store.get(f"opinion {number}".encode(), 1) is not None]
    assert there == list(range(there[0], 200)) and 5 < len(there) < 70
    store.close()


def test_the_oldest_answers_go_first(place):
    size = 2**20
    store = Store(place, size)
    for number in range(300):
        store.put(number.to_bytes(2, "big"), {"status": "complete", "text": "x" * 10_000})
    there = [number for number in range(300) if store.get(number.to_bytes(2, "big")) is not None]
    assert there == list(range(there[0], 300)) and 40 < len(there) < 110
    with store._database.reading() as connection:
        assert store._database.used(connection) <= size
    store.close()


def test_threads_and_connections_share_a_store(place):
    stores = [Store(place) for _ in range(2)]

    def write(part):
        for number in range(50):
            stores[part % 2].put(f"{number}".encode(), {"status": "complete", "number": number})

    in_threads(write)
    assert [stores[0].get(f"{number}".encode())["number"] for number in range(50)] == list(range(50))
    for store in stores:
        store.close()


def in_threads(write):
    threads = [threading.Thread(target=write, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_a_store_that_fails_costs_no_answer(place):
    store = Store(place)
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
