"""``tetrasolve check``: certificates judged by a program that shares nothing with tetrasolve."""

from __future__ import annotations

import click

from tetrasolve.certify.checking import run_checker
from tetrasolve.cli.common import echo_json, json_option
from tetrasolve.cli.game import current_game

REFUTED, UNREADABLE = 1, 2
VERDICTS = ("confirmed", "refuted", "unreadable")


@click.command("check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--board", metavar="FILE", help="The board file that certificates of turns speak of.")
@json_option
def command(files: tuple[str, ...], board: str | None, as_json: bool) -> int:
    """Check certificates with the standalone checker, in an interpreter of its own that imports nothing of tetrasolve.

    Exit code 1: one is refuted; the first reason is told with its line. Exit code 2: one cannot be read.
    """
    if board is not None:
        current_game().get_subject(board)  # says what is wrong with it as every command does
    found = [(file, *run_checker([file], board, current_game().get_claims().checker)) for file in files]
    if as_json:
        data = [
            {"file": file, "verdict": VERDICTS[code], "text": said.removeprefix(f"{file}: {VERDICTS[code]}: ").strip()}
            for file, code, said in found
        ]
        echo_json(data)
    else:
        for _, code, said in found:
            if code != UNREADABLE:
                click.echo(said, nl=False)
    for _, code, said in found:
        if code == UNREADABLE:
            click.echo(said, nl=False, err=True)
    codes = {code for _, code, _ in found}
    return REFUTED if REFUTED in codes else max(codes)
