"""The recipe of the shipped collection: ``data/collection.toml``, and the puzzles of each of its games.

A game depends on the recipe and its number alone, so any number of processes makes the same collection.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib import resources
from random import Random
from typing import Any, TypedDict

from tetrasolve import strict
from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.errors import PuzzleError, shown
from tetrasolve.puzzles.making import QuestionCounts
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.game import Game, new_game, new_scenario
from tetrasolve.tetrarchia.plan.graph import has_at_most
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.composing import compositions
from tetrasolve.tetrarchia.puzzle.kinds import MISTAKE, TURN, kind
from tetrasolve.tetrarchia.puzzle.lines import Line
from tetrasolve.tetrarchia.puzzle.making import PlayedTurn, greedy_turns, make
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, certified
from tetrasolve.tetrarchia.ruleset import Ruleset

DATA = "data/collection.toml"
# What kinds and parts can have since the first collection: where they do not, the digest is that of collections made before
ADDED_TO_KINDS, ADDED = ("all_turns",), ("composed",)


@dataclass(frozen=True, slots=True)
class RecipePart:
    """The puzzles of one kind: how many, from games of which tables (levels with modules, or scenarios), and their limits.

    `composed` is how many positions are composed of that of each turn, and asked about in its place (0: none).
    """

    kind: str
    count: int
    seed: int
    games: int
    turns: int
    of_a_game: int
    within: float
    apart: int
    most_states: int
    each: float
    tables: tuple[str, ...] = field(repr=False)
    composed: int = 0

    def table(self, number: int) -> str:
        """The table of a game."""
        return self.tables[number % len(self.tables)]

    def game(self, number: int) -> Game:
        """A game before its first turn."""
        table, seed = self.table(number), self.seed_of(number)
        return new_scenario(table, seed) if table in rules.scenarios() else new_game(Ruleset.from_text(table), seed)

    def seed_of(self, number: int) -> str:
        """The seed of a game."""
        return f"collection {self.seed} {self.kind} {number}"

    def data(self) -> dict[str, Any]:
        """All that its puzzles depend on, for a checkpoint."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "tables"} | {
            "tables": list(self.tables)
        }

    def digest(self) -> str:
        """16 hexadecimal digits for all that its puzzles depend on but how many are wanted, with the row of their kind."""
        row = asdict(kind(self.kind))
        data = self.data() | {"row": row}
        for names, added in ((row, ADDED_TO_KINDS), (data, ADDED)):
            for name in added:
                if not names[name]:
                    del names[name]
        del data["count"], data["games"]
        return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def read_recipe(text: str) -> tuple[RecipePart, ...]:
    """The parts of a recipe.

    :raises PuzzleError: when it is none.
    """
    data = strict.read_toml(text)
    rows = data.pop("part", None)
    if not isinstance(rows, list) or not rows:
        raise PuzzleError("a recipe: expected at least one [[part]]")
    try:
        parts = tuple(_part(data | row) for row in rows)
    except (TypeError, KeyError) as error:
        raise PuzzleError(f"a recipe: {error}") from None
    names = [part.kind for part in parts]
    if len(set(names)) < len(names):
        raise PuzzleError("a recipe: a kind has two parts")
    return parts


def _part(row: dict[str, Any]) -> RecipePart:
    part = RecipePart(**row | {"tables": tuple(row["tables"])})
    kind(part.kind)
    for name in ("count", "games", "turns", "of_a_game", "most_states"):
        value = getattr(part, name)
        if type(value) is not int or value < 1:
            raise PuzzleError(f"part {part.kind}, {name}: expected a whole number of at least 1, got {shown(value)}")
    for table in part.tables:
        if table not in rules.scenarios():
            Ruleset.from_text(table)
    return part


def recipe() -> tuple[RecipePart, ...]:
    """The parts of the shipped collection.

    >>> sum(part.count for part in recipe()) >= 1000
    True
    """
    return read_recipe(resources.files("tetrasolve.tetrarchia").joinpath(DATA).read_text("utf-8"))


class PuzzlesOfGame(TypedDict):
    """The puzzles of a game as lines, and what the search took."""

    lines: list[str]
    asked: int
    too_long: int
    seconds: float  # of processor time


def puzzles_of_game(part: RecipePart, number: int) -> PuzzlesOfGame:
    """The puzzles of a game as lines, and what the search took; JSON data. Those without a certificate are left out, as too long.

    :raises PuzzleError: when the stand-alone checker does not confirm a puzzle.
    """
    began, tally = processor_time(), QuestionCounts()

    def keep(puzzle: Puzzle) -> bool:
        if puzzle.certificate is None:
            tally.too_long += 1
        return puzzle.certificate is not None and is_confirmed(puzzle)

    puzzles = [puzzle for puzzle in made_of_game(part, number, tally, keep) if not puzzle.grade.is_open]
    return {
        "lines": [puzzle.line() for puzzle in puzzles],
        "asked": tally.asked,
        "too_long": tally.too_long,
        "seconds": round(processor_time() - began, 3),
    }


def made_of_game(
    part: RecipePart,
    number: int,
    tally: QuestionCounts | None = None,
    keep: Callable[[Puzzle], bool] | None = None,
    stop: Stop | None = None,
) -> Iterator[Puzzle]:
    """The puzzles of a game, graded; those that `keep` refuses are left out. It ends early when `stop` is set."""
    return make(
        _turns(part, number),
        count=part.of_a_game,
        kinds=(part.kind,),
        apart=part.apart,
        seconds_each=part.each,
        tally=tally,
        keep=keep,
        stop=stop,
    )


def processor_time() -> float:
    """Seconds of processor time of this process and of those that it has run, such as the checker."""
    return sum(os.times()[:4])


def is_confirmed(puzzle: Puzzle) -> bool:
    """Whether the checker confirms the certificate of a puzzle.

    :raises PuzzleError: when it refuses it.
    """
    if (said := certified(puzzle)) != CONFIRMED:
        raise PuzzleError(
            f"the checker does not confirm a puzzle, please report this: {puzzle.question.position}: {said}"
        )
    return True


def _turns(part: RecipePart, number: int) -> Iterator[PlayedTurn]:
    """The positions of a game that are asked about."""
    random = Random(f"positions {part.seed_of(number)}")
    origin = f"collection {part.seed}, {part.table(number)}, {part.kind} game {number}"
    form = kind(part.kind).form
    for turn in greedy_turns([(origin, part.seed_of(number), part.game(number))], part.turns):
        if turn.line.steps:
            for asked in _asked(part, turn, random):
                if form not in (TURN, MISTAKE) or has_at_most(asked.position, part.most_states):
                    yield asked


def _asked(part: RecipePart, turn: PlayedTurn, random: Random) -> Iterator[PlayedTurn]:
    """The positions of a turn, or made from it, that are asked about."""
    if kind(part.kind).form != TURN:
        yield turn
    elif part.composed:
        yield from compositions(turn, part.composed, random)
    else:
        yield turn._replace(position=_within(turn.line, part.within, random))


def _within(line: Line, share: float, random: Random) -> Position:
    """A position of a turn before its last action; the start, unless with this chance another one is drawn."""
    before = [step.before for step in line.steps]
    return random.choice(before[1:]) if random.random() < share and len(before) > 1 else before[0]
