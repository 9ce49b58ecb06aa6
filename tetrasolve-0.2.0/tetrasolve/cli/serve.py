"""``tetrasolve serve``: the analysis protocol over HTTP."""

from __future__ import annotations

import click

from tetrasolve.cli.game import current_game
from tetrasolve.errors import MissingExtraError

KIB, MIB = 2**10, 2**20


@click.command("serve")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0: all of this machine."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any that is free.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes for questions.")
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="A name under which it may be reached.")
@click.option("--body", type=click.IntRange(1, 1024), default=64, show_default=True, help="KiB of the longest request.")
@click.option(
    "--memory", type=click.IntRange(0, 2**20), default=1024, show_default=True, help="MiB of each worker; 0: no limit."
)
@click.option(
    "--waiting", type=click.IntRange(1, 10**6), default=1000, show_default=True, help="Requests that may wait."
)
@click.option("--streams", type=click.IntRange(1, 10**5), default=200, show_default=True, help="Open event streams.")
@click.option(
    "--rate",
    type=click.FloatRange(0, 10**6),
    default=50.0,
    show_default=True,
    help="Requests a second of each client; 0: any.",
)
@click.option(
    "--connections",
    type=click.IntRange(0, 10**6),
    default=250,
    show_default=True,
    help="Open connections of each client; 0: any.",
)
@click.option(
    "--questions",
    type=click.IntRange(0, 10**6),
    default=50,
    show_default=True,
    help="Open questions of each client; 0: any.",
)
@click.option(
    "--store",
    metavar="PLACE",
    help="Keep answers and jobs in this SQLite file, or in a database: postgresql://HOST/NAME.",
)
@click.option("--store-size", type=click.IntRange(1, 2**20), default=1024, show_default=True, help="MiB of the store.")
@click.option(
    "--longest", type=click.FloatRange(0.1, 86_400), default=60.0, show_default=True, help="Seconds of each question."
)
@click.option(
    "--wait",
    type=click.FloatRange(0.1, 86_400),
    default=30.0,
    show_default=True,
    help="Seconds that a question waits for a worker.",
)
@click.option("--jobs", type=click.IntRange(0, 10**5), default=100, show_default=True, help="Jobs that have not ended.")
@click.option(
    "--longest-job", type=click.FloatRange(0.1, 86_400), default=600.0, show_default=True, help="Seconds of each job."
)
@click.option("--keys", metavar="FILE", help="Answer only those who have one of the keys in this file.")
def command(
    host: str,
    port: int,
    workers: int,
    names: tuple[str, ...],
    body: int,
    memory: int,
    waiting: int,
    streams: int,
    rate: float,
    connections: int,
    questions: int,
    store: str | None,
    store_size: int,
    longest: float,
    wait: float,
    jobs: int,
    longest_job: float,
    keys: str | None,
) -> None:
    """Answer questions over HTTP, and serve a web page, until SIGTERM or Ctrl-C; each request has its own `seconds`.

    Without other options only programs on this machine reach it. On another --host it answers under the names of
    --allow-host, or under any name if there are none: put a proxy with TLS before it.

    Try: curl -s localhost:8000/v1/about
    """
    try:
        from tetrasolve.serve.app import Service
        from tetrasolve.serve.keys import read_keys
        from tetrasolve.serve.run import listen, run, url_of
        from tetrasolve.serve.settings import LOOPBACK, Settings
        from tetrasolve.serve.store import Store
    except ImportError as error:
        raise MissingExtraError(error.name or "a library", "serve") from None
    allowed = frozenset(name.lower() for name in names)
    settings = Settings(
        hosts=allowed | LOOPBACK if allowed or host in LOOPBACK else frozenset(),
        body=body * KIB,
        workers=workers,
        memory=memory * MIB,
        waiting=waiting,
        streams=streams,
        rate=rate,
        client_connections=connections,
        client_questions=questions,
        seconds=longest,
        wait=wait,
        jobs=jobs,
        job_seconds=longest_job,
        keys=None if keys is None else read_keys(keys),
    )
    game = current_game()
    kept = None if store is None else Store(store, store_size * MIB)
    service = Service(game.get_questions(), game.get_messages(), settings, kept, game.get_page())
    with listen(host, port) as listening:
        run(service, listening, lambda: click.echo(f"listening on {url_of(listening)}"))
