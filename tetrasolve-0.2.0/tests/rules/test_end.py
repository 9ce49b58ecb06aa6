"""The end of the game (rulebook page 11)."""

from fractions import Fraction

import pytest
from tabletop import BORDERS, MAP, barbarians, faces_of, make_position, play

from tetrasolve.errors import IllegalActionError, IllegalPositionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall

FIVE = {"diocletian": "persia sarmatia", "galerius": "germania_magna libya", "constantius": "britannia"}
QUIET = faces_of("bithynia")
ROMAN = [p.id for p in MAP.provinces.values() if not p.is_border]
# 21 provinces, none of them linked to Sardinia, Numidia, Africa or Caesariensis
TWENTY_ONE = (
    "roma cisalpina lusitania gallaecia tarraconensis narbonensis belgica lugdunensis aquitania rhaetia noricum "
    "pannonia_superior dacia dalmatia thracia macedonia achaia epirus cilicia galatia asia"
).split()


# -- victory ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("p11-victory", "p04-win")
def test_rome_wins_with_the_sixth_border():
    """Securing the sixth border wins at once, no matter who secured the others (p. 11)."""
    before = make_position("maximian", {"maximian": "gaetulia"}, garrisons=FIVE)
    after = play(before, "secure")

    assert not before.is_won
    assert after.is_won
    assert set(after.secured) == set(BORDERS)


@pytest.mark.rule("p11-at-once")
def test_after_victory_nothing_happens_any_more():
    """The game ends immediately: no action and no Barbarian phase follow (p. 11)."""
    won = play(make_position("maximian", {"maximian": "gaetulia"}, garrisons=FIVE), "secure")

    assert won.ip == 4
    assert rules.legal_actions(won) == ()
    assert not rules.may_end(won)
    with pytest.raises(IllegalActionError, match="the game is won"):
        play(won, "end")
    for refused in (rules.outcomes, rules.figures, lambda p: rules.sample(p, rules.GivenDice([]))):
        with pytest.raises(IllegalPositionError, match="the game is won"):
            refused(won)


@pytest.mark.rule("p11-victory")
@pytest.mark.parametrize("missing", BORDERS)
def test_five_borders_do_not_win(missing):
    """All six borders have to be secured (p. 11)."""
    owners = dict(zip(BORDERS, ("diocletian", "galerius", "constantius") * 2, strict=True))
    held = {}
    for border, owner in owners.items():
        if border != missing:
            held[owner] = f"{held.get(owner, '')} {border}"

    assert not make_position("maximian", {"maximian": "roma"}, garrisons=held).is_won


# -- the reserve -----------------------------------------------------------------------------------------------


def start(revolts="", unrest="", **more):
    return make_position(
        "diocletian", {"diocletian": "sardinia"}, revolts=revolts, unrest=unrest, barbarian=True, **more
    )


@pytest.mark.rule("p11-fall-revolt", "p04-revolts")
def test_the_twenty_second_revolt_ends_the_empire():
    """The Empire ends when a revolt must be placed and the reserve is empty (p. 11).

    With 21 revolts on the board, every uprising with a neighbour that is not yet in revolt is the end.
    """
    position = start(" ".join(TWENTY_ONE))

    assert position.reserve_revolts == 0
    assert barbarians(position, *faces_of("cilicia")) is Fall.NO_REVOLT_LEFT


@pytest.mark.rule("p11-fall-revolt")
def test_the_twenty_first_revolt_can_still_be_placed():
    """With one revolt in the reserve one can be placed, and the Empire stands (p. 11)."""
    position = start(" ".join(TWENTY_ONE[:20]), unrest="numidia")
    after = barbarians(position, *faces_of("numidia"))

    assert isinstance(after, Position)
    assert after.reserve_revolts == 0


@pytest.mark.rule("p11-fall-revolt")
def test_an_unrest_that_must_become_the_twenty_second_revolt_ends_the_empire():
    """The unrest comes off first, but no revolt is left to be placed (p. 11)."""
    assert barbarians(start(" ".join(TWENTY_ONE), unrest="numidia"), *faces_of("numidia")) is Fall.NO_REVOLT_LEFT


@pytest.mark.rule("p11-fall-unrest", "p04-unrest")
def test_the_twenty_second_unrest_ends_the_empire():
    """The Empire ends when an unrest must be placed and the reserve is empty (p. 11)."""
    full = [place for place in ROMAN if place not in ("asia", "roma", "sardinia", "bithynia")][:21]
    position = start(unrest=" ".join(full))

    assert position.reserve_unrest == 0
    assert barbarians(position, *faces_of("asia")) is Fall.NO_UNREST_LEFT
    free = [p.id for p in MAP.provinces.values() if p.number and p.id not in full and not p.printed]
    assert rules.outcomes(position)[Fall.NO_UNREST_LEFT] == Fraction(len(free), 36)


@pytest.mark.rule("p11-fall-unrest")
def test_the_twenty_first_unrest_can_still_be_placed():
    """With one unrest in the reserve one can be placed (p. 11)."""
    full = [place for place in ROMAN if place not in ("asia", "roma", "sardinia", "bithynia")][:20]

    assert barbarians(start(unrest=" ".join(full)), *faces_of("asia")).reserve_unrest == 0


@pytest.mark.rule("p11-fall-revolt")
def test_without_need_an_empty_reserve_ends_nothing():
    """An empty reserve is no end by itself: only a disc that cannot be placed is (p. 11)."""
    position = start(" ".join(TWENTY_ONE))

    assert isinstance(barbarians(position, *QUIET), Position)
    assert barbarians(position, *faces_of("numidia")).unrest == {"numidia"}


@pytest.mark.rule("p11-fall-revolt", "p10-enter")
def test_an_army_needs_a_revolt_to_enter():
    """An army that enters a province without a revolt needs one from the reserve (p. 11)."""
    assert barbarians(start(" ".join(TWENTY_ONE), armies="libya"), *QUIET) is Fall.NO_REVOLT_LEFT


@pytest.mark.rule("p10-enter")
def test_a_revolt_that_comes_off_can_be_placed_again():
    """An army that enters a province in revolt takes that revolt off and puts it back: none is missing (p. 11)."""
    revolts = [*TWENTY_ONE[:20], "aegyptus"]
    after = barbarians(start(" ".join(revolts), armies="libya"), *QUIET)

    assert after.armies == ("aegyptus",)
    assert after.reserve_revolts == 0


@pytest.mark.rule("p10-uprising-revolts")
def test_uprisings_take_as_many_revolts_as_there_are_new_ones():
    """Provinces that are in revolt already need no further disc (p. 10, 11)."""
    revolts = [*TWENTY_ONE[:18], "numidia", "africa"]
    left = start(" ".join(revolts), garrisons={"maximian": "caesariensis"}, armies="sarmatia persia germania_magna")

    assert left.reserve_revolts == 1
    assert barbarians(left, *faces_of("numidia"), 3, 3, 3).reserve_revolts == 0
    assert (
        barbarians(left, *faces_of("africa"), 4) is Fall.NO_REVOLT_LEFT
    )  # tripolitania was the last, sicilia has none


@pytest.mark.rule("p11-at-once", "p04-win")
def test_the_end_comes_at_once():
    """What comes later in the phase does not happen any more: no dice are rolled after a fall (p. 11)."""
    position = start(" ".join(TWENTY_ONE), armies="libya britannia")
    dice = rules.GivenDice([*faces_of("cilicia"), 6, 6, 6, 6, 6, 6, 6])

    assert rules.sample(position, dice) is Fall.NO_REVOLT_LEFT
    assert dice.left == 7


@pytest.mark.program
def test_a_fall_says_why():
    """Each of the three ways to fall has its words (p. 11)."""
    assert {str(fall) for fall in Fall} == {
        "an army has entered Roma",
        "no revolt is left to be placed",
        "no unrest is left to be placed",
    }
