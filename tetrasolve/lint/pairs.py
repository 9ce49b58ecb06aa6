"""Two values of a reading, whose difference findings and games are about."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingPair:
    """A reading with two of its values.

    >>> ReadingPair("X-READING", "one", "other").id
    'X-READING=one/other'
    """

    reading: str
    first: str
    second: str

    @property
    def id(self) -> str:
        """Its name, which stays the same as long as the reading has these values."""
        return f"{self.reading}={self.first}/{self.second}"

    @property
    def values(self) -> tuple[str, str]:
        """Both values."""
        return self.first, self.second


def spelled(names: Iterable[str], known: Container[str]) -> list[str]:
    """Names of readings as they are known, which is in capitals; one that is not known in capitals either stays as it is.

    >>> spelled(["x-reading", "x-redding"], ["X-READING"])
    ['X-READING', 'x-redding']
    """
    return [name.upper() if name.upper() in known else name for name in names]
