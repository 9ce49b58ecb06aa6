"""Requests about one position: what it is, what is legal in it, and what follows an action.

============ ================================================================ ===============================================
ask          fields                                                           result
============ ================================================================ ===============================================
``read``     ``position``                                                     its forms, and the reasons why it cannot occur
``actions``  ``position``                                                     legal actions with their IP, outcomes of attacks
..                                                                            with their chances
``apply``    ``position``, ``action``; ``seed``, ``faces``, ``decide``        the position after it
``picture``  ``position``; ``layer``                                          ``svg``: all, or the map or the pieces alone
``view``     ``position``; ``action``                                         what a board shows: ``read``, ``actions`` and
..                                                                            the pieces of ``picture`` at once
============ ================================================================ ===============================================

The ``chance`` of an outcome is that of an attack whose discs, where it names some, are all paid.

An action is in the notation of actions, and complete (``attack rhaetia: victory``); or it is an attack without its outcome or
``barbarians``, the Barbarian phase, with a ``seed`` of the dice or with their ``faces``. Between the faces of a phase stand
the answers to its choices, as in records. With a seed the policy ``decide`` answers: ``decline`` (the default) or ``eager``.

A view with an ``action``, which is complete, is that of the position after it; ``action`` and ``result`` are as those of ``apply``.
It has no ``actions`` where the position cannot occur.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tetrasolve.analysis.messages import RequestError, only, whole
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import ActionError, IllegalPositionError, shown
from tetrasolve.exact.certainty import fraction_data
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action, Kind, read_action
from tetrasolve.tetrarchia.draw import board_svg, pieces_svg
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.hint.service import MOST_SEED, read_faces, read_position
from tetrasolve.tetrarchia.jsonform import to_data
from tetrasolve.tetrarchia.parts import BARBARIANS, PLAY
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import POLICIES, Fall, GivenCourse, RandomDice
from tetrasolve.tetrarchia.text import position_text

Course: TypeAlias = list["int | str"]  # faces, with the answers to choices between them
Step: TypeAlias = "tuple[Action | None, tuple[int | str, ...], Position | Fall]"  # what happened, and what it led to

LAYERS: Mapping[str, Callable[[Position], str]] = {
    "all": lambda position: board_svg(position.board, position),
    "map": lambda position: board_svg(position.board, frame=False),
    "pieces": lambda position: pieces_svg(position.board, position),
}

LONGEST_ACTION = 200  # characters


def possible_position(fields: Mapping[str, Any]) -> Position:
    """The position of a request, which must be one that can occur.

    :raises IllegalPositionError: when it cannot.
    """
    position = read_position(fields)
    if reasons := position.status():
        raise IllegalPositionError(reasons)
    return position


def _read(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # takes one step, as everything here
    only(fields, {"position": ""})
    position = read_position(fields)
    reasons = position.status()
    return {
        "position": str(position),
        "json": to_data(position),
        "text": position_text(position),
        "legal": not reasons,
        "reasons": [{"code": r.code, "where": r.where, "text": r.text, "rule": r.rule} for r in reasons],
    }


def _actions(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"position": ""})
    position = possible_position(fields)
    legal: list[Action] = []
    if not position.is_won and position.phase is not Phase.BARBARIAN:
        legal = [*rules.legal_actions(position), *([END] if rules.may_end(position) else [])]
    return {
        "position": str(position),
        "phase": str(position.phase),
        "ip": position.ip,
        "actions": [_action_data(position, action) for action in legal],
    }


def _action_data(position: Position, action: Action) -> Result:
    data: Result = {
        "action": str(action),
        "ip": rules.cost(position, action),
        "kind": str(action.kind),
        "place": action.place or _place(position, action),
        "figure": action.figure,
    }
    if action.kind is not Kind.ATTACK:
        return data
    assert action.place is not None
    roll = rules.attack_roll(position, action.place, action.figure, action.payments)
    more = {"outcome": str(action.outcome), "payments": list(action.payments)}
    return {**data, **more, "chance": fraction_data(roll.distribution()[action])}


def _place(position: Position, action: Action) -> str | None:
    """The province in which a figure acts where it stands."""
    if action.kind in (Kind.SAIL, Kind.END):
        return None
    return position.romans.get(action.figure or position.to_move)


def _picture(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"position": "", "layer": ""})
    layer = fields.get("layer", "all")
    if not isinstance(layer, str) or layer not in LAYERS:
        raise RequestError(f"found {shown(layer)}", where="layer", expected=f"one of {', '.join(LAYERS)}")
    position = read_position(fields)
    return {"position": str(position), "svg": LAYERS[layer](position)}


# -- carrying out ------------------------------------------------------------------------------------------------------


def _apply(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, dict.fromkeys(("position", "action", "seed", "faces", "decide"), ""))
    text = fields.get("action")
    if not isinstance(text, str) or len(text) > LONGEST_ACTION:
        problem = f"found {shown(text)}" if "action" in fields else "missing"
        raise RequestError(problem, where="action", expected=f"an action as text, or {BARBARIANS}")
    course = read_faces(fields) if "faces" in fields else None
    policy = fields.get("decide", "decline")
    if not isinstance(policy, str) or policy not in POLICIES:
        raise RequestError(f"found {shown(policy)}", where="decide", expected=f"one of {', '.join(POLICIES)}")
    seed = None if "seed" not in fields else whole(fields["seed"], "seed", 0, MOST_SEED)
    if course is not None and seed is not None:
        raise RequestError("it does not go with seed", where="faces", expected="no such field")
    position = possible_position(fields)
    try:
        action, faces, state = (_phase if text.strip() == BARBARIANS else _action)(position, text, course, seed, policy)
    except ActionError as error:
        raise RequestError(str(error), where="action") from None
    return {
        **({} if action is None else {"action": str(action)}),
        "faces": list(faces),
        "position": None if isinstance(state, Fall) else str(state),
        "result": result_of(state),
    }


def result_of(state: Position | Fall) -> str:
    """How a game ends that has come to a state, as records say it; empty while it continues."""
    great = rules.great(state) if isinstance(state, Position) and state.is_won else None
    return PLAY.result(state) if great is None else f"won, bitter: {great} is the Great"


def _phase(position: Position, text: str, course: Course | None, seed: int | None, policy: str) -> Step:
    """The Barbarian phase with these dice."""
    del text
    game = Game(position)
    if course is None:
        if seed is None:
            raise RequestError("missing", where="seed", expected="a seed, or faces: the phase has dice")
        return None, game.barbarians(RandomDice(seed), POLICIES[policy]), game.state
    given = GivenCourse(course)
    try:
        faces = game.barbarians(given, given.decide)
    except LookupError as error:
        raise RequestError(str(error), where="faces") from None
    if given.left:
        raise RequestError(f"{len(given.left)} of them are not used", where="faces", expected="those of one phase")
    return None, faces, game.state


def _action(position: Position, text: str, course: Course | None, seed: int | None, policy: str) -> Step:
    """An action with a stated outcome, or an attack with these dice."""
    del policy
    if course is None and seed is None:
        action = rules.parse(position, text)
        return action, (), rules.play(position, action)
    attack = _attack(position, text)
    assert attack.place is not None
    dice = RandomDice(seed or 0)
    faces = (dice.roll("Roman die"), dice.roll("Barbarian die")) if course is None else _two_faces(course)
    action = rules.rolled_attack(position, attack.place, faces, attack.figure, attack.payments)
    return action, faces, rules.play(position, action)


def _attack(position: Position, text: str) -> Action:
    """The legal attack, without its outcome, that a text means."""
    attacks = [action for action in read_action(text, position.board) if action.kind is Kind.ATTACK]
    stated = [action for action in attacks if rules.objection(position, action) is None]
    ways = {(action.place, action.figure, action.payments): action for action in stated}
    if attacks and not stated:
        raise RequestError(f"{text}: {rules.objection(position, attacks[0])}", where="action")
    if len(ways) != 1 or len(stated) == 1:
        raise RequestError(
            f"found {shown(text)}", where="action", expected="with dice: one attack, without its outcome"
        )
    return stated[0]


def _two_faces(course: Course) -> tuple[int, ...]:
    faces = tuple(item for item in course if isinstance(item, int))
    if len(course) != 2 or len(faces) != 2:
        raise RequestError(f"found {shown(course)}", where="faces", expected="the faces of the two dice of an attack")
    return faces


def _view(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, {"position": "", "action": ""})
    applied = _apply(fields, context) if "action" in fields else {}
    line = applied.get("position", fields.get("position"))
    if line is None and applied:
        return applied
    about = {"position": line}
    read = _read(about, context)
    found = {**applied, "position": read["position"], "read": read}
    if read["legal"]:
        found["actions"] = _actions(about, context)
    return {**found, "picture": _picture({**about, "layer": "pieces"}, context)}


HANDLERS: Mapping[str, Handler] = {
    "read": _read, "actions": _actions, "apply": _apply, "picture": _picture, "view": _view,
}  # fmt: skip
