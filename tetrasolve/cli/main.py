"""The `tetrasolve` command: finds the module of a command when it is asked for, and turns errors into exit codes.

Exit codes: 0 answered, 1 refuted or not found, 2 usage or unreadable input, 3 unknown or out of time.
"""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from contextlib import suppress
from typing import Any

import click

from tetrasolve.cli.game import game_of
from tetrasolve.errors import ClusterLostError, IllegalPositionError, OutOfTimeError, TetrasolveError, path_shown
from tetrasolve.games import DEFAULT, found, game, names

ANSWERED, REFUTED, USAGE, UNKNOWN = range(4)


class LazyGroup(click.Group):
    """The commands of a game, the module of each imported when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return sorted(game_of(ctx).commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, its module imported now."""
        entry = game_of(ctx).commands.get(cmd_name)
        if entry is None:
            return None
        command = found(entry.where)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the arguments; one that only another game has is named as such."""
        here = game_of(ctx)
        if args[0] not in here.commands and any(args[0] in game(name).commands for name in names()):
            known = ", ".join(sorted(here.commands))
            raise click.UsageError(f"the game {here.name} has no command {args[0]!r}; it has {known}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a closed output pipe is not an error."""
        try:
            code = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where a closed pipe can be distinguished from other errors
        except BrokenPipeError:
            os.dup2(
                os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
            )  # so that the interpreter prints no warning at exit
            return ANSWERED
        return code

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help text of the program, for this game."""
        self.help = f"{game_of(ctx).about}\n\n{EXIT_CODES}"
        super().format_help_text(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in --help, written without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted((name, entry.help) for name, entry in game_of(ctx).commands.items()))


EXIT_CODES = """Exit codes: 0 answered; 1 refuted, or not found; 2 a wrong option, or input that cannot be read; 3 unknown, or
out of time."""


def _choose_game(ctx: click.Context, param: click.Parameter, value: str) -> None:
    """Store the game for all commands, and name it in lines of usage: without it a command is that of the usual game."""
    del param
    ctx.obj = game(value)
    if ctx.parent is None and value != DEFAULT:
        ctx.info_name = f"{ctx.info_name} --game {value}"


@click.command(cls=LazyGroup)
@click.option(
    "--game",
    metavar="GAME",
    default=DEFAULT,
    show_default=True,
    is_eager=True,  # before --help, which lists its commands
    expose_value=False,
    callback=_choose_game,
    help="The game.",
)
@click.version_option(package_name="tetrasolve", prog_name="tetrasolve")
def program() -> None:
    """Proves things about board games."""


def _report(as_json: bool, kind: str, problem: str, text: str | None = None, **more: Any) -> None:
    """Write an error to standard error: a sentence (`text`, where it is another than the problem), or JSON under --json."""
    data = {"error": {"kind": kind, "problem": problem, **more}}
    click.echo(json.dumps(data) if as_json else text or f"error: {problem}", err=True)


def run(arguments: list[str] | None = None) -> int:
    """Run the program and return its exit code; errors of the library and of usage never end in a traceback.

    With --json an error is one JSON object on standard error: ``{"error": {"kind": ..., "problem": ...}}``.
    """
    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    try:
        code = program.main(arguments, prog_name="tetrasolve", standalone_mode=False)
        return code if isinstance(code, int) else ANSWERED
    except click.exceptions.Abort as error:
        problem = str(error) or "interrupted"
        _report(as_json, "interrupted", problem, problem)
        return UNKNOWN
    except click.ClickException as error:
        if as_json:
            _report(as_json, "usage", error.format_message())
        else:
            error.show()
        return USAGE
    except IllegalPositionError as error:
        reasons = list(map(str, error.reasons))
        if not error.cannot_occur:
            _report(as_json, "IllegalPositionError", str(error))
        else:
            text = "\n  ".join(["this position cannot occur:", *reasons])
            _report(as_json, "IllegalPositionError", "this position cannot occur", text, reasons=reasons)
        return USAGE
    except (OutOfTimeError, ClusterLostError, MemoryError) as error:
        problem = str(error) if isinstance(error, TetrasolveError) else "out of memory"
        _report(as_json, type(error).__name__, problem)
        return UNKNOWN
    except TetrasolveError as error:
        _report(as_json, type(error).__name__, str(error))
        return USAGE
    except OSError as error:  # for example a full disk
        _report(as_json, "OSError", f"{path_shown(str(error.filename or 'output'))}: {error.strerror}")
        return USAGE
    except Exception as error:  # a bug: the user gets a sentence, and the traceback on request
        if os.environ.get("TETRASOLVE_DEBUG"):
            raise
        problem = f"internal error: {type(error).__name__}: {error}"
        report = "please report it; TETRASOLVE_DEBUG=1 shows where it happened"
        _report(as_json, "internal", problem, f"{problem}\n{report}")
        return UNKNOWN


def main() -> None:
    """Entry point of the console script."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name it cannot show is no reason to show nothing
    code = run()
    if threading.active_count() > 1:  # a call of a library that does not end by itself, see `interruptible`
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)
