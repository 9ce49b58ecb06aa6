"""``tetrasolve analyse``: the analysis protocol, JSON lines in and out, for services."""

from __future__ import annotations

import signal
import sys

import click

from tetrasolve.analysis.server import Server

ENGINE = "tetrasolve.tetrarchia.hint.service"


@click.command("analyse")
@click.option("--workers", type=click.IntRange(1, 256), default=1, help="Processes that work side by side.")
def command(workers: int) -> None:
    """Answer requests from standard input, one JSON object a line, until it ends and all is answered.

    Try: echo '{"id": "1", "ask": "about"}' | tetrasolve analyse
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: everything open is answered first
    Server(ENGINE, _write, workers).serve(sys.stdin.buffer)


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
