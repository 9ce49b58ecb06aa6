"""Explicit chance: a random step is a `Roll`, which has the result of each face of the dice.

The exact distribution, a sampled game, dice typed in by a player and the replay of a record use the same rolls and differ
only in the source of the faces.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from typing import Generic, Protocol, TypeVar

from tetrasolve.exact import Distribution
from tetrasolve.tetrarchia.numbers import BLOCKED, DIE

S = TypeVar("S")

FACES = range(1, DIE + 1)


@dataclass(frozen=True, slots=True)
class Roll(Generic[S]):
    """A roll of dice: the question that each die answers, and the result of each face.

    `results` has 6 equally likely entries for one die, 36 for two (in blocks of six for the first die).
    """

    questions: tuple[str, ...]
    results: tuple[S, ...]

    @property
    def faces(self) -> tuple[tuple[int, ...], ...]:
        """The faces that lead to each entry of `results`."""
        return faces_of(len(self.questions))

    def result(self, faces: Iterable[int]) -> S:
        """The result of these faces, each 1 to 6."""
        index = 0
        for face in faces:
            index = index * DIE + face - 1
        return self.results[index]

    def distribution(self) -> Distribution[S]:
        """The results with their exact chances."""
        return Distribution.uniform(self.results)


@lru_cache(maxsize=16)
def faces_of(dice: int) -> tuple[tuple[int, ...], ...]:
    """The faces of this number of dice, in the order of `Roll.results`."""
    return tuple(product(FACES, repeat=dice))


class Dice(Protocol):
    """A source of faces."""

    def roll(self, question: str) -> int:
        """A face from 1 to 6; `question` names its meaning."""
        ...


class RandomDice:
    """Fair dice from a seed; `rolled` keeps every face."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)
        self.rolled: list[int] = []

    def roll(self, question: str) -> int:
        """A face from 1 to 6."""
        del question  # the same for every question
        face = self._random.randint(1, DIE)
        self.rolled.append(face)
        return face


class GivenDice:
    """Given faces.

    :raises LookupError: when more faces are needed.
    """

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = list(faces)
        self._used = 0

    def roll(self, question: str) -> int:
        """The next face."""
        if self._used == len(self._faces):
            raise LookupError(f"no die is left for: {question}")
        self._used += 1
        return self._faces[self._used - 1]

    @property
    def left(self) -> int:
        """The number of unused faces."""
        return len(self._faces) - self._used


def throw(roll: Roll[S], dice: Dice) -> S:
    """The result of a roll with these dice."""
    return roll.result([dice.roll(question) for question in roll.questions])


# Rule p09-check, p09-check-again
def check(what: str, blocked: S, linked: S, bonus: int = 0, highest: int = BLOCKED) -> Roll[S]:
    """The check of a broken link: 1 to 3 blocked, 4 to 6 linked (rulebook page 9); `bonus` raises the die.

    `highest`: the highest face that blocks.
    """
    return Roll((f"check {what}",), tuple(linked if passes(face, bonus, highest) else blocked for face in FACES))


def passes(face: int, bonus: int = 0, highest: int = BLOCKED) -> bool:
    """Whether this face of a check passes."""
    return face + bonus > highest
