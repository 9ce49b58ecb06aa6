"""Module 2, the Vicarius (rulebook pages 12 and 13): a figure without troops, who keeps his province free of unrest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tetrasolve.tetrarchia.action import Action, Kind, deploy
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import VICARIUS, Helper, Piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import roman
from tetrasolve.tetrarchia.rules.hooks import OwnActions, RevoltRules, RomanRules, SetUpRules
from tetrasolve.tetrarchia.rules.registry import register


@register("vicarius")
class Vicarius(SetUpRules, OwnActions, RomanRules, RevoltRules):
    """The Vicarius: his deployment, his moves, and his death."""

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Piece]:
        """He is not yet in play (page 12)."""
        del board, armies
        return {VICARIUS: Helper()}

    # Rule p12-vicarius-ip, p12-vicarius-move
    def candidates(self, position: Position) -> Iterator[Action]:
        """His deployment anywhere, later his moves (page 12)."""
        place = position.place_of(VICARIUS)
        if place is not None:
            yield from roman.moves(position, place, VICARIUS)
        elif _is_unused(position):
            yield from (deploy(VICARIUS, province) for province in position.board.ids)

    def owns(self, action: Action) -> bool:
        """His deployment; he moves as an Emperor does."""
        return action.kind is Kind.DEPLOY and action.figure == VICARIUS

    # Rule p12-vicarius-place
    def objection(self, position: Position, action: Action) -> str | None:
        """He is deployed once, for 2 IP, in any Roman province free of figures and revolts (page 12)."""
        place = action.place
        assert place is not None
        if not _is_unused(position):
            return "the Vicarius has been deployed before"
        if position.board[place].is_border:
            return "the Vicarius is deployed in a Roman province"
        if place in position.armies or place in position.romans.values():
            return "a figure stands there"
        if position.has_revolt(place):
            return "a revolt lies there"
        return (
            None
            if position.ip >= position.ruleset.numbers["deploy-vicarius"]
            else f"a deployment costs {position.ruleset.numbers['deploy-vicarius']} IP, {position.ip} are left"
        )

    def cost(self, position: Position, action: Action) -> int:
        """2 IP (page 12)."""
        del action
        return position.ruleset.numbers["deploy-vicarius"]

    def play(self, position: Position, action: Action) -> Position:
        """Place him there, and remove an unrest there [I-VICARIUS-UNREST]."""
        assert action.place is not None
        ip = position.ip - position.ruleset.numbers["deploy-vicarius"]
        deployed = position.with_figure(VICARIUS, action.place).replace(ip=ip)
        stays = position.ruleset.readings["I-VICARIUS-UNREST"] == "stays"
        return deployed if stays else self.entered(deployed, VICARIUS, action.place)

    # Rule p13-vicarius-battle
    def ban(self, position: Position, action: Action) -> str | None:
        """He has no troops: he can only move (page 13)."""
        del position
        if action.figure != VICARIUS or action.kind is Kind.MOVE or self.owns(action):
            return None
        return "the Vicarius can only move"

    # Rule p13-vicarius-revolt
    def closed(self, position: Position, figure: str, province: str) -> str | None:
        """He cannot enter a province in revolt (page 13); whether others pass through his: [I-VICARIUS-PASS]."""
        if figure == VICARIUS:
            return "a revolt lies there, and the Vicarius has no troops" if position.has_revolt(province) else None
        if position.place_of(VICARIUS) == province and position.ruleset.readings["I-VICARIUS-PASS"] == "closed":
            return "the Vicarius stands there [I-VICARIUS-PASS]"
        return None

    # Rule p13-vicarius-unrest
    def entered(self, position: Position, figure: str, province: str) -> Position:
        """He removes unrest where he enters, without IP (page 13)."""
        if figure == VICARIUS and position.has_unrest(province):
            return position.with_disc(province, None)
        return position

    # Rule p13-vicarius-calm
    def is_calm(self, position: Position, province: str) -> bool:
        """He blocks the Barbarian roll where it would place unrest (page 13)."""
        return position.place_of(VICARIUS) == province

    def yields(self, position: Position, border: str) -> Position:
        """He keeps an army from a border on which he stands, or dies there [I-VICARIUS-BORDER]."""
        dies = position.ruleset.readings["I-VICARIUS-BORDER"] == "dies"
        return self.struck(position, frozenset({border})) if dies else position

    # Rule p13-vicarius-dies
    def struck(self, position: Position, provinces: frozenset[str]) -> Position:
        """He dies when an uprising, an army or any other revolt reaches him (page 13)."""
        return position.with_figure(VICARIUS, None) if position.place_of(VICARIUS) in provinces else position


def _is_unused(position: Position) -> bool:
    """Whether he has not come into play yet."""
    return position.pieces.vicarius is None or position.pieces.vicarius.is_unused
