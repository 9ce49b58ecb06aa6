"""The engine of the analysis protocol (`tetrasolve.analysis`). Hints are for the base game, `risk` and `status` for all rules.

============ ========================================================================== ===============================
ask          fields                                                                     result
============ ========================================================================== ===============================
``hint``     ``position``; ``top``, ``seed``, ``budget``, ``games``                       as `Hint.as_data`
``risk``     ``position``; ``decide``, ``objective``, ``price``                           figures of the coming phase
``status``   ``position``                                                               ``legal``, and all ``reasons`` if not
============ ========================================================================== ===============================

A position is one line of notation, or an object in its JSON form. Where players decide in the phase, ``decide`` is ``decline``
(the default), ``eager``, or ``best``: then ``objective`` and ``price`` are those of `best_play`, a price as text or a whole number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from importlib import metadata
from typing import Any

from tetrasolve.analysis.messages import RequestError, only, whole
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import ObjectiveError, PositionSyntaxError, shown
from tetrasolve.exact.deadline import cancelled_by
from tetrasolve.tetrarchia.hint.advice import BUDGETS, FEWEST_GAMES, TOP, think
from tetrasolve.tetrarchia.hint.prospects import figure_data
from tetrasolve.tetrarchia.hint.weights import shipped
from tetrasolve.tetrarchia.phase.exact import risk
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.best import FIGURES, MOST_PRICE, best_play
from tetrasolve.tetrarchia.rules import POLICIES

MOST_TOP = 100
MOST_GAMES = 10**6
MOST_SEED = 2**63 - 1
_PRICE = re.compile(r"[0-9]{1,7}(?:/[1-9][0-9]{0,6}|\.[0-9]{1,9})?", re.ASCII)


def about() -> Result:
    """Versions and capabilities."""
    return {
        "engine": "tetrasolve",
        "version": metadata.version("tetrasolve"),
        "game": "tetrarchia",
        "evaluation": dict(shipped().made),
        "asks": sorted(["about", "cancel", *HANDLERS]),
        "budgets": list(BUDGETS),
    }


def _position(fields: Mapping[str, Any]) -> Position:
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


def _hint(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("position", "top", "seed", "budget", "games"), ""))
    budget = fields.get("budget", "search")
    if not isinstance(budget, str) or budget not in BUDGETS:
        raise RequestError(f"found {shown(budget)}", where="budget", expected=f"one of {', '.join(BUDGETS)}")
    games = whole(fields.get("games", 0), "games", 0, MOST_GAMES)
    if 0 < games < FEWEST_GAMES:
        raise RequestError(f"found {games}", where="games", expected=f"0, or at least {FEWEST_GAMES}")
    position = _position(fields)
    top = whole(fields.get("top", TOP), "top", 1, MOST_TOP)
    seed = whole(fields.get("seed", 0), "seed", 0, MOST_SEED)
    found = None
    with cancelled_by(context.is_stopped) as cancel:
        for found in think(
            position, seconds=context.seconds, top=top, seed=seed, budget=budget, games=games, cancel=cancel,
            is_stopped=context.is_stopped,
        ):  # fmt: skip
            if context.report_is_due():
                context.report(found.as_data())
    assert found is not None  # there is at least one step
    return found.as_data()


def _risk(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("position", "decide", "objective", "price"), ""))
    decide = fields.get("decide", "decline")
    if decide not in (*POLICIES, "best"):
        raise RequestError(f"found {shown(decide)}", where="decide", expected=f"one of {', '.join(POLICIES)} or best")
    if decide == "best":
        return _best(fields, context)
    for name in ("objective", "price"):
        if name in fields:
            raise RequestError("it goes with decide: best", where=name, expected="no such field")
    position = _position(fields)
    with cancelled_by(context.is_stopped) as cancel:
        found = risk(position, policy=decide, seconds=context.seconds, cancel=cancel)
    return {
        "position": str(position),
        "status": found.status,
        "kind": found.kind,
        **({"policy": found.policy} if found.policy else {}),
        **{name: figure_data(value) for name, value in found.values.items()},
        "new_revolts": {province: chance.as_data() for province, chance in found.new_revolts().items()},
    }


def _best(fields: Mapping[str, Any], context: RequestContext) -> Result:
    objective, price = fields.get("objective", FIGURES[0]), fields.get("price", 0)
    if not isinstance(objective, str):
        raise RequestError(f"found {shown(objective)}", where="objective", expected="an objective as text")
    is_price = isinstance(price, int) and not isinstance(price, bool) and 0 <= price <= MOST_PRICE
    if not is_price and not (isinstance(price, str) and _PRICE.fullmatch(price) and Fraction(price) <= MOST_PRICE):
        expected = f"a number from 0 to {MOST_PRICE}, whole or as text like 1/20"
        raise RequestError(f"found {shown(price)}", where="price", expected=expected)
    position = _position(fields)
    try:
        with cancelled_by(context.is_stopped) as cancel:
            found = best_play(position, objective, price=Fraction(price), seconds=context.seconds, cancel=cancel)
    except ObjectiveError as error:
        raise RequestError(str(error), where="objective") from None
    return found.as_data()


def _status(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # takes one step
    only(fields, {"position": ""})
    position = _position(fields)
    reasons = [str(reason) for reason in position.status()]
    return {"position": str(position), "legal": not reasons, "reasons": reasons}


HANDLERS: Mapping[str, Handler] = {"hint": _hint, "risk": _risk, "status": _status}
