"""Verdicts on claims of consistency: proved, refuted with a trace, or unknown with what was searched. No game is named here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """What is known of a claim."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a claim, and how: by enumeration, by facts with certificates, or what was searched without a refutation.

    Where it is refuted, `trace` has the lines of a record, or a position, `then` what was done in it, and `how` what came of it.
    """

    claim: str
    text: str
    status: Status
    how: str
    facts: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()
    then: str = ""

    def lines(self) -> Iterator[str]:
        """The verdict as a command prints it."""
        yield f"{self.claim}, {self.status}: {self.text}"
        yield f"  {self.how}"
        if self.facts:
            yield f"  facts: {', '.join(self.facts)}"
        yield from (f"  | {line}" for line in self.trace)
        if self.then:
            yield f"  then {self.then}"


def exit_code(verdicts: Iterable[Verdict], *, is_over: bool) -> int:
    """The exit code of a command that checks claims: 1 where one is refuted, 3 where the time ran out, else 0."""
    if any(verdict.status is Status.REFUTED for verdict in verdicts):
        return 1
    return 3 if is_over else 0
