"""Certificates that a question has one answer, for the stand-alone checker.

A certificate (kind `finem-answer`) is the claim alone: position, question, answer, its number, and the gap to the next one. The
checker works out all numbers again by rules of its own, of plans the value of each situation to which the actions can lead, so
there is nothing in it that a forger could choose.
"""

from __future__ import annotations

from tetrasolve.certify.checking import verdict_on
from tetrasolve.certify.form import Certificate
from tetrasolve.errors import ObjectiveError, TooLargeError
from tetrasolve.finem.facts.subject import read_subject
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.puzzle.kinds import CARD, CHANCE, PLAN
from tetrasolve.finem.puzzle.solving import Ranked
from tetrasolve.finem.status.turn import collects
from tetrasolve.stop import Stop

KIND = "finem-answer"
FIELDS = ("board", "position", "question", "answer", "number", "gap")
NONE = "none"
MOST_SITUATIONS = 60  # after the actions: the checker takes some seconds for each


def certify_answer(found: Ranked) -> Certificate:
    """The certificate of a question that has one answer.

    >>> from tetrasolve.finem.puzzle.puzzle import shipped
    >>> from tetrasolve.finem.puzzle.solving import solve
    >>> found = solve(shipped()[0].question)
    >>> [certify_answer(found).field(name) for name in FIELDS[2:]]
    ['card p_lost', 'B7', '1', '18/19']

    :raises ObjectiveError: when it has not, or the checker does not cover it; the text says why.
    :raises TooLargeError: when the actions lead to more situations than a certificate covers.
    """
    position, form = found.question.position, found.question.kind.form
    if not found.is_unique:
        raise ObjectiveError(f"this has no certificate: {found.sentence}")
    if collects(position):
        raise ObjectiveError("certificates do not cover a Tribune who exchanges a card of the invasion [E-TRIBUNE]")
    if len(position.pacified) == len(TRIBES):
        raise ObjectiveError("certificates do not cover positions in which all tribes are pacified [E-WIN]")
    if form == PLAN and len(found.options) > MOST_SITUATIONS:
        raise TooLargeError(
            f"the actions lead to {len(found.options):,} situations, certificates cover {MOST_SITUATIONS} of them"
        )
    subject = read_subject()
    values = (
        f"{subject.id} {subject.digest()}",
        str(position),
        f"{form} p_lost" if form in (CHANCE, CARD) else f"{form} {found.numbers}",
        found.answer,
        str(found.options[0][1]),
        NONE if found.gap is None else str(found.gap),
    )
    return Certificate(KIND, tuple(zip(FIELDS, values, strict=True)), ())


def certificate_of(found: Ranked) -> tuple[str | None, str]:
    """The text of the certificate, or None and why there is none."""
    try:
        return certify_answer(found).text(), ""
    except (ObjectiveError, TooLargeError) as error:
        return None, str(error)


def certified(found: Ranked, stop: Stop | None = None) -> str:
    """What the stand-alone checker says about the certificate: ``confirmed``, its whole verdict, or why there is none.

    :raises ProofError: when there is no checker to run, or it failed.
    :raises Stopped: when `stop` is set before the checker has ended.
    """
    try:
        proof = certify_answer(found)
    except (ObjectiveError, TooLargeError) as error:
        return str(error)
    return verdict_on(proof, stop)
