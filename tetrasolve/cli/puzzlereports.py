"""What `puzzle shrink` and `puzzle alike` say of a file, alike in all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import click

from tetrasolve.cli.common import echo_json, write_file
from tetrasolve.errors import IllegalPositionError, OutOfTimeError, PuzzleError, TooLargeError
from tetrasolve.puzzles.construction import Shrunk

FOUND, UNKNOWN = 1, 3
APART = 8  # steps: two pieces more, or several that stand next to where they stood
NOT_ALL = "not all pieces were tried"


class Answered(Protocol):
    """What a search for the answers of a question found."""

    @property
    def is_unique(self) -> bool:
        """Whether there is one answer."""
        ...

    @property
    def sentence(self) -> str:
        """The verdict as a sentence."""
        ...


class Entry(Protocol):
    """A puzzle of a file."""

    @property
    def source(self) -> str:
        """Where it comes from."""
        ...

    def line(self) -> str:
        """The puzzle as a line, as the file has it."""
        ...


S = TypeVar("S", bound=Answered)
E = TypeVar("E", bound=Entry)
P = TypeVar("P")  # a puzzle


@dataclass(frozen=True)
class Shrinking:
    """A puzzle of a file after pieces have gone: which, and its line; `trouble` says why more of them might go, None: none can."""

    number: int
    removed: tuple[str, ...]
    line: str
    trouble: str | None


def unique(found: S) -> S:
    """What was found, if it is one answer.

    :raises PuzzleError: when it is not.
    """
    if not found.is_unique:
        raise PuzzleError(f"this is no puzzle: {found.sentence}")
    return found


def shrink_each(
    entries: Iterable[E], shrink: Callable[[E], Shrunk[P]], line_of: Callable[[P, str], str] | None
) -> list[Shrinking]:
    """Shrink each puzzle of a file. `line_of` is the line of one with a new source; None: nobody asks for lines."""
    shrunk = list[Shrinking]()
    for number, entry in enumerate(entries, start=1):
        try:
            done = shrink(entry)
        except (IllegalPositionError, OutOfTimeError, PuzzleError, TooLargeError) as error:
            shrunk.append(Shrinking(number, (), entry.line(), str(error)))  # as the file has it
            continue
        line = entry.line()
        if line_of is not None and done.removed:
            line = line_of(done.puzzle, f"{entry.source}, shrunk")
        shrunk.append(Shrinking(number, done.removed, line, None if done.is_complete else NOT_ALL))
    return shrunk


def echo_shrunk(shrunk: Sequence[Shrinking], out: str | None, none_can: str, *, as_json: bool) -> int:
    """Write what has gone from each puzzle, and with `out` the puzzles to this file. The exit code."""
    if out is not None:
        write_file(out, "".join(f"{one.line}\n" for one in shrunk))
    if as_json:
        echo_json([_row(one) for one in shrunk])
    else:
        for one in shrunk:
            parts = [", ".join(one.removed), one.trouble or ("" if one.removed else none_can)]
            click.echo(f"{one.number}: {'; '.join(part for part in parts if part)}")
    if any(one.trouble for one in shrunk):
        return UNKNOWN
    return FOUND if any(one.removed for one in shrunk) else 0


def _row(one: Shrinking) -> dict[str, object]:
    row = {"number": one.number, "removed": list(one.removed), "complete": one.trouble is None}
    return row if one.trouble in (None, NOT_ALL) else {**row, "reason": one.trouble}


def echo_alike(pairs: Iterable[tuple[int, int, int]], *, as_json: bool) -> int:
    """Write the pairs of puzzles and how far they are apart; those before the time ran out are kept. The exit code."""
    found, is_over = list[tuple[int, int, int]](), False
    try:
        for pair in pairs:
            found.append(pair)
    except OutOfTimeError as error:
        is_over = True
        click.echo(str(error), err=True)
    if as_json:
        echo_json([{"puzzles": [one, other], "distance": steps} for one, other, steps in found])
    else:
        for one, other, steps in found:
            click.echo(f"{one} and {other}: {steps} steps apart")
    return FOUND if found else UNKNOWN if is_over else 0
