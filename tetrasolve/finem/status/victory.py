"""Four pacified tribes, where the game has not ended [E-WIN]."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import Phase, Position, Step
from tetrasolve.finem.status.turn import stay_is_free
from tetrasolve.reason import Reason

PREFECT = "prefect"
WHEN = {
    "at-once": "the game is won",
    "phase": "the game is won at the end of the phase [E-WIN]",
    "turn": "the game is won at the end of the turn [E-WIN]",
}


def victory(position: Position) -> Iterator[Reason]:
    """All four tribes are pacified, and none of them can have been pacified in this phase, which goes on."""
    waits = position.ruleset.readings["E-WIN"] == "turn" and position.phase is not Phase.ROLE
    if len(position.pacified) < len(TRIBES) or waits:
        return
    may_be = {Phase.ACTIONS: _in_actions, Phase.CAMPAIGN: _in_campaign}.get(position.phase)
    if position.ruleset.readings["E-WIN"] == "at-once" or may_be is None or not may_be(position):
        yield Reason("won", "pacified", "all four tribes are pacified", WHEN[position.ruleset.readings["E-WIN"]])


def _in_actions(position: Position) -> bool:
    """Whether an action of this phase can have pacified the last of them."""
    automatic = position.ruleset.readings["E-PACIFY"] == "automatic"
    others = (
        0 if stay_is_free(position) else len(position.out) + (position.step is Step.DICTATOR)
    )  # actions that were rides
    taken = numbers.ACTIONS - position.left - others
    return taken > 0 and min(position.dice) <= numbers.FIRST_DIE and (position.role == PREFECT or not automatic)


def _in_campaign(position: Position) -> bool:
    """Whether points can have pacified in this campaign; `course` looks at the dice."""
    readings = position.ruleset.readings
    by_turn = position.role == PREFECT and position.ruleset.points_pacify_at_5
    return position.step not in (Step.DRAW, Step.EXCHANGE) and (by_turn or readings["E-PACIFY"] != "action")
