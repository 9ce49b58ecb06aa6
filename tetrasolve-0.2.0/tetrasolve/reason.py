"""A reason why a position cannot occur, for every game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is wrong: `code` for programs, `where` the place, `text` for people, `rule` the rule it breaks."""

    code: str
    where: str
    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text} ({self.rule})"
