"""The kinds of puzzles: rows of ``data/puzzles.toml``, and the questions that a position gives rise to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tetrasolve import strict
from tetrasolve.errors import PuzzleError, shown
from tetrasolve.tetrarchia.plan.objective import Objective
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.position import Position

ALL = "all"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of puzzles: the objective and the sentence of its questions, and about what they are.

    `targets` is ``armies``, ``borders`` (those without a garrison) or ``all`` (one question). `needs` is a module or variant,
    `least` the number of borders that must be secured.
    """

    name: str
    objective: str
    targets: str
    question: str
    needs: str | None = None
    least: int = 0

    def questions(self, position: Position) -> Iterator[Question]:
        """The questions of this kind in a position."""
        secured = [border for border in position.board.borders if position.has_garrison(border)]
        if len(secured) < self.least or (self.needs is not None and self.needs not in position.ruleset.extensions):
            return
        match self.targets:
            case "armies":
                targets: list[str | None] = list(position.armies)
            case "borders":
                targets = [border for border in position.board.borders if border not in secured]
            case _:
                targets = [None]
        yield from (Question(self, target, position) for target in targets)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked in a position."""

    kind: Kind
    target: str | None  # a province
    position: Position

    @property
    def objective(self) -> Objective:
        """The objective of the answer, with the IP as the last term."""
        borders = ", ".join(sorted(self.position.board.borders))
        text = self.kind.objective.format(target=self.target, borders=borders)
        return read_objective(text, self.position.board)

    def __str__(self) -> str:
        board = self.position.board
        target = None if self.target is None else board[self.target].name
        emperor = next(emperor.name for emperor in board.emperors if emperor.id == self.position.to_move)
        return self.kind.question.format(target=target, emperor=emperor)


@cache
def kinds() -> dict[str, Kind]:
    """All kinds by name.

    >>> list(kinds())
    ['win', 'secure', 'kill', 'pirates', 'uprising']
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/puzzles.toml").read_text("utf-8")
    return {row["name"]: Kind(**row) for row in strict.read_toml(text)["kind"]}


def kind(name: str) -> Kind:
    """The kind with this name.

    :raises PuzzleError: when there is none.
    """
    if name not in kinds():
        raise PuzzleError(f"kind {shown(name)}: expected one of {', '.join(kinds())}")
    return kinds()[name]


def questions(position: Position, names: tuple[str, ...] = ()) -> Iterator[Question]:
    """All questions that a position gives rise to, of the named kinds or (none named) of all.

    :raises PuzzleError: when a name is of no kind.
    """
    for name in names or tuple(kinds()):
        yield from kind(name).questions(position)
