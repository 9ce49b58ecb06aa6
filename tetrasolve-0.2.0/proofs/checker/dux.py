"""The Dux (page 12): a general without garrisons, who acts with the IP of any Emperor."""

from collections.abc import Iterator

from rules import BEATEN, ON
from situations import DUX, Deed, Rules, Situation, sure

READINGS = {"I-DUX-DEFEAT": ("turn", "dux-only"), "I-DUX-REVOLT": ("allowed", "forbidden")}
READINGS |= {"I-DUX-BROKEN": ("allowed", "forbidden")}
DEPLOYMENT = 2  # IP


def deployments(rules: Rules, now: Situation) -> Iterator[Deed]:
    """Once in a game he comes to a Roman province without a figure that is linked to the Emperor's."""
    here = now.places[rules.active]
    if "dux" not in rules.use or now.places[DUX] is not None or here is None or now.ip < DEPLOYMENT:
        return
    for place, broken in rules.board.links[here].items():
        closed = broken and rules.readings["I-DUX-BROKEN"] == "forbidden"
        closed |= place in now.table.revolts and rules.readings["I-DUX-REVOLT"] == "forbidden"
        if not closed and place not in rules.board.borders | now.table.armies and place not in now.others(rules.active):
            yield sure(f"deploy dux {place}", now.put(DUX, place)._replace(ip=now.ip - DEPLOYMENT))


def beaten(rules: Rules, leader: int) -> str:
    """Whether the turn goes on after an attack that is lost."""
    return ON if leader == DUX and rules.readings["I-DUX-DEFEAT"] == "dux-only" else BEATEN
