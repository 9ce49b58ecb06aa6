"""Answers about plans and fights as JSON data, for programs and for ``--json``."""

from __future__ import annotations

from typing import Any

from tetrasolve.exact.certainty import fraction_data
from tetrasolve.tetrarchia.plan import Plan, PlanResult, Status
from tetrasolve.tetrarchia.plan.task import attacks_text
from tetrasolve.tetrarchia.plan.text import bounds_of
from tetrasolve.tetrarchia.risk.combat import Attack, Chances, Fight, Fights, Waiting

# -- plans -------------------------------------------------------------------------------------------------------------


def plan_data(found: PlanResult) -> dict[str, Any]:
    """An optimal plan with what is known of it."""
    second = found.runner_up_values
    shown = (
        None if found.status is Status.INFEASIBLE_PROVED else found.plan
    )  # a plan that misses the goal is not an answer
    runner_up = None if shown is None else found.runner_up
    return {
        "position": str(found.position),
        "objective": str(found.objective),
        "attacks": attacks_text(found.stated),
        "status": str(found.status),
        "engine": found.engine,
        "version": found.version,
        "seed": found.seed,
        "plan": None if shown is None else str(shown),
        "tree": None if shown is None else _tree(shown),
        "values": [{"term": str(term)} | fraction_data(value) for term, value in found.named_values],
        "bounds": [
            {"term": str(term)} | ({"exact": None} if bound is None else fraction_data(bound))
            for term, bound in bounds_of(found)
        ],
        "policies": found.policies,
        "optimal_ends": found.optimal_ends,
        "others_as_good": found.others_as_good,
        "runner_up": None if runner_up is None else str(runner_up),
        "runner_up_values": None if second is None or runner_up is None else [fraction_data(value) for value in second],
        "nodes": found.nodes,
        "edges": found.edges,
        "seconds": found.seconds,
    }


def _tree(steps: Plan) -> dict[str, object]:
    tree: dict[str, object] = {"steps": [str(action) for action in steps.steps]}
    if steps.fork is not None:
        tree["attack"] = steps.fork.army
        if steps.fork.figure is not None:
            tree["figure"] = steps.fork.figure
        if steps.fork.payments:
            tree["payments"] = list(steps.fork.payments)
        tree["branches"] = {
            str(outcome): {"chance": fraction_data(chance), "then": _tree(branch)}
            for outcome, chance, branch in steps.fork.branches
        }
    return tree


# -- fights ------------------------------------------------------------------------------------------------------------


def fights_data(found: Fights) -> dict[str, Any]:
    """The chances of fighting each army and of waiting for it."""
    policy = {"policy": found.policy} if found.policy else {}
    if found.wanted is not None:
        policy |= {"objective": str(found.wanted), "price": str(found.price)}
    fights = [_fight_data(seen) for seen in found.fights]
    return {"position": str(found.position), "status": found.status, **policy, "fights": fights}


def _fight_data(fight: Fight) -> dict[str, Any]:
    return {
        "army": fight.army,
        **({} if fight.fleet is None else {"fleet": fight.fleet}),
        "attacks": [_attack_data(attack) for attack in fight.attacks],
        "waiting": None if fight.waiting is None else _waiting_data(fight.waiting),
        **({} if fight.dux_waiting is None else {"dux_waiting": _waiting_data(fight.dux_waiting)}),
    }


def _attack_data(attack: Attack) -> dict[str, Any]:
    return {
        "leader": attack.leader,
        "from": attack.origin,
        "ip_to_be_there": attack.ip_to_be_there,
        "ip_to_attack": attack.ip_to_attack,
        "values": str(attack.battle),
        "chances": _chances_data(attack.chances),
        "with_support": [_chances_data(chances) for chances in attack.with_support],
        **({"with_discs": [_chances_data(chances) for chances in attack.with_discs]} if attack.with_discs else {}),
    }


def _waiting_data(waiting: Waiting) -> dict[str, Any]:
    return {
        "in": waiting.place,
        "ip_to_be_there": waiting.ip_to_be_there,
        "values": str(waiting.battle),
        "arrives": fraction_data(waiting.arrives),
        "chances": _chances_data(waiting.chances),
        "exact": _exact_data(waiting),
        **({"is_too_large": True} if waiting.is_too_large else {}),
    }


def _exact_data(waiting: Waiting) -> dict[str, Any] | None:
    if waiting.exact is None or waiting.no_battle is None:
        return None
    return _chances_data(waiting.exact) | {"no_battle": fraction_data(waiting.no_battle)}


def _chances_data(chances: Chances) -> dict[str, Any]:
    return {str(outcome): fraction_data(chance) for outcome, chance in chances.items()}
