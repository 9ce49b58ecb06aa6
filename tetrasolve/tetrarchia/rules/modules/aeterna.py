"""Variant 5, Roma Aeterna (rulebook page 15): Emperors gather glory, and one of them may become the Great."""

from __future__ import annotations

from collections.abc import Mapping

from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import AHEAD_OF_ALL, GLORY_A_BATTLE
from tetrasolve.tetrarchia.pieces import HELPERS, Counts, Piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.hooks import AT_SEA, DEFENDS, CombatRules, SetUpRules
from tetrasolve.tetrarchia.rules.registry import register

GLORY = "glory"
_GLORY = {DEFENDS: "I-GLORY-DEFENCE", AT_SEA: "I-GLORY-SEA"}  # of victories
_SHAME = {DEFENDS: "I-SHAME-DEFENCE", AT_SEA: "I-SHAME-SEA"}  # of defeats


@register("roma-aeterna")
class RomaAeterna(SetUpRules, CombatRules):
    """Glory: discs of unrest that Emperors take from the reserve and give back."""

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Piece]:
        """No glory at the beginning."""
        del armies
        return {GLORY: Counts.of({emperor.id: 0 for emperor in board.emperors})}

    # Rule p15-glory-victory, p15-glory-defeat
    def fought(self, position: Position, leader: str, outcome: Outcome, how: str) -> Position | Fall:
        """An Emperor who leads a victory takes a disc if one is left, one who leads a defeat gives one back (page 15).

        Whether he leads a battle when he is attacked: [I-GLORY-DEFENCE], [I-SHAME-DEFENCE]; battles with Pirates:
        [I-GLORY-SEA], [I-SHAME-SEA]; battles of the Dux: [I-GLORY-DUX], [I-SHAME-DUX]; where no disc is left: [I-GLORY-RESERVE].
        """
        readings = position.ruleset.readings
        if leader in HELPERS:
            no_glory, no_shame = readings["I-GLORY-DUX"] == "nobody", readings["I-SHAME-DUX"] == "nobody"
            if no_glory if outcome is Outcome.VICTORY else no_shame:
                return position
            leader = position.to_move
        if outcome is Outcome.VICTORY and (position.reserve_unrest > 0 or readings["I-GLORY-RESERVE"] == "falls"):
            takes = readings.get(_GLORY.get(how, ""), "takes") == "takes"
            if takes and position.reserve_unrest == 0:
                return Fall.NO_UNREST_LEFT
            return _with_glory(position, leader, GLORY_A_BATTLE) if takes else position
        if outcome is Outcome.DEFEAT and position.glory.get(leader, 0) > 0:
            gives = readings.get(_SHAME.get(how, ""), "gives") == "gives"
            return _with_glory(position, leader, -GLORY_A_BATTLE) if gives else position
        return position


def _with_glory(position: Position, emperor: str, more: int) -> Position:
    glory = {**position.glory, emperor: position.glory.get(emperor, 0) + more}
    return position.with_piece(GLORY, Counts.of(glory))


# Rule p15-score
def scores(position: Position) -> Mapping[str, int]:
    """Each Emperor's score: his secured borders and his glory (page 15)."""
    owners = [position.discs[border] for border in position.secured]
    return {emperor: owners.count(emperor) + position.glory.get(emperor, 0) for emperor in position.emperors}


# Rule p15-great, p15-bitter
def great(position: Position) -> str | None:
    """The Emperor who is the Great, 2 or more points above each other: the victory is bitter (page 15).

    None if there is none, or if the variant is not in use.
    """
    if position.pieces.glory is None:
        return None
    first, second, *_ = sorted(scores(position).items(), key=lambda pair: -pair[1])
    return first[0] if first[1] >= second[1] + AHEAD_OF_ALL else None
