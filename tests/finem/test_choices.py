"""Values by which the player chooses what the text leaves open, or the limit comes before a 6: each on a position by hand."""

import pytest
from tablefinem import LATER_RULESETS, after, options, random_game, table

from tetrasolve.errors import IllegalActionError
from tetrasolve.finem.policies import careful
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.finem.rules import node
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.tracks import moves

EITHER = "standard?E-THREE=either"
CHOSEN = "standard?E-LIMIT=each-point,E-LIMIT-ORDER=chosen"
SIX = "standard?E-LIMIT=before-six"
BY_PHASE = "introductory?E-EXCHANGE=by-phase,E-TRIBUNE=either"


def position(state: State) -> Position:
    assert isinstance(state, Position), state
    return state


def drawing(rules: str, hand: str, tracks: str = "1/1", **words: str) -> Position:
    """Before the third card of a campaign."""
    words = {"dice": "2221/-", **words}
    return table("consul", rules=rules, step="draw", tracks=tracks, more=f"{hand} hand={hand}", **words)


@pytest.mark.choice("E-THREE")
@pytest.mark.parametrize(
    ("before", "ways"),
    [(1, {3: True}), (2, {3: True, 4: True}), (3, {5: False, 6: True}), (4, {6: True}), (8, {9: True, 10: True})],
)
def test_the_player_chooses_how_far_three_of_a_suit_move_the_decline(before: int, ways: dict[int, bool]) -> None:
    """[E-THREE] either: by two, or to the next multiple of three; a crisis comes where one is reached or passed."""
    found = position(after(drawing(EITHER, "O5.O6", f"{before}/1", cubes="O5:O1"), "O7"))
    assert moves(found.ruleset, before, 1) == tuple(ways)
    if len(ways) == 1:
        assert found.step is Step.CRISIS and found.decline in ways
        return
    assert (found.step, found.decline) == (Step.CHOOSE, before) and not found.status()
    assert options(found) == tuple(f"decline {place - before}" for place in ways)
    for option, (place, is_crisis) in zip(options(found), ways.items(), strict=True):
        one = position(after(found, option))
        assert (one.decline, one.step) == (place, Step.CRISIS if is_crisis else Step.INVADE) and not one.status()
    assert careful(found, node(found)) == options(found)[0]
    with pytest.raises(IllegalActionError, match="at step choose expected one of decline"):
        after(found, "decline 4")


@pytest.mark.choice("E-THREE")
def test_the_decline_is_chosen_after_the_dice_where_these_come_first() -> None:
    found = position(
        after(
            drawing(
                f"{EITHER},E-ORDER=dice-first",
                "O5.O6",
                "3/1",
                cubes="O5:O1",
            ),
            "O7",
        )
    )
    assert (found.step, found.dice) == (Step.CHOOSE, (5, 2, 2, 1)) and not found.status()
    lost = drawing("standard+cap3?E-THREE=either", "O5.O6", "7/1", cubes="O5:O1")
    assert after(lost, "O7") == Result("lost: decline")  # two are missing to nine


@pytest.mark.choice("E-LIMIT-ORDER")
def test_the_player_chooses_the_order_of_the_cards() -> None:
    """[E-LIMIT-ORDER] chosen: whether the die of oros or that of copas has come to 6 when a point above eleven is to go."""
    found = position(after(drawing(CHOSEN, "C5.C6", dice="4311/-"), "O5"))
    assert found.step is Step.CHOOSE and not found.status()
    assert options(found) == ("order O C C", "order C O C", "order C C O")
    first, second, third = (position(after(found, option)) for option in options(found))
    assert (first.hand, first.dice, first.left) == (("O5", "C5", "C6"), (5, 5, 1, 1), 0)
    assert (second.hand, second.dice, second.left) == (("C5", "O5", "C6"), (5, 5, 1, 1), 0)
    assert (third.hand, third.dice, third.left) == (("C5", "C6", "O5"), (5, 5, 1, 1), 0)
    assert not any(one.status() for one in (first, second, third))
    ended = position(after(third, "discard O1"))
    assert (ended.step, ended.dice, ended.hand) == (Step.INVADE, (4, 5, 1, 1), ()) and not ended.status()


@pytest.mark.choice("E-LIMIT-ORDER")
def test_there_is_nothing_to_choose_where_each_order_comes_to_the_same() -> None:
    """Below the limit, with one suit, or without the limit; of orders that come to the same one is left."""
    assert position(after(drawing(CHOSEN, "C5.C6"), "O5")).step is Step.INVADE
    assert position(after(drawing(CHOSEN, "C5.C6", "2/1", dice="4311/-", cubes="C5:C1"), "C7")).step is Step.CRISIS
    found = position(after(drawing(CHOSEN, "C5.C6", dice="5311/E"), "O5"))
    assert options(found) == ("order O C C", "order C C O")
    assert careful(found, node(found)) == "order O C C"  # then oros come to 6 and pacify
    wrong = found.replace(ruleset=Ruleset.from_text("standard?E-LIMIT=each-point"))
    assert "no-choice" in [reason.code for reason in wrong.status()]


@pytest.mark.choice("E-LIMIT")
def test_a_point_above_eleven_goes_before_a_die_at_6_pacifies() -> None:
    """[E-LIMIT] before-six: the one that goes may be that of the die itself, which then stays at 5."""
    found = position(after(drawing(SIX, "C5.E5", dice="4511/-"), "C6"))
    assert (found.step, found.left, found.dice) == (Step.DISCARD, 2, (4, 6, 1, 1)) and not found.status()
    assert {*options(found)} == {"discard O1", "discard C1"}
    kept, back = (position(after(found, option)) for option in ("discard O1", "discard C1"))
    assert (kept.step, kept.dice, kept.pacified) == (Step.INVADE, (3, 2, 2, 1), {"C"})
    assert (back.step, back.left, back.dice, back.pacified) == (Step.DISCARD, 1, (4, 6, 1, 1), set())
    assert not kept.status() and not back.status()


@pytest.mark.choice("E-LIMIT")
def test_a_6_below_the_limit_pacifies_at_once() -> None:
    """[E-LIMIT] before-six asks nothing where eleven points are not passed, and takes one point after the other."""
    found = position(after(drawing(SIX, "C5.E5", dice="1511/-"), "E6"))
    assert (found.step, found.dice, found.pacified) == (Step.INVADE, (1, 1, 3, 1), {"C"})
    event = table("consul", rules=SIX, dice="5411/-", step="raise", more="O5.C5.E6.ES hand=O5.C5.E6")
    raised = position(after(event, "raise O"))
    assert (raised.step, raised.dice) == (Step.DISCARD_EVENT, (6, 4, 1, 1)) and not raised.status()
    assert position(after(raised, "discard C1")).pacified == {"O"}
    assert position(after(raised, "discard O1")).step is Step.DISCARD  # and the cards follow
    last = table("consul", rules=SIX, dice="5411/CEB", step="raise", more="O5.C5.E6.ES hand=O5.C5.E6")
    assert after(last, "raise O", "discard C1") == Result("won")
    by_action = drawing("standard?E-LIMIT=before-six,E-PACIFY=action", "C5.E5", dice="4511/-")
    stays = position(after(by_action, "C6"))
    assert stays.dice == (4, 6, 1, 1) and position(after(stays, "discard O1")).pacified == set()
    assert "die-too-high" in [reason.code for reason in found.replace(dice=(6, 1, 1, 1)).status()]


@pytest.mark.choice("E-LIMIT")
def test_points_beyond_a_pacification_after_the_limit_are_lost_like_others() -> None:
    """[E-OVER] lost: the second card of copas counts no more once the die has come to 6 and pacified [E-LIMIT before-six]."""
    for over, dice in (("", (3, 2, 1, 2)), (",E-OVER=lost", (3, 1, 1, 2))):
        found = position(after(drawing(f"{SIX}{over}", "C5.C6", dice="4511/-", cubes="C7:C1"), "B5"))
        assert (found.step, found.left, found.dice) == (Step.DISCARD, 2, (4, 6, 1, 1))
        paid = position(after(found, "discard O1"))
        assert (paid.dice, paid.pacified, paid.step) == (dice, {"C"}, Step.INVADE) and not paid.status()


@pytest.mark.choice("E-LIMIT-ORDER")
def test_a_careful_player_takes_the_order_that_wins() -> None:
    """[E-LIMIT-ORDER] chosen: oros first come to 6; copas first bring a point that may go off any die."""
    found = position(after(drawing(f"{CHOSEN},E-LIMIT-DICE=raised", "C5.C6", dice="5411/CEB"), "O5"))
    assert found.step is Step.CHOOSE
    ends = {option: after(found, option) for option in options(found)}
    winning = [option for option, state in ends.items() if state == Result("won")]
    assert winning and len(winning) < len(ends)
    assert careful(found, node(found)) in winning


@pytest.mark.choice("E-EXCHANGE")
def test_the_tribune_exchanges_in_each_phase_as_its_text_says() -> None:
    """[E-EXCHANGE] by-phase: in the campaign a card goes first; in the invasion one is drawn first, and must be taken."""
    asked = table("tribune", rules=BY_PHASE, dice="2221/-", step="exchange", more="O5.C5.C6 hand=O5.C5.C6")
    assert options(asked) == ("keep", "exchange O5", "exchange C5", "exchange C6")
    away = position(after(asked, "exchange C5"))
    assert (away.step, away.hand) == (Step.DRAW, ("O5", "C6")) and not away.status()
    invading = position(after(asked.replace(ruleset=asked.ruleset), "keep", "E5", "E6"))
    assert invading.step is Step.SWAP and options(invading) == ("keep", "exchange") and not invading.status()
    seen = position(after(invading, "exchange", "E7"))
    assert (
        (seen.step, seen.card) == (Step.SWAP, "E7")
        and options(seen) == ("exchange E5", "exchange E6")
        and not seen.status()
    )
    assert position(after(seen, "exchange E5")).count("E7", "E") == 1


@pytest.mark.program
@pytest.mark.parametrize("rules", LATER_RULESETS)
def test_games_come_to_positions_that_can_occur(rules: str) -> None:
    for seed in range(6):
        for one, _, _ in random_game(rules, seed):
            assert not one.status(), str(one)
