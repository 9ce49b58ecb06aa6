"""Barbaria (pages 15 and 16): what the Barbarian player has, and what he can do with it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value
from tetrasolve.tetrarchia.facts.rulebook.tables import barbarians, empire, kind, named, started
from tetrasolve.tetrarchia.facts.statements import Answer, Statement
from tetrasolve.tetrarchia.pieces import BARBARIAN_DISCS, BLACK, GRAY
from tetrasolve.tetrarchia.position import REVOLT_DISC, Position, start_of_turn
from tetrasolve.tetrarchia.rules.activity import Activity
from tetrasolve.tetrarchia.rules.advance import Crossing
from tetrasolve.tetrarchia.rules.barbaria import Advance, BlackDisc
from tetrasolve.tetrarchia.rules.choices import BARBARIAN, Choice, Reroll
from tetrasolve.tetrarchia.rules.extensions import new_turn

VARIANT = "barbaria"
CERTIFICATE = "variant"


def _table(board: Board, gray: int = 4, black: int = 0, *variants: str, **changes: Any) -> Position:
    """A table when the Barbarians come, with these discs of their player."""
    pieces = {BARBARIAN_DISCS: ((BLACK, black), (GRAY, gray))}
    return barbarians(started(board, VARIANT, *variants, pieces=pieces, **changes))


def _discs(board: Board) -> Answer:
    """His discs, what they leave in the reserve, and what he has when each Emperor's turn begins with none left."""
    begin = started(board, VARIANT)
    values: dict[str, Value] = {
        "gray": begin.gray,
        "black": begin.black,
        "unrest-left": begin.reserve_unrest,
        "revolts-left": begin.reserve_revolts,
        "players": len({*begin.emperors, BARBARIAN}),
    }
    for emperor in board.emperors:
        after = new_turn(start_of_turn(_table(board, 0), emperor.id))
        values[f"refill.{emperor.id}"] = after.gray
    refills = [values[f"refill.{emperor.id}"] for emperor in board.emperors]
    return Answer(values, (begin.gray, begin.black, values["players"]) == (4, 1, 5) and refills == [4, 0, 0, 0])


def _only_uprisings(choice: Choice) -> int:
    """The policy that rolls the first dice again until they name a revolt."""
    if isinstance(choice, Reroll) and isinstance(choice.rolled, Activity):
        region, number = choice.faces
        return int(not choice.position.has_revolt(choice.position.board.at(region, number)))
    return 0


REVOLTS = 6  # of a game's beginning


def _rerolls(board: Board) -> Answer:
    """The chance of an uprising from six revolts, one in each region, as he has from none to four gray discs."""
    discs = {board.at(region, 2): REVOLT_DISC for region in range(1, len(board.borders) + 1)}
    values: dict[str, Value] = {}
    for gray in range(5):
        values[f"uprising.{gray}"] = rules.uprising_chance(_table(board, gray, discs=discs), _only_uprisings)
    told = [1 - Fraction(36 - REVOLTS, 36) ** (gray + 1) for gray in range(5)]
    return Answer(values, [*values.values()] == told)


def _direction(board: Board) -> Answer:
    """An army in each province: where it can be turned to, and whether it can be stopped."""
    found = {"border": 0, "inside": 0, "cancelled": 0, "paid": 0, "armies": 0}
    for place in board.ids:
        if place == board.roma:
            continue
        choice = Advance(_table(board, armies=(place,)), (place,))
        found["armies"] += 1
        found["border" if board[place].is_border else "inside"] += len(choice.turns())
        after = choice.after("cancel") if "cancel" in choice.options else None
        if isinstance(after, Position):
            found["cancelled"] += place in after.armies
            found["paid"] += after.reserve_unrest == choice.position.reserve_unrest + 1
    right = found["cancelled"] == found["paid"] == found["armies"]
    return Answer(found, right and not found["border"] and found["inside"] > 0)


def _stopped(board: Board) -> Answer:
    """An army that is turned over a broken link: the faces with which it stays where it was."""
    found = {"turns": 0, "faces": 0, "stopped": 0, "went-its-old-way": 0}
    for place in empire(board):
        if place == board.roma:
            continue
        choice = Advance(_table(board, armies=(place,)), (place,))
        for there in choice.turns():
            step = choice.after(f"turn:{there}")
            link = board.link(place, there)
            assert link is not None
            if not link.broken or not isinstance(step, Crossing):
                continue
            ends = step.roll().results
            found["turns"] += 1
            found["faces"] += len(ends)
            stays = [end for end in ends if isinstance(end, Position) and place in end.armies]
            moved = [end for end in ends if not isinstance(end, Position) or not {place, there} & {*end.armies}]
            found["stopped"] += len(stays)
            found["went-its-old-way"] += len(moved) if there != board.roma else 0
    return Answer(found, 2 * found["stopped"] == found["faces"] > 0 == found["went-its-old-way"])


def _black(board: Board) -> Answer:
    """Where the black disc can go on an empty table, and instead of it an army, and what an army changes."""
    empty = BlackDisc(_table(board, 0, 1), 1, frozenset(), _end)
    army = BlackDisc(_table(board, 0, 1, armies=board.borders[:1]), 1, frozenset(), _end)
    places = [*empty.places()]
    capitals = {emperor.capital for emperor in board.emperors}
    spent = empty.after(f"black:{places[0]}")
    assert isinstance(spent, Position)
    values: dict[str, Value] = {
        "places": len(places),
        "capitals": sum(place in capitals for place in places),
        "roma": sum(place == board.roma for place in places),
        "borders": sum(1 for _ in empty.borders()),
        "borders-with-an-army": sum(1 for _ in army.borders()),
        "left": spent.black,
    }
    occupied = sum(
        place in {*BlackDisc(_table(board, 0, 1, discs={place: REVOLT_DISC}), 1, frozenset(), _end).places()}
        for place in named(board)
    )
    right = not values["capitals"] and values["borders"] == len(board.borders) and not values["borders-with-an-army"]
    return Answer({**values, "occupied": occupied}, right and not occupied and spent.black == 0)


def _end(position: Position, resting: frozenset[str]) -> Position:
    """Nothing comes after the disc."""
    del resting
    return position


def _never_worse(board: Board) -> Answer:
    """Where he spends nothing the phase is as it is without him, with an army on each border in turn."""
    found = {"phases": 0, "alike": 0}
    for army in board.borders:
        without = barbarians(started(board, armies=(army,)))
        found["phases"] += 1
        found["alike"] += _ends(without) == _ends(_table(board, 4, 1, armies=(army,)))
    return Answer(found, found["phases"] == found["alike"])


def _ends(table: Position) -> dict[object, Fraction]:
    """What a phase can lead to, without the discs of the Barbarian player."""
    ends: dict[object, Fraction] = {}
    for end, chance in rules.outcomes(table).items():
        key = (frozenset(end.discs.items()), end.armies) if isinstance(end, Position) else end
        ends[key] = ends.get(key, Fraction(0)) + chance
    return ends


PLAYER = kind(
    "book-barbaria",
    "Barbaria",
    "The choices of the Barbarian player are listed for every place of an army, and followed.",
    ("links", "kinds", "arrows", "regions", "numbers", "printed"),
    {
        "discs": Statement(
            15,
            _discs,
            "He begins with {gray} gray discs and {black} black one, which leaves {unrest-left} unrest and {revolts-left} revolts;"
            " in Diocletian's turn he has {refill.diocletian} again, in the others {refill.galerius}, {refill.constantius} and"
            " {refill.maximian}; with four others there are {players} players.",
        ),
        "rerolls": Statement(
            15,
            _rerolls,
            "From six revolts an uprising comes with a chance of {uprising.0}; where he rolls again with all four discs, of"
            " {uprising.4}.",
        ),
        "direction": Statement(
            15,
            _direction,
            "Of {armies} armies he can stop {cancelled}; inside the Empire there are {inside} other ways for them, from the"
            " borders {border}.",
        ),
        "broken-links": Statement(
            15,
            _stopped,
            "Turned over a broken link an army stays with {stopped} of {faces} faces; its old way it goes with {went-its-old-way}.",
        ),
        "black": Statement(
            16,
            _black,
            "The black disc has {places} places on an empty table, {capitals} of them capitals; an army has {borders} borders, or"
            " {borders-with-an-army} while another one is there; spent, {left} are left.",
        ),
        "harder": Statement(
            16,
            _never_worse,
            "Where he spends nothing, and the reserves last, {alike} of {phases} phases are as without him.",
        ),
    },
    effort=0.1,
    certificate=CERTIFICATE,
)
KINDS = (PLAYER,)
