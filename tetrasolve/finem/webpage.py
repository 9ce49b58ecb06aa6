"""The game's part of the web page: its files in ``page/``, and the tables that the page draws from."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from tetrasolve.finem import numbers
from tetrasolve.finem.draw import CARD_HEIGHT, CARD_WIDTH, MAP_SIZE, centre_of
from tetrasolve.finem.evaluation import OBJECTIVES
from tetrasolve.finem.examples import examples
from tetrasolve.finem.hint.advice import BUDGETS
from tetrasolve.finem.layout import GRID, TRIBES
from tetrasolve.finem.position import Step
from tetrasolve.finem.ruleset import LEVELS, MAP, OPTIONS, READINGS, ROLES
from tetrasolve.finem.turnrisk import POLICIES
from tetrasolve.games import Page
from tetrasolve.sentences import Sentences
from tetrasolve.strict import read_toml

EMPTY = "standard none C7/C7/E5 1111/- 1/1 - act:4 -"  # where the editor begins without an example


def tables() -> str:
    """The places of the map and what can be chosen in a game, as JSON."""
    asked = read_toml((files("tetrasolve.finem") / "data/questions.toml").read_text("utf-8"))
    found: dict[str, Any] = {
        "size": list(MAP_SIZE),
        "card": [CARD_WIDTH, CARD_HEIGHT],
        "places": [{"row": place[0], "column": place[1], "at": _at(centre_of(place))} for place in GRID.places],
        "printed": list(GRID.printed),
        "tribes": list(TRIBES),
        "cubes": numbers.CUBES,
        "most_outbreaks": numbers.MOST_OUTBREAKS,
        "roles": list(ROLES),
        "levels": list(LEVELS),
        "options": list(OPTIONS),
        "readings": [
            {
                "name": name,
                "needs": list(row.needs),
                "rule": {"en": row.rule, "es": asked[name]["rule"]},
                "options": {"en": dict(row.options), "es": asked[name]["values"]},
            }
            for name, row in READINGS.items()
            if name != MAP
        ],
        "phases": {str(step): str(step.phase) for step in Step},
        "chances": [str(step) for step in Step if step.is_chance],
        "budgets": list(BUDGETS),
        "policies": list(POLICIES),
        "objectives": list(OBJECTIVES),
        "examples": positions(),
        "empty": EMPTY,
    }
    return json.dumps(found)


def positions() -> dict[str, str]:
    """The example positions by name."""
    return {name: str(position) for name, position in examples().items()}


def spanish() -> Sentences:
    """The sentences of the game in Spanish."""
    return Sentences(read_toml((files("tetrasolve.finem") / "data/spanish.toml").read_text("utf-8")))


def _at(place: complex) -> list[float]:
    return [round(place.real, 1), round(place.imag, 1)]


def advice_text(result: Any) -> str:
    """An answer as text: that of a position, or the plans of a hint with their chances."""
    if "plans" not in result:
        return str(result.get("text", ""))
    return "\n\n".join(_plan_text(number, plan) for number, plan in enumerate(result["plans"], start=1))


def _plan_text(number: int, plan: Any) -> str:
    value, low, high = (f"{100 * chance:.1f}" for chance in (plan["win"]["value"], *plan["win"]["interval"]))
    if low == high:
        said = "certain"
    elif plan["win"]["calibration_games"]:
        said = f"{low} to {high} %, {plan['win']['kind']}"
    else:
        said = f"{plan['win']['kind']}, not calibrated"
    head = f"{number}. {'; '.join(plan['plan'])} ({value} %, {said})"
    return "\n".join([head, *(f"   {reason}" for reason in plan["reasons"])])


PAGE = Page(
    folder=files("tetrasolve.finem") / "page",
    made={"game.json": tables},
    first=("game.json",),
    advice=("hint", {"budget": "expectimax", "top": 3}),
    written=advice_text,
    sentences={"es": spanish},
    examples=positions,
)
