"""Positions as text and as pictures."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tablefinem import ALL_RULESETS, random_game, table

from tetrasolve.errors import ArgumentError, IllegalActionError, RulesetError
from tetrasolve.finem.draw import CARD_WIDTH, COLOURS, HOT, centre_of, picture
from tetrasolve.finem.examples import examples
from tetrasolve.finem.game import new_game
from tetrasolve.finem.layout import GRID, TRIBES
from tetrasolve.finem.parts import NOTATION, PLAY
from tetrasolve.finem.plan import plan
from tetrasolve.finem.planpicture import plan_svg
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.text import position_text

FULL = Ruleset.from_text("standard?E-FULL=lost")
SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(ALL_RULESETS), st.integers(0, 10**6))
def test_a_picture_has_each_cube(ruleset: str, seed: int) -> None:
    *_, (position, _, _) = random_game(ruleset, seed)
    root = ET.fromstring(picture(position))  # noqa: S314  # ours
    for tribe in TRIBES:
        found = [r for r in root.iter(f"{SVG}rect") if r.get("fill") == COLOURS[tribe] and r.get("width") == "12"]
        assert len(found) == position.on_map(tribe)
    labels = [e.text for e in root.iter(f"{SVG}text")]
    assert all(labels.count(card) == 1 for card in GRID.printed)
    assert len(list(root.iter(f"{SVG}circle"))) == 2  # the pawn


def test_a_picture_has_the_chance_of_each_card() -> None:
    """In words, and as a bar that is as long as the card where it is the highest."""
    heat = {"B6": Fraction(1, 5), "B7": Fraction(1, 20), "C7": Fraction(0), "E5": Fraction(1, 10**6)}
    root = ET.fromstring(picture(examples()["peril"], heat, "lost by this card"))  # noqa: S314  # ours
    labels = [e.text for e in root.iter(f"{SVG}text")]
    assert [label for label in labels if label and label.endswith("%")] == ["< 0.01 %", "20 %", "5 %"]
    assert labels[-1] == "lost by this card"
    bars = [float(r.get("width", "")) for r in root.iter(f"{SVG}rect") if r.get("fill") == HOT]
    assert bars[1:] == [CARD_WIDTH, CARD_WIDTH / 4, 30]  # the last one is that of the heading
    plain = picture(examples()["peril"])
    assert HOT not in plain and "%" not in plain
    for wrong in ({"B8": Fraction(1, 5)}, {"B6": Fraction(6, 5)}):
        with pytest.raises(ArgumentError, match="chances from 0 to 1 by region"):
            picture(examples()["peril"], wrong)


def test_a_picture_of_a_plan_has_its_actions_in_their_regions() -> None:
    """Each action has its number, and each move its line from card to card."""
    position = examples()["dictator"].replace(role="consul", left=3)
    found = replace(plan(position), actions=("move C6", "confront C", "move C7"))
    drawn, plain = ET.fromstring(plan_svg(found)), ET.fromstring(picture(position))  # noqa: S314  # ours

    def words(tree: ET.Element) -> Counter[str | None]:
        return Counter(one.text for one in tree.iter() if one.tag.endswith("text"))

    assert words(drawn) - words(plain) == Counter("123")
    lines = [one.attrib for one in drawn.iter() if one.tag.endswith("line")]
    ends = [
        [centre_of(position.layout.place[region]) for region in way] for way in ((position.pawn, "C6"), ("C6", "C7"))
    ]
    assert [[complex(float(a["x1"]), float(a["y1"])), complex(float(a["x2"]), float(a["y2"]))] for a in lines] == ends


def test_the_text_says_what_lies_where() -> None:
    position = table("consul", cubes="C7:C3O1.E5:E2", dice="1240/B", tracks="5/2", at="E5", step="act:2")
    text = position_text(position)
    assert text.startswith(f"{position}\n") and "next      actions: act 2 left" in text
    assert "  E5* E2      E7" in text and "  .           C7 O1C3     CS          .\n" in text
    assert (
        "bastos    eradicated, 0 on the map, 12 left, pacified" in text and "decline   5 of 12: 3 cards invade" in text
    )


def test_the_examples_can_occur() -> None:
    assert all(position.status() == () for position in examples().values())


def test_a_level_whose_set_up_has_lost_has_no_first_position() -> None:
    seed = next(seed for seed in range(5000) if PLAY.result(new_game(FULL, seed).start))
    with pytest.raises(RulesetError, match="in the set-up"):
        NOTATION.start(str(FULL), seed)


def test_a_card_is_not_chosen_and_a_decision_not_drawn() -> None:
    with pytest.raises(IllegalActionError, match="expected draw"):
        PLAY.outcomes(table("consul", step="draw"), "C7")
    with pytest.raises(IllegalActionError, match="the player decides"):
        PLAY.outcomes(table("consul"), "draw")
