"""All kinds of claims, family by family."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Fact, Kind

# Each is a module of this room, or a package, with a tuple KINDS
FAMILIES: Mapping[str, str] = {
    "graph": "The map as a graph",
    "routes": "Routes",
    "tempo": "Tempo",
    "cascades": "Cascades",
    "combat": "Combat",
    "invariants": "Invariants",
    "rulebook": "What the rulebook says of itself",
}


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind by its id, in the order of the families."""
    found: dict[str, Kind] = {}
    for family in FAMILIES:
        for kind in import_module(f"tetrasolve.tetrarchia.facts.{family}").KINDS:
            assert kind.family == family and kind.id not in found, kind.id
            found[kind.id] = kind
    return found


def facts_of(kind: Kind, board: Board) -> tuple[Fact, ...]:
    """All facts of a kind on a board."""
    return tuple(
        Fact(f"{kind.id}/{instance}" if instance else kind.id, kind, values)
        for instance, values in kind.derive(board).items()
    )
