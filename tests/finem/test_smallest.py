"""The smallest positions: what is enumerated for them, and that nothing differs which is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.finem import numbers
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.lint import needed, search, stored
from tetrasolve.finem.lint.domain import DECLINE, DICE, SLOTS, WHITE, can_be, cube, placed, situations, table_of, tables
from tetrasolve.finem.lint.needed import Needed
from tetrasolve.finem.lint.pairs import Pair, pairs, rulesets_of
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.rules.setup import cubes_of_set_up
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.lint.findings import Certainty, Finding

DRAWN = (Path(__file__).parent / "drawn.txt").read_text("utf-8").splitlines()
# A crisis fills a region that has one cube; a chain comes back to it from a neighbour with three
FILLED = "standard consul C7/C7/E5 2221/- 3/1 E6:E3.E7:E1.EC:E1.ER:E3 crisis C5.C6.B7 hand=C5.C6.B7"
WITH_ROWS = [pair for pair in pairs() if needed.needed(pair)[0].of]
TRIES, TRIES_BY_REFERENCE = 1_500, 200
FEW = 20_000  # positions


def test_every_smallest_position_is_proved() -> None:
    certainties = {finding.id: finding.certainty for finding in stored.findings().findings}

    assert {*certainties.values()} == {Certainty.PROVED, Certainty.SET_UP}


@pytest.mark.parametrize(
    "finding",
    [found for found in stored.findings().findings if found.position and sum(found.searched[0].enumerated) < FEW],
    ids=lambda found: found.id,
)
def test_a_search_finds_what_is_stored(finding: Finding) -> None:
    """With the same counts: of the pairs for which few positions are enumerated."""
    (pair,) = (pair for pair in pairs() if pair.id == finding.id)
    assert search._searched(pair, search.SIZE, None) == finding


def test_a_first_turn_has_more_pieces_than_any_smallest_position() -> None:
    """Its set-up puts 18 cubes or more, of which an action removes one; the pawn is a piece, too."""
    for value in ("nine", "twelve", "three-three-six"):
        fewest = sum(cubes_of_set_up(Ruleset.from_text(f"standard?E-SETUP={value}"))) - numbers.ACTIONS + 1
        assert fewest >= 15 > max(finding.size or 0 for finding in stored.findings().findings)


def test_tables_are_all_that_there_are() -> None:
    """By hand, of two pieces beside the pawn: two slots, or one twice where it can have two pieces."""
    twice = SLOTS - len(TRIBES)  # a tribe has one white cube
    assert len(tables(3, frozenset({()}))) == SLOTS * (SLOTS - 1) // 2 + twice
    assert tables(3, frozenset({(WHITE,), (WHITE + 1,)})) == tuple(
        sorted({tuple(sorted((white, slot))) for white in (WHITE, WHITE + 1) for slot in range(SLOTS) if slot != white})
    )


def _table(random: Random) -> tuple[int, ...]:
    """Pieces at random that a second turn can have: often as many points as the limit allows, or stacks of cubes."""
    pieces: Counter[int] = Counter()
    for _ in range(random.choice((0, 1, 3, 4, 5, 6, 7, 8))):
        pieces[DICE + random.randrange(len(TRIBES))] += 1
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        pieces[WHITE + random.randrange(len(TRIBES))] = 1
    for _ in range(random.choice((0, 0, 1, 2, 4))):
        region = random.choice(REGIONS)
        pieces[cube(region, random.choice((region[0], region[0], "C")))] = random.choice((1, 3, 3))
    pieces[DECLINE] = random.choice((0, 0, 1, 2, 3, 5, 7, 8, 9))
    table = tuple(sorted(pieces.elements()))
    return table if can_be(table) else _table(random)


@pytest.mark.parametrize("rules", ["introductory", "standard", "standard?E-TRIBUNE=invasion"])
def test_a_situation_of_each_step_can_occur(rules: str) -> None:
    """So that no step is enumerated in vain; and the pieces of a position are those that it was made of."""
    ruleset, random = Ruleset.from_text(rules), Random(5)
    missing = {situation.step for situation in situations(ruleset)}
    assert {*Step} - missing <= {Step.DICTATOR, Step.CHOOSE, Step.ORDER, Step.SWAP, Step.EXCHANGE}
    if ruleset.is_introductory:
        missing -= {Step.DISCARD, Step.DISCARD_EVENT}
    chosen = [*situations(ruleset)]
    for _ in range(400_000):
        situation = random.choice(chosen)
        if situation.step in missing:
            table = _table(random)
            position = placed(ruleset, situation, table)
            assert position is None or table_of(position) == table
            if position is not None and not position.status():
                missing.remove(situation.step)
        if not missing:
            return
    pytest.fail(f"no position that can occur at {', '.join(missing)}")


def unmet(pair: Pair, positions: Iterable[Position]) -> Iterator[Position]:
    """Those in which the values of a pair differ, that can occur, and that lack what the rows of the pair say."""
    rows, by_name = needed.needed(pair), pair.reading in search.NAMES_ALONE
    first, second = rulesets_of(pair, "standard")
    for position in positions:
        one = position.replace(ruleset=first)
        if not search.differ(one, second, by_name=by_name) or any(row.is_met(one) for row in rows):
            continue
        if search.can_occur(one, second):
            yield one


def _positions(pair: Pair, random: Random) -> Iterator[Position]:
    """Positions of games, the smallest ones of all pairs, and random ones at the steps of its rows and at others."""
    first, second = rulesets_of(pair, "standard")
    yield from map(Position.parse, [*DRAWN, FILLED])
    yield from (Position.parse(finding.position) for finding in stored.findings().findings if finding.position)
    chosen = [*situations(first)]
    at_rows = [one for one in chosen if any(row.steps and one.step in row.steps for row in needed.needed(pair))]
    for number in range(TRIES_BY_REFERENCE if second.readings["E-LIMIT-ORDER"] == "drawn" else TRIES):
        situation = random.choice(at_rows if at_rows and number % 2 else chosen)
        if position := placed(first, situation, _table(random)):
            yield position


@pytest.mark.parametrize("pair", WITH_ROWS, ids=lambda pair: pair.id)
def test_nothing_differs_without_what_is_needed(pair: Pair) -> None:
    assert [*unmet(pair, _positions(pair, Random(pair.id)))] == []


@pytest.mark.parametrize(
    ("name", "false"),
    [
        ("E-LIMIT-EVENT=before/waits", (("points 8",),)),
        ("E-OVER=carry/lost", (("die 4", "white 1"),)),
        ("E-WAR=outbreak/none", (("own 3", "points 3"),)),
        ("E-PROTECT=card/chain", (("own 3", "white 3"),)),
        ("E-CHAIN-FIRST=once/again", (("neighbours 3", "decline 1"),)),
        ("E-CHAIN-FIRST=once/again", (("neighbours 3",),)),
        ("E-WIN=at-once/turn", (("open-1 4",),)),
        ("E-LAST=invaded/put", (("own 3", "decline 3"),)),
        ("E-FOURTH=any/first-three", (("decline 9",),)),
    ],
)
def test_a_row_that_asks_for_too_much_is_found(
    name: str, false: tuple[tuple[str, ...], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each by hand: more pieces than are needed, or a piece that can be missing."""
    (pair,) = (pair for pair in pairs() if pair.id == name)
    changed = tuple(replace(row, pieces=false) for row in needed.needed(pair))
    monkeypatch.setattr(needed, "needed", lambda _: changed)

    assert next(unmet(pair, _positions(pair, Random(name))), None)


def test_a_step_that_is_left_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The points of an event S come before those of the campaign: a row for the other steps alone misses the smallest position."""
    (pair,) = (pair for pair in pairs() if pair.id == "E-LIMIT=once/lost")
    changed = tuple(row for row in needed.needed(pair) if row.steps and Step.RAISE not in row.steps)
    monkeypatch.setattr(needed, "needed", lambda _: changed)

    assert next(unmet(pair, _positions(pair, Random(3))), None)


def test_later_turns_have_points_or_a_pacified_tribe() -> None:
    """What is said of all positions, held against those of games."""
    row = Needed()
    of_later_turns = [position for position in map(Position.parse, DRAWN) if position.role is not None]

    assert len(of_later_turns) > 100
    assert all(row.is_met(position) for position in of_later_turns)


def test_the_fewest_pieces_are_those_of_the_smallest_position() -> None:
    """Where a row states a number: the position that is shown has it."""
    stated = {name: row.least for row in needed.rows() for name in row.of if row.least > 1}
    found = {finding.id: finding for finding in stored.findings().findings}

    assert len(stated) == 3
    for name, least in stated.items():
        finding = next(one for one in found.values() if name in (one.id, one.reading))
        assert (finding.size, finding.at_least, finding.smaller) == (least, least, 0)


@pytest.mark.parametrize(("outbreaks", "cubes"), [(1, 3), (2, 4), (3, 5)])
def test_outbreaks_put_at_most_two_cubes_more_than_they_are(outbreaks: int, cubes: int) -> None:
    """The number behind the rows of E-FILL and E-WAR-ORDER, of all chains on the map: which ones have an outbreak is chosen."""
    neighbours = Ruleset("standard").layout.neighbours
    most = 0
    for chain in combinations(REGIONS, outbreaks):
        linked = {chain[0]}
        while more := {one for one in chain if one not in linked and linked & {*neighbours[one]}}:
            linked |= more
        if len(linked) == outbreaks:
            most = max(most, sum(other not in chain for one in chain for other in neighbours[one]))
    assert most == cubes


def test_a_term_that_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(needed.TERMS, "die")
    needed.rows.cache_clear()
    with pytest.raises(FindingError, match="'die 3': expected a term like points"):
        needed.rows()
    monkeypatch.undo()
    needed.rows.cache_clear()
