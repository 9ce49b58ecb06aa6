"""Answers that were given once.

A key is a digest of everything that an answer depends on: the data and the version of the engine, the kind of request and its
fields, but not how long it may take. What is exact or proved never changes under its key. An opinion is given to those who have
no more time than was spent on it; a deeper one takes its place. Where the answers have reached their size, the oldest opinions
go first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tetrasolve.analysis.depth import FINAL, Depth
from tetrasolve.serve.database import MEMORY, Database, Rows, open_database

BATCH = 50  # answers that go at once when the place is full
NOT_OF_THE_QUESTION = ("seconds", "report_every")
SHARE = 64  # the size is looked at after so large a part of it was written

PUT = """
INSERT INTO answers (key, result, bytes, is_final, whole, work, seconds, stored) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    result = excluded.result, bytes = excluded.bytes, is_final = excluded.is_final, whole = excluded.whole, work = excluded.work,
    seconds = CASE WHEN excluded.seconds > answers.seconds THEN excluded.seconds ELSE answers.seconds END, stored = excluded.stored
WHERE answers.is_final = 0 AND (
    excluded.is_final = 1
    OR (excluded.whole, excluded.work, excluded.seconds) > (answers.whole, answers.work, answers.seconds))
"""


def key_of(digest: str, ask: str, fields: Mapping[str, Any]) -> bytes:
    """The key of a question; how long it may take is no part of it.

    >>> key_of("d", "risk", {"a": 1, "b": 2}) == key_of("d", "risk", {"b": 2, "a": 1, "seconds": 5})
    True
    """
    asked = {name: value for name, value in fields.items() if name not in NOT_OF_THE_QUESTION}
    return hashlib.sha256(json.dumps([digest, ask, asked], sort_keys=True).encode("ascii")).digest()


def plain_depth(kind: str, result: Mapping[str, Any]) -> Depth | None:
    """The depth of answers of an engine that has no measure of its own: what is complete is final."""
    del kind
    return FINAL if result.get("status") == "complete" else None


class Store:
    """The answers in a file or in a Postgres database; any number of threads and processes may use it.

    :raises StoreError: when it cannot be used.
    :raises MissingExtraError: when the library for Postgres is not installed.
    """

    def __init__(self, place: str, size: int = 2**30) -> None:
        self.place, self.size = place, size
        self._database = open_database(place)
        self._written = size  # bytes since the size was looked at

    def get(self, key: bytes, seconds: float = 0.0) -> dict[str, Any] | None:
        """The answer under a key: one that is final, or an opinion on which at least so many seconds could be spent."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT result FROM answers WHERE key = ? AND (is_final = 1 OR seconds >= ?)", (key, seconds)
            ).fetchone()
        found: dict[str, Any] | None = None if row is None else json.loads(row[0])
        return found

    def put(self, key: bytes, result: Mapping[str, Any], depth: Depth = FINAL, seconds: float = 0.0) -> bool:
        """Store an answer that could take so many seconds, unless a final or a deeper one is there; whether that was done."""
        text = json.dumps(result)
        if len(text) > self.size:
            return False
        values = (key, text, len(text), int(depth.is_final), depth.whole, depth.work, seconds, self._database.now())
        with self._database.writing() as connection:
            is_new = bool(connection.execute(PUT, values).rowcount)
            if is_new:
                self._written += len(text)
            else:  # the deeper one is an answer for those with more time, too
                connection.execute(
                    "UPDATE answers SET seconds = ? WHERE key = ? AND is_final = 0 AND seconds < ?",
                    (seconds, key, seconds),
                )
        if self._written * SHARE >= self.size:
            self._written = 0
            with self._database.writing(is_alone=True) as connection:
                self._make_place(connection)
        return is_new

    def _make_place(self, connection: Rows) -> None:
        """Let answers go: opinions before what is final, the oldest first."""
        while self._database.used(connection) > self.size - 2 * self.size // SHARE:
            gone = connection.execute(
                "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY is_final, stored LIMIT ?)", (BATCH,)
            )
            if not gone.rowcount:  # what fills it are jobs, which have a limit of their own
                break

    def close(self) -> None:
        """Close it."""
        self._database.close()


def jobs_in(store: Store | None) -> Database:
    """A database for jobs and quotas: where the answers are, or in memory."""
    return open_database(MEMORY if store is None else store.place)
