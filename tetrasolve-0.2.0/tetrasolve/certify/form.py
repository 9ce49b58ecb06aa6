"""The format of certificates: lines of ASCII text under a header, closed by their digest, compressed or not.

::

    tetrasolve-certificate 1
    kind turn
    ...                         one field a line: a name, a space, a value
    states 2                    a section: a name and the number of its lines
    6 bit 0 1 -6
    5 bit 1 1 -6
    sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08

What fields and sections there are depends on the kind. The last line is the SHA-256 of all text before it.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
from dataclasses import dataclass
from pathlib import Path

from tetrasolve import files
from tetrasolve.errors import CertificateError, shown

FORMAT = "tetrasolve-certificate 1"
DIGEST = "sha256"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate: the claim in `fields`, its proof in `sections` of lines; `kind` gives their meaning.

    >>> certificate = Certificate("story", (("about", "a cat"),), (("lines", ("It sat.",)),))
    >>> print(certificate.text().partition("sha256")[0], end="")
    tetrasolve-certificate 1
    kind story
    about a cat
    lines 1
    It sat.
    >>> read_certificate(certificate.text(), ("about",), ("lines",)) == certificate
    True

    :raises CertificateError: when a part would not read back as it is.
    """

    kind: str
    fields: tuple[tuple[str, str], ...]
    sections: tuple[tuple[str, tuple[str, ...]], ...]

    def __post_init__(self) -> None:
        for number, line in enumerate(self._lines(), start=1):
            if not (line and line.isascii() and line.isprintable()):
                raise CertificateError(number, f"{shown(line)}: expected printable ASCII")

    def _lines(self) -> list[str]:
        lines = [FORMAT, f"kind {self.kind}"]
        lines += [f"{name} {value}" for name, value in self.fields]
        for name, section in self.sections:
            lines += [f"{name} {len(section)}", *section]
        return lines

    def field(self, name: str) -> str:
        """The value of a field."""
        return dict(self.fields)[name]

    def section(self, name: str) -> tuple[str, ...]:
        """The lines of a section."""
        return dict(self.sections)[name]

    def text(self) -> str:
        """The whole text, digest included."""
        body = "".join(f"{line}\n" for line in self._lines())
        return f"{body}{DIGEST} {digest(body)}\n"

    def write(self, path: str | Path) -> None:
        """Write to a file, compressed if the name ends in ``.xz`` or ``.gz``; the bytes are reproducible.

        :raises OSError: when the file cannot be written.
        """
        data = self.text().encode("ascii")
        match Path(path).suffix:
            case ".xz":
                data = lzma.compress(data, preset=9)
            case ".gz":
                data = gzip.compress(data, compresslevel=9, mtime=0)
        files.write_bytes(path, data)


def digest(body: str) -> str:
    """The SHA-256 of a text, as 64 hexadecimal digits."""
    return hashlib.sha256(body.encode("ascii")).hexdigest()


# -- reading ---------------------------------------------------------------------------------------------------


def read_certificate(text: str, fields: tuple[str, ...], sections: tuple[str, ...]) -> Certificate:
    """A certificate from its text, when its kind has these fields and sections in this order.

    :raises CertificateError: when the text has another form; the line is named, and what was expected there.
    """
    lines = text.split("\n")
    if lines.pop() or not lines:
        raise CertificateError(len(lines) + 1, "expected a line feed at the end of the text")
    reader = _Reader(lines)
    reader.expect(FORMAT)
    kind = reader.field("kind")
    header = tuple((name, reader.field(name)) for name in fields)
    parts = tuple((name, reader.section(name)) for name in sections)
    certificate = Certificate(kind, header, parts)
    reader.expect(certificate.text().split("\n")[-2])
    if reader.number != len(lines):
        raise CertificateError(reader.number + 1, "expected the end of the text")
    return certificate


def load(path: str | Path) -> str:
    """The text of a certificate file, decompressed where it is compressed.

    :raises OSError: when the file cannot be read.
    :raises CertificateError: when it is not ASCII text, or cannot be decompressed.
    """
    data = files.read_bytes(path, files.UNPACKED)
    try:
        data = files.unpack(data)
    except ValueError as error:
        raise CertificateError(1, str(error)) from None
    try:
        return data.decode("ascii")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CertificateError(line, "expected ASCII text") from None


class _Reader:
    """Takes lines one after the other; `number` counts those taken."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.number = 0

    def take(self, expected: str) -> str:
        if self.number == len(self.lines):
            raise CertificateError(self.number + 1, f"the text ends here, expected {expected}")
        self.number += 1
        return self.lines[self.number - 1]

    def expect(self, line: str) -> None:
        found = self.take(f"'{line}'")
        if found != line:
            raise CertificateError(self.number, f"found {shown(found)}, expected '{line}'")

    def field(self, name: str) -> str:
        line = self.take(f"'{name}'")
        word, blank, value = line.partition(" ")
        if word != name or not blank:
            raise CertificateError(self.number, f"found {shown(line)}, expected '{name}' and a value")
        return value

    def section(self, name: str) -> tuple[str, ...]:
        count = self.field(name)
        if not (count.isascii() and count.isdigit() and len(count) < 12 and str(int(count)) == count):
            raise CertificateError(self.number, f"found {shown(count)}, expected the number of lines")
        return tuple(self.take(f"line {row} of {count} of '{name}'") for row in range(1, int(count) + 1))
