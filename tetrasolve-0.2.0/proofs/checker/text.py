"""The text of a certificate: decompressed, its digest compared, then read line by line.

A certificate is ASCII text. Its first line names the format, its last line is the SHA-256 of all that stands before that
line. A file that begins like one of xz or gzip is decompressed first.
"""

import hashlib
import lzma
import re
import zlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

FORMAT = "tetrasolve-certificate 1"
NUMBER = re.compile(r"[0-9]+(/0*[1-9][0-9]*)?")
LARGEST = 2**26  # bytes of text: a certificate has a fiftieth of it, and a few bytes of xz can stand for far more
MEMORY = 2**27  # bytes that xz may use; its strongest preset needs half of them
MOST_LINES = 2**22


class Unreadable(Exception):
    """What was given is no certificate, or none that this checker knows."""


class Refuted(Exception):
    """What was given is a certificate, and it is wrong."""


class Lines:
    """The lines of a certificate between the first one and the digest, taken one after the other."""

    def __init__(self, data: bytes) -> None:
        text = plain_text(data)
        if text.count("\n") > MOST_LINES:
            raise Unreadable(f"has more than {MOST_LINES} lines")
        if not text.startswith(FORMAT + "\n"):
            raise Unreadable(f"line 1: expected '{FORMAT}'")
        body, newline, last = text[:-1].rpartition("\n")
        self.lines = body.split("\n")
        self.number = 1  # of the line taken last, counted from 1
        if not text.endswith("\n") or not last.startswith("sha256 "):
            raise Unreadable(
                f"line {len(self.lines) + 1}: expected a digest, 'sha256' and 64 figures, as the last line"
            )
        digest = hashlib.sha256((body + newline).encode("ascii")).hexdigest()
        if last != f"sha256 {digest}":
            raise Refuted(f"line {len(self.lines) + 1}: the text before this line has another digest, {digest}")

    def take(self, expected: str) -> str:
        """The next line."""
        if self.number == len(self.lines):
            raise Unreadable(f"line {self.number + 1}: the certificate ends here, expected {expected}")
        self.number += 1
        return self.lines[self.number - 1]

    def field(self, name: str) -> str:
        """What stands after a name on the next line."""
        word, blank, value = self.take(f"'{name}'").partition(" ")
        if word != name or not blank:
            raise self.unreadable(f"expected '{name}' and a value")
        return value

    def count(self, name: str) -> int:
        """The number of lines that a section says it has."""
        return self.whole(self.field(name))

    def section(self, name: str) -> Iterator[str]:
        """The lines of a section, one after the other; each is the one taken last while it is looked at."""
        count = self.count(name)
        for row in range(1, count + 1):
            yield self.take(f"line {row} of {count} of '{name}'")

    def whole(self, text: str) -> int:
        """A whole number from 0 on, written in the one usual way."""
        if not (text.isascii() and text.isdigit() and len(text) < 16 and str(int(text)) == text):
            raise self.unreadable(f"expected a whole number, found '{text[:40]}'")
        return int(text)

    def fraction(self, text: str) -> Fraction:
        """A number that is not negative, whole or with a stroke, written in the one usual way."""
        if not (len(text) < 1000 and NUMBER.fullmatch(text) and str(Fraction(text)) == text):
            raise self.unreadable(f"expected a number, found '{text[:40]}'")
        return Fraction(text)

    def end(self) -> None:
        """Make sure that nothing is left."""
        if self.number != len(self.lines):
            self.number += 1
            raise self.unreadable("expected the digest, nothing else may follow")

    def unreadable(self, why: str) -> Unreadable:
        """The line taken last cannot be read."""
        return Unreadable(f"line {self.number}: {why}")

    def refuted(self, why: str) -> Refuted:
        """The line taken last is wrong."""
        return Refuted(f"line {self.number}: {why}")


class NoLines(Lines):
    """In place of the lines of a certificate, for facts that have none."""

    def __init__(self) -> None:
        self.lines = []
        self.number = 0

    def unreadable(self, why: str) -> Unreadable:
        """The fact cannot be read."""
        return Unreadable(why)

    def refuted(self, why: str) -> Refuted:
        """The fact is wrong."""
        return Refuted(why)


def plain_text(data: bytes) -> str:
    """The text in a file: of plain ASCII, decompressed where need be."""
    try:
        if data.startswith(b"\xfd7zXZ\x00"):
            data = unpacked(lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MEMORY), data)
        elif data.startswith(b"\x1f\x8b"):
            data = unpacked(zlib.decompressobj(wbits=31), data)
    except (lzma.LZMAError, zlib.error) as error:
        raise Unreadable(f"cannot be decompressed ({error})") from None
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.isascii() or not line.decode("ascii").isprintable():
            raise Unreadable(f"line {number}: expected printable ASCII and line feeds, nothing else")
    return data.decode("ascii")


def unpacked(tool: Any, data: bytes) -> bytes:
    """All that a decompressor makes of the data, which must be one complete stream."""
    text: bytes = tool.decompress(data, LARGEST + 1)
    if len(text) > LARGEST:
        raise Unreadable(f"cannot be decompressed (it has more than {LARGEST} bytes of text)")
    if not tool.eof or tool.unused_data:
        raise Unreadable("cannot be decompressed (cut off, too long, or followed by something else)")
    return text
