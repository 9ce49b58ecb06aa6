"""Certificates that the actions of a turn are the best: a claim that the stand-alone checker counts again.

What they aim at is a linear evaluation of the position in which the actions end (`tetrasolve.finem.plan`, horizon ``actions``). The
certificate has the position, the objective, the value and the actions, to a Dictator's first ride; the checker carries out all
sequences by rules of its own, so that there is nothing in it but the claim.
"""

from __future__ import annotations

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import CertificateError, IllegalPositionError, OutOfTimeError
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.deadline import answering, public_question, stop_of
from tetrasolve.finem.evaluation import read_objective
from tetrasolve.finem.facts.subject import read_subject
from tetrasolve.finem.plan import ACTIONS, STATES, Plan, plan
from tetrasolve.finem.plantree import Tree, TreeSizeError
from tetrasolve.finem.position import Position, Step
from tetrasolve.stop import Stop

KIND = "finem-actions"
FIELDS = ("board", "position", "objective", "value", "actions")
NONE = "none"


@public_question
def certify(
    position: Position, objective: str, *, seconds: float | None = None, cancel: Stop | None = None
) -> Certificate:
    """The certificate that no actions are better for an objective at the end of the actions.

    >>> from tetrasolve.finem.examples import examples
    >>> certify(examples()["dictator"].replace(role="consul", left=2), "cubes=-1").field("actions")
    'confront C, confront C'

    :raises ObjectiveError: when the objective cannot be read.
    :raises IllegalPositionError: when the position cannot occur, or no action is next.
    :raises OutOfTimeError: when the time runs out before all sequences were looked at.
    :raises CertificateError: when there are too many states, as of a Dictator with four actions.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    stop = stop_of(seconds, cancel)
    found = plan(position, objective, horizon=ACTIONS, cancel=stop)
    if position.step is not Step.ACT:
        raise IllegalPositionError([f"step {position.step}: expected one at which an action is next"])
    if not isinstance(found.value, Exact) and found.stopped_by != "states":
        raise OutOfTimeError("a certificate: the time ran out before all sequences of actions were looked at")
    if not isinstance(found.value, Exact) or not _can_be_counted(found, stop):
        raise CertificateError(1, "the phase has too many states to be counted; certify it with fewer actions left")
    aim, subject = read_objective(objective), read_subject()
    side = "most" if aim.aims_at_most else "least"
    values = (
        f"{subject.id} {subject.digest()}",
        str(position),
        f"{side} {aim.evaluation}",
        str(found.value.value),
        ", ".join(found.actions) or NONE,
    )
    return Certificate(KIND, tuple(zip(FIELDS, values, strict=True)), ())


def _can_be_counted(found: Plan, stop: Stop | None) -> bool:
    """Whether the phase has few enough states for the checker, which counts each by itself.

    :raises OutOfTimeError: when the time runs out before.
    """
    tree = Tree(found.position, found.objective, stop, has_rides=True, most_states=STATES, merges=False)
    try:
        with answering("a certificate"):
            tree.grow()
    except TreeSizeError:
        return False
    return True
