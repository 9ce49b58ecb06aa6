"""The SQLite file of a service: its tables, made and brought up to date by versioned SQL."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tetrasolve.errors import TetrasolveError

MEMORY = ":memory:"  # a file that ends with the process
BUSY = 5.0  # seconds that another process may hold the file
# The statements that lead from each version to the next one
VERSIONS = (
    """
    CREATE TABLE answers (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, result TEXT NOT NULL, bytes INTEGER NOT NULL)
    """,
    """
    CREATE TABLE jobs (
        id TEXT PRIMARY KEY, key BLOB UNIQUE, question BLOB NOT NULL, ask TEXT NOT NULL, fields TEXT NOT NULL, owner TEXT,
        alive REAL NOT NULL, listened REAL NOT NULL, attempts INTEGER NOT NULL, is_cancelled INTEGER NOT NULL,
        bytes INTEGER NOT NULL, ended REAL
    );
    CREATE TABLE events (
        job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, number INTEGER NOT NULL, kind TEXT NOT NULL,
        data TEXT NOT NULL, PRIMARY KEY (job, number)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE quotas (name TEXT NOT NULL, day TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (name, day)) WITHOUT ROWID
    """,
)


class StoreError(TetrasolveError):
    """A file that holds no store, or cannot be used."""


class Database:
    """A connection to the file; any number of threads may use it, and any number of processes the file.

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
        with self.writing() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if not 0 <= version <= len(VERSIONS):
                raise sqlite3.DatabaseError(f"its version is {version}, expected at most {len(VERSIONS)}")
            for statements in VERSIONS[version:]:
                for statement in statements.split(";"):
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(VERSIONS)}")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for this thread alone."""
        with self._lock:
            yield self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The same in a transaction, which happens as a whole or not at all."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
