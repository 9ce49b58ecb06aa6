"""The Pirates (page 13): they close a zone, and are fought on its coast."""

from rules import Table, Turn
from situations import Rules, Situation

READINGS = {"I-PIRATES-ZONE": ("lower", "higher"), "I-PIRATES-PRINTED": ("count", "discs-only")}
READINGS |= {"I-PIRATES-RETURN": ("province", "reached")}
READINGS |= dict.fromkeys(("I-PIRATES-ARMIES", "I-PIRATES-EMPERORS"), ("each", "once"))
ATTACK = 2  # IP
PIRATES = "pirates"  # in place of an army's province


def shore(rules: Rules, now: Situation) -> frozenset[str]:
    """The coast of their zone."""
    return frozenset(place for place in rules.board.provinces if now.pirates in rules.board.zones[place])


def reached(rules: Rules, now: Situation, place: str) -> bool:
    """Whether they can be attacked from a province."""
    return now.pirates is not None and now.ip >= ATTACK and now.pirates in rules.board.zones[place]


def strengths(rules: Rules, now: Situation, figure: int, general: Turn) -> tuple[int, int, int, int]:
    """What counts in a battle with them: all that lies and stands on their coast, as if its provinces were linked."""
    coast, readings = shore(rules, now), rules.readings
    own = general.own_discs(now.table)
    if readings["I-PIRATES-PRINTED"] == "discs-only":
        own &= now.table.garrisons[rules.active]
    allies, armies = sum(place in coast for place in now.allies(figure)), len(now.table.armies & coast)
    allies = min(allies, 1) if readings["I-PIRATES-EMPERORS"] == "once" else allies
    armies = min(armies, 1) if readings["I-PIRATES-ARMIES"] == "once" else armies
    return len(own & coast), allies, len(now.table.revolts & coast), armies


def swept(rules: Rules, now: Situation) -> Table:
    """The table when they have won: without the garrisons of their coast; those of borders perhaps stay."""
    lost = shore(rules, now)
    if rules.readings["I-BORDER-DEFEAT"] == "stays":
        lost -= rules.board.borders
    return now.table._replace(garrisons=tuple(own - lost for own in now.table.garrisons))


def back(rules: Rules, fleets: frozenset[int], place: str) -> int | None:
    """The zone to which beaten Pirates come back after an uprising in a province, one without a fleet; None: to none."""
    if PIRATES not in rules.use:
        return None
    board, reached = rules.board, {place}
    if rules.readings["I-PIRATES-RETURN"] == "reached":
        reached |= {near for near, broken in board.links[place].items() if not broken and near not in board.borders}
    open_zones = {zone for where in reached for zone in board.zones[where]} - fleets
    return (max if rules.readings["I-PIRATES-ZONE"] == "higher" else min)(open_zones, default=None)


def trouble(now: Situation) -> str:
    """Why they cannot be where they are; empty if they can."""
    return "the Pirates lie in the zone of a Roman fleet" if now.pirates in now.table.fleets else ""
