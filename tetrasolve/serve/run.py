"""The process of a service: it listens, answers, and ends within two seconds when it is asked to."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from tetrasolve.errors import TetrasolveError
from tetrasolve.serve.app import Service

LAST = 1  # seconds that connections have when the service ends; each open question gets its final answer first
BACKLOG = 512


class ListenError(TetrasolveError):
    """An address on which the service cannot listen."""


class HttpServer(uvicorn.Server):
    """Answers the questions that are open before it closes their connections."""

    def __init__(self, service: Service, started: Callable[[], None] = lambda: None) -> None:
        self._service, self._say_started = service, started
        super().__init__(
            uvicorn.Config(
                service.asgi, log_config=None, access_log=False, ws="none", lifespan="on", server_header=False,
                proxy_headers=False, timeout_graceful_shutdown=LAST, limit_concurrency=2 * service.settings.connections,
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


def run(service: Service, listening: socket.socket, started: Callable[[], None] = lambda: None) -> None:
    """Serve until SIGTERM or Ctrl-C; `started` is called when it listens."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("tetrasolve.serve").setLevel(logging.INFO)
    HttpServer(service, started).run(sockets=[listening])
