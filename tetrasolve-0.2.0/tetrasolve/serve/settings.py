"""What a service takes, and who may ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tetrasolve.analysis.server import Limits
from tetrasolve.serve.keys import Key
from tetrasolve.strict import DEPTH

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
QUICK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of a service; `hosts` are the names under which it may be reached, empty for any."""

    hosts: frozenset[str] = LOOPBACK
    body: int = 2**16  # bytes of a request body
    depth: int = DEPTH  # levels of objects and arrays in it
    header_seconds: float = 10.0  # in which the headers of a request must have arrived
    body_seconds: float = 10.0  # and then its body
    seconds: float = 60.0  # the most, and the default, that a request may be in work
    streams: int = 200  # that are open at once
    connections: int = 1000  # with a request in work; twice as many may be open
    client_connections: int = 250  # of them, those of each client; 0 for any number
    client_questions: int = 50  # of each client that are in work or wait, and as many quick ones; 0 for any number
    wait: float = 30.0  # seconds that a question may wait for a worker
    workers: int = 1  # processes for questions
    quick_workers: int = 1  # and for what takes milliseconds
    waiting: int = 1000  # requests in each queue
    queued: int = 2**24  # their bytes
    memory: int = 2**30  # bytes of address space of each worker; 0 for no limit
    processor_seconds: float = 600.0  # of each request
    jobs: int = 100  # that have not ended
    client_jobs: int = 10  # of them, those of each client
    job_seconds: float = 600.0  # the most, and the default, that a job may be in work
    job_idle: float = 60.0  # seconds after which a job ends to which nobody listens
    job_kept: float = 600.0  # seconds for which one is kept that has ended
    job_bytes: int = 2**28  # of all events
    heartbeat: float = 10.0  # seconds between comments on a silent stream
    rate: float = 50.0  # requests a second of each client; 0 for any number
    burst: int = 200  # and at once
    keys: Mapping[str, Key] | None = None  # who may ask, by the digests of their keys; none: everybody
    retry_after: int = field(default=1)  # seconds: when to come back to a service that has no place

    def limits(self, *, quick: bool) -> Limits:
        """The limits of a pool of workers."""
        return Limits(
            line=8 * self.body
            + 2**12,  # a character of the body takes up to 6 bytes as ASCII, an escape no more than it did
            depth=self.depth + 1,
            waiting=self.waiting,
            queued=self.queued,
            workers=self.quick_workers if quick else self.workers,
            memory=self.memory,
            processor_seconds=min(QUICK_SECONDS, self.processor_seconds) if quick else self.processor_seconds,
        )
