"""The process of a service: it listens, answers, and ends within two seconds when it is asked to."""

from __future__ import annotations

import json
import logging
import resource
import socket
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import uvicorn

from tetrasolve.analysis.worker import settle_memory
from tetrasolve.errors import TetrasolveError
from tetrasolve.serve.app import Service
from tetrasolve.serve.connections import Connection, Register

LAST = 1  # seconds that connections have when the service ends; each open question gets its final answer first
BACKLOG = 512  # connections that are accepted at once, before anything else is done
SPARE = 256  # open files besides connections: pipes of workers, the store


class ListenError(TetrasolveError):
    """An address on which the service cannot listen."""


class HttpServer(uvicorn.Server):
    """Answers the questions that are open before it closes their connections."""

    def __init__(self, service: Service, started: Callable[[], None] = lambda: None) -> None:
        self._service, self._say_started = service, started
        settings = service.settings
        self.register = Register(_most_files(2 * settings.connections + SPARE) - SPARE, settings.client_connections)
        connection: Any = partial(Connection, settings, self.register, service.log)
        super().__init__(
            uvicorn.Config(
                service.asgi, http=connection, log_config=None, access_log=False, ws="none", lifespan="on", server_header=False,
                proxy_headers=False, timeout_graceful_shutdown=LAST, backlog=BACKLOG,
            )
        )  # fmt: skip

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End; the signal has done its work then, and is not raised again."""
        del sig, frame
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so when everything is ready, the handlers of signals too."""
        await super().startup(sockets)
        if self.started:
            self._say_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Cancel all questions, then close."""
        self._service.end()
        await super().shutdown(sockets)


def _most_files(needed: int) -> int:
    """How many files may be open: as many as are needed, if the system allows it.

    :raises ListenError: when it allows almost none.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft != resource.RLIM_INFINITY and soft < 2 * SPARE:
        raise ListenError(f"this process may open {soft} files, expected at least {2 * SPARE}")
    return needed if soft == resource.RLIM_INFINITY else min(needed, soft)


def listen(host: str, port: int) -> socket.socket:
    """A socket on this address.

    :raises ListenError: when it cannot be used.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(address)
            found.listen(BACKLOG)
        except OSError:
            found.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ListenError(f"{host} port {port}: cannot listen there ({reason})") from None
    return found


def url_of(listening: socket.socket) -> str:
    """The address of a service as a URL."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Lines(logging.Formatter):
    """Every record as one JSON object a line; of an exception its kind alone, since a traceback shows values of the user."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        if record.name == "tetrasolve.serve":
            return record.getMessage()  # is JSON
        line = {"log": record.name, "level": record.levelname.lower(), "text": record.getMessage()}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
        return json.dumps(line)


def run(service: Service, listening: socket.socket, started: Callable[[], None] = lambda: None) -> None:
    """Serve until SIGTERM or Ctrl-C; `started` is called when it listens."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("tetrasolve.serve").setLevel(logging.INFO)

    def settled() -> None:
        settle_memory()
        started()

    HttpServer(service, settled).run(sockets=[listening])
