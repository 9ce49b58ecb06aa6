"""The engine of the analysis protocol (`tetrasolve.analysis`) for this game.

============ ===================================================================== ============================================
ask          fields                                                                result
============ ===================================================================== ============================================
``about``                                                                          versions, kinds of requests
``new``      ``level``, ``seed``                                                   the first position, and the record so far
``read``     ``position``                                                          its forms, and why it cannot occur
``status``   ``position``                                                          ``legal``, and all ``reasons`` if not
``actions``  ``position``                                                          what can come, with its chance if it is a card
``apply``    ``position``, ``action``; or ``position``, ``seed``                   the position after it
``picture``  ``position``; ``layer``                                               ``svg``: all, or the cards alone
``risk``     ``position``; ``policy``; with the policy ``best`` ``objective``,     exact figures of the turn; with ``best``
             ``cards``                                                             what the best decisions reach
``plan``     ``position``; ``objective``                                           the best actions, as ``Plan.as_data``
``hint``     ``position``; ``top``, ``seed``, ``budget``                           as ``TurnHint.as_data``
..           ``position``, ``compare``; ``seed``, ``budget``                       as ``Comparison.as_data``
``review``   ``record``; ``budget``, ``seed``                                      as ``GameReview.as_data``
``replay``   ``record``                                                            whether it follows the rules, each state
============ ===================================================================== ============================================

`tetrasolve.finem.service.puzzles` has the requests about puzzles, `tetrasolve.finem.service.findings` those about the linter.

A position is one line of notation, or an object in its JSON form. An action is a decision in words, or the card that is drawn;
with a ``seed`` and no action the program draws it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from fractions import Fraction
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from tetrasolve.analysis.depth import FINAL, Depth
from tetrasolve.analysis.messages import RequestError, only, whole
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import (
    ActionError,
    IllegalActionError,
    ObjectiveError,
    PositionSyntaxError,
    RecordError,
    RulesetError,
    shown,
)
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.deadline import cancelled_by
from tetrasolve.finem import draw, rules
from tetrasolve.finem.bestturn import BEST, best_turn
from tetrasolve.finem.game import Game, new_game
from tetrasolve.finem.hint.advice import BUDGETS, MOST_TOP, TOP, think
from tetrasolve.finem.hint.comparison import compare
from tetrasolve.finem.hint.review import review
from tetrasolve.finem.hint.weights import shipped
from tetrasolve.finem.jsonform import to_data
from tetrasolve.finem.parts import PLAY
from tetrasolve.finem.plan import plan
from tetrasolve.finem.position import Position
from tetrasolve.finem.position import Result as Ended
from tetrasolve.finem.record import read_record, write_record
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.service import findings, puzzles
from tetrasolve.finem.status import require_legal, status
from tetrasolve.finem.text import position_text
from tetrasolve.finem.turnrisk import POLICIES, turn_risk
from tetrasolve.release import version

__all__ = ["DEEPENING", "HANDLERS", "QUICK", "about", "depth", "digest", "schema"]

MOST_SEED = 2**63 - 1
LONGEST_ACTION = 200  # characters
LONGEST_LEVEL = 2000
LONGEST_OBJECTIVE = 600
LONGEST_PLAN = 1000
MOST_CARDS = 50  # more than a turn can bring
LAYERS: Mapping[str, Callable[[Position], str]] = {"all": draw.picture, "cards": draw.cards_picture}
QUICK = (
    "actions",
    "apply",
    "finding",
    "findings",
    "new",
    "picture",
    "puzzle",
    "puzzle_of_the_day",
    "puzzles",
    "read",
    "replay",
    "status",
)  # take milliseconds
DEEPENING = ("hint",)  # get better as long as there is time


def about() -> Result:
    """Versions and capabilities."""
    return {
        "engine": "tetrasolve",
        "version": version(),
        "game": "et-finem",
        "evaluation": {**shipped().made, "digest": shipped().digest},
        "asks": sorted(["about", "cancel", *HANDLERS]),
        "quick": sorted(QUICK),
        "budgets": list(BUDGETS),
    }


# -- fields ------------------------------------------------------------------------------------------------------------


def _position(fields: Mapping[str, Any]) -> Position:
    """The position of a request.

    :raises RequestError: when it has none, or one that cannot be read.
    """
    given = fields.get("position")
    try:
        if isinstance(given, str):
            return Position.parse(given)
        if isinstance(given, dict):
            return Position.from_json(json.dumps(given))
    except PositionSyntaxError as error:
        problem = f"found {shown(error.found)}"
        raise RequestError(problem, where=f"position: {error.where}", expected=error.expected) from None
    problem = f"found {shown(given)}" if "position" in fields else "missing"
    raise RequestError(problem, where="position", expected="a position as text or as an object")


def _possible(fields: Mapping[str, Any]) -> Position:
    """The position of a request, which must be one that can occur."""
    position = _position(fields)
    require_legal(position)
    return position


def _text(fields: Mapping[str, Any], name: str, longest: int, expected: str, default: str | None = None) -> str:
    found = fields.get(name, default)
    if not isinstance(found, str):
        problem = f"found {shown(found)}" if name in fields else "missing"
        raise RequestError(problem, where=name, expected=expected)
    if len(found) > longest:
        raise RequestError(
            f"found {len(found):,} characters", where=name, expected=f"{expected}, at most {longest:,} characters"
        )
    return found


def _one_of(fields: Mapping[str, Any], name: str, known: Iterable[str], default: str) -> str:
    found = fields.get(name, default)
    names = list(known)
    if not isinstance(found, str) or found not in names:
        raise RequestError(f"found {shown(found)}", where=name, expected=f"one of {', '.join(names)}")
    return found


def _seed(fields: Mapping[str, Any], default: Any = 0) -> int:
    return whole(fields.get("seed", default), "seed", 0, MOST_SEED)


def _record(fields: Mapping[str, Any]) -> str:
    text = fields.get("record")
    if not isinstance(text, str):
        problem = f"found {shown(text)}" if "record" in fields else "missing"
        raise RequestError(problem, where="record", expected="a record as text")
    return text


# -- positions and games -----------------------------------------------------------------------------------------------


def _new(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # takes one step, as all that is quick
    only(fields, dict.fromkeys(("level", "seed"), ""))
    seed = _seed(fields, None)
    level = _text(fields, "level", LONGEST_LEVEL, "a level like standard, with options and readings")
    try:
        game = new_game(Ruleset.from_text(level), seed)
    except RulesetError as error:
        raise RequestError(str(error), where="level") from None
    is_open = isinstance(game.start, Position)
    return {
        "position": str(game.start) if is_open else None,
        "result": "" if is_open else str(game.start),
        "record": write_record(game),
    }


def _reasons(position: Position) -> list[Result]:
    return [{"code": r.code, "where": r.where, "text": r.text, "rule": r.rule} for r in status(position)]


def _read(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"position": ""})
    position = _position(fields)
    reasons = _reasons(position)
    return {
        "position": str(position),
        "json": to_data(position),
        "text": position_text(position),
        "most_decline": position.ruleset.most_decline,
        "legal": not reasons,
        "reasons": reasons,
    }


def _status(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"position": ""})
    position = _position(fields)
    reasons = _reasons(position)
    return {"position": str(position), "legal": not reasons, "reasons": reasons}


def _actions(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"position": ""})
    position = _possible(fields)
    node = rules.node(position)
    chance = {"chance": Exact(Fraction(1, len(node.options))).as_data()} if node.is_chance else {}
    return {
        "position": str(position),
        "phase": str(position.phase),
        "step": str(position.step),
        "left": position.left,
        "is_chance": node.is_chance,
        "actions": [{"action": option, **chance} for option in node.options],
    }


def _apply(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, dict.fromkeys(("position", "action", "seed"), ""))
    position = _possible(fields)
    if "seed" in fields and "action" in fields:
        raise RequestError("it does not go with action", where="seed", expected="no such field")
    if "seed" in fields:
        seed = _seed(fields)
        if not position.step.is_chance:
            raise RequestError("the player decides here", where="seed", expected="an action")
        action = rules.sample(position, Random(f"apply {seed}"))
    else:
        action = " ".join(_text(fields, "action", LONGEST_ACTION, "a decision, or the card that is drawn").split())
    try:
        state = rules.take(position, action)
    except IllegalActionError as error:
        raise RequestError(str(error), where="action") from None
    return {
        "action": action,
        "position": None if isinstance(state, Ended) else str(state),
        "result": PLAY.result(state),
    }


def _picture(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, dict.fromkeys(("position", "layer"), ""))
    layer = _one_of(fields, "layer", LAYERS, "all")
    position = _position(fields)
    return {"position": str(position), "svg": LAYERS[layer](position)}


def _replay(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # a record is no longer than a request
    only(fields, {"record": ""})
    try:
        game = read_record(_record(fields))
    except RecordError as error:
        return {"verified": False, "line": error.line, "problem": error.problem}
    return {"verified": True, "result": game.result, "states": _states(game)}


def _states(game: Game) -> list[Result]:
    """The start, then each card or decision with the position after it."""
    lines = [str(state) if isinstance(state, Position) else None for state in game.states]
    return [
        {"position": lines[0]},
        *({"action": action, "position": line} for action, line in zip(game.played, lines[1:], strict=True)),
    ]


# -- questions ---------------------------------------------------------------------------------------------------------


def _risk(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("position", "policy", "objective", "cards"), ""))
    policy = _one_of(fields, "policy", (*POLICIES, BEST), "careful")
    if policy == BEST:
        return _best(fields, context)
    for name in ("objective", "cards"):
        if name in fields:
            raise RequestError("it goes with the policy best", where=name)
    position = _possible(fields)
    with cancelled_by(context.is_stopped) as cancel:
        found = turn_risk(position, policy, seconds=context.seconds, cancel=cancel)
    return {"position": str(position), **found.as_data()}


def _best(fields: Mapping[str, Any], context: RequestContext) -> Result:
    """What the best decisions of the turn reach."""
    objective = _text(fields, "objective", LONGEST_OBJECTIVE, "an objective as text", "p_lost")
    cards = fields.get("cards", [])
    if not isinstance(cards, list) or len(cards) > MOST_CARDS or not all(isinstance(card, str) for card in cards):
        raise RequestError(f"found {shown(cards)}", where="cards", expected=f"a list of at most {MOST_CARDS} cards")
    position = _possible(fields)
    try:
        with cancelled_by(context.is_stopped) as cancel:
            found = best_turn(position, objective, cards=cards, seconds=context.seconds, cancel=cancel)
    except ObjectiveError as error:
        raise RequestError(str(error), where="objective") from None
    except ActionError as error:
        raise RequestError(str(error), where="cards") from None
    return {"position": str(position), **found.as_data()}


def _plan(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("position", "objective"), ""))
    objective = _text(fields, "objective", LONGEST_OBJECTIVE, "an objective as text", "p_lost")
    position = _possible(fields)
    try:
        with cancelled_by(context.is_stopped) as cancel:
            found = plan(position, objective, seconds=context.seconds, cancel=cancel)
    except ObjectiveError as error:
        raise RequestError(str(error), where="objective") from None
    return {"position": str(position), **found.as_data()}


def _hint(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("position", "top", "seed", "budget", "compare"), ""))
    budget = _one_of(fields, "budget", BUDGETS, "search")
    top, seed = whole(fields.get("top", TOP), "top", 1, MOST_TOP), _seed(fields)
    if "compare" in fields:
        return _compared(fields, seed, budget, context)
    position = _possible(fields)
    found = None
    with cancelled_by(context.is_stopped) as cancel:
        steps = think(
            position,
            seconds=context.seconds,
            top=top,
            seed=seed,
            budget=budget,
            cancel=cancel,
            is_stopped=context.is_stopped,
        )
        with closing(steps):  # type: ignore[type-var]  # a generator has close
            for found in steps:
                if context.report_is_due():
                    context.report(found.as_data())
    assert found is not None  # there is at least one step
    return found.as_data()


def _compared(fields: Mapping[str, Any], seed: int, budget: str, context: RequestContext) -> Result:
    if "top" in fields:
        raise RequestError("it does not go with compare", where="top", expected="no such field")
    mine = _text(fields, "compare", LONGEST_PLAN, "a plan as text")
    position = _possible(fields)
    try:
        with cancelled_by(context.is_stopped) as cancel:
            return compare(position, mine, seconds=context.seconds, seed=seed, budget=budget, cancel=cancel).as_data()
    except IllegalActionError as error:
        raise RequestError(str(error), where="compare") from None


def _review(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("record", "budget", "seed"), ""))
    budget, seed = _one_of(fields, "budget", BUDGETS, "expectimax"), _seed(fields)
    try:
        game = read_record(_record(fields))
    except RecordError as error:
        raise RequestError(f"line {error.line}: {error.problem}", where="record") from None
    with cancelled_by(context.is_stopped) as cancel:
        return review(game, budget=budget, seed=seed, seconds=context.seconds, cancel=cancel).as_data()


HANDLERS: Mapping[str, Handler] = {
    "actions": _actions,
    "apply": _apply,
    **findings.HANDLERS,
    "hint": _hint,
    "new": _new,
    "picture": _picture,
    "plan": _plan,
    **puzzles.HANDLERS,
    "read": _read,
    "replay": _replay,
    "review": _review,
    "risk": _risk,
    "status": _status,
}


# -- services ----------------------------------------------------------------------------------------------------------


def depth(kind: str, result: Result) -> Depth | None:
    """The depth of an answer to this kind of request; None where it is not worth to be kept.

    >>> depth("risk", {"status": "exact"}), depth("hint", {"status": "complete", "continuations": 90})
    (Depth(is_final=True, whole=0, work=0), Depth(is_final=False, whole=1, work=90))
    """
    if kind in ("risk", "plan"):
        return FINAL if result["status"] == "exact" else Depth()
    if kind == "hint":
        return Depth(whole=int(result["status"] == "complete"), work=int(result["continuations"]))
    if kind == "review":
        return Depth(whole=int(result["status"] == "complete"), work=len(result["decisions"]))
    return None


@cache
def digest() -> str:
    """A digest of all that answers depend on beside their request: the version, and the data of the game."""
    found = hashlib.sha256(version().encode())
    for folder in (files("tetrasolve.finem") / "data", files("tetrasolve.finem.hint") / "data"):
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if entry.is_file():
                found.update(entry.name.encode() + b"\0" + hashlib.sha256(entry.read_bytes()).digest())
    return found.hexdigest()


@cache
def schema() -> Mapping[str, Any]:
    """The JSON Schema of the messages (draft 2020-12); the fields of each kind of request are ``$defs/ask_KIND``, with examples."""
    text = (files("tetrasolve.finem") / "data/analysis.schema.json").read_text("utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found
