"""Rebel armies of the historical scenarios (rulebook page 16): each remains on its border, on top of a revolt.

Otherwise they are armies: they count among the three, block their border, and support others in battle.
`Position.rebels` has their borders; the set-up of a scenario is in `scenario`.
"""

from __future__ import annotations

from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.hooks import AdvanceRules, RomanRules
from tetrasolve.tetrarchia.rules.registry import register


@register("rebels")
class Rebels(AdvanceRules, RomanRules):
    """Rebel armies: they do not move, and attacks on them require a fleet."""

    # Rule p16-rebel-stays
    def stays(self, position: Position, army: str) -> bool:
        """They do not advance (page 16)."""
        return army in position.rebels

    def ban(self, position: Position, action: Action) -> str | None:
        """To attack them there must be a Roman fleet in the zone that their scenario names (pages 17 to 19)."""
        rebel = position.rebels.get(action.place or "") if action.kind is Kind.ATTACK else None
        if rebel is None or rebel.fleet in position.fleets:
            return None
        return f"to attack these rebels there must be a Roman fleet in zone {rebel.fleet}"
