"""Requests about games: set-ups, and records that are replayed.

============ ================================================================================ =======================
ask          fields                                                                           result
============ ================================================================================ =======================
``new``      ``level`` or ``scenario``, ``seed``; ``modules``, ``variants``, ``fleets``,      the first position, and
             ``fixed``                                                                        the record so far
``replay``   ``record``; ``json``                                                             whether it follows the
                                                                                              rules, and each state
============ ================================================================================ =======================

The fields of ``new`` are the options of the command ``new``. With ``json`` true, each state has its position as JSON data, too. A
record that breaks a rule is an answer, too: ``verified`` is false, and ``line`` and ``problem`` say where and why.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetrasolve.analysis.messages import RequestError, only, whole
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import RecordError, RulesetError, shown
from tetrasolve.strict import is_whole
from tetrasolve.tetrarchia.game import Game, new_game, new_scenario
from tetrasolve.tetrarchia.hint.service import MOST_SEED
from tetrasolve.tetrarchia.jsonform import to_data
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import Fall, scenario
from tetrasolve.tetrarchia.ruleset import Ruleset

MOST_NAMES = 30
MOST_ZONES = 100  # no board has so many; the error of a wrong zone names all of them
LONGEST_LEVEL = 1000  # characters


def _new(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # takes one step
    only(fields, dict.fromkeys(("level", "scenario", "seed", "modules", "variants", "fleets", "fixed"), ""))
    seed = whole(fields.get("seed"), "seed", 0, MOST_SEED)
    modules, variants = _names(fields, "modules"), _names(fields, "variants")
    fleets = _fleets(fields)
    fixed = fields.get("fixed", False)
    if not isinstance(fixed, bool):
        raise RequestError(f"found {shown(fixed)}", where="fixed", expected="true or false")
    level, war = _text(fields, "level"), _text(fields, "scenario")
    try:
        if war is None:
            if level is None or fixed:
                where, problem = ("fixed", "it goes with scenario") if fixed else ("level", "missing")
                raise RequestError(problem, where=where, expected="a level like 4211, or a scenario")
            game = new_game(Ruleset.from_text(level).with_extensions(modules, variants), seed, fleets)
        else:
            game = new_scenario(war, seed, fleets, _ruleset_of(war, level, modules, variants), fixed=fixed)
    except RulesetError as error:
        raise RequestError(str(error), where="level" if war is None else "scenario") from None
    return {"position": str(game.start), "record": write_record(game)}


def _ruleset_of(war: str, level: str | None, modules: frozenset[str], variants: frozenset[str]) -> Ruleset:
    if level is None:
        return scenario(war).ruleset(modules=modules, variants=variants)
    given = Ruleset.from_text(level).with_extensions(modules | scenario(war).modules, variants)
    return scenario(war).checked(given)


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    found = fields.get(name)
    if name in fields and (not isinstance(found, str) or len(found) > LONGEST_LEVEL):
        raise RequestError(f"found {shown(found)}", where=name, expected="a name as text")
    return found


def _names(fields: Mapping[str, Any], where: str) -> frozenset[str]:
    found = fields.get(where, [])
    if not isinstance(found, list) or len(found) > MOST_NAMES or not all(isinstance(name, str) for name in found):
        raise RequestError(f"found {shown(found)}", where=where, expected=f"a list of at most {MOST_NAMES} names")
    return frozenset(found)


def _fleets(fields: Mapping[str, Any]) -> tuple[int, ...] | None:
    if "fleets" not in fields:
        return None
    found = fields["fleets"]
    if (
        not isinstance(found, list)
        or len(found) > MOST_NAMES
        or not all(is_whole(zone) and 0 <= zone < MOST_ZONES for zone in found)
    ):
        raise RequestError(f"found {shown(found)}", where="fleets", expected="a list of zones, like [2, 3]")
    return tuple(found)


def _replay(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # a record is no longer than a request
    only(fields, {"record": "", "json": ""})
    text, with_data = fields.get("record"), fields.get("json", False)
    if not isinstance(with_data, bool):
        raise RequestError(f"found {shown(with_data)}", where="json", expected="true or false")
    if not isinstance(text, str):
        raise RequestError(
            f"found {shown(text)}" if "record" in fields else "missing", where="record", expected="a record as text"
        )
    try:
        game = read_record(text)
    except RecordError as error:
        return {"verified": False, "line": error.line, "problem": error.problem}
    return {"verified": True, "result": game.result, "position": str(game.position), "states": _states(game, with_data)}


def _states(game: Game, with_data: bool) -> list[Result]:
    """The start, then each event with the position after it."""

    def table(state: Position | Fall) -> Result:
        if not isinstance(state, Position):
            return {"position": None}
        return {"position": str(state), **({"json": to_data(state)} if with_data else {})}

    rows: list[Result] = [table(game.start)]
    for played, state in zip(game.played, game.states[1:], strict=True):
        row: Result = {"action": "barbarians" if played.action is None else str(played.action)}
        rows.append(row | {"faces": list(played.course)} | table(state))
    return rows


HANDLERS: Mapping[str, Handler] = {"new": _new, "replay": _replay}
