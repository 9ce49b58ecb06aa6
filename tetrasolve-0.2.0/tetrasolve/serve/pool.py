"""The workers of the analysis protocol, for coroutines.

A `Pool` runs a `tetrasolve.analysis.server.Server` in threads of its own. Those who ask the same question while it is in work
share one `Run` of it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Mapping
from typing import Any
from uuid import uuid4

from tetrasolve.analysis.messages import line_of
from tetrasolve.analysis.server import Limits, Server
from tetrasolve.serve.runs import Exchange, Run, digest_of


class _NoInput:
    """The stream of a server to which requests are handed directly: it ends, and has no line."""

    def __init__(self) -> None:
        self._end = threading.Event()

    def read(self, size: int) -> bytes:
        """Nothing, when it has ended."""
        del size
        self._end.wait()
        return b""

    def end(self) -> None:
        """End it."""
        self._end.set()


class Pool:
    """Workers for one engine; `start` before the first request, `stop` after the last.

    `joined` is called for each question that joins a run which is there, and workers load what questions of the kinds in `prepared`
    require before the first one comes. `ask` and `cancel` are for the event loop.

    :raises ImportError: when there is no such engine.
    """

    def __init__(
        self,
        engine: str,
        limits: Limits,
        joined: Callable[[], None] = lambda: None,
        prepared: Collection[str] = (),
    ) -> None:
        self._server = Server(engine, self._take, limits, self._begin, prepared)
        self._joined = joined
        self._open: dict[str, Run] = {}  # by their ids, those without a final answer
        self._runs: dict[bytes, Run] = {}  # by what was asked, those with a listener
        self._thread: threading.Thread | None = None
        self._input = _NoInput()

    def start(self) -> None:
        """Start the workers."""
        stream: Any = self._input
        self._thread = threading.Thread(target=self._server.serve, args=(stream,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Cancel what is open, answer it, and end the workers; takes about a second at most."""
        self._server.stop()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._input.end()

    def about(self) -> dict[str, Any]:
        """What the server of the protocol says of itself."""
        return self._server.about()

    @property
    def is_running(self) -> bool:
        """Whether requests are answered."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def open(self) -> int:
        """How many runs have no final answer yet."""
        return len(self._open)

    def ahead(self, exchange: Exchange) -> int:
        """How many runs that began to wait before this one wait as well."""
        found = 0
        for other in list(self._open.values()):
            if other is exchange.run:
                break
            found += not other.has_begun
        return found

    def ask(self, kind: str, fields: Mapping[str, Any]) -> Exchange:
        """Ask a question, in the run of equal ones if there is one; also one that is refused has its final answer.

        `cancel` is called for each exchange in the end.
        """
        question = digest_of(kind, fields)
        run = self._runs.get(question)
        if run is not None and run.is_open:
            self._joined()
            return run.join()
        run = Run(question)
        line = line_of({**fields, "id": run.id, "ask": kind}).encode("ascii")
        self._runs[question] = self._open[run.id] = run
        exchange = run.join()
        self._server.take(line)
        return exchange

    def cancel(self, exchange: Exchange) -> None:
        """Leave a run, which ends with the last one that leaves; nothing happens if it has its final answer."""
        run = exchange.run
        if run.leave(exchange) and run.id in self._open:
            self._server.take(line_of({"id": uuid4().hex, "ask": "cancel", "target": run.id}).encode("ascii"))
        if not run.is_open and self._runs.get(run.question) is run:
            del self._runs[run.question]

    def cancel_all(self) -> None:
        """Cancel every request; each gets its final answer."""
        self._server.cancel_all()

    def _take(self, line: str) -> None:
        """An answer of the server, from one of its threads."""
        message = json.loads(line)
        name = message["id"]
        run = self._open.pop(name, None) if message["final"] else self._open.get(name)
        if run is not None:
            run.put(message)

    def _begin(self, name: str) -> None:
        """A worker begins with a request."""
        if (run := self._open.get(name)) is not None:
            run.begin()
