"""Requests as nobody should send them, one after the other: no failure of the service, and others are answered meanwhile."""

import json
import random
import socket
import struct
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from hostilehttp import KINDS
from httpservice import TOY, running, wait_until


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
