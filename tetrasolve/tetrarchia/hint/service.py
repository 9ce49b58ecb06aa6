"""The engine of the analysis protocol (`tetrasolve.analysis`), for all rules.

============ ========================================================================== ===============================
ask          fields                                                                     result
============ ========================================================================== ===============================
``hint``     ``position``; ``top``, ``seed``, ``budget``, ``games``; ``board``            as `Hint.as_data`, with ``turn``
..           ``position``, ``compare``; ``seed``, ``budget``; ``board``                 as `Comparison.as_data`, with ``turn``
..           ``position``; ``faces``, ``seed``; ``board``                                as `ChoiceAdvice.as_data`
``risk``     ``position``; ``decide``, ``objective``, ``price``, ``by``, ``svg``;       figures of the coming phase,
             ``horizon``, ``plans``, ``runs``, ``run_seed``                             or of several
``status``   ``position``                                                               ``legal``, and all ``reasons`` if not
============ ========================================================================== ===============================

A position is one line of notation, or an object in its JSON form. ``board`` is the text of a board file, on which the position
is then; one that the game cannot be played on is refused.

In a Barbarian phase with Barbaria or Imperium a hint is advice on a choice: on the first one, where the phase begins with it, or on
that after ``faces``, the dice and answers so far as ``course`` has them. ``top`` and ``budget`` are about turns, and change nothing
then; ``compare`` and ``games`` are refused. `ChoiceAdvice.as_data` has ``options`` in place of ``plans``.

Where players decide in the phase, ``decide`` is ``decline``
(the default), ``eager``, or ``best``: then ``objective`` and ``price`` are those of `best_play`, a price as text or a whole number.
``by`` (``event``, ``province`` or ``disc``) adds details under ``by_event``, ..., for the same policy; with ``best`` only where the
reference rules solve the phase. ``svg`` (true) adds the picture. ``horizon`` is a number of phases: the result is then as
`Horizon.as_data`, with the ``plans`` of the next turns. What the command ``risk`` refuses together is refused here, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from tetrasolve.analysis.messages import RequestError, only, whole
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import (
    ActionError,
    BoardError,
    IllegalPositionError,
    ObjectiveError,
    PositionSyntaxError,
    TooLargeError,
    UnreadableActionError,
    shown,
)
from tetrasolve.exact.deadline import cancelled_by, stop_of
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.release import version
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import is_whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardcheck import check_parts
from tetrasolve.tetrarchia.boardfile import read_board
from tetrasolve.tetrarchia.hint.advice import BUDGETS, FEWEST_GAMES, TOP, Advice, Hint, think
from tetrasolve.tetrarchia.hint.choices import advise_in_steps, choice_after, is_about_phase
from tetrasolve.tetrarchia.hint.comparison import compare
from tetrasolve.tetrarchia.hint.prospects import figure_data
from tetrasolve.tetrarchia.hint.weights import shipped
from tetrasolve.tetrarchia.phase.exact import risk
from tetrasolve.tetrarchia.phase.text import risk_svg
from tetrasolve.tetrarchia.plan.steps import turn_data
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.best import FIGURES, MOST_PRICE, MOST_STATES, best_play
from tetrasolve.tetrarchia.risk.besthorizon import MOST_PHASES as MOST_BEST_PHASES
from tetrasolve.tetrarchia.risk.besthorizon import best_horizon
from tetrasolve.tetrarchia.risk.deciders import MOST_STATES as MOST_DETAILED
from tetrasolve.tetrarchia.risk.deciders import by_best_play, by_policy, of_details, require_details
from tetrasolve.tetrarchia.risk.horizon import RUNS, horizon
from tetrasolve.tetrarchia.risk.rollout import MOST_PHASES
from tetrasolve.tetrarchia.risk.views import VIEWS
from tetrasolve.tetrarchia.rules import POLICIES
from tetrasolve.tetrarchia.rules.chance import FACES

MOST_TOP = 100
MOST_GAMES = 10**6
MOST_RUNS = 10**7
MOST_SEED = 2**63 - 1
MOST_FACES = 1000  # and answers of one phase
RISK_FIELDS = ("position", "board", "decide", "objective", "price", "by", "svg")
HORIZON_FIELDS = ("horizon", "plans", "runs", "run_seed")
_PRICE = re.compile(r"[0-9]{1,7}(?:/[1-9][0-9]{0,6}|\.[0-9]{1,9})?", re.ASCII)


def about() -> Result:
    """Versions and capabilities."""
    return {
        "engine": "tetrasolve",
        "version": version(),
        "game": "tetrarchia",
        "evaluation": dict(shipped().made),
        "evaluation_with_modules": dict(shipped(modules=True).made),
        "asks": sorted(["about", "cancel", *HANDLERS]),
        "budgets": list(BUDGETS),
    }


def read_position(fields: Mapping[str, Any]) -> Position:
    """The position of a request.

    :raises RequestError: when it has none, or one that cannot be read.
    """
    given, board = fields.get("position"), playable_board(fields)
    try:
        if isinstance(given, str):
            return Position.parse(given, board)
        if isinstance(given, dict):
            return Position.from_json(json.dumps(given), board)
    except PositionSyntaxError as error:
        problem = f"found {shown(error.found)}"
        raise RequestError(problem, where=f"position: {error.where}", expected=error.expected) from None
    problem = f"found {shown(given)}" if "position" in fields else "missing"
    raise RequestError(problem, where="position", expected="a position as text or as an object")


def read_faces(fields: Mapping[str, Any]) -> list[int | str]:
    """The dice of a request, with the answers to choices between them; none where it has no such field.

    :raises RequestError: when they are no such list.
    """
    course = fields.get("faces", [])
    is_course = isinstance(course, list)
    if is_course and len(course) > MOST_FACES:
        raise RequestError(f"found {len(course)} of them", where="faces", expected=f"at most {MOST_FACES}")
    if is_course and (written := next((item for item in course if isinstance(item, str) and item.isdecimal()), None)):
        raise RequestError(f"found {shown(written)}", where="faces", expected="faces as numbers, only answers as text")
    if not is_course or not all(isinstance(item, str) or (is_whole(item) and item in FACES) for item in course):
        expected = "a list of faces from 1 to 6, with answers as text between them"
        raise RequestError(f"found {shown(course)}", where="faces", expected=expected)
    return list(course)


def playable_board(fields: Mapping[str, Any]) -> Board | None:
    """The board of a request that may have one, None for that of the library."""
    if "board" not in fields:
        return None
    text = fields["board"]
    if not isinstance(text, str):
        raise RequestError(f"found {shown(text)}", where="board", expected="a board file as text")
    try:
        board = read_board(text)
    except BoardError as error:
        raise RequestError(str(error).removeprefix(f"{error.source}: "), where="board") from None
    if findings := check_parts(board):
        problem = "; ".join(map(str, findings))
        raise RequestError(problem, where="board", expected="a board on which the game can be played")
    return board


def _hint(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("position", "board", "top", "seed", "budget", "games", "compare", "faces"), ""))
    budget = fields.get("budget", "search")
    if not isinstance(budget, str) or budget not in BUDGETS:
        raise RequestError(f"found {shown(budget)}", where="budget", expected=f"one of {', '.join(BUDGETS)}")
    games = whole(fields.get("games", 0), "games", 0, MOST_GAMES)
    if 0 < games < FEWEST_GAMES:
        raise RequestError(f"found {games}", where="games", expected=f"0, or at least {FEWEST_GAMES}")
    top = whole(fields.get("top", TOP), "top", 1, MOST_TOP)
    seed = whole(fields.get("seed", 0), "seed", 0, MOST_SEED)
    faces = read_faces(fields)
    position = read_position(fields)
    if "faces" in fields or is_about_phase(position):
        return _advised(fields, position, faces, seed, context)
    if "compare" in fields:
        return _compared(fields, position, seed, budget, context)
    found = None
    with cancelled_by(context.is_stopped) as cancel:
        for found in think(
            position, seconds=context.seconds, top=top, seed=seed, budget=budget, games=games, cancel=cancel,
            is_stopped=context.is_stopped,
        ):  # fmt: skip
            if context.report_is_due():
                context.report(_hint_data(found))
    assert found is not None  # there is at least one step
    return _hint_data(found)


def _advised(
    fields: Mapping[str, Any], position: Position, faces: list[int | str], seed: int, context: RequestContext
) -> Result:
    """Advice on a choice of a Barbarian phase."""
    for name in ("compare", "games"):
        if name in fields:
            raise RequestError("it does not go with a choice of a phase", where=name, expected="no such field")
    try:
        choice = choice_after(position, faces)
    except (ActionError, IllegalPositionError) as error:
        if faces and not getattr(error, "cannot_occur", False):
            raise RequestError(str(error), where="faces") from None
        raise
    found = None
    with cancelled_by(context.is_stopped) as cancel:
        for found in advise_in_steps(choice, seed=seed, seconds=context.seconds, cancel=cancel):
            if context.report_is_due():
                context.report(found.as_data())
    assert found is not None  # there is at least one step
    return found.as_data()


def _hint_data(found: Hint) -> Result:
    return {**found.as_data(), "plans": [_advice_data(found.position, advice) for advice in found.advice]}


def _advice_data(position: Position, advice: Advice) -> dict[str, Any]:
    return {**advice.as_data(), "turn": turn_data(position, advice.plan)}


def _compared(fields: Mapping[str, Any], position: Position, seed: int, budget: str, context: RequestContext) -> Result:
    for name in ("top", "games"):
        if name in fields:
            raise RequestError("it does not go with compare", where=name, expected="no such field")
    plan = fields["compare"]
    if not isinstance(plan, str):
        raise RequestError(f"found {shown(plan)}", where="compare", expected="a plan as text")
    try:
        with cancelled_by(context.is_stopped) as cancel:
            found = compare(position, plan, seed=seed, budget=budget, seconds=context.seconds, cancel=cancel)
    except ActionError as error:
        raise RequestError(str(error), where="compare") from None
    plans = {name: _advice_data(position, advice) for name, advice in (("mine", found.mine), ("best", found.best))}
    return {**found.as_data(), **plans}


def _risk(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys((*RISK_FIELDS, *HORIZON_FIELDS), ""))
    decide = fields.get("decide", "decline")
    if decide not in (*POLICIES, "best"):
        raise RequestError(f"found {shown(decide)}", where="decide", expected=f"one of {', '.join(POLICIES)} or best")
    view, svg = _closer(fields)
    if "horizon" in fields:
        return _horizon(fields, decide, context)
    for name in HORIZON_FIELDS:
        if name in fields:
            raise RequestError("it goes with horizon", where=name, expected="no such field")
    if decide == "best":
        return _best(fields, view, context)
    refuse_objective(fields)
    position = read_position(fields)
    closer: dict[str, Any] = {}
    with cancelled_by(context.is_stopped) as cancel:
        stop = stop_of(context.seconds, cancel)
        found = risk(position, policy=decide, seconds=context.seconds, cancel=cancel)
        if view is not None:
            with suppress(Stopped):
                closer[f"by_{view}"] = VIEWS[view](position, stop, by_policy(decide))
    if svg:
        closer["svg"] = risk_svg(found)
    is_short = view is not None and f"by_{view}" not in closer
    return {
        "position": str(position),
        "status": "interrupted" if is_short else found.status,
        "kind": found.kind,
        **({"policy": found.policy} if found.policy else {}),
        **{name: figure_data(value) for name, value in found.values.items()},
        "new_revolts": {province: chance.as_data() for province, chance in found.new_revolts().items()},
        **closer,
    }


def _closer(fields: Mapping[str, Any]) -> tuple[str | None, bool]:
    """The details and the picture that are asked for, where they fit the other fields."""
    view, svg = fields.get("by"), fields.get("svg", False)
    if "by" in fields and (not isinstance(view, str) or view not in VIEWS):
        raise RequestError(f"found {shown(view)}", where="by", expected=f"one of {', '.join(VIEWS)}")
    if not isinstance(svg, bool):
        raise RequestError(f"found {shown(svg)}", where="svg", expected="true or false")
    for name, is_asked in (("by", view is not None), ("svg", svg)):
        if is_asked and "horizon" in fields:
            raise RequestError("it does not go with horizon", where=name, expected="no such field")
    if svg and fields.get("decide") == "best":
        raise RequestError("it does not go with decide: best", where="svg", expected="no such field")
    return view, svg


def refuse_objective(fields: Mapping[str, Any]) -> None:
    """Refuse what goes with best play only.

    :raises RequestError: which names the field.
    """
    for name in ("objective", "price"):
        if name in fields:
            raise RequestError("it goes with decide: best", where=name, expected="no such field")


def _horizon(fields: Mapping[str, Any], decide: str, context: RequestContext) -> Result:
    if decide != "best":
        refuse_objective(fields)
    elif "price" in fields:
        raise RequestError("discs are worth what later phases make of them", where="price", expected="no such field")
    phases = whole(fields["horizon"], "horizon", 1, MOST_PHASES)
    runs = whole(fields.get("runs", RUNS), "runs", 0, MOST_RUNS)
    seed = whole(fields.get("run_seed", 0), "run_seed", 0, MOST_SEED)
    plans = fields.get("plans", [])
    if not isinstance(plans, list) or len(plans) > MOST_PHASES or not all(isinstance(plan, str) for plan in plans):
        expected = f"a list of at most {MOST_PHASES} plans as text"
        raise RequestError(f"found {shown(plans)}", where="plans", expected=expected)
    position = read_position(fields)
    try:
        with cancelled_by(context.is_stopped) as cancel:
            if decide == "best":
                return _best_horizon(fields, position, phases, plans, context.seconds, cancel)
            found = horizon(
                position, phases, plans=plans, policy=decide, runs=runs, seed=seed, seconds=context.seconds, cancel=cancel,
                executor=SerialExecutor(),
            )  # fmt: skip
    except UnreadableActionError as error:
        raise RequestError(str(error), where="plans") from None
    return found.as_data()


def _best_horizon(
    fields: Mapping[str, Any], position: Position, phases: int, plans: list[str], seconds: float | None, cancel: Stop
) -> Result:
    """Several phases under best play."""
    objective = fields.get("objective", FIGURES[0])
    if not isinstance(objective, str):
        raise RequestError(f"found {shown(objective)}", where="objective", expected="text")
    if phases > MOST_BEST_PHASES:
        expected = f"a whole number from 1 to {MOST_BEST_PHASES} with decide: best"
        raise RequestError(f"found {phases}", where="horizon", expected=expected)
    found = best_horizon(position, phases, objective=objective, plans=plans, seconds=seconds, cancel=cancel)
    return found.as_data()


def _best(fields: Mapping[str, Any], view: str | None, context: RequestContext) -> Result:
    objective, price = objective_and_price(fields)
    position = read_position(fields)
    closer: dict[str, Any] = {}
    most_states = MOST_STATES if view is None else MOST_DETAILED
    with cancelled_by(context.is_stopped) as cancel:
        stop = stop_of(context.seconds, cancel)
        try:
            found = best_play(
                position, objective, price=price, most_states=most_states, seconds=context.seconds, cancel=cancel
            )
        except ObjectiveError as error:
            raise RequestError(str(error), where="objective") from None
        if view is not None:
            try:
                require_details(found, view)
                decider = of_details(view, by_best_play(found.wanted, found.price, stop=stop))
                with suppress(Stopped):
                    closer[f"by_{view}"] = VIEWS[view](position, stop, decider)
            except TooLargeError as error:
                raise RequestError(str(error), where="by") from None
    is_short = view is not None and not closer
    return {**found.as_data(), **({"status": "interrupted"} if is_short else {}), **closer}


def objective_and_price(fields: Mapping[str, Any]) -> tuple[str, Fraction]:
    """What best play is for: the fields ``objective`` and ``price`` of a request.

    :raises RequestError: when one of them cannot be read.
    """
    objective, price = fields.get("objective", FIGURES[0]), fields.get("price", 0)
    if not isinstance(objective, str):
        raise RequestError(f"found {shown(objective)}", where="objective", expected="an objective as text")
    is_price = isinstance(price, int) and not isinstance(price, bool) and 0 <= price <= MOST_PRICE
    if not is_price and not (isinstance(price, str) and _PRICE.fullmatch(price) and Fraction(price) <= MOST_PRICE):
        expected = f"a number from 0 to {MOST_PRICE}, whole or as text like 1/20"
        raise RequestError(f"found {shown(price)}", where="price", expected=expected)
    return objective, Fraction(price)


def _status(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # takes one step
    only(fields, {"position": ""})
    position = read_position(fields)
    reasons = [str(reason) for reason in position.status()]
    return {"position": str(position), "legal": not reasons, "reasons": reasons}


HANDLERS: Mapping[str, Handler] = {"hint": _hint, "risk": _risk, "status": _status}
