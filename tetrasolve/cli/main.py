"""The `tetrasolve` command: finds the module of a command when it is asked for, and turns errors into exit codes.

Exit codes: 0 answered, 1 refuted or not found, 2 usage or unreadable input, 3 unknown or out of time.
"""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module, metadata
from typing import Any

import click

from tetrasolve.errors import IllegalPositionError, TetrasolveError

COMMANDS = {
    "analyse": "Answer requests in JSON lines, for services.",
    "bench": "Measure the kernel, or print the signature of its behaviour.",
    "board": "The map: show, check, doubt, draw.",
    "campaign": "The fewest turns to a goal: several turns in a row.",
    "certify": "Prove that no turn plan is better, for others to check.",
    "check": "Check certificates, by a program that shares nothing with this one.",
    "ends": "Count the positions in which the Emperor may end his turn.",
    "facts": "Facts about the rules: listed, shown, proved, checked.",
    "fight": "Attack or wait, from where, with whom: exact chances.",
    "hint": "The best plans for a turn, and why.",
    "new": "Set up a game.",
    "perft": "Count the sequences of actions of a Roman phase.",
    "plan": "An optimal turn plan.",
    "play": "Play a game in the terminal.",
    "replay": "Verify a game record.",
    "review": "A game looked through: luck and skill apart.",
    "risk": "What the coming Barbarian phase can do, exactly.",
    "rules": "The levels and the readings of the rules.",
    "show": "Show a position, and why it cannot occur.",
}

ANSWERED, REFUTED, USAGE, UNKNOWN = range(4)


class LazyGroup(click.Group):
    """Imports a command's module only when it is used, so that the program starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # the signature is click's
        """The names of the commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # as above
        """The command with this name, its module imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"tetrasolve.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for; when nobody reads its output any more, that is no error."""
        try:
            code = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where a closed pipe can be told from a failure
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that nothing complains at exit
            return ANSWERED
        return code

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # as above
        """The list in --help, written without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.command(cls=LazyGroup)
@click.version_option(metadata.version("tetrasolve"), prog_name="tetrasolve")
def program() -> None:
    """Proves things about the board game Tetrarchia.

    A POSITION is a file, - for standard input, a one-line notation in quotes, a level like 4211 with --seed, or the
    name of an example (ambush, fight, movement).

    Exit codes: 0 answered; 1 refuted, or not found; 2 a wrong option, or input that cannot be read; 3 unknown, or
    out of time.
    """


def run(arguments: list[str] | None = None) -> int:
    """Run the program and give its exit code; no error of the library or of usage ends in a traceback."""
    try:
        code = program.main(arguments, prog_name="tetrasolve", standalone_mode=False)
        return code if isinstance(code, int) else ANSWERED
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        return UNKNOWN
    except click.ClickException as error:
        error.show()
        return USAGE
    except IllegalPositionError as error:
        if all(isinstance(reason, str) for reason in error.reasons):  # it can, but not for this question
            click.echo(f"error: {'; '.join(map(str, error.reasons))}", err=True)
        else:
            click.echo("\n  ".join(["this position cannot occur:", *map(str, error.reasons)]), err=True)
        return USAGE
    except TetrasolveError as error:
        click.echo(f"error: {error}", err=True)
        return USAGE
    except OSError as error:  # a disk that is full, say
        click.echo(f"error: {error.filename or 'output'}: {error.strerror}", err=True)
        return USAGE
    except Exception as error:  # a bug of ours: the user gets a sentence, and the traceback where he asks for it
        if os.environ.get("TETRASOLVE_DEBUG"):
            raise
        click.echo(f"internal error: {type(error).__name__}: {error}", err=True)
        click.echo("please report it; TETRASOLVE_DEBUG=1 shows where it happened", err=True)
        return UNKNOWN


def main() -> None:
    """Entry point of the console script."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name it cannot show is no reason to show nothing
    sys.exit(run())
