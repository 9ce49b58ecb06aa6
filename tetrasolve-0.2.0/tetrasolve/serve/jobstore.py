"""Jobs and their events as rows: what is known of a job is here, so that any process with the same file can go on with it.

A job belongs to one process, its owner, which says every second that it is alive. Events are appended by the owner alone, and
a final event ends the job in the same transaction: there is exactly one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tetrasolve.serve.database import Database, Rows

FINAL = frozenset({"done", "cancelled", "error"})
PARTIALS = 50  # that are kept of each job; the oldest go first
PARTIAL_BYTES = 2**18  # and their bytes
BATCH = 50  # ended jobs that are looked at together when the place is full
LEASE = 5.0  # seconds after which an owner that does not say that it is alive has lost its jobs
COLUMNS = "id, question, ask, fields, owner, alive, listened, attempts, is_cancelled, ended, holder"


@dataclass(frozen=True, slots=True)
class Job:
    """A row."""

    id: str
    question: bytes  # digest of what is asked
    ask: str
    fields: Mapping[str, Any]
    owner: str | None
    alive: float  # when its owner said so
    listened: float  # when somebody listened last
    attempts: int  # how many owners have begun with it
    is_cancelled: bool
    ended: float | None
    holder: str | None = None  # who alone may look at it; None: anybody who knows its id

    def is_orphan(self, now: float) -> bool:
        """Whether it has no final event, and nobody works on it."""
        return self.ended is None and (self.owner is None or self.alive < now - LEASE)


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a job."""

    number: int
    kind: str
    data: Mapping[str, Any]


class JobStore:
    """The jobs in a database; `size` is the most bytes of their events, and `kept` for how many seconds ended ones are kept."""

    def __init__(self, database: Database, size: int, kept: float) -> None:
        self._database, self._size, self._kept = database, size, kept
        self.is_lasting = database.is_lasting

    def open(self, job: Job, key: bytes | None, most: int) -> Job | None:
        """Store a new job, or find the one that was stored under the same key; None when there is no place for it.

        :param most: how many jobs may be open.
        """
        with self._database.writing(is_alone=True) as connection:
            found = None if key is None else _one(connection, "key = ?", key)
            if found is not None:
                return found
            (count,) = connection.execute("SELECT COUNT(*) FROM jobs WHERE ended IS NULL").fetchone()
            if count >= most or not self._make_place(connection):
                return None
            text = json.dumps(job.fields)
            connection.execute(
                "INSERT INTO jobs (id, key, question, ask, fields, owner, alive, listened, attempts, is_cancelled, bytes, holder)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 0, ?, ?)",
                (job.id, key, job.question, job.ask, text, job.owner, job.alive, job.listened, len(text), job.holder),
            )  # fmt: skip
        return job

    def _make_place(self, connection: Rows) -> bool:
        """Forget ended jobs, the oldest first, where there are too many bytes; whether that was enough."""
        (size,) = connection.execute("SELECT COALESCE(SUM(bytes), 0) FROM jobs").fetchone()
        while size > self._size:
            rows = connection.execute(
                "SELECT id, bytes FROM jobs WHERE ended IS NOT NULL ORDER BY ended LIMIT ?", (BATCH,)
            ).fetchall()
            if not rows:
                return False
            for name, less in rows:
                if size > self._size:
                    connection.execute("DELETE FROM jobs WHERE id = ?", (name,))
                    size -= less
        return True

    def find(self, name: str) -> Job | None:
        """The job with this id."""
        with self._database.reading() as connection:
            return _one(connection, "id = ?", name)

    def events(self, name: str, after: int = 0) -> list[Event]:
        """Its events with higher numbers than this."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT number, kind, data FROM events WHERE job = ? AND number > ? ORDER BY number", (name, after)
            ).fetchall()
        return [Event(number, kind, json.loads(data)) for number, kind, data in rows]

    def append(self, name: str, owner: str | None, kind: str, data: Mapping[str, Any], now: float) -> bool:
        """Add an event; False when the job has ended, or belongs to another owner (None: nobody)."""
        text = json.dumps(data)
        with self._database.writing() as connection:
            job = _one(connection, "id = ?", name, self._database.for_update)
            if job is None or job.ended is not None or job.owner != owner:
                return False
            (last,) = connection.execute(
                "SELECT COALESCE(MAX(number), 0) FROM events WHERE job = ?", (name,)
            ).fetchone()
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (name, last + 1, kind, text))
            more = len(text) - self._drop_partials(connection, name)
            connection.execute(
                "UPDATE jobs SET bytes = bytes + ?, ended = ? WHERE id = ?",
                (more, now if kind in FINAL else None, name),
            )
        return True

    def _drop_partials(self, connection: Rows, name: str) -> int:
        """Drop the oldest partial events where there are too many, but not the last one; how many bytes they had."""
        rows = connection.execute(
            "SELECT number, LENGTH(data) FROM events WHERE job = ? AND kind = 'partial' ORDER BY number DESC", (name,)
        ).fetchall()
        size = dropped = 0
        for place, (number, length) in enumerate(rows):
            size += length
            if place and (place >= PARTIALS or size > PARTIAL_BYTES):
                connection.execute("DELETE FROM events WHERE job = ? AND number = ?", (name, number))
                dropped += length
        return dropped

    def listen(self, name: str, now: float) -> None:
        """Note that somebody listens."""
        with self._database.writing() as connection:
            connection.execute("UPDATE jobs SET listened = ? WHERE id = ? AND listened < ?", (now, name, now))

    def cancel(self, name: str) -> None:
        """Note that it is to be cancelled."""
        with self._database.writing() as connection:
            connection.execute("UPDATE jobs SET is_cancelled = 1 WHERE id = ?", (name,))

    def adopt(self, name: str, owner: str, now: float) -> Job | None:
        """Take a job on which nobody works; None when somebody does, or it has ended."""
        with self._database.writing() as connection:
            job = _one(connection, "id = ?", name, self._database.for_update)
            if job is None or not job.is_orphan(now):
                return None
            connection.execute(
                "UPDATE jobs SET owner = ?, alive = ?, attempts = attempts + 1 WHERE id = ?", (owner, now, name)
            )
            return _one(connection, "id = ?", name)

    def release(self, owner: str, name: str | None = None) -> None:
        """Give up a job of an owner, or all of them, that have not ended."""
        which, values = ("", (owner,)) if name is None else (" AND id = ?", (owner, name))
        with self._database.writing() as connection:
            connection.execute(f"UPDATE jobs SET owner = NULL WHERE owner = ? AND ended IS NULL{which}", values)  # noqa: S608  # ours

    def beat(self, owner: str, now: float, idle: float) -> list[Job]:
        """Say that an owner is alive, forget what ended long ago, and give the jobs that it has to stop, also of those of nobody.

        These are jobs that were cancelled, and those to which nobody has listened for so many seconds.
        """
        with self._database.writing(is_alone=True) as connection:
            connection.execute("UPDATE jobs SET alive = ? WHERE owner = ? AND ended IS NULL", (now, owner))
            connection.execute("DELETE FROM jobs WHERE ended < ?", (now - self._kept,))
            rows = connection.execute(
                f"SELECT {COLUMNS} FROM jobs WHERE ended IS NULL AND (is_cancelled = 1 OR listened < ?)"  # noqa: S608  # no text of a user
                " AND (owner = ? OR owner IS NULL OR alive < ?)",
                (now - idle, owner, now - LEASE),
            ).fetchall()
        return [_job(row) for row in rows]

    def now(self) -> float:
        """Seconds since 1970, by the clock of those who share the jobs."""
        return self._database.now()

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def _one(connection: Rows, where: str, value: object, for_update: str = "") -> Job | None:
    statement = f"SELECT {COLUMNS} FROM jobs WHERE {where}{for_update}"  # noqa: S608  # no text of a user
    row = connection.execute(statement, (value,)).fetchone()
    return None if row is None else _job(row)


def _job(row: tuple[Any, ...]) -> Job:
    name, question, ask, fields, owner, alive, listened, attempts, is_cancelled, *more = row
    return Job(name, question, ask, json.loads(fields), owner, alive, listened, attempts, bool(is_cancelled), *more)
