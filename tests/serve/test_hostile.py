"""Requests as nobody should send them, one after the other: no failure of the service, and others are answered meanwhile."""

import json
import random
import socket
import struct
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from httpservice import TOY, running, wait_until

BODY = json.dumps({"a": 1, "b": 2}).encode()
HEAD = b"POST /v1/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
GET = b"GET /v1/%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
WHOLE = HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
NUMBERS = ["1e400", "-1", '"x"', "null", "0.001", "1e18", "NaN", "9" * 5000, "[" * 99]


def some(rng, letters, most):
    return bytes(rng.choice(letters) for _ in range(rng.randrange(most)))


def changed(rng):
    found = bytearray(WHOLE)
    for _ in range(rng.randrange(1, 6)):
        found[rng.randrange(len(found))] = rng.randrange(256)
    return bytes(found)


def with_number(rng):
    body = f'{{"a": 1, "b": 2, "seconds": {rng.choice(NUMBERS)}}}'.encode()
    return HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body


KINDS = (
    lambda rng: some(rng, range(256), 2000),
    changed,
    with_number,
    lambda rng: HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % rng.randrange(10**9) + b"x" * rng.randrange(3000),
    lambda rng: HEAD + b"Content-Length: 99999999999\r\n\r\n" + b"[" * rng.randrange(60_000),
    lambda _: (
        HEAD + b"Connection: upgrade\r\nUpgrade: websocket\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n{}"
    ),
    lambda rng: HEAD.replace(b"add", b"jobs/add") + b"Idempotency-Key: " + some(rng, range(33, 255), 300) + b"\r\n\r\n",
    lambda rng: GET % (b"jobs/" + some(rng, b"/%.01aZ'\"\\;-", 60), b""),
    lambda rng: GET % (b"jobs/x/events", b"Last-Event-ID: " + some(rng, b"0123456789-e. ", 30) + b"\r\n"),
    lambda rng: GET % (b"a" * rng.randrange(30_000), b""),
    lambda rng: (GET % (b"openapi.json", b"")) * rng.randrange(1, 20),
)


@pytest.mark.parametrize("number", [120, pytest.param(3000, marks=pytest.mark.slow)])
def test_nothing_that_is_sent_is_a_mistake_of_ours(number, caplog):
    """However the client leaves: at once, with a reset, after half of it, or when it has read a little."""
    rng = random.Random(20)
    with caplog.at_level("INFO", "tetrasolve"), running("toyengine", TOY, rate=0, header_seconds=0.5) as found:
        address = urlsplit(found.url)
        for _ in range(number):
            with (
                socket.create_connection((address.hostname, address.port), timeout=20) as connection,
                suppress(OSError),
            ):
                connection.sendall(rng.choice(KINDS)(rng))
                match rng.randrange(4):
                    case 0:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    case 1:
                        connection.shutdown(socket.SHUT_WR)
                    case 2:
                        connection.settimeout(0.02)
                        connection.recv(100)
        assert found.post("add", {"a": 1, "b": 2}).json() == {"sum": 3.0}
        wait_until(lambda: len(found.server.register) <= 1)
        wait_until(lambda: found.service.questions.open == 0 and found.service.asgi._open == 0)
    rows = [json.loads(record.getMessage()) for record in caplog.records if record.name.startswith("tetrasolve")]
    assert len(rows) >= number / 2 and all("error" not in row and row["status"] not in (0, 500) for row in rows)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
