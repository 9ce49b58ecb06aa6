"""Puzzles from games, by greedy play or recorded: the questions in the positions of their turns that have one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple, Protocol, TypeGuard

from tetrasolve.errors import OutOfTimeError, TooLargeError
from tetrasolve.exact.deadline import is_over
from tetrasolve.puzzles.making import QuestionCounts, following
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action, Kind
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.hint.policy import GREEDY, choose
from tetrasolve.tetrarchia.plan.objective import Goal
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.puzzle.construction import shrink
from tetrasolve.tetrarchia.puzzle.distance import distance
from tetrasolve.tetrarchia.puzzle.kinds import MISTAKE, TURN, Question, kind, questions
from tetrasolve.tetrarchia.puzzle.kinds import kinds as all_kinds
from tetrasolve.tetrarchia.puzzle.lines import Line, line_of, lines
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, solve
from tetrasolve.tetrarchia.rules import Fall, RandomDice


def turns_of(game: Game, seed: int | str, turns: int) -> Iterator[tuple[int, Position, Line]]:
    """The turns by number from 1 on, each as its position and what is played, when all Emperors play greedily by the evaluation.

    Dice come from the seed; choices in a Barbarian phase are declined.
    """
    random, dice = Random(f"puzzle outcomes {seed}"), RandomDice(f"puzzle dice {seed}")
    now: Position | Fall = game.start
    for turn in range(1, turns + 1):
        if isinstance(now, Fall) or now.is_won or not (rules.may_end(now) or rules.legal_actions(now)):
            return
        ways = list(lines(now, choose(now, GREEDY)))
        line = random.choices(ways, [float(way.chance) for way in ways])[0]
        yield turn, now, line
        end = line.end
        if isinstance(end, Position) and end.phase is Phase.ROMAN and not end.is_won:
            end = rules.play(end, END)
        if isinstance(end, Fall) or end.is_won:
            return
        now = rules.sample(end, dice)


class PlayedTurn(NamedTuple):
    """A turn of a game: what is said about where it comes from, its position, what was played, and whether it is over."""

    source: str
    position: Position
    line: Line
    was_ended: bool = True


def greedy_turns(games: Iterable[tuple[str, int | str, Game]], turns: int = 12) -> Iterator[PlayedTurn]:
    """The first turns of games by greedy play; `games` gives what is said about their origin, their seeds, and them."""
    for origin, seed, game in games:
        for turn, position, line in turns_of(game, seed, turns):
            yield PlayedTurn(f"{origin}, turn {turn}", position, line)


def recorded_turns(origin: str, game: Game) -> Iterator[PlayedTurn]:
    """The turns of a recorded game in which something was done; the last one may not be over."""
    turn, position, actions = 1, game.start, list[Action]()
    for event, after in zip(game.played, game.states[1:], strict=True):
        if event.action is not None:
            actions.append(event.action)
            if event is not game.played[-1]:
                continue
        if actions:
            line = line_of(position, actions)
            yield PlayedTurn(f"{origin}, turn {turn}", position, line, was_ended=not _is_going_on(line.end))
        if isinstance(after, Position) and after.phase is Phase.ROMAN:
            turn, position, actions = turn + 1, after, []


def mistakes(position: Position, line: Line) -> Iterator[Question]:
    """The questions for the mistake in a turn that was played, one for each aim that it went for.

    It went for an aim if somebody came to its province, acted there, or attacked its army. A line without the end of
    the turn counts as ended there; where it may not end there is no question.
    """
    actions = [str(step.action) for step in line.steps]
    if _is_going_on(line.end):
        if not rules.may_end(line.end):
            return
        actions.append("end")
    played = "; ".join(actions)
    places = {step.action.place for step in line.steps}
    # Who leaves a province does not go for it.
    places |= {step.origin for step in line.steps if step.action.kind is not Kind.MOVE}
    for name, row in all_kinds().items():
        for aim in questions(position, (name,)) if row.form == TURN else ():
            goal = aim.objective.terms[0]
            if isinstance(goal, Goal) and (aim.target is None or aim.target in places):
                found = kind(MISTAKE).question_about(position, f"{goal}: {played}")
                if found is not None:
                    yield found


def _is_going_on(state: Position | Fall) -> TypeGuard[Position]:
    """Whether the turn is not over."""
    return isinstance(state, Position) and state.phase is Phase.ROMAN and not state.is_won


class Asked(Protocol):
    """A puzzle as far as it matters to those after it."""

    @property
    def question(self) -> Question:
        """The question."""

    @property
    def source(self) -> str:
        """Where its position comes from."""


def make(
    played: Iterable[PlayedTurn],
    *,
    count: int,
    kinds: tuple[str, ...] = (),
    sharp: bool = True,
    shrunk: bool = False,
    apart: int = 0,
    seconds_each: float = 20,
    stop: Stop | None = None,
    tally: QuestionCounts | None = None,
    keep: Callable[[Puzzle], bool] | None = None,
    before: Sequence[Asked] = (),
) -> Iterator[Puzzle]:
    """Puzzles from turns that were played, at most `count`.

    `sharp`: only those in which other answers are worse in what is asked. `shrunk`: without the pieces that can go. `apart`:
    each at least so many steps from those before it, see `tetrasolve.tetrarchia.puzzle.distance`. A question that takes
    longer than `seconds_each` is left out and counted in `tally`; a grade that takes longer is unknown. The search ends early when
    `stop` is set. `before` are puzzles that
    were made of the same turns earlier, in their order: the next ones follow the last of them.

    :raises PuzzleError: when the last of `before` is not of these turns.
    """
    tally = tally if tally is not None else QuestionCounts()
    asks_mistakes = not kinds or MISTAKE in kinds
    made = [asked.question for asked in before]
    found = len(made)
    if found >= count:
        return
    asked: Iterator[tuple[str, Question]] = (
        (source, question)
        for source, position, line, was_ended in played
        # what is not over yet is no mistake yet
        for question in (
            *questions(position, kinds),
            *(mistakes(position, line) if asks_mistakes and was_ended else ()),
        )
    )
    if before:
        source = before[-1].source
        asked = following(asked, _identity((source, made[-1])), _identity, source, lambda: is_over(stop))
    for source, question in asked:
        if is_over(stop):
            return
        tally.asked += 1
        tally.say()
        try:
            solution = solve(question, seconds=seconds_each, cancel=stop)
        except (OutOfTimeError, TooLargeError):
            tally.too_long += 1
            continue
        tally.verdicts[solution.verdict] += 1
        if not solution.is_unique:
            continue
        puzzle = Puzzle(question, source, solution)
        if sharp and not puzzle.is_sharp:
            tally.blunt += 1
            continue
        if shrunk:
            puzzle = shrink(puzzle, seconds=seconds_each, cancel=stop).puzzle
        if apart and any(distance(puzzle.question, other) < apart for other in made):
            tally.alike += 1
        elif keep is None or keep(puzzle):
            found += 1
            made.append(puzzle.question)
            yield puzzle.graded(seconds=seconds_each, cancel=stop)
            if found == count:
                return


def _identity(asked: tuple[str, Question]) -> tuple[str, str, str | None]:
    """What tells a question of a game, after its source, from all others, though pieces were taken off."""
    source, question = asked
    return source, question.kind.name, question.target
