"""Roma Aeterna (page 15): discs of glory for those who lead victories."""

from pirates import PIRATES
from situations import DUX, Rules, Situation

READINGS = dict.fromkeys(("I-GLORY-DEFENCE", "I-GLORY-SEA"), ("takes", "none"))
READINGS |= dict.fromkeys(("I-SHAME-DEFENCE", "I-SHAME-SEA"), ("gives", "keeps"))
READINGS |= {"I-GLORY-DUX": ("nobody", "active")}


def glory(rules: Rules, now: Situation, leader: int, target: str, outcome: str) -> tuple[int, ...]:
    """The discs of glory after a battle: a victory brings one of the unrest left, a defeat takes one."""
    nobody = leader == DUX and (outcome != "victory" or rules.readings["I-GLORY-DUX"] == "nobody")
    if "roma-aeterna" not in rules.use or nobody or outcome == "draw":
        return now.glory
    had, readings = now.glory[rules.active], rules.readings
    if outcome == "victory":
        counts = target != PIRATES or readings["I-GLORY-SEA"] == "takes"
        change = int(counts and rules.unrest_left(now) > 0)
    else:
        counts = target != PIRATES or readings["I-SHAME-SEA"] == "gives"
        change = -int(counts and had > 0)
    return (*now.glory[: rules.active], had + change, *now.glory[rules.active + 1 :])


def defended(rules: Rules, who: int, glory: tuple[int, ...], left: int, outcome: str) -> tuple[int, ...]:
    """The discs of glory after a battle in which an army attacked somebody, with so many unrest in the reserve."""
    readings, by_dux = rules.readings, who == DUX
    if "roma-aeterna" not in rules.use or (by_dux and (outcome == "defeat" or readings["I-GLORY-DUX"] == "nobody")):
        return glory
    owner = rules.active if by_dux else who
    if outcome == "victory":
        change = int(readings["I-GLORY-DEFENCE"] == "takes" and left > 0)
    else:
        change = -int(readings["I-SHAME-DEFENCE"] == "gives" and glory[owner] > 0)
    return (*glory[:owner], glory[owner] + change, *glory[owner + 1 :])
