"""``tetrasolve bench``: the signature of the kernel's behaviour, and the work behind it."""

from __future__ import annotations

import click

from tetrasolve.cli.common import echo_json, json_option, seconds_option
from tetrasolve.tetrarchia.signature import signature


@click.command("bench")
@click.option("--signature", "only_signature", is_flag=True, help="Print the signature only.")
@seconds_option
@json_option
def command(only_signature: bool, seconds: float | None, as_json: bool) -> None:
    """Print one integer that changes only when the behaviour of the kernel does, and the work it stands for.

    Timings against other programs are in bench/ of the source tree, since they require these programs.
    """
    found = signature(seconds=seconds)
    if as_json:
        echo_json({"signature": found.value, "parts": found.parts})
        return
    click.echo(str(found.value))
    if not only_signature:
        for name, count in found.parts.items():
            click.echo(f"  {name}: {count:,}")
