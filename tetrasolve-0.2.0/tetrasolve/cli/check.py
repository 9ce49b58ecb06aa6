"""``tetrasolve check``: run the stand-alone checker on certificates."""

from __future__ import annotations

import click

from tetrasolve.certify.checking import run_checker
from tetrasolve.cli.common import echo_json, json_option, seconds_option
from tetrasolve.cli.game import current_game
from tetrasolve.exact.deadline import stop_of
from tetrasolve.stop import Stopped

REFUTED, UNREADABLE, UNKNOWN = 1, 2, 3
VERDICTS = ("confirmed", "refuted", "unreadable", "unknown")


@click.command("check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--board", metavar="FILE", help="The board file of the certificates of turns.")
@seconds_option
@json_option
def command(files: tuple[str, ...], board: str | None, seconds: float | None, as_json: bool) -> int:
    """Check certificates with the stand-alone checker, in a separate interpreter that does not import tetrasolve.

    Exit code 1: one is refuted; the first reason is printed with its line. Exit code 2: one cannot be read. Exit code 3: the
    time ran out before all were judged.
    """
    stop = stop_of(seconds)
    if board is not None:
        current_game().get_subject(board)  # raises the error of a bad board file as all commands do
    found: list[tuple[str, int, str]] = []
    checker = current_game().get_claims().checker
    for file in files:
        try:
            found.append((file, *run_checker([file], board, checker, stop)))
        except Stopped:
            found.append((file, UNKNOWN, f"{file}: unknown: the time ran out before it was judged\n"))
    if as_json:
        data = [
            {
                "file": file,
                "verdict": VERDICTS[code],
                "text": output.removeprefix(f"{file}: {VERDICTS[code]}: ").strip(),
            }
            for file, code, output in found
        ]
        echo_json(data)
    else:
        for _, code, output in found:
            if code != UNREADABLE:
                click.echo(output, nl=False)
    for _, code, output in found:
        if code == UNREADABLE:
            click.echo(output, nl=False, err=True)
    codes = {code for _, code, _ in found}
    return REFUTED if REFUTED in codes else max(codes)
