"""Actions as text: what a player types, and the three ways in which it can be wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tabletop import MAP, make_position, random_game

from tetrasolve.errors import (
    ActionError,
    AmbiguousActionError,
    ArgumentError,
    IllegalActionError,
    UnreadableActionError,
)
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import (
    END,
    REDUCE,
    REMOVE,
    SECURE,
    Action,
    Kind,
    Outcome,
    attack,
    deploy,
    enter,
    move,
    read_action,
    reduce,
    remove,
    sail,
    transfer,
)
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import HELPERS
from tetrasolve.tetrarchia.plan import read_plan

BOARD = Board.standard()
EVERY_ACTION = [
    *map(enter, BOARD.ids),
    *map(move, BOARD.ids),
    *(sail(a, b) for a in (1, 2, 3) for b in (1, 2, 3)),
    *(attack(place, outcome) for place in BOARD.ids for outcome in Outcome),
    SECURE,
    REMOVE,
    REDUCE,
    END,
    *(attack("pirates", outcome) for outcome in Outcome),
    *map(transfer, BOARD.ids),
    *(deploy(figure, place) for figure in HELPERS for place in BOARD.ids),
    *(move(place, figure) for figure in HELPERS for place in BOARD.ids),
    *(attack(place, outcome, "dux") for place in ("pirates", "rhaetia") for outcome in Outcome),
    remove("dux"),
    reduce("dux"),
]


# -- reading without a position -----------------------------------------------------------------------------------


@pytest.mark.parametrize("action", EVERY_ACTION, ids=str)
def test_what_is_printed_means_what_it_was(action):
    """The text of a complete action is read as that action and no other."""
    assert read_action(str(action), BOARD) == (action,)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("move narbonensis", ["move narbonensis"]),
        ("  MOVE   Narbonensis ", ["move narbonensis"]),
        ("move nar", ["move narbonensis"]),  # code
        ("move II:6", ["move narbonensis"]),  # coordinates
        ("move ii:6", ["move narbonensis"]),
        ("move Germania Magna", ["move germania_magna"]),  # name
        ("move germania", ["move germania_superior", "move germania_inferior", "move germania_magna"]),  # start
        ("enter rom", ["enter roma"]),
        ("Dux: Move Dacia", ["dux: move dacia"]),
        ("VICARIUS :move rom", ["vicarius: move roma"]),
        ("dux: subdue", ["dux: remove", "dux: reduce"]),
        ("dux:attack rha:draw", ["dux: attack rhaetia: draw"]),
        ("attack Pirates: Victory", ["attack pirates: victory"]),
        ("attack pirates", ["attack pirates: victory", "attack pirates: draw", "attack pirates: defeat"]),
        ("deploy Dux  dac", ["deploy dux dacia"]),
        ("deploy vicarius III:5", ["deploy vicarius dacia"]),
        ("transfer dac", ["transfer dacia"]),
        ("sail 2>3", ["sail 2>3"]),
        ("sail 2-3", ["sail 2>3"]),
        ("sail 2 to 3", ["sail 2>3"]),
        ("sail 2 3", ["sail 2>3"]),
        ("sail 3", ["sail 1>3", "sail 2>3"]),
        ("subdue", ["remove", "reduce"]),
        ("End", ["end"]),
        ("attack rha: draw", ["attack rhaetia: draw"]),
        ("attack rhaetia:VICTORY", ["attack rhaetia: victory"]),
        ("attack rha", ["attack rhaetia: victory", "attack rhaetia: draw", "attack rhaetia: defeat"]),
    ],
)
def test_what_a_text_can_mean(text, meant):
    """Every action that a text fits is listed."""
    assert sorted(map(str, read_action(text, MAP))) == sorted(meant)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "march roma",
        "move",
        "move ",
        "move atlantis",
        "move roma quickly",
        "enter",
        "enter :",
        "sail",
        "sail x",
        "sail 4",
        "sail 0>1",
        "sail \uff12",
        "sail 1>2>3",
        "secure roma",
        "end now",
        "attack",
        "attack :",
        "attack rhaetia: triumph",
        "attack rhaetia:",
        "attack atlantis: draw",
        "deploy",
        "deploy dux",
        "deploy dacia",
        "deploy galerius dacia",
        "deploy dux atlantis",
        "dux",
        "dux:",
        "dux: fly",
        "dux: deploy dux dacia",
        "nerva: move dacia",
        "transfer",
        "move pirates",
        "move\troma",
        "\ud800",
        "move \ud800",
    ],
)
def test_text_that_is_no_action(text):
    """Unreadable is what means nothing in any position; the error quotes it."""
    with pytest.raises(UnreadableActionError) as caught:
        read_action(text, BOARD)

    assert isinstance(caught.value, ActionError)
    assert repr(text)[:40] in str(caught.value) or "expected" in str(caught.value)
    str(caught.value).encode()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("m nar", ["move narbonensis"]),
        ("dux: m dacia", ["dux: move dacia"]),
        ("ATT rhaetia: draw", ["attack rhaetia: draw"]),
        ("e roma", ["enter roma"]),
        ("e", ["end"]),
        ("s 2>3", ["sail 2>3"]),
        ("s", ["secure", "remove", "reduce"]),
        ("r", ["remove", "reduce"]),
        ("dep dux dacia", ["deploy dux dacia"]),
        ("imp reserve", ["imperium reserve"]),
        ("endless", []),
        ("m", []),
        ("r rhaetia", []),
    ],
)
def test_verbs_may_be_cut_short(text: str, meant: list[str]):
    """The start of a verb means each verb that fits with what follows; a province is needed in full or by its start."""
    try:
        read = [str(action) for action in read_action(text, BOARD)]
    except UnreadableActionError:
        read = []

    assert read == meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("move", "'move': expected a province after move"),
        ("tr", "'tr': expected a province after transfer"),
        ("attack", "'attack': expected a province after attack"),
        ("imperium", "'imperium': expected a disc after imperium: reserve, or the province of one"),
        ("sail", "'sail': expected zones from 1 to 3, like sail 2>3"),
        ("deploy", "'deploy': expected a figure and a province, like deploy dux dacia"),
    ],
)
def test_a_verb_alone_says_what_it_needs(text: str, said: str):
    with pytest.raises(UnreadableActionError) as caught:
        read_action(text, BOARD)

    assert str(caught.value) == said


def test_a_plan_may_be_cut_short():
    """Its attacks and its end, too."""
    whole = "move narbonensis; attack rhaetia {victory 7/12: end | draw 1/6: secure | defeat 1/4: end}"

    for text in ("m nar; a rha", "M Nar; A Rha"):
        branches = "{victory 7/12: e | draw 1/6: sec | defeat 1/4: END}"
        assert read_plan(f"{text} {branches}", BOARD) == read_plan(whole, BOARD)
    assert read_plan("e", BOARD) == read_plan("end", BOARD)
    led = "dux: attack rhaetia {victory 7/12: end | draw 1/6: end | defeat 1/4: end}"
    assert read_plan(led.replace("dux: a", "Dux: A"), BOARD) == read_plan(led, BOARD)


def test_more_discs_than_an_emperor_has_are_no_payment():
    """Neither as text nor as a number of the kernel, where eight of the reserve would be a disc of another place."""
    five = "attack rhaetia: victory" + 5 * " +reserve"
    (action,) = read_action(five, MAP)
    assert fast.to_action(fast.to_code(action, MAP), MAP) == action
    for count in (6, 8, 9, 500):
        with pytest.raises(UnreadableActionError, match=f"expected at most 5 discs, found {count}"):
            read_action("attack rhaetia: victory" + count * " +reserve", MAP)
        with pytest.raises(ArgumentError, match="payments: expected at most 5 discs"):
            fast.to_code(attack("rhaetia", Outcome.VICTORY, payments=("reserve",) * count), MAP)


def test_long_text_is_quoted_shortly():
    with pytest.raises(UnreadableActionError) as caught:
        read_action("x" * 100_000, BOARD)

    assert len(str(caught.value)) < 300


# -- the three errors ------------------------------------------------------------------------------------------


def position():
    return make_position(
        "maximian",
        {"maximian": "noricum", "galerius": "dacia"},
        armies="rhaetia",
        revolts="rhaetia noricum",
        fleets=(1, 3),
    )


def test_unreadable_illegal_and_ambiguous_are_distinguished():
    """No action at all, an action that a rule forbids, and text that fits several legal actions are three errors."""
    with pytest.raises(UnreadableActionError):
        rules.parse(position(), "fly to roma")
    with pytest.raises(IllegalActionError) as illegal:
        rules.parse(position(), "move roma")
    with pytest.raises(AmbiguousActionError) as ambiguous:
        rules.parse(position(), "subdue")

    assert illegal.value.rule == "neither a link nor a fleet leads there"
    assert str(illegal.value) == "move roma: neither a link nor a fleet leads there"
    assert ambiguous.value.candidates == (REMOVE, REDUCE)
    assert str(ambiguous.value) == "'subdue' could be 'remove' or 'reduce'"
    for one, others in (
        (UnreadableActionError, (IllegalActionError, AmbiguousActionError)),
        (IllegalActionError, (UnreadableActionError, AmbiguousActionError)),
        (AmbiguousActionError, (UnreadableActionError, IllegalActionError)),
    ):
        assert issubclass(one, ActionError)
        assert not issubclass(one, others)


def test_an_illegal_action_that_was_played_names_action_and_rule():
    """Playing what is illegal raises the same error as typing it."""
    with pytest.raises(IllegalActionError) as caught:
        rules.play(position(), move("roma"))

    assert caught.value.action == move("roma")
    assert caught.value.rule == rules.objection(position(), move("roma"))


def test_a_text_with_several_illegal_readings_gives_every_rule():
    """When none of the readings is legal, the error has the rule of each."""
    with pytest.raises(IllegalActionError) as caught:
        rules.parse(position(), "sail 3")

    assert "no fleet lies in zone 2" in caught.value.rule
    assert "zones 1 and 3 are not adjacent" in caught.value.rule


def test_legal_readings_decide_between_provinces():
    """A start of a name that fits several provinces means the only one that is legal, or lists them."""
    start = make_position("maximian", {"maximian": "rhaetia"})

    assert rules.parse(start, "move germania_s") == move("germania_superior")
    with pytest.raises(AmbiguousActionError) as caught:
        rules.parse(start, "move germania")
    assert set(caught.value.candidates) == {move("germania_superior"), move("germania_magna")}
    assert rules.parse(start.with_emperor("maximian", "noricum"), "move germania") == move("germania_magna")


# -- over games ------------------------------------------------------------------------------------------------


def test_every_legal_action_is_read_back():
    """Whatever is legal can be typed as it prints, over games at random."""
    kinds = set()
    for seed in range(25):
        for at in random_game(f"text {seed}", 10):
            for action in rules.legal_actions(at):
                assert rules.parse(at, str(action)) == action
                kinds.add(action.kind)
            if rules.may_end(at):
                assert rules.parse(at, "end") == END
    assert kinds == set(Kind) - {Kind.END, Kind.DEPLOY, Kind.TRANSFER, Kind.IMPERIUM}


def test_legal_actions_are_those_without_an_objection():
    """Of all actions there are, exactly the listed ones meet no objection; `end` is answered by `may_end`."""
    for seed in range(6):
        for at in random_game(f"pool {seed}", 6):
            listed = rules.legal_actions(at)
            assert len(set(listed)) == len(listed)
            free = [action for action in EVERY_ACTION if rules.objection(at, action) is None]
            assert {action for action in free if action != END} == set(listed)
            assert (END in free) == rules.may_end(at)


@given(st.integers(0, 30), st.text(max_size=30))
def test_any_text_is_an_action_or_one_of_the_three_errors(seed, text):
    """Typing nonsense never fails in another way."""
    at = next(random_game(seed, 1))
    try:
        action = rules.parse(at, text)
    except ActionError:
        return
    assert isinstance(action, Action)
    assert rules.objection(at, action) is None
