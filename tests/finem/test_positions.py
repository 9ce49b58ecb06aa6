"""Positions and rulesets: written forms, what is refused, and every reason why a position cannot occur."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetrasolve.errors import ArgumentError, IllegalPositionError, PositionSyntaxError, RulesetError
from tetrasolve.finem import numbers
from tetrasolve.finem.layout import GRID
from tetrasolve.finem.position import Position
from tetrasolve.finem.ruleset import READINGS, Ruleset
from tetrasolve.finem.status import require_legal
from tetrasolve.finem.tracks import is_crisis, moved

SET_UP = "O5:O3.O6:O2.C5:C1.C7:C3.E5:E1.E7:E2.B6:B3.BS:B1.BR:B2"
START = f"standard none C7/C7/E5 1111/- 1/1 {SET_UP} act:4 -"
OTHER_MAP = "".join(reversed(GRID.printed))
LINES = (
    START,
    "introductory prefect E5/C7/BR 5013/CE 4/2 BR:O1B3 act:1 -",
    "introductory dictator E5/C7/BR 5013/CE 4/2 BR:B3 ride:E7 E7.B5",
    "standard tribune E5/C7/BR 2221/- 1/1 BR:B3 exchange O5.C5.E7 hand=O5.C5.E7",
    "standard tribune E5/C7/BR 2221/- 1/1 BR:B3 draw O5.C5.E7 hand=O5.C5 exchanged",
    "standard?E-TRIBUNE=either tribune E5/C7/BR 4231/- 2/1 BR:B3 invade:1 O5.O6.E7.B5 hand=B5",
    "expert+corner+cap3?E-CAP3-END=ten emperor E5/ER/BR 1234/- 9/3 - appoint -",
    "standard consul E5/C7/BR 2344/- 1/1 - discard O5.C5.E6.E7 hand=O5.C5.E7 quiet",
    "standard consul E5/C7/BR 2224/- 1/1 - invade:2 O5.C5.E7.EC protected=E5",
)


def start_region(cards: str) -> str:
    return Ruleset.from_text(f"standard@{cards}").layout.start


@pytest.mark.parametrize("line", LINES)
def test_a_position_has_two_forms(line: str) -> None:
    position = Position.parse(line)
    assert str(position) == line and repr(position) == f"<Position {line}>"
    again = Position.from_json(position.to_json())
    assert again == position and hash(again) == hash(position) and str(again) == line
    assert Position.from_json(position.to_json().encode("utf-16")) == position
    assert position.status() == ()


def test_a_position_on_another_map() -> None:
    start = start_region(OTHER_MAP)
    line = f"standard@{OTHER_MAP} none {start}/{start}/E5 1111/- 1/1 {SET_UP} act:4 -"
    position = Position.parse(line)
    assert str(position) == line and Position.from_json(position.to_json()) == position and position.status() == ()
    assert Ruleset.from_text(f"standard@{''.join(GRID.printed)}") == Ruleset("standard")


@pytest.mark.parametrize(
    ("at", "word", "where"),
    [
        (0, "easy", "ruleset"),
        (0, "expert", "ruleset"),
        (0, "standard+corner+corner", "ruleset"),
        (0, "standard@E5", "ruleset"),
        (0, "standard?E-MAP=dealt", "ruleset"),
        (0, "standard@" + "E5" * 24, "ruleset"),
        (1, "pirate", "role"),
        (2, "C7/C7", "regions"),
        (2, "C7/C7/C7/C7", "regions"),
        (2, "C7/C7/C8", "regions"),
        (3, "111/-", "dice"),
        (3, "1111/EE", "dice"),
        (3, "\N{SUPERSCRIPT TWO}111/-", "dice"),
        (4, "1", "tracks"),
        (4, "100/1", "tracks"),
        (5, "C7", "cubes"),
        (5, "C7:C3.C7:O1", "cubes"),
        (5, "C7:C3C2", "cubes"),
        (5, "C7:C10", "cubes"),
        (6, "sleep", "step"),
        (6, "act:100", "step"),
        (7, "C7.C7", "cards out"),
        (7, "C9", "cards out"),
        (7, "- hand=", "hand"),
        (7, "- hand=C7.C7", "hand"),
        (7, "- quiet quiet", "further fields"),
        (7, "- quiet=1", "further fields"),
        (7, "- protected", "further fields"),
        (7, "- protected=X1", "protected"),
        (7, "- speed=1", "further fields"),
    ],
)
def test_a_line_that_cannot_be_read_names_the_field(at: int, word: str, where: str) -> None:
    words = START.split()
    words[at] = word
    with pytest.raises(PositionSyntaxError) as caught:
        Position.parse(" ".join(words))
    assert caught.value.where == where


def test_a_card_twice_in_a_line_is_refused() -> None:
    with pytest.raises(PositionSyntaxError, match="card"):
        Position.parse(START.replace("act:4 -", "ride:C7 - card=C6"))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"format": "tetrasolve-position/1"}, "format"),
        ({"role": "pirate"}, "role"),
        ({"pawn": "C8"}, "pawn"),
        ({"pawn": ["C7"]}, "pawn"),
        ({"cubes": []}, "cubes"),
        ({"cubes": {"C7": {"X": 1}}}, "X"),
        ({"cubes": {"C7": {"C": 10}}}, "cubes.C7.C"),
        ({"cubes": {"C7": {"C": -1}}}, "cubes.C7.C"),
        ({"cubes": {"C7": {"C": True}}}, "cubes.C7.C"),
        ({"cubes": {"C9": {}}}, "cubes"),
        ({"dice": {"O": 1}}, "dice.C"),
        ({"pacified": ["O", "O"]}, "pacified"),
        ({"pacified": "O"}, "pacified"),
        ({"decline": 1.0}, "decline"),
        ({"decline": 10**30}, "decline"),
        ({"step": "sleep"}, "step"),
        ({"hand": ["C7", "X"]}, "hand[1]"),
        ({"is_quiet": 1}, "is_quiet"),
        ({"has_travel": "yes"}, "has_travel"),
        ({"colour": 1}, "colour"),
        ({"ruleset": 1}, "ruleset"),
        ({"ruleset": "standard?E-MAP=dealt"}, "ruleset"),
        ({"ruleset": {"options": []}}, "ruleset.level"),
        ({"ruleset": {"level": "standard", "options": ["x"]}}, "ruleset"),
        ({"ruleset": {"level": "standard", "interpretations": []}}, "ruleset.interpretations"),
        ({"ruleset": {"level": "standard", "map": ["E5"]}}, "ruleset"),
    ],
)
def test_json_that_cannot_be_read_names_the_field(change: dict[str, Any], where: str) -> None:
    data = json.loads(Position.parse(START).to_json())
    with pytest.raises(PositionSyntaxError) as caught:
        Position.from_json(json.dumps(data | change))
    assert caught.value.where == where


@pytest.mark.parametrize("key", ["format", "ruleset", "cubes", "step"])
def test_a_missing_key_is_named(key: str) -> None:
    data = json.loads(Position.parse(START).to_json())
    del data[key]
    with pytest.raises(PositionSyntaxError, match=f"{key}: found nothing"):
        Position.from_json(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"format": 1, "format": 1}', "[" * 100, "NaN", '"' * 200_000])
def test_what_is_no_json_position_is_refused(text: str) -> None:
    with pytest.raises(PositionSyntaxError):
        Position.from_json(text)


@given(st.text(max_size=80) | st.lists(st.sampled_from(START.split()), max_size=10).map(" ".join))
def test_any_line_is_read_or_refused(text: str) -> None:
    try:
        position = Position.parse(text)
    except PositionSyntaxError:
        return
    assert Position.parse(str(position)) == position


@given(
    st.dictionaries(
        st.sampled_from(["role", "pawn", "cubes", "dice", "step", "left", "hand", "out", "card", "ruleset"]),
        st.recursive(
            st.none() | st.integers(0, 120) | st.booleans() | st.sampled_from(["C7", "act", "O", "standard"]),
            lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(["C7", "O", "C"]), part),
            max_leaves=6,
        ),
        max_size=3,
    )
)
def test_any_json_is_read_or_refused(change: dict[str, Any]) -> None:
    data = json.loads(Position.parse(START).to_json())
    try:
        position = Position.from_json(json.dumps(data | change))
    except PositionSyntaxError:
        return
    assert Position.from_json(position.to_json()) == position and Position.parse(str(position)) == position
    position.status()


# -- rulesets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["standard", "introductory+cap3", "expert+corner+sphere+cap3?E-PACIFY=action,E-SPHERE=skip"]
)
def test_a_ruleset_prints_what_it_was_read_from(text: str) -> None:
    assert str(Ruleset.from_text(text)) == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("expert", "requires an option"),
        ("standard?E-PACIFY", "NAME=VALUE"),
        ("standard?E-PACIFI=free", "E-PACIFY"),
        ("standard?E-PACIFY=never", "is no value of it"),
        ("standard?E-PACIFY=free,E-PACIFY=free", "given twice"),
        ("standard?E-SPHERE=skip", "changes nothing without sphere"),
        ("standard?E-CIVIL=return", "changes nothing without introductory"),
        ("introductory?E-ELEVEN=open", "without standard or expert"),
        ("x" * 3000, "3,000 characters"),
    ],
)
def test_a_ruleset_that_does_not_exist_is_refused(text: str, problem: str) -> None:
    with pytest.raises(RulesetError, match=problem):
        Ruleset.from_text(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("standard?E-ORDER=dice-first,E-WHEN=after", "standard?E-ORDER=dice-first"),
        ("introductory?E-CIVIL=return,E-EVENT=never,E-PROTECT=chain,E-WHEN=after", "introductory?E-EVENT=never"),
        ("introductory?E-CRISIS=exact,E-THREE=stop", "introductory?E-THREE=stop"),
        ("standard?E-OVER=lost,E-PACIFY=action", "standard?E-PACIFY=action"),
        ("standard?E-LAST=drawn", "standard"),
        (f"standard?E-MAP=dealt@{OTHER_MAP}", f"standard@{OTHER_MAP}"),
    ],
)
def test_a_reading_that_changes_nothing_beside_others_is_left_out(text: str, same: str) -> None:
    assert Ruleset.from_text(text) == Ruleset.from_text(same) and str(Ruleset.from_text(text)) == same


@pytest.mark.parametrize(
    "text",
    ["introductory?E-LAST=drawn", "standard?E-OVER=lost,E-PACIFY=action,E-PREFECT=turn", "standard?E-WHEN=after"],
)
def test_a_reading_that_changes_something_is_kept(text: str) -> None:
    assert str(Ruleset.from_text(text)) == text


def test_readings_can_be_changed() -> None:
    ruleset = Ruleset.from_text("standard?E-WIN=phase").with_readings([("E-WIN", "at-once"), ("E-OVER", "lost")])
    assert str(ruleset) == "standard?E-OVER=lost" and ruleset.readings["E-WIN"] == "at-once"
    with pytest.raises(ArgumentError):
        Ruleset.from_text(1)  # type: ignore[arg-type]  # the error is the point


@pytest.mark.parametrize(
    ("value", "steps"),
    [
        ("crisis", {1: 3, 2: 4, 3: 6, 5: 7, 6: 9, 10: 12, 11: 12}),
        ("two", {1: 3, 2: 4, 3: 5, 11: 12}),
        ("stop", {1: 3, 2: 3, 3: 5, 5: 6}),
        ("need", {1: 3, 2: 3, 3: 6, 5: 6}),
    ],
)
def test_how_far_three_cards_of_a_suit_move_the_decline(value: str, steps: dict[int, int]) -> None:
    """Section 3, campaign, [E-THREE]."""
    ruleset = Ruleset("standard").with_readings([("E-THREE", value)])
    assert {before: moved(ruleset, before, 1) for before in steps} == steps
    assert moved(ruleset, 2, 2) == 3 and moved(ruleset, 2, 3) == 2


def test_passing_a_multiple_is_a_crisis_unless_it_must_stand_on_it() -> None:
    """Section 3, campaign, [E-CRISIS]."""
    passed, exact = Ruleset("standard"), Ruleset.from_text("standard?E-CRISIS=exact")
    cases = [(2, 3), (2, 4), (3, 4), (3, 3), (5, 7), (3, 6)]
    assert [is_crisis(passed, *case) for case in cases] == [True, True, False, False, True, True]
    assert [is_crisis(exact, *case) for case in cases] == [True, False, False, False, False, True]


@pytest.mark.parametrize("level", ["introductory", "introductory+cap3"])
@pytest.mark.parametrize("three", READINGS["E-THREE"].options)
@pytest.mark.parametrize("crisis", READINGS["E-CRISIS"].options)
def test_whether_a_crisis_is_due_is_seen_from_where_the_decline_stands(level: str, three: str, crisis: str) -> None:
    """All steps by as many suits that end in one place bring a crisis, or none does, so that the rules keep no other place."""
    ruleset = Ruleset.from_text(f"{level}?E-CRISIS={crisis},E-THREE={three}")
    places = range(numbers.FIRST_DECLINE, ruleset.most_decline)
    for suits in (1, 2, 3):
        found: dict[int, set[bool]] = {}
        for before in places:
            after = moved(ruleset, before, suits)
            assert after - before <= numbers.CRISIS_EVERY
            found.setdefault(after, set()).add(is_crisis(ruleset, before, after))
        assert all(len(said) == 1 for after, said in found.items() if after < ruleset.most_decline)


# -- what cannot occur -------------------------------------------------------------------------------------------------

ORDER = "E-INVASION-ORDER=tribune,E-TRIBUNE=invasion"
IMPOSSIBLE = [
    ("region-overfull", "standard consul C7/C7/E5 1111/- 1/1 C7:C4 act:4 -"),
    ("too-many-cubes", "standard consul C7/C7/E5 1111/- 1/1 C7:C3.C6:C3.C5:C3.CS:C3.CR:C1 act:4 -"),
    ("die-too-high", "standard consul C7/C7/E5 6111/- 1/1 - act:4 -"),
    ("die-too-high", "standard?E-PACIFY=action consul C7/C7/E5 7111/- 1/1 - act:4 -"),
    ("eradicated", "standard consul C7/C7/E5 0111/O 1/1 - act:4 -"),
    ("eradicated-unpacified", "introductory consul C7/C7/E5 0111/- 1/1 - act:4 -"),
    ("eradicated-cubes", "introductory consul C7/C7/E5 0111/O 1/1 C7:O1 act:4 -"),
    ("not-put-away", "introductory?E-ERADICATE=always consul C7/C7/E5 1111/O 1/1 - act:4 -"),
    ("too-many-points", "standard consul C7/C7/E5 3333/- 1/1 - act:4 -"),
    ("too-many-points", "standard consul C7/C7/E5 4443/- 1/1 - discard O5.C5.E7.E6 hand=O5.C5.E7"),
    ("too-many-points", "standard consul C7/C7/E5 4333/- 1/1 - discard-event O5.C5.E7.ES hand=O5.C5.E7"),
    ("too-many-points", "standard?E-ELEVEN=open consul C7/C7/E5 1444/O 1/1 - act:4 -"),
    ("nothing-to-discard", "standard consul C7/C7/E5 3323/- 1/1 - discard O5.C5.E7.E6 hand=O5.C5.E7"),
    ("step", "introductory consul C7/C7/E5 3333/- 1/1 - discard O5.C5.E7.E6 hand=O5.C5.E7"),
    ("won", "standard consul C7/C7/E5 1111/OCEB 1/1 - act:4 -"),
    ("won", "standard?E-WIN=phase consul C7/C7/E5 1111/OCEB 1/1 - invade:2 O5.C5.C7"),
    ("won", "standard?E-WIN=phase consul C7/C7/E5 1111/OCEB 1/1 - draw -"),
    ("decline", "standard consul C7/C7/E5 1111/- 12/1 - act:4 -"),
    ("decline", "standard consul C7/C7/E5 1111/- 0/1 - act:4 -"),
    ("decline", "standard+cap3 consul C7/C7/E5 1111/- 9/1 - act:4 -"),
    ("outbreaks", "standard consul C7/C7/E5 1111/- 1/4 - act:4 -"),
    ("outbreaks", "standard consul C7/C7/E5 1111/- 1/0 - act:4 -"),
    ("die-of-pacified", "standard?E-AGAIN=stays consul C7/C7/E5 3221/O 1/1 - act:4 -"),
    ("die-of-prefect", "standard?E-PREFECT=standing prefect C7/C7/E5 5221/- 1/1 - act:4 -"),
    ("no-choice", "standard?E-LIMIT-DICE=raised consul C7/C7/E5 3333/- 1/1 - discard-event O5.C5.E7.ES hand=O5.C5.E7"),
    (
        "protected-out",
        "standard?E-PROTECT-OUT=deck consul C7/C7/E5 4332/- 1/1 - discard O5.C5.E7.EC hand=O5.C5.E7 protected=O5",
    ),
    ("start", "standard consul C7/E5/E5 1111/- 1/1 - act:4 -"),
    ("start", "standard+corner consul C7/C7/E5 1111/- 1/1 - act:4 -"),
    ("first-dice", "standard none C7/C7/E5 2111/- 1/1 - act:4 -"),
    ("first-tracks", "standard none C7/C7/E5 1111/- 2/1 - act:4 -"),
    ("first-pacified", "standard none C7/C7/E5 1111/O 1/1 - act:4 -"),
    ("left", "standard consul C7/C7/E5 1111/- 1/1 - act:5 -"),
    ("left", "standard consul C7/C7/E5 1111/- 1/1 - act -"),
    ("left", "standard consul C7/C7/E5 1111/- 1/1 - role:1 -"),
    ("left", "standard consul C7/C7/E5 1111/- 1/1 - invade:3 O5.C5.C7"),
    ("card", "standard dictator C7/C7/E5 1111/- 1/1 - ride C7"),
    ("card", "standard consul C7/C7/E5 1111/- 1/1 - draw:C7 -"),
    ("card-in-deck", "standard dictator C7/C7/E5 1111/- 1/1 - ride:C7 C6"),
    ("role", "standard consul C7/C7/E5 1111/- 1/1 - dictator -"),
    ("role", "standard consul C7/C7/E5 1111/- 1/1 - exchange O5.C5.C7 hand=O5.C5.C7"),
    ("role", "standard consul C7/C7/E5 1111/- 1/1 - appoint -"),
    ("role", "standard emperor C7/C7/E5 1111/- 1/1 - role -"),
    ("exchange", "standard?E-TRIBUNE=invasion tribune C7/C7/E5 1111/- 1/1 - exchange O5.C5.C7 hand=O5.C5.C7"),
    ("swap", "standard tribune C7/C7/E5 1111/- 1/1 - swap O5.C5.C7.E5.E6 hand=E5.E6"),
    ("exchanged", "standard consul C7/C7/E5 1111/- 1/1 - draw O5.C5.C6 hand=O5.C5 exchanged"),
    (
        "card-in-hand",
        "standard?E-EXCHANGE=may tribune C7/C7/E5 1111/- 1/1 - exchange:C7 C5.C6.C7.O5 hand=C5.C6.C7 exchanged",
    ),
    (
        "fourth",
        (
            "standard?E-FOURTH=first-three,E-SWAP=place,E-TRIBUNE=invasion tribune O5/C7/E5 3331/- 9/1 E5:E3.B6:B2 "
            "invade:1 O5.OS.OC.C5.CC.CR.E7.B5 card=OS hand=CC.OC.CR.OS exchanged"
        ),
    ),
    ("hand-in-deck", "standard consul C7/C7/E5 1111/- 1/1 - draw O5 hand=C5"),
    ("hand", "standard consul C7/C7/E5 1111/- 1/1 - draw O5.C5.C6 hand=O5.C5.C6"),
    ("hand", "standard consul C7/C7/E5 1111/- 1/1 - act:4 O5 hand=O5"),
    ("hand", "standard consul C7/C7/E5 1111/- 1/1 - crisis O5.O6 hand=O5.O6"),
    ("no-event", "standard consul C7/C7/E5 1111/- 1/1 - event O5.O6.C5 hand=O5.O6.C5"),
    ("no-event", "standard?E-EVENT=never consul C7/C7/E5 1111/- 1/1 - event O5.E6.C5 hand=O5.E6.C5"),
    ("no-crisis", "standard consul C7/C7/E5 1111/- 4/1 - crisis O5.O6.C5 hand=O5.O6.C5"),
    ("no-crisis", "standard consul C7/C7/E5 1111/- 3/1 - crisis O5.E6.C5 hand=O5.E6.C5"),
    ("cards-out", "standard consul C7/C7/E5 1111/- 1/1 - act:4 O5"),
    ("cards-out", "standard dictator C7/C7/E5 1111/- 1/1 - act:3 O5.O6"),
    ("cards-out", "standard consul C7/C7/E5 1111/- 1/1 - invade:2 -"),
    ("event-card", "standard consul C7/C7/E5 1111/- 1/1 - raise O5.E6.C5.E7 hand=O5.E6.C5"),
    ("protected", "standard consul C7/C7/E5 1111/- 1/1 - act:4 - protected=C7"),
    ("quiet", "standard consul C7/C7/E5 1111/- 1/1 - act:4 - quiet"),
    ("quiet", "standard consul C7/C7/E5 1344/- 1/1 - discard O5.C5.EC.E7 hand=O5.C5.E7 quiet"),
    ("protected", "standard consul C7/C7/E5 1344/- 1/1 - discard O5.C5.E6.E7 hand=O5.C5.E7 protected=C7"),
    ("protected", "standard?E-WHEN=after consul C7/C7/E5 1344/- 1/1 - discard O5.C5.EC.E7 hand=O5.C5.E7 protected=C7"),
    ("cards-out", "standard consul C7/C7/E5 1344/- 1/1 - invade:2 O5.C5.EC.E7.E6 protected=C7"),
    ("exchanged", "standard tribune C7/C7/E5 1111/- 1/1 - act:4 - exchanged"),
    ("exchanged", "standard?E-TRIBUNE=invasion tribune C7/C7/E5 1111/- 1/1 - draw O5.C5.C6 hand=O5.C5 exchanged"),
    ("travels", "standard?E-EMPEROR-WHEN=at-once magister C7/C7/E5 2221/- 1/1 - act:4 - travels"),
    (
        "travels",
        "standard?E-EMPEROR-TRAVEL=besides,E-EMPEROR-WHEN=at-once consul C7/C7/E5 2221/- 1/1 - act:4 - travels",
    ),
    ("travels", "standard?E-EMPEROR-TRAVEL=besides,E-EMPEROR-WHEN=at-once none C7/C7/E5 1111/- 1/1 - act:4 - travels"),
    (
        "travels",
        "standard?E-EMPEROR-TRAVEL=besides,E-EMPEROR-WHEN=at-once magister C7/C7/E5 2221/- 1/1 - draw - travels",
    ),
    ("no-choice", "standard?E-TRIBUNE=invasion tribune C7/C7/E5 3111/E 2/1 - order O6.O7.OS.C5.EC hand=C5.OS"),
    ("no-choice", "standard tribune C7/C7/E5 3111/E 2/1 - order O6.O7.OS.C5.EC hand=C5.OS"),
    ("role", f"standard?{ORDER} consul C7/C7/E5 3111/E 2/1 - order O6.O7.OS.C5.EC hand=C5.OS"),
    ("hand", f"standard?{ORDER} tribune C7/C7/OS 3111/E 2/1 OS:O1 order O6.O7.OS.C5.EC hand=C5"),
    ("hand", f"standard?{ORDER} tribune C7/C7/E5 3111/E 2/1 - order O6.O7.OS.C5.EC hand=C5.OS.EC"),
    ("left", f"standard?{ORDER} tribune C7/C7/E5 3111/E 2/1 - order:1 O6.O7.OS.C5.EC hand=C5.OS"),
    ("no-invasion", f"standard?{ORDER} tribune C7/C7/E5 3111/E 5/1 - order O6.O7.OS.C5.EC.B6 hand=C5.OS"),
    ("no-invasion", f"standard?{ORDER} tribune C7/C7/E5 3111/E 5/1 EC:E1 order O6.O7.OS.C5.EC.B6 hand=C5.OS"),
    ("nothing-to-remove", "standard consul C7/C7/E5 1111/- 1/1 - resist O5.C5.E6.E7 hand=O5.C5.E6"),
    ("nothing-to-raise", "introductory?E-WIN=phase consul C7/C7/E5 0000/OCEB 1/1 - raise O5.C5.E6.ES hand=O5.C5.E6"),
    (
        "nothing-can-rise",
        "standard?E-AGAIN=stays,E-RAISE-STUCK=not consul C7/C7/E5 1111/OCEB 1/1 - raise O5.C5.E6.ES hand=O5.C5.E6",
    ),
    ("first-tracks", "standard?E-ORDER=dice-first none C7/C7/E5 3523/- 2/1 - discard O5.C5.E6 hand=O5.C5.E6"),
    ("two-events", "standard consul C7/C7/E5 4341/- 1/1 - discard O5.E6.C5.E7 hand=O5.E6.C5 protected=C7 quiet"),
    ("hand-order", "standard tribune CC/C7/E7 1151/- 4/2 O6:O1 exchange C5.C6.E7 hand=E7.C6.C5"),
    # a first turn that no set-up leads to
    ("first-map", "standard none B6/C7/E7 1111/- 1/1 - act:4 -"),
    ("first-map", f"standard none C6/C7/E5 1111/- 1/1 {SET_UP} act:4 -"),
    ("first-map", f"standard none C7/C7/E7 1111/- 1/1 {SET_UP} act:4 -"),  # E7 has two cubes
    ("first-map", f"standard none C7/C7/E5 1111/- 1/1 {SET_UP.replace('C7:C3', 'C7:C2')} act:4 -"),
    ("first-map", f"standard none C7/C7/E5 1111/- 1/1 {SET_UP.replace('B6:B3', 'B6:B2')} act:1 -"),  # out of reach
    ("first-map", f"standard none C7/C7/E5 1111/- 1/1 {SET_UP} act:3 -"),  # an action, and nothing has changed
    ("first-map", "standard none C7/C7/E7 1111/- 1/1 O5:C3E3B3 act:4 -"),
    ("first-pacified", "introductory none C7/C7/E7 1511/OEB 11/3 - raise O5.C6.E7.OS hand=O5.C6.E7"),
    ("no-points", f"introductory none C7/C7/E5 1511/- 1/1 {SET_UP} raise O5.C6.E7.OS hand=O5.C6.E7"),
    ("first-campaign", f"introductory none C7/C7/E5 5555/- 11/3 {SET_UP} role -"),
    ("first-campaign", f"introductory none C7/C7/E5 4111/- 2/1 {SET_UP} role -"),  # three of a suit: decline 3
    ("first-cubes", "introductory none C7/C7/E5 3211/- 2/1 O5:O1 role -"),
    ("no-decline", f"introductory none C7/C7/E5 3211/- 11/3 {SET_UP} invade:4 O5.O6.C7"),
    ("no-campaign", "introductory consul C7/C7/E7 1111/- 1/1 O6:O1 act:4 -"),
    ("no-campaign", "introductory consul C7/C7/E7 2111/- 1/1 O6:O1 act:4 -"),
    # cards that cannot be split up into campaign, event, crisis and invasion
    ("cards-out", "introductory magister O5/C7/BR 3124/O 5/2 CR:C1.B7:B3 invade:3 O5.C6.E7"),
    ("cards-out", "standard consul CC/C7/E7 1451/- 4/2 O6:O1 invade:2 C5.C6.C7.CC protected=O6"),
    ("no-decline", "standard magister C7/C7/E7 3231/- 1/1 O5:O1 invade:2 O5.O6.C7"),
    ("no-decline", "standard magister C7/C7/E7 5311/- 1/1 O5:O1 invade:2 O5.O6.O7"),
    ("no-decline", "standard magister C7/C7/E7 4141/- 3/1 O5:O1 invade:2 O5.O6.E7"),
    ("no-decline", "standard consul CC/C7/E7 2543/- 1/2 O6:O1 discard C5.C6.E7 hand=C5.C6.E7"),
    ("no-decline", "standard consul CC/C7/E7 2543/- 3/2 O6:O1 discard C5.C6.E7 hand=C5.C6.E7"),
    ("no-decline", "standard consul CC/C7/E7 2543/- 4/2 BR:B3 discard C5.C6.E7.BR hand=C5.C6.E7"),
    ("no-points", "standard consul CC/C7/E7 5531/- 4/2 O6:O1 discard C5.C6.B7 hand=C5.C6.B7"),  # B has risen
    ("no-points", "introductory magister C7/C7/E7 1144/- 2/1 O5:O1 invade:2 O5.O6.E7"),  # O rose by two
    ("no-invasion", "standard magister C7/C7/E7 4231/- 3/1 O5:O1 invade:2 O5.O6.E7.ES"),  # a crisis fills ES
    ("no-invasion", "standard magister C7/C7/ES 4231/- 2/1 O5:O1 invade:1 O5.O6.E7.ES"),  # and ES has no cube
    ("no-invasion", "standard magister C7/C7/E7 4231/- 2/1 ES:E1 invade:1 O5.O6.E7.ES"),  # last invaded was ES
    # cubes that no outbreak has put there
    ("foreign-cubes", "standard tribune C7/C7/E5 1241/E 3/1 C7:C3.E5:O1E2 act:4 -"),
    ("foreign-cubes", "standard tribune C7/C7/E5 1241/E 3/2 C7:C3.E5:O1E2 act:4 -"),  # no region of O is next to E5
    ("foreign-cubes", "standard tribune C7/C7/E5 1241/E 3/2 CS:O2 act:4 -"),
    ("foreign-cubes", "standard tribune C7/C7/E5 1241/E 3/3 CS:O1.C7:O1.B6:O1 act:4 -"),
    # the game was won a phase ago
    ("won", "standard?E-WIN=phase consul C7/C7/E7 1111/OCEB 3/1 - act:3 -"),
    ("won", "standard?E-WIN=phase prefect C7/C7/E7 1111/OCEB 3/1 - act:4 -"),
    ("won", "standard?E-WIN=phase prefect C7/C7/E7 2222/OCEB 3/1 - act:3 -"),
    ("won", "standard?E-WIN=phase,E-PACIFY=action consul C7/C7/E7 1111/OCEB 3/1 - raise O5.C6.E7.OS hand=O5.C6.E7"),
    ("no-points", "standard?E-WIN=phase consul C7/C7/E7 1111/OCEB 3/1 - raise O5.C6.E7.OS hand=O5.C6.E7"),
    ("no-points", "standard?E-WIN=phase consul C7/C7/E7 1111/OCEB 3/1 - crisis O5.O6.E7 hand=O5.O6.E7"),
    (
        "no-points",
        "introductory?E-WIN=phase,E-ORDER=dice-first consul C7/C7/E7 5555/OCEB 1/1 - travel O5.C6.E7.B5 hand=O5.C6.E7",
    ),
    ("no-events", "standard?E-EVENT=never consul C7/C7/E5 1111/- 1/1 - invade:2 O5.E6.C5.EC protected=C7"),
]


@pytest.mark.parametrize(("code", "line"), IMPOSSIBLE, ids=[f"{code}-{at}" for at, (code, _) in enumerate(IMPOSSIBLE)])
def test_what_cannot_occur_has_its_reason(code: str, line: str) -> None:
    position = Position.parse(line)
    assert code in [reason.code for reason in position.status()]
    with pytest.raises(IllegalPositionError, match="this position cannot occur"):
        require_legal(position)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("standard consul C7/C7/CR 5411/- 1/1 O6:O3.CR:C1 act:5 -", "left: 5, expected 1 to 4"),
        ("standard dictator C7/C7/CR 5411/- 1/1 O6:O3.CR:C1 act:5 O5", "out: 1, expected 0 "),
        ("standard tribune C7/C7/C6 1441/O 2/1 CR:C1 discard O5.O6.C7.B5.B6", "hand: 0 cards, expected 3 "),
    ],
)
def test_a_range_of_one_number_is_a_number_and_none_is_empty(line: str, text: str) -> None:
    assert text in " ".join(map(str, Position.parse(line).status()))


def test_the_limit_of_points_is_one_of_the_expert_level_too() -> None:
    (reason,) = [
        row
        for row in Position.parse("expert+sphere consul C7/C7/E5 3333/- 1/1 - act:4 -").status()
        if row.where == "dice"
    ]
    assert "standard game" not in str(reason)
    assert str(reason).endswith("(at most 11 points from the standard level on)")


def test_reasons_have_no_empty_range() -> None:
    reasons = [str(reason) for _, line in IMPOSSIBLE for reason in Position.parse(line).status()]
    reasons += map(str, Position.parse("standard consul C7/C7/CR 5411/- 1/1 O6:O3.CR:C1 act:5 -").status())
    ranges = [found for text in reasons for found in re.findall(r"expected (-?\d+) to (-?\d+)", text)]
    assert len(ranges) > 10 and all(int(least) < int(most) for least, most in ranges)


@pytest.mark.parametrize(
    "line",
    [
        f"standard none C7/C7/E5 1111/- 1/1 {SET_UP.replace('C7:C3', 'C7:C2')} act:3 -",
        f"standard none CS/C7/E5 1111/- 1/1 {SET_UP.replace('C7:C3', 'C7:C1')} act:1 -",
        f"standard none C7/C7/E5 1111/- 1/1 {SET_UP} act:2 -",
        f"introductory?E-PACIFY=free none C7/C7/E5 1111/OE 1/1 {SET_UP} act:2 -",
        "standard tribune C7/C7/E5 1241/E 3/2 C7:C3.CS:O1C2.E5:E2 act:4 -",
        "standard tribune C7/C7/E5 1241/E 3/3 CS:O2.OR:O1 act:4 -",
        "standard?E-WIN=phase prefect C7/C7/E7 1222/OCEB 3/1 - act:3 -",
        "standard?E-WIN=phase,E-ORDER=dice-first consul C7/C7/E7 1222/OCEB 1/1 - travel O5.C6.E7.B5 hand=O5.C6.E7",
        "standard magister C7/C7/E7 4231/- 3/1 ES:E3 invade:2 O5.O6.E7.ES",
        "standard dictator C7/C7/E7 4231/- 2/1 O5:O1 invade:2 O5.O6.E7.ES",
        "standard consul CC/C7/E7 1551/- 4/2 O6:O1 discard-event O6.C5.E7.BS hand=O6.C5.E7",
        f"standard?{ORDER} tribune C7/C7/E5 3111/E 2/1 - order O6.O7.OS.C5.EC hand=C5.OS",
        f"standard?{ORDER} tribune C7/C7/EC 3211/E 5/1 EC:E1 order O6.O7.C6.OS.C5.EC hand=C5.OS",
        f"standard?{ORDER} tribune C7/C7/E5 3111/E 2/1 - order O6.O7.OS.C5.EC.B6 hand=C5.OS exchanged",
    ],
)
def test_what_can_occur_has_no_reason(line: str) -> None:
    """Beside the positions above that cannot."""
    assert Position.parse(line).status() == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hand", ["C5"]),
        ("cubes", ((0, 0, 0, -3),) * 24),
        ("cubes", ()),
        ("dice", (-1, 1, 1, 1)),
        ("dice", (1, 1, 1)),
        ("role", "pope"),
        ("role", []),
        ("pawn", "XX"),
        ("start", None),
        ("last", "XX"),
        ("pacified", frozenset("Z")),
        ("decline", 2.5),
        ("outbreaks", True),
        ("left", -1),
        ("card", "XX"),
        ("out", {"C5"}),
        ("protected", 5),
        ("is_quiet", 1),
        ("has_exchanged", None),
        ("has_travel", 0),
        ("step", "act"),
        ("ruleset", "standard"),
    ],
)
def test_a_value_built_in_python_that_is_none_is_named(field: str, value: object) -> None:
    """Nothing else is looked at then, since the other checks rely on it."""
    reasons = Position.parse(START).replace(**{field: value}).status()
    assert [(reason.code, reason.where) for reason in reasons] == [("value", field)]


def test_a_card_twice_in_a_hand_is_named() -> None:
    position = Position.parse("standard tribune C7/C7/E5 2221/- 1/1 - draw O5.C5 hand=O5.C5")
    assert position.status() == ()
    assert "hand-twice" in [reason.code for reason in position.replace(hand=("O5", "O5")).status()]


def test_a_position_has_a_map() -> None:
    ruleset = Ruleset.from_text("standard?E-MAP=dealt")
    assert [reason.code for reason in Position.parse(START).replace(ruleset=ruleset).status()] == ["no-map"]
    with pytest.raises(RulesetError, match="the set-up deals the map"):
        ruleset.layout  # noqa: B018  # the error is the point


def test_each_reason_has_its_position() -> None:
    """Every code of the checks stands in the list above."""
    import re
    from pathlib import Path

    import tetrasolve.finem.status

    texts = [file.read_text("utf-8") for file in Path(tetrasolve.finem.status.__file__).parent.glob("*.py")]
    stages = re.findall(r'"(no-[a-z]+)",', "".join(texts))
    found = {code for text in texts for code in re.findall(r'Reason\(\s*"([a-z-]+)"', text)} | set(stages)
    assert found - {"value", "no-map", "hand-twice"} == {code for code, _ in IMPOSSIBLE}
