"""The answers to questions: every option with its exact number, by the kernel, and again by the reference rules.

One answer means that every other answer has another number than the first. Two *plans* are the same answer if they lead to the
same situation but for the place of the pawn: this turn's cards do not ask where it stands. The gap is the exact difference of
the first two numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.errors import ActionError, OutOfTimeError, PuzzleError, shown
from tetrasolve.exact.deadline import answering, check, public_question, stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.bestturn import best_turn
from tetrasolve.finem.evaluation import Objective, read_objective
from tetrasolve.finem.plan import situations
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import Phase, Position, Result, State, Step
from tetrasolve.finem.puzzle.kinds import CARD, CHANCE, DECISION, PLAN, Question
from tetrasolve.finem.rules.actions import PASS
from tetrasolve.finem.rules.optimum import best
from tetrasolve.finem.tracks import invasion_cards
from tetrasolve.finem.turnrisk import turn_risk
from tetrasolve.puzzles.ranked import Option, Options, Verdict, verdict_of
from tetrasolve.stop import Stop

POLICY = "careful"  # who decides where a chance is asked for
SEPARATOR = "; "
FEW = 2  # cards of an invasion, so that the reference rules follow the rest of a turn in a second or two


@dataclass(frozen=True, slots=True)
class Ranked(Options[Question]):
    """The possible answers to a question; a plan is recognised by the situation to which it leads."""

    def is_called(self, name: str, answer: str) -> bool:
        """Whether somebody who types `answer` means the option `name`."""
        if self.question.kind.form != PLAN:
            return False
        typed = end_of(self.question.position, answer)
        return typed is not None and typed == end_of(self.question.position, name)

    def require_answer(self, answer: str) -> None:
        """The text can be an answer, right or wrong.

        :raises PuzzleError: when it cannot; the text names what can be, or the action that cannot be done.
        """
        if self.question.kind.form != PLAN:
            Options.require_answer(self, answer)
            return
        try:
            _follow(self.question.position, answer)
        except ActionError as error:
            raise PuzzleError(f"answer {shown(answer)}: {error}") from None


def end_of(position: Position, plan: str) -> tuple[object, ...] | None:
    """The situation to which a plan leads by the reference rules, but for the pawn; None where it cannot be played."""
    try:
        return situation(_follow(position, plan))
    except ActionError:
        return None


def _follow(position: Position, plan: str) -> State:
    """The state to which a plan leads.

    :raises ActionError: when it cannot be played.
    """
    state: State = position
    words = [word.strip() for word in plan.split(";")]
    for action in [word for word in words if word and word != PASS]:
        state = rules.take(state, action)
    if isinstance(state, Position) and state.phase is Phase.ACTIONS:
        state = rules.take(state, PASS)
    return state


def situation(state: State) -> tuple[object, ...]:
    """What counts of a state after the actions: all but the pawn, or the result."""
    if isinstance(state, Result):
        return (str(state),)
    return (state.cubes, state.dice, state.pacified, state.decline, state.outbreaks, state.step, state.out)


@public_question
def solve(question: Question, *, seconds: float | None = None, cancel: Stop | None = None) -> Ranked:
    """All options of a question with their numbers, the best first, and whether there is one answer.

    >>> from tetrasolve.finem.examples import examples
    >>> from tetrasolve.finem.puzzle.kinds import kind
    >>> (question,) = kind("worst-card").questions(examples()["peril"])
    >>> solve(question).sentence
    'two answers: B6 and B7'

    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before all numbers were known.
    :raises IllegalPositionError: when the position cannot occur.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    stop = stop_of(seconds, cancel)
    question.position.ruleset.require_kernel()
    with answering(f"'{question}'"):
        check(stop)
        return FORMS[question.kind.form](question, stop)


def _in_order(question: Question, options: list[Option], numbers: str, aim: Objective) -> Ranked:
    """The options by their numbers; there is nothing to find where all are the same, or the best plan changes nothing."""
    options.sort(key=lambda option: -aim.sign * option[1])  # stable: of equal ones the first
    verdict = verdict_of(options)
    if verdict is Verdict.ONE_ANSWER and aim.aims_at_most and not options[0][1]:
        verdict = Verdict.NO_SOLUTION
    return Ranked(question, numbers, tuple(options), verdict)


def _plan(question: Question, stop: Stop | None) -> Ranked:
    aim = read_objective(question.objective)
    found = situations(question.position, question.objective, cancel=stop)
    options = [(SEPARATOR.join(actions) or PASS, value) for actions, value in found]
    return _in_order(question, options, str(aim), aim)


def _decision(question: Question, stop: Stop | None) -> Ranked:
    found = best_turn(question.position, question.objective, cancel=stop)
    _require_exact(found.status, question)
    aim = found.objective
    order = {option: at for at, option in enumerate(rules.node(question.position).options)}
    options = sorted(found.options.items(), key=lambda option: order[option[0]])
    return _in_order(question, options, str(aim), aim)


def _chance(question: Question, stop: Stop | None) -> Ranked:
    value = _lost(question, question.position, stop)
    verdict = Verdict.ONE_ANSWER if 0 < value < 1 else Verdict.DECIDED
    return Ranked(question, "p_lost", ((str(value), value),), verdict)


def _card(question: Question, stop: Stop | None) -> Ranked:
    position = question.position
    cards = rules.node(position).options
    options = [(card, _lost(question, rules.take(position, card), stop)) for card in cards]
    options.sort(key=lambda option: -option[1])
    return Ranked(question, "p_lost after the card", tuple(options), verdict_of(options))


def _lost(question: Question, state: State, stop: Stop | None) -> Fraction:
    if isinstance(state, Result):
        return Fraction(not state.is_won)
    found = turn_risk(state, POLICY, cancel=stop)
    _require_exact(found.status, question)
    return found.p_lost


def _require_exact(status: str, question: Question) -> None:
    if status != "exact":
        raise OutOfTimeError(f"'{question}': the time ran out before there was an answer")


FORMS: dict[str, Callable[[Question, Stop | None], Ranked]] = {
    PLAN: _plan,
    DECISION: _decision,
    CHANCE: _chance,
    CARD: _card,
}


# -- the same by the reference rules -----------------------------------------------------------------------------------


@public_question
def confirm(found: Ranked, *, seconds: float | None = None, cancel: Stop | None = None) -> str:
    """What the reference rules say of an answer: nothing if all is as it says, otherwise what is not.

    Of a plan they replay every option and require all situations that can be reached, each once. They work out all numbers of what
    is asked late in a turn again; a plan, a Tribune's exchange and a region to protect have too much of the turn before
    them, so there the numbers are those of the kernel alone.

    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before all was compared.
    """
    stop = stop_of(seconds, cancel)
    with answering(f"'{found.question}'", "the reference rules were done"):
        return _confirmed(found, stop)


def _confirmed(found: Ranked, stop: Stop | None) -> str:
    question = found.question
    position = question.position
    if question.kind.form == PLAN:
        ends = [end_of(position, name) for name, _ in found.options]
        if None in ends or len(set(ends)) < len(ends):
            return "an option cannot be played, or two lead to the same situation"
        return (
            "" if set(ends) == _all_ends(position, stop) else "the options are not all situations that can be reached"
        )
    if question.kind.form == DECISION and not _is_late(position):
        is_whole = {name for name, _ in found.options} == set(rules.node(position).options)
        return "" if is_whole else "the options are not those of the decision"
    if question.kind.form == DECISION:
        aim = read_objective(question.objective)
        again = {
            option: aim.sign * _best(rules.take(position, option), aim, stop) for option in rules.node(position).options
        }
    elif question.kind.form == CARD:
        again = {card: _followed(rules.take(position, card), stop) for card in rules.node(position).options}
    else:
        again = {found.answer: _followed(position, stop)}
    return "" if again == dict(found.options) else "the reference rules have other numbers"


def _is_late(position: Position) -> bool:
    """Whether the reference rules can follow all that is left of the turn."""
    return position.step is Step.RESIST and invasion_cards(position.ruleset, position.decline) <= FEW


def _all_ends(position: Position, stop: Stop | None) -> set[tuple[object, ...] | None]:
    """The situations to which all sequences of actions lead."""
    ends: set[tuple[object, ...] | None] = set()
    seen: set[Position] = set()
    waiting = [position]
    while waiting:
        check(stop)
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        for option in rules.node(here).options:
            after = rules.take(here, option)
            if isinstance(after, Position) and after.phase is Phase.ACTIONS:
                waiting.append(after)
            else:
                ends.add(situation(after))
    return ends


def _best(state: State, aim: Objective, stop: Stop | None) -> Fraction:
    """The most of an objective, or of its opposite, from a state on."""
    evaluation = aim.evaluation if aim.aims_at_most else aim.evaluation.negated()
    if isinstance(state, Result) or state.phase is Phase.ROLE:
        return Fraction(evaluation.of(state))

    def worth(end: State) -> int:
        check(stop)
        return evaluation.of(end)

    return best(state, worth).values[state]


def _followed(state: State, stop: Stop | None) -> Fraction:
    """The chance to lose in the rest of the turn for the policy, phase by phase."""
    if isinstance(state, Result):
        return Fraction(not state.is_won)
    if state.phase is Phase.ROLE:
        return Fraction(0)
    ended = rules.follow(state, POLICIES[POLICY], stop)
    return sum((weight * _followed(after, stop) for after, weight in ended.items()), Fraction(0))
