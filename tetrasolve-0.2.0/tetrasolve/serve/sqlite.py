"""Tables in an SQLite file, which the processes of one host share."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tetrasolve.serve.database import MEMORY, Database, Rows, StoreError, StoreFailedError, versions

BUSY = 5.0  # seconds that another process may hold the file


class SqliteDatabase(Database):
    """A connection to the file, which is in WAL mode; it is made where there is none.

    :raises StoreError: when the file cannot be used.
    """

    def __init__(self, path: str) -> None:
        self.is_lasting = path != MEMORY
        self._lock = threading.RLock()
        try:
            self._connection = sqlite3.connect(path, timeout=BUSY, check_same_thread=False, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._connection.close()
                raise
        except sqlite3.Error as error:
            raise StoreError(f"{path}: cannot be used as a store ({error})") from None

    def _open(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        known = list(versions("sqlite"))
        with self._transaction() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if not 0 <= version <= len(known):
                raise sqlite3.DatabaseError(f"its version is {version}, expected at most {len(known)}")
            for statements in known[version:]:
                for statement in statements:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(known)}")

    @contextmanager
    def reading(self) -> Iterator[Rows]:
        """The connection, for this thread alone."""
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise StoreFailedError(type(error).__name__) from error

    @contextmanager
    def writing(self, *, is_alone: bool = False) -> Iterator[Rows]:
        """The same in a transaction; of all that write one does at a time."""
        del is_alone
        try:
            with self._transaction() as connection:
                yield connection
        except sqlite3.Error as error:
            raise StoreFailedError(type(error).__name__) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def used(self, connection: Rows) -> int:
        """The bytes of its pages without free ones."""
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        return int((pages - free) * size)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
