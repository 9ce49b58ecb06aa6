"""Workers load what requests need before the first one comes."""

import json
import threading

import pytest

from tetrasolve.analysis.server import Limits, Server
from tetrasolve.serve.app import Service
from tetrasolve.tetrarchia.service import engine


class Asked:
    """A server whose answers are waited for."""

    def __init__(self, prepared):
        self._answers, self._news = {}, threading.Condition()
        self._server = Server("quickengine", self._take, Limits(), prepared=prepared)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._server.serve, args=(self,))
        self._thread.start()

    def read(self, size):
        """The input of the server, which has no line."""
        del size
        self._end.wait()
        return b""

    def _take(self, line):
        with self._news:
            message = json.loads(line)
            self._answers[message["id"]] = message
            self._news.notify_all()

    def ask(self, name, kind, **fields):
        self.send({"id": name, "ask": kind, **fields})
        with self._news:
            assert self._news.wait_for(lambda: name in self._answers, 60)
            return self._answers[name]

    def send(self, message):
        self._server.take(json.dumps(message).encode())

    def end(self):
        self._server.stop()
        self._end.set()
        self._thread.join(30)


@pytest.mark.parametrize(
    ("prepared", "seen"), [(["nap", "broken", "seen"], ["broken", "nap"]), (["nap"], ["nap"]), ([], []), (["x"], [])]
)
def test_kinds_are_prepared_once_and_in_order(prepared, seen):
    """Before the first request, also where one of them fails."""
    found = Asked(prepared)
    try:
        assert found.ask("first", "seen")["result"]["seen"] == seen
        assert found.ask("second", "seen")["result"]["seen"] == seen
        assert found.ask("bad", "broken")["error"]["problem"].startswith("internal error")
    finally:
        found.end()


def test_a_request_that_is_cancelled_meanwhile_costs_no_worker():
    """A busy machine may need longer for the preparations than a cancelled request has time to stop."""
    found = Asked(["nap"])
    try:
        found.send({"id": "early", "ask": "seen"})
        assert found.ask("stop", "cancel", target="early")["status"] == "done"
        assert found.ask("late", "seen")["result"]["seen"] == ["nap"]
        assert found.ask("pid", "pid")["result"]["pid"] == found.ask("again", "pid")["result"]["pid"]
    finally:
        found.end()


def test_a_service_prepares_the_kinds_that_each_pool_is_asked():
    service = Service("quickengine", {"$defs": {}})
    assert service.quick._server._prepared == ("nap",)
    assert set(service.questions._server._prepared) == {"seen", "broken", "pid"}


def test_what_is_prepared_is_a_request_that_succeeds():
    """Each of them loads something that is kept: the second one is an answer, too."""
    assert set(engine.PREPARE) <= set(engine.HANDLERS)
    for kind, fields in engine.PREPARE.items():
        assert json.dumps(engine.ask(kind, **fields))
