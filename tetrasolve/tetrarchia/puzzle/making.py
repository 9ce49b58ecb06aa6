"""Puzzles from games: the questions in the positions of games by greedy play that have one answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from tetrasolve.errors import OutOfTimeError
from tetrasolve.exact.deadline import is_over
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.hint.policy import GREEDY, choose
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.puzzle.kinds import questions
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle
from tetrasolve.tetrarchia.puzzle.unique import Verdict, unique
from tetrasolve.tetrarchia.rules import Fall, RandomDice


@dataclass
class QuestionCounts:
    """How many questions were asked, what their verdicts were, and how many were not answered in time."""

    asked: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    blunt: int = 0  # one answer, but others are worse in IP only
    too_long: int = 0

    def __str__(self) -> str:
        parts = [f"{number} {verdict}" for verdict, number in sorted(self.verdicts.items())]
        parts += [f"{self.blunt} of these not sharp"] if self.blunt else []
        parts += [f"{self.too_long} not answered in time"] if self.too_long else []
        return f"{self.asked} questions: {', '.join(parts) or 'none answered'}"


def positions(game: Game, seed: int | str, turns: int) -> Iterator[tuple[int, Position]]:
    """The positions in which a turn begins, by number from 1 on, when all Emperors play greedily by the evaluation.

    Dice come from the seed; choices in a Barbarian phase are declined.
    """
    random, dice = Random(f"puzzle outcomes {seed}"), RandomDice(f"puzzle dice {seed}")
    now: Position | Fall = game.start
    for turn in range(1, turns + 1):
        if isinstance(now, Fall) or now.is_won or not (rules.may_end(now) or rules.legal_actions(now)):
            return
        yield turn, now
        ways = endings(now, choose(now, GREEDY))
        _, end, _ = random.choices(ways, [float(chance) for chance, _, _ in ways])[0]
        if isinstance(end, Position) and end.phase is Phase.ROMAN and not end.is_won:
            end = rules.play(end, END)
        if isinstance(end, Fall) or end.is_won:
            return
        now = rules.sample(end, dice)


def make(
    games: Iterator[tuple[str, int, Game]],
    *,
    count: int,
    turns: int = 12,
    kinds: tuple[str, ...] = (),
    sharp: bool = True,
    seconds_each: float = 20,
    stop: Stop | None = None,
    tally: QuestionCounts | None = None,
    keep: Callable[[Puzzle], bool] | None = None,
) -> Iterator[Puzzle]:
    """Puzzles from games, at most `count`; `games` gives what is said about their origin, their seeds, and them.

    `sharp`: only those in which other answers are worse in what is asked. A question that takes longer than `seconds_each` is left
    out and counted in `tally`. The search ends early when `stop` is set.
    """
    tally = tally or QuestionCounts()
    found = 0
    for origin, seed, game in games:
        for turn, position in positions(game, seed, turns):
            for question in questions(position, kinds):
                if found == count or is_over(stop):
                    return
                tally.asked += 1
                try:
                    solution = unique(position, question.objective, seconds=seconds_each, cancel=stop)
                except OutOfTimeError:
                    tally.too_long += 1
                    continue
                tally.verdicts[solution.verdict] += 1
                if not solution.is_unique:
                    continue
                puzzle = Puzzle(question, f"{origin}, turn {turn}", solution)
                if sharp and not puzzle.is_sharp:
                    tally.blunt += 1
                elif keep is None or keep(puzzle):
                    found += 1
                    yield puzzle
