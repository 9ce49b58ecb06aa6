"""Questions whose answers each have an exact number, the best first: one answer, if no other has the number of the first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from tetrasolve.errors import PuzzleError, shown

Q = TypeVar("Q")
Option: TypeAlias = tuple[str, Fraction]  # what can be answered, and its number

SMALL = 216  # a denominator as of three dice, up to which a fraction is read at a glance

_NUMBER = re.compile(r"[0-9]{1,1000}(?:/[0-9]{1,1000}|\.[0-9]{1,1000})?")  # no exponent: its number could be very long


class Verdict(StrEnum):
    """What a search says about a question."""

    ONE_ANSWER = "one answer"  # everything that is another answer is worse
    TWO_ANSWERS = "two answers"  # two that are not the same answer are best
    NO_SOLUTION = "no solution"  # nothing reaches the goal with a chance above zero, or nothing keeps to the constraint
    TOO_MANY_TURNS = "too many turns"  # the goal is reached as well in fewer turns than are asked for
    DECIDED = "decided"  # there is nothing to find: the goal is met already, or all plans are the same answer


def verdict_of(options: Sequence[Option]) -> Verdict:
    """One answer if the first option is alone with its number; decided without a choice.

    >>> str(verdict_of([("a", Fraction(1, 2)), ("b", Fraction(1, 3))]))
    'one answer'
    """
    if len(options) < 2:
        return Verdict.DECIDED
    return Verdict.TWO_ANSWERS if options[0][1] == options[1][1] else Verdict.ONE_ANSWER


@dataclass(frozen=True, slots=True)
class Options(Generic[Q]):
    """The possible answers to a question with their numbers, the best first; of a fraction there is one.

    `numbers` says what the numbers are. `gap` is the difference of the first two, None where there is no second or they are equal.
    """

    question: Q
    numbers: str
    options: tuple[Option, ...]
    verdict: Verdict

    @property
    def is_unique(self) -> bool:
        """Whether there is one answer."""
        return self.verdict is Verdict.ONE_ANSWER

    @property
    def answer(self) -> str:
        """The first option; empty where there is none."""
        return self.options[0][0] if self.options else ""

    @property
    def other(self) -> str | None:
        """The second option."""
        return self.options[1][0] if len(self.options) > 1 else None

    @property
    def gap(self) -> Fraction | None:
        """How far the second option is from the first."""
        difference = abs(self.options[0][1] - self.options[1][1]) if len(self.options) > 1 else Fraction(0)
        return difference or None

    @property
    def sentence(self) -> str:
        """The verdict as a sentence."""
        match self.verdict:
            case Verdict.ONE_ANSWER if self.gap is None and self.answer == str(self.options[0][1]):
                return "one answer: the number is exact"
            case Verdict.ONE_ANSWER if self.gap is None:
                return "one answer: there is no other option"
            case Verdict.ONE_ANSWER:
                return f"one answer: the next option differs by {self.gap}"
            case Verdict.TWO_ANSWERS:
                return f"two answers: {self.answer} and {self.other}"
            case Verdict.NO_SOLUTION:
                return "no solution: no option changes anything"
        return "decided: there is nothing to find"

    def is_called(self, name: str, answer: str) -> bool:
        """Whether somebody who types `answer` means the option `name`, beside the name itself; a game says more."""
        del name, answer
        return False

    def number_of(self, answer: str) -> Fraction | None:
        """The number of an option as somebody types it; None: it is no option."""
        typed = answer.strip().casefold()
        for name, number in self.options:
            if typed == name.casefold() or self.is_called(name, answer):
                return number
        return None

    @property
    def is_number(self) -> bool:
        """Whether a number is asked for, and not one of several options."""
        return len(self.options) == 1 and self.options[0][0] == str(self.options[0][1])

    def is_right(self, answer: str) -> bool:
        """Whether this is the answer; without an option nothing is."""
        if not self.options:
            return False
        if self.is_number:
            return _number(answer) == self.options[0][1]
        return self.number_of(answer) == self.options[0][1]

    def could_be(self, answer: str) -> bool:
        """Whether a text that is no option can be meant as an answer all the same; a game says more."""
        del answer
        return False

    def require_answer(self, answer: str) -> None:
        """The text can be an answer, right or wrong.

        :raises PuzzleError: when it cannot; the text names what can be.
        """
        if self.is_number:
            if _number(answer) is None:
                raise PuzzleError(f"answer {shown(answer)}: expected a fraction like 5/12, or a number like 0.25")
        elif self.number_of(answer) is None and not self.could_be(answer):
            listed = ", ".join(sorted(name for name, _ in self.options))
            raise PuzzleError(f"answer {shown(answer)}: expected one of {listed or 'no answers: there are none'}")

    def __str__(self) -> str:
        lines = [self.sentence]
        if self.is_number:
            return "\n".join([*lines, f"answer: {with_decimals(self.options[0][1])}"])
        lines += [f"answer: {self.answer}"] if self.is_unique else []
        lines += [f"{self.numbers}:"] if self.options else []
        return "\n".join([*lines, *(f"  {name}: {with_decimals(number)}" for name, number in self.options)])


def with_decimals(number: Fraction) -> str:
    """A fraction, followed by its decimals where its denominator is large.

    >>> with_decimals(Fraction(5, 12)), with_decimals(Fraction(100, 2187))
    ('5/12', '100/2187 (about 0.0457247)')
    """
    return str(number) if number.denominator <= SMALL else f"{number} (about {float(number):.6g})"


def _number(text: str) -> Fraction | None:
    """The number that somebody types; None: it is none."""
    typed = text.strip()
    if not _NUMBER.fullmatch(typed) or (typed.partition("/")[2] or "1").strip("0") == "":
        return None
    return Fraction(typed)
