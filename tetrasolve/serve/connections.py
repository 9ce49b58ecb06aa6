"""Connections of clients: how many there may be, and how long each may take to send a request.

A connection is *idle* unless all headers of a request have arrived that is not answered yet. An idle connection has a
deadline. Where there is no place for another one, the connection that was idle for the longest time is closed, so
connections on which nothing is asked keep nobody away, whatever their number. What cannot be read as HTTP is refused here, in
the form of all problems.
"""

from __future__ import annotations

import asyncio
import ipaddress
import sys
import time
from collections import Counter, defaultdict
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tetrasolve.serve.guard import HEADERS, UNKNOWN, Log, new_id
from tetrasolve.serve.problems import ProblemError, unavailable
from tetrasolve.serve.settings import Settings

LINGER = 1.0  # seconds in which a client that is still sending can read why it was refused
REFUSED = {
    400: "malformed HTTP",
    431: "too many bytes of headers",
    501: "a transfer coding other than chunked",
    505: "another version than HTTP/1.1",
}
VERSIONS = (b"1.0", b"1.1")


def client_of(host: str) -> str:
    """Who counts as one client: an IPv4 address, or the network of an IPv6 address, which one client has to itself.

    >>> client_of("192.0.2.7"), client_of("2001:db8::7%eth0"), client_of("::ffff:192.0.2.7"), client_of("")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7', '')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


class Register:
    """The open connections: at most `most`, and `most_of_client` of each client (0 for any number)."""

    def __init__(self, most: int, most_of_client: int) -> None:
        self._most, self._most_of_client = most, most_of_client
        self._open: dict[Connection, str] = {}
        self._clients: Counter[str] = Counter()
        self._idle: dict[Connection, None] = {}  # the one that is idle for the longest time first
        self._idle_of: defaultdict[str, dict[Connection, None]] = defaultdict(dict)

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, connection: Connection, client: str) -> bool:
        """Take a connection; where there is no place, close an idle one for it. False when there is none."""
        if 0 < self._most_of_client <= self._clients[client] and not _closed_first(self._idle_of.get(client, {})):
            return False
        if len(self._open) >= self._most and not _closed_first(self._idle):
            return False
        self._open[connection] = client
        self._clients[client] += 1
        return True

    def leave(self, connection: Connection) -> None:
        """Forget a connection; nothing happens if it was forgotten before."""
        self.set_idle(connection, is_idle=False)
        client = self._open.pop(connection, None)
        if client is not None:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]

    def set_idle(self, connection: Connection, *, is_idle: bool) -> None:
        """Note whether a connection is idle."""
        client = self._open.get(connection)
        if client is None:
            return
        if is_idle:
            self._idle[connection] = self._idle_of[client][connection] = None
            return
        self._idle.pop(connection, None)
        self._idle_of[client].pop(connection, None)
        if not self._idle_of[client]:
            del self._idle_of[client]


def _closed_first(idle: dict[Connection, None]) -> bool:
    """Close the first of these connections; whether there was one."""
    for connection in idle:
        connection.give_way()
        return True
    return False


class _Parser(h11.Connection):
    """Reads requests; refuses those that two programs can understand in two ways (RFC 9112, section 6.1)."""

    def next_event(self) -> Any:
        """The next part of a request.

        :raises h11.RemoteProtocolError: when it is not HTTP, or has two lengths.
        """
        event = super().next_event()
        if isinstance(event, h11.Request):
            if event.http_version not in VERSIONS:
                raise h11.RemoteProtocolError("another version", error_status_hint=505)
            names = {name for name, _ in event.headers}
            if b"transfer-encoding" in names and (b"content-length" in names or event.http_version < b"1.1"):
                raise h11.RemoteProtocolError("two lengths", error_status_hint=400)
        return event


class Connection(H11Protocol):
    """One connection."""

    def __init__(self, settings: Settings, register: Register, log: Log, **of_server: Any) -> None:
        super().__init__(**of_server)
        self.conn = _Parser(h11.SERVER)
        self.logger = log.of_server
        self._settings, self._register, self._log = settings, register, log
        self._deadline: asyncio.TimerHandle | None = None
        self._end: asyncio.TimerHandle | None = None
        self._began = 0.0  # when it became idle
        self._has_sent = False  # bytes, since it is idle
        self._unsent = 0  # bytes of answers, when it was looked at last
        self._is_ending = False

    # -- what asyncio and the server call ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take it, or refuse it when there are too many."""
        super().connection_made(transport)  # type: ignore[arg-type]  # TCP has both directions
        if self._register.enter(self, client_of(self.client[0] if self.client else "")):
            self._look()
        else:
            self._refuse(self._no_place())
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop_timers()
        self._is_ending = True
        self._register.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request; those that come after a refusal are dropped."""
        if not self._is_ending:
            self._has_sent = True
            super().data_received(data)

    def handle_events(self) -> None:
        """Begin with the request whose headers are complete."""
        super().handle_events()
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request; called where the error is handled."""
        del msg
        error = sys.exception()
        status = getattr(error, "error_status_hint", 400)
        self._refuse(ProblemError(status, REFUSED.get(status, REFUSED[400])))
        self._close_soon()

    def shutdown(self) -> None:
        """Close it once its request is answered."""
        if self._is_idle or self._is_ending:
            self.transport.abort() if self._is_ending else self.transport.close()
        else:
            super().shutdown()

    # -- limits --------------------------------------------------------------------------------------------------

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]  # None before the first

    def _look(self) -> None:
        """Start the deadline when it becomes idle, stop it when it has a request."""
        if self._is_ending or self._is_idle == (self._deadline is not None):
            return
        self._register.set_idle(self, is_idle=self._is_idle)
        if self._is_idle:
            self._began, self._has_sent = time.monotonic(), False
            self._unsent = (
                self.transport.get_write_buffer_size() + 1
            )  # it need not have read anything at the first look
            self._deadline = self.loop.call_later(self._settings.header_seconds, self._be_late)
        else:
            self._stop_timers()

    def _stop_timers(self) -> None:
        for timer in (self._deadline, self._end):
            if timer is not None:
                timer.cancel()
        self._deadline = self._end = None

    def _be_late(self) -> None:
        """The deadline is over: close, but not while the client still reads its last answer."""
        unsent = self.transport.get_write_buffer_size()
        if 0 < unsent < self._unsent:
            self._unsent = unsent
            self._deadline = self.loop.call_later(self._settings.header_seconds, self._be_late)
            return
        if self._has_sent:
            seconds = self._settings.header_seconds
            self._refuse(ProblemError(408, f"the headers did not arrive within {seconds:g} s"))
        self._close_soon()

    def give_way(self) -> None:
        """Close this idle connection at once: another one requires its place."""
        self._register.leave(self)
        if self._has_sent:
            self._refuse(self._no_place())
        self._is_ending = True
        self.transport.close() if not self.transport.get_write_buffer_size() else self.transport.abort()

    def _no_place(self) -> ProblemError:
        return unavailable("too many connections", self._settings.retry_after)

    def _refuse(self, problem: ProblemError) -> None:
        """Answer without the application, if the connection is where an answer can begin."""
        if self._is_ending:
            return
        self._is_ending = True
        if not self._is_idle:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE) or self.transport.is_closing():
            return
        name = new_id()
        response = problem.response()
        headers = {**HEADERS, **dict(response.headers), "x-request-id": name, "connection": "close"}
        lines = [f"HTTP/1.1 {problem.status} {problem.title}", *(f"{key}: {value}" for key, value in headers.items())]
        self.transport.write("\r\n".join([*lines, "\r\n"]).encode("latin-1") + response.body)
        began = self._began or time.monotonic()
        self._log.note(name, UNKNOWN, problem.status, len(response.body), time.monotonic() - began)

    def _close_soon(self) -> None:
        """Send no more, and let the client read; at once closed, what it still sends would cost it our last words."""
        self._is_ending = True
        self._stop_timers()
        if self.transport.is_closing():
            self.transport.abort()
            return
        self._register.set_idle(self, is_idle=True)
        self.flow.resume_reading()
        try:
            self.transport.write_eof()
        except OSError:  # the client has gone, and asyncio does not know it yet
            self.transport.abort()
            return
        self._end = self.loop.call_later(LINGER, self.transport.abort)
