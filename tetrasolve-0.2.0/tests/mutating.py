"""One thing changed in a text of several lines, at random: what a checker must not take for the text."""

from __future__ import annotations

from random import Random

Lines = list[str]


def drop(lines: Lines, random: Random) -> Lines:
    row = random.randrange(len(lines))
    return lines[:row] + lines[row + 1 :]


def double(lines: Lines, random: Random) -> Lines:
    row = random.randrange(len(lines))
    return lines[: row + 1] + lines[row:]


def swap(lines: Lines, random: Random) -> Lines:
    row = random.randrange(len(lines) - 1)
    return [*lines[:row], lines[row + 1], lines[row], *lines[row + 2 :]]
