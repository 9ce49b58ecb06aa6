"""Answers that were given once, in an SQLite file.

A key is a digest of everything that an answer depends on: the data and the version of the engine, the kind of request and its
fields. Only complete answers are stored, and under one key there is one: it never changes. When the file has reached its size,
the oldest answers go first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tetrasolve.serve.database import Database, StoreError

__all__ = ["Store", "StoreError", "key_of"]

BATCH = 50  # answers that go at once when the file is full
COMPLETE = frozenset({"complete", "optimal_proved", "infeasible_proved"})
NOT_OF_THE_QUESTION = ("seconds", "report_every")


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
        self.path, self.size = path, size
        self._database = Database(path)

    def get(self, key: bytes) -> dict[str, Any] | None:
        """The answer under a key."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT result FROM answers WHERE key = ?", (key,)).fetchone()
        found: dict[str, Any] | None = None if row is None else json.loads(row[0])
        return found

    def put(self, key: bytes, result: Mapping[str, Any]) -> None:
        """Store an answer if it is complete; one that is there already stays."""
        text = json.dumps(result)
        if result.get("status") not in COMPLETE or len(text) > self.size:
            return
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO answers (key, result, bytes) VALUES (?, ?, ?)", (key, text, len(text))
            )
            while self._total() > self.size:
                gone = connection.execute(
                    "DELETE FROM answers WHERE number IN (SELECT number FROM answers ORDER BY number LIMIT ?)", (BATCH,)
                )
                if not gone.rowcount:  # what fills it are jobs, which have a limit of their own
                    break

    def _total(self) -> int:
        with self._database.reading() as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            (free,) = connection.execute("PRAGMA freelist_count").fetchone()
            (size,) = connection.execute("PRAGMA page_size").fetchone()
        return int((pages - free) * size)

    def close(self) -> None:
        """Close the file."""
        self._database.close()
