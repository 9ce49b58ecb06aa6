"""Tables with modules and variants in use, on which nothing lies but what a statement is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Kind
from tetrasolve.tetrarchia.facts.statements import Statement, statements
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules.activity import Uprising, resolve
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.setup import empty_table
from tetrasolve.tetrarchia.rules.step import Step
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

HE = "diocletian"
CERTIFICATE = "module"


def started(board: Board, *names: str, level: str = "5200", **changes: Any) -> Position:
    """An empty table with these modules and variants as a game begins, changed as it is said."""
    ruleset = Ruleset.from_level(level).with_extensions(
        [name for name in names if name in MODULES], [name for name in names if name in VARIANTS]
    )
    return empty_table(ruleset, board).replace(**changes)


def barbarians(position: Position) -> Position:
    """The same table when the Barbarians come."""
    return position.replace(phase=Phase.BARBARIAN, ip=0)


def named(board: Board) -> tuple[str, ...]:
    """The provinces that two dice name."""
    return tuple(board.at(region, number) for region in FACES for number in FACES)


def empire(board: Board) -> tuple[str, ...]:
    """All Roman provinces."""
    return tuple(place.id for place in board.provinces.values() if not place.is_border)


def linked(board: Board) -> Iterator[tuple[str, str]]:
    """Every province with each of its neighbours."""
    return ((here, there) for here in board.ids for there in board.neighbours(here))


def arrows(board: Board) -> Iterator[tuple[str, str]]:
    """The steps of armies towards Roma, but for the last one."""
    for place in board.provinces.values():
        if place.arrow is not None and place.arrow != board.roma:
            yield place.id, place.arrow


def risen(table: Position, province: str, *, passed: bool) -> Step:
    """What follows an uprising there, after the checks of all broken links: all are passed, or none is."""
    step = resolve(table, province)
    while isinstance(step, Uprising):
        step = step.roll().results[-1 if passed else 0]
    return step


def kind(
    name: str,
    title: str,
    how: str,
    rows: Iterable[str],
    instances: Mapping[str, Statement],
    effort: float = 0.01,
    certificate: str = CERTIFICATE,
) -> Kind:
    """A kind of statements about modules, variants or scenarios."""
    make = partial(statements, certificate=certificate, ruleset="the modules and variants named, usual readings")
    return make(name, "rulebook", title, how, tuple(rows), instances, effort=effort)
