"""Sessions at the command line as Markdown: read, run again, compared, and written again.

A session is a fenced block in the language ``console``: a line with ``$`` and a command, then what it prints (both streams, as
a terminal shows them) and ``[exit N]`` where the exit code is not 0. Commands are `tetrasolve`, run in this process, and as
much of a shell as sessions need: the scripts in examples/, ``cat``, ``head``, ``|``, ``<``, ``>`` and ``<<'END'``.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tetrasolve.cli.main import run

FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HERE = re.compile(r"<<'(\w+)'$")
TOOLS = ("tetrasolve", "cat", "head")
OUR_SCRIPTS = "examples/"

# What differs from run to run, or with every change of the kernel: (command, what it prints, what stands for it)
VARYING = (
    (re.compile(r"tetrasolve (plan|campaign|hint) .*--json"), re.compile(r'"seconds": [0-9.e-]+'), '"seconds": 0.0'),
    (re.compile(r"tetrasolve analyse"), re.compile(r'"seconds":[0-9.e-]+'), '"seconds":0.0'),
    (
        re.compile(r"tetrasolve plan .*--engine (cpsat|z3|judge)"),
        re.compile(r"(?:[a-z0-9]+ [0-9.]+, )+[0-9,]+ nodes"),
        "solver N, N nodes",
    ),
    (re.compile(r"tetrasolve bench"), re.compile(r"[0-9][0-9,]*"), "N"),
)


@dataclass(frozen=True)
class Step:
    """One command of a session with the lines typed into it, and what is written below it."""

    command: str
    typed: str
    shown: str

    @property
    def is_ours(self) -> bool:
        """Whether the tools here can run it."""
        return all(
            words[0] in TOOLS or (words[0] == "python" and words[1].startswith(OUR_SCRIPTS))
            for words in _pipeline(self.command)
        )

    def __str__(self) -> str:
        end = HERE.search(self.command)
        return f"$ {self.command}\n{self.typed}{end[1] + chr(10) if end else ''}{self.shown}"


def sessions(text: str) -> Iterator[tuple[re.Match[str], list[Step]]]:
    """The blocks of a page with their steps."""
    for block in FENCE.finditer(text):
        yield block, list(_steps(block[1]))


def _steps(block: str) -> Iterator[Step]:
    lines = block.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        command, rest = lines[start][2:].strip(), lines[start + 1 : end]
        typed = 0
        if here := HERE.search(command):
            typed = rest.index(here[1] + "\n") + 1
        yield Step(command, "".join(rest[: max(0, typed - 1)]), "".join(rest[typed:]))


def rerun(step: Step) -> Step:
    """The same step with what it prints now, in the current folder."""
    screen, data, code = io.BytesIO(), step.typed.encode(), 0
    commands = _pipeline(HERE.sub("", step.command))
    for number, written in enumerate(commands, start=1):
        words, source, target = _redirected(written)
        if source is not None:
            data = Path(source).read_bytes()
        output = screen if number == len(commands) and target is None else io.BytesIO()
        code = _run(words, data, output, screen)
        data = output.getvalue()
        if target is not None:
            Path(target).write_bytes(data)
    shown = screen.getvalue().decode()
    if shown and not shown.endswith("\n"):
        shown += "\n"
    if code:
        shown += f"[exit {code}]\n"
    for command, varies, constant in VARYING:
        if command.match(step.command):
            shown = varies.sub(constant, shown)
    return Step(step.command, step.typed, shown)


def _pipeline(command: str) -> list[list[str]]:
    """The words of each command between pipes; ``<`` and ``>`` are words of their own."""
    lexer = shlex.shlex(HERE.sub("", command), posix=True, punctuation_chars="|<>")
    lexer.whitespace_split = True
    commands: list[list[str]] = [[]]
    for word in lexer:
        if word == "|":
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


def _redirected(words: list[str]) -> tuple[list[str], str | None, str | None]:
    plain, files = list(words), {"<": None, ">": None}
    for mark in files:
        if mark in plain:
            at = plain.index(mark)
            files[mark] = plain[at + 1]
            del plain[at : at + 2]
    return plain, files["<"], files[">"]


def _run(words: list[str], data: bytes, output: io.BytesIO, errors: io.BytesIO) -> int:
    match words:
        case ["tetrasolve", *arguments]:
            return call(arguments, data, output, errors)
        case ["python", *script]:
            result = subprocess.run([sys.executable, *script], input=data, capture_output=True, check=False)
            output.write(result.stdout)
            errors.write(result.stderr)
            return result.returncode
        case ["cat"]:
            output.write(data)
        case ["cat", name]:
            output.write(Path(name).read_bytes())
        case ["head", "-n", count]:
            output.write(b"".join(data.splitlines(keepends=True)[: int(count)]))
        case ["head", "-c", count]:
            output.write(data[: int(count)])
        case _:
            raise ValueError(f"no tool for {words}")
    return 0


def call(arguments: list[str], data: bytes, output: io.BytesIO, errors: io.BytesIO) -> int:
    """Run the program in this process on these arguments and this standard input, and give its exit code."""
    streams = [io.TextIOWrapper(stream, "utf-8", write_through=True) for stream in (io.BytesIO(data), output, errors)]
    kept = sys.stdin, sys.stdout, sys.stderr
    environment = dict(os.environ)
    os.environ.pop("TETRASOLVE_DEBUG", None)
    try:
        sys.stdin, sys.stdout, sys.stderr = streams
        return run(arguments)
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
        os.environ.update(environment)
        for stream in streams:
            with contextlib.suppress(ValueError):  # the same stream twice, where both go to one screen
                stream.detach()
