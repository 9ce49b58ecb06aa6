"""A small Dask cluster on this machine, with worker processes that can be killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def local_cluster(workers: int = 2) -> Iterator[Any]:
    """A scheduler in this process, with so many worker processes of one thread, which are started again when they end."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster


def worker_ids(client: Any) -> list[int]:
    """The process ids of the workers that are there."""
    return sorted(client.run(os.getpid).values())


def kill(client: Any, count: int = 1) -> None:
    """End so many workers, without a word."""
    for process in worker_ids(client)[:count]:
        os.kill(process, signal.SIGKILL)


def wait_until(is_so: Any, seconds: float = 30) -> None:
    """Wait for something that other processes do."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)
