"""The kinds of puzzles: rows of ``data/puzzles.toml``, and the questions that a position gives rise to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tetrasolve import strict
from tetrasolve.errors import PuzzleError, shown
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.objective import Goal, Objective
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.plan.task import require_words
from tetrasolve.tetrarchia.position import Phase, Position, next_emperor
from tetrasolve.tetrarchia.puzzle.lines import Line, line_of, read_actions
from tetrasolve.tetrarchia.puzzle.terms import aim_in_words

ALL = "all"
TURN, GARRISON, MISTAKE = "turn", "garrison", "mistake"  # forms that are asked about here


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of puzzles: the sentence of its questions in two languages, about what they are, and how their answers are found.

    `form` ``turn`` asks for the best plan for an `objective`; `targets` is ``armies``, ``borders`` (those without a garrison) or
    ``all`` (one question). The other forms are those of `tetrasolve.tetrarchia.puzzle.ranked`, some with a `measure`. `needs` is a
    module or variant, `least` the number of borders that must be secured; `near_roma`: an army is one advance from Roma.
    `all_turns`: there is no puzzle where fewer turns than the objective has do as well, see
    `tetrasolve.tetrarchia.puzzle.puzzle.solve`. `denominator`: an answer that is a fraction with a larger one makes no sharp
    puzzle. `by_name`: it takes long, so it is asked only where the kind is named.
    """

    name: str
    question: str
    question_es: str
    objective: str = ""
    targets: str = ALL
    needs: str | None = None
    least: int = 0
    near_roma: bool = False
    form: str = TURN
    measure: str = ""
    denominator: int = 0
    by_name: bool = False
    all_turns: bool = False

    def questions(self, position: Position) -> Iterator[Question]:
        """The questions of this kind in a position; a mistake is one of a turn that was played, see `question_about`.

        :raises HouseRuleError: when the position is played with house rules.
        """
        if self.obstacle(position):
            return
        match self.targets:
            case "armies":
                targets: list[str | None] = list(position.armies)
            case "borders":
                targets = [border for border in position.board.borders if not position.has_garrison(border)]
            case _:
                targets = [None]
        yield from (Question(self, target, position) for target in targets)

    def obstacle(self, position: Position) -> str:
        """Why a position gives rise to no question of this kind; empty where there are some.

        :raises HouseRuleError: when the position is played with house rules.
        """
        position.ruleset.require_standard_numbers()
        secured = sum(position.has_garrison(border) for border in position.board.borders)
        if self.needs is not None and self.needs not in position.ruleset.extensions:
            return f"it is about {self.needs}, which is not in play"
        if secured < self.least:
            return f"it needs {self.least} borders with garrisons, and {secured} have one"
        if self.near_roma and not _is_near_roma(position):
            return "it needs an army one advance from Roma"
        if self.targets == "armies" and not position.armies:
            return "it needs an army on the board"
        if self.targets == "borders" and secured == len(position.board.borders):
            return "every border has a garrison"
        return "" if self.form == TURN else _obstacle(self.form, position)

    def question_about(self, position: Position, target: object) -> Question | None:
        """The question with this target in a position; None: the position gives rise to none.

        :raises TetrasolveError: when the target of a mistake is no turn that was played from this position.
        """
        if self.form == MISTAKE:
            return self._mistake(position, target)
        return next((q for q in self.questions(position) if q.target == target), None)

    def _mistake(self, position: Position, target: object) -> Question | None:
        """The question for the mistake in a turn; none with Imperium, where Galerius pays after the dice."""
        position.ruleset.require_standard_numbers()
        if not isinstance(target, str) or "imperium" in position.ruleset.extensions:
            return None
        question = Question(self, target, position)
        aim = question.objective
        require_words(position, aim)
        if str(aim.terms[0]) != target.partition(": ")[0] or not isinstance(aim.terms[0], Goal):
            raise PuzzleError(f"{shown(target)}: expected one goal, a colon and the actions of a turn")
        assert question.line.steps, "a text has at least one action"
        return question


def _is_near_roma(position: Position) -> bool:
    """Whether the arrow of a province with an army leads to Roma."""
    board = position.board
    return any(board[army].arrow == board.roma for army in position.armies)


def _obstacle(form: str, position: Position) -> str:
    """Why no Barbarian phase can follow at once, or no garrison is left for it; empty where that can be."""
    if form == MISTAKE:
        return "it is about a turn that was played"
    if position.is_won:
        return "the game is won"
    if position.phase is Phase.ROMAN and not rules.may_end(position):
        return "the turn may not end here"
    if form == GARRISON and not position.reserve_garrisons(position.to_move):
        return f"{emperors(position.board)[position.to_move]} has no garrison in reserve"
    return ""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked in a position: `target` is a province, or (a mistake) an aim and the actions of a turn, as text."""

    kind: Kind
    target: str | None
    position: Position

    @property
    def objective(self) -> Objective:
        """The objective of the answer, with the IP as the last term; of a mistake, the aim.

        :raises ObjectiveError: when the kind has none, or the aim cannot be read.
        """
        if self.kind.form == MISTAKE:
            return read_objective(self._parts[0], self.position.board)
        borders = ", ".join(sorted(self.position.board.borders))
        text = self.kind.objective.format(target=self.target, borders=borders)
        return read_objective(text, self.position.board)

    @property
    def line(self) -> Line:
        """The turn in which the mistake is.

        :raises UnreadableActionError: when an action cannot be read or is not complete.
        :raises IllegalActionError: when an action is illegal.
        """
        return line_of(self.position, read_actions(self._parts[1], self.position.board))

    @property
    def _parts(self) -> tuple[str, str]:
        aim, _, actions = (self.target or "").partition(": ")
        return aim, actions

    def said(self, language: str = "en") -> str:
        """The question as a sentence, ``en`` or ``es``; provinces have the names of the board, actions are in notation."""
        board, sentence = self.position.board, self.kind.question_es if language == "es" else self.kind.question
        names = emperors(board, language)
        after = next_emperor(self.position)
        third = next_emperor(self.position.replace(to_move=after))
        emperor = names[self.position.to_move]
        if self.kind.form == MISTAKE:
            aim, played = self._parts
            if language == "es":  # the English sentence is that of the collections
                aim = aim_in_words(aim, board, language)
            return sentence.format(emperor=emperor, aim=aim, played=played)
        target = None if self.target is None else board[self.target].name
        return sentence.format(target=target, emperor=emperor, next=names[after], third=names[third])

    def __str__(self) -> str:
        return self.said()


@cache
def kinds() -> dict[str, Kind]:
    """All kinds by name.

    >>> [name for name, row in kinds().items() if row.form == TURN]
    ['win', 'secure', 'kill', 'pirates', 'uprising', 'roma', 'two-secure', 'two-kill', 'two-win', 'three-win']
    """
    return {row["name"]: Kind(**row) for row in _data()["kind"]}


@cache
def _data() -> Mapping[str, Any]:
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/puzzles.toml").read_text("utf-8")
    return strict.read_toml(text)


def emperors(board: Board, language: str = "en") -> dict[str, str]:
    """The names of the Emperors by id, ``en`` or ``es``.

    >>> emperors(Board.standard(), "es")["maximian"]
    'Maximiano'
    """
    names = {emperor.id: emperor.name for emperor in board.emperors}
    spanish: dict[str, str] = _data()["emperors_es"] if language == "es" else {}
    return names | spanish


def kind(name: str) -> Kind:
    """The kind with this name.

    :raises PuzzleError: when there is none.
    """
    if name not in kinds():
        raise PuzzleError(f"kind {shown(name)}: expected one of {', '.join(kinds())}")
    return kinds()[name]


def questions(position: Position, names: tuple[str, ...] = ()) -> Iterator[Question]:
    """All questions that a position gives rise to, of the named kinds or (none named) of all but those asked `by_name` only.

    :raises PuzzleError: when a name is of no kind.
    :raises HouseRuleError: when the position is played with house rules.
    """
    for name in names or tuple(name for name, row in kinds().items() if not row.by_name):
        yield from kind(name).questions(position)
