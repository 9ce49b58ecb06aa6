"""Positions as JSON, the exchange form (format ``tetrasolve-position/1``).

Impossible positions can be read; text that cannot be read is a `PositionSyntaxError` that names the field, as is a key that
occurs twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tetrasolve import strict
from tetrasolve.errors import MISSING, PositionSyntaxError, RulesetError, named
from tetrasolve.positionfields import a_list, a_text, names, one_of
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import PIECES, Pieces, plain_piece, read_piece
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset

FORMAT = "tetrasolve-position/1"
DEPTH = 8  # levels of nesting; a position has three
REQUIRED = ("format", "board", "ruleset", "to_move", "phase", "emperors", "fleets", "armies", "discs")
LEVEL_KEYS = ("garrisons", "fleets", "revolts", "armies")


def read_json(text: str | bytes, board: Board | None = None) -> Position:
    """A position from the text of its JSON form, on `board` (default: the standard one).

    :raises PositionSyntaxError: when the text is no JSON or a field is not as the format says.
    """
    return from_data(parse_json(text), board)


def parse_json(text: str | bytes, part: str | None = None) -> object:
    """Parsed JSON in which no key occurs twice and every number is finite.

    :param part: the name of the text in errors, when it is a part of something.
    :raises PositionSyntaxError: when it is not.
    """
    where = part or "JSON"
    try:
        return strict.read_json(text, depth=DEPTH, any_unicode=True)
    except strict.StrictError as error:
        if error.is_syntax:
            problem = error.problem.removeprefix("not JSON: ")
            raise PositionSyntaxError(where, problem, "well-formed JSON text") from None
        key = f"{part}.{error.where}" if part and error.where else error.where
        raise PositionSyntaxError(key or where, error.found, error.expected or "a position") from None


def from_data(data: object, board: Board | None = None) -> Position:
    """A position from parsed JSON.

    :raises PositionSyntaxError: as `read_json`.
    """
    board = board or Board.standard()
    if not isinstance(data, Mapping):
        raise PositionSyntaxError("position", data, "a table with the keys of a position")
    for key in data:
        if key not in (*REQUIRED, "ip", *PIECES):
            raise PositionSyntaxError(named(key), key, f"one of the keys {', '.join((*REQUIRED, 'ip', *PIECES))}")
    for key in REQUIRED:
        if key not in data:
            raise PositionSyntaxError(key, MISSING, "this key: it is required")
    if data["format"] != FORMAT:
        raise PositionSyntaxError("format", data["format"], repr(FORMAT))
    if data["board"] != board.id:
        raise PositionSyntaxError("board", data["board"], f"{board.id!r}, the board in use")
    phase = one_of("phase", data["phase"], tuple(str(p) for p in Phase))
    if phase == Phase.ROMAN and "ip" not in data:
        raise PositionSyntaxError("ip", MISSING, "the IP left: it is required in the Roman phase")
    return Position(
        board=board,
        ruleset=_ruleset(data["ruleset"]),
        to_move=one_of("to_move", data["to_move"], tuple(emperor.id for emperor in board.emperors)),
        phase=Phase(phase),
        ip=_number("ip", data.get("ip", 0)),
        emperors=_emperors(data["emperors"], board),
        fleets=tuple(_zone(f"fleets[{i}]", zone, board) for i, zone in enumerate(a_list("fleets", data["fleets"]))),
        armies=tuple(_province(f"armies[{i}]", p, board) for i, p in enumerate(a_list("armies", data["armies"]))),
        discs=_discs(data["discs"], board),
        pieces=Pieces.of({key: read_piece(key, data[key], board) for key in PIECES if key in data}),
    )


def to_data(position: Position) -> dict[str, Any]:
    """A position as plain JSON data, keys in the order of the format, discs in the order of the board file."""
    order = position.board.order
    data: dict[str, Any] = {
        "format": FORMAT,
        "board": position.board.id,
        "ruleset": ruleset_data(position.ruleset),
        "to_move": position.to_move,
        "phase": str(position.phase),
        "ip": position.ip,
        "emperors": dict(position.emperors),
        "fleets": list(position.fleets),
        "armies": list(position.armies),
        "discs": dict(sorted(position.discs.items(), key=lambda item: order[item[0]])),
    }
    return data | {key: plain_piece(key, value) for key, value in position.pieces.plain().items()}


def write_json(position: Position, indent: int | None = 2) -> str:
    """The text of a position's JSON form; `read_json` gives the same position back."""
    return json.dumps(to_data(position), indent=indent)


def ruleset_data(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as the position format writes it."""
    return {
        "garrisons": ruleset.garrisons,
        "fleets": ruleset.fleets,
        "revolts": ruleset.revolts,
        "armies": ruleset.armies,
        "modules": sorted(ruleset.modules),
        "variants": sorted(ruleset.variants),
        "interpretations": dict(ruleset.interpretations),
        **({"house": dict(ruleset.house)} if ruleset.house else {}),
    }


def _ruleset(value: object) -> Ruleset:
    try:
        if isinstance(value, str):
            return Ruleset.from_text(value)
        if not isinstance(value, Mapping):
            raise PositionSyntaxError("ruleset", value, "a level like '4211' or a table")
        for key in value:
            if key not in (*LEVEL_KEYS, "modules", "variants", "interpretations", "house"):
                raise PositionSyntaxError(f"ruleset.{named(key)}", key, "a key of the position format")
        for key in LEVEL_KEYS:
            if key not in value:
                raise PositionSyntaxError(f"ruleset.{key}", MISSING, "this key: it is required")
        readings = value.get("interpretations", {})
        if not isinstance(readings, Mapping):
            raise PositionSyntaxError("ruleset.interpretations", readings, "a table of readings")
        house = value.get("house", {})
        if not isinstance(house, Mapping):
            raise PositionSyntaxError("ruleset.house", house, "a table of house rules")
        garrisons, fleets, revolts, armies = (_number(f"ruleset.{key}", value[key]) for key in LEVEL_KEYS)
        return Ruleset(
            garrisons,
            fleets,
            revolts,
            armies,
            modules=frozenset(names("ruleset.modules", value.get("modules", []))),
            variants=frozenset(names("ruleset.variants", value.get("variants", []))),
            interpretations=tuple(
                (str(name), a_text(f"ruleset.interpretations.{named(name)}", v)) for name, v in readings.items()
            ),
            house=tuple((str(name), _number(f"ruleset.house.{named(name)}", v)) for name, v in house.items()),
        )
    except RulesetError as error:
        raise PositionSyntaxError("ruleset", value, str(error)) from error


def _emperors(value: object, board: Board) -> dict[str, str | None]:
    if not isinstance(value, Mapping):
        raise PositionSyntaxError("emperors", value, "a table with the four Emperors")
    ids = tuple(emperor.id for emperor in board.emperors)
    for name in value:
        if name not in ids:
            raise PositionSyntaxError(f"emperors.{named(name)}", name, f"one of {', '.join(ids)}")
    places: dict[str, str | None] = {}
    for name in ids:
        if name not in value:
            raise PositionSyntaxError(f"emperors.{name}", MISSING, "his province, or null while he is off the board")
        place = value[name]
        places[name] = None if place is None else _province(f"emperors.{name}", place, board)
    return places


def _discs(value: object, board: Board) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise PositionSyntaxError("discs", value, "a table of provinces and their discs")
    kinds = (UNREST_DISC, REVOLT_DISC, *(emperor.id for emperor in board.emperors))
    return {
        _province("discs", province, board): one_of(f"discs.{province}", disc, kinds)
        for province, disc in value.items()
    }


def _province(where: str, value: object, board: Board) -> str:
    if isinstance(value, str) and value in board.provinces:
        return value
    raise PositionSyntaxError(where, value, "a province id of the board file, like 'roma'")


def _zone(where: str, value: object, board: Board) -> int:
    zone = _number(where, value)
    if 1 <= zone <= len(board.zones):
        return zone
    raise PositionSyntaxError(where, value, f"a sea zone from 1 to {len(board.zones)}")


def _number(where: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 100:
        return value
    raise PositionSyntaxError(where, value, "a whole number below 100")
