"""API keys: who may ask, how often, and how many questions a day. The file has digests: nobody can ask with what it says.

A key is long and random, so one digest is enough: there are too many keys to try them all, however fast that is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from tetrasolve.errors import TetrasolveError, shown
from tetrasolve.files import read_bytes
from tetrasolve.serve.database import Database
from tetrasolve.strict import StrictError, number, read_toml, table, text, whole

SHORTEST = 32  # characters of a key
LONGEST = 256
MOST_KEYS = 10_000
SIZE = 2**22  # bytes of the file
SCHEME = "bearer"
MOST_A_DAY = 10**15  # questions of a key without a quota
COUNT = """
INSERT INTO quotas (name, day, used) VALUES (?, ?, 1)
ON CONFLICT (name, day) DO UPDATE SET used = quotas.used + 1 WHERE quotas.used < ?
"""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")


class KeyFileError(TetrasolveError):
    """A file of keys that cannot be read."""


@dataclass(frozen=True, slots=True)
class Key:
    """What the holder of a key may ask; where a limit is None, that of the service holds."""

    name: str
    rate: float | None = None  # questions a second
    burst: int | None = None  # and at once
    day: int | None = None  # and on one day (UTC)
    metrics: bool = False  # whether it may read the counters, which name all keys


def digest_of(key: str) -> str:
    """What the file says of a key.

    >>> digest_of("x" * 32)[:16]
    'c62e4615bd39e222'
    """
    return sha256(key.encode("latin-1")).hexdigest()


def read_keys(path: str) -> dict[str, Key]:
    """The keys of a file, by their digests.

    :raises KeyFileError: when it cannot be read.
    """
    try:
        return _keys(read_bytes(path, SIZE))
    except StrictError as error:
        raise KeyFileError(f"{path}: {error}") from None
    except OSError as error:
        raise KeyFileError(f"{path}: {error.strerror or error}") from None


def _keys(data: bytes) -> dict[str, Key]:
    rows = table(read_toml(data, size=SIZE), "file", ("keys",))["keys"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_KEYS:
        raise StrictError(f"found {shown(rows)}", where="keys", expected=f"1 to {MOST_KEYS:,} tables [[keys]]")
    found: dict[str, Key] = {}
    for place, row in enumerate(rows, start=1):
        where = f"keys {place}"
        fields = table(row, where, ("name", "sha256"), ("rate", "burst", "day", "metrics"))
        name, digest = text(fields["name"], f"{where} name"), text(fields["sha256"], f"{where} sha256")
        if not _NAME.fullmatch(name) or name in {key.name for key in found.values()}:
            raise StrictError(
                f"found {shown(name)}", where=f"{where} name", expected="1 to 64 letters, digits, . _ -, each name once"
            )
        if not _DIGEST.fullmatch(digest) or digest in found:
            expected = "the SHA-256 of a key as 64 hexadecimal digits, each key once"
            raise StrictError(f"found {shown(digest)}", where=f"{where} sha256", expected=expected)
        found[digest] = _key(name, fields, where)
    return found


def _key(name: str, fields: Mapping[str, object], where: str) -> Key:
    rate = number(fields["rate"], f"{where} rate", 0.001, 10**6) if "rate" in fields else None
    burst = whole(fields["burst"], f"{where} burst", 1, 10**6) if "burst" in fields else None
    day = whole(fields["day"], f"{where} day", 0, 10**12) if "day" in fields else None
    metrics = fields.get("metrics", False)
    if not isinstance(metrics, bool):
        raise StrictError(f"found {shown(metrics)}", where=f"{where} metrics", expected="true or false")
    return Key(name, rate, burst, day, metrics)


def find(keys: Mapping[str, Key], header: str) -> Key | None:
    """The key of an Authorization header."""
    scheme, _, secret = header.strip().partition(" ")
    secret = secret.strip()
    if scheme.lower() != SCHEME or not SHORTEST <= len(secret) <= LONGEST or not secret.isascii():
        return None
    return keys.get(digest_of(secret))


class Quotas:
    """How many questions each key has asked today, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._day = ""

    def take(self, key: Key, now: datetime | None = None) -> int:
        """Count one question; 0, or the seconds until the next day where there were too many."""
        now = now or datetime.now(UTC)
        day = now.date().isoformat()
        with self._database.writing() as connection:
            if day != self._day:
                connection.execute("DELETE FROM quotas WHERE day < ?", (day,))
            most = MOST_A_DAY if key.day is None else key.day
            is_counted = most > 0 and connection.execute(COUNT, (key.name, day, most)).rowcount
        self._day = day
        return 0 if is_counted else 86_400 - (now.hour * 3600 + now.minute * 60 + now.second)
