"""The request ``course``: a Barbarian phase or an attack, die by die and decision by decision.

============ ================================================================ ===============================================
ask          fields                                                           result
============ ================================================================ ===============================================
``course``   ``position``, ``action``; ``faces``, ``seed``, ``decide``        what happened so far, and what comes next
============ ================================================================ ===============================================

``action`` is ``barbarians`` or an attack without its outcome. ``faces`` are the dice and answers so far, none at first. The dice
after them are rolled from ``seed``; without it ``next`` is the die that is asked for, as a player rolls it at his table.
``decide`` answers decisions: a policy (``decline``, ``eager``), or with ``ask`` (the default) ``next`` is the decision with its
options and its ``subject``, the question taken apart. A client sends the request again with one more face or answer in
``faces``, and the same ``seed``: it goes on with the dice that follow. ``next`` is null in the end; then ``faces`` is what
``apply`` and records take (of an attack: the two faces, while ``action`` names its outcome and payments).

``steps`` has each roll and each decision with the position after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from tetrasolve.analysis.messages import RequestError, only, whole
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import ActionError, shown
from tetrasolve.strict import is_whole
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome, ordered, read_action
from tetrasolve.tetrarchia.hint.service import MOST_SEED, read_faces
from tetrasolve.tetrarchia.parts import BARBARIANS
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import POLICIES, Choice, Fall, RandomDice
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.choices import NO
from tetrasolve.tetrarchia.rules.payment import goes_on
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.step import Step
from tetrasolve.tetrarchia.service.positions import LONGEST_ACTION, possible_position, result_of
from tetrasolve.tetrarchia.service.subjects import subject

ASK = "ask"
Course: TypeAlias = "list[int | str]"
Decide: TypeAlias = "Callable[[Choice], int] | None"  # None: the client is asked


class WantedError(Exception):
    """A die or a decision that the client has to give; `what` describes it."""

    def __init__(self, what: Result) -> None:
        super().__init__()
        self.what = what


class Table:
    """The dice and answers of a request: given ones first, then those of the seed or the policy; `used` has them all.

    :raises WantedError: when one is needed and there is none.
    :raises RequestError: when a given one does not fit.
    """

    def __init__(self, given: Course, seed: int | None) -> None:
        self._left = list(given)
        self._dice = None if seed is None else RandomDice(seed)
        if self._dice is not None:
            for _ in filter(is_whole, given):
                self._dice.roll("")  # those that are given came from this seed, too
        self.used: Course = []

    def roll(self, question: str) -> int:
        """The next face."""
        if self._left:
            return int(self._given(FACES, f"1 to 6 for: {question}"))
        if self._dice is None:
            raise WantedError({"kind": "die", "question": question})
        self.used.append(face := self._dice.roll(question))
        return face

    def answer(self, question: str, decider: str, options: tuple[str, ...], policy: Callable[[], int] | None) -> str:
        """The next answer."""
        if self._left:
            return str(self._given(options, f"one of {', '.join(options[:8])} for: {question}"))
        if policy is None:
            asked = {"question": question, "subject": subject(question), "decider": decider, "options": list(options)}
            raise WantedError({"kind": "choice", **asked})
        self.used.append(answer := options[policy()])
        return answer

    def _given(self, fitting: range | tuple[str, ...], expected: str) -> int | str:
        item = self._left.pop(0)
        if item not in fitting:
            raise RequestError(f"found {shown(item)}", where=f"faces: {len(self.used) + 1}", expected=expected)
        self.used.append(item)
        return item

    def end(self) -> None:
        """Require that every given face and answer is used."""
        if self._left:
            problem = f"{len(self._left)} of them are not used"
            raise RequestError(problem, where="faces", expected="those of one phase or attack")


def _course(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # takes milliseconds
    only(fields, dict.fromkeys(("position", "action", "faces", "seed", "decide"), ""))
    text = fields.get("action")
    if not isinstance(text, str) or len(text) > LONGEST_ACTION:
        problem = f"found {shown(text)}" if "action" in fields else "missing"
        raise RequestError(problem, where="action", expected=f"an attack as text, or {BARBARIANS}")
    policy = fields.get("decide", ASK)
    if not isinstance(policy, str) or policy not in (ASK, *POLICIES):
        raise RequestError(f"found {shown(policy)}", where="decide", expected=f"one of {', '.join((ASK, *POLICIES))}")
    seed = None if "seed" not in fields else whole(fields["seed"], "seed", 0, MOST_SEED)
    table = Table(read_faces(fields), seed)
    position = possible_position(fields)
    steps: list[Result] = []
    play = _phase if text.strip() == BARBARIANS else _attack
    try:
        action, state = play(position, text, table, POLICIES.get(policy), steps)
        following: Result | None = None
        table.end()
    except ActionError as error:
        raise RequestError(str(error), where="action") from None
    except WantedError as wanted:
        action, following = None, wanted.what
        state = Position.parse(steps[-1]["position"]) if steps and steps[-1]["position"] else position
    return {
        "steps": steps,
        "next": following,
        **({} if action is None else {"action": str(action)}),
        "faces": table.used if action is None else [item for item in table.used if isinstance(item, int)],
        "position": None if isinstance(state, Fall) else str(state),
        "result": result_of(state) if following is None else "",
    }


def _phase(
    position: Position, text: str, table: Table, policy: Decide, steps: list[Result]
) -> tuple[None, Position | Fall]:
    """A Barbarian phase up to its end, or to what the client has to give."""
    del text
    if position.is_won or position.phase is not Phase.BARBARIAN:
        problem = "the game is over" if position.is_won else "the Emperor's turn is not over"
        raise RequestError(problem, where="action", expected="a position in the Barbarian phase")
    step: Step = rules.begin(position)
    while not isinstance(step, (Position, Fall)):
        if isinstance(step, Choice):
            answer = table.answer(step.question, step.decider, step.options, policy and partial(policy, step))
            row: Result = {"question": step.question, "decider": step.decider, "answer": answer}
            step = step.after(answer)
        else:
            roll = step.roll()
            faces = tuple(table.roll(question) for question in roll.questions)
            row = {"question": ", ".join(roll.questions), "faces": list(faces)}
            step = landed(step, faces, roll.result(faces))
        after = step if isinstance(step, (Position, Fall)) else step.position
        steps.append({**row, "position": None if isinstance(after, Fall) else str(after)})
    return None, step


def _attack(
    position: Position, text: str, table: Table, policy: Decide, steps: list[Result]
) -> tuple[Action, Position]:
    """An attack: two dice, then discs that add to one of them where the rules have that."""
    army, figure = _meant(position, text)
    roll = rules.attack_roll(position, army, figure)
    faces = tuple(table.roll(question) for question in roll.questions)
    action = roll.result(faces)
    further = goes_on(position)
    steps.append({"question": ", ".join(roll.questions), "faces": list(faces), "position": str(position)})
    while (further or action.outcome is not Outcome.VICTORY) and (
        discs := rules.boosts(position, figure, action.payments, army)
    ):
        added = f" with {len(action.payments)} added" if action.payments else ""
        question = f"{faces[0]}-{faces[1]}{added} is a {action.outcome}; add 1 for a disc?"
        # The policies of the phase answer no here: `eager` has no rule for attacks
        answer = table.answer(question, position.to_move, (NO, *discs), policy and (lambda: 0))
        steps.append({"question": question, "decider": position.to_move, "answer": answer, "position": str(position)})
        if answer == NO:
            break
        payments = ordered((*action.payments, answer), position.board)
        action = rules.attack_roll(position, army, figure, payments).result(faces)
    after = rules.play(position, action)
    assert isinstance(after, Position)
    steps[-1]["position"] = str(after)
    return action, after


def _meant(position: Position, text: str) -> tuple[str, str | None]:
    """The army and the leader of the one legal attack that a text means."""
    attacks = [action for action in read_action(text, position.board) if action.kind is Kind.ATTACK]
    legal = [action for action in attacks if rules.objection(position, action) is None]
    ways = {(action.place, action.figure) for action in legal if not action.payments}
    if attacks and not legal:
        raise RequestError(f"{text}: {rules.objection(position, attacks[0])}", where="action")
    if len(ways) != 1 or len(legal) == 1:
        expected = f"{BARBARIANS}, or one attack without its outcome"
        raise RequestError(f"found {shown(text)}", where="action", expected=expected)
    place, figure = ways.pop()
    assert place is not None
    return place, figure


HANDLERS: Mapping[str, Handler] = {"course": _course}
