"""Certificates that a question about a turn has one answer, for the stand-alone checker.

A certificate (kind `unique`) is the claim alone: position, objective, attacks, optimum, answer and gap. The checker makes all
states of the turn by rules of its own and works out value and gap again.

One of kind `options` is the claim about a question with a list of possible answers: position, question, answer, its number, and
the gap to the next one. The checker works out the numbers of all options again, with all modules, variants and rebels; players
decline all that they may decide in a phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import ObjectiveError, TooLargeError
from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.facts.boardrows import whole_digest
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.plan.certificate import FIELDS, MOST_STATES, board_digest
from tetrasolve.tetrarchia.plan.graph import turn_of
from tetrasolve.tetrarchia.plan.nextturn import open_ends, situations
from tetrasolve.tetrarchia.plan.objective import NextGoal, Term, looks_ahead, natural
from tetrasolve.tetrarchia.plan.task import attacks_text
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.kinds import GARRISON, MISTAKE
from tetrasolve.tetrarchia.puzzle.ranked import Ranked
from tetrasolve.tetrarchia.puzzle.unique import Uniqueness

KIND, OPTIONS = "unique", "options"
OPTION_FIELDS = ("board", "position", "question", "answer", "number", "gap")
GAP = "gap"
MOST_VISITS = 500_000  # states of all phases of a certificate: the checker takes about a minute
MOST_NEXT = 1_000_000  # states of all turns that follow the ends of a turn, equal turns once: a minute for the checker
# Readings that the stand-alone checker does not know; a position is unreadable to it where one of them is not the usual one
UNKNOWN_READINGS = frozenset(
    {
        "I-BLACK-FRESH",
        "I-BLACK-GOTHS",
        "I-BLOCK-ORDER",
        "I-CHECK-AGAIN",
        "I-DIOCLETIAN-WHEN",
        "I-ECHO-FIGURE",
        "I-ECHO-HOME",
        "I-FLEETS",
        "I-GALERIUS-PAYS",
        "I-GALERIUS-WON",
        "I-GARRISON-ATTACK",
        "I-GARRISON-SEA",
        "I-GLORY-RESERVE",
        "I-GOTHS-ACTIVITY",
        "I-HELPERS-ALONE",
        "I-MAKE-ROOM",
        "I-MARE-SAIL",
        "I-PASS-HELPERS",
        "I-PASS-POWER",
        "I-REROLL-ECHO",
        "I-REROLL-GALERIUS",
        "I-REVOLT-BESIDE",
        "I-SHAME-DUX",
        "I-SUPPORT-BROKEN",
        "I-TURN-BACK",
        "I-TURN-WHEN",
        "I-USURPER-FRESH",
        "I-VIA-PRICE",
        "I-WAY-BLOCKED",
    }
)


def certify_unique(found: Uniqueness, stop: Stop | None = None) -> Certificate:
    """The certificate of a question with one answer.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> from tetrasolve.tetrarchia.puzzle import unique
    >>> certificate = certify_unique(unique(example("movement"), "clear dalmatia"))
    >>> certificate.field("optimum"), certificate.field("gap")
    ('1 -6', '1 -6')

    Of terms about the time after the turn the chance of an uprising is covered but for Barbaria, that of a fall and goals of the
    next turn but for Imperium and Barbaria.

    :raises ObjectiveError: when there is not one answer, a term is about a figure of the phase that certificates do not cover, or
        the checker does not know a reading or house rule in use.
    :raises TooLargeError: when the turn has more than 2,000,000 states, phases after it more than 500,000, or next turns more than
        1,000,000.
    :raises Stopped: when `stop` is set before it is known that it is small enough.
    """
    if not found.is_unique or found.other_values is None or found.other_kept is None:
        raise ObjectiveError(f"'{found.objective}' has no certificate: {found.sentence}")
    _require_known(found.position)
    for term in filter(looks_ahead, found.objective.terms):
        _require_covered(found, term, stop)
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


def _require_known(position: Position) -> None:
    """The checker knows all rules in use."""
    unknown = {name for name, _ in position.ruleset.interpretations} & UNKNOWN_READINGS
    if unknown or position.ruleset.house:
        what = f"the reading {min(unknown)}" if unknown else "house rules"
        raise ObjectiveError(f"the stand-alone checker does not know {what}, so there is no certificate")


def _require_covered(found: Uniqueness, term: Term, stop: Stop | None) -> None:
    """The checker can work out this term, which is about the time after the turn, within its limits."""
    use = found.position.ruleset.extensions
    if isinstance(term, NextGoal):
        if not {"imperium", "barbaria"} & {*use}:
            turns = partial(situations, turns=term.turns, most=MOST_NEXT)
            return _require_small(found, term, turns, MOST_NEXT, "situations of next turns", stop)
        limits = "a goal of the next turn without Imperium and Barbaria"
    elif str(term) == "least p_uprising":
        if "barbaria" not in use:
            return None
        limits = "the chance of an uprising without Barbaria"
    elif str(term) == "least p_lost":
        if not WITH_CHOICES & use:
            return _require_small(found, term, _phases, MOST_VISITS, "states of phases", stop)
        limits = "the chance of a fall without Imperium and Barbaria"
    else:
        limits = "least p_uprising, least p_lost and next goals"
    raise ObjectiveError(f"'{term}' looks at the time after the turn; there certificates of one answer cover {limits}")


def _phases(ends: Iterable[Position]) -> Iterator[float]:
    """The states of the phases after all ends of a turn, each once; IP, fleets and the Pirates change no phase."""
    seen = set()
    for end in ends:
        _, _, figures, _, *table = str(end).split(" ")
        table = [word for word in table if not word.startswith("pirates=")]
        if (figures, *table) not in seen:
            seen.add((figures, *table))
            yield _visits(end)


def _visits(position: Position) -> float:
    """The states of the phase of a position."""
    return fast.kernel_of(position).phase(fast.to_state(position))["visits"]


def _require_small(
    found: Uniqueness,
    term: Term,
    sizes: Callable[[Iterable[Position]], Iterator[float]],
    most: int,
    of: str,
    stop: Stop | None,
) -> None:
    """What follows all ends of the turn is small enough for the checker."""
    turn, total = turn_of(found.position, found.stated, stop), 0.0
    if turn.nodes > most:
        raise TooLargeError(f"'{term}': the turn has {turn.nodes:,} states; certificates cover {most:,} of it and {of}")
    for size in sizes(open_ends(found.position, turn)):
        check(stop)
        total += size
        if total > most:
            raise TooLargeError(f"'{term}': more than {most:,} {of}, which certificates do not cover")


def certify_options(found: Ranked) -> Certificate:
    """The certificate of a question with a list of possible answers.

    :raises ObjectiveError: when there is not one answer, or the checker does not know a reading or house rule in use.
    :raises TooLargeError: when the checker would take long for the phase.
    """
    question, board = found.question, found.question.position.board
    if not found.is_unique:
        raise ObjectiveError(f"'{question}' has no certificate: {found.sentence}")
    _require_known(question.position)
    form = question.kind.form
    if (
        form != MISTAKE and question.kind.measure != "p_uprising"
    ):  # that chance needs the steps before the first dice only
        phases = len(found.options) + 1 if form == GARRISON else 1
        visits = _visits(question.position)
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
