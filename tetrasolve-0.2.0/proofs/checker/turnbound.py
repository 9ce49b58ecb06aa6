"""The most that one turn can do of a thing, over all positions: a bound, and a position where so much is done.

The bound is by a machine that can do whatever the rules allow, and more. It knows the IP left, the province, what lies
under the Emperor, and how many armies are left. Fleets lie in every zone; where he goes, anything that helps may lie; he has
garrisons enough; no revolt of a region is in the way; and each attack is a victory. A draw, a sail and a more expensive way
than it need be are no better than to wait: so waiting is one of its deeds. An army inside the Empire stands on a revolt,
which has to be paid for and goes with it. Deeds cost IP, so the most is worked out by the IP that are left.

That so much can be done is shown by a position and a plan, carried out by the rules of a turn. A plan that does less than the
bound proves an interval.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from board import Board
from claim import MOST_ARMIES, read_position
from claimed import Fact
from distances import ways
from played import steps
from rules import IP_A_TURN, State, Way
from text import Lines, Unreadable

CLEAR, UNREST, REVOLT, GARRISON = UNDER = ("clear", "unrest", "revolt", "garrison")


class Spot(NamedTuple):
    """A state of the machine."""

    ip: int
    place: str
    under: str
    armies: int


class Deed(NamedTuple):
    """What is done, and the disc that is taken from its province by it: a revolt, an unrest or none."""

    name: str
    disc: str


# What a deed adds to each thing
THINGS: dict[str, Callable[[Deed], bool]] = {
    "revolts": lambda deed: deed.disc == REVOLT,
    "revolts-subdued": lambda deed: deed.disc == REVOLT and deed.name != "attack",
    "revolts-removed": lambda deed: deed.disc == REVOLT and deed.name == "remove",
    "unrest": lambda deed: deed.disc == UNREST,
    "discs": lambda deed: deed.name == "remove" or (deed.name == "attack" and deed.disc == REVOLT),
    "garrisons": lambda deed: deed.name == "secure",
    "armies": lambda deed: deed.name == "attack",
    "provinces": lambda deed: deed.name in ("move", "attack"),
}


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact: for each number of IP the most, where bound and witness meet, else both."""
    if fact.kind != "turn-most" or fact.instance not in THINGS:
        raise lines.refuted(f"there is no fact {fact.id}")
    counts = THINGS[fact.instance]
    values: dict[str, str] = {}
    bounds = iter(bounds_by_ip(board, counts))
    for ip, line in enumerate(lines.section("witnesses"), start=1):
        done, most = carry_out(lines, board, line, ip, counts), next(bounds, 0)
        values |= {f"ip.{ip}": str(done)} if done == most else {f"least.{ip}": str(done), f"most.{ip}": str(most)}
    if next(bounds, None) is not None:
        raise lines.refuted(f"expected {IP_A_TURN} witnesses, one for each number of IP")
    return values


# -- the bound -------------------------------------------------------------------------------------------------


def bounds_by_ip(board: Board, counts: Callable[[Deed], bool]) -> list[int]:
    """The most that the machine can do with 1, 2, ... IP, wherever it begins."""
    best: dict[Spot, int] = {}
    moved: dict[tuple[int, str, int], int] = {}  # the most after a move that leaves so many IP, whatever lies there
    places = [(place, under) for place in board.provinces for under in UNDER if may_lie(board, place, under)]
    for ip in range(IP_A_TURN + 1):
        for armies in range(MOST_ARMIES + 1):
            for place, under in places:
                worth = [
                    0,
                    *(counts(deed) + best[after] for deed, after in deeds(board, Spot(ip, place, under, armies))),
                ]
                worth += [
                    counts(Deed("move", "")) + moved[ip - cost, target, armies]
                    for target, cost in ways(board, place, frozenset(board.all_zones)).items()
                    if cost <= ip
                ]
                best[Spot(ip, place, under, armies)] = max(worth)
            for place in board.provinces:
                there = [Spot(ip - (under == REVOLT), place, under, armies) for under in UNDER]
                moved[ip, place, armies] = max(best[spot] for spot in there if spot in best)
    return [max(best[Spot(ip, place, under, MOST_ARMIES)] for place, under in places) for ip in range(1, IP_A_TURN + 1)]


def may_lie(board: Board, place: str, under: str) -> bool:
    """On a border neither a revolt nor an unrest lies."""
    return place not in board.borders or under in (CLEAR, GARRISON)


def deeds(board: Board, spot: Spot) -> Iterator[tuple[Deed, Spot]]:
    """All that the machine can do but move, each with the state it leads to; each costs IP."""
    ip, place, under, armies = spot
    price = 1 + (place in board.borders)
    if ip >= 1:
        yield Deed("wait", ""), spot._replace(ip=ip - 1)
    if under == REVOLT and ip >= 2:
        yield Deed("remove", REVOLT), Spot(ip - 2, place, CLEAR, armies)
    if under == REVOLT and ip >= 1:
        yield Deed("reduce", REVOLT), Spot(ip - 1, place, UNREST, armies)
    if under == UNREST and ip >= 1:
        yield Deed("remove", UNREST), Spot(ip - 1, place, CLEAR, armies)
    if under == CLEAR and ip >= price:
        yield Deed("secure", ""), Spot(ip - price, place, GARRISON, armies)
    for target, broken in board.links[place].items():
        inside = target not in board.borders
        left = ip - 1 - broken - inside
        if armies and left >= 0:
            yield Deed("attack", REVOLT if inside else ""), Spot(left, target, CLEAR, armies - 1)


# -- the witness -----------------------------------------------------------------------------------------------


def carry_out(lines: Lines, board: Board, line: str, ip: int, counts: Callable[[Deed], bool]) -> int:
    """How much is done in a position, with so many IP, by a plan whose attacks end as it says."""
    text, colon, plan = line.partition(": ")
    try:
        turn, state = read_position(text, board)
    except Unreadable as error:
        raise lines.unreadable(str(error)) from None
    if not colon or state.ip != ip or state.place is None:
        raise lines.unreadable(f"expected a position with {ip} IP and the Emperor on the board, a colon and a plan")
    done = 0
    seen: set[str | None] = {state.place}
    for name, before, way in steps(lines, turn, state, plan.split("; ") if plan != "end" else []):
        state = way.state
        deed = deed_of(name.split(" ")[0], before, way)
        if deed.name in ("move", "attack"):
            if state.place in seen:
                raise lines.refuted(f"{state.place} is entered twice, and counts once")
            seen.add(state.place)
        done += counts(deed)
    if not turn.may_stop(state):
        raise lines.refuted("his turn may not end there")
    return done


def deed_of(name: str, before: State, way: Way) -> Deed:
    """What has been done, by the positions before and after."""
    old, new = before.table, way.state.table
    disc = REVOLT if old.revolts - new.revolts else UNREST if old.unrest - new.unrest else ""
    return Deed("wait" if name == "attack" and way.outcome != "victory" else name, disc)
