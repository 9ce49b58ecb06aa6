"""The pieces without which two values of a reading cannot differ: each argument against positions that lack one of them."""

import random
from dataclasses import replace
from itertools import product

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint import needed as module
from tetrasolve.tetrarchia.lint.compare import Pair, _differences, with_value
from tetrasolve.tetrarchia.lint.needed import KINDS, bound, needed, pieces_of
from tetrasolve.tetrarchia.lint.small import size_of
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.position import Position

BOARD = Board.standard()
ALL = {finding.id: finding for finding in findings().findings}
NEEDED = needed()
LONG = pytest.mark.slow  # all that can come of a phase is compared
FEW = [
    pytest.param(name, marks=LONG if name.startswith("I-BLACK-WHEN") else ())
    for name, need in NEEDED.items()
    if need.total < 10
]
PLACES = list(BOARD.ids)


def differ(position, pair):
    """Whether the reference rules find a difference; None where the position cannot occur under both values."""
    both = [with_value(position, pair.reading, value) for value in pair.values]
    if any(one.status() for one in both):
        return None
    return next(_differences(*both), None) is not None


def smaller(position):
    """The position without one of its pieces, in each way that is left to it."""
    if len(position.fleets) > 1:
        fleets = position.fleets[1:]
        yield position.replace(fleets=fleets, ruleset=replace(position.ruleset, fleets=len(fleets)))
    for army in position.armies:
        yield position.with_army(army, None)
        yield position.with_army(army, None).with_disc(army, None)
    for place in position.discs:
        yield position.with_disc(place, None)
    for name, place in position.romans.items():
        if place is not None and name != position.passing:
            yield position.with_figure(name, None)
    if position.gray or position.black:
        yield position.with_barbarian_discs(0, position.black)
        yield position.with_barbarian_discs(position.gray, 0)
    for name, count in position.glory.items():
        if count:
            yield position.with_piece("glory", tuple(sorted({**position.glory, name: count - 1}.items())))


def drawn(position, chance):
    """The position with one of its pieces taken away and another put somewhere: it has as many, of other kinds perhaps."""
    base = chance.choice([*smaller(position)])
    place, kind = chance.choice(PLACES), chance.choice(["revolt", "unrest", "diocletian", "army", "figure", "figure"])
    if kind == "army":
        return base.with_army(None, place)
    if kind == "figure":
        name = chance.choice([*base.emperors])
        return base if base.emperors[name] else base.with_figure(name, place)
    return base.with_disc(place, kind)


@pytest.mark.parametrize("name", NEEDED)
def test_the_smallest_position_has_what_is_needed(name):
    """And as many pieces as the argument asks for, where it is called minimal by it."""
    finding, need = ALL[name], NEEDED[name]
    position = Position.parse(finding.position, BOARD)

    assert need.is_met(position)
    assert sum(pieces_of(position).values()) == size_of(position) == finding.size
    assert need.total <= finding.at_least <= finding.size
    assert not finding.argument or finding.argument.endswith(need.english)
    assert bool(finding.meeting) == (finding.argument not in ("", need.english))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", FEW)
def test_nothing_differs_where_a_piece_is_missing(name):
    """With each piece of the smallest position taken away in turn, the same is legal and the phase has the same ends."""
    finding, need = ALL[name], NEEDED[name]
    seen = 0
    for position in smaller(Position.parse(finding.position, BOARD)):
        if (
            not need.is_met(position)
            and (found := differ(position, Pair(finding.reading, *finding.values))) is not None
        ):
            seen += 1
            assert not found, position
    assert seen or need.total == 3  # what is left of three pieces cannot occur, for some


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_nothing_differs_in_positions_drawn_without_the_pieces(name):
    """Near the smallest position, in both phases, with as many pieces but not those that are needed."""
    finding, need, chance = ALL[name], NEEDED[name], random.Random(name)
    start, seen = Position.parse(finding.position, BOARD), 0
    for _ in range(40 if start.gray else 100):
        if start.gray and seen == 20:  # with gray discs a phase takes up to a second
            break
        position = drawn(start, chance)
        if need.is_met(position) or (found := differ(position, Pair(finding.reading, *finding.values))) is None:
            continue
        seen += 1
        assert not found, position
    assert seen > 5


def test_pieces_count_for_one_class_each():
    """An army and a revolt are not two armies and a revolt, whatever order the classes are in."""
    need = NEEDED["I-SUPPORT-BROKEN=linked/not-linked"]
    start = Position.parse("4111 D:b -/-/-/- 1 - - - -/-/-/-", BOARD)
    for emperors, armies, revolts in product(range(3), range(3), range(2)):
        position = start
        for who, place in zip(["diocletian", "galerius"][:emperors], ["asia", "roma"], strict=False):
            position = position.with_figure(who, place)
        for place in ["sarmatia", "persia"][:armies]:
            position = position.with_army(None, place)
        position = position.with_disc("dacia", "revolt") if revolts else position
        by_hand = (
            emperors >= 1
            and armies + revolts >= 1
            and emperors - 1 + armies >= 1
            and emperors - 1 + armies + revolts >= 2
        )
        assert need.is_met(position) == by_hand, position


def test_a_bound_says_what_enumeration_does_not():
    """It is left out where sizes were enumerated as far, and refused where a smaller position is known."""
    name = "I-CHECK-AGAIN=once/after-spread"
    assert bound(name, 2, 4) == (4, NEEDED[name].english)
    assert bound(name, 3, 4) == (4, "")
    assert bound("I-PASS=chain/single", 2, 4) == (3, "")
    with pytest.raises(FindingError, match="asks for 4 pieces, and a position has 3"):
        bound(name, 1, 3)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("needed = 1", "cannot be read"),
        ('[[needed]]\nfindings = ["a"]\nen = "x"\nes = "y"\npieces = { ship = 1 }', "ship: expected kinds among fleet"),
        ('[[needed]]\nfindings = ["a"]\nen = "x"\npieces = { fleet = 1 }', "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read(monkeypatch, text, problem):
    """What is wrong is said in one sentence."""
    monkeypatch.setattr(module, "read_toml", lambda _: __import__("tomllib").loads(text))
    needed.cache_clear()
    with pytest.raises(FindingError, match=problem):
        needed()
    monkeypatch.undo()
    needed.cache_clear()


def test_findings_are_those_of_the_report_and_words_are_whole():
    """Each need names findings that exist, in words without a full stop, as they stand after a colon."""
    assert NEEDED.keys() <= ALL.keys()
    assert {*KINDS} >= {kind for need in NEEDED.values() for one in need.pieces for kind in one}
    for need in NEEDED.values():
        for words in (need.english, need.spanish):
            assert words[-1] != "."
            assert words == words.strip()
