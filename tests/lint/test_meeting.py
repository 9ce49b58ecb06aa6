"""The positions that have the pieces which a difference requires: which these are, and that none of them differs."""

from itertools import chain, combinations

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.lint.findings import Certainty
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint import search as searching
from tetrasolve.tetrarchia.lint.compare import Engines, Pair
from tetrasolve.tetrarchia.lint.meeting import Meeting
from tetrasolve.tetrarchia.lint.needed import PARTS, bound, needed, needs_of
from tetrasolve.tetrarchia.lint.search import Search, Work, pairs_of
from tetrasolve.tetrarchia.lint.small import Table, table_of
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.advance import rank, way

BOARD = Board.standard()
ALL = {finding.id: finding for finding in findings().findings}
NEEDED = needed()
FURTHER = [name for name, finding in ALL.items() if finding.meeting]
BORDER, PLACE = "I-ORDER-BORDER=region/last", "I-BLACK-PLACE=roman/any"


def need_of(pieces, **more):
    """A need that asks for these pieces."""
    return needs_of([{"findings": ["x"], "pieces": pieces, "en": "x", "es": "x"} | more], "x")["x"]


# -- which positions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extensions", "size", "need"),
    [
        ((), 2, need_of({"fleet": 1, "emperor|revolt": 1})),
        ((), 2, need_of({"fleet": 1, "secured": 1})),
        ((), 2, need_of({"garrison|unrest": 1}, phase="roman")),
        (("goths",), 2, need_of({"army": 1}, phase="barbarian")),
        (("dux", "pirates"), 2, need_of({"fleet": 1, "dux|pirates": 1})),
        (("imperium",), 2, need_of({"paid|glory": 1})),
        (("usurpator", "barbaria"), 2, need_of({"gray|black": 1}, phase="barbarian")),
        (("roma-aeterna",), 2, need_of({"glory": 1}, phase="barbarian")),
    ],
)
def test_those_that_have_the_pieces_are_enumerated_in_order(extensions, size, need):
    """All of a size are enumerated, and each is asked whether it has them."""
    table = Table(BOARD, extensions)
    meeting = Meeting(table, need)
    every = chain.from_iterable(map(table.states, table.blocks(size)))
    expected = [state for state in every if need.is_met(table.position(state))]
    found = [state for block in meeting.blocks(size) for state in meeting.states(block)]

    assert found == expected
    assert found
    assert len(found) <= meeting.number(size, 10**6)
    assert meeting.number(size, 7) == 7


def few_places(table, *places):
    """Leave out what lies elsewhere, so that a size takes seconds."""
    rows = {BOARD.order[place] for place in places}
    table.__dict__["placements"] = tuple(p for p in table.placements if p.place in rows or p.key == "black")
    return table


@pytest.mark.parametrize("size", [3, 4])
def test_an_army_inside_has_its_revolt(size):
    """At sizes where it is two of the pieces and another thing lies beside it."""
    table = few_places(Table(BOARD), "rhaetia", "germania_magna", "noricum")
    need = need_of({"fleet": 1, "inside": 1, "revolt": 1})
    meeting = Meeting(table, need)
    blocks = [block for block in table.blocks(size) if block.fleets == 1 and block.ip == block.to_move == 0]
    expected = [state for block in blocks for state in table.states(block) if need.is_met(table.position(state))]

    assert [state for block in blocks for state in meeting.states(block)] == expected
    assert len(expected) >= (1 if size == 3 else 10)
    assert all(any(not BOARD[army].is_border for army in table.position(state).armies) for state in expected)


# -- what is stored ----------------------------------------------------------------------------------------------------


def test_what_was_enumerated_begins_where_the_argument_ends():
    """And ends below the smallest position: no size between is missing."""
    assert len(FURTHER) >= 2
    for name in FURTHER:
        finding, need = ALL[name], NEEDED[name]
        (row,) = (row for row in finding.searched if row.table == finding.table)
        first = max(need.total, row.up_to + 1)
        assert finding.certainty is Certainty.PROVED
        assert [size for size, _ in row.meeting] == [*range(first, finding.size)]
        assert finding.meeting == row.meeting
        sizes = {1: f"{first}", 2: f"{first} to {first + 1}"}[len(row.meeting)]
        count = sum(count for _, count in row.meeting)
        assert f"all {count:,} positions of {sizes} pieces" in finding.sentence()
        assert need.english in finding.sentence()


@pytest.mark.parametrize(
    "name", [PLACE, *(pytest.param(name, marks=pytest.mark.slow) for name in FURTHER if name != PLACE)]
)
def test_none_of_them_differs(name):
    """Enumerated again, as many as stated."""
    finding, pair = ALL[name], Pair(ALL[name].reading, *ALL[name].values)
    table = Table(BOARD, () if finding.table == "base game" else (finding.table,))
    engines, meeting = Engines(table), Meeting(table, NEEDED[name])
    (row,) = (row for row in finding.searched if row.table == finding.table)
    for size, count in row.meeting:
        states = [state for block in meeting.blocks(size) for state in meeting.states(block)]
        assert len(states) == count
        assert not any(engines.differing(state, [pair]) for state in states)


def test_a_bound_goes_on_where_those_that_have_the_pieces_were_enumerated():
    """Size by size, and no further than the position that is known."""
    asks = NEEDED[PLACE].total
    assert bound(PLACE, 0, asks + 3) == (asks, NEEDED[PLACE].english)
    least, argument = bound(PLACE, 0, asks + 3, {asks: 10, asks + 1: 20})
    assert (least, argument.partition(":")[0]) == (
        asks + 2,
        f"all 30 positions of {asks} to {asks + 1} pieces enumerated that have what a difference requires",
    )
    assert bound(PLACE, 0, asks + 3, {asks + 1: 20}) == (asks, NEEDED[PLACE].english)
    assert bound(PLACE, 0, asks + 1, {asks: 10, asks + 1: 20})[0] == asks + 1
    assert bound("I-PASS=chain/single", 1, 4, {2: 5}) == (2, "")


# -- the search --------------------------------------------------------------------------------------------------------


def search_of(work, names, **more):
    return Search(work, BOARD, pairs=[pair for pair in pairs_of() if pair.id in names], **more)


def begun(text, size):
    """A search in which this position is known, and sizes up to two were enumerated."""
    work = Work.read(searching.Path("/nowhere"), BOARD)
    work.found[PLACE] = ("barbaria", size, text, False)
    work.tables["barbaria"] = searching.Progressed([24, 14904], {PLACE: 2})
    return work, few_places(Table(BOARD, ("barbaria",)), "aegyptus", "tripolitania")


def test_a_search_enumerates_them_and_goes_on_where_it_was(tmp_path):
    """Interrupted within a size it has done as much; the bound follows."""
    finding, (pair,) = ALL[PLACE], [pair for pair in pairs_of() if pair.id == PLACE]
    work, table = begun(finding.position, 4)
    search_of(work, [PLACE])._enumerate_meeting(table)
    whole = searching._finding(work, BOARD, pair, play=False)
    assert whole.certainty is Certainty.PROVED
    assert dict(whole.meeting) == work.tables["barbaria"].met(pair)
    assert whole.meeting[0][1] > 0

    stop = searching.Stop()
    work, table = begun(finding.position, 4)
    with pytest.raises(searching.Stopped):
        search_of(work, [PLACE], stop=stop, progress=lambda *_: stop.set())._enumerate_meeting(table)
    work.write(tmp_path / "work")
    again = Work.read(tmp_path / "work", BOARD)
    assert again.tables["barbaria"].blocks > 0
    assert searching._finding(again, BOARD, pair, play=False).certainty is Certainty.INTERVAL
    search_of(again, [PLACE])._enumerate_meeting(table)
    assert searching._finding(again, BOARD, pair, play=False) == whole


def test_what_was_enumerated_for_another_row_does_not_count(monkeypatch):
    """A row that asks for less has more positions: the work that was done for the one before proves nothing of them."""
    finding, (pair,) = ALL[PLACE], [pair for pair in pairs_of() if pair.id == PLACE]
    work, _ = begun(finding.position, 4)
    work.tables["barbaria"].note_met(pair, 3, 0)
    assert searching._finding(work, BOARD, pair, play=False).certainty is Certainty.PROVED

    weaker = need_of({"fleet": 1}, phase="barbarian")
    monkeypatch.setattr(searching, "needed", lambda: {**NEEDED, PLACE: weaker})
    assert work.tables["barbaria"].met(pair) == {}


def test_a_smaller_one_that_has_the_pieces_is_found():
    """From a position with a piece that does not matter: the first of its size comes in its place."""
    larger = '4111+barbaria M:b cis/-/-/- 1 - - aeg.tri -/-/-/- barbarian_discs={"black":1,"gray":0}'
    work, table = begun(larger, 5)
    search_of(work, [PLACE])._enumerate_meeting(table)

    assert work.found[PLACE][1] == 4
    assert work.found[PLACE][3]
    assert "aeg.tri" in work.found[PLACE][2]


def test_a_position_that_somebody_has_found_must_differ(monkeypatch):
    """One in which nothing differs is refused."""
    name = next(name for name, need in NEEDED.items() if need.known)
    work = Work.read(searching.Path("/nowhere"), BOARD)
    search_of(work, [name])._note_known()
    assert work.found[name][2] == NEEDED[name].known

    wrong = need_of(
        {"fleet": 1}, known='4111+barbaria D:b -/-/-/- 1 - - - -/-/-/- barbarian_discs={"black":0,"gray":1}'
    )
    monkeypatch.setattr(searching, "needed", lambda: {name: wrong})
    with pytest.raises(FindingError, match="do not differ"):
        search_of(Work.read(searching.Path("/nowhere"), BOARD), [name])._note_known()


# -- what the arguments say of the board -------------------------------------------------------------------------------


def borders():
    return [BOARD[border] for border in BOARD.borders]


def test_no_border_is_where_an_argument_says_that_none_is():
    """On a coast, as near to Roma as Italia, as near as another border, or with an arrow to another region than its own."""
    distance, italia = BOARD.distance_to_roma, [p for p in BOARD.provinces.values() if p.region == 0]
    nearest = min(distance[border.id] for border in borders())

    assert all(not border.zones for border in borders())
    assert all(distance.get(province.id, 0) < nearest for province in italia)
    assert len({distance[border.id] for border in borders()}) == len(borders())
    assert all(BOARD[border.arrow].region == border.region for border in borders())


def test_no_battle_of_an_army_from_a_border_is_near_roma():
    """An Emperor who fights one stands beside the border, or where its arrow leads, and not in Roma or beside it."""
    near = {BOARD.roma, *BOARD.neighbours(BOARD.roma)}
    for emperor in BOARD.emperors:
        printed = {place for place in BOARD.printed(emperor.id) if place in near}
        assert printed == {BOARD.roma}, "no capital joins Roma's disc to somebody farther away"
    for border in borders():
        assert not near & {border.arrow, *BOARD.neighbours(border.id)}


def test_no_army_on_a_border_supports_one_from_another_border():
    """Support is counted beside the Emperor whom an army attacks: where its arrow leads."""
    for border in borders():
        beside = BOARD.neighbours(border.arrow)
        assert not [other.id for other in borders() if other.id != border.id and other.id in beside]


def test_an_army_from_a_border_blocks_nobody():
    """Of the armies that go where its arrow leads each one goes before it."""
    position = Position.parse('4111+barbaria D:b -/-/-/- 1 - - - -/-/-/- barbarian_discs={"black":0,"gray":1}', BOARD)
    seen = 0
    for border, other in ((b, p) for b in borders() for p in BOARD.provinces.values() if not p.is_border):
        target, distance = way(position, other.id)
        if target == border.arrow:
            seen += 1
            mine = rank(BOARD, position.ruleset, border.id, way(position, border.id)[1])
            assert rank(BOARD, position.ruleset, other.id, distance) < mine
    assert seen == 1  # Noricum, whose shortest way leads through Rhaetia


@pytest.mark.slow
def test_an_army_with_its_revolt_alone_fills_no_region_beside_a_battle():
    """With an Emperor as the last piece; whose turn it is and where the fleet lies matters to no army in this phase."""
    pair = next(pair for pair in pairs_of(["I-USURPER-ADVANCE"]))
    table = Table(BOARD, ("usurpator",))
    meeting = Meeting(
        table, need_of({"fleet": 1, "secured": 1, "inside": 1, "revolt": 1, "emperor": 1}, phase="barbarian")
    )
    engines, (block, *_) = Engines(table), meeting.blocks(5)
    states = list(meeting.states(block))

    assert len(states) > 180_000
    assert not any(engines.differing(state, [pair]) for state in states)


def test_where_an_army_fills_a_region_after_its_own_revolt():
    """Through a broken link, in regions I to IV; of these only II lies beside where an army from another border attacks."""
    position = Position.parse("4111+usurpator D:b -/-/-/- 1 - - - -/-/-/-", BOARD)
    steps = {p.id: way(position, p.id)[0] for p in BOARD.provinces.values() if not p.is_border and p.id != BOARD.roma}
    filled = {
        BOARD[there].region: here
        for here, there in steps.items()
        if there and BOARD.link(here, there).broken and BOARD[there].region
    }
    beside = {
        BOARD[near].region
        for border in borders()
        for near in BOARD.neighbours(border.arrow)
        if BOARD[near].region not in (0, border.region)
    }

    assert filled.keys() == {1, 2, 3, 4}
    assert beside == {2, 5, 6}
    assert (filled[2], steps[filled[2]]) == ("tarraconensis", "narbonensis")
    (only,) = (
        place for place in BOARD.neighbours("tarraconensis") if BOARD[place].region == 2 and place != "narbonensis"
    )
    assert not BOARD.link(only, "narbonensis").broken, "so its uprising fills the last province, too"


def closure(regions):
    """The Roman provinces that uprisings in these regions can reach."""
    return {near for region in regions for place in BOARD.members(region) for near in reach(place)}


def reach(place):
    return {place, *(near for near in BOARD.neighbours(place) if not BOARD[near].is_border)}


def test_no_army_from_a_border_costs_the_barbarian_player_something_by_coming():
    """It would if no revolt were left for it: uprisings come to so many only behind two borders that are not empty."""
    rows = [place for place in BOARD.ids if not BOARD[place].is_border]
    ways = [(two, first) for two in combinations(range(1, 7), 2) for first in rows]
    assert max(len(closure([region]) | reach(first)) for region in range(1, 7) for first in rows) == 18
    most = [(two, first) for two, first in ways if len(closure(two) | reach(first)) >= 20]

    (pair,) = pairs_of(["I-CANCEL-WHEN"])
    start = Position.parse('4111+barbaria D:b -/-/-/- 1 - - - -/-/-/- barbarian_discs={"black":0,"gray":1}', BOARD)
    engines, seen = Engines(table_of(start)), 0
    for two, first in most:
        one, other = (BOARD.borders[region - 1] for region in two)
        revolt = start.with_disc(first, "revolt")
        for position in (
            revolt.with_army(None, one).with_army(None, other),
            revolt.with_army(None, one).with_disc(other, "diocletian"),
            revolt.with_army(None, other).with_disc(one, "diocletian"),
        ):
            seen += 1
            assert not position.status()
            assert not engines.differing(fast.state_of(position, rebels=True), [pair])
    assert seen == 1104


# -- alternatives ------------------------------------------------------------------------------------------------------

# Positions that differ, for each kind of which a row says that it may be in the place of another one
ALTERNATIVES = {
    "I-ROMA-COVERED=covered/counts": [
        "4111 M:2 -/-/-/rom 2 luc luc - -/-/rom/-",
        "4111 M:2 -/-/-/rha 1 gma - - -/-/rom/etr",
        "4111 M:b -/-/-/rha 1 - lus - -/-/rom/etr",
    ],
    "I-USURPER-ECHO=before/after": [
        "4111+usurpator D:b -/-/-/- 1 bri.per nor - gma/-/-/-",
        "4111+usurpator D:b -/-/-/- 1 - nor - gma.srm.bri/-/-/-",
    ],
}


@pytest.mark.parametrize("name", ALTERNATIVES)
def test_each_alternative_of_a_row_is_needed(name):
    """A row that asks for less variety, or for a piece more, is false: a position in which the values differ lacks it."""
    need, pair = NEEDED[name], Pair(ALL[name].reading, *ALL[name].values)
    positions = [Position.parse(text, BOARD) for text in ALTERNATIVES[name]]
    engines = Engines(table_of(positions[0]))
    for position in positions:
        assert need.is_met(position)
        assert engines.differing(fast.state_of(position, rebels=True), [pair])
    for kinds, count in need.pieces.items():
        rest = {"|".join(one): n for one, n in need.pieces.items() if one != kinds}
        assert not all(map(need_of(rest | {"|".join(kinds): count + 1}).is_met, positions))
        parts = {PARTS[kind] for kind in kinds if kind in PARTS}
        for kind in (kind for kind in kinds - parts if not kinds <= {kind, PARTS.get(kind)}):
            fewer = "|".join(kinds - {kind, PARTS.get(kind)})
            narrow = need_of({one: n for one, n in rest.items() if one != fewer} | {fewer: count + rest.get(fewer, 0)})
            assert not all(map(narrow.is_met, positions)), (kinds, kind)
