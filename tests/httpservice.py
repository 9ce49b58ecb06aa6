"""Services that listen on loopback: one for the game, and one whose engine fails as it is asked to."""

import json
import ssl
import threading
import time
from contextlib import contextmanager

import httpx

from tetrasolve.serve.app import Service
from tetrasolve.serve.run import HttpServer, listen, url_of
from tetrasolve.serve.settings import Settings

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loopback has none, and all of the system take long to read
WAIT = {"waiting", "started"}  # events of a question that finds no free worker
PROGRESS = WAIT | {"partial"}
TOY = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "seconds": {"type": "number"},
        "request": {"properties": {"report_every": {"type": "number"}}},
        "result": {"type": "object"},
        **{
            f"ask_{name}": {"title": name, "examples": [{}], "x-result": "result", "type": "object"}
            for name in ("add", "sleep", "crash", "fail", "hoard", "hang")
        },
    },
}


class Running:
    """A service in a thread, and a client for it."""

    def __init__(self, service):
        self.service = service
        self._listening = listen("127.0.0.1", 0)
        self.url = url_of(self._listening)
        self.server = HttpServer(service)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self._listening]})
        self._thread.start()
        self.client = httpx.Client(base_url=self.url, timeout=60, verify=NO_CERTIFICATES)
        wait_until(lambda: self.server.started)

    def post(self, ask, fields, **headers):
        return self.client.post(f"/v1/{ask}", json=fields, headers=headers)

    def events(self, ask, fields):
        """All events of a stream, as (number, kind, data)."""
        return events_of(self.post(ask, fields, accept="text/event-stream").text)

    def end(self):
        self.server.should_exit = True
        self._thread.join(30)
        assert not self._thread.is_alive()
        self.client.close()
        self._listening.close()


def events_of(text):
    found = []
    for block in text.split("\n\n"):
        rows = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if rows:
            found.append((int(rows["id"]), rows["event"], json.loads(rows["data"])))
    return found


def wait_until(test, seconds=30):
    end = time.monotonic() + seconds
    while not test():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def running(engine, schema, store=None, page=None, **settings):
    found = Running(Service(engine, schema, Settings(**settings), store, page))
    try:
        yield found
    finally:
        found.end()
