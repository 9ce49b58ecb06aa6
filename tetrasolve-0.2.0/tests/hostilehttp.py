"""Requests as nobody should send them, for tests and for bench/hostile_http.py: bytes that are drawn from a seed."""

import json

BODY = json.dumps({"a": 1, "b": 2}).encode()
HEAD = b"POST /v1/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
GET = b"GET /v1/%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
WHOLE = HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
NUMBERS = ["1e400", "-1", '"x"', "null", "0.001", "1e18", "NaN", "9" * 5000, "[" * 99]


def some(rng, letters, most):
    """Up to so many of these bytes."""
    return bytes(rng.choice(letters) for _ in range(rng.randrange(most)))


def changed(rng):
    """A request with a few other bytes."""
    found = bytearray(WHOLE)
    for _ in range(rng.randrange(1, 6)):
        found[rng.randrange(len(found))] = rng.randrange(256)
    return bytes(found)


def with_number(rng):
    """A time that is none."""
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
