"""A reason why a position cannot occur."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tetrasolve.tetrarchia.position import Position


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is wrong: `code` for programs, `where` the place, `text` for people, `rule` the rule it breaks."""

    code: str
    where: str
    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text} ({self.rule})"


Check = Callable[[Position], Iterator[Reason]]
