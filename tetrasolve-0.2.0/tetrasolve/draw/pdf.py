"""HTML as PDF, by WeasyPrint (an extra: ``pip install tetrasolve[print]``), in a process of its own that can be ended.

``python -m tetrasolve.draw.pdf`` reads HTML and writes the number of pages, a line end and the PDF. It loads nothing from
elsewhere, neither files nor addresses.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, NoReturn

from tetrasolve.errors import MissingExtraError, TetrasolveError
from tetrasolve.stop import Stop

ASKED_EVERY = 0.02  # seconds between looks at a flag while it works
LAST_WORDS = 300  # characters of an error that are shown


class PrintError(TetrasolveError):
    """A PDF that could not be made."""


class Printed(NamedTuple):
    """A PDF and how many pages it has."""

    data: bytes
    pages: int


def pdf_of(html: str, stop: Stop | None = None) -> Printed:
    """A page of HTML as PDF.

    :raises MissingExtraError: when WeasyPrint is not installed.
    :raises PrintError: when it cannot make it; Pango, a library of the system, may be missing.
    :raises Stopped: when `stop` is set before it is made.
    """
    if find_spec("weasyprint") is None:
        raise MissingExtraError("weasyprint", "print")
    command = [sys.executable, "-P", "-X", "utf8", "-m", "tetrasolve.draw.pdf"]
    with subprocess.Popen(  # noqa: S603  # our own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            data, problem = _communicate(process, html.encode(), stop)
        except BaseException:  # the time is over, or Ctrl-C
            process.kill()
            raise
    head, _, rest = data.partition(b"\n")
    if process.returncode or not head.isdigit():
        said = problem.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise PrintError(f"the PDF cannot be made: {said[-LAST_WORDS:]}")
    return Printed(rest, int(head))


def _communicate(process: subprocess.Popen[bytes], data: bytes, stop: Stop | None) -> tuple[bytes, bytes]:
    """What it writes until it ends.

    :raises Stopped: when `stop` is set before.
    """
    given: bytes | None = data
    while True:
        try:
            return process.communicate(given, timeout=None if stop is None else ASKED_EVERY)
        except subprocess.TimeoutExpired:
            given = None  # it has been handed over
            assert stop is not None
            stop.check()


def _nothing(address: str, *_: Any, **__: Any) -> NoReturn:
    raise PrintError(f"{address[:60]}: nothing is loaded")


def main() -> None:
    """Read HTML from standard input; the PDF goes to standard output."""
    weasyprint = import_module("weasyprint")  # an extra
    document = weasyprint.HTML(string=sys.stdin.read(), url_fetcher=_nothing).render()
    data = document.write_pdf()
    sys.stdout.buffer.write(b"%d\n" % len(document.pages) + data)


if __name__ == "__main__":
    main()
