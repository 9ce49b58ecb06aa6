"""What the rulebook says that can be tried out: the rules are asked wherever they could say something else.

The tables are bare but for what matters: with each choice of zones for fleets; with nothing or with revolts everywhere; with
one revolt, or one army, in each province in turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from itertools import combinations

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import REDUCE, REMOVE, SECURE, Action, Kind, Outcome, attack, enter, move, sail
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value
from tetrasolve.tetrarchia.facts.rulebook.counted import FACES
from tetrasolve.tetrarchia.facts.statements import Answer, Statement, statements
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules.activity import EchoRegion, Uprising, resolve
from tetrasolve.tetrarchia.rules.links import link_cost, move_cost, sea_ways

HE = "diocletian"


def bare(board: Board) -> Position:
    """A table with nothing on it, and three fleets at sea."""
    return Position.parse("5300 D:6 -/-/-/- 123 - - - -/-/-/-", board)


def empire(board: Board) -> tuple[str, ...]:
    """All Roman provinces."""
    return tuple(place.id for place in board.provinces.values() if not place.is_border)


@lru_cache(maxsize=2)
def price_list(board: Board) -> Mapping[str, frozenset[int]]:
    """Every case of an action, and what it can cost."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for case, ip in (*_ways(board), *_work(board)):
        found[case].add(ip)
    return {case: frozenset(found[case]) for case in sorted(found)}


def _ways(board: Board) -> Iterator[tuple[str, int]]:
    """Moves from everywhere to everywhere, and attacks."""
    table = bare(board)
    zones = [
        some for size in range(len(board.zones) + 1) for some in combinations(range(1, len(board.zones) + 1), size)
    ]
    for discs, ending in (({}, ""), (dict.fromkeys(empire(board), REVOLT_DISC), ".revolt")):
        for fleets in zones:
            now = table.replace(discs=discs, fleets=fleets)
            for here in board.ids:
                by_sea = sea_ways(now, here)
                for there in {*board.neighbours(here), *by_sea}:
                    link = board.link(here, there)
                    way = "link" if link and not link.broken else "sea" if there in by_sea else "broken"
                    toll = ending if there in discs else ""
                    price = move_cost(now, here, there)
                    assert price is not None
                    yield f"move.{way}{toll}", price
                    if link is not None:
                        price = link_cost(now, here, there)
                        assert price is not None
                        yield f"attack.{'broken' if link.broken else 'link'}{toll}", price


def _work(board: Board) -> Iterator[tuple[str, int]]:
    """Entering, sailing, securing and subduing."""
    table = bare(board)
    for action in rules.legal_actions(table):
        yield "enter", rules.cost(table, action)
    for place in board.provinces.values():
        here = table.with_emperor(HE, place.id)
        yield f"secure.{place.kind if place.is_border else 'province'}", rules.cost(here, SECURE)
        if not place.is_border:
            yield "remove.revolt", rules.cost(here.with_disc(place.id, REVOLT_DISC), REMOVE)
            yield "reduce", rules.cost(here.with_disc(place.id, REVOLT_DISC), REDUCE)
            yield "remove.unrest", rules.cost(here.with_disc(place.id, UNREST_DISC), REMOVE)
        for zone in range(1, len(board.zones) + 1):
            one = here.replace(fleets=(zone,))
            for other in board.adjacent(zone):
                yield "sail", rules.cost(one, sail(zone, other))


PRICES: Mapping[str, int] = {
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


def _prices(board: Board) -> Answer:
    prices = price_list(board)
    values: dict[str, Value] = {case: _only(prices[case]) for case in PRICES}
    return Answer(values, values == PRICES)


def _only(prices: frozenset[int]) -> int:
    """The one price of a case."""
    (price,) = prices
    return price


def _summary(board: Board) -> Answer:
    told = (
        "move.link",
        "move.broken",
        "sail",
        "secure.province",
        "secure.border",
        "remove.unrest",
        "remove.revolt",
        "reduce",
    )
    prices = price_list(board)
    attacks = [case for case in prices if case.startswith("attack")]
    alike = sum(prices[case] == prices[case.replace("attack", "move")] for case in attacks)
    tolls = {_only(prices[f"move.{way}.revolt"]) - _only(prices[f"move.{way}"]) for way in ("link", "broken", "sea")}
    values: dict[str, Value] = {case: _only(prices[case]) for case in told}
    right = all(values[case] == PRICES[case] for case in told) and tolls == {1}
    values |= {"toll": max(tolls), "attacks": len(attacks), "attacks-like-moves": alike}
    return Answer(values, right and len(attacks) == alike == 4)


def _actions(board: Board) -> Answer:
    del board
    names = {kind: "subdue" if kind in (Kind.REMOVE, Kind.REDUCE) else str(kind) for kind in Kind}
    others = (
        Kind.ENTER,
        Kind.END,
        Kind.DEPLOY,
        Kind.TRANSFER,
        Kind.IMPERIUM,
    )  # not on the board, no action, and of modules
    kinds = tuple(sorted({name for kind, name in names.items() if kind not in others}))
    return Answer({"kinds": kinds, "number": len(kinds)}, len(kinds) == 5)


def _entries(board: Board) -> Answer:
    """Where Emperors come back to the board, with nothing on their capitals and with each kind of disc."""
    found = {"free": 0, "covered": 0, "elsewhere": 0}
    for emperor in board.emperors:
        off = bare(board).replace(to_move=emperor.id)
        for disc in (None, UNREST_DISC, REVOLT_DISC, HE):
            table = off if disc is None else off.with_disc(emperor.capital, disc)
            places = [place for place in board.ids if rules.objection(table, enter(place)) is None]
            found["elsewhere"] += sum(place not in (board.roma, emperor.capital) for place in places)
            found["covered" if disc else "free"] += len(places)
    return Answer(found, found == {"free": 8, "covered": 12, "elsewhere": 0})


def _by_sea(board: Board) -> Answer:
    """A fleet in one zone, and every two provinces of its coast."""
    values: dict[str, Value] = {}
    right = True
    for zone, coast in board.coast.items():
        legal = 0
        for here in coast:
            table = bare(board).replace(fleets=(zone,)).with_emperor(HE, here)
            steps = [move(there) for there in coast if there != here]
            legal += sum(rules.objection(table, step) is None and rules.cost(table, step) == 1 for step in steps)
        values[f"moves.{zone}"] = legal
        right &= legal == len(coast) * (len(coast) - 1)
    return Answer(values, right)


def _kept(board: Board) -> Answer:
    """An Emperor on a garrison of his, armies all around: which actions take a garrison from the board."""
    found = {"actions": 0, "lost": 0, "lost-by-defeat": 0}
    for place in empire(board):
        armies = [army for army in board.neighbours(place) if army != board.roma]
        table = bare(board).replace(armies=armies).with_emperor(HE, place).with_disc(place, HE)
        for action in rules.legal_actions(table):
            after = rules.play(table, action)
            assert isinstance(after, Position)
            lost = not after.has_garrison(place)
            found["actions"] += action.kind is not Kind.ATTACK
            found["lost"] += lost and action.kind is not Kind.ATTACK
            found["lost-by-defeat"] += lost and action.outcome is Outcome.DEFEAT
    return Answer(found, not found["lost"] and found["actions"] > 0)


def _defeats(board: Board) -> Answer:
    """Every attack, lost: whether the turn is over, and he is off the board."""
    found = {"attacks": 0, "over": 0, "gone": 0}
    for army in board.ids:
        table = bare(board).replace(armies=(army,), discs=dict.fromkeys(empire(board), REVOLT_DISC))
        for here in board.neighbours(army):
            after = rules.play(table.with_emperor(HE, here), attack(army, Outcome.DEFEAT))
            assert isinstance(after, Position)
            found["attacks"] += 1
            found["over"] += after.phase is Phase.BARBARIAN
            found["gone"] += after.here is None
    return Answer(found, found["attacks"] == found["over"] == found["gone"])


# -- securing, attacking, Barbarians -------------------------------------------------------------------------------


def _own_region(board: Board) -> Answer:
    blocked = wrong = beside = 0
    for border in board.borders:
        here = bare(board).with_emperor(HE, border)
        for revolt in empire(board):
            stopped = rules.objection(here.with_disc(revolt, REVOLT_DISC), SECURE) is not None
            own = board[revolt].region == board[border].region
            blocked += stopped
            wrong += stopped != own
            beside += not own and board.link(border, revolt) is not None
    tried = len(board.borders) * len(empire(board))
    return Answer({"tried": tried, "blocked": blocked, "wrong": wrong, "linked-elsewhere": beside}, wrong == 0)


def _landings(board: Board) -> Answer:
    by_link = by_sea = coasts = 0
    for army in board.ids:
        table = bare(board).with_army(None, army)
        for here in board.ids:
            if here == army:
                continue
            attack = Action(Kind.ATTACK, army)
            legal = rules.objection(table.with_emperor(HE, here), attack) is None
            linked = board.link(here, army) is not None
            by_link += legal and linked
            by_sea += legal and not linked
            coasts += not linked and not board[here].zones.isdisjoint(board[army].zones)
    return Answer({"by-link": by_link, "by-sea": by_sea, "coasts-in-common": coasts}, by_sea == 0)


def _protection(board: Board) -> Answer:
    phase = bare(board).replace(phase=Phase.BARBARIAN, ip=0)
    named = [board.at(region, number) for region in FACES for number in FACES]
    counts = {"nothing": 0, "emperor": 0, "garrison": 0}
    for place in named:
        for who, table in (
            ("nothing", phase),
            ("emperor", phase.with_emperor(HE, place)),
            ("garrison", phase.with_disc(place, HE)),
        ):
            after = resolve(table, place)
            counts[who] += isinstance(after, Position) and after.has_unrest(place)
    printed = sum(bool(board[place].printed) for place in named)
    values: dict[str, Value] = {f"unrest.{who}": number for who, number in counts.items()}
    right = counts == {"nothing": 36 - printed, "emperor": 36 - printed, "garrison": 0}
    return Answer({**values, "printed": printed}, right)


def _uprisings(board: Board) -> Answer:
    links = reached = borders = spared = 0
    for place in (board.at(region, number) for region in FACES for number in FACES):
        around = board.neighbours(place)
        # six garrisons can lie around a place, more than an Emperor has: this is about the uprising, not about a game
        table = bare(board).replace(
            phase=Phase.BARBARIAN, ip=0, discs={**dict.fromkeys(around, HE), place: REVOLT_DISC}
        )
        step = resolve(table, place)
        while isinstance(step, Uprising):
            step = step.roll().results[-1]  # linked
        assert not isinstance(step, rules.Fall)
        after = step if isinstance(step, Position) else step.position
        links += len(around)
        reached += len(after.revolts) - 1
        borders += sum(board[other].is_border for other in around)
        spared += sum(after.has_garrison(other) for other in around)
    values: dict[str, Value] = {"links": links, "revolts": reached, "borders": borders, "spared": spared}
    return Answer(values, spared == borders == links - reached)


def _echoes(board: Board) -> Answer:
    """Of the 36 uprisings, those with an echo, by the armies on the board."""
    values: dict[str, Value] = {}
    for armies in range(4):
        table = bare(board).replace(phase=Phase.BARBARIAN, ip=0, armies=board.borders[:armies])
        values[f"echo.{armies}"] = 0
        for place in (board.at(region, number) for region in FACES for number in FACES):
            step = resolve(table.with_disc(place, REVOLT_DISC), place)
            while isinstance(step, Uprising):
                step = step.roll().results[0]  # not linked
            values[f"echo.{armies}"] = int(str(values[f"echo.{armies}"])) + isinstance(step, EchoRegion)
    return Answer(values, [*values.values()] == [36, 36, 36, 0])


def _half(board: Board) -> Answer:
    passed = tried = 0
    for place in (board.at(region, number) for region in FACES for number in FACES):
        table = bare(board).replace(phase=Phase.BARBARIAN, ip=0, discs={place: REVOLT_DISC})
        step = resolve(table, place)
        if isinstance(step, Uprising):
            results = step.roll().results
            tried += len(results)
            passed += sum(
                not isinstance(after, rules.Fall) and len(_table(after).revolts) > len(step.position.revolts)
                for after in results
            )
    return Answer({"faces": tried, "passed": passed}, 2 * passed == tried > 0)


def _table(step: object) -> Position:
    """The table of a step, or where the phase has ended."""
    table = step if isinstance(step, Position) else getattr(step, "position", None)
    assert isinstance(table, Position)
    return table


# -- the facts -----------------------------------------------------------------------------------------------------

_kind = partial(statements, family="rulebook")

PRICE = _kind(
    "book-prices",
    title="What actions cost",
    how="The rules are asked for the price of every case, at every place, with every choice of zones for fleets.",
    rows=("links", "kinds", "zones"),
    instances={
        "rules": Statement(
            8,
            _prices,
            "A move costs {move.link} IP, {move.broken} over a broken link, {move.sea} by sea, and one more into a revolt"
            " ({move.link.revolt}, {move.broken.revolt}, {move.sea.revolt}); sailing {sail}; a garrison {secure.province}, on a"
            " border {secure.border}; removing a revolt {remove.revolt}, unrest {remove.unrest}, reducing {reduce}.",
        ),
        "by-sea": Statement(
            5,
            _by_sea,
            "With a fleet in its zone every move from coast to coast costs 1 IP: {moves.1}, {moves.2} and {moves.3} of them.",
        ),
        "summary": Statement(
            20,
            _summary,
            "The summary gives the same prices, and in each of {attacks} cases an attack costs what the move would.",
        ),
    },
    effort=0.1,
)
BORDER = _kind(
    "book-borders",
    title="Borders belong to their own region",
    how="An Emperor on each border in turn, with a revolt in each Roman province in turn, asks whether he may secure.",
    rows=("regions", "links"),
    instances={
        "own-region": Statement(
            11,
            _own_region,
            "Of {tried} pairs of a border and a revolt {blocked} keep the border from being secured, those in its own region;"
            " of the others {linked-elsewhere} are linked to the border, and it can be secured nevertheless.",
        )
    },
)
BARBARIANS: Mapping[str, Statement] = {
    "landings": Statement(
        11,
        _landings,
        "Of {coasts-in-common} pairs of provinces with a coast in common and no link, an attack leads from one to the other in"
        " {by-sea}.",
    ),
    "protection": Statement(
        11,
        _protection,
        "Where an Emperor stands the dice bring unrest as if he were not there, in {unrest.emperor} of 36 provinces; where a"
        " garrison lies, in {unrest.garrison}.",
    ),
    "uprisings": Statement(
        11,
        _uprisings,
        "Uprisings reach {revolts} provinces over {links} links, and none of {borders} borders: all {spared} garrisons there stay.",
    ),
    "echo": Statement(
        10,
        _echoes,
        "With one army on the board {echo.1} of 36 uprisings have an echo, with two {echo.2}, with all three {echo.3}.",
    ),
    "broken-links": Statement(9, _half, "A broken link is passed with {passed} of {faces} faces, a half."),
}
ENTRY = Statement(
    7,
    _entries,
    "Four Emperors have {free} ways to come back to the board, and {covered} in all where unrest, a revolt or a garrison covers"
    " their capitals; none leads elsewhere than to Roma or there.",
)
GARRISONS = Statement(
    11,
    _kept,
    "On his garrison an Emperor has {actions} actions beside attacks, and with {lost} of them it leaves the board; it does with"
    " {lost-by-defeat} lost attacks.",
)
LOST = Statement(11, _defeats, "Of {attacks} attacks that are lost {over} end the turn, and {gone} remove the Emperor.")
ACTIONS = Statement(7, _actions, "On the board an Emperor has {number} kinds of action: {kinds}.")
KINDS = (PRICE, BORDER)
