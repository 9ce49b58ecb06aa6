"""The kinds of puzzles: rows of ``data/puzzles.toml``, and the questions that a position gives rise to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tetrasolve import strict
from tetrasolve.errors import PuzzleError, shown
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import Phase, Position
from tetrasolve.finem.rules import node
from tetrasolve.finem.text import NAMES

PLAN, DECISION, CHANCE, CARD = "plan", "decision", "chance", "card"
EACH_TRIBE = "tribes"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of puzzles: the sentence of its questions in two languages, where they are asked, and how their answers are found.

    The fields are those of ``data/puzzles.toml``, which describes them.
    """

    name: str
    form: str
    question: str
    question_es: str
    objective: str = ""
    step: str = ""
    targets: str = ""
    denominator: int = 0
    pacified: int = 0

    def said(self, language: str = "en", tribe: str = "...") -> str:
        """The question as a sentence, ``en`` or ``es``; `tribe` is what it asks about, where it asks about one."""
        return (self.question_es if language == "es" else self.question).format(tribe=tribe)

    def questions(self, position: Position) -> Iterator[Question]:
        """The questions of this kind in a position."""
        if self.obstacle(position):
            return
        if self.targets == EACH_TRIBE:
            yield from (Question(self, tribe, position) for tribe in TRIBES if tribe not in position.pacified)
        else:
            yield Question(self, None, position)

    def obstacle(self, position: Position) -> str:
        """Why a position gives rise to no question of this kind; empty where it does."""
        if len(position.pacified) < self.pacified:
            return f"at least {self.pacified} tribes have to be pacified"
        if self.form == PLAN:
            if position.phase is not Phase.ACTIONS:
                return f"it is asked in the phase of actions, and this is the step {position.step}"
            return "a Dictator's plan is no list of actions" if position.role == "dictator" else ""
        if position.step != self.step:
            return f"it is asked at the step {self.step}, and this is the step {position.step}"
        if self.form == DECISION and len(node(position).options) < 2:
            return "there is one option"
        return ""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked in a position; `target` is a tribe where the kind asks about one."""

    kind: Kind
    target: str | None
    position: Position

    @property
    def objective(self) -> str:
        """The objective of the answer, as `tetrasolve.finem.evaluation` reads it."""
        return self.kind.objective.format(target=self.target)

    def said(self, language: str = "en") -> str:
        """The question as a sentence, ``en`` or ``es``."""
        return self.kind.said(language, NAMES[self.target]) if self.target else self.kind.said(language)

    def __str__(self) -> str:
        return self.said()


@cache
def kinds() -> dict[str, Kind]:
    """All kinds by name.

    >>> [name for name, row in kinds().items() if row.form == PLAN]
    ['survive', 'win', 'calm']
    """
    text = resources.files("tetrasolve.finem").joinpath("data/puzzles.toml").read_text("utf-8")
    return {row["name"]: Kind(**row) for row in strict.read_toml(text)["kind"]}


def kind(name: str) -> Kind:
    """The kind with this name.

    :raises PuzzleError: when there is none.
    """
    if name not in kinds():
        raise PuzzleError(f"kind {shown(name)}: expected one of {', '.join(kinds())}")
    return kinds()[name]


def question_about(name: str, target: object, position: Position) -> Question:
    """The question of a kind with this target in a position.

    :raises PuzzleError: when there is no such kind, or the position gives rise to no such question.
    """
    for question in kind(name).questions(position):
        if question.target == target:
            return question
    reason = kind(name).obstacle(position)
    asked = "" if target is None or reason else f", target {shown(target)}"
    raise PuzzleError(f"kind {name}{asked}: the position gives rise to no such question{reason and f': {reason}'}")


def questions(position: Position, names: tuple[str, ...] = ()) -> Iterator[Question]:
    """All questions that a position gives rise to, of the named kinds or (none named) of all.

    :raises PuzzleError: when a name is of no kind.
    """
    for name in names or tuple(kinds()):
        yield from kind(name).questions(position)
