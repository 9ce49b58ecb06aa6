"""Module 1, the Dux (rulebook page 12): a general without garrisons, who acts with any Emperor's IP.

He is a general like the Emperors (`Position.generals`), so the base game leads and supports battles with him,
remove him where an Emperor would be removed, and count no garrisons of his. This file has the other rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tetrasolve.tetrarchia.action import Action, Kind, deploy, reduce, remove
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import DUX, Helper, Piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import roman
from tetrasolve.tetrarchia.rules.hooks import CombatRules, OwnActions, RomanRules, SetUpRules
from tetrasolve.tetrarchia.rules.registry import register

DEEDS = (Kind.MOVE, Kind.REMOVE, Kind.REDUCE, Kind.ATTACK)  # Rule p12-dux-move, p12-dux-subdue, p12-dux-attack


# Rule p12-dux-support, p12-dux-attacked
@register("dux")
class Dux(SetUpRules, OwnActions, RomanRules, CombatRules):
    """The Dux: his deployment and his actions."""

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Piece]:
        """He is not yet in play (page 12)."""
        del board, armies
        return {DUX: Helper()}

    # Rule p12-dux-ip
    def candidates(self, position: Position) -> Iterator[Action]:
        """His deployment next to the active Emperor, later his moves, subduing and attacks (page 12)."""
        here, dux = position.here, position.place_of(DUX)
        if dux is not None:
            yield from roman.moves(position, dux, DUX)
            yield from (remove(DUX), reduce(DUX))
            yield from roman.attacks(position, DUX)
            if here is None:
                yield from roman.sails(position, DUX)
        elif here is not None and _is_unused(position):
            yield from (deploy(DUX, province) for province in position.board.neighbours(here))

    def owns(self, action: Action) -> bool:
        """His deployment; his other actions have the rules of an Emperor's."""
        return action.kind is Kind.DEPLOY and action.figure == DUX

    # Rule p12-dux-place, p12-dux-no-figure
    def objection(self, position: Position, action: Action) -> str | None:
        """He is deployed once, for 2 IP, in a Roman province linked to the active Emperor's, with no figure (page 12)."""
        here, place = position.here, action.place
        assert here is not None and place is not None
        if not _is_unused(position):
            return "the Dux has been deployed before"
        if position.board[place].is_border:
            return "the Dux is deployed in a Roman province"
        link = position.board.link(here, place)
        if link is None:
            return "the Dux is deployed in a province linked to the Emperor's"
        if link.broken and position.ruleset.readings["I-DUX-BROKEN"] == "forbidden":
            return "a broken link leads there [I-DUX-BROKEN]"
        if place in position.armies or place in position.romans.values():
            return "a figure stands there"
        if position.has_revolt(place) and position.ruleset.readings["I-DUX-REVOLT"] == "forbidden":
            return "a revolt lies there [I-DUX-REVOLT]"
        price = position.ruleset.numbers["deploy-dux"]
        return None if position.ip >= price else f"a deployment costs {price} IP, {position.ip} are left"

    def cost(self, position: Position, action: Action) -> int:
        """2 IP (page 12)."""
        del action
        return position.ruleset.numbers["deploy-dux"]

    def play(self, position: Position, action: Action) -> Position:
        """Place him there."""
        assert action.place is not None
        return position.with_figure(DUX, action.place).replace(ip=position.ip - position.ruleset.numbers["deploy-dux"])

    # Rule p12-dux-no-secure
    def ban(self, position: Position, action: Action) -> str | None:
        """He cannot secure, since he has no garrisons, and has only the actions of a general (page 12).

        He sends a fleet where no Emperor does it in his place [I-HELPERS-ALONE].
        """
        if action.figure != DUX or action.kind in DEEDS or self.owns(action):
            return None
        if action.kind is Kind.SAIL and position.here is None:
            return None
        return "the Dux has no garrisons and cannot secure" if action.kind is Kind.SECURE else "the Dux cannot do that"

    def goes_on(self, position: Position, leader: str) -> bool:
        """Whether the Emperor's turn continues after his defeat [I-DUX-DEFEAT]."""
        return leader == DUX and position.ruleset.readings["I-DUX-DEFEAT"] == "dux-only"


def _is_unused(position: Position) -> bool:
    """Whether he has not come into play yet."""
    return position.pieces.dux is None or position.pieces.dux.is_unused
