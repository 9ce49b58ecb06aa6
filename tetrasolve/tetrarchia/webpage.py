"""The game's part of the web page: its files in ``page/``, and the map and tables that the page draws from."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from tetrasolve.games import Page
from tetrasolve.sentences import Sentences
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.draw.layout import layout
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.hint.advice import BUDGETS
from tetrasolve.tetrarchia.house import HOUSE_NUMBERS
from tetrasolve.tetrarchia.lint.needed import needed
from tetrasolve.tetrarchia.rules import scenario, scenarios
from tetrasolve.tetrarchia.ruleset import MODULES, READINGS, VARIANTS, all_levels

THOUSANDS = "\u202f"  # a narrow space that breaks no line: a comma would be read as that of decimals
EMPTY = "4211 D:6 -/-/-/- 12 - - - -/-/-/-"  # where the editor begins without an example
# A game for the review to be tried on
SAMPLE = """\
tetrasolve-record/1
board tetrarchia
ruleset 4211
start 4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal
1 maximian: attack narbonensis: victory 6-1; secure; end
dice: 4 4
2 diocletian: secure
result open"""
# Catalogues of sentences in Spanish
SPANISH = ("spanish.toml", "spanish-facts.toml", "spanish-board.toml", "spanish-errors.toml")


def map_svg() -> str:
    """The board without a position, as a picture."""
    return board_svg(Board.standard(), frame=False)


def tables() -> str:
    """The board and what can be chosen in a game, as JSON."""
    board = Board.standard()
    places = layout(board).places
    zones = layout(board).zones
    asked = read_toml((files("tetrasolve.tetrarchia") / "data/questions.toml").read_text("utf-8"))
    found: dict[str, Any] = {
        "provinces": {
            province.id: {
                "name": province.name,
                "code": province.code,
                "at": _at(places[province.id]),
                "border": province.is_border,
                "region": province.region,
                "number": province.number,
                "zones": sorted(province.zones),
                "printed": list(province.printed),
            }
            for province in board.provinces.values()
        },
        "links": [[*link.between, int(link.broken)] for link in board.links],
        "zones": [{"name": name, "at": _at(zones[number])} for number, name in enumerate(board.zones, start=1)],
        "emperors": [
            {"id": found.id, "name": found.name, "letter": found.letter, "colour": found.colour}
            for found in board.emperors
        ],
        "levels": [str(level) for level in all_levels()],
        "modules": list(MODULES),
        "variants": list(VARIANTS),
        "scenarios": [
            {"id": name, "level": scenario(name).level, "modules": sorted(scenario(name).modules)}
            for name in scenarios()
        ],
        "readings": [
            {
                "name": name,
                "page": row.page,
                "needs": list(row.needs),
                "rule": {"en": row.rule, "es": asked[name]["rule"]},
                "options": {"en": dict(row.options), "es": asked[name]["values"]},
            }
            for name, row in READINGS.items()
        ],
        "house": [
            {
                "name": name,
                "page": row.page,
                "least": row.least,
                "most": row.most,
                "default": row.default,
                "needs": list(row.needs),
                "reference": row.reference,
            }
            for name, row in HOUSE_NUMBERS.items()
        ],
        "budgets": list(BUDGETS),
        "examples": positions(),
        "empty": EMPTY,
        "sample": SAMPLE,
    }
    return json.dumps(found)


def positions() -> dict[str, str]:
    """The example positions by name."""
    return {name: str(example(name)) for name in examples()}


def spanish() -> Sentences:
    """The sentences of the library in Spanish; the rows of the first file come first among those that only connect."""
    folder = files("tetrasolve.tetrarchia") / "data"
    forms: dict[str, Any] = {}
    for name in SPANISH:
        forms |= read_toml((folder / name).read_text("utf-8"))
    forms |= {need.english: need.spanish for need in needed().values()}
    return Sentences(forms, THOUSANDS)


def _at(place: complex) -> list[float]:
    return [round(place.real, 1), round(place.imag, 1)]


def advice_text(result: Any) -> str:
    """An answer as text: that of a position, the plans of a hint with their chances, or the options of a choice."""
    if "options" in result:
        rows = (
            f"{number}. {row['option']}: {100 * row['value']:.1f} %" for number, row in enumerate(result["options"], 1)
        )
        return "\n".join([result["question"], *rows])
    if "plans" not in result:
        return str(result.get("text", ""))
    return "\n\n".join(_plan_text(number, plan) for number, plan in enumerate(result["plans"], start=1))


def _plan_text(number: int, plan: Any) -> str:
    reasons = [reason if isinstance(reason, str) else reason.get("text", "") for reason in plan.get("reasons", ())]
    return "\n".join([f"{number}. {plan['plan']}", *(f"   {reason}" for reason in reasons)])


PAGE = Page(
    folder=files("tetrasolve.tetrarchia") / "page",
    made={"map.svg": map_svg, "game.json": tables},
    first=("game.json",),
    ground="map.svg",
    boards=("", "play", "editor"),
    advice=("hint", {"budget": "expectimax", "top": 3}),
    written=advice_text,
    sentences={"es": spanish},
    examples=positions,
)
