"""Module 4, the Goths (rulebook page 13): an army that crosses the northeastern borders even if they are occupied.

They are one of the armies (`Position.armies`, at most three); `Position.goths` says which. `Position.with_army` keeps their
name when they move, and returns them to the reserve when they are beaten.
"""

from __future__ import annotations

from collections.abc import Mapping

from tetrasolve.tetrarchia import pieces
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import GOTH_REGIONS
from tetrasolve.tetrarchia.pieces import Piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.hooks import AdvanceRules, CombatRules, RevoltRules, SetUpRules
from tetrasolve.tetrarchia.rules.registry import register


# Rule p13-goths-army
@register("goths")
class Goths(SetUpRules, RevoltRules, CombatRules, AdvanceRules):
    """The Goths: their arrival and their bonuses."""

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Piece]:
        """The first initial army on border III or IV is theirs (page 13)."""
        return {"goths": pieces.Goths(next((army for army in armies if board[army].region in GOTH_REGIONS), None))}

    # Rule p13-goths-arrive
    def arrival(self, position: Position, border: str) -> Position | None:
        """An army for border III or IV is theirs while they are in the reserve, and nothing keeps them out (page 13).

        A garrison there goes back to its reserve and the border is secured no more [I-GOTHS-BORDER], a figure of Rome is
        removed, and both where there are both [I-GOTHS-BOTH]. An army gives way to them [I-GOTHS-ARMY], rebels do not
        [I-GOTHS-REBELS].
        """
        reserve = position.pieces.goths is not None and position.pieces.goths.in_reserve
        if not reserve or position.board[border].region not in GOTH_REGIONS:
            return None
        readings, kept = position.ruleset.readings, None
        if border in position.rebels:
            if readings["I-GOTHS-REBELS"] == "block":
                return None
            position = position.with_army(border, None)
        elif border in position.armies:
            if readings["I-GOTHS-ARMY"] == "blocks":
                return None
            position = position.with_army(border, None)
        if position.has_garrison(border) and readings["I-GOTHS-BORDER"] == "stays":
            kept = position.discs[border]
        for figure, place in position.romans.items():
            if place == border:
                if readings["I-GOTHS-BOTH"] == "figure" and position.has_garrison(border):
                    kept = position.discs[border]
                position = position.with_figure(figure, None)
        return position.with_disc(border, kept).with_army(None, border).with_piece("goths", pieces.Goths(border))

    # Rule p13-goths-battle
    def bonus(self, position: Position, army: str, supporters: frozenset[str]) -> int:
        """+1 to the Barbarian die in battles they are involved in [I-GOTHS-SUPPORT] (page 13)."""
        support = position.ruleset.readings["I-GOTHS-SUPPORT"] == "supporter"
        if position.goths is None:
            return 0
        involved = position.goths == army or (support and position.goths in supporters)
        return position.ruleset.numbers["goths-in-battle"] if involved else 0

    # Rule p13-goths-link
    def check_bonus(self, position: Position, army: str) -> int:
        """+1 to the check of a broken link on their way (page 13)."""
        return position.ruleset.numbers["goths-at-a-check"] if position.goths == army else 0
