"""Planted changes of the reference rules of the second game: read from data, and played beside the rules as they are.

`plants.py` applies them. `tests/lint/README.md` says how they were chosen and what each of them has.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import plantfile
from plantfile import GRADES, LABELS, Change, PlantError, Shown, one_of, only, text

from tetrasolve.errors import TetrasolveError
from tetrasolve.finem import rules
from tetrasolve.finem.position import Position, State
from tetrasolve.finem.ruleset import LEVELS, READINGS, Ruleset

FOLDER = Path(__file__).parent / "lint" / "planted-finem"
PACKAGE = "tetrasolve.finem"
# The sections of the author's rules, as the readings name them; one may be followed by a comma or a colon and a place in it.
SECTIONS = (
    "Materiales necesarios",
    "Las barajas",
    "Conceptos previos",  # codespell:ignore previos
    "Objetivo del juego",
    "Preparación del juego",
    "Turno de juego",
    "Fase de acciones",
    "Pacificación y erradicación",
    "Fase de campaña militar",
    "Resultado de la campaña militar",
    "Crisis",
    "Eventos especiales",
    "Fase de invasión",
    "Recrudecimientos",
    "Fase de asignación de rol",
    "¿Cómo ganar o perder la partida?",
    "Juego estándar",
    "Juego experto",
)
CHAPTERS = (
    "set-up",
    "map",
    "actions",
    "roles",
    "pacified",
    "campaign",
    "decline",
    "crisis",
    "events",
    "invasion",
    "outbreak",
    "end",
    "levels",
)


@dataclass(frozen=True)
class Plant:
    """A change with its label: `reason` says what settles it, `ask` asks the author, `today` is the side of the rules.

    An open one has the `reading` that it has become since it was planted.
    """

    id: str
    label: str
    grade: str
    chapter: str
    sections: tuple[str, ...]
    says: str
    changes: tuple[Change, ...]
    shown: Shown
    reason: str = ""
    settled_section: str = ""
    ask: str = ""
    today: str = ""
    reading: str = ""
    package: str = PACKAGE


# -- reading -----------------------------------------------------------------------------------------------------------


def read(folder: Path = FOLDER) -> tuple[Plant, ...]:
    """All plants of a folder, in the order of its files.

    :raises PlantError: when a file is not as expected.
    """
    plants: list[Plant] = []
    for path in sorted(folder.glob("*.toml")):
        with path.open("rb") as file:
            data = tomllib.load(file)
        only(path.name, data, {"plant"})
        plants += [_plant(f"{path.name}: {row.get('id')}", row) for row in data.get("plant", ())]
    return tuple(plants)


def _section(where: str, value: object) -> str:
    """A section, or a place in it after a comma or a colon."""
    if not isinstance(value, str) or not any(value == s or value.startswith((f"{s},", f"{s}:")) for s in SECTIONS):
        raise PlantError(f"{where}: section {value!r}, expected one like {SECTIONS[0]!r}")
    return value


def _plant(where: str, row: Mapping[str, Any]) -> Plant:
    label = one_of(where, row, "label", LABELS)
    own = {"settled": {"settled"}, "open": {"question", "today", "reading"}, "named": {"reading"}}[label]
    only(where, row, {"id", "label", "grade", "chapter", "sections", "says", "change", "shown"} | own)
    sections = row.get("sections")
    if not isinstance(sections, list) or not sections:
        raise PlantError(f"{where}: sections is {sections!r}, expected a list of them")
    settled = row.get("settled", {})
    only(where, settled, {"section", "by"})
    return Plant(
        id=text(where, row, "id"),
        label=label,
        grade=one_of(where, {"grade": "clear"} | dict(row), "grade", GRADES),
        chapter=one_of(where, row, "chapter", CHAPTERS),
        sections=tuple(_section(where, section) for section in sections),
        says=text(where, row, "says"),
        changes=plantfile.changes(where, row),
        shown=plantfile.shown(where, row.get("shown", {}), _ANSWERS),
        reason=text(where, settled, "by") if label == "settled" else "",
        settled_section=_section(where, settled.get("section")) if label == "settled" else "",
        ask=plantfile.question(where, row) if label == "open" else "",
        today=text(where, row, "today") if label == "open" else "",
        reading=plantfile.reading(where, row, READINGS) if label == "named" or "reading" in row else "",
    )


def beside(shown: Shown) -> tuple[tuple[str, str], ...]:
    """The values of readings, other than the defaults, beside which a point is shown."""
    return tuple(Ruleset.from_text(shown.position.partition(" ")[0]).interpretations)


# -- playing -----------------------------------------------------------------------------------------------------------


def answer(shown: Shown) -> str:
    """What the reference rules of this process answer to the question, in words."""
    return _ANSWERS[shown.question](shown.position, shown.given)


def leads(shown: Shown) -> frozenset[str]:
    """Where the decisions of these rules lead at the step that a point is shown at; nothing where chance decides, or for a game."""
    if shown.question not in ("options", "can"):
        return frozenset()
    position = _after(shown.position, shown.given if shown.question == "options" else shown.given[:-1])
    found = rules.node(position)
    return frozenset() if found.is_chance else frozenset(str(rules.take(position, option)) for option in found.options)


def wanted(shown: Shown) -> frozenset[str]:
    """Of these, by planted rules, all that the answer is about: of a decision that can come, the one."""
    if shown.question == "can":
        *course, option = shown.given
        position = _after(shown.position, course)
        is_there = leads(shown) and option in rules.node(position).options
        return frozenset({str(rules.take(position, option))}) if is_there else frozenset()
    return leads(shown)


def reading_answers(plant: Plant) -> list[tuple[str, str]]:
    """For the value of its position and that of a plant, of its reading: what the rules answer, and what the plant says."""
    name, _, value = plant.reading.partition("=")
    first = Ruleset.from_text(plant.shown.position.partition(" ")[0]).readings[name]
    cases = ((first, plant.shown.original), (value, plant.shown.planted))
    return [
        (answer(replace(plant.shown, position=_with(plant.shown.position, name, one))), _with(said, name, one))
        for one, said in cases
    ]


def _with(line: str, name: str, value: str) -> str:
    """A line that begins with a ruleset, with this value of a reading in it; another is left as it is."""
    word, space, rest = line.partition(" ")
    if word.partition("?")[0].partition("+")[0] in LEVELS:
        return f"{Ruleset.from_text(word).with_readings([(name, value)])}{space}{rest}"
    return line


def _after(position: str, options: Iterable[str]) -> Position:
    """The position after cards and decisions that can come there."""
    now: State = Position.parse(position)
    for option in options:
        now = rules.take(now, option)
    if not isinstance(now, Position):
        raise PlantError(f"{position}: the game is over: {now}")
    return now


def _options(position: str, course: list[str]) -> str:
    """What can come after these cards and decisions; a chance is named as one."""
    found = rules.node(_after(position, course))
    return ("chance: " if found.is_chance else "") + ", ".join(found.options)


def _can(position: str, course: list[str]) -> str:
    """Whether the last of these cards and decisions can come after the others."""
    *before, option = course
    return "yes" if option in rules.node(_after(position, before)).options else "no"


def _play(position: str, course: list[str]) -> str:
    """The state after these cards and decisions, or where one cannot come or is not needed."""
    now: State = Position.parse(position)
    for at, option in enumerate(course):
        if not isinstance(now, Position):
            return f"{now}; {len(course) - at} not needed"
        if option not in rules.node(now).options:
            return f"{now}; {option!r} cannot come"
        now = rules.take(now, option)
    return str(now)


def _set_up(ruleset: str, given: Mapping[str, Any]) -> str:
    """The first position after these cards, or the cards and the start that these seeds draw."""
    kind = Ruleset.from_text(ruleset)
    if "seeds" in given:
        drawn = (rules.drawn_set_up(kind, rules.seeded(seed)) for seed in given["seeds"])
        return " | ".join(f"{'.'.join(cards)} {start}" for cards, start in drawn)
    try:
        return str(rules.set_up(kind, given["cards"].split("."), given.get("start")))
    except TetrasolveError:
        return "refused"


_ANSWERS: Mapping[str, Callable[[str, Any], str]] = {
    "options": _options,
    "can": _can,
    "play": _play,
    "set_up": _set_up,
}
