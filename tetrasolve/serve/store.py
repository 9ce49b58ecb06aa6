"""Answers that were given once, in an SQLite file.

A key is a digest of everything that an answer depends on: the data and the version of the engine, the kind of request and its
fields. Only complete answers are stored, and under one key there is one: it never changes. When the file has reached its size,
the oldest answers go first.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Mapping
from typing import Any

from tetrasolve.errors import TetrasolveError

VERSION = 1  # of the tables
BUSY = 5.0  # seconds that another process may hold the file
BATCH = 50  # answers that go at once when the file is full
COMPLETE = frozenset({"complete", "optimal_proved", "infeasible_proved"})
NOT_OF_THE_QUESTION = ("seconds", "report_every")
TABLES = """
CREATE TABLE answers (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, result TEXT NOT NULL, bytes INTEGER NOT NULL);
PRAGMA user_version = 1;
"""


class StoreError(TetrasolveError):
    """A file that holds no store, or cannot be used."""


def key_of(digest: str, ask: str, fields: Mapping[str, Any]) -> bytes:
    """The key of a question; how long it may take is no part of it.

    >>> key_of("d", "risk", {"a": 1, "b": 2}) == key_of("d", "risk", {"b": 2, "a": 1, "seconds": 5})
    True
    """
    asked = {name: value for name, value in fields.items() if name not in NOT_OF_THE_QUESTION}
    return hashlib.sha256(json.dumps([digest, ask, asked], sort_keys=True).encode("ascii")).digest()


class Store:
    """The answers in a file; any number of threads and processes may use it.

    :raises StoreError: when the file cannot be used.
    """

    def __init__(self, path: str, size: int = 2**30) -> None:
        self._size = size
        self._lock = threading.Lock()
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
        self._connection.execute("BEGIN IMMEDIATE")
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version == 0:
            for statement in filter(str.strip, TABLES.split(";")):
                self._connection.execute(statement)
        self._connection.execute("COMMIT")
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"its version is {version}, expected {VERSION}")

    def get(self, key: bytes) -> dict[str, Any] | None:
        """The answer under a key."""
        with self._lock:
            row = self._connection.execute("SELECT result FROM answers WHERE key = ?", (key,)).fetchone()
        found: dict[str, Any] | None = None if row is None else json.loads(row[0])
        return found

    def put(self, key: bytes, result: Mapping[str, Any]) -> None:
        """Store an answer if it is complete; one that is there already stays."""
        text = json.dumps(result)
        if result.get("status") not in COMPLETE or len(text) > self._size:
            return
        with self._lock:
            self._connection.execute(
                "INSERT OR IGNORE INTO answers (key, result, bytes) VALUES (?, ?, ?)", (key, text, len(text))
            )
            while self._total() > self._size:
                self._connection.execute(
                    "DELETE FROM answers WHERE number IN (SELECT number FROM answers ORDER BY number LIMIT ?)", (BATCH,)
                )

    def _total(self) -> int:
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        (free,) = self._connection.execute("PRAGMA freelist_count").fetchone()
        (size,) = self._connection.execute("PRAGMA page_size").fetchone()
        return int((pages - free) * size)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
