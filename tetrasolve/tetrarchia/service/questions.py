"""Requests about turns, fights, games and readings.

============ ============================================================ ===================================================
ask          fields                                                       result
============ ============================================================ ===================================================
``plan``     ``position``, ``objective``; ``attacks``                     as the command ``plan --json``, with ``turn``
``turn``     ``position``, ``plan``                                       the plan as steps with IP, branches with chances
``fight``    ``position``; ``decide``, ``objective``, ``price``           as the command ``fight --json``
``campaign`` ``position``, ``goal``; ``stated``, ``dice``, ``alone``,     as the command ``campaign --json``
             ``turns``
``review``   ``record``; ``budget``, ``seed``, ``phases``                 as `Review.as_data`
``findings`` ``readings``                                                 as the command ``lint --json``
============ ============================================================ ===================================================

``decide``, ``objective`` and ``price`` of a ``fight`` are those of ``risk``. All follow ``seconds`` and ``cancel``: the best answer
so far comes back, and its ``status`` says whether it is proved or complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetrasolve.analysis.messages import RequestError, only, readings_of, whole
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import ActionError, FindingError, ObjectiveError, RecordError, RulesetError, shown
from tetrasolve.exact.deadline import cancelled_by
from tetrasolve.tetrarchia.hint.advice import BUDGETS
from tetrasolve.tetrarchia.hint.phasereview import FEWEST_PHASES, MOST_PHASES
from tetrasolve.tetrarchia.hint.review import review
from tetrasolve.tetrarchia.hint.service import MOST_SEED, objective_and_price, read_position, refuse_objective
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.plan import Status, plan
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.steps import turn_data
from tetrasolve.tetrarchia.record import read_record
from tetrasolve.tetrarchia.risk.combat import BEST, DECLINE, fight
from tetrasolve.tetrarchia.rules import POLICIES
from tetrasolve.tetrarchia.service.data import fights_data, plan_data
from tetrasolve.tetrarchia.service.positions import possible_position
from tetrasolve.tetrarchia.service.puzzles import finding_data
from tetrasolve.tetrarchia.service.reading import LONGEST_PLAN, read_turn, required, text_of

MOST_TURNS = 24


def _plan(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("position", "objective", "attacks"), ""))
    objective = required(fields, "objective", "an objective as text")
    attacks = text_of(fields, "attacks", "dice, none or stated outcomes")
    position = read_position(fields)
    try:
        with cancelled_by(context.is_stopped) as cancel:
            found = plan(position, objective, attacks=attacks, seconds=context.seconds, cancel=cancel)
    except ObjectiveError as error:
        raise RequestError(str(error), where="objective") from None
    shown_plan = None if found.status is Status.INFEASIBLE_PROVED else found.plan
    turn = None if shown_plan is None else turn_data(found.position, shown_plan)
    return {**plan_data(found), "turn": turn}


def _turn(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # carries out each action of the plan once
    only(fields, dict.fromkeys(("position", "plan"), ""))
    position = possible_position(fields)
    found = read_turn(fields, "plan", position)
    try:
        endings(position, found)  # refuses what the rules forbid, and chances that are not those of the dice
        return {"position": str(position), "turn": turn_data(position, found)}
    except ActionError as error:
        raise RequestError(str(error), where="plan") from None


def _fight(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("position", "decide", "objective", "price"), ""))
    policy = fields.get("decide", DECLINE)
    if policy not in (*POLICIES, BEST):
        raise RequestError(f"found {shown(policy)}", where="decide", expected=f"one of {', '.join([*POLICIES, BEST])}")
    if policy != BEST:
        refuse_objective(fields)
    objective, price = objective_and_price(fields)
    position = read_position(fields)
    try:
        with cancelled_by(context.is_stopped) as cancel:
            found = fight(
                position,
                policy=policy,
                objective=objective if policy == BEST else None,
                price=price,
                seconds=context.seconds,
                cancel=cancel,
            )
    except ObjectiveError as error:
        raise RequestError(str(error), where="objective") from None
    except RulesetError as error:
        raise RequestError(str(error), where="decide") from None
    return fights_data(found)


def _campaign(fields: Mapping[str, Any], context: RequestContext) -> Result:
    from tetrasolve.tetrarchia.plan.campaign import campaign  # requires an extra
    from tetrasolve.tetrarchia.plan.campaign.dice import DiceError
    from tetrasolve.tetrarchia.plan.campaign.text import campaign_data

    only(fields, dict.fromkeys(("position", "goal", "stated", "dice", "alone", "turns"), ""))
    goal = required(fields, "goal", "a goal as text")
    stated = text_of(fields, "stated", "attacks with their outcomes")
    dice = text_of(fields, "dice", "a line of dice for each phase", LONGEST_PLAN)
    alone = fields.get("alone", False)
    if not isinstance(alone, bool):
        raise RequestError(f"found {shown(alone)}", where="alone", expected="true or false")
    turns = None if "turns" not in fields else whole(fields["turns"], "turns", 1, MOST_TURNS)
    position = read_position(fields)
    try:
        with cancelled_by(context.is_stopped) as cancel:
            found = campaign(
                position,
                goal,
                stated=stated,
                dice=dice,
                alone=alone,
                turns=turns,
                seconds=context.seconds,
                cancel=cancel,
            )
    except DiceError as error:
        raise RequestError(str(error), where="dice") from None
    except ObjectiveError as error:
        raise RequestError(str(error), where="goal") from None
    return campaign_data(found)


def _review(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("record", "budget", "seed", "phases"), ""))
    text = fields.get("record")
    if not isinstance(text, str):
        problem = f"found {shown(text)}" if "record" in fields else "missing"
        raise RequestError(problem, where="record", expected="a record as text")
    budget = fields.get("budget", "expectimax")
    if not isinstance(budget, str) or budget not in BUDGETS:
        raise RequestError(f"found {shown(budget)}", where="budget", expected=f"one of {', '.join(BUDGETS)}")
    seed = whole(fields.get("seed", 0), "seed", 0, MOST_SEED)
    phases = whole(fields.get("phases", 0), "phases", 0, MOST_PHASES)
    if 0 < phases < FEWEST_PHASES:
        raise RequestError(f"found {phases}", where="phases", expected=f"0, or at least {FEWEST_PHASES}")
    try:
        game = read_record(text)
    except RecordError as error:
        raise RequestError(str(error), where="record") from None
    with cancelled_by(context.is_stopped) as cancel:
        found = review(game, budget=BUDGETS[budget], seed=seed, phases=phases, seconds=context.seconds, cancel=cancel)
    return dict(found.as_data())


def _findings(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # reads what comes with the library
    only(fields, {"readings": ""})
    names = readings_of(fields, "I-ENTRY")
    report = findings()
    try:
        chosen = report.find(names)
    except FindingError as error:
        raise RequestError(str(error), where="readings") from None
    return {"rules": report.rules, "findings": [finding_data(row) for row in chosen]}


HANDLERS: Mapping[str, Handler] = {
    "plan": _plan, "turn": _turn, "fight": _fight, "campaign": _campaign, "review": _review, "findings": _findings,
}  # fmt: skip
