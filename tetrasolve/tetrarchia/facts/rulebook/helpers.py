"""The Dux and the Vicarius (pages 12 and 13): the reference rules are asked about every place where they could be."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, Outcome, attack, deploy, move
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value
from tetrasolve.tetrarchia.facts.rulebook.tables import (
    HE,
    arrows,
    barbarians,
    empire,
    kind,
    linked,
    named,
    risen,
    started,
)
from tetrasolve.tetrarchia.facts.statements import Answer, Statement
from tetrasolve.tetrarchia.pieces import DEAD, DUX, VICARIUS
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules import advance
from tetrasolve.tetrarchia.rules.activity import Activity, resolve
from tetrasolve.tetrarchia.rules.advance import Clash, Crossing

ANOTHER = "galerius"


def _deployed(board: Board, figure: str) -> dict[str, Value]:
    """How often it can be deployed: an Emperor in each province; and beside him on another figure, or on a revolt."""
    found = {"tried": 0, "legal": 0, "beside-a-figure": 0, "on-a-revolt": 0}
    prices = set()
    for here in board.ids:
        table = started(board, figure).with_emperor(HE, here)
        for there in board.ids:
            action = deploy(figure, there)
            found["tried"] += 1
            if rules.objection(table, action) is None:
                found["legal"] += 1
                prices.add(rules.cost(table, action))
            if board.link(here, there) is not None:
                occupied = table.with_emperor(ANOTHER, there)
                found["beside-a-figure"] += rules.objection(occupied, action) is None
                found["on-a-revolt"] += rules.objection(table.with_disc(there, REVOLT_DISC), action) is None
    (price,) = prices
    return {**found, "price": price}


def _again(board: Board, figure: str) -> int:
    """In how many ways a figure that has died can be deployed."""
    tables = (started(board, figure, pieces={figure: DEAD}).with_emperor(HE, here) for here in board.ids)
    return sum(rules.objection(table, deploy(figure, there)) is None for table in tables for there in board.ids)


# -- the Dux -------------------------------------------------------------------------------------------------------


def _dux(board: Board) -> Answer:
    values = _deployed(board, DUX)
    links = sum(not board[there].is_border for _, there in linked(board))
    return Answer(
        {**values, "links": links}, values["price"] == 2 and values["legal"] == links and not values["beside-a-figure"]
    )


REVOLTS_EVERYWHERE = 2  # the number of that table


def _tables(board: Board, here: str, figure: str) -> Iterator[Position]:
    """A fleet at sea; unrest, revolts, or armies all around but for Roma."""
    table, roman = started(board, figure), empire(board)
    yield table.replace(fleets=(2,))
    yield table.replace(discs=dict.fromkeys(roman, UNREST_DISC))
    yield table.replace(discs=dict.fromkeys(roman, REVOLT_DISC))
    yield table.replace(armies=tuple(place for place in board.neighbours(here) if place != board.roma))


def _as_an_emperor(board: Board) -> Answer:
    """The Dux with an Emperor in Roma, and an Emperor in the same place with another one in Roma."""
    counts = {"emperor": 0, "dux": 0, "more": 0}
    lacking: set[str] = set()
    for here in board.ids:
        if here == board.roma:
            continue
        for table in _tables(board, here, DUX):
            led = table.with_emperor(HE, here).with_emperor(ANOTHER, board.roma)
            emperor = {(a.kind, a.place, rules.cost(led, a)) for a in rules.legal_actions(led) if _is_deed(a.kind)}
            led = table.with_emperor(HE, board.roma).with_figure(DUX, here)
            dux = {(a.kind, a.place, rules.cost(led, a)) for a in rules.legal_actions(led) if a.figure == DUX}
            counts["emperor"] += len(emperor)
            counts["dux"] += len(dux)
            counts["more"] += len(dux - emperor)
            lacking |= {str(kind) for kind, _, _ in emperor - dux}
    values: dict[str, Value] = {**counts, "lacking": tuple(sorted(lacking))}
    return Answer(values, lacking == {"secure"} and not counts["more"])


def _is_deed(deed: Kind) -> bool:
    """Whether it is what a figure does: fleets sail for whoever asks, and the Dux is deployed by an Emperor."""
    return deed not in (Kind.SAIL, Kind.DEPLOY)


def _support(board: Board) -> Answer:
    """Battles of an Emperor while the Dux is linked to the army, and of the Dux while an Emperor is."""
    tried = doubled = garrisons = 0
    for army in board.ids:
        table = started(board, DUX, armies=(army,), discs=dict.fromkeys(board.neighbours(army), HE))
        for here in board.neighbours(army):
            for there in board.neighbours(army):
                if here == there:
                    continue
                both = table.with_emperor(HE, here).with_figure(DUX, there)
                emperor, dux = rules.battle(both, HE, army), rules.battle(both, DUX, army)
                tried += 1
                doubled += emperor.emperors == dux.emperors == 1
                garrisons = max(garrisons, dux.garrisons)
    return Answer({"tried": tried, "doubled": doubled, "garrisons": garrisons}, tried == doubled and not garrisons)


def _dux_dies(board: Board) -> Answer:
    found = {"revolts": 0, "attacks": 0, "clashes": 0}
    dead = 0
    revolts = dict.fromkeys(empire(board), REVOLT_DISC)
    for place in empire(board):
        step = rules.begin(barbarians(started(board, DUX, discs={place: REVOLT_DISC}, pieces={DUX: place})))
        assert isinstance(step, Activity)
        found["revolts"] += 1
        dead += step.position.pieces[DUX] == DEAD
    for here, army in linked(board):
        away = next(place for place in board.ids if place not in (here, army))
        table = started(board, DUX, armies=(army,), discs=revolts, pieces={DUX: here}).with_emperor(HE, away)
        after = rules.play(table, attack(army, Outcome.DEFEAT, DUX))
        assert isinstance(after, Position)
        found["attacks"] += 1
        dead += after.pieces[DUX] == DEAD
    for army, target in arrows(board):
        table = barbarians(started(board, DUX, armies=(army,), pieces={DUX: target}))
        then = Clash(table, (army,), target).after(Outcome.DEFEAT)
        assert isinstance(then, Position)
        found["clashes"] += 1
        dead += then.pieces[DUX] == DEAD
    again = _again(board, DUX)
    return Answer({**found, "dead": dead, "again": again}, dead == sum(found.values()) and not again)


# -- the Vicarius --------------------------------------------------------------------------------------------------


def _vicarius(board: Board) -> Answer:
    values = _deployed(board, VICARIUS)
    able = sum(here != there for here in board.ids for there in empire(board))
    stopped = not values["beside-a-figure"] and not values["on-a-revolt"]
    return Answer({**values, "free": able}, values["price"] == 2 and values["legal"] == able and stopped)


def _moves(board: Board) -> Answer:
    """The Vicarius with an Emperor in Roma, and an Emperor in the same place with another one in Roma."""
    found = {"emperor": 0, "vicarius": 0, "more": 0, "into-revolts": 0}
    for here in board.ids:
        if here == board.roma:
            continue
        for number, table in enumerate(_tables(board, here, VICARIUS)):
            led = table.with_emperor(HE, here).with_emperor(ANOTHER, board.roma)
            emperor = {(a.place, rules.cost(led, a)) for a in rules.legal_actions(led) if a.kind is Kind.MOVE}
            led = table.with_emperor(HE, board.roma).with_figure(VICARIUS, here)
            moves = {(a.place, rules.cost(led, a)) for a in rules.legal_actions(led) if a.figure == VICARIUS}
            found["emperor"] += len(emperor)
            found["vicarius"] += len(moves)
            found["more"] += len(moves - emperor)
            found["into-revolts"] += sum(place in table.revolts for place, _ in emperor - moves)
            assert number == REVOLTS_EVERYWHERE or moves == emperor
    right = not found["more"] and found["into-revolts"] == found["emperor"] - found["vicarius"] > 0
    return Answer(found, right)


def _clears(board: Board) -> Answer:
    """He enters a province with unrest, over each link, and it is gone for no more IP; with a revolt he cannot."""
    found = {"entered": 0, "cleared": 0, "dearer": 0, "revolts": 0}
    for here, there in linked(board):
        if board[there].is_border:
            continue
        away = next(place for place in board.ids if place not in (here, there))
        table = started(board, VICARIUS, pieces={VICARIUS: here}).with_emperor(HE, away)
        step, restless = move(there, VICARIUS), table.with_disc(there, UNREST_DISC)
        quiet, after = rules.play(table, step), rules.play(restless, step)
        assert isinstance(quiet, Position) and isinstance(after, Position)
        found["entered"] += 1
        found["cleared"] += not after.has_unrest(there)
        found["dearer"] += after.ip < quiet.ip
        found["revolts"] += rules.objection(table.with_disc(there, REVOLT_DISC), step) is None
    right = found["cleared"] == found["entered"] and not found["dearer"] and not found["revolts"]
    return Answer(found, right)


def _calm(board: Board) -> Answer:
    counts = {"nobody": 0, "vicarius": 0}
    for place in named(board):
        for who, where in (("nobody", None), ("vicarius", place)):
            after = resolve(barbarians(started(board, VICARIUS, pieces={VICARIUS: where})), place)
            counts[who] += isinstance(after, Position) and after.has_unrest(place)
    return Answer(
        {f"unrest.{who}": number for who, number in counts.items()}, counts["vicarius"] == 0 < counts["nobody"]
    )


def _no_troops(board: Board) -> Answer:
    tried = changed = 0
    for army in board.ids:
        table = started(board, VICARIUS, armies=(army,))
        for here in board.neighbours(army):
            alone = rules.battle(table.with_emperor(HE, here), HE, army)
            for there in board.neighbours(army):
                if there != here:
                    both = table.with_emperor(HE, here).with_figure(VICARIUS, there)
                    tried += 1
                    changed += rules.battle(both, HE, army) != alone
    return Answer({"tried": tried, "changed": changed}, tried > 0 == changed)


def _vicarius_dies(board: Board) -> Answer:
    found = {"uprisings": 0, "armies": 0}
    dead = 0
    for place in named(board):
        for there in board.neighbours(place):
            if board[there].is_border:
                continue
            table = barbarians(started(board, VICARIUS, discs={place: REVOLT_DISC}, pieces={VICARIUS: there}))
            step = risen(table, place, passed=True)
            found["uprisings"] += 1
            dead += getattr(step, "position", table).pieces[VICARIUS] == DEAD
    for army, target in arrows(board):
        table = barbarians(started(board, VICARIUS, armies=(army,), pieces={VICARIUS: target}))
        then = advance.towards(table, (army,), target)
        after = then.roll().results[-1] if isinstance(then, Crossing) else then
        assert isinstance(after, Position) and target in after.armies
        found["armies"] += 1
        dead += after.pieces[VICARIUS] == DEAD
    again = _again(board, VICARIUS)
    return Answer({**found, "dead": dead, "again": again}, dead == sum(found.values()) and not again)


_ROWS = ("links", "kinds", "zones", "regions", "numbers", "arrows", "printed")
DUX_KIND = kind(
    "book-dux",
    "The Dux",
    "The rules are asked wherever he and an Emperor could be.",
    _ROWS,
    {
        "deployment": Statement(
            12,
            _dux,
            "In {legal} of {tried} pairs of provinces he can be deployed, for {price} IP, over all {links} links to Roman"
            " provinces; where a figure stands, in {beside-a-figure}.",
        ),
        "deeds": Statement(
            12,
            _as_an_emperor,
            "Of {emperor} actions of an Emperor he can take {dux} at the same price, and {more} others; what he lacks is:"
            " {lacking}.",
        ),
        "support": Statement(
            12,
            _support,
            "Linked to an army he doubles the value of an Emperor, and an Emperor his, in {doubled} of {tried} battles; his"
            " own group has {garrisons} discs.",
        ),
        "death": Statement(
            12,
            _dux_dies,
            "On {revolts} revolts, in {attacks} lost attacks and in {clashes} lost defences he dies {dead} times; deployed"
            " anew he can be in {again} ways.",
        ),
    },
    effort=0.15,
)
VICARIUS_KIND = kind(
    "book-vicarius",
    "The Vicarius",
    "The rules are asked wherever he and an Emperor could be.",
    _ROWS,
    {
        "deployment": Statement(
            12,
            _vicarius,
            "In {legal} of {tried} pairs of provinces he can be deployed, for {price} IP, in every other Roman province; where a"
            " figure stands in {beside-a-figure}, on a revolt in {on-a-revolt}.",
        ),
        "moves": Statement(
            12,
            _moves,
            "Of {emperor} moves of an Emperor he can make {vicarius} at the same price, and {more} others; the {into-revolts} that"
            " he cannot make lead into revolts.",
        ),
        "unrest": Statement(
            13,
            _clears,
            "Over {entered} links he enters and unrest is gone in {cleared} cases, dearer in {dearer}; into a revolt he can"
            " go over {revolts}.",
        ),
        "dice": Statement(
            13,
            _calm,
            "Where he stands the dice bring unrest to {unrest.vicarius} of 36 provinces, else to {unrest.nobody}.",
        ),
        "troops": Statement(13, _no_troops, "In {changed} of {tried} battles beside him anything changes."),
        "death": Statement(
            13,
            _vicarius_dies,
            "Reached by {uprisings} uprisings and {armies} armies he dies {dead} times; deployed anew he can be in {again} ways.",
        ),
    },
    effort=0.2,
)
KINDS = (DUX_KIND, VICARIUS_KIND)
