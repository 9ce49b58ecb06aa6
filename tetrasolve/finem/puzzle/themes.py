"""The themes of a puzzle: rows of ``data/themes.toml``, each with a rule that finds it in the answer.

The rules look at the answer that is printed, carried out by the reference rules. Where other plans lead to the same situation, a
theme that depends on the way is that of the printed one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import TypeAlias

from tetrasolve.finem import rules
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.finem.puzzle.kinds import CARD, CHANCE, DECISION, PLAN
from tetrasolve.finem.puzzle.solving import SEPARATOR, Ranked
from tetrasolve.finem.rules.actions import PASS
from tetrasolve.puzzles.themes import Theme, read_themes

FULL = 3  # cubes of one tribe in a region: one more is an outbreak
CLOSE = Fraction(1, 100)  # a smaller gap is a close call
MOVE, CONFRONT, KEEP = "move", "confront", "keep"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as rules see it: what it says, and the states before and after it (None: it is a chance)."""

    found: Ranked
    words: tuple[str, ...]
    before: Position
    after: State | None

    @property
    def form(self) -> str:
        """The form of the question."""
        return self.found.question.kind.form

    def falls(self, region: str) -> list[str]:
        """The tribes that have fewer cubes in a region after the answer."""
        if not isinstance(self.after, Position) or self.form not in (PLAN, DECISION):
            return []
        return [tribe for tribe in TRIBES if self.after.count(region, tribe) < self.before.count(region, tribe)]


Rule: TypeAlias = Callable[[Answer], bool]
_rules: dict[str, Rule] = {}


@cache
def themes() -> Mapping[str, Theme]:
    """All themes by name.

    >>> themes()["chain"].meaning["en"]
    'The card sets off more than one outbreak, and the game goes on.'
    """
    return read_themes(resources.files("tetrasolve.finem").joinpath("data/themes.toml").read_text("utf-8"))


def themes_of(found: Ranked) -> tuple[str, ...]:
    """The names of the themes of an answer, in the order of the data file."""
    before = found.question.position
    words = () if found.question.kind.form == CHANCE else tuple(found.answer.split(SEPARATOR))
    after: State | None = None if found.question.kind.form == CHANCE else before
    for word in words:
        if word != PASS and isinstance(after, Position):
            after = rules.take(after, word)
    answer = Answer(found, words, before, after)
    return tuple(name for name in themes() if _rules[name](answer))


def _rule(name: str) -> Callable[[Rule], Rule]:
    def keep(rule: Rule) -> Rule:
        _rules[name] = rule
        return rule

    return keep


def _verbs(answer: Answer, verb: str) -> list[str]:
    return [word for word in answer.words if word.split()[0] == verb] if answer.form == PLAN else []


@_rule("on-the-spot")
def _(answer: Answer) -> bool:
    return bool(_verbs(answer, CONFRONT)) and not _verbs(answer, MOVE)


@_rule("march")
def _(answer: Answer) -> bool:
    return len(_verbs(answer, MOVE)) > 1


@_rule("two-tribes")
def _(answer: Answer) -> bool:
    return len({word.split()[1] for word in _verbs(answer, CONFRONT)}) > 1


def _full(answer: Answer) -> list[tuple[str, str]]:
    """The regions with three cubes of a tribe before the answer."""
    return [(region, tribe) for region in REGIONS for tribe in TRIBES if answer.before.count(region, tribe) >= FULL]


@_rule("full-region")
def _(answer: Answer) -> bool:
    return any(tribe in answer.falls(region) for region, tribe in _full(answer))


@_rule("left-alone")
def _(answer: Answer) -> bool:
    is_elsewhere = any(answer.falls(region) for region in REGIONS)
    return is_elsewhere and any(tribe not in answer.falls(region) for region, tribe in _full(answer))


@_rule("cleared")
def _(answer: Answer) -> bool:
    after = answer.after
    return isinstance(after, Position) and any(
        answer.falls(region) and region not in after.occupied for region in REGIONS
    )


@_rule("pacified")
def _(answer: Answer) -> bool:
    if answer.form != PLAN:
        return False
    if isinstance(answer.after, Position):
        return len(answer.after.pacified) > len(answer.before.pacified)
    return answer.after is not None and answer.after.is_won


@_rule("kept")
def _(answer: Answer) -> bool:
    return answer.words == (KEEP,)


@_rule("at-once")
def _(answer: Answer) -> bool:
    return answer.form == CARD and isinstance(answer.after, Result) and not answer.after.is_won


@_rule("chain")
def _(answer: Answer) -> bool:
    after = answer.after
    return answer.form == CARD and isinstance(after, Position) and after.outbreaks - answer.before.outbreaks > 1


@_rule("last-card")
def _(answer: Answer) -> bool:
    return answer.before.step is Step.INVADE and answer.before.left == 1


@_rule("close-call")
def _(answer: Answer) -> bool:
    gap = answer.found.gap
    return gap is not None and gap < CLOSE
