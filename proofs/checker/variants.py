"""What the rulebook says about its six variants: Imperium, Mare Nostrum, Via Romana, Usurpator, Roma Aeterna, Barbaria.

Powers and glory are in `powers`, new ways for figures, garrisons and armies in `roads`, the Barbarian player in `opponent`.
"""

import opponent
import powers
import roads
from bare import NOTHING, USUAL, Answer, Statement, check, empire, of_emperor
from board import Board
from claimed import Fact
from rules import IP_A_TURN, State, Turn
from text import Lines

VARIANTS = ("imperium", "mare-nostrum", "via-romana", "usurpator", "roma-aeterna", "barbaria")


def gains(board: Board, _: list[str]) -> Answer:
    """Three variants add actions in the Roman phase, the others do not, and none takes one away."""
    values = {f"{variant}.more": 0 for variant in VARIANTS}
    actions, lost = 0, 0
    fleets = tuple(board.all_zones)
    base, joined = (roads.crossings(board, fleets, one) for one in (False, True))
    for here in empire(board):
        places = (here, None, None, None)
        table = NOTHING._replace(fleets=frozenset(fleets), garrisons=of_emperor(0, here))
        turn = Turn(board, USUAL, 5, 0, list(places))
        actions += len(list(turn.actions(State(IP_A_TURN, here, table))))
        for there in board.provinces:
            before, now = roads.step(board, base, here, there), roads.step(board, joined, here, there)
            values["mare-nostrum.more"] += now is not None and now != before
            lost += before is not None and now != before
            values["via-romana.more"] += roads.march_price(board, table, places, here, there) is not None
        values["imperium.more"] += len(powers.purse(board, 5, table, 0))
    easier = [variant for variant in VARIANTS if values[f"{variant}.more"]]
    return values | {"actions": actions, "lost": lost}, easier == [*VARIANTS[:3]] and not lost


STATEMENTS: dict[str, tuple[int, Statement]] = {"book-variants/actions": (14, gains)}
KNOWN = STATEMENTS | powers.STATEMENTS | roads.STATEMENTS | opponent.STATEMENTS


def check_variant(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """Work out what a statement about variants says."""
    return check(lines, board, fact, KNOWN, {})
