"""Choices: decisions of players in the Barbarian phase, in variants that allow them (rulebook pages 14 to 16).

A choice is a step like a roll: it has options, and the step after each. Answers come from a player, a record, or a *policy*, a
rule that answers every choice. With a policy a phase has one exact distribution; `tetrasolve.tetrarchia.rules.optimum` finds
the best one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from tetrasolve.errors import shown
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.step import Choice, Naming, Rerolled, Rolling, Settled, Step

NO = "no"  # the name of the first option of every choice
REROLL = "reroll"
FACES = ("1", "2", "3", "4", "5", "6")
LISTED = 8  # options named in an error
BARBARIAN = "barbarian"  # the decider, if it is not an Emperor

Decide: TypeAlias = Callable[[Choice], int]  # the number of an option, counted from 0


def decline(choice: Choice) -> int:
    """The policy that always answers no: the phase without decisions."""
    del choice
    return 0


def eager(choice: Choice) -> int:
    """The policy that uses each option as soon as it helps, by a fixed rule for each kind of choice."""
    return choice.eager()


POLICIES: Mapping[str, Decide] = {"decline": decline, "eager": eager}


def read_course(text: str) -> tuple[int | str, ...]:
    """Dice and answers of a Barbarian phase, as records write them; what is neither is an answer that no choice has.

    >>> read_course("5 6 reroll 3 5")
    (5, 6, 'reroll', 3, 5)
    """
    return tuple(int(word) if word in FACES else word for word in text.split())


class GivenCourse:
    """Given faces and answers, in order.

    :raises LookupError: when the next one does not fit.
    """

    def __init__(self, course: Iterable[int | str]) -> None:
        self._course = list(course)
        self._used = 0

    def roll(self, question: str) -> int:
        """The next face."""
        face = self._next(f"no die is left for: {question}")
        if isinstance(face, str):
            raise LookupError(f"{shown(face)} is no face of a die, expected 1 to 6 for: {question}")  # noqa: TRY004
        return face

    def decide(self, choice: Choice) -> int:
        """The next answer, as the number of an option."""
        expected = f"expected {_listed(choice.options)}"
        answer = self._next(f"no answer is left for: {choice.question} {expected}")
        if answer not in choice.options:
            raise LookupError(f"{shown(str(answer))} is no answer to: {choice.question} {expected}")
        return choice.options.index(str(answer))

    def _next(self, problem: str) -> int | str:
        if self._used == len(self._course):
            raise LookupError(problem)
        self._used += 1
        return self._course[self._used - 1]

    @property
    def left(self) -> tuple[int | str, ...]:
        """The unused faces and answers."""
        return tuple(self._course[self._used :])


def _listed(options: tuple[str, ...]) -> str:
    listed = ", ".join(options[:LISTED])
    return listed if len(options) <= LISTED else f"{listed} or {len(options) - LISTED} more"


def answered(choice: Choice, decide: Decide) -> Step:
    """The step after a choice.

    :raises ValueError: when there is no option with this number.
    """
    options, number = choice.options, decide(choice)
    if not 0 <= number < len(options):
        raise ValueError(f"{choice.question}: {number} is no option, expected 0 to {len(options) - 1}")
    return choice.after(options[number])


def settled(step: Step, decide: Decide) -> Settled:
    """The next roll or the end of the phase, after all choices before it."""
    while isinstance(step, Choice):
        step = answered(step, decide)
    return step


# Rule p15-barbaria-reroll
@dataclass(frozen=True, slots=True)
class Reroll(Choice):
    """The choice to roll the dice of a step again; otherwise `result` follows.

    `pay` pays the price, `is_poor` says for which faces the policy `eager` rolls again. `repeated` is the roll that is made again,
    where it is another one.
    """

    rolled: Rolling
    faces: tuple[int, ...]
    result: Step
    pay: Callable[[Position], Position]
    is_poor: Callable[[Rolling, tuple[int, ...]], bool]
    repeated: Rolling | None = None

    @property
    def position(self) -> Position:
        """The position when the dice were rolled."""
        return self.rolled.position

    @property
    def decider(self) -> str:
        """The Barbarian player."""
        return BARBARIAN

    @property
    def question(self) -> str:
        """The roll, its faces and the province that they name."""
        dice = ", ".join(self.rolled.roll().questions)
        place = f" ({self.rolled.named(self.faces)})" if isinstance(self.rolled, Naming) else ""
        return f"{dice}: {'-'.join(map(str, self.faces))}{place}; roll again?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no`` and ``reroll``."""
        return NO, REROLL

    def after(self, option: str) -> Step:
        """The result of the faces, or the roll again."""
        return self.again if option == REROLL else self.result

    @property
    def again(self) -> Rolling:
        """The same roll after the price is paid; its result stands, or can be rolled again, too [I-REROLL]."""
        rolled = cast(Rolling, replace(cast(Any, self.repeated or self.rolled), position=self.pay(self.position)))
        return rolled if self.position.ruleset.readings["I-REROLL"] == "again" else Rerolled(rolled)

    def eager(self) -> int:
        """Roll again where the faces do nothing for the Barbarians."""
        return int(self.is_poor(self.rolled, self.faces))
