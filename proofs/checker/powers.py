"""Imperium and Roma Aeterna (pages 14 and 15): powers that are paid for with discs, and glory."""

from itertools import product
from typing import NamedTuple

from barbarian import Clash, Crossing, Phase, Scene
from bare import LATEST, NOTHING, USUAL, Answer, Statement, arrows
from board import Board
from rules import IP_A_TURN, MOST_UNREST, State, Table, Turn, odds

DIOCLETIAN, GALERIUS, CONSTANTIUS, MAXIMIAN = range(4)

# -- Imperium ------------------------------------------------------------------------------------------------------


class Discs(NamedTuple):
    """An Emperor's garrisons: in the reserve, and out of the game."""

    reserve: int
    removed: int = 0

    def paid(self) -> "Discs":
        """A power has been used."""
        return Discs(self.reserve - 1, self.removed + 1)


def purse(board: Board, supply: int, table: Table, emperor: int) -> list[str]:
    """What he can pay with: a disc of the reserve, or one of a province; those of borders stay."""
    own = table.garrisons[emperor]
    return (["reserve"] if len(own) < supply else []) + sorted(own - board.borders)


def price(_: Board, __: list[str]) -> Answer:
    """Each use costs a disc for good, so there are as many as there are discs."""
    values = {}
    for garrisons in (3, 4, 5):
        discs = Discs(garrisons)
        while discs.reserve:
            discs = discs.paid()
        values[f"uses.{garrisons}"] = discs.removed
    return values, list(values.values()) == [3, 4, 5]


def led(board: Board, _: list[str]) -> Answer:
    """Diocletian, who is in Roma, moves Galerius as that one would move himself."""
    values = {"own": 0, "without": 0, "with": 0, "alike": 0}
    for place in board.provinces:
        if place == board.roma:
            continue
        his = Turn(board, USUAL, 5, GALERIUS, [board.roma, place, None, None])
        own = set(his.moves(State(IP_A_TURN, place, NOTHING)))
        for power in (False, True):
            moves = others_moves(board, place, power)
            values["with" if power else "without"] += len(moves)
            values["alike"] += len(moves & own)
        values["own"] += len(own)
    return values, values["own"] == values["with"] == values["alike"] and not values["without"]


def others_moves(board: Board, place: str, power: bool) -> set[tuple[str, int]]:
    """The moves of another Emperor, who is here, with the IP of Diocletian, who is in Roma."""
    if not power:
        return set()
    turn = Turn(board, USUAL, 5, DIOCLETIAN, [None, None, None, None])
    turn.others = [board.roma]  # he himself is in the other one's way
    return set(turn.moves(State(IP_A_TURN, place, NOTHING)))


def seven(board: Board, _: list[str]) -> Answer:
    """Maximian has 7 IP."""
    values = {"without": IP_A_TURN, "with": IP_A_TURN + 1}
    for who, ip in (("without", IP_A_TURN), ("with", IP_A_TURN + 1)):
        values[f"reach.{who}"] = len(within(board, board.roma, ip))
    return values, values["with"] == 7


def within(board: Board, start: str, ip: int) -> set[str]:
    """The provinces to which so many IP lead by links, without revolts."""
    cost = {start: 0}
    for spent in range(ip):
        for place in [place for place in cost if cost[place] == spent]:
            for there, broken in board.links[place].items():
                if spent + 1 + broken <= ip:
                    cost[there] = min(cost.get(there, ip), spent + 1 + broken)
    return set(cost)


def stopped(phase: Phase, scene: Scene, army: str, discs: Discs) -> tuple[Scene, Discs]:
    """An army that comes to Constantius: he stops it, as long as he has a disc."""
    step = phase.march(scene, (army,))
    step = phase.roll(step).results[-1] if isinstance(step, Crossing) else step
    if isinstance(step, Clash) and step.scene.places[CONSTANTIUS] == phase.board.arrow[army] and discs.reserve:
        return scene, discs.paid()
    return scene._replace(table=NOTHING), discs  # the battle, whatever comes of it


def block(board: Board, _: list[str]) -> Answer:
    """Constantius blocks an army before it attacks him."""
    phase = Phase(board, LATEST)
    values = {"ways": 0, "blocked": 0, "penniless": 0}
    for army, target in arrows(board):
        scene = Scene(NOTHING._replace(armies=frozenset({army})), (None, None, target, None))
        values["ways"] += 1
        for who, discs in (("blocked", Discs(5)), ("penniless", Discs(0, 5))):
            after, left = stopped(phase, scene, army, discs)
            values[who] += after == scene and left.removed == discs.removed + 1
    return values, values["blocked"] == values["ways"] and not values["penniless"]


def boosted(_: Board, __: list[str]) -> Answer:
    """Galerius adds 1 to his die, several times: as good as so many more in his group."""
    most = 5
    wins = [odds(paid, 0, 0, 0)[0] for paid in range(most + 1)]
    values = {f"victory.{paid}": number for paid, number in enumerate(wins)}
    return values | {"most": most}, sorted(set(wins)) == wins


# -- Roma Aeterna --------------------------------------------------------------------------------------------------


def glory(_: Board, __: list[str]) -> Answer:
    """A victory brings a disc out of the reserve of unrest, a defeat takes one back if there is one."""
    values = {}
    for had in (0, 1):
        for outcome, more in (("victory", 1), ("draw", 0), ("defeat", -1)):
            now = max(had + more, 0)
            values[f"{outcome}.{had}"] = now
            values[f"unrest-left.{outcome}.{had}"] = MOST_UNREST - now
    return values, [values[f"{o}.0"] for o in ("victory", "draw", "defeat")] == [1, 0, 0] and values["defeat.1"] == 0


def great(board: Board, _: list[str]) -> Answer:
    """Who has two borders more than each other is the Great."""
    values: dict[str, object] = {}
    alone: set[int] = set()
    for garrisons in (3, 4, 5):
        ways = found = 0
        for owners in product(range(4), repeat=len(board.borders)):
            shares = sorted(owners.count(emperor) for emperor in range(4))
            if shares[-1] <= garrisons:
                ways += 1
                if shares[-1] >= shares[-2] + 2:
                    found += 1
                    alone.add(shares[-1])
        values |= {f"ways.{garrisons}": ways, f"great.{garrisons}": found}
    return values | {"fewest": min(alone)}, min(alone) == 3


STATEMENTS: dict[str, tuple[int, Statement]] = {
    "book-imperium/price": (14, price),
    "book-imperium/diocletian": (14, led),
    "book-imperium/maximian": (14, seven),
    "book-imperium/constantius": (14, block),
    "book-imperium/galerius": (14, boosted),
    "book-roma-aeterna/glory": (15, glory),
    "book-roma-aeterna/great": (15, great),
}
