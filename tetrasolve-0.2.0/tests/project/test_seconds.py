"""Every question has a deadline: whatever computes takes `seconds` and `cancel`, or stands here with the reason why it need not."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import tetrasolve
from tetrasolve.cli.common import SECONDS
from tetrasolve.cli.main import program
from tetrasolve.games import game, names

# -- commands ----------------------------------------------------------------------------------------------------------

AT_ONCE = {  # commands without --seconds
    "analyse": "each request has its own `seconds`, and a limit of processor time",
    "board check": "looks at each row once",
    "board doubts": "reads the index",
    "board show": "reads a file",
    "board svg": "draws a picture",
    "facts list": "reads the index",
    "facts show": "reads the index",
    "lint open": "reads the findings",
    "lint asked": "reads the answers",
    "lint certify": "writes the claim alone",
    "lint record": "reads the records",
    "lint draw": "draws a small stored position; the slowest takes 5 s",
    "new": "rolls some dice",
    "play": "waits for its user, who ends it",
    "puzzle list": "reads a file, at most 10 MB, once",
    "puzzle themes": "lists rows of data",
    "puzzle kinds": "lists rows of data",
    "puzzle help": "reads the answer that the file states",
    "puzzle csv": "reads a file, at most 10 MB, once",
    "replay": "carries out the lines of a record, at most 10 MB, once",
    "rules": "reads tables",
    "scenario list": "lists rows of data",
    "scenario show": "shows a row of data",
    "scenario themes": "lists rows of data",
    "serve": "each request has its own `seconds`, and a limit of the service",
    "show": "looks at one position",
}


def leaves(command: click.Command, ctx: click.Context, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Each command that does something, with its full name."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    for word in command.list_commands(ctx):
        found = command.get_command(ctx, word)
        assert found is not None
        yield from leaves(found, ctx, f"{name} {word}".strip())


def all_commands() -> dict[str, click.Command]:
    found: dict[str, click.Command] = {}
    for shipped in names():
        ctx = click.Context(program, obj=game(shipped))
        found |= dict(leaves(program, ctx))
    return found


def test_every_command_takes_seconds() -> None:
    commands = all_commands()
    timed = {name for name, command in commands.items() if any(row.name == "seconds" for row in command.params)}
    assert {"plan", "risk", "hint", "facts prove", "facts check", "facts robust", "check", "bench"} <= timed
    assert set(commands) - timed == set(AT_ONCE), "give it --seconds, or the reason why it needs none"


def test_every_command_refuses_what_is_no_time() -> None:
    """One type for all commands: nan, negative and other text are wrong options, 0 and inf are times."""
    for name, command in sorted(all_commands().items()):
        for option in command.params:
            if option.name != "seconds":
                continue
            assert option.type is SECONDS, name
            for text in ("nan", "-1", "-inf", "soon", ""):
                with pytest.raises(click.BadParameter, match="expected a number of seconds, at least 0"):
                    option.type.convert(text, option, None)
            assert [option.type.convert(text, option, None) for text in ("0", "2.5")] == [0, 2.5]


# -- functions ---------------------------------------------------------------------------------------------------------

MOMENTS = {  # functions of the public API without `seconds`
    "build": "makes a builder", "example": "reads a line", "examples": "reads names", "facts": "reads the index",
    "legal_actions": "looks at one position", "new_game": "rolls some dice", "objection": "looks at one action",
    "parse": "looks at one position", "play": "carries out one action", "read_record": "carries out each line once",
    "write_record": "writes each line once",
}  # fmt: skip
LONG = {"progress", "executor", "workers", "checkpoint"}  # who takes one of these may compute for long
ENDS = {"seconds", "stop", "cancel", "watch", "timed", "runner", "until"}  # how it is ended
ENDED_OTHERWISE = {
    "cli/analyse.py: command": "the server ends at the end of its input, and by a signal",
    "cli/serve.py: command": "serves until it is ended; each request has its own time",
    "cli/workers.py: cluster_or": "reaches a cluster, which has its own time",
    "cli/workers.py: with_workers": "calls a command, which has --seconds",
    "exact/batches.py: run_to": "its caller gives `is_over`, and batches know their time",
    "exact/checkpoint.py: counted_stage": "reads what is there",
}


def test_every_public_function_takes_seconds() -> None:
    functions = {name: getattr(tetrasolve, name) for name in tetrasolve.__all__ if name.islower()}
    assert all(inspect.isfunction(function) for function in functions.values())
    timed = {
        name
        for name, function in functions.items()
        if {"seconds", "cancel"} <= set(inspect.signature(function).parameters)
    }
    assert set(functions) - timed == set(MOMENTS), "give it `seconds` and `cancel`, or the reason why it needs none"


def long_functions() -> Iterator[tuple[str, set[str]]]:
    """Functions of the library that may take long, by where they stand, with all their parameters."""
    package = Path(tetrasolve.__file__).parent
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            given = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
            if given & LONG:
                yield f"{path.relative_to(package).as_posix()}: {node.name}", given


def test_what_may_take_long_can_be_ended() -> None:
    """Functions that tell their progress, or hand work to others, take a flag or a time."""
    found = dict(long_functions())
    assert len(found) > 20
    missing = {name for name, given in found.items() if not given & ENDS}
    assert missing == set(ENDED_OTHERWISE), "give it `seconds` and `cancel`"


@pytest.mark.parametrize("name", ["seconds", "cancel"])
def test_seconds_and_cancel_go_together(name: str) -> None:
    """A public function with one of them has the other: a service needs both."""
    package = Path(tetrasolve.__file__).parent
    other = {"seconds": "cancel", "cancel": "seconds"}[name]
    alone = []
    for path in sorted(set(package.rglob("*.py")) - set(package.rglob("cli/*.py"))):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                given = {argument.arg for argument in node.args.kwonlyargs}
                if name in given and other not in given:
                    alone.append(f"{path.relative_to(package).as_posix()}: {node.name}")
    assert alone == []
