"""The most that one turn can do of a thing, over all positions: a bound, and a position where so much is done.

The bound is by a machine that can do whatever the rules allow, and more. It knows the IP left, the province, what lies
under the Emperor, and how many armies are left. Fleets lie in every zone; where he comes to, whatever helps may lie; he has
garrisons enough; no revolt of a region is in the way; and each attack is a victory. A draw, a sail and a way that is dearer
than it need be are no better than to wait: so waiting is one of its deeds. An army inside the Empire stands on a revolt,
which has to be paid for and goes with it.

For each state of the machine the certificate has a number, which must be the largest of 0 and, for each deed, of what the
deed adds and the number of the state it leads to. Deeds cost IP, so there is only one such number. That so much can be
done is shown by a position and a plan, carried out by the rules of a turn.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from board import Board
from claim import MOST_ARMIES, read_position
from claimed import Fact
from distances import ways
from rules import IP_A_TURN, ON, State, Turn, Way
from text import Lines, Refuted, Unreadable

CLEAR, UNREST, REVOLT, GARRISON = UNDER = ("clear", "unrest", "revolt", "garrison")


class Spot(NamedTuple):
    """A state of the machine."""

    ip: int
    place: str
    under: str
    armies: int


class Deed(NamedTuple):
    """What is done; whether a revolt or an unrest is taken from its province by it, and whether it is done on or to a border."""

    name: str
    disc: str
    border: bool


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
    thing = fact.fields["most"]
    if fact.id != f"turn-most/{thing}" or thing not in THINGS:
        raise lines.refuted(f"the most of {thing} is not what {fact.id} speaks of")
    bounds = read_potential(lines, board, THINGS[thing])
    values = {}
    ip = 0
    for line in lines.section("witnesses"):
        ip += 1
        done = carry_out(lines, board, line, ip, THINGS[thing])
        if done == bounds.get(ip):
            values[f"ip.{ip}"] = str(done)
        else:
            values |= {f"least.{ip}": str(done), f"most.{ip}": str(bounds.get(ip))}
    if ip != IP_A_TURN:
        raise lines.unreadable(f"expected {IP_A_TURN} witnesses, one for each number of IP")
    return values


# -- the bound -------------------------------------------------------------------------------------------------


def read_potential(lines: Lines, board: Board, counts: Callable[[Deed], bool]) -> dict[int, int]:
    """Look at the number of each state; the most for each number of IP."""
    best: dict[Spot, int] = {}
    expected = [
        (ip, armies, under) for ip in range(IP_A_TURN + 1) for armies in range(MOST_ARMIES + 1) for under in UNDER
    ]
    every_zone = frozenset(board.all_zones)
    onward: dict[tuple[int, str, int], int] = {}  # the most from a province to which a move leads, whatever lies there
    for line in lines.section("potential"):
        words = line.split(" ")
        ip, armies, under = expected.pop(0) if expected else (-1, 0, "")
        if words[:3] != [str(ip), str(armies), under] or len(words) != 3 + len(board.provinces):
            raise lines.unreadable(
                "expected IP, armies, what lies there, and a number for each province, in their order"
            )
        for place, word in zip(board.provinces, words[3:], strict=True):
            spot = Spot(ip, place, under, armies)
            if not may_lie(board, place, under):
                if word != "-":
                    raise lines.unreadable(f"expected - for {place}, where no {under} can lie")
                continue
            best[spot] = lines.whole(word)
            worth = [0]
            worth += [counts(deed) + best[after] for deed, after in deeds(board, spot)]
            for target, cost in ways(board, place, every_zone).items():
                if cost <= ip:
                    key = ip - cost, target, armies
                    if key not in onward:
                        onward[key] = max(best[after] for after in arrivals(board, *key))
                    worth.append(counts(Deed("move", "", target in board.borders)) + onward[key])
            if best[spot] != max(worth):
                raise lines.refuted(f"in {place} the most is {max(worth)}")
    if expected:
        raise lines.unreadable("expected more of the potential")
    return {
        ip: max(number for spot, number in best.items() if spot.ip == ip and spot.armies == MOST_ARMIES)
        for ip in range(1, IP_A_TURN + 1)
    }


def may_lie(board: Board, place: str, under: str) -> bool:
    """On a border neither a revolt nor an unrest lies."""
    return place not in board.borders or under in (CLEAR, GARRISON)


def arrivals(board: Board, ip: int, place: str, armies: int) -> Iterator[Spot]:
    """Where a move can end that leaves so many IP: whatever lies there, a revolt costs one more."""
    for there in UNDER:
        left = ip - (there == REVOLT)
        if left >= 0 and may_lie(board, place, there):
            yield Spot(left, place, there, armies)


def deeds(board: Board, spot: Spot) -> Iterator[tuple[Deed, Spot]]:
    """All that the machine can do but move, each with the state it leads to; each costs IP."""
    ip, place, under, armies = spot
    border = place in board.borders
    if ip >= 1:
        yield Deed("wait", "", border), spot._replace(ip=ip - 1)
    if under == REVOLT and ip >= 2:
        yield Deed("remove", REVOLT, border), Spot(ip - 2, place, CLEAR, armies)
    if under == REVOLT and ip >= 1:
        yield Deed("reduce", REVOLT, border), Spot(ip - 1, place, UNREST, armies)
    if under == UNREST and ip >= 1:
        yield Deed("remove", UNREST, border), Spot(ip - 1, place, CLEAR, armies)
    if under == CLEAR and ip >= 1 + border:
        yield Deed("secure", "", border), Spot(ip - 1 - border, place, GARRISON, armies)
    for target, broken in board.links[place].items():
        inside = target not in board.borders
        left = ip - 1 - broken - inside
        if armies and left >= 0:
            yield Deed("attack", REVOLT if inside else "", not inside), Spot(left, target, CLEAR, armies - 1)


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
    look_at_form(lines, board, text)
    done = worth(lines, board, turn, state, plan, counts)
    for place in board.provinces[: board.row[state.place]]:
        try:
            other = worth(lines, board, turn, state._replace(place=place), plan, counts)
        except Refuted:
            continue  # the plan cannot be carried out from there
        if other >= done:
            raise lines.unreadable(f"expected the first province from which the plan does so much, {place}")
    steps = plan.split("; ")
    for index, step in enumerate(steps):
        name, _, target = step.partition(" ")
        for place in board.provinces[: board.row[target]] if name == "move" else ():
            changed = "; ".join([*steps[:index], f"move {place}", *steps[index + 1 :]])
            try:
                other = worth(lines, board, turn, state, changed, counts)
            except Refuted:
                continue
            if other >= done:
                raise lines.unreadable(f"'move {place}' would do instead of '{step}', expected the first such province")
    return done


def look_at_form(lines: Lines, board: Board, text: str) -> None:
    """All that does not matter is always the same: the level, the Emperor in turn, who is alone, fleets in all zones."""
    level, active, places, fleets, *_, garrisons = text.split(" ")
    zones = "".join(map(str, board.all_zones))
    if (level, active[:2], fleets, garrisons) != ("3300", f"{board.letters[0]}:", zones, "-/-/-/-") or places[
        3:
    ] != "/-/-/-":
        raise lines.unreadable(f"expected level 3300, {board.letters[0]} alone, fleets in all zones, and no garrison")


def worth(lines: Lines, board: Board, turn: Turn, state: State, plan: str, counts: Callable[[Deed], bool]) -> int:
    """How much a plan does from a state."""
    done = 0
    seen: set[str | None] = {state.place}
    for step in plan.split("; ") if plan != "end" else ():
        name, _, outcome = step.partition(": ")
        ways = [
            way
            for action in turn.actions(state)
            for way in action.ways
            if action.name == name and way.outcome == outcome
        ]
        if not ways:
            raise lines.refuted(f"'{step}' is no legal action there")
        deed = deed_of(board, name.split(" ")[0], state, ways[0])
        state = ways[0].state
        if deed.name in ("move", "attack"):
            if state.place in seen:
                raise lines.refuted(f"{state.place} is entered twice, and counts once")
            seen.add(state.place)
        done += counts(deed)
        if ways[0].end != ON and step != plan.rsplit("; ", maxsplit=1)[-1]:
            raise lines.refuted(f"the turn is over after '{step}'")
    if not turn.may_stop(state):
        raise lines.refuted("his turn may not end there")
    return done


def deed_of(board: Board, name: str, before: State, way: Way) -> Deed:
    """What has been done, by the tables before and after."""
    after = way.state
    disc = (
        REVOLT
        if before.table.revolts - after.table.revolts
        else UNREST
        if before.table.unrest - after.table.unrest
        else ""
    )
    if name == "attack" and not before.table.armies - after.table.armies:
        name = "wait"
    return Deed(name, disc, after.place in board.borders)
