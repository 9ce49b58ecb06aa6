"""The boards of findings: what is marked, by another way, and that each finding with a position has two."""

from fractions import Fraction
from xml.etree import ElementTree

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.lint.boards import contents, side_by_side, sides
from tetrasolve.tetrarchia.lint.compare import with_value
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.position import Position

QUICK = [finding for finding in findings().findings if finding.position and "usurpator" not in finding.position]


@pytest.mark.parametrize("finding", QUICK, ids=lambda finding: finding.id)
def test_a_finding_has_two_boards(finding):
    pair = sides(finding)
    for side, value in zip(pair, finding.values, strict=True):
        assert side.caption.startswith(f"{finding.reading}={value}, ")
        assert set(side.marked) <= set(side.position.board.provinces)
        assert all(0 < chance <= 1 for chance in side.heat.values())
    assert (
        pair[0].caption.partition(", ")[2] != pair[1].caption.partition(", ")[2] or pair[0].position != pair[1].position
    )


def test_an_action_is_played_where_it_is_legal():
    finding = findings().named("I-DUX-BROKEN=allowed/forbidden")
    allowed, forbidden = sides(finding)

    assert str(forbidden.position).partition(" ")[2] == finding.position.partition(" ")[2]
    assert allowed.position.place_of("dux") == "narbonensis"
    assert allowed.marked == forbidden.marked == ("narbonensis",)


def test_chances_and_marks_are_those_of_the_results():
    """Each summed over the results of the phase again, by comparing positions as text."""
    finding = findings().named("I-ORDER-DISTANCE=path/links")
    start = Position.parse(finding.position)
    found = []
    for side, value in zip(sides(finding), finding.values, strict=True):
        ends = rules.solve(with_value(start, finding.reading, value), rules.decline).ends.items()
        positions = [(end, chance) for end, chance in ends if isinstance(end, Position)]
        for place in start.board.provinces:
            revolt = sum((chance for end, chance in positions if place in end.revolts), Fraction(0))
            army = sum((chance for end, chance in positions if place in end.armies), Fraction(0))
            unrest = sum((chance for end, chance in positions if end.discs.get(place) == "unrest"), Fraction(0))
            found.append((value, place, revolt, army, unrest))
            if not contents(start)[place] and not start.emperors_at(place) and not (army and (revolt or unrest)):
                assert side.heat.get(place, 0) == revolt + army + unrest, place
    first, second = ({row[1]: row[2:] for row in found if row[0] == value} for value in finding.values)
    assert {*sides(finding)[0].marked} == {place for place in first if first[place] != second[place]} != set()


def test_the_picture_holds_both_boards_and_their_marks():
    finding = findings().named("I-BORDER-DEFEAT=stays/removed")
    picture = ElementTree.fromstring(side_by_side(finding))  # noqa: S314  # it is our own
    titles = [title.text for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    marks = [group.get("data-province") for group in picture.iter() if group.get("class") == "mark"]

    assert [side.caption for side in sides(finding)] == [
        title for title in titles if title and "I-BORDER-DEFEAT=" in title
    ]
    assert marks == ["britannia", "britannia"]


def test_without_a_frame_a_picture_shows_the_values_and_no_words():
    """A page in any language shows it."""
    finding = findings().named("I-BORDER-DEFEAT=stays/removed")
    picture = ElementTree.fromstring(side_by_side(finding, frame=False))  # noqa: S314  # it is our own
    texts = {shown.text for shown in picture.iter("{http://www.w3.org/2000/svg}text")}

    assert {"I-BORDER-DEFEAT=stays", "I-BORDER-DEFEAT=removed"} <= texts
    assert not {"Link", "Broken link", "Barbarian path"} & texts
    assert [group.get("data-province") for group in picture.iter() if group.get("class") == "mark"] == ["britannia"] * 2


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(FindingError, match="I-SETUP-REROLL=both/province has no position"):
        sides(findings().named("I-SETUP-REROLL=both/province"))
    with pytest.raises(FindingError, match="expected one like I-CHECK="):
        findings().named("I-CHECK=nothing")
    with pytest.raises(ValueError, match="'atlantis' is no province"):
        board_svg(Position.parse("4211 D:6 -/-/-/- - - - - -/-/-/-").board, marked=["atlantis"])
