"""The features of the evaluation: a position as a row of numbers, with names, in plain Python.

A position is evaluated at the start of a Roman phase, or at the end of a turn, before the Barbarian phase. Emperors are numbered
in the order in which they act next, from 0.

- The first features are 0 or 1: the discs of provinces, the places of Emperors and fleets, the garrisons of the level and in
  each reserve, for each border whether it is secured or the number of revolts in its region, the number of secured borders,
  and the number of garrisons in the reserves beyond those that the other borders need.
- Then counts of discs, before and after revolts have spread as far as is certain.
- Then the options of the next three Emperors in their turns, in the position that follows if the Barbarians do only what is
  certain (`projected`): the distance of a border that can be secured, the revolts in reach, and the odds of an attack on each
  army.
- Then the obstacles on the path of each army, and whether the Empire falls in one of the next four phases.
- Last, the number of turns until the remaining borders can be secured without obstacles.

These are computed for every set of modules, variants and rebels. `tetrasolve.tetrarchia.hint.modulefeatures` lists further
features of what these add, which follow in the row of a position with some.

The kernels compute the same row on bitboards (`kernel.Player.features`); tests compare the two. The scale of a feature only
matters for training, so scales just keep the values near 1.
"""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import DUX, NO_PIECES, VICARIUS
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import Battle, battle
from tetrasolve.tetrarchia.rules.advance import rank, way
from tetrasolve.tetrarchia.rules.battle import group, revolt_group
from tetrasolve.tetrarchia.rules.links import attack_cost, destinations, move_cost

IP = 6  # moments of a turn
MOST_RESERVE = 5  # garrisons of an Emperor in the reserve are distinguished up to this number
MOST_REVOLTS = 3  # revolts in the region of a border, likewise
MOST_SPARE = 4  # garrisons in the reserves beyond what the other borders need; -1 where some are missing
ACTORS = 3  # number of Emperors whose options are features
ARMIES = 3
PHASES = 4  # phases of the projection
FURTHEST = 12  # provinces to Roma
MOST_LEFT = 3  # borders that are not secured, distinguished up to this number
MOST_SOON = 11  # turns until the last of them can be secured, likewise
NO_WAY = 24  # turns, where no Emperor can
SECURE_FROM = IP - 2  # the longest way that leaves the 2 IP to secure a border


def _names(board: Board) -> Iterator[str]:
    for what in ("revolt", "unrest", "garrison", "army"):
        yield from (f"{what} {province}" for province in board.ids)
    for turn in range(4):
        yield from (f"emperor {turn} {place}" for place in (*board.ids, "off"))
    for zones in range(8):
        yield f"fleets {''.join(str(zone) for zone in (1, 2, 3) if zones >> (zone - 1) & 1) or '-'}"
    yield from (f"garrisons {n}" for n in (3, 4, 5))
    for turn in range(4):
        yield from (f"reserve {turn} {n}" for n in range(MOST_RESERVE + 1))
    for border in board.borders:
        yield f"secured {border}"
        yield from (f"behind {border} {n}" for n in range(MOST_REVOLTS + 1))
    yield from (f"secured {n}" for n in range(7))
    yield from (f"spare {n}" for n in range(-1, MOST_SPARE + 1))
    yield from ("revolts", "above 8", "above 13", "above 17", "revolts after fire", "unrest", "fire", "doubtful fire")
    yield from ("growth", "largest group", "open provinces", "armies")
    for turn in range(ACTORS):
        yield from (f"actor {turn} {name}" for name in ("off", "borders", "nearest border", "revolts", "reach"))
        for army in range(ARMIES):
            yield from (f"actor {turn} army {army} {name}" for name in ("met", "victory", "defeat"))
    for army in range(ARMIES):
        yield from (
            f"army {army} {name}" for name in ("there", "far", "blocked", "victory", "defeat", "broken", "group")
        )
    yield from (f"fall {phase}" for phase in range(1, PHASES + 1))
    for left in range(1, MOST_LEFT + 1):
        yield from (f"left {left} {name}" for name in (*(f"soon {n}" for n in range(MOST_SOON + 1)), "farthest", "all"))


NAMES: tuple[str, ...] = tuple(_names(Board.standard()))
FEATURES = len(NAMES)


def features_of(position: Position) -> list[float]:
    """The row of features that every position has, in the order of `NAMES`.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> row = features_of(example("movement"))
    >>> len(row) == FEATURES, row[NAMES.index("armies")] * 3 == len(example("movement").armies)
    (True, True)
    """
    board = position.board
    row = dict.fromkeys(NAMES, 0.0)
    for name in (*_set(position), *_set_of_borders(position)):
        if name in row:  # levels have 3 to 5 garrisons; other numbers have no feature
            row[name] = 1.0
    tables = [position]
    for phase in range(1, PHASES + 1):
        after, falls = projected(tables[-1])
        tables.append(after)
        if falls and not any(row[f"fall {earlier}"] for earlier in range(1, phase)):
            row[f"fall {phase}"] = 1.0
    row.update(_counts(position))
    first = 0 if position.phase is Phase.ROMAN else 1  # a phase comes before the next turn
    order = acting(position)
    for turn in range(ACTORS):
        row.update({f"actor {turn} {name}": n for name, n in _actor(tables[turn + first], order[turn]).items()})
    for number, army in enumerate(in_order(position)):
        row.update({f"army {number} {name}": n for name, n in _way(position, army).items()})
    row.update(_left(position))
    assert len(row) == FEATURES, board.id
    return list(row.values())


def acting(position: Position) -> list[str]:
    """The Emperors, the next to act first."""
    ids = [emperor.id for emperor in position.board.emperors]
    first = ids.index(position.to_move) + (position.phase is not Phase.ROMAN)
    return [ids[(first + turn) % len(ids)] for turn in range(len(ids))]


# -- what lies where ---------------------------------------------------------------------------------------------


def _set(position: Position) -> Iterator[str]:
    """The names of the features of discs, places, fleets and reserves that are 1."""
    emperors = acting(position)
    yield from (f"revolt {place}" for place in position.revolts)
    yield from (f"unrest {place}" for place in position.unrest)
    yield from (f"garrison {place}" for emperor in emperors for place in position.garrisons(emperor))
    yield from (f"army {place}" for place in position.armies)
    for turn, emperor in enumerate(emperors):
        yield f"emperor {turn} {position.emperors[emperor] or 'off'}"
        yield f"reserve {turn} {min(position.reserve_garrisons(emperor), MOST_RESERVE)}"
    yield f"fleets {''.join(map(str, position.fleets)) or '-'}"
    yield f"garrisons {position.ruleset.garrisons}"


def _set_of_borders(position: Position) -> Iterator[str]:
    board = position.board
    for region, border in enumerate(board.borders, start=1):
        if border in position.secured:
            yield f"secured {border}"
        else:
            yield f"behind {border} {min(len(position.revolts & {*board.members(region)}), MOST_REVOLTS)}"
    secured = len(position.secured)
    spare = sum(map(position.reserve_garrisons, acting(position))) - (len(board.borders) - secured)
    yield f"secured {secured}"
    yield f"spare {min(max(spare, -1), MOST_SPARE)}"


# -- what is sure to come ----------------------------------------------------------------------------------------


def in_order(position: Position) -> list[str]:
    """The armies in the order in which they advance."""
    board = position.board

    def place(army: str) -> tuple[int, ...]:
        _, distance = way(position, army)
        return rank(board, position.ruleset, army, distance)

    return sorted(position.armies, key=place)


def projected(position: Position) -> tuple[Position, bool]:
    """The position after a phase in which revolts spread over normal links only and no dice are rolled.

    An army waits where another army, an Emperor or the Dux is in its way, and rebels stay. The second value is whether the Empire
    falls: an army enters Roma (it is removed), or a revolt has to be placed and none is left (it is left out).
    """
    board = position.board
    fire = _fire(position, broken=False)
    falls = len(position.revolts | fire) > position.ruleset.numbers["revolts"] - position.black
    burnt = position if falls else position.with_discs(fire, REVOLT_DISC)
    places = {name: None if place in burnt.revolts else place for name, place in burnt.emperors.items()}
    table = burnt.replace(emperors=places)
    if table.place_of(DUX) in burnt.revolts:
        table = table.with_figure(DUX, None)
    for army in in_order(table):
        target, _ = way(table, army)
        if army in table.rebels or target is None or target in table.armies or target in table.generals.values():
            continue
        if target == board.roma:
            table, falls = table.with_army(army, None), True
            continue
        table = table.with_army(army, target).with_disc(target, None)
        if table.reserve_revolts:
            table = table.with_disc(target, REVOLT_DISC)
            if table.place_of(VICARIUS) == target:
                table = table.with_figure(VICARIUS, None)
        else:
            falls = True
    return table, falls


def _fire(position: Position, *, broken: bool) -> frozenset[str]:
    """The unrest that is connected to a revolt through unrest, by normal links or by all links."""
    burning: set[str] = set()
    front = list(position.revolts)
    while front:
        for place, link in position.board.neighbours(front.pop()).items():
            if place in position.unrest and place not in burning and (broken or not link.broken):
                burning.add(place)
                front.append(place)
    return frozenset(burning)


def _counts(position: Position) -> dict[str, float]:
    """The counts of discs, before and after revolts have spread."""
    board = position.board
    fire = _fire(position, broken=False)
    burnt = position.with_discs(fire, REVOLT_DISC)
    numbered = [place for place in board.ids if board[place].number]
    spread = sum(
        0.5 if link.broken else 1.0
        for place in burnt.revolts
        if board[place].number
        for near, link in board.neighbours(place).items()
        if near not in burnt.revolts and not board[near].is_border
    )
    revolts = len(burnt.revolts)
    return {
        "revolts": len(position.revolts) / 21,
        "above 8": max(revolts - 8, 0) / 13,
        "above 13": max(revolts - 13, 0) / 8,
        "above 17": max(revolts - 17, 0) / 4,
        "revolts after fire": revolts / 21,
        "unrest": len(position.unrest) / 21,
        "fire": len(fire) / 5,
        "doubtful fire": len(_fire(position, broken=True) - fire) / 5,
        "growth": spread / 36,
        "largest group": max((len(group(burnt, place, burnt.revolts)) for place in burnt.revolts), default=0) / 21,
        "open provinces": sum(place not in position.discs and not board[place].printed for place in numbered) / 36,
        "armies": len(position.armies) / 3,
    }


# -- what the next Emperors can do -------------------------------------------------------------------------------


def costs_of(table: Position, emperor: str) -> dict[str, int]:
    """The IP for an Emperor to reach each province, if it were his turn."""
    board = table.board
    place = table.emperors[emperor]
    home = next(own.capital for own in board.emperors if own.id == emperor)
    starts = {place} if place else {board.roma} | ({home} - table.discs.keys())
    return costs_from(table, starts - {*table.armies})


def _actor(table: Position, emperor: str) -> dict[str, float]:
    """The options of an Emperor on a position, if it were his turn."""
    board = table.board
    costs = costs_of(table, emperor)
    borders = [
        costs[border]
        for region, border in enumerate(board.borders, start=1)
        if table.reserve_garrisons(emperor)
        and border not in table.discs
        and border not in table.armies
        and not table.revolts & {*board.members(region)}
        and costs.get(border, IP) <= SECURE_FROM
    ]
    found = {
        "off": float(table.emperors[emperor] is None),
        "borders": len(borders) / 2,
        "nearest border": (IP - min(borders)) / 6 if borders else 0.0,
        "revolts": sum(costs.get(revolt, IP) <= IP - 2 for revolt in table.revolts if board[revolt].number) / 6,
        "reach": len(costs) / 48,
    }
    return found | attacks_of(table, emperor, costs)


def attacks_of(table: Position, leader: str, costs: dict[str, int]) -> dict[str, float]:
    """The odds of the best attack of a general on each army, from the provinces that he can reach."""
    found: dict[str, float] = {}
    for number, army in enumerate(in_order(table)):
        odds = _best_odds(table, leader, army, costs)
        if odds is not None:
            found |= odds_named(f"army {number} ", *odds)
    return found


def odds_named(what: str, victory: int, draw: int) -> dict[str, float]:
    """The features of an attack that can be made, from its odds in 36ths."""
    return {f"{what}met": 1.0, f"{what}victory": victory / 36, f"{what}defeat": (36 - victory - draw) / 36}


def costs_from(table: Position, starts: set[str], most: int = IP) -> dict[str, int]:
    """The IP to reach each province, up to a number of IP, without moving fleets."""
    costs = dict.fromkeys(starts, 0)
    waiting = list(starts)
    while waiting:
        here = min(waiting, key=costs.__getitem__)
        waiting.remove(here)
        for place in destinations(table, here):
            step = move_cost(table, here, place)
            if step is None or place in table.armies or costs[here] + step >= costs.get(place, most + 1):
                continue
            costs[place] = costs[here] + step
            waiting.append(place)
    return costs


def _best_odds(table: Position, leader: str, army: str, costs: dict[str, int]) -> tuple[int, int] | None:
    """Victories and draws, in 36ths, of the best attack from a province that he can reach; None if there is none."""
    others = {place for name, place in table.romans.items() if name != leader}
    found: list[tuple[int, int]] = []
    if not can_be_attacked(table, army):
        return None
    for site in table.board.neighbours(army):
        cost = attack_cost(table, site, army)
        if cost is None or site in table.armies or site in others or costs.get(site, IP + 1) + cost > IP:
            continue
        found.append(odds_of(battle(table.with_figure(leader, site), leader, army)))
    return max(found, default=None)


def can_be_attacked(table: Position, army: str) -> bool:
    """Whether an army is no rebel army, or there is a fleet where an attack on it needs one."""
    rebel = table.rebels.get(army)
    return rebel is None or rebel.fleet in table.fleets


def odds_of(fight: Battle) -> tuple[int, int]:
    """Victories and draws in 36ths."""
    names = [outcome.value for outcome in fight.outcomes()]
    return names.count("victory"), names.count("draw")


# -- the ways of the armies --------------------------------------------------------------------------------------


def _way(position: Position, army: str) -> dict[str, float]:
    """The obstacles on the path of an army."""
    board = position.board
    far, here = 0, army
    while far < FURTHEST and (onward := way(position, here)[0]) is not None:
        far, here = far + 1, onward
    target = None if army in position.rebels else way(position, army)[0]
    found = {"there": 1.0, "far": far / FURTHEST, "group": revolt_group(position, army) / 10}
    if target is None:
        return found
    link = board.link(army, target)
    found |= {"blocked": float(target in position.armies), "broken": float(link is not None and link.broken)}
    defender = next((name for name, place in position.generals.items() if place == target), None)
    if defender is not None:
        victory, draw = odds_of(battle(position, defender, army))
        found |= {"victory": victory / 36, "defeat": (36 - victory - draw) / 36}
    return found


# -- what is left to do ------------------------------------------------------------------------------------------


def _left(position: Position) -> dict[str, float]:
    """The turns until each border that is not secured can be, by the fastest Emperor with a garrison left.

    `soon` counts turns of all Emperors, with whole turns for the way; `farthest` and `all` count fractions of turns.
    """
    board = position.board
    quiet = position.replace(discs={}, armies=(), pieces=NO_PIECES)
    borders = [border for border in board.borders if border not in position.secured]
    soon, far = dict.fromkeys(borders, NO_WAY), dict.fromkeys(borders, float(NO_WAY))
    for turn, emperor in enumerate(acting(position)):
        if not position.reserve_garrisons(emperor):
            continue
        home = next(own.capital for own in board.emperors if own.id == emperor)
        place = position.emperors[emperor]
        costs = costs_from(quiet, {place} if place else {board.roma, home}, most=60)
        for border in costs.keys() & {*borders}:
            ip = max(costs[border] - SECURE_FROM, 0)
            soon[border] = min(soon[border], turn + -(-ip // IP) * 4)
            far[border] = min(far[border], turn + ip * 4 / IP)
    if not borders:
        return {}
    kind = f"left {min(len(borders), MOST_LEFT)}"
    return {
        f"{kind} soon {min(max(soon.values()), MOST_SOON)}": 1.0,
        f"{kind} farthest": max(far.values()) / 12,
        f"{kind} all": sum(far.values()) / 36,
    }
