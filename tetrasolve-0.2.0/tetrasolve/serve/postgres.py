"""Tables in a Postgres database, which several hosts share.

Connections are opened when they are needed and kept for those who come next. One that the server has closed is noticed before it is
used, so a server that comes back is used again at once. While there is none, a call fails at once and not after a wait of its own.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from tetrasolve.errors import MissingExtraError
from tetrasolve.serve.database import Database, Found, Rows, StoreError, StoreFailedError, versions

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as error:
    raise MissingExtraError(error.name or "psycopg", "postgres") from None

MOST = 16  # connections of a process, one for each thread that uses it
CONNECT = 3  # seconds to open one, and to have one that others use
REST = 0.25  # seconds after a failure in which no other is opened
LOCK = 0x7E77A501  # of those who write alone; a number of ours, as advisory locks have no names
# A statement ends after so many milliseconds, a lock is waited for as long; a server that is gone is noticed as soon
OPTIONS = "-c statement_timeout=5000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=10000"
NETWORK = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 2, "tcp_user_timeout": 5000}


class PostgresDatabase(Database):
    """Connections to a database with this URL; its tables are made where there are none.

    :raises StoreError: when it cannot be used.
    """

    for_update = " FOR UPDATE"

    def __init__(self, url: str) -> None:
        try:
            self._words: dict[str, Any] = conninfo_to_dict(url)
        except psycopg.Error:
            raise StoreError("postgresql://...: cannot be used as a store (it is no URL of a database)") from None
        self.name = f"postgresql://{self._words.get('host', '')}/{self._words.get('dbname', '')}"  # without a password
        options = f"{self._words.pop('options', '')} {OPTIONS}".strip()
        self._words = {"connect_timeout": CONNECT, **NETWORK, **self._words, "options": options}
        self._idle: list[psycopg.Connection[Any]] = []
        self._lock = threading.Lock()  # guards what is idle
        self._places = threading.BoundedSemaphore(MOST)
        self._rests_until = self._ahead = 0.0
        self._is_closed = False
        try:
            self._open()
        except (psycopg.Error, StoreFailedError) as error:
            reason = str(error).strip().partition("\n")[0]
            self.close()
            raise StoreError(f"{self.name}: cannot be used as a store ({reason})") from None

    def _open(self) -> None:
        known = list(versions("postgres"))
        with self._connection() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            connection.execute("CREATE TABLE IF NOT EXISTS tetrasolve_version (version integer NOT NULL)")
            row = connection.execute("SELECT version FROM tetrasolve_version").fetchone()
            version = 0 if row is None else row[0]
            if not 0 <= version <= len(known):
                raise StoreFailedError(f"its version is {version}, expected at most {len(known)}")
            for statements in known[version:]:
                for statement in statements:
                    connection.execute(
                        statement.encode()
                    )  # as bytes: the type checker takes no other text than literals
            connection.execute("DELETE FROM tetrasolve_version")
            connection.execute("INSERT INTO tetrasolve_version VALUES (%s)", (len(known),))

    # -- connections -----------------------------------------------------------------------------------------------

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection for this thread; it is kept for others unless it failed."""
        if not self._places.acquire(timeout=CONNECT):
            raise StoreFailedError("NoConnection")
        try:
            connection = self._kept() or self._new()
            try:
                yield connection
            except psycopg.OperationalError:
                if connection.broken or connection.closed:  # so are those beside it
                    self._forget_idle()
                raise
            finally:
                self._give_back(connection)
        finally:
            self._places.release()

    def _kept(self) -> psycopg.Connection[Any] | None:
        """One that is idle and was not closed by the server."""
        while True:
            with self._lock:
                if not self._idle:
                    return None
                connection = self._idle.pop()
            if not connection.closed and not _has_news(connection):
                return connection
            _end(connection)

    def _new(self) -> psycopg.Connection[Any]:
        if self._is_closed:
            raise StoreFailedError("Closed")
        if time.monotonic() < self._rests_until:
            raise StoreFailedError("OperationalError")
        try:
            connection = psycopg.connect(**self._words, autocommit=True)
        except psycopg.OperationalError:
            self._rests_until = time.monotonic() + REST
            raise
        before = time.time()
        row = connection.execute("SELECT extract(epoch FROM clock_timestamp())::double precision").fetchone()
        assert row is not None  # a SELECT of one value
        self._ahead = row[0] - (before + time.time()) / 2
        return connection

    def _give_back(self, connection: psycopg.Connection[Any]) -> None:
        is_ready = connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        with self._lock:
            if is_ready and not connection.closed and not self._is_closed:
                self._idle.append(connection)
                return
        _end(connection)

    def _forget_idle(self) -> None:
        with self._lock:
            gone, self._idle = self._idle, []
        for connection in gone:
            _end(connection)

    # -- as every database -----------------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[Rows]:
        """A connection, for this thread alone."""
        try:
            with self._connection() as connection:
                yield _Asked(connection)
        except psycopg.Error as error:
            raise StoreFailedError(type(error).__name__) from error

    @contextmanager
    def writing(self, *, is_alone: bool = False) -> Iterator[Rows]:
        """The same in a transaction."""
        try:
            with self._connection() as connection, connection.transaction():
                if is_alone:
                    connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
                yield _Asked(connection)
        except psycopg.Error as error:
            raise StoreFailedError(type(error).__name__) from error

    def used(self, connection: Rows) -> int:
        """The bytes of answers and jobs; the server may use more until it has tidied up."""
        ((answers, jobs),) = connection.execute(
            "SELECT (SELECT COALESCE(SUM(bytes), 0) FROM answers), (SELECT COALESCE(SUM(bytes), 0) FROM jobs)"
        ).fetchall()
        return int(answers + jobs)

    def now(self) -> float:
        """By the clock of the server, as far as it was known when a connection was opened."""
        return time.time() + self._ahead

    def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        self._forget_idle()


class _Asked:
    """A connection that takes ``?`` for each value."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[object] = (), /) -> Found:
        """Carry out a statement, which has no text of a user."""
        return self._connection.execute(statement.replace("?", "%s").encode(), values)


def _has_news(connection: psycopg.Connection[Any]) -> bool:
    """Whether the server has sent something unasked: as a rule that it ends."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN | select.POLLHUP)
    return bool(poll.poll(0))


def _end(connection: psycopg.Connection[Any]) -> None:
    with suppress(psycopg.Error):
        connection.close()
