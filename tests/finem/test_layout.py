"""The map and its numbers: what the data files say, and what is refused."""

from itertools import pairwise
from random import Random

import pytest

from tetrasolve.errors import BoardError
from tetrasolve.finem.layout import FLAT, GAP, GRID, REGIONS, SKIP, Layout, read_grid
from tetrasolve.finem.numbers import game_data
from tetrasolve.finem.ruleset import LEVELS, OPTIONS, READINGS, ROLES, Ruleset
from tetrasolve.strict import StrictError

MAP = game_data()["map"]


def edges(layout: Layout) -> set[frozenset[str]]:
    return {frozenset((one, other)) for one, near in layout.neighbours.items() for other in near}


@pytest.mark.parametrize(("border", "number"), [(FLAT, 28), (GAP, 36), (SKIP, 38)])
def test_adjacencies(border: str, number: int) -> None:
    """Section 1 of the rules page: 28 on the map, 36 and 38 on the sphere."""
    assert len(edges(Layout(GRID.printed, border))) == number


def test_adjacent_regions_touch_on_the_printed_map() -> None:
    """By a second way: neighbours in a row or a column of the file's text, no gap between them."""
    grid = [row.split() for row in MAP["rows"]]
    touching = {
        frozenset(pair)
        for line in (*grid, *map(list, zip(*grid, strict=True)))
        for pair in pairwise(line)
        if "." not in pair
    }
    assert edges(Layout()) == touching


def test_what_the_sphere_adds() -> None:
    gap, skip = (edges(Layout(GRID.printed, border)) - edges(Layout()) for border in (GAP, SKIP))
    sides = {("E5", "ER"), ("E6", "EC"), ("C5", "CR"), ("O6", "OR"), ("O5", "OS"), ("B6", "BR")}
    assert gap == {frozenset(pair) for pair in (*sides, ("E7", "B5"), ("ES", "BC"))}
    assert skip - gap == {frozenset(("E5", "B6")), frozenset(("ER", "BR"))}


def test_another_layout_moves_the_cards_and_keeps_the_places() -> None:
    cards = list(GRID.printed)
    Random(1).shuffle(cards)
    layout = Layout(tuple(cards))
    new_name = dict(zip(GRID.printed, cards, strict=True))
    assert edges(layout) == {frozenset(new_name[card] for card in pair) for pair in edges(Layout())}
    assert layout.start == new_name["C7"] and layout.corners == (new_name["E5"], new_name["ER"])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rows": ["E5 E7", "ES"]}, "different numbers of places"),
        ({"rows": ["E5 E5"]}, "E5 occurs twice"),
        ({"rows": ["E5 E8"]}, "'E8' is no card"),
        ({"rows": ["E5 E7"]}, "22 cards are missing"),
        ({"rows": "E5"}, "rows: no list, expected a list"),
        ({"rows": [5]}, r"rows\[0\]: found 5, expected text"),
        ({"start": [4]}, "1 numbers, expected row and column"),
        ({"start": [4, 1]}, r"place \(4, 1\) holds no card"),
        ({"start": [4, True]}, "expected a whole number"),
        ({"corners": [[9, 9]]}, "holds no card"),
        ({"extra": 1}, "unknown key"),
    ],
)
def test_a_map_that_cannot_be_used_is_refused(change: dict[str, object], problem: str) -> None:
    with pytest.raises(BoardError, match=problem):
        read_grid({**MAP, **change})


def test_every_number_has_a_source() -> None:
    numbers = game_data()["numbers"]
    assert all(set(row) == {"value", "source"} and row["source"] for row in numbers.values())
    assert len(REGIONS) == 24 and len(ROLES) == 6


def test_every_reading_has_a_question_and_a_reason() -> None:
    assert len(READINGS) == 50
    for name, reading in READINGS.items():
        assert name.startswith("E-") and len(reading.options) > 1
        assert reading.question.endswith("?") and reading.reason and reading.section
        assert reading.default in reading.played and {*reading.reference} < {*reading.options}
        assert set(reading.needs) <= {*LEVELS, *OPTIONS}
        for row in reading.idle:
            known = {"level": LEVELS, "option": OPTIONS}
            assert all(value in (known.get(key) or READINGS[key].options) for key, value in row.items())


def test_a_number_that_is_missing_is_an_error() -> None:
    from tetrasolve.finem.numbers import _number

    with pytest.raises(StrictError, match="no_such_number"):
        _number("no_such_number")


@pytest.mark.parametrize(
    ("text", "most"), [("standard", 12), ("standard+cap3", 9), ("standard+cap3?E-CAP3-END=ten", 10)]
)
def test_the_decline_that_loses(text: str, most: int) -> None:
    assert Ruleset.from_text(text).most_decline == most
