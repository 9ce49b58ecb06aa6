"""The Goths (page 13) in a Roman phase: an army that adds 1 to its die."""

from collections.abc import Iterable

from pirates import PIRATES
from situations import Rules, Situation

READINGS = {"I-GOTHS-ARMY": ("removed", "blocks"), "I-GOTHS-SUPPORT": ("supporter", "leader")}
READINGS |= {"I-GOTHS-SEA": ("count", "not"), "I-GOTHS-BOTH": ("both", "figure")}
READINGS |= {"I-GOTHS-BORDER": ("removed", "stays"), "I-GOTHS-REBELS": ("block", "removed")}


def bonus(rules: Rules, now: Situation, target: str, armies: Iterable[str]) -> int:
    """What they add to the die of an army, or of the Pirates, that these armies support."""
    if now.goths is None or (target == PIRATES and rules.readings["I-GOTHS-SEA"] == "not"):
        return 0
    supports = now.goths in armies and rules.readings["I-GOTHS-SUPPORT"] == "supporter"
    return int(now.goths == target or supports)


def may_lie_under(rules: Rules, now: Situation, border: str) -> bool:
    """Whether a garrison may lie under the army of this border, since it is theirs."""
    kept = rules.readings["I-GOTHS-BORDER"] == "stays" or rules.readings["I-GOTHS-BOTH"] == "figure"
    return kept and now.goths == border and border in now.table.secured()


def trouble(now: Situation) -> str:
    """Why they cannot be where they are; empty if they can."""
    if now.goths is not None and (now.goths not in now.table.armies or now.goths in now.rebels):
        return "the Goths are no army, or rebels"
    return ""
