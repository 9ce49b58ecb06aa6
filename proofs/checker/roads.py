"""Mare Nostrum, Via Romana and Usurpator (pages 14 and 15): new ways for figures, garrisons and armies."""

from collections.abc import Mapping
from itertools import combinations

from barbarian import FACES, Fallen, Phase, Scene, Step, Uprising
from bare import LATEST, NOBODY, NOTHING, Answer, Statement, empire, of_emperor
from board import Board
from claim import MOST_ARMIES
from rules import Table

# -- Mare Nostrum --------------------------------------------------------------------------------------------------


def crossings(board: Board, fleets: tuple[int, ...], joined: bool) -> dict[tuple[str, str], int]:
    """The zones that a figure crosses by sea between two provinces; zones that touch are joined, or each is by itself."""
    zones = {(zone, zone): 1 for zone in fleets}
    for crossed in range(2, len(fleets) + 1 if joined else 2):
        for first, last in [ends for ends, number in zones.items() if number == crossed - 1]:
            for zone in fleets:
                if sorted((last, zone)) in board.adjacent:
                    zones.setdefault((first, zone), crossed)
    found: dict[tuple[str, str], int] = {}
    for (a, b), crossed in zones.items():
        for here in board.provinces:
            for there in board.provinces:
                if here != there and a in board.zones[here] and b in board.zones[there]:
                    found[here, there] = min(crossed, found.get((here, there), crossed))
    return found


def one_zone(board: Board, _: list[str]) -> Answer:
    """Fleets in adjacent zones make one zone of them, at 1 IP for each zone that is crossed."""
    values: dict[str, object] = {}
    right = True
    for fleets, most in (((1, 2), 2), ((2, 3), 2), ((1, 3), 1), ((1, 2, 3), 3)):
        name = "".join(map(str, fleets))
        base, joined = crossings(board, fleets, False), crossings(board, fleets, True)
        shore = sum(bool(zones & {*fleets}) for zones in board.zones.values())
        values |= {f"without.{name}": len(base), f"with.{name}": len(joined), f"most.{name}": max(joined.values())}
        right &= base == joined if name == "13" else len(joined) == shore * (shore - 1)
        right &= values[f"most.{name}"] == most
    return values, right


def cheaper(board: Board, _: list[str]) -> Answer:
    """No move becomes dearer, and some become possible."""
    values = {"same": 0, "cheaper": 0, "new": 0, "dearer": 0}
    for size in range(2, len(board.all_zones) + 1):  # with one fleet there is nothing to be joined
        for fleets in combinations(board.all_zones, size):
            base, joined = crossings(board, fleets, False), crossings(board, fleets, True)
            for here in board.provinces:
                for there in board.provinces:
                    before, now = step(board, base, here, there), step(board, joined, here, there)
                    if before is None and now is not None:
                        values["new"] += 1
                    elif before is not None and now is not None:
                        values["cheaper" if now < before else "dearer" if now > before else "same"] += 1
    return values, values["dearer"] == 0 < values["new"]


def step(board: Board, by_sea: Mapping[tuple[str, str], int], here: str, there: str) -> int | None:
    """The IP of one move, by a link or by sea."""
    ways = [by_sea[here, there]] if (here, there) in by_sea else []
    if there in board.links[here]:
        ways.append(1 + board.links[here][there])
    return min(ways, default=None)


# -- Via Romana ----------------------------------------------------------------------------------------------------


def march_price(board: Board, table: Table, places: tuple[str | None, ...], here: str, there: str) -> int | None:
    """The IP for a garrison to march: to a linked Roman province with no disc and no figure; None where it cannot."""
    empty = there not in table.discs() and there not in places and there not in table.armies
    if there not in board.links[here] or there in board.borders or not empty:
        return None
    return 1 + board.links[here][there]


def marches(board: Board, _: list[str]) -> Answer:
    """A garrison under its Emperor, in each Roman province, is sent to every province."""
    values = {"links": 0, "marches": 0, "elsewhere": 0, "onto-a-disc": 0, "onto-a-figure": 0, "like-his-own": 0}
    prices: dict[bool, set[int]] = {False: set(), True: set()}
    for here in empire(board):
        table = NOTHING._replace(garrisons=of_emperor(0, here))
        for there in board.provinces:
            inside = there in board.links[here] and there not in board.borders
            values["links"] += inside
            price = march_price(board, table, (here, None, None, None), here, there)
            if price is None:
                continue
            values["marches"] += 1
            values["elsewhere"] += not inside
            values["like-his-own"] += price == step(board, {}, here, there)
            prices[board.links[here][there]].add(price)
            for what, other in (
                ("garrisons", table._replace(garrisons=of_emperor(0, here, there))),
                ("unrest", table._replace(unrest=frozenset({there}))),
                ("revolts", table._replace(revolts=frozenset({there}))),
            ):
                assert there in other.discs(), what
                values["onto-a-disc"] += march_price(board, other, (here, None, None, None), here, there) is not None
            values["onto-a-figure"] += march_price(board, table, (here, there, None, None), here, there) is not None
    (normal,), (broken,) = prices[False], prices[True]
    right = values["links"] == values["marches"] == values["like-his-own"] and (normal, broken) == (1, 2)
    right &= not values["elsewhere"] + values["onto-a-disc"] + values["onto-a-figure"]
    return values | {"normal": normal, "broken": broken}, right


# -- Usurpator -----------------------------------------------------------------------------------------------------


def full(phase: Phase, table: Table) -> set[int]:
    """The regions in which six revolts lie."""
    return {region for region in FACES if {phase.at[region, number] for number in FACES} <= table.revolts}


def usurpers(phase: Phase, before: Scene, after: Scene) -> list[int]:
    """The regions in which a usurper rises: they have become full, their border is secured, and an army is left."""
    if len(after.table.armies) >= MOST_ARMIES:
        return []
    become = full(phase, after.table) - full(phase, before.table)
    return [region for region in sorted(become) if phase.border[region] in after.table.secured()]


def risen(phase: Phase, scene: Scene, place: str) -> list[int]:
    """The regions in which a usurper rises when the dice name this province, no broken link being passed."""
    result: Step = phase.resolve(scene, place)
    while isinstance(result, Uprising):
        result = phase.roll(result).results[0]
    assert not isinstance(result, Fallen)
    after = result if isinstance(result, Scene) else result.scene
    return usurpers(phase, scene, after)


def rising(board: Board, _: list[str]) -> Answer:
    """Each province is the last one of its region to revolt; then its border is not secured, and so on."""
    phase = Phase(board, LATEST)
    values = {"secured": 0, "unsecured": 0, "no-army-left": 0, "full-already": 0, "faces": 0, "taken": 0, "stay": 0}
    borders = sorted(board.borders, key=board.row.__getitem__)
    for (region, _number), last in phase.at.items():
        border, members = phase.border[region], [phase.at[region, number] for number in FACES]
        table = NOTHING._replace(revolts=frozenset(members) - {last}, unrest=frozenset({last}))
        secured = table._replace(garrisons=of_emperor(0, border))
        away = frozenset([other for other in borders if other != border][:MOST_ARMIES])
        values["secured"] += risen(phase, Scene(secured, NOBODY), last) == [region]
        values["unsecured"] += bool(risen(phase, Scene(table, NOBODY), last))
        # the armies are asked for as they stand when the region becomes full, before they advance
        before = Scene(secured._replace(armies=away), NOBODY)
        after = phase.put_revolts(before, [last])
        assert isinstance(after, Scene)
        values["no-army-left"] += bool(usurpers(phase, before, after))
        already = secured._replace(revolts=frozenset(members), unrest=frozenset())
        values["full-already"] += bool(risen(phase, Scene(already, NOBODY), last))
        values["faces"] += len(set(members))
        for member in members:
            come = Scene(NOTHING._replace(armies=frozenset({member})), NOBODY)
            stays = phase.advance(come, resting=member)  # it follows its way in the next turn
            values["stay"] += isinstance(stays, Scene) and member in stays.table.armies
        values["taken"] += sum(member == last for member in members)  # there the die is rolled again
    return values, list(values.values()) == [36, 0, 0, 0, 216, 36, 216]


def ways(board: Board, _: list[str]) -> Answer:
    """An army follows the arrow of its province; where there is none, the shortest way to Roma."""
    links = {board.roma: 0}
    roman = empire(board)
    for distance in range(len(board.provinces)):
        for place in [place for place in links if links[place] == distance]:
            for near in board.links[place]:
                if near in roman:
                    links.setdefault(near, distance + 1)
    values: dict[str, object] = {}
    longer = []
    arrows = 0
    for place in board.provinces:
        if place in board.arrow and place in roman:
            arrows += 1
            longer += [place] if along_arrows(board, place) > links[place] else []
        elif place in roman and place != board.roma:
            nearer = [near for near in board.links[place] if near in roman and links[near] == links[place] - 1]
            values[f"next.{place}"] = min(
                nearer, key=lambda near: (board.region[near], board.number[near], board.row[near])
            )
    others = len(values)
    return values | {"arrows": arrows, "others": others, "longer": longer}, arrows + others == len(roman) - 1


def along_arrows(board: Board, place: str) -> int:
    """The provinces on the way to Roma by arrows."""
    steps = 0
    while place in board.arrow and steps < len(board.provinces):
        place, steps = board.arrow[place], steps + 1
    return steps if place == board.roma else len(board.provinces)


STATEMENTS: dict[str, tuple[int, Statement]] = {
    "book-mare-nostrum/zones": (14, one_zone),
    "book-mare-nostrum/easier": (14, cheaper),
    "book-via-romana": (14, marches),
    "book-usurper/rising": (14, rising),
    "book-usurper/way": (15, ways),
}
