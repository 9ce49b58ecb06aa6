"""Questions whose possible answers each have an exact number: about the coming phase, a garrison, a turn that was played.

Each *form* of kinds gives its options with their numbers, the best first. There is one answer if no other option has the
same number or, for a mistake, if all other actions give up nothing. Figures of a phase come from the kernel, and from the
reference rules where these are quick enough; what is within reach in a turn comes from the exhaustive search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from tetrasolve.errors import ActionError, OutOfTimeError, TooLargeError
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.deadline import answering, check, public_question, stop_of
from tetrasolve.puzzles.ranked import Option, Options, Verdict, verdict_of
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.phase.exact import risk
from tetrasolve.tetrarchia.plan.objective import Objective, natural
from tetrasolve.tetrarchia.plan.replay import risk_at
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.attempt import within_reach
from tetrasolve.tetrarchia.puzzle.kinds import Question
from tetrasolve.tetrarchia.puzzle.lines import Step
from tetrasolve.tetrarchia.puzzle.shortest import Course
from tetrasolve.tetrarchia.rules import Fall


class Ranked(Options[Question]):
    """The possible answers to a question; a province is found by any of its names, an action by its number or itself."""

    def is_called(self, name: str, answer: str) -> bool:
        """Whether somebody who types `answer` means the option `name`."""
        number, _, action = name.partition(": ")
        if answer.strip().casefold() == number:
            return True
        if action:
            typed = _actions(answer, self.question.position.board)
            return action in typed and sum(other.partition(": ")[2] in typed for other, _ in self.options) == 1
        board = self.question.position.board
        place = board.find(answer) if name in board.provinces else None
        return place is not None and place.id == name

    def could_be(self, answer: str) -> bool:
        """Whether it is a province that the dice can name though no fall begins there."""
        return self.question.kind.form == "fall" and self.question.position.board.find(answer) is not None


def _actions(text: str, board: Board) -> set[str]:
    """The actions that somebody can mean who types this; none where it is no action."""
    try:
        return {str(action) for action in read_action(text, board)}
    except ActionError:
        return set()


@public_question
def ranked(question: Question, *, seconds: float | None = None, cancel: Stop | None = None) -> Ranked:
    """The options of a question that is not about a plan, and whether it has one answer.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> from tetrasolve.tetrarchia.puzzle.kinds import kind
    >>> (question,) = kind("chance-uprising").questions(example("movement"))
    >>> ranked(question).answer
    '1/6'

    :raises HouseRuleError: when the position is played with house rules, which certificates do not know.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before all numbers were known.
    :raises TooLargeError: when the reference rules would take too long for the phase.
    """
    question.position.ruleset.require_standard_numbers()
    stop = stop_of(seconds, cancel)
    with answering(f"'{question}'"):
        check(stop)
        return FORMS[question.kind.form](question, stop)


def _chance(question: Question, stop: Stop | None) -> Ranked:
    value = risk_at(question.kind.measure, question.position, stop=stop)
    verdict = Verdict.ONE_ANSWER if 0 < value < 1 else Verdict.DECIDED
    return Ranked(question, question.kind.measure, ((str(value), value),), verdict)


def _revolt(question: Question, stop: Stop | None) -> Ranked:
    found = risk(question.position, cancel=stop)
    if found.status == "interrupted":
        raise OutOfTimeError(f"'{question}': the time ran out before there was an answer")
    chances = {place: known.value for place, known in found.revolts.items() if isinstance(known, Exact)}
    if len(chances) < len(found.revolts):
        raise TooLargeError(f"'{question}': the phase is too large for the reference rules")
    options = sorted(chances.items(), key=lambda option: -option[1])
    return Ranked(question, "chance of a new revolt", tuple(options), verdict_of(options))


def _garrison(question: Question, stop: Stop | None) -> Ranked:
    position, measure = question.position, question.kind.measure
    free = [place for place in position.board.provinces if place not in position.discs and place not in position.armies]
    placed = ((place, position.with_disc(place, position.to_move)) for place in free)
    options = sorted(
        ((place, risk_at(measure, after, stop=stop)) for place, after in placed if not after.is_won),
        key=lambda option: option[1],
    )
    changes = options and options[0][1] < risk_at(measure, position, stop=stop)
    return Ranked(question, measure, tuple(options), verdict_of(options) if changes else Verdict.NO_SOLUTION)


def _fall(question: Question, stop: Stop | None) -> Ranked:
    course = Course(question.position, stop)
    order = question.position.board.order
    found = sorted(course.by_first().items(), key=lambda option: (option[1], order[option[0]]))
    options = [(place, Fraction(number)) for place, number in found]
    if course.falls_at_once:
        verdict = Verdict.DECIDED
    elif len(options) < 2:
        verdict = Verdict.ONE_ANSWER if options else Verdict.NO_SOLUTION
    else:
        verdict = verdict_of(options)
    return Ranked(question, "fewest uprisings up to the fall", tuple(options), verdict)


def _mistake(question: Question, stop: Stop | None) -> Ranked:
    losses = list(_losses(question, stop))
    options = sorted(losses, key=lambda option: -option[1])
    count = sum(loss > 0 for _, loss in options)
    if len(options) < 2:
        verdict = Verdict.DECIDED
    else:
        verdict = {0: Verdict.NO_SOLUTION, 1: Verdict.ONE_ANSWER}.get(count, Verdict.TWO_ANSWERS)
    return Ranked(question, f"'{question.objective.terms[0]}' that is given up", tuple(options), verdict)


def _losses(question: Question, stop: Stop | None) -> Iterator[Option]:
    """What each action of the turn gives up of the best value of the aim: dice are not to blame."""
    objective = question.objective
    best = _within_reach(question.position, objective, stop)
    for number, step in enumerate(question.line.steps, start=1):
        expected = _expected(step, objective, stop)
        yield f"{number}: {step.action}", best - expected
        best = _within_reach(step.after, objective, stop)


def _expected(step: Step, objective: Objective, stop: Stop | None) -> Fraction:
    """The best value of the aim after an action, before its dice are known."""
    if step.action.kind is not Kind.ATTACK:
        return _within_reach(step.after, objective, stop)
    assert step.action.place is not None
    faces = rules.attack_roll(step.before, step.action.place, step.action.figure).results
    reached = {
        action: _within_reach(rules.play(step.before, action), objective, stop) for action in dict.fromkeys(faces)
    }
    return sum((reached[action] for action in faces), Fraction(0)) / len(faces)


def _within_reach(state: Position | Fall, objective: Objective, stop: Stop | None) -> Fraction:
    """The best value of the aim from here on, to be maximised."""
    return natural(objective.terms[0], within_reach(state, objective, 0, stop)[0])


FORMS: dict[str, Callable[[Question, Stop | None], Ranked]] = {
    "chance": _chance,
    "revolt": _revolt,
    "garrison": _garrison,
    "fall": _fall,
    "mistake": _mistake,
}
