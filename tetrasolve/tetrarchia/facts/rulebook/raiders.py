"""The Pirates and the Goths (page 13): the reference rules are asked about every zone, border and coast."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import PIRATES, Action, Kind, Outcome, attack, sail
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value
from tetrasolve.tetrarchia.facts.rulebook.modules import accepted, raised_battles
from tetrasolve.tetrarchia.facts.rulebook.tables import HE, barbarians, empire, kind, named, risen, started
from tetrasolve.tetrarchia.facts.statements import Answer, Statement
from tetrasolve.tetrarchia.pieces import RESERVE
from tetrasolve.tetrarchia.position import REVOLT_DISC, Position
from tetrasolve.tetrarchia.rules.activity import EchoRegion, arrival
from tetrasolve.tetrarchia.rules.advance import Crossing
from tetrasolve.tetrarchia.rules.battle import Battle
from tetrasolve.tetrarchia.rules.chance import FACES, GivenDice
from tetrasolve.tetrarchia.rules.pirates import Pirates
from tetrasolve.tetrarchia.ruleset import all_levels

ANOTHER = "galerius"
GOTHS = "goths"


def raided(board: Board, zone: int | None, **changes: Any) -> Position:
    """A table with the Pirates in this zone."""
    return started(board, PIRATES, pieces={PIRATES: zone}, **changes)


def _zones(board: Board) -> range:
    return range(1, len(board.zones) + 1)


# -- Pirates -------------------------------------------------------------------------------------------------------


def _levels(board: Board) -> Answer:
    del board
    levels = list(all_levels())
    able = [level for level in levels if accepted(level, (PIRATES,))]
    return Answer({"levels": len(able), "all": len(levels)}, {level.fleets for level in able} == {1, 2})


def _rolled(board: Board) -> Answer:
    """What each face of their die does: a zone, or the die is rolled again and there is no other face."""
    zones = []
    for face in FACES:
        try:
            zones.append(Pirates().roll(raided(board, None), GivenDice([face])).pieces[PIRATES])
        except LookupError:
            continue
    values: dict[str, Value] = {f"zone-{zone}": Fraction(zones.count(zone), len(zones)) for zone in (2, 3)}
    for fleets in (1, 2):
        tables = [started(board, PIRATES, level=f"5{fleets}00", pieces={PIRATES: zone}) for zone in (2, 3)]
        (values[f"fleets-{fleets}"],) = {len(list(rules.open_choices(table))) for table in tables}
    return Answer(values, zones == [2, 3])


def _closed(board: Board) -> Answer:
    found = {"voyages": 0, "closed": 0, "open": 0}
    for fleet, zone in product(_zones(board), repeat=2):
        if zone in board.adjacent(fleet):
            table = raided(board, zone, fleets=(fleet,)).with_emperor(HE, board.roma)
            beaten = raided(board, None, fleets=(fleet,)).with_emperor(HE, board.roma)
            found["voyages"] += 1
            found["closed"] += rules.objection(table, sail(fleet, zone)) is not None
            found["open"] += rules.objection(beaten, sail(fleet, zone)) is None
    return Answer(found, len(set(found.values())) == 1)


def _attacked(board: Board) -> Answer:
    values: dict[str, Value] = {}
    right, prices = True, set()
    for zone in _zones(board):
        able = set()
        for place in board.ids:
            table = raided(board, zone).with_emperor(HE, place)
            if rules.objection(table, Action(Kind.ATTACK, PIRATES)) is None:
                able.add(place)
                prices.add(rules.cost(table, attack(PIRATES, Outcome.DRAW)))
        values[f"from.{zone}"] = len(able)
        right &= able == set(board.coast[zone])
    (values["price"],) = prices
    return Answer(values, right and prices == {2})


def _at_sea(board: Board) -> Answer:
    """What one garrison, one revolt, one army or one other Emperor in each place changes in a battle against them."""
    values: dict[str, Value] = {}
    right = True
    for zone in _zones(board):
        coast = board.coast[zone]
        leader = next(place for place in coast if not board[place].printed)
        table = raided(board, zone).with_emperor(HE, leader)
        base = rules.battle(table, HE, PIRATES)
        where: dict[str, set[str]] = {"garrisons": set(), "revolts": set(), "armies": set(), "emperors": set()}
        for place in board.ids:
            for what, changed in (
                ("garrisons", table.with_disc(place, HE)),
                ("revolts", table.with_disc(place, REVOLT_DISC)),
                ("armies", table.with_army(None, place)),
                ("emperors", table.with_emperor(ANOTHER, place)),
            ):
                if getattr(rules.battle(changed, HE, PIRATES), what) == getattr(base, what) + 1:
                    where[what].add(place)
        printed = {place for place in coast if HE in board[place].printed}
        values |= {f"{what}.{zone}": len(places) for what, places in where.items()}
        values[f"printed.{zone}"] = base.garrisons
        right &= where["revolts"] == where["armies"] == where["emperors"] == {*coast}
        right &= where["garrisons"] == {*coast} - printed and base.garrisons == len(printed)
    return Answer(values, right)


def _lost(board: Board) -> Answer:
    """A battle lost while a garrison of some Emperor lies in each province."""
    values: dict[str, Value] = {}
    right = True
    owners = [emperor.id for emperor in board.emperors]
    discs = {place: owners[row % 4] for row, place in enumerate(empire(board))}
    for zone in _zones(board):
        coast = board.coast[zone]
        table = raided(board, zone, discs=discs).with_emperor(HE, coast[0])
        armies = tuple(place for place in coast if place != coast[0])[:2]
        after = rules.play(table.replace(armies=armies), attack(PIRATES, Outcome.DEFEAT))
        assert isinstance(after, Position)
        gone = {place for place in discs if place not in after.discs}
        values[f"garrisons.{zone}"] = len(gone)
        values[f"owners.{zone}"] = len({discs[place] for place in gone})
        right &= gone == {*coast} and after.here is None and after.ip == 0
    return Answer(values, right)


def _return(board: Board) -> Answer:
    """Of the 36 provinces that rise, those that bring beaten Pirates back, by the zones of the Roman fleets."""
    values: dict[str, Value] = {}
    right = True
    atlantic = 0
    for fleets in ((1,), (2,), (3,), (1, 2), (1, 3), (2, 3)):
        count = 0
        for place in named(board):
            table = barbarians(raided(board, None, fleets=fleets, discs={place: REVOLT_DISC}))
            step = risen(table, place, passed=False)
            back = getattr(step, "position", table).pieces[PIRATES]
            count += back is not None
            atlantic += back == 1
            right &= (back is not None) == bool(board[place].zones - {*fleets}) and back not in fleets
        values[f"back.{''.join(map(str, fleets))}"] = count
    return Answer({**values, "atlantic": atlantic}, right)


# -- Goths ---------------------------------------------------------------------------------------------------------


def _three(board: Board) -> Answer:
    """How many of the 36 uprisings have an echo, by the armies on the board, while the Goths are in the reserve."""
    values: dict[str, Value] = {}
    for armies in range(4):
        table = barbarians(started(board, GOTHS, armies=board.borders[:armies], pieces={GOTHS: RESERVE}))
        echoes = (risen(table.with_disc(place, REVOLT_DISC), place, passed=False) for place in named(board))
        values[f"echo.{armies}"] = sum(isinstance(step, EchoRegion) for step in echoes)
    return Answer(values, [*values.values()] == [36, 36, 36, 0])


def _occupied(board: Board, border: str, module: tuple[str, ...]) -> Mapping[str, Position]:
    """A border with nothing, a garrison, an Emperor or an army on it."""
    table = barbarians(started(board, *module))
    return {
        "nothing": table,
        "garrison": table.with_disc(border, HE),
        "emperor": table.with_emperor(HE, border),
        "army": table.with_army(None, border),
    }


def _arrive(board: Board) -> Answer:
    values: dict[str, Value] = {}
    where: dict[tuple[str, ...], set[int]] = {}
    for who, module in (("without", ()), ("with", (GOTHS,))):
        for border in board.borders:
            for what, table in _occupied(board, border, module).items():
                after = arrival(table, border)
                comes = after is not None and border in after.armies
                if comes:
                    where.setdefault((who, what), set()).add(board[border].region)
                values[f"{who}.{what}"] = int(str(values.get(f"{who}.{what}", 0))) + comes
    taken = [where.get(("with", what)) for what in ("garrison", "emperor", "army")]
    right = [values[f"without.{what}"] for what in ("nothing", "garrison", "emperor", "army")] == [6, 0, 0, 0]
    return Answer(values, right and taken == [{3, 4}] * 3 and values["with.nothing"] == 6)


def _permanent(board: Board) -> Answer:
    """Secured borders that stay so when an army is to come to them."""
    lost = []
    for border in board.borders:
        table = barbarians(started(board, GOTHS, discs={border: HE}))
        after = arrival(table, border)
        if after is not None and not after.has_garrison(border):
            lost.append(border)
    return Answer({"kept": len(board.borders) - len(lost), "lost": tuple(lost)}, not lost)


def _raised(board: Board) -> Answer:
    del board
    even = {bonus: Battle(0, 0, 0, 0, bonus).chances() for bonus in (0, 1)}
    values: dict[str, Value] = dict(raised_battles())
    values |= {f"even.{o}.{w}": even[b].get(o, 0) for o in Outcome for b, w in ((0, "without"), (1, "with"))}
    return Answer(values, values["better"] == 0)


def _broken(board: Board) -> Answer:
    found = {"links": 0, "without": 0, "with": 0, "faces": 0}
    for place in board.provinces.values():
        army, target = place.id, place.arrow
        link = board.link(army, target) if target is not None else None
        if target is None or link is None or not link.broken or target == board.roma:
            continue
        found["links"] += 1
        for who, module, pieces in (("without", (), {}), ("with", (GOTHS,), {GOTHS: army})):
            table = barbarians(started(board, *module, armies=(army,), pieces=pieces))
            results = Crossing(table, (army,), target).roll().results
            found[who] += sum(isinstance(after, Position) and target in after.armies for after in results)
        found["faces"] += 6
    right = found["without"] * 2 == found["faces"] > 0 and found["with"] * 3 == found["faces"] * 2
    return Answer(found, right)


PIRATES_KIND = kind(
    "book-pirates",
    "The Pirates",
    "The rules are asked for every zone and for every province.",
    ("zones", "links", "kinds", "regions", "numbers", "printed"),
    {
        "levels": Statement(13, _levels, "They can be used at {levels} of {all} levels."),
        "zone": Statement(
            13,
            _rolled,
            "They begin in the second zone with a chance of {zone-2}, in the third with {zone-3}; one fleet then has"
            " {fleets-1} zones to choose from, for two there is {fleets-2} choice.",
        ),
        "closed": Statement(
            13,
            _closed,
            "Of {voyages} voyages into their zone {closed} cannot be made while they are there, and {open} can once they"
            " are beaten.",
        ),
        "attack": Statement(
            13,
            _attacked,
            "They are attacked for {price} IP from all provinces of their coast, {from.1}, {from.2} or {from.3}, and no others.",
        ),
        "battle": Statement(
            13,
            _at_sea,
            "In zone 2 a revolt counts in {revolts.2} places, an army and an Emperor in {armies.2} and {emperors.2}, a garrison in"
            " {garrisons.2}: all on that coast and no others.",
        ),
        "defeat": Statement(
            13,
            _lost,
            "A battle lost takes all garrisons of that coast, of whoever they are: up to {garrisons.1}, {garrisons.2} or"
            " {garrisons.3}, of {owners.2} Emperors.",
        ),
        "return": Statement(
            13,
            _return,
            "Beaten, with Roman fleets in zones 1 and 2 they come back by the uprisings of {back.12} of 36 provinces, with fleets"
            " in 1 and 3 by {back.13}, in 2 and 3 by {back.23}, with one in 2 alone by {back.2}; also to zone 1.",
        ),
    },
    effort=0.03,
)
GOTHS_KIND = kind(
    "book-goths",
    "The Goths",
    "The rules are asked about every border, broken link and battle.",
    ("links", "kinds", "arrows", "regions", "numbers", "printed"),
    {
        "three": Statement(
            13,
            _three,
            "With two armies on the board {echo.2} of 36 uprisings have an echo, with three {echo.3}, though the Goths are"
            " left: there are never more than three.",
        ),
        "arrival": Statement(
            13,
            _arrive,
            "To {without.nothing} empty borders armies come with or without them; where a garrison, an Emperor or an army stands,"
            " to {without.garrison}, {without.emperor} and {without.army} without them, and to {with.garrison},"
            " {with.emperor} and {with.army} with them: III and IV.",
        ),
        "permanent": Statement(
            11,
            _permanent,
            "With the Goths borders are not secured for good: {lost} can be lost, the other {kept} stay.",
        ),
        "battle": Statement(
            13,
            _raised,
            "Of {battles} battles {worse} are worse for Rome with them and {better} better; of equal groups Rome wins"
            " {even.victory.with} throws of 36 instead of {even.victory.without}.",
        ),
        "broken-links": Statement(
            13,
            _broken,
            "On {links} broken links they pass with {with} of {faces} faces, other armies with {without}.",
        ),
    },
    effort=0.02,
)
KINDS = (PIRATES_KIND, GOTHS_KIND)
