"""What `puzzle ask` says of a question, alike in all games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import click

from tetrasolve.cli.common import echo_json
from tetrasolve.puzzles.ranked import Verdict


class Solution(Protocol):
    """What a search found: its verdict, the verdict as a sentence, and all it has to say, as text."""

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        ...

    @property
    def sentence(self) -> str:
        """The verdict as a sentence."""
        ...


@dataclass(frozen=True)
class Made:
    """A question that is a puzzle: its data, its grade in words, and what the checker says of its certificate."""

    data: Mapping[str, Any]
    grade: str
    proof: str


def echo_asked(text: str, found: Solution, second: object, made: Made | None, *, as_json: bool) -> int:
    """Write what became of a question; `second` is its second answer. The exit code: 1 where it is no puzzle."""
    if as_json:
        other = str(second) if found.verdict is Verdict.TWO_ANSWERS else None
        said = {"question": text, "verdict": found.verdict, "reason": found.sentence, "second_answer": other}
        proof, data = (None, None) if made is None else (made.proof or None, made.data)
        echo_json(said | {"certificate": proof, "puzzle": data})
    else:
        click.echo(text)
        click.echo(str(found))
        if made is not None:
            click.echo(f"grade: {made.grade}")
            click.echo(f"certificate: {made.proof}")
    return 1 if made is None else 0
