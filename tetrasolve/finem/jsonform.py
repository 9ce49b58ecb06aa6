"""Positions as JSON, the exchange form (format ``tetrasolve-et-finem/1``).

Impossible positions can be read; text that cannot be read is a `PositionSyntaxError` that names the field, as is a key that
occurs twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tetrasolve import strict
from tetrasolve.errors import MISSING, PositionSyntaxError, RulesetError, named
from tetrasolve.finem.layout import NUMBER, TRIBES
from tetrasolve.finem.position import Dice, Position, Step, cubes_of, in_order
from tetrasolve.finem.ruleset import NO_MAP, ROLES, Ruleset
from tetrasolve.positionfields import a_text, names, one_of

FORMAT = "tetrasolve-et-finem/1"
DEPTH = 8  # levels of nesting; a position has three
SIZE = 100_000  # characters; a position has three thousand
REQUIRED = (
    *("format", "ruleset", "role", "pawn", "start", "last"),
    *("cubes", "dice", "pacified", "decline", "outbreaks", "step"),
)
OPTIONAL = ("left", "card", "hand", "out", "protected", "is_quiet", "has_exchanged", "has_travel")
NO_ROLE = "none"
MOST = 99  # of a track, or of what is left, possible or not
MOST_OF_FIGURE = 9  # of cubes and dice, which the one-line notation writes with one figure
A_REGION = "a region: a suit of OCEB and a rank of 567SCR, like C7"


def read_json(text: str | bytes) -> Position:
    """A position from the text of its JSON form.

    :raises PositionSyntaxError: when the text is no JSON or a field is not as the format says.
    """
    try:
        data = strict.read_json(text, depth=DEPTH, size=SIZE, any_unicode=True)
    except strict.StrictError as error:
        if error.is_syntax:
            problem = error.problem.removeprefix("not JSON: ")
            raise PositionSyntaxError("JSON", problem, "well-formed JSON text") from None
        raise PositionSyntaxError(error.where or "JSON", error.found, error.expected or "a position") from None
    return from_data(data)


def from_data(data: object) -> Position:
    """A position from parsed JSON.

    :raises PositionSyntaxError: as `read_json`.
    """
    table = _table("position", data, (*REQUIRED, *OPTIONAL))
    for key in REQUIRED:
        if key not in table:
            raise PositionSyntaxError(key, MISSING, "this key: it is required")
    if table["format"] != FORMAT:
        raise PositionSyntaxError("format", table["format"], repr(FORMAT))
    card, protected = table.get("card"), table.get("protected")
    ruleset = _ruleset(table["ruleset"])
    if not ruleset.has_map:
        raise PositionSyntaxError("ruleset", table["ruleset"], NO_MAP)
    return Position(
        ruleset=ruleset,
        role=None if table["role"] is None else one_of("role", table["role"], ROLES),
        pawn=_region("pawn", table["pawn"]),
        start=_region("start", table["start"]),
        last=_region("last", table["last"]),
        cubes=cubes_of(_cubes(table["cubes"])),
        dice=_dice(table["dice"]),
        pacified=frozenset(_each_once("pacified", table["pacified"], TRIBES)),
        decline=_number("decline", table["decline"]),
        outbreaks=_number("outbreaks", table["outbreaks"]),
        step=Step(one_of("step", table["step"], tuple(map(str, Step)))),
        left=_number("left", table.get("left", 0)),
        card=None if card is None else _region("card", card),
        hand=_each_once("hand", table.get("hand", []), tuple(NUMBER)),
        out=frozenset(_each_once("out", table.get("out", []), tuple(NUMBER))),
        protected=None if protected is None else _region("protected", protected),
        is_quiet=_truth("is_quiet", table.get("is_quiet", False)),
        has_exchanged=_truth("has_exchanged", table.get("has_exchanged", False)),
        has_travel=_truth("has_travel", table.get("has_travel", False)),
    )


def to_data(position: Position) -> dict[str, Any]:
    """A position as plain JSON data, keys in the order of the format; optional ones are left out at their defaults."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "ruleset": ruleset_data(position.ruleset),
        "role": position.role,
        "pawn": position.pawn,
        "start": position.start,
        "last": position.last,
        "cubes": {region: dict(tribes) for region, tribes in position.occupied.items()},
        "dice": dict(zip(TRIBES, position.dice, strict=True)),
        "pacified": [tribe for tribe in TRIBES if tribe in position.pacified],
        "decline": position.decline,
        "outbreaks": position.outbreaks,
        "step": str(position.step),
    }
    more = {
        "left": position.left,
        "card": position.card,
        "hand": list(position.hand),
        "out": list(in_order(position.out)),
        "protected": position.protected,
        "is_quiet": position.is_quiet,
        "has_exchanged": position.has_exchanged,
        "has_travel": position.has_travel,
    }
    return data | {key: value for key, value in more.items() if value}


def write_json(position: Position, indent: int | None = 2) -> str:
    """The text of a position's JSON form; `read_json` gives the same position back."""
    return json.dumps(to_data(position), indent=indent)


def ruleset_data(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as the position format writes it."""
    data = {
        "level": ruleset.level,
        "options": sorted(ruleset.options),
        "interpretations": dict(ruleset.interpretations),
    }
    return data | ({"map": list(ruleset.cards)} if ruleset.cards else {})


def _ruleset(value: object) -> Ruleset:
    try:
        if isinstance(value, str):
            return Ruleset.from_text(value)
        table = _table("ruleset", value, ("level", "options", "interpretations", "map"))
        if "level" not in table:
            raise PositionSyntaxError("ruleset.level", MISSING, "this key: it is required")
        readings = table.get("interpretations", {})
        if not isinstance(readings, Mapping):
            raise PositionSyntaxError("ruleset.interpretations", readings, "a table of readings")
        chosen = tuple((name, a_text(f"ruleset.interpretations.{named(name)}", v)) for name, v in readings.items())
        options = names("ruleset.options", table.get("options", []))
        cards = tuple(names("ruleset.map", table.get("map", [])))
        return Ruleset(a_text("ruleset.level", table["level"]), frozenset(options), chosen, cards)
    except RulesetError as error:
        raise PositionSyntaxError("ruleset", value, str(error)) from error


def _table(where: str, value: object, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PositionSyntaxError(where, value, f"a table with the keys {', '.join(keys)}")
    for key in value:
        if key not in keys:
            raise PositionSyntaxError(named(key), key, f"one of the keys {', '.join(keys)}")
    return value


def _cubes(value: object) -> dict[str, dict[str, int]]:
    if not isinstance(value, Mapping):
        raise PositionSyntaxError("cubes", value, "a table of regions with their cubes")
    found: dict[str, dict[str, int]] = {}
    for region, tribes in value.items():
        where = f"cubes.{_region('cubes', region)}"
        found[region] = {
            tribe: _number(f"{where}.{tribe}", n, MOST_OF_FIGURE) for tribe, n in _table(where, tribes, TRIBES).items()
        }
    return found


def _dice(value: object) -> Dice:
    table = _table("dice", value, TRIBES)
    for tribe in TRIBES:
        if tribe not in table:
            raise PositionSyntaxError(f"dice.{tribe}", MISSING, "the die of each tribe, 0 if it is put away")
    o, c, e, b = (_number(f"dice.{tribe}", table[tribe], MOST_OF_FIGURE) for tribe in TRIBES)
    return o, c, e, b


def _region(where: str, value: object) -> str:
    if isinstance(value, str) and value in NUMBER:
        return value
    raise PositionSyntaxError(where, value, A_REGION)


def _number(where: str, value: object, most: int = MOST) -> int:
    if strict.is_whole(value) and 0 <= value <= most:
        return value
    raise PositionSyntaxError(where, value, f"a whole number from 0 to {most}")


def _truth(where: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise PositionSyntaxError(where, value, "true or false")


def _each_once(where: str, value: object, allowed: tuple[str, ...]) -> tuple[str, ...]:
    expected = A_REGION if allowed == tuple(NUMBER) else None
    found = names(where, value)
    return tuple(one_of(f"{where}[{at}]", item, allowed, expected) for at, item in enumerate(found))
