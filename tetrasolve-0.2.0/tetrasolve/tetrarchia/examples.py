"""Positions that ship with the library, by name: the worked examples of the rulebook."""

from __future__ import annotations

from importlib import resources

from tetrasolve.errors import UnknownExampleError, shown
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position


def examples() -> tuple[str, ...]:
    """The names of the positions that ship with the library.

    >>> examples()
    ('ambush', 'fight', 'movement')
    """
    folder = resources.files("tetrasolve.tetrarchia").joinpath("data/positions")
    return tuple(sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json")))


# Rule p07-example, p08-example-cost, p08-example-values, p11-example-wait
# Rule p09-example-allies, p09-example-constantius, p09-example-subdue, p09-example-one-group
def example(name: str, board: Board | None = None) -> Position:
    """The example position with this name.

    :raises UnknownExampleError: when there is none.
    """
    if name not in examples():
        raise UnknownExampleError(f"example {shown(name)} does not exist; there are {', '.join(examples())}")
    path = resources.files("tetrasolve.tetrarchia").joinpath(f"data/positions/{name}.json")
    return Position.from_json(path.read_text("utf-8"), board)
