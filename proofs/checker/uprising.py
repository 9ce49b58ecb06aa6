"""The chance of an uprising in the Barbarian phase after a turn, which modules do not change but for the Barbarian player.

Revolts spread first, where broken links let them; then two dice name a province, and if a revolt lies there it is an uprising. What
comes later in the phase can only be further uprisings.
"""

from itertools import product

from barbarian import Phase
from board import Board
from phasesteps import FACES, Activity, Fallen, Scene, Step
from rules import FALLEN, Table


class Uprising:
    """Minus the chance of at least one uprising, in `parts` of 1."""

    def __init__(self, board: Board, readings: dict[str, str]) -> None:
        self.board, self.phase = board, Phase(board, readings)
        broken = sum(broken for links in board.links.values() for broken in links.values()) // 2
        self.parts: int = 36 * 2**broken  # each broken link is checked once, and links in half of the cases
        self.known: dict[Table, int] = {}

    def after(self, table: Table, end: str) -> int:
        """The number for the phase after this table: all parts where the Empire has fallen, none after a victory."""
        if end == FALLEN:
            return -self.parts
        if self.board.borders <= table.secured():
            return 0
        if table not in self.known:
            self.known[table] = -self.chance(self.phase.begin(Scene(table, ())), self.parts)
        return self.known[table]

    def chance(self, step: Step, share: int) -> int:
        """Of so many parts, how many have an uprising."""
        if isinstance(step, Fallen):
            return 0
        if isinstance(step, Activity):
            pairs = product(FACES, FACES)
            return share // 36 * sum(self.phase.at[pair] in step.scene.table.revolts for pair in pairs)
        results = self.phase.roll(step).results  # of a link, which is broken in three of six cases
        return self.chance(results[0], share // 2) + self.chance(results[-1], share // 2)
