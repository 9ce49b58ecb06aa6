"""What the rulebook says that can be tried out: the rules are run in every place where they could say something else.

The tables tried are bare but for what matters. What an action costs depends on the place, the fleets, and what lies where it
leads; so each place is tried with each choice of zones for fleets, with nothing, revolts or unrest in the whole Empire, and
with an army in each linked province. What a securing or an activity does is tried for every pair of provinces.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from barbarian import Echo, Fallen, Phase, Scene, Uprising
from bare import LATEST, NOTHING, USUAL, Answer, Statement, empire, of_emperor
from board import Board
from rules import BEATEN, IP_A_TURN, State, Table, Turn


class Trial(NamedTuple):
    """An action that was possible: what it is a case of, and its IP."""

    case: str
    ip: int


def tables(board: Board, place: str) -> Iterator[Table]:
    """The tables to be tried with an Emperor in this place."""
    zones = [frozenset(some) for size in range(4) for some in combinations(board.all_zones, size)]
    for fleets in zones:
        yield NOTHING._replace(fleets=fleets)
        yield NOTHING._replace(fleets=fleets, revolts=empire(board))
        yield NOTHING._replace(fleets=fleets, unrest=empire(board))
    for army in board.links[place]:
        for fleets in (zones[0], zones[-1]):
            yield NOTHING._replace(fleets=fleets, armies=frozenset({army}))
            yield NOTHING._replace(fleets=fleets, armies=frozenset({army}), revolts=empire(board))


@cache
def trials(board: Board) -> frozenset[Trial]:
    """Every case of an action with its IP; the same case may come with several."""
    found: set[Trial] = set()
    turn = Turn(board, USUAL, 5, 0, [None] * 4)
    for place in board.provinces:
        for table in tables(board, place):
            for action in turn.actions(State(IP_A_TURN, place, table)):
                ip = IP_A_TURN - action.ways[0].state.ip
                found.add(Trial(case_of(board, action.name, place, table), ip))
    for action in turn.actions(State(IP_A_TURN, None, NOTHING)):
        found.add(Trial("enter", IP_A_TURN - action.ways[0].state.ip))
    return frozenset(found)


def case_of(board: Board, name: str, place: str, table: Table) -> str:
    """What an action is a case of: its kind, the way, and what lies there."""
    kind, _, target = name.partition(" ")
    if kind in ("move", "attack"):
        by_sea = kind == "move" and any(zone in board.zones[place] & board.zones[target] for zone in table.fleets)
        broken = board.links[place].get(target)
        way = "sea" if broken is None or (by_sea and broken) else "broken" if broken else "link"
        return f"{kind}.{way}{'.revolt' if target in table.revolts else ''}"
    if kind == "secure":
        return f"secure.{'border' if place in board.borders else 'province'}"
    if kind == "remove":
        return f"remove.{'revolt' if place in table.revolts else 'unrest'}"
    return kind


# -- prices, and what a turn can hold ------------------------------------------------------------------------------

PRICES = {
    "move.link": 1,
    "move.broken": 2,
    "move.sea": 1,
    "move.link.revolt": 2,
    "move.broken.revolt": 3,
    "move.sea.revolt": 2,
    "sail": 1,
    "secure.province": 1,
    "secure.border": 2,
    "remove.revolt": 2,
    "remove.unrest": 1,
    "reduce": 1,
}
SUBDUING = {"remove", "reduce"}


def price_list(board: Board) -> dict[str, list[int]]:
    """The IP of each case."""
    found: dict[str, list[int]] = {}
    for case, ip in sorted(trials(board)):
        found.setdefault(case, []).append(ip)
    return found


def prices(board: Board, _: list[str]) -> Answer:
    """What moving, sailing, securing and subduing cost (pages 7 and 8)."""
    found = {case: ips for case, ips in price_list(board).items() if case in PRICES}
    values = {case: ips[0] if len(ips) == 1 else ips for case, ips in found.items()}
    return values, values == PRICES


def summary(board: Board, _: list[str]) -> Answer:
    """The summary says the same (page 20): six prices, one more for a revolt, and an attack costs what a move does."""
    found = price_list(board)
    tolls = {found[f"{case}.revolt"][0] - found[case][0] for case in ("move.link", "move.broken", "move.sea")}
    attacks = [case for case in found if case.startswith("attack.")]
    same = [case for case in attacks if found[case] == found[case.replace("attack", "move")]]
    told = ["move.link", "move.broken", "sail", "secure.province", "secure.border", "remove.unrest", "remove.revolt"]
    values: dict[str, object] = {case: found[case][0] for case in (*told, "reduce")}
    values |= {"toll": max(tolls), "attacks": len(attacks), "attacks-like-moves": len(same)}
    right = all(found[case] == [PRICES[case]] for case in (*told, "reduce"))
    return values, right and tolls == {1} and len(attacks) == len(same) == 4


def kinds_of_action(board: Board, _: list[str]) -> Answer:
    """Five kinds of action, once an Emperor is on the board."""
    verbs = {trial.case.partition(".")[0] for trial in trials(board)} - {"enter"}
    kinds = sorted({"subdue" if verb in SUBDUING else verb for verb in verbs})
    return {"kinds": kinds, "number": len(kinds)}, len(kinds) == 5


def entries(board: Board, _: list[str]) -> Answer:
    """Off the board an Emperor comes back in Roma, or in his capital while no disc covers it."""
    values = {"free": 0, "covered": 0, "elsewhere": 0}
    for index, emperor in enumerate(board.emperors):
        turn, capital = Turn(board, USUAL, 5, index, [None] * 4), frozenset({board.capital[emperor]})
        for table in (
            NOTHING,
            NOTHING._replace(unrest=capital),
            NOTHING._replace(revolts=capital),
            NOTHING._replace(garrisons=of_emperor(0, *capital)),
        ):
            places = set(turn.entries(State(IP_A_TURN, None, table)))
            values["elsewhere"] += len(places - capital - {board.roma})
            values["free" if table == NOTHING else "covered"] += len(places)
    return values, values == {"free": 8, "covered": 12, "elsewhere": 0}


def by_sea(board: Board, _: list[str]) -> Answer:
    """A fleet leads from any province on its coast to any other one."""
    values: dict[str, object] = {}
    right = True
    turn = Turn(board, USUAL, 5, 0, [None] * 4)
    for zone in board.all_zones:
        table = NOTHING._replace(fleets=frozenset({zone}))
        coast = {place for place in board.provinces if zone in board.zones[place]}
        moves = [(to, ip) for place in coast for to, ip in turn.moves(State(IP_A_TURN, place, table)) if to in coast]
        values[f"moves.{zone}"] = sum(ip == 1 for _, ip in moves)
        right &= values[f"moves.{zone}"] == len(moves) == len(coast) * (len(coast) - 1)
    return values, right


def kept(board: Board, _: list[str]) -> Answer:
    """An Emperor cannot remove his garrison; he loses it with the attack that he loses."""
    values = {"actions": 0, "lost": 0, "lost-by-defeat": 0}
    turn = Turn(board, USUAL, 5, 0, [None] * 4)
    for place in empire(board):
        armies = frozenset(board.links[place]) - {board.roma}
        table = NOTHING._replace(fleets=frozenset(board.all_zones), armies=armies, garrisons=of_emperor(0, place))
        for action in turn.actions(State(IP_A_TURN, place, table)):
            attack = action.name.startswith("attack")
            lost = [way.outcome for way in action.ways if place not in way.state.table.secured()]
            values["actions"] += not attack
            values["lost"] += 0 if attack else len(lost)
            values["lost-by-defeat"] += lost.count("defeat")
    return values, not values["lost"] and values["actions"] > 0


def defeats(board: Board, _: list[str]) -> Answer:
    """A lost attack ends the turn at once."""
    values = {"attacks": 0, "over": 0, "gone": 0}
    turn = Turn(board, USUAL, 5, 0, [None] * 4)
    for army in board.provinces:
        table = NOTHING._replace(armies=frozenset({army}), revolts=empire(board))
        for place in board.links[army]:
            lost = [way for way in turn.attack(0, place, table, army) if way.outcome == "defeat"]
            values["attacks"] += 1
            values["over"] += sum(way.end == BEATEN for way in lost)
            values["gone"] += sum(way.state.place is None for way in lost)
    return values, len(set(values.values())) == 1


# -- securing, attacking, Barbarians -------------------------------------------------------------------------------


def own_region(board: Board, _: list[str]) -> Answer:
    """A revolt keeps an Emperor from securing a border if, and only if, it lies in the border's own region."""
    turn = Turn(board, USUAL, 5, 0, [None] * 4)
    blocked, wrong, beside = 0, 0, 0
    for border in board.borders:
        for revolt in empire(board):
            table = NOTHING._replace(revolts=frozenset({revolt}))
            secures = any(action.name == "secure" for action in turn.actions(State(IP_A_TURN, border, table)))
            own = board.region[revolt] == board.region[border]
            blocked += not secures
            wrong += secures == own
            beside += not own and border in board.links[revolt]
    tried = len(board.borders) * len(empire(board))
    return {"tried": tried, "blocked": blocked, "wrong": wrong, "linked-elsewhere": beside}, wrong == 0


def landings(board: Board, _: list[str]) -> Answer:
    """Armies are attacked through links, never by sea."""
    turn = Turn(board, USUAL, 5, 0, [None] * 4)
    by_sea, at_sea, by_link = 0, 0, 0
    fleets = frozenset(board.all_zones)
    for place in board.provinces:
        for army in board.provinces:
            if army == place:
                continue
            linked = army in board.links[place]
            table = NOTHING._replace(fleets=fleets, armies=frozenset({army}))
            attacked = f"attack {army}" in [action.name for action in turn.actions(State(IP_A_TURN, place, table))]
            by_link += linked and attacked
            by_sea += not linked and attacked
            at_sea += not linked and bool(board.zones[place] & board.zones[army])
    return {"by-link": by_link, "by-sea": by_sea, "coasts-in-common": at_sea}, by_sea == 0


def protection(board: Board, _: list[str]) -> Answer:
    """Garrisons keep the Barbarian dice away, Emperors do not."""
    phase = Phase(board, LATEST)
    counts = {"nothing": 0, "emperor": 0, "garrison": 0}
    for place in phase.at.values():
        garrisoned = NOTHING._replace(garrisons=(frozenset({place}), *[frozenset[str]()] * 3))
        for who, table, where in (
            ("nothing", NOTHING, None),
            ("emperor", NOTHING, place),
            ("garrison", garrisoned, None),
        ):
            after = phase.resolve(Scene(table, (where, None, None, None)), place)
            counts[who] += isinstance(after, Scene) and after.table.unrest == {place}
    values: dict[str, object] = {f"unrest.{who}": number for who, number in counts.items()}
    printed = sum(bool(board.number[capital]) for capital in board.capital.values())
    values["printed"] = printed
    return values, counts == {"nothing": 36 - printed, "emperor": 36 - printed, "garrison": 0}


def within(board: Board, _: list[str]) -> Answer:
    """Uprisings spread to Roman provinces only, and take a garrison away there."""
    phase = Phase(board, LATEST)
    reached, borders, spared = 0, 0, 0
    for place in phase.at.values():
        around = frozenset(board.links[place])
        table = NOTHING._replace(revolts=frozenset({place}), garrisons=(around, *[frozenset[str]()] * 3))
        step = phase.resolve(Scene(table, (None,) * 4), place)
        while isinstance(step, Uprising):
            step = phase.roll(step).results[-1]  # linked
        after = step.scene.table if not isinstance(step, Scene | Fallen) else None
        assert after is not None
        reached += len(after.revolts) - 1
        borders += len(around & board.borders)
        spared += len(after.garrisons[0] & board.borders)
    links = sum(len(board.links[place]) for place in phase.at.values())
    return {
        "links": links,
        "revolts": reached,
        "borders": borders,
        "spared": spared,
    }, spared == borders == links - reached


def echoes(board: Board, _: list[str]) -> Answer:
    """An uprising has an echo only while an army is left."""
    phase = Phase(board, LATEST)
    borders = sorted(board.borders, key=board.row.__getitem__)
    values = {f"echo.{armies}": 0 for armies in range(4)}
    for armies in range(4):
        table = NOTHING._replace(armies=frozenset(borders[:armies]))
        for place in phase.at.values():
            step = phase.resolve(Scene(table._replace(revolts=frozenset({place})), (None,) * 4), place)
            while isinstance(step, Uprising):
                step = phase.roll(step).results[0]  # not linked
            values[f"echo.{armies}"] += isinstance(step, Echo)
    return values, list(values.values()) == [36, 36, 36, 0]


def half(board: Board, _: list[str]) -> Answer:
    """A broken link is passed on three faces of six."""
    phase = Phase(board, LATEST)
    passed, tried = 0, 0
    for place in phase.at.values():
        step = phase.resolve(Scene(NOTHING._replace(revolts=frozenset({place})), (None,) * 4), place)
        if isinstance(step, Uprising):
            results = phase.roll(step).results
            before = len(step.scene.table.revolts)
            passed += sum(len(result.scene.table.revolts) > before for result in results)  # type: ignore[union-attr]
            tried += len(results)
    return {"faces": tried, "passed": passed}, 2 * passed == tried > 0


# -- how turns and phases end --------------------------------------------------------------------------------------


def falls(board: Board) -> dict[str, int]:
    """By how much each kind of action lowers twice the IP, with one more for an Emperor off the board, at least."""
    found: dict[str, int] = {}
    for case, ip in trials(board):
        kind = case.partition(".")[0]
        fall = 1 if kind == "enter" else 2 * ip
        found[kind] = min(fall, found.get(kind, fall))
    return found


STATEMENTS: dict[str, tuple[int, Statement]] = {
    "book-round/actions": (7, kinds_of_action),
    "book-round/entry": (7, entries),
    "book-round/garrisons": (11, kept),
    "book-round/lost-attack": (11, defeats),
    "book-prices/by-sea": (5, by_sea),
    "book-prices/rules": (8, prices),
    "book-prices/summary": (20, summary),
    "book-borders/own-region": (11, own_region),
    "book-barbarians/landings": (11, landings),
    "book-barbarians/protection": (11, protection),
    "book-barbarians/uprisings": (11, within),
    "book-barbarians/echo": (10, echoes),
    "book-barbarians/broken-links": (9, half),
}
