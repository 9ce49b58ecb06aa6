"""Connections that are slow, many, or not HTTP: each is refused in the form of all problems, and none costs others an answer."""

import json
import logging
import random
import socket
import threading
import time
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from httpservice import wait_until
from starlette.datastructures import Headers

from tetrasolve.serve import bodies
from tetrasolve.serve.connections import Register, client_of
from tetrasolve.serve.plainpage import language_of

HALF = b"GET / HTTP/1.1\r\nX: "
HOST = b"Host: localhost\r\n"
POST = b"POST /v1/add HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
HEALTH = b"GET /v1/health HTTP/1.1\r\n" + HOST + b"\r\n"


@contextmanager
def connected(found):
    address = urlsplit(found.url)
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        yield connection


def asked(found, data):
    """Everything that the service answers to these bytes, until it closes the connection."""
    with connected(found) as connection:
        connection.sendall(data)
        return connection.makefile("rb").read()


def problem_of(answer):
    """The only answer in these bytes, which must be a problem with all headers: its status and body."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in rest)
    assert headers["content-type"] == "application/problem+json" and headers["connection"] == "close"
    assert headers["x-content-type-options"] == "nosniff" and len(headers["x-request-id"]) == 32
    assert int(headers["content-length"]) == len(body)  # so nothing follows
    data = json.loads(body)
    assert int(first.split()[1]) == data["status"]
    return data["status"], data["detail"], headers


# -- not HTTP ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"hello\r\n\r\n", 400),
        (b"GET /v1/about HTTP/1.1\r\n\r\n", 400),  # no Host
        (b"GET /v1/about HTTP/1.1\r\n" + 2 * HOST + b"\r\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        (POST + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n{}  ", 400),
        (POST + b"Content-Length: -3\r\n\r\n{}  ", 400),
        (POST + b"Content-Length: 19\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HEALTH, 400),
        (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 19\r\n\r\n0\r\n\r\n" + HEALTH, 400),
        (POST.replace(b"1.1", b"1.0") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        (POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),  # while the body is read
        (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 2**20, 431),
    ],
)
def test_what_is_no_request_is_refused_as_a_problem(served, caplog, data, status):
    """With an id under which the log has it; what comes behind it is not answered."""
    with caplog.at_level(logging.INFO, "tetrasolve.serve"):
        found, _, headers = problem_of(asked(served, data))
        assert found == status
        wait_until(lambda: any(headers["x-request-id"] in record.message for record in caplog.records))
    (line,) = [json.loads(row.message) for row in caplog.records if headers["x-request-id"] in row.message]
    assert (line["call"], line["status"]) == ("unknown", status)
    assert not [record for record in caplog.records if not record.message.startswith("{")]
    assert served.client.get("/v1/health").status_code == 200


def test_what_follows_an_answer_is_read_as_a_request(served):
    """Two requests at once have two answers, and a third one that is none is refused."""
    found = asked(served, HEALTH + HEALTH + b"nonsense\r\n\r\n")
    assert found.count(b'{"status": "alive"}') == 2
    assert problem_of(found[found.rindex(b"HTTP/1.1") :])[0] == 400


# -- slow --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [b"", HEALTH])
def test_headers_have_a_deadline(toy, before):
    """For the first request of a connection and for each later one; bytes that drip in do not put it off."""
    found = toy(header_seconds=0.3)
    with connected(found) as connection:
        connection.sendall(before + HALF)
        reader = threading.Thread(target=lambda: answers.append(connection.makefile("rb").read()))
        answers = []
        reader.start()
        while reader.is_alive():
            try:
                connection.sendall(b"x")
            except OSError:
                break
            time.sleep(0.02)
        reader.join()
    (answer,) = answers
    assert answer.count(b"alive") == (1 if before else 0)
    status, detail, _ = problem_of(answer[answer.rindex(b"HTTP/1.1") :])
    assert status == 408 and "within 0.3 s" in detail


def test_a_connection_without_a_byte_is_closed_silently(toy):
    assert asked(toy(header_seconds=0.1), b"") == b""


def test_the_rest_of_a_refused_body_has_a_deadline(toy):
    """The connection is closed, however the body drips in that nobody reads any more."""
    found = toy(header_seconds=0.3)
    with connected(found) as connection:
        connection.sendall(POST + b"Content-Length: 99999999\r\n\r\n")
        answer = connection.recv(4096)
        assert b" 413 " in answer
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            while True:
                connection.sendall(b"x" * 1000)
                time.sleep(0.02)
    wait_until(lambda: not len(found.server.register))


def test_an_answer_that_nobody_reads_is_given_up(toy):
    found = toy(header_seconds=0.1)
    with connected(found) as connection:
        for _ in range(20):
            connection.sendall(b"GET /v1/openapi.json HTTP/1.1\r\n" + HOST + b"\r\n")
        wait_until(lambda: not len(found.server.register))


# -- many --------------------------------------------------------------------------------------------------------------


def test_half_sent_requests_of_one_client_cost_nobody_an_answer(toy):
    """Of 500 at once the newest 40 stay, and others are answered meanwhile."""
    found = toy(client_connections=40, connections=40)
    with ExitStack() as stack:
        held = [stack.enter_context(connected(found)) for _ in range(500)]
        for connection in held:
            try:
                connection.sendall(HALF)
            except OSError:  # closed already
                continue
            assert len(found.server.register) <= 41
        for _ in range(3):
            assert b'{"status": "alive"}' in asked(found, HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            assert found.post("add", {"a": 1, "b": 2}).json() == {"sum": 3.0}
    wait_until(lambda: len(found.server.register) <= 1)


def test_a_question_in_work_does_not_give_way(toy):
    """Where all connections of a client are in work, the next one is refused."""
    found = toy(client_connections=2)
    with connected(found) as first, connected(found) as second:
        for number, connection in enumerate((first, second), start=1):
            body = b'{"time": %d}' % (50 + number)  # equal questions would share one run
            connection.sendall(POST.replace(b"add", b"sleep") + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            wait_until(lambda number=number: found.service.questions.open == number)
        status, detail, headers = problem_of(asked(found, b""))
        assert (status, detail, headers["retry-after"]) == (503, "too many connections", "1")
        assert found.service.questions.open == 2
    wait_until(lambda: found.service.questions.open == 0)
    assert found.post("add", {"a": 1, "b": 2}).json() == {"sum": 3.0}


def test_a_register_gives_places_to_those_who_ask():
    """Random visits: never more than allowed, and the first idle one goes first."""
    rng = random.Random(20)
    for most, most_of_client in ((10, 3), (5, 0), (4, 9)):
        register = Register(most, most_of_client)
        there, idle = {}, []
        for _ in range(500):
            client = rng.choice("abcde")
            if there and rng.random() < 0.4:
                visitor = rng.choice(list(there))
                is_idle = rng.random() < 0.5
                register.set_idle(visitor, is_idle=is_idle)
                if visitor in idle and not is_idle:
                    idle.remove(visitor)
                elif visitor not in idle and is_idle:
                    idle.append(visitor)
            else:
                visitor = Visitor(client, register, there, idle)
                of_client = [other for other, name in there.items() if name == client]
                is_full_of_client = bool(most_of_client) and len(of_client) >= most_of_client
                first = [other for other in idle if not is_full_of_client or there[other] == client][:1]
                is_full = is_full_of_client or len(there) >= most
                assert register.enter(visitor, client) == (not is_full or bool(first))
                assert not is_full or all(other not in there for other in first)
                if not is_full or first:
                    there[visitor] = client
            assert len(register) == len(there) <= most
            assert all(list(there.values()).count(name) <= (most_of_client or most) for name in "abcde")


class Visitor:
    """A connection that goes when it is asked to."""

    def __init__(self, client, register, there, idle):
        self.client, self.register, self.there, self.idle = client, register, there, idle

    def give_way(self):
        self.register.leave(self)
        del self.there[self]
        self.idle.remove(self)


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::7", "2001:db8:1:2::/64"),
        ("fe80::7%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("testclient", "testclient"),
    ],
)
def test_who_is_one_client(host, client):
    assert client_of(host) == client


# -- headers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accept", "found"),
    [
        ("", None),
        ("*/*", None),
        ("text/event-stream", "text/event-stream"),
        ("text/event-stream;q=0, application/json", "application/json"),
        ("text/event-stream; q=0.0", None),
        ("application/json;q=0.5, text/event-stream;q=0.8", "text/event-stream"),
        ("application/json, text/event-stream", "application/json"),
        ("text/html, TEXT/Event-Stream ; Q=0.1", "text/event-stream"),
        ("text/event-stream;q=nonsense", "text/event-stream"),
    ],
)
def test_quality_values_are_weighed(accept, found):
    request = SimpleNamespace(headers=Headers({"accept": accept}))
    assert bodies.accepted(request, ("application/json", "text/event-stream")) == found


@pytest.mark.parametrize(
    ("asked", "address", "found"),
    [
        ("", "", "en"),
        ("es-MX, en", "", "es"),
        ("en;q=0.5, es", "", "es"),
        ("es;q=0, en", "", "en"),
        ("es;q=0", "", "en"),
        ("de, es;q=0.4, en;q=0.3", "", "es"),
        ("est, esx, enm", "", "en"),
        ("es-;q=0.9,en;q=0.8", "", "es"),
        ("es;q=1.5;q=0, en", "", "es"),
        ("es;q=\u0660, en", "", "es"),
        ("*;q=1, es;q=0.1", "", "es"),
        (",;q=;=,,=;es", "", "en"),
        ("en", "es", "es"),
        ("es", "es;q=1", "es"),
        ("x," * 4000 + "es", "", "en"),
    ],
)
def test_a_language_is_chosen(asked, address, found):
    headers = Headers(raw=[(b"accept-language", asked.encode("utf-8"))])
    assert language_of(SimpleNamespace(headers=headers, query_params={"lang": address})) == found


def test_heads_and_codings(served):
    head = served.client.head("/v1/health")
    assert (head.status_code, head.content) == (200, b"") and int(head.headers["content-length"]) > 0
    assert served.client.head("/v1/read").status_code == 405
    packed = served.client.post(
        "/v1/new", content=b"{}", headers={"content-type": "application/json", "content-encoding": "gzip"}
    )
    assert packed.status_code == 415 and "compressed" in packed.json()["detail"]
