"""What a service refuses, and that nothing which a client sends or does costs anybody else an answer."""

import asyncio
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from urllib.parse import urlsplit

import pytest
from httpservice import PROGRESS, events_of, wait_until

from tetrasolve.serve.guard import LEFT, Guard, Log
from tetrasolve.serve.metrics import Metrics
from tetrasolve.serve.rates import MOST_CLIENTS, Rates
from tetrasolve.serve.settings import Settings

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"hello", JSON, 400),
        (b"", JSON, 400),
        (b"[1]", JSON, 400),
        (b"\xff", JSON, 400),
        (b'{"position": NaN}', JSON, 400),
        (b'{"position": 1, "position": 2}', JSON, 400),
        (b'{"position": ' + b"[" * 10_000 + b"]" * 10_000 + b"}", JSON, 400),
        (b'{"position": "' + b"x" * 2**16 + b'"}', JSON, 413),
        (b"{}", {}, 415),
        (b"a=b", {"content-type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {"content-type": "text/plain"}, 415),
        (b"{}", JSON, 422),
        (b'{"position": "x", "priority": 5}', JSON, 422),
        (b'{"position": "x", "id": "5"}', JSON, 422),
        (b'{"position": "x", "seconds": 0}', JSON, 422),
        (b'{"position": "x", "report_every": "often"}', JSON, 422),
        (b'{"position": "\\ud800"}', JSON, 422),
    ],
)
def test_a_body_that_is_refused(served, body, headers, status):
    found = served.client.post("/v1/status", content=body, headers=headers)
    assert (found.status_code, found.json()["status"]) == (status, status)
    assert found.headers["content-type"] == "application/problem+json"
    assert "Traceback" not in found.text


def test_a_body_without_a_length_is_counted(served):
    found = served.client.post("/v1/status", content=iter([b"x" * 2**15] * 3), headers=JSON)
    assert found.status_code == 413


def test_paths_methods_and_names(served):
    """All answers have the headers, those of errors too; each has an id of its own."""
    answers = [
        served.client.get("/v1/nothing"),
        served.client.get("/v1/read"),
        served.client.options(
            "/v1/read", headers={"origin": "https://elsewhere.example", "access-control-request-method": "POST"}
        ),
        served.client.get("/v1/about", headers={"host": "elsewhere.example"}),
        served.client.get("/v1/about", headers={"host": "localhost:99"}),
    ]
    assert [found.status_code for found in answers] == [404, 405, 405, 421, 200]
    for found in answers:
        assert found.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in found.headers["content-security-policy"]
        assert "access-control-allow-origin" not in found.headers
    assert len({found.headers["x-request-id"] for found in answers}) == len(answers)


def test_the_log_tells_nothing_of_bodies(served, caplog):
    with caplog.at_level(logging.INFO, "tetrasolve.serve"):
        served.client.post("/v1/status?secret=1", json={"position": "my secret"}, headers={"x-request-id": "secret"})
        served.client.get("/secret")
        wait_until(
            lambda: "unknown" in caplog.text
        )  # a line is written when the answer has gone: one of before may come, too
    rows = [json.loads(record.message) for record in caplog.records if record.name == "tetrasolve.serve"]
    assert [row["call"] for row in rows][-2:] == ["/v1/status", "unknown"] and "secret" not in caplog.text


def test_a_question_ends_when_its_client_leaves(toy):
    """Asked directly or as a stream; the worker is free for the next question."""
    found = toy()
    address = urlsplit(found.url)
    for accept in ("application/json", "text/event-stream"):
        with socket.create_connection((address.hostname, address.port)) as connection:
            body = b'{"time": 60}'
            head = (
                f"POST /v1/sleep HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nContent-Type: application/json\r\n"
            )
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            wait_until(lambda: found.service.questions.open == 1)
        wait_until(lambda: found.service.questions.open == 0)
        assert found.post("add", {"a": 1, "b": 2}).json() == {"sum": 3.0}


def test_each_failure_costs_one_answer(toy):
    found = toy()
    mistake = found.post("fail", {"how": "mistake"})
    assert (mistake.status_code, mistake.json()["kind"]) == (500, "internal")
    assert found.post("fail", {}).status_code == 422
    crashed = found.post("crash", {})
    assert (crashed.status_code, crashed.json()["kind"], crashed.headers["retry-after"]) == (503, "worker", "1")
    ((_, kind, problem),) = [row for row in found.events("crash", {}) if row[1] not in PROGRESS]
    assert (kind, problem["status"]) == ("error", 503)
    late = found.post("sleep", {"time": 60, "seconds": 0.05})
    assert late.status_code == 200 and late.json()["ticks"] > 0
    assert found.post("add", {"a": 1, "b": 2}).json() == {"sum": 3.0}


def test_a_connection_that_fails_is_no_mistake_of_the_service(caplog):
    """The answer has begun when the client's connection fails: the request is noted as left, and no error is logged."""

    async def app(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"part"})

    async def send(message):
        if message["type"] == "http.response.body":
            raise OSError("Transport endpoint is not connected")

    guard = Guard(app, Settings(hosts=frozenset()), Log(Metrics()))
    with caplog.at_level(logging.INFO, "tetrasolve.serve"):
        asyncio.run(guard({"type": "http", "method": "GET", "headers": []}, None, send))
    (row,) = (json.loads(record.message) for record in caplog.records)
    assert row["status"] == LEFT and "error" not in row


def test_a_mistake_of_the_service_is_a_problem_too(toy, monkeypatch, caplog):
    found = toy()
    monkeypatch.setattr(found.service.questions, "ask", None)
    answer = found.post("add", {"a": 1, "b": 2})
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    wait_until(lambda: any(answer.headers["x-request-id"] in record.message for record in caplog.records))
    assert "TypeError" in caplog.text and "Traceback" not in answer.text


def test_the_time_of_a_question_is_limited_by_the_service(toy):
    found = toy(seconds=0.05)
    assert found.post("sleep", {"time": 60}).status_code == 200
    assert found.post("sleep", {"time": 60, "seconds": 9}).status_code == 200


def test_a_full_queue_says_when_to_come_back(toy):
    found = toy(waiting=1)
    threads = [threading.Thread(target=found.post, args=("sleep", {"time": 59 + number})) for number in range(2)]
    for number, thread in enumerate(threads, start=1):
        thread.start()
        wait_until(lambda number=number: found.service.questions.open == number)
        wait_until(lambda: found.service.questions._server._waiting == 0) if number == 1 else None
    full = found.post("sleep", {"time": 1})
    assert (full.status_code, full.headers["retry-after"], full.json()["kind"]) == (503, "1", "limit")
    found.service.questions.cancel_all()
    for thread in threads:
        thread.join()


def test_a_client_that_asks_too_often_is_told_when_to_come_back(toy):
    """Refused before its body is read; what the service says of itself is not counted."""
    found = toy(rate=0.001, burst=2)
    answers = [found.post("add", {"a": 1, "b": 2}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 1 <= int(answers[2].headers["retry-after"]) <= 1000
    assert answers[2].headers["content-type"] == "application/problem+json"
    assert found.client.get("/v1/health").status_code == 200


def test_a_client_has_so_many_open_questions(toy):
    """Also streams, and those that share a run; each place is free again when its question ends, however it ends."""
    found = toy(client_questions=2, workers=2)
    threads = [threading.Thread(target=ask, args=("sleep", {"time": 60})) for ask in (found.post, found.events)]
    for thread in threads:
        thread.start()
    places = found.service._places[found.service.questions]
    wait_until(lambda: sum(places._taken.values()) == 2)
    for accept in ("application/json", "text/event-stream"):
        refused = found.post("add", {"a": 1, "b": 2}, accept=accept)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert "2 open questions" in refused.json()["detail"]
    assert found.client.post("/v1/jobs/add", json={"a": 1, "b": 2}).status_code == 202  # have a limit of their own
    found.service.questions.cancel_all()
    for thread in threads:
        thread.join()
    for ask, fields in (("add", {"a": 1, "b": 2}), ("add", {}), ("crash", {}), ("fail", {"how": "mistake"})):
        found.post(ask, fields)
        found.events(ask, fields)
    wait_until(lambda: not places._taken)


def test_rates_fill_again_and_forget():
    now = 0.0
    rates = Rates(rate=2, burst=3, clock=lambda: now)
    assert [rates.wait("a") for _ in range(4)] == [0, 0, 0, 1]
    now = 1.0
    assert [rates.wait("a") for _ in range(3)] == [0, 0, 1]
    now = 1e9
    assert [rates.wait("a") for _ in range(4)] == [0, 0, 0, 1]
    for number in range(2 * MOST_CLIENTS):
        assert rates.wait(str(number)) == 0
    assert len(rates._buckets) == MOST_CLIENTS


def test_streams_are_counted(toy):
    found = toy(streams=1, workers=2, heartbeat=0.05)
    with found.client.stream("POST", "/v1/sleep", json={"time": 60}, headers={"accept": "text/event-stream"}) as stream:
        parts = stream.iter_raw()  # kept: the connection is closed with it
        assert next(parts)
        refused = found.post("sleep", {"time": 60}, accept="text/event-stream")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    wait_until(lambda: found.service._streams == 0)
    assert found.events("sleep", {"time": 0})[-1][1] == "done"


def test_open_streams_end_with_a_final_event(toy):
    """When the service ends; new questions are refused."""
    found = toy()
    with found.client.stream("POST", "/v1/sleep", json={"time": 60}, headers={"accept": "text/event-stream"}) as stream:
        parts = stream.iter_text()
        text = ""
        while "event: partial" not in text:
            text += next(parts)
        found.server.should_exit = True
        text += "".join(parts)
    *_, (_, kind, data) = events_of(text)
    assert kind == "cancelled" and data["ticks"] > 0


def test_a_question_that_is_cut_off_by_the_end_has_its_last_result(toy):
    """As a plain answer; a stream that still waits for a worker ends without a result."""
    found = toy(workers=1)
    answers = []
    plain = threading.Thread(target=lambda: answers.append(found.post("sleep", {"time": 60})))
    stream = threading.Thread(target=lambda: answers.append(found.events("sleep", {"time": 59})))
    plain.start()
    wait_until(lambda: any(exchange.has_begun for exchange in found.service.questions._open.values()))
    stream.start()
    wait_until(lambda: found.service.questions.open == 2)
    found.server.should_exit = True
    plain.join()
    stream.join()
    ended, events = sorted(answers, key=lambda answer: isinstance(answer, list))
    assert (ended.status_code, ended.json()["detail"]) == (503, "the service is ending")
    assert ended.json()["result"]["ticks"] > 0
    assert [row[1:] for row in events if row[1] != "waiting"] == [("cancelled", {})]


def test_a_body_that_still_arrives_when_the_service_ends_is_a_problem(toy, caplog):
    found = toy()
    address = urlsplit(found.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(
            b"POST /v1/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        )
        wait_until(lambda: found.service.asgi._open == 1)
        found.server.should_exit = True
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 503") and b"the service is ending" in answer
    assert "Traceback" not in caplog.text


# -- waiting -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def busy(toy, request):
    """A service whose only worker has a question; others wait as long as the test says."""
    found = toy(workers=1, wait=request.param, heartbeat=0.05)
    wait_until(lambda: found.post("add", {"a": 1, "b": 2}).status_code == 200)  # the worker has started
    thread = threading.Thread(target=found.post, args=("sleep", {"time": 60}))
    thread.start()
    wait_until(lambda: any(exchange.has_begun for exchange in found.service.questions._open.values()))
    yield found
    found.service.questions.cancel_all()
    thread.join()


@pytest.mark.parametrize("busy", [0.5], indirect=True)
def test_a_question_does_not_wait_for_ever(busy):
    found = busy.post("add", {"a": 1, "b": 2})
    assert (found.status_code, found.headers["retry-after"], found.json()["kind"]) == (503, "1", "limit")
    assert "within 0.5 s" in found.json()["detail"]
    (_, kind, data), (_, last, problem) = busy.events("add", {"a": 1, "b": 2})
    assert (kind, data, last, problem["status"]) == ("waiting", {"ahead": 0}, "error", 503)
    wait_until(lambda: busy.service.questions.open == 1)  # the one in work; those that were refused are cancelled


@pytest.mark.parametrize("busy", [30.0], indirect=True)
def test_an_answer_says_how_long_it_waited(busy):
    answers = []
    threads = [
        threading.Thread(target=lambda ask=ask, a=a: answers.append(ask("add", {"a": a, "b": 3 - a})))
        for a, ask in enumerate((busy.post, busy.events))
    ]
    for number, thread in enumerate(threads, start=2):
        thread.start()
        wait_until(lambda number=number: busy.service.questions.open == number)
    threading.Event().wait(0.2)
    server = busy.service.questions._server
    server._cancel_jobs([next(iter(server._open.values()))])
    for thread in threads:
        thread.join()
    events, plain = sorted(answers, key=lambda answer: not isinstance(answer, list))
    name, _, milliseconds = plain.headers["server-timing"].partition(";dur=")
    assert (plain.json(), name) == ({"sum": 3.0}, "wait") and float(milliseconds) >= 200
    assert [row[1] for row in events] == ["waiting", "started", "done"]
    assert events[0][2] == {"ahead": 1} and events[1][2]["waited"] >= 0.1 and events[2][2] == {"sum": 3.0}


# -- the command -------------------------------------------------------------------------------------------------------


def command(code, *arguments):
    program = f"import sys; {code}; from tetrasolve.cli.main import main; sys.exit(main())"
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("library", ["fastapi", "uvicorn", "prometheus_client"])
def test_the_command_says_which_extra_is_missing(library):
    found = command(f"sys.modules[{library!r}] = None", "serve")
    assert found.returncode == 2 and "pip install 'tetrasolve[serve]'" in found.stderr and library in found.stderr


def test_the_command_says_where_it_cannot_listen():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        found = command("pass", "serve", "--port", str(taken.getsockname()[1]))
    assert found.returncode == 2 and "cannot listen there" in found.stderr and "Traceback" not in found.stderr


def test_the_command_ends_on_request():
    arguments = [sys.executable, "-m", "tetrasolve", "serve", "--port", "0"]
    with subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        listening = process.stdout.readline()
        assert listening.startswith("listening on http://127.0.0.1:")
        with socket.create_connection(("127.0.0.1", int(listening.rpartition(":")[2]))) as connection:
            connection.sendall(b"nonsense\r\n\r\n")
            assert connection.makefile("rb").readline().startswith(b"HTTP/1.1 400")
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    (line,) = errors.splitlines()
    assert (process.returncode, json.loads(line)["status"]) == (0, 400)
