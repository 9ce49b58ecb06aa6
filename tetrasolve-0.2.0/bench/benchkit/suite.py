"""The positions that are measured: made once from a seed, kept in `positions.txt`, one line each."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.kernel import BARBARIAN, OPEN, Kernel, Rng, State
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

POSITIONS = Path(__file__).parents[1] / "positions.txt"
SEED = 285  # the year in which Diocletian began to share the Empire
ROMAN_OF_A_LEVEL = 1
BARBARIAN_OF_A_LEVEL = 3


@dataclass(frozen=True)
class Entry:
    """A position as all sides take it."""

    position: Position
    kernel: Kernel
    state: State


def make(seed: int) -> list[Position]:
    """From each level turns about to begin and Barbarian phases of one random game, and the shipped examples."""
    board = Board.standard()
    made: list[Position] = []
    for number, ruleset in enumerate(all_levels()):
        roman, barbarian = _game(board, ruleset, seed * 1000 + number)
        chosen = random.Random(f"positions {seed} {ruleset}")
        for states, count in ((roman, ROMAN_OF_A_LEVEL), (barbarian, BARBARIAN_OF_A_LEVEL)):
            picked = sorted(chosen.sample(range(len(states)), min(count, len(states))))
            made += [fast.to_position(states[index], board, ruleset) for index in picked]
    return made + [example(name, board) for name in examples()]


def _game(board: Board, ruleset: Ruleset, seed: int) -> tuple[list[State], list[State]]:
    """The beginnings of turns and the Barbarian phases of a random game."""
    kernel, rng = fast.kernel_for(board, ruleset), Rng(seed)
    state = kernel.setup(ruleset.revolts, ruleset.fleets, ruleset.armies, rng)
    roman, barbarian = [state], []
    while state.result == OPEN:
        if state.phase != BARBARIAN:
            state = kernel.random_turn(state, rng)
            continue
        barbarian.append(state)
        state = kernel.sample(state, rng)
        if state.result == OPEN:
            roman.append(state)
    return roman, barbarian


def write(positions: Iterable[Position], seed: int, path: Path = POSITIONS) -> None:
    """The file of positions, with a word on where they are from."""
    command = f"python bench/movegen.py --make-positions --seed {seed}"
    head = f"# Made by `{command}`: random games at every level, and the shipped examples\n"
    path.write_text(head + "".join(f"{position}\n" for position in positions), "utf-8")


def read(phase: Phase, path: Path = POSITIONS) -> Iterator[Entry]:
    """The positions of the file that are in this phase."""
    board = Board.standard()
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            position = read_position(line, board)
            if position.phase is phase:
                yield Entry(position, fast.kernel_for(board, position.ruleset), fast.to_state(position))
