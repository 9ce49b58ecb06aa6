"""The Vicarius (pages 12 and 13): a figure without troops, in whose province no unrest lies."""

from collections.abc import Iterator

from rules import Table
from situations import DEAD, VICARIUS, Deed, Rules, Situation, sure

READINGS = {"I-VICARIUS-PASS": ("pass", "closed"), "I-VICARIUS-ENTRY": ("share", "closed")}
READINGS |= {"I-VICARIUS-BORDER": ("holds", "dies"), "I-VICARIUS-UNREST": ("removed", "stays")}
DEPLOYMENT = 2  # IP


def deployments(rules: Rules, now: Situation) -> Iterator[Deed]:
    """Once in a game he comes to any Roman province without a figure and a revolt."""
    if "vicarius" not in rules.use or now.places[VICARIUS] is not None or now.ip < DEPLOYMENT:
        return
    taken = now.table.armies | now.table.revolts | rules.board.borders
    for place in rules.board.provinces:
        if place not in taken and place not in now.others(VICARIUS):
            after = now.put(VICARIUS, place)._replace(ip=now.ip - DEPLOYMENT)
            if rules.readings["I-VICARIUS-UNREST"] == "removed":
                after = after._replace(table=calmed(after.table, place))
            yield sure(f"deploy vicarius {place}", after)


def calmed(table: Table, place: str) -> Table:
    """The table when he has come to a province: unrest there is gone."""
    return table._replace(unrest=table.unrest - {place}) if place in table.unrest else table


def closed(rules: Rules, now: Situation, figure: int, place: str) -> bool:
    """Whether nobody may move to a province: he to none in revolt, others perhaps not to his."""
    if figure == VICARIUS:
        return place in now.table.revolts
    return place == now.places[VICARIUS] and rules.readings["I-VICARIUS-PASS"] == "closed"


def shut(rules: Rules, now: Situation, place: str) -> bool:
    """Whether he keeps the Emperor from entering where he stands."""
    return place == now.places[VICARIUS] and rules.readings["I-VICARIUS-ENTRY"] == "closed"


def trouble(rules: Rules, now: Situation) -> str:
    """Why he cannot be where he is; empty if he can."""
    place = now.places[VICARIUS]
    if place is None or place == DEAD:
        return ""
    calm = rules.readings["I-VICARIUS-UNREST"] == "removed"
    discs = now.table.revolts | (now.table.unrest if calm else frozenset())
    return "the Vicarius stands on a revolt or an unrest" if place in discs else ""
