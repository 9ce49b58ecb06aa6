"""Who does the work of a long command: processes of this machine, or a cluster; the same options for all commands and scripts."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

import click

from tetrasolve.exact.cluster import Cluster, Workers

F = TypeVar("F", bound=Callable[..., Any])

CLUSTER_HELP = "Do the work on the Dask cluster whose scheduler has this address, like tcp://10.0.0.1:8786."
EACH_CORE = "one for each core"


@contextmanager
def cluster_or(address: str | None, workers: int | None) -> Iterator[Workers]:
    """The cluster with this address, left at the end; without an address so many processes, by default one for each core.

    :raises ClusterError: when it cannot be reached.
    """
    if address is None:
        yield workers or os.cpu_count() or 1
        return
    with Cluster.connect(address) as cluster:
        yield cluster


# -- commands ----------------------------------------------------------------------------------------------------------


def workers_options(default: int | None = 1, *, prefix: str = "") -> Callable[[F], F]:
    """The options --workers and --cluster: the command gets `workers`, a number of processes or a cluster.

    :param default: the number of processes; None is one for each core.
    :param prefix: what begins the help text, where the options go with another one.
    """

    def decorate(command: F) -> F:
        @wraps(command)
        def with_workers(*args: Any, workers: int | None, cluster: str | None, **options: Any) -> Any:
            if workers is not None and cluster is not None:
                raise click.UsageError("--workers is about this machine, and --cluster about others: give one of them")
            with cluster_or(cluster, workers or default) as found:
                return command(*args, workers=found, **options)

        shown = EACH_CORE if default is None else default
        options = (
            click.option("--workers", type=click.IntRange(1), help=f"{prefix}Number of processes (default: {shown})."),
            click.option("--cluster", metavar="ADDRESS", help=prefix + CLUSTER_HELP),
        )
        for option in reversed(options):
            with_workers = option(with_workers)
        return with_workers  # type: ignore[return-value]  # a command with two options more

    return decorate


# -- scripts -----------------------------------------------------------------------------------------------------------


def add_workers(parser: argparse.ArgumentParser, default: int | None = 1) -> None:
    """Give a script the options --jobs and --cluster.

    :param default: the number of processes; None is one for each core.
    """
    shown = EACH_CORE if default is None else default
    parser.add_argument("--jobs", type=_count, metavar="N", help=f"processes; they change no result (default: {shown})")
    parser.add_argument("--cluster", metavar="ADDRESS", help=f"{CLUSTER_HELP[0].lower()}{CLUSTER_HELP[1:-1]}")
    parser.set_defaults(default_jobs=default)


@contextmanager
def workers_of(options: argparse.Namespace) -> Iterator[Workers]:
    """The workers that the options of a script name.

    :raises ClusterError: when the cluster cannot be reached.
    :raises ValueError: when both options are given.
    """
    if options.jobs is not None and options.cluster is not None:
        raise ValueError("--jobs is about this machine, and --cluster about others: give one of them")
    with cluster_or(options.cluster, options.jobs or options.default_jobs) as found:
        yield found


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {text}")
    return count
