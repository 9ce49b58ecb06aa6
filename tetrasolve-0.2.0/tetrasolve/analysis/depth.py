"""How deep an answer is: what decides which of two answers to the same question a service keeps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Depth:
    """The depth of an answer.

    One `is_final` is exact or proved: more time gives the same. The others are opinions: of two the deeper one has more `whole`
    parts, or as many and more `work`, a count of what was examined.
    """

    is_final: bool = False
    whole: int = 0
    work: int = 0


FINAL = Depth(is_final=True)
