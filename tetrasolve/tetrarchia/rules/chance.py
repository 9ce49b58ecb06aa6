"""Chance made explicit: a random step is a `Roll`, which knows what follows each face of the dice.

The exact distribution, a sampled game, dice typed in at the table and the replay of a record all walk through the same
rolls: they differ only in where the faces come from.
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
    """Dice about to be rolled: what each die decides, and what follows each face.

    `results` has 6 entries for one die, 36 for two (the first die's faces in blocks of six): equally likely all.
    """

    questions: tuple[str, ...]
    results: tuple[S, ...]

    @property
    def faces(self) -> tuple[tuple[int, ...], ...]:
        """The faces that lead to each entry of `results`."""
        return faces_of(len(self.questions))

    def result(self, faces: Iterable[int]) -> S:
        """What follows these faces, each 1 to 6."""
        index = 0
        for face in faces:
            index = index * DIE + face - 1
        return self.results[index]

    def distribution(self) -> Distribution[S]:
        """What follows, with its exact chances."""
        return Distribution.uniform(self.results)


@lru_cache(maxsize=16)
def faces_of(dice: int) -> tuple[tuple[int, ...], ...]:
    """What so many dice can show, in the order of `Roll.results`."""
    return tuple(product(FACES, repeat=dice))


class Dice(Protocol):
    """Where faces come from."""

    def roll(self, question: str) -> int:
        """A face from 1 to 6; `question` says what it decides."""
        ...


class RandomDice:
    """Fair dice from a seed; `rolled` keeps every face."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)
        self.rolled: list[int] = []

    def roll(self, question: str) -> int:
        """A face from 1 to 6."""
        del question  # a die does not care
        face = self._random.randint(1, DIE)
        self.rolled.append(face)
        return face


class GivenDice:
    """Faces that were written down.

    :raises LookupError: when more are asked for than there are.
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
        """How many faces have not been used."""
        return len(self._faces) - self._used


def throw(roll: Roll[S], dice: Dice) -> S:
    """What follows a roll of these dice."""
    return roll.result([dice.roll(question) for question in roll.questions])


# Rule p09-check, p09-check-again
def check(what: str, blocked: S, linked: S, bonus: int = 0) -> Roll[S]:
    """The check of a broken link: 1 to 3 blocked, 4 to 6 linked (rulebook page 9); `bonus` raises the die."""
    return Roll((f"check {what}",), tuple(linked if passes(face, bonus) else blocked for face in FACES))


def passes(face: int, bonus: int = 0) -> bool:
    """Whether this face of a check lets through."""
    return face + bonus > BLOCKED
