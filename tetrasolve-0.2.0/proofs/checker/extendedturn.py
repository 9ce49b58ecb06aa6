"""What modules and variants change in a Roman phase.

A setting names the modules and variants in use and the pieces that they have put down.
"""

from collections.abc import Iterator, Mapping
from functools import cache

import words
from board import Board
from rules import BEATEN, USUAL, Action, State, Table, Turn
from words import Moment, Setting

HELPERS = ("dux", "vicarius")
DEAD = "dead"
DEPLOYMENT, SEA_BATTLE = 2, 2  # IP


class Helper(Turn):
    """What the Dux or the Vicarius can do: neither has garrisons, so he secures nothing and has no group."""

    def strengths(self, place: str, table: Table, army: str) -> tuple[int, int, int, int]:
        """As of an Emperor, without a group."""
        return 0, *super().strengths(place, table, army)[1:]


class Vicarius(Helper):
    """He moves as an Emperor, not into revolts, and does nothing else."""

    def actions(self, state: State) -> Iterator[Action]:
        """His moves; unrest is gone where he comes."""
        for target, cost in self.moves(state):
            if target not in state.table.revolts:
                after = state.table._replace(unrest=state.table.unrest - {target})
                yield self.sure(f"move {target}", State(state.ip - cost, target, after))


def where(now: Setting, figure: str) -> str | None:
    """The place of the Dux or the Vicarius while he is on the board."""
    place = now.pieces.get(figure)
    return None if place == DEAD else place


def helper(now: Setting, figure: str) -> Turn:
    """The turn of another figure, with the Emperors in its way."""
    turn = (Vicarius if figure == "vicarius" else Helper)(now.turn.board, USUAL, 0, now.turn.active, [None] * 4)
    turn.others = [place for place in (*now.turn.others, now.state.place) if place is not None]
    return turn


def deeds(now: Setting, figure: str) -> dict[str, int]:
    """What another figure than the active Emperor can do with his IP, and the IP; fleets sail for any figure."""
    if figure in HELPERS:
        place = where(now, figure)
        found = helper(now, figure).actions(State(now.state.ip, place, now.state.table)) if place else ()
        return {a.name: now.state.ip - a.ways[0].state.ip for a in found if not a.name.startswith("sail")}
    if not now.pieces.get("power"):
        return {}
    turn = Turn(now.turn.board, USUAL, 0, now.turn.active, [None] * 4)  # Diocletian himself is in the other one's way
    turn.others = [now.state.place] if now.state.place is not None else []
    moves = turn.moves(State(now.state.ip, now.places[now.turn.board.emperors.index(figure)], now.state.table))
    return {f"move {target}": cost for target, cost in moves}


def deployments(now: Setting, figure: str) -> set[str]:
    """Where it can be deployed: once in a game, in a Roman province without a figure.

    The Dux is placed in a province linked to the Emperor's, the Vicarius in any in which no revolt lies.
    """
    board, place = now.turn.board, now.state.place
    if figure not in now.use or now.pieces.get(figure) is not None or place is None:
        return set()
    near = set(board.links[place]) if figure == "dux" else set(board.provinces) - now.state.table.revolts
    return near - board.borders - {place, *now.turn.others} - now.state.table.armies


def purse(now: Setting) -> list[str]:
    """What a power can be paid with: a disc of the reserve, or one of a province; those of borders stay."""
    own = now.state.table.garrisons[now.turn.active]
    reserve = now.turn.supply - len(own) - now.pieces.get("paid", 0)
    return (["reserve"] if reserve > 0 else []) + sorted(own - now.turn.board.borders)


def transfers(now: Setting) -> Iterator[tuple[str, int]]:
    """Where the garrison under an Emperor can march: to a linked Roman province with no disc and no figure."""
    board, table, here = now.turn.board, now.state.table, now.state.place
    taken = table.discs() | table.armies | set(now.turn.others)
    if here in table.garrisons[now.turn.active]:
        for there, broken in board.links[here].items():
            if there not in board.borders and there not in taken and 1 + broken <= now.state.ip:
                yield there, 1 + broken


def prices(now: Setting) -> dict[str, int]:
    """The legal actions with their IP, those of modules and variants in use among them."""
    found = words.prices(now)
    here, board, pirates = now.state.place, now.turn.board, now.pieces.get("pirates")
    if here is None:
        return found
    if pirates is not None:
        found = {
            name: ip for name, ip in found.items() if not name.startswith("sail") or not name.endswith(f">{pirates}")
        }
        if pirates in board.zones[here]:
            found["attack pirates"] = SEA_BATTLE
    for border, fleet in now.pieces.get("rebels", {}).items():
        if fleet not in now.state.table.fleets:
            found.pop(f"attack {border}", None)
    if "mare-nostrum" in now.use:
        found |= {f"move {there}": ip for there, ip in ways(now, here).items() if there not in now.turn.others}
    if "via-romana" in now.use:
        found |= {f"transfer {there}": ip for there, ip in transfers(now)}
    if "imperium" in now.use and not now.pieces.get("power"):
        found |= {f"imperium {disc}": 0 for disc in purse(now)}
    return found | {f"deploy {figure} {there}": DEPLOYMENT for figure in HELPERS for there in deployments(now, figure)}


def legal(now: Setting, name: str) -> bool:
    """Whether an action is legal."""
    figure, _, deed = name.partition(": ")
    return deed in deeds(now, figure) if figure in HELPERS else name in prices(now)


def after(now: Setting, text: str) -> Setting:
    """The setting after an action."""
    figure, _, deed = text.partition(": ")
    verb, _, goal = text.partition(" ")
    table = now.state.table
    if figure in HELPERS:
        name, _, outcome = deed.partition(": ")
        actions = helper(now, figure).actions(State(now.state.ip, where(now, figure), table))
        (way,) = [w for action in actions if action.name == name for w in action.ways if w.outcome == outcome]
        state = State(way.state.ip, now.state.place, way.state.table)
        return now._replace(state=state, pieces={**now.pieces, figure: way.state.place or DEAD}, end=way.end)
    if not legal(now, figure):
        raise ValueError(f"'{text}' is not legal")
    if text == "attack pirates: defeat":
        return sea_defeat(now)
    if verb == "transfer":
        own = table.garrisons[now.turn.active] - {now.state.place} | {goal}
        garrisons = tuple(own if row == now.turn.active else others for row, others in enumerate(table.garrisons))
        ip = now.state.ip - prices(now)[text]
        return now._replace(state=State(ip, now.state.place, table._replace(garrisons=garrisons)))
    if text == "imperium reserve":
        ip = now.state.ip + (now.turn.emperor == "maximian")
        pieces = {**now.pieces, "power": True, "paid": now.pieces.get("paid", 0) + 1}
        return now._replace(state=now.state._replace(ip=ip), pieces=pieces)
    then = words.after(now, text)
    if "roma-aeterna" in now.use and verb == "attack":  # a victory brings a disc, a defeat takes one
        had, gain = glory(now), {"victory": 1, "draw": 0, "defeat": -1}[deed]
        then = then._replace(
            pieces={**now.pieces, "glory": {**had, now.turn.emperor: max(0, had[now.turn.emperor] + gain)}}
        )
    return then


def sea_defeat(now: Setting) -> Setting:
    """Beaten by the Pirates an Emperor is off the board, and with him all garrisons of that coast but on borders."""
    board, table = now.turn.board, now.state.table
    shore = {place for place in board.provinces if now.pieces["pirates"] in board.zones[place]} - board.borders
    lost = table._replace(garrisons=tuple(own - shore for own in table.garrisons))
    return now._replace(state=State(now.state.ip, None, lost), end=BEATEN)


def battle(now: Setting | Moment, army: str, leader: str = "") -> tuple[int, int, int, int]:
    """What counts in a battle. The Dux supports Emperors and is supported; the Vicarius has no troops.

    Against the Pirates all that lies on their coast counts, as if its provinces were linked.
    """
    if isinstance(now, Moment):
        return words.battle(now, army, leader)
    dux, board, turn = where(now, "dux"), now.turn.board, now.turn
    if leader == "dux":
        assert dux is not None
        return helper(now, "dux").strengths(dux, now.state.table, army)
    if army == "pirates":
        shore = {place for place in board.provinces if now.pieces["pirates"] in board.zones[place]}
        table = now.state.table
        others = sum(place in shore for place in turn.others)
        return len(turn.own_discs(table) & shore), others, len(table.revolts & shore), len(table.armies & shore)
    beside = Turn(board, USUAL, turn.supply, turn.active, list(now.places))
    beside.others = [*turn.others, dux] if dux is not None else turn.others
    assert now.state.place is not None
    return beside.strengths(now.state.place, now.state.table, army)


# -- by sea --------------------------------------------------------------------------------------------------------


@cache
def carried(board: Board, fleets: frozenset[int], joined: bool) -> dict[str, dict[str, int]]:
    """The zones crossed by sea between two provinces; fleets in zones that touch make one of them, or each is by itself."""
    zones = {(zone, zone): 1 for zone in fleets}
    for crossed in range(2, len(fleets) + 1 if joined else 2):
        for first, last in [pair for pair, number in zones.items() if number == crossed - 1]:
            for zone in fleets:
                if sorted((last, zone)) in board.adjacent:
                    zones.setdefault((first, zone), crossed)
    found: dict[str, dict[str, int]] = {place: {} for place in board.provinces}
    for (a, b), crossed in zones.items():
        for here in board.provinces:
            for there in board.provinces:
                if here != there and a in board.zones[here] and b in board.zones[there]:
                    found[here][there] = min(crossed, found[here].get(there, crossed))
    return found


def by_sea(now: Setting, here: str) -> dict[str, int]:
    """Where fleets carry a figure, and how many zones it crosses."""
    return carried(now.turn.board, now.state.table.fleets, "mare-nostrum" in now.use)[here]


def ways(now: Setting, here: str) -> dict[str, int]:
    """Where a move leads, and its IP: 1 for each zone that is crossed."""
    found = words.ways(now, here)
    for there, crossed in by_sea(now, here).items() if "mare-nostrum" in now.use else ():
        cost = crossed + (there in now.state.table.revolts)
        if there not in now.state.table.armies:
            found[there] = min(cost, found.get(there, cost))
    return found


# -- discs of Emperors -------------------------------------------------------------------------------------------


def of_each(board: Board, numbers: Mapping[str, int]) -> dict[str, int]:
    """A number of each Emperor; 0 where none is given."""
    return {name: numbers.get(name, 0) for name in board.emperors}


def glory(now: Setting) -> dict[str, int]:
    """The discs of glory of each Emperor."""
    return dict(now.pieces.get("glory") or of_each(now.turn.board, {}))
