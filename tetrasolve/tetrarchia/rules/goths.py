"""Module 4, the Goths (rulebook page 13): an army that comes over the northeastern borders whoever stands there.

They are one of the armies (`Position.armies`, at most three); `Position.goths` says which. On their way they keep their
name, and beaten they go back to the reserve: `Position.with_army` sees to both.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import RESERVE
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.extensions import Room

# Rule p13-goths-placed
NORTHEAST = (3, 4)  # regions


# Rule p13-goths-army
class Goths(Room):
    """The Goths: when they come, and what makes them more fearsome than other armies."""

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Hashable]:
        """The first initial army on border III or IV is theirs (page 13)."""
        return {"goths": next((army for army in armies if board[army].region in NORTHEAST), RESERVE)}

    # Rule p13-goths-arrive
    def arrival(self, position: Position, border: str) -> Position | None:
        """An army for border III or IV is theirs while they are in the reserve, and nothing keeps them out (page 13).

        A garrison there goes back to its reserve and the border is secured no more, a figure of Rome is removed, an
        army gives way to them [I-GOTHS-ARMY], but rebels do not.
        """
        if position.pieces.get("goths") != RESERVE or position.board[border].region not in NORTHEAST:
            return None
        if border in position.rebels:
            return None
        if border in position.armies:
            if position.ruleset.readings["I-GOTHS-ARMY"] == "blocks":
                return None
            position = position.with_army(border, None)
        for figure, place in position.romans.items():
            if place == border:
                position = position.with_figure(figure, None)
        return position.with_disc(border, None).with_army(None, border).with_piece("goths", border)

    # Rule p13-goths-battle
    def bonus(self, position: Position, army: str, supporters: frozenset[str]) -> int:
        """+1 to the Barbarian die in battles they are involved in [I-GOTHS-SUPPORT] (page 13)."""
        support = position.ruleset.readings["I-GOTHS-SUPPORT"] == "supporter"
        return int(
            position.goths is not None and (position.goths == army or (support and position.goths in supporters))
        )

    # Rule p13-goths-link
    def check_bonus(self, position: Position, army: str) -> int:
        """+1 to the check of a broken link on their way (page 13)."""
        return int(position.goths == army)
