"""``tetrasolve analyse``: the analysis protocol, JSON lines in and out, for services."""

from __future__ import annotations

import os
import signal
import sys

import click

from tetrasolve.analysis.server import Limits, Server
from tetrasolve.cli.game import current_game

STUCK = 3  # exit code when answers could not be written before the end
KIB, MIB = 2**10, 2**20


@click.command("analyse")
@click.option("--workers", type=click.IntRange(1, 256), default=1, help="Processes that work side by side.")
@click.option("--line", type=click.IntRange(1, 16_384), default=64, help="KiB of the longest request.")
@click.option("--depth", type=click.IntRange(4, 200), default=32, help="Levels of objects and arrays in a request.")
@click.option("--waiting", type=click.IntRange(1, 10**6), default=10_000, help="Requests that may wait.")
@click.option("--queued", type=click.IntRange(1, 2**20), default=16, help="MiB of all requests that wait.")
@click.option("--memory", type=click.IntRange(0, 2**20), default=1024, help="MiB of each worker; 0: no limit.")
@click.option(
    "--processor-seconds", type=click.FloatRange(0.1, 10**6), default=3600.0, help="Processor time of each request."
)
def command(
    workers: int, line: int, depth: int, waiting: int, queued: int, memory: int, processor_seconds: float
) -> None:
    """Answer requests from standard input, one JSON object a line, until the input ends and all are answered.

    SIGTERM and Ctrl-C end it within a second: open requests are cancelled, and answered.

    The request {"id": "1", "ask": "about"} is answered with the protocol, its limits, and the version.
    """
    limits = Limits(
        line=line * KIB,
        depth=depth,
        waiting=waiting,
        queued=queued * MIB,
        workers=workers,
        memory=memory * MIB,
        processor_seconds=processor_seconds,
    )
    server = Server(current_game().get_questions(), _write, limits)
    with server.stopped_by(signal.SIGTERM, signal.SIGINT):
        # unbuffered: a thread that waits for input must hold no lock when the program ends
        is_over = server.serve(getattr(sys.stdin.buffer, "raw", sys.stdin.buffer), _descriptor())
    if not is_over:  # the reader holds the pipe open and does not read
        os._exit(STUCK)


def _descriptor() -> int | None:
    """The file descriptor of standard output, if it has one."""
    try:
        return sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return None


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
