"""The certificate of shortest ways, kind ``distances``, and how the kinds of facts that rest on it are made.

For a target and a setting a *potential* gives each province its distance. The checker makes all moves and sails by itself.
If none of them brings an Emperor nearer to the target by more than it costs, no way is shorter than the potential; if from
each province one of them brings him nearer by just what it costs, there is a way that short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from tetrasolve.certify.form import Certificate
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.fact import Kind, Value, Values
from tetrasolve.tetrarchia.facts.routes.travel import Potential, in_turns, travel
from tetrasolve.tetrarchia.facts.saying import NEVER
from tetrasolve.tetrarchia.rules.protection import SECURE_BORDER

CERTIFICATE = "distances"
IP, TURNS = "ip", "turns"  # the clocks, as certificates name them
ROWS = ("links", "kinds", "zones", "printed")

Distances: TypeAlias = Mapping[str, Mapping[str, Potential]]  # by target, then by setting


def distances(board: Board, targets: Iterable[str]) -> Distances:
    """The IP from everywhere to each of these, in every setting."""
    ways = travel(board)
    return {target: {setting: ways.potential(target, setting) for setting in ways.settings} for target in targets}


def times(board: Board, targets: Iterable[str]) -> Distances:
    """The same by the clock of turns, where each of these is a border to be secured at the end."""
    ways = travel(board)
    return {
        target: {setting: ways.potential(target, setting, in_turns, SECURE_BORDER) for setting in ways.settings}
        for target in targets
    }


def route_kind(
    kind: str,
    title: str,
    how: str,
    derive: Callable[[Board], Mapping[str, Values]],
    say: Callable[[str, Values], str],
    *,
    targets: Callable[[Board, str], Iterable[str]],
    clock: str = IP,
    rows: tuple[str, ...] = ROWS,
    effort: float = 0.1,
) -> Kind:
    """A kind whose values follow from potentials; `targets` are those of an instance."""

    def certify(board: Board, instance: str, values: Values) -> Certificate:
        found = (distances if clock == IP else times)(board, targets(board, instance))
        fact = f"{kind}/{instance}" if instance else kind
        sections = {"potentials": tuple(potential_lines(found))}
        return fact_certificate(CERTIFICATE, board, fact, {"clock": clock}, values, sections)

    return Kind(kind, "routes", title, how, CERTIFICATE, rows, derive, certify, say, effort=effort)


def potential_lines(found: Distances) -> Iterator[str]:
    """A line for each target and setting: both, then a number for each province in the order of the board."""
    for target, by_setting in found.items():
        for setting, potential in by_setting.items():
            yield f"{target} {setting} {row_of_numbers(potential)}"


def row_of_numbers(potential: Potential) -> str:
    """A potential as text; ``-`` where there is no way."""
    return " ".join("-" if number is None else str(number) for number in potential)


def borders(board: Board, _: str) -> tuple[str, ...]:
    """All borders are targets."""
    return board.borders


def itself(_: Board, instance: str) -> tuple[str, ...]:
    """The instance is the only target."""
    return (instance,)


def number(found: int | None) -> Value:
    """A distance as a value."""
    return NEVER if found is None else found


def plus(found: int | None, more: int) -> Value:
    """A distance and what is paid at its end, as a value."""
    return NEVER if found is None else found + more
