"""The lines of a game record, read one by one; what they mean, each game's reader says."""

from __future__ import annotations

from tetrasolve.errors import RecordError

SHOWN = 60  # characters of a wrong line in an error


class RecordLines:
    """The lines of a record that are neither empty nor comments, read one after another."""

    def __init__(self, text: str) -> None:
        rows = enumerate(text.splitlines(), start=1)
        self.rows = [
            (number, line.strip()) for number, line in rows if line.strip() and not line.lstrip().startswith("#")
        ]
        self.at = 0

    def fail(self, problem: str) -> RecordError:
        """An error at the line that was read last."""
        number = self.rows[min(self.at, len(self.rows)) - 1][0] if self.rows else 1
        return RecordError(max(number, 1), problem)

    def next(self, expected: str) -> str:
        """The next line.

        :raises RecordError: at the end of the record.
        """
        if self.at == len(self.rows):
            raise self.fail(f"the record ends here, expected {expected}")
        self.at += 1
        return self.rows[self.at - 1][1]

    def word(self, key: str) -> str:
        """What follows a word that the next line has to begin with.

        :raises RecordError: when it begins with another.
        """
        line = self.next(f"a line '{key} ...'")
        head, _, rest = line.partition(" ")
        if head != key:
            raise self.fail(f"found {line[:SHOWN]!r}, expected a line '{key} ...'")
        return rest.strip()

    def peek(self) -> str:
        """The next line, which stays the next one; empty at the end."""
        return self.rows[self.at][1] if self.at < len(self.rows) else ""

    def end(self) -> None:
        """Require the end of the record.

        :raises RecordError: when a line follows.
        """
        if self.at < len(self.rows):
            self.at += 1
            raise self.fail("nothing may follow the result")
