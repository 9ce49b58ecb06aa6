"""Variant 3, Via Romana (rulebook page 14): an Emperor sends the garrison under him to a province nearby."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.tetrarchia.action import Action, Kind, transfer
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.hooks import OwnActions
from tetrasolve.tetrarchia.rules.links import link_cost, move_cost
from tetrasolve.tetrarchia.rules.protection import printed_objection
from tetrasolve.tetrarchia.rules.registry import register


@register("via-romana")
class ViaRomana(OwnActions):
    """The action to transfer a garrison."""

    # Rule p14-via-target
    def candidates(self, position: Position) -> Iterator[Action]:
        """The provinces linked to the active Emperor's."""
        if position.here is not None:
            yield from map(transfer, position.board.neighbours(position.here))

    def owns(self, action: Action) -> bool:
        """Transfers of garrisons."""
        return action.kind is Kind.TRANSFER

    # Rule p14-via-own, p14-via-target
    def objection(self, position: Position, action: Action) -> str | None:
        """His own garrison goes to a linked, empty Roman province for the price of his own move (page 14).

        Whether a province with a figure is empty: [I-VIA-EMPTY], one with a printed disc: [I-VIA-OWN], [I-VIA-OTHERS],
        [I-VIA-ROMA]; whether the garrison of a border can go: [I-VIA-BORDER].
        """
        here, target, readings = position.here, action.place, position.ruleset.readings
        assert here is not None and target is not None
        if action.figure is not None:
            return "only an Emperor has garrisons"
        if position.discs.get(here) != position.to_move:
            return "he stands on no garrison of his own"
        if position.board[here].is_border and readings["I-VIA-BORDER"] == "stays":
            return "a secured border stays secured [I-VIA-BORDER]"
        if position.board[target].is_border:
            return "a garrison is sent to a Roman province"
        price = _price(position, here, target)
        if price is None:
            return "no link leads there"
        if target in position.discs:
            return f"a disc ({position.discs[target]}) lies there"
        if rule := printed_objection(position, target, "I-VIA"):
            return rule
        if readings["I-VIA-EMPTY"] == "no-figure" and not position.is_empty(target):
            return "a figure stands there [I-VIA-EMPTY]"
        return None if price <= position.ip else f"this costs {price} IP, {position.ip} are left"

    # Rule p14-via-cost
    def cost(self, position: Position, action: Action) -> int:
        """1 IP through a normal link, 2 through a broken one (page 14); by sea less, perhaps [I-VIA-PRICE]."""
        assert position.here is not None and action.place is not None
        price = _price(position, position.here, action.place)
        assert price is not None
        return price

    def play(self, position: Position, action: Action) -> Position:
        """Move the garrison, not the Emperor."""
        assert position.here is not None and action.place is not None
        marched = position.with_disc(position.here, None).with_disc(action.place, position.to_move)
        return marched.replace(ip=position.ip - self.cost(position, action))


def _price(position: Position, here: str, target: str) -> int | None:
    """IP to send a garrison through the link between two provinces; None without a link.

    That of his own move through the link, or the least that he himself would need, a fleet included [I-VIA-PRICE].
    """
    through = link_cost(position, here, target)
    by_link = through is None or position.ruleset.readings["I-VIA-PRICE"] == "link"
    return through if by_link else move_cost(position, here, target)
