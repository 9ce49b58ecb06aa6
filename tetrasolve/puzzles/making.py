"""Making puzzles, as far as it is alike in all games: what is counted, and going on after the last puzzle of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from tetrasolve.errors import PuzzleError
from tetrasolve.puzzles.ranked import Verdict

T = TypeVar("T")


@dataclass
class QuestionCounts:
    """How many questions were asked, what their verdicts were, and how many were not answered in time."""

    asked: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    blunt: int = 0  # one answer, but others are worse in a lesser aim only, or it is no small fraction
    alike: int = 0  # sharp, but too near one that was kept
    too_long: int = 0
    say: Callable[[], None] = field(
        default=lambda: None, compare=False, repr=False
    )  # called after each question is counted

    def __str__(self) -> str:
        parts = [f"{number} {verdict}" for verdict, number in sorted(self.verdicts.items())]
        parts += [f"{self.blunt} of these not sharp"] if self.blunt else []
        parts += [f"{self.alike} too near another puzzle"] if self.alike else []
        parts += [f"{self.too_long} not answered in time"] if self.too_long else []
        return f"{self.asked} questions: {', '.join(parts) or 'none answered'}"


def following(
    items: Iterable[T], last: Hashable, identity: Callable[[T], Hashable], source: str, is_over: Callable[[], bool]
) -> Iterator[T]:
    """The items after the one whose identity is `last`: what is asked after the last puzzle of a file.

    It ends early when `is_over` says so.

    >>> list(following("abcd", "B", str.upper, "here", lambda: False))
    ['c', 'd']

    :raises PuzzleError: when no item is the last one; `source` says where that is from.
    """
    has_come = False
    for item in items:
        if has_come:
            yield item
        elif is_over():
            return
        else:
            has_come = identity(item) == last
    if not has_come:
        raise PuzzleError(f"the last puzzle, from {source}, is not of these games: expected those that it was made of")
