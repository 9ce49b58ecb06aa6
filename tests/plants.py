"""Planted changes of the reference rules: read from data, applied to the source, and played beside the rules as they are.

A *plant* is a small change of the reference rules with a label: the text of the rulebook settles it, or leaves it open. A tool
that looks for open points of the rulebook is measured on them. `tests/lint/README.md` says how they were chosen.
"""

from __future__ import annotations

import ast
import inspect
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Protocol

import plantfile
from plantfile import GRADES, LABELS, Change, PlantError, Shown, only, text
from tabletop import MAP

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

FOLDER = Path(__file__).parent / "lint" / "planted"
LATER = FOLDER.with_name("planted-later")  # written after the operators
UNSEEN = FOLDER.with_name("planted-unseen")  # written when they were extended, and read after that
PACKAGE = "tetrasolve.tetrarchia"
LEVEL = 4  # figures of a level, with which a position begins
QUESTIONS = ("legal", "cost", "play", "battle", "phase", "set_up", "great")


@dataclass(frozen=True)
class Plant:
    """A change with its label: `reason` says what settles it (page, our words); `ask` is the question to the designer."""

    id: str
    label: str
    grade: str
    page: int
    rows: tuple[str, ...]
    says: str
    changes: tuple[Change, ...]
    reason: str = ""
    settled_page: int = 0
    ask: str = ""
    reading: str = ""
    shown: Shown | None = None
    package: str = PACKAGE


@dataclass(frozen=True)
class Silent:
    """A side that the code takes without a name: the question, what the code does, and the plants that take the other side."""

    id: str
    page: int
    rows: tuple[str, ...]
    where: str
    ask: str
    code_does: str
    plants: tuple[str, ...]


# -- reading ---------------------------------------------------------------------------------------------------


def read(folder: Path = FOLDER) -> tuple[tuple[Plant, ...], tuple[Silent, ...]]:
    """All plants and silent sides of a folder, in the order of its files."""
    plants: list[Plant] = []
    silent: list[Silent] = []
    for path in sorted(folder.glob("*.toml")):
        with path.open("rb") as file:
            data = tomllib.load(file)
        only(path.name, data, {"plant", "found"})
        plants += [_plant(f"{path.name}: {row.get('id')}", row) for row in data.get("plant", ())]
        silent += [_silent(f"{path.name}: {row.get('id')}", row) for row in data.get("found", ())]
    return tuple(plants), tuple(silent)


def _page(where: str, value: object) -> int:
    if type(value) is not int or not 4 <= value <= 19:
        raise PlantError(f"{where}: page {value!r}, expected 4 to 19")
    return value


def _texts(where: str, data: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = data.get(key)
    if not isinstance(value, list) or not value or not all(isinstance(row, str) for row in value):
        raise PlantError(f"{where}: {key} is {value!r}, expected a list of texts")
    return tuple(value)


def _plant(where: str, data: Mapping[str, Any]) -> Plant:
    label = plantfile.one_of(where, data, "label", LABELS)
    own = {"settled": {"settled"}, "open": {"question"}, "named": {"reading"}}[label]
    only(where, data, {"id", "label", "grade", "page", "rows", "says", "change", "shown"} | own)
    settled = data.get("settled", {})
    if label == "settled":
        only(where, settled, {"page", "by"})
    return Plant(
        id=text(where, data, "id"),
        label=label,
        grade=plantfile.one_of(where, {"grade": "clear"} | dict(data), "grade", GRADES),
        page=_page(where, data.get("page")),
        rows=_texts(where, data, "rows"),
        says=text(where, data, "says"),
        changes=plantfile.changes(where, data),
        reason=text(where, settled, "by") if label == "settled" else "",
        settled_page=_page(where, settled.get("page")) if label == "settled" else 0,
        ask=plantfile.question(where, data) if label == "open" else "",
        reading=plantfile.reading(where, data, READINGS) if label == "named" else "",
        shown=plantfile.shown(where, data["shown"], QUESTIONS) if "shown" in data else None,
    )


def _silent(where: str, data: Mapping[str, Any]) -> Silent:
    only(where, data, {"id", "label", "page", "rows", "where", "question", "code_does", "plants"})
    if data.get("label") != "silent":
        raise PlantError(f"{where}: label {data.get('label')!r}, expected 'silent'")
    return Silent(
        text(where, data, "id"),
        _page(where, data.get("page")),
        _texts(where, data, "rows"),
        text(where, data, "where"),
        plantfile.question(where, data),
        text(where, data, "code_does"),
        tuple(data.get("plants", ())),
    )


# -- applying --------------------------------------------------------------------------------------------------


class Changing(Protocol):
    """What a plant of any game has: its changes, whose modules are seen from `package`."""

    @property
    def id(self) -> str: ...
    @property
    def package(self) -> str: ...
    @property
    def changes(self) -> tuple[Change, ...]: ...


def source_of(module: str, package: str = PACKAGE) -> str:
    """The source of a module of the reference rules."""
    path = import_module(f"{package}.{module}").__file__
    assert path is not None
    return Path(path).read_text("utf-8")


def changed_sources(plant: Changing) -> dict[str, str]:
    """The source of each module that a plant changes, after the change.

    :raises PlantError: when a fragment does not occur exactly once in its function.
    """
    sources: dict[str, str] = {}
    for change in plant.changes:
        source = sources.get(change.module) or source_of(change.module, plant.package)
        start, end = _extent(plant, change, source)
        found = source.count(change.before, start, end)
        if found != 1:
            raise PlantError(f"{plant.id}: the fragment occurs {found} times in {change.function}, expected once")
        at = source.index(change.before, start, end)
        sources[change.module] = source[:at] + change.after + source[at + len(change.before) :]
    return sources


def _extent(plant: Changing, change: Change, source: str) -> tuple[int, int]:
    """Where a function begins and ends in its source, in characters."""
    body: list[ast.stmt] = ast.parse(source).body
    node: ast.AST | None = None
    for name in change.function.split("."):
        node = next((part for part in body if getattr(part, "name", None) == name), None)
        if node is None:
            raise PlantError(f"{plant.id}: {change.module} has no {change.function}")
        body = getattr(node, "body", [])
    if not isinstance(node, ast.FunctionDef):
        raise PlantError(f"{plant.id}: {change.function} is no function")
    lines = source.splitlines(keepends=True)
    return sum(map(len, lines[: node.lineno - 1])), sum(map(len, lines[: node.end_lineno]))


@contextmanager
def planted(plant: Changing) -> Iterator[None]:
    """The reference rules of this process with a plant: its functions have the changed code until the block ends."""
    changed: list[tuple[FunctionType, CodeType]] = []
    for module, source in changed_sources(plant).items():
        compiled = compile(source, module, "exec")
        for change in plant.changes:
            if change.module == module:
                function = _function(f"{plant.package}.{module}", change.function)
                code = next(code for code in _codes(compiled) if code.co_qualname == change.function)
                changed.append((function, code))
    kept = [(function, function.__code__) for function, _ in changed]
    try:
        for function, code in changed:
            function.__code__ = code
        _forget(plant.package)
        yield
    finally:
        for function, code in kept:
            function.__code__ = code
        _forget(plant.package)


def _function(module: str, name: str) -> FunctionType:
    """The function of this name, without its decorators."""
    found: Any = import_module(module)
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
        found = (
            found.fget if isinstance(found, property) else found.func if isinstance(found, cached_property) else found
        )
        found = getattr(found, "__func__", found)
    found = inspect.unwrap(found)
    assert isinstance(found, FunctionType), name
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of every function in this code."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _forget(package: str) -> None:
    """Empty the caches of the reference rules and of maps, which may hold results of other code."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{package}.rules.") or name == f"{package}.layout":
            for value in vars(module).values():
                if callable(getattr(value, "cache_clear", None)):
                    value.cache_clear()


def with_reading(said: Any, name: str, value: str) -> Any:
    """A position, or an answer that begins with one, with this value of a reading in its ruleset."""
    if isinstance(said, Shown):
        return replace(said, position=with_reading(said.position, name, value))
    level, space, rest = said.partition(" ")
    if not (len(level) >= LEVEL and level[:LEVEL].isdigit()):  # an answer in words, or in IP
        return said
    return f"{Ruleset.from_text(level).with_readings([(name, value)])}{space}{rest}"


# -- playing ---------------------------------------------------------------------------------------------------


def answer(shown: Shown) -> str:
    """What the reference rules of this process answer to the question, in words."""
    return _ANSWERS[shown.question](shown.position, shown.given)


def reading_answers(plant: Plant) -> list[tuple[str, str]]:
    """For the default and the other value of the reading of a plant: what the rules answer, and what the plant says."""
    name, _, value = plant.reading.partition("=")
    shown = plant.shown
    assert shown is not None
    cases = ((READINGS[name].default, shown.original), (value, shown.planted))
    return [(answer(with_reading(shown, name, one)), with_reading(said, name, one)) for one, said in cases]


def _legal(position: str, action: str) -> str:
    try:
        rules.parse(_position(position), action)
    except TetrasolveError:
        return "illegal"
    return "legal"


def _cost(position: str, action: str) -> str:
    now = _position(position)
    try:
        return f"{rules.cost(now, rules.parse(now, action))} IP"
    except TetrasolveError:
        return "illegal"


def _play(position: str, actions: list[str]) -> str:
    now: Position | rules.Fall = _position(position)
    for action in actions:
        assert isinstance(now, Position)
        try:
            now = rules.play(now, rules.parse(now, action))
        except TetrasolveError:
            return f"illegal: {action}"
    return str(now)


def _battle(position: str, sides: list[str]) -> str:
    leader, army = sides
    return str(rules.battle(_position(position), leader, army))


def _phase(position: str, course: list[int | str]) -> str:
    given = rules.GivenCourse(course)
    try:
        after = rules.sample(_position(position), given, given.decide)
    except LookupError as error:
        return str(error)
    return f"{after}; {len(given.left)} faces are not needed" if given.left else str(after)


def _set_up(what: str, given: Mapping[str, Any]) -> str:
    """`what` is a ruleset or a scenario; `given` has the zones of the fleets, and faces."""
    dice = rules.GivenDice(given["faces"])
    try:
        if what in rules.scenarios():
            position = rules.scenario_set_up(what, given["fleets"], dice, board=MAP)
        else:
            position = rules.set_up(Ruleset.from_text(what), given["fleets"], dice, MAP)
    except TetrasolveError:
        return "refused"
    except LookupError as error:
        return str(error)
    return f"{position}; {dice.left} faces are not needed" if dice.left else str(position)


def _great(position: str, given: object) -> str:
    del given
    return str(rules.great(_position(position)) or "nobody")


def _position(text: str) -> Position:
    return Position.parse(text, MAP)


_ANSWERS: Mapping[str, Callable[[str, Any], str]] = {
    "legal": _legal,
    "cost": _cost,
    "play": _play,
    "battle": _battle,
    "phase": _phase,
    "set_up": _set_up,
    "great": _great,
}
