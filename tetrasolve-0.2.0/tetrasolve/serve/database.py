"""What holds the tables of a service: an SQLite file, or a Postgres database that several hosts share.

Both are opened by `open_database` and used alike: `reading` and `writing` give a connection with one method, ``execute``, which
takes SQL that both understand, with ``?`` for each value. Their tables are made and brought up to date by the numbered files of
``data/sqlite`` and ``data/postgres``.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from importlib.resources import files
from typing import Any, Protocol

from tetrasolve.errors import TetrasolveError

MEMORY = ":memory:"  # an SQLite file that ends with the process
POSTGRES = ("postgresql://", "postgres://")


class StoreError(TetrasolveError):
    """A place that holds no store, or cannot be used."""


class StoreFailedError(TetrasolveError):
    """A store that was opened, and does not answer or refuses; the text is the kind of failure, and has nothing that was asked."""


class Found(Protocol):
    """What a statement gives."""

    @property
    def rowcount(self) -> int:
        """How many rows it has changed."""
        ...

    def fetchone(self) -> Any:
        """The next row, None where there is none."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows."""
        ...


class Rows(Protocol):
    """A connection to a database."""

    def execute(self, statement: str, values: Sequence[object] = (), /) -> Found:
        """Carry out a statement."""
        ...


class Database(ABC):
    """An open database; any number of threads may use it, and any number of processes the place where it is.

    `reading` and `writing` raise `StoreFailedError` when it fails; what happened in `writing` happened as a whole or not at all.
    """

    is_lasting = True  # whether it is there when the process has ended
    for_update = ""  # ends a SELECT in a transaction that is to change the row which it finds

    @abstractmethod
    def reading(self) -> AbstractContextManager[Rows]:
        """A connection, for this thread alone."""

    @abstractmethod
    def writing(self, *, is_alone: bool = False) -> AbstractContextManager[Rows]:
        """The same in a transaction; `is_alone`: no other that says so is open at the same time, in any process."""

    @abstractmethod
    def used(self, connection: Rows) -> int:
        """The bytes of what it holds."""

    @abstractmethod
    def close(self) -> None:
        """Close it."""

    def now(self) -> float:
        """Seconds since 1970, by one clock for all who share it."""
        return time.time()


def versions(kind: str) -> Iterator[list[str]]:
    """The statements that lead from each version of the tables to the next one.

    >>> [len(statements) for statements in versions("sqlite")]
    [1, 2, 1, 6, 2]
    """
    folder = files("tetrasolve.serve") / "data" / kind
    number = 1
    while (found := folder / f"{number}.sql").is_file():
        lines = (line for line in found.read_text("utf-8").splitlines() if not line.startswith("--"))
        yield [statement for text in "\n".join(lines).split(";") if (statement := text.strip())]
        number += 1


def open_database(place: str) -> Database:
    """The database at a place: a file, or a URL that begins with ``postgresql://``.

    :raises StoreError: when it cannot be used.
    :raises MissingExtraError: when the library for Postgres is not installed.
    """
    if place.startswith(POSTGRES):
        from tetrasolve.serve.postgres import PostgresDatabase  # requires an extra

        return PostgresDatabase(place)
    from tetrasolve.serve.sqlite import SqliteDatabase

    return SqliteDatabase(place)
