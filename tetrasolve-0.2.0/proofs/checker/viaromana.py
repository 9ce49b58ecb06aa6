"""Via Romana (page 14): an Emperor sends the garrison under him away."""

from collections.abc import Iterator

from rules import Turn
from situations import Deed, Rules, Situation, sure

READINGS = {"I-VIA-EMPTY": ("no-figure", "no-disc"), "I-VIA-BORDER": ("stays", "moves")}
READINGS |= dict.fromkeys(("I-VIA-OWN", "I-VIA-OTHERS", "I-VIA-ROMA"), ("allowed", "forbidden"))


def transfers(rules: Rules, now: Situation, emperor: Turn, here: str) -> Iterator[Deed]:
    """To linked Roman provinces without a disc, and perhaps without a figure, for the IP of his own move."""
    own = now.table.garrisons[rules.active]
    stays = here in rules.board.borders and rules.readings["I-VIA-BORDER"] == "stays"
    if "via-romana" not in rules.use or here not in own or stays:
        return
    closed = rules.board.borders | now.table.discs()
    if rules.readings["I-VIA-EMPTY"] == "no-figure":
        closed |= now.table.armies.union(now.others(rules.active))
    for there, broken in rules.board.links[here].items():
        if there not in closed and not emperor.printed_keeps_away(there, "I-VIA") and 1 + broken <= now.ip:
            garrisons = list(now.table.garrisons)
            garrisons[rules.active] = own - {here} | {there}
            table = now.table._replace(garrisons=tuple(garrisons))
            yield sure(f"transfer {there}", now._replace(ip=now.ip - 1 - broken, table=table))
