"""Certificates that a question about a turn has one answer, for the stand-alone checker.

A certificate (kind `unique`) is the claim alone: position, objective, attacks, optimum, answer and gap. The checker makes all
states of the turn by rules of its own and works out value and gap again.

One of kind `options` is the claim about a question with a list of possible answers: position, question, answer, its number, and
the gap to the next one. The checker works out the numbers of all options again: those about a phase in the base game, mistakes
with all rules that it knows a turn of.
"""

from __future__ import annotations

from collections.abc import Callable

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import ObjectiveError, TooLargeError
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.facts.boardrows import whole_digest
from tetrasolve.tetrarchia.plan.certificate import FIELDS, MOST_STATES, board_digest
from tetrasolve.tetrarchia.plan.graph import turn_of
from tetrasolve.tetrarchia.plan.nextturn import next_turn, open_ends
from tetrasolve.tetrarchia.plan.objective import NextGoal, Term, looks_ahead, natural
from tetrasolve.tetrarchia.plan.task import attacks_text
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.kinds import GARRISON, MISTAKE
from tetrasolve.tetrarchia.puzzle.ranked import Ranked
from tetrasolve.tetrarchia.puzzle.unique import Uniqueness

KIND, OPTIONS = "unique", "options"
OPTION_FIELDS = ("board", "position", "question", "answer", "number", "gap")
GAP = "gap"
MOST_VISITS = 200_000  # of all phases of a certificate: the checker takes about a minute
MOST_AHEAD = 60_000  # states of phases, or of next turns, after all ends of a turn


def certify_unique(found: Uniqueness) -> Certificate:
    """The certificate of a question with one answer.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> from tetrasolve.tetrarchia.puzzle import unique
    >>> certificate = certify_unique(unique(example("movement"), "clear dalmatia"))
    >>> certificate.field("optimum"), certificate.field("gap")
    ('1 -6', '1 -6')

    Terms about the time after the turn are covered where the checker knows the dice of the phase: the chance of an uprising but for
    Barbaria, the chance of a fall in the base game, and goals of the next turn but for Imperium and Barbaria.

    :raises ObjectiveError: when there is not one answer, or a term is about a figure of the phase that certificates do not cover.
    :raises TooLargeError: when the turn has more than 2,000,000 states, or what follows its ends has more than 60,000.
    """
    if not found.is_unique or found.other_values is None or found.other_kept is None:
        raise ObjectiveError(f"'{found.objective}' has no certificate: {found.sentence}")
    for term in filter(looks_ahead, found.objective.terms):
        _require_covered(found, term)
    if found.nodes > MOST_STATES:
        raise TooLargeError(f"this turn has {found.nodes:,} states; certificates of one answer cover {MOST_STATES:,}")
    terms = found.objective.terms
    best = [natural(term, value) for term, value in zip(terms, found.values, strict=True)]
    other = [natural(term, value) for term, value in zip(terms, found.other_values, strict=True)]
    if found.objective.constraint:
        best, other = [found.kept, *best], [found.other_kept, *other]
    board = found.position.board
    values = (
        f"{board.id} {board_digest(board)}",
        str(found.position),
        str(found.objective),
        attacks_text(found.stated),
        " ".join(map(str, best)),
        str(found.plan),
    )
    gap = " ".join(str(first - second) for first, second in zip(best, other, strict=True))
    return Certificate(KIND, (*zip(FIELDS, values, strict=True), (GAP, gap)), ())


def _require_covered(found: Uniqueness, term: Term) -> None:
    """The checker can work out this term, which is about the time after the turn, within its limits."""
    position, use = found.position, found.position.ruleset.extensions
    if isinstance(term, NextGoal):
        if not {"imperium", "barbaria"} & {*use}:
            return _require_small(found, term, lambda end: turn_of(next_turn(end)).nodes, "situations of next turns")
        limits = "a goal of the next turn without Imperium and Barbaria"
    elif str(term) == "least p_uprising":
        if "barbaria" not in use:
            return None
        limits = "the chance of an uprising without Barbaria"
    else:
        if str(term) == "least p_lost" and not position.rules_in_use:
            return _require_small(found, term, _visits, "states of phases")
        limits = "least p_uprising, next goals and, in the base game, least p_lost"
    raise ObjectiveError(f"'{term}' looks at the time after the turn; there certificates of one answer cover {limits}")


def _visits(position: Position) -> float:
    """The states of the phase of a position."""
    return fast.kernel_of(position).phase(fast.to_state(position))["visits"]


def _require_small(found: Uniqueness, term: Term, size: Callable[[Position], float], of: str) -> None:
    """What follows all ends of the turn is small enough for the checker."""
    position, total = found.position, 0.0
    turn = turn_of(position, found.stated)
    if turn.nodes > MOST_AHEAD:
        raise TooLargeError(
            f"'{term}': the turn has {turn.nodes:,} states; certificates cover {MOST_AHEAD:,} of it and {of}"
        )
    for end in open_ends(position, turn):
        total += size(end)
        if total > MOST_AHEAD:
            raise TooLargeError(f"'{term}': more than {MOST_AHEAD:,} {of}, which certificates do not cover")


def certify_options(found: Ranked) -> Certificate:
    """The certificate of a question with a list of possible answers.

    :raises ObjectiveError: when there is not one answer, or the question is about a phase with modules, variants or rebels.
    :raises TooLargeError: when the checker would take long for the phase.
    """
    question, board = found.question, found.question.position.board
    if not found.is_unique:
        raise ObjectiveError(f"'{question}' has no certificate: {found.sentence}")
    form = question.kind.form
    if form != MISTAKE:
        if question.position.rules_in_use:
            raise ObjectiveError(f"'{question}': certificates of questions about a phase cover the base game only")
        phases = len(found.options) + 1 if form == GARRISON else 1
        visits = fast.kernel_of(question.position).phase(fast.to_state(question.position))["visits"]
        if phases * visits > MOST_VISITS:
            raise TooLargeError(
                f"'{question}': {phases} phases of {visits:,.0f} states each; certificates cover {MOST_VISITS:,} in all"
            )
    asked = {
        "chance": question.kind.measure,
        GARRISON: f"{GARRISON} {question.kind.measure}",
        MISTAKE: f"{MISTAKE} {question.target}",
    }.get(form, form)
    values = (
        f"{board.id} {whole_digest(board)}",
        str(question.position),
        asked,
        found.answer,
        str(found.options[0][1]),
        "none" if found.gap is None else str(found.gap),
    )
    return Certificate(OPTIONS, tuple(zip(OPTION_FIELDS, values, strict=True)), ())
