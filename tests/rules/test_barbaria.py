"""Variant 6, Barbaria (rulebook pages 15 and 16)."""

from fractions import Fraction

import pytest
from moduletable import extended, first_choice, phase, rebel_army
from tabletop import CAPITALS, MAP, PROVINCES, barbarians, build_map, faces_of, others_than

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import SECURE
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.position import UNREST_DISC, Phase
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.activity import Activity
from tetrasolve.tetrarchia.rules.modules.usurpator import Rising
from tetrasolve.tetrarchia.ruleset import Ruleset

QUIET = faces_of("bithynia")
LINKED, BLOCKED = 4, 3
ROMA = {"diocletian": "roma"}
AFRICA = "aegyptus cyrenaica tripolitania numidia caesariensis africa"


def barbaria(gray=0, black=0, **more):
    """A position before a Barbarian phase, Diocletian in Roma; the Barbarian player has these discs."""
    names = "+".join(filter(None, ("barbaria", more.pop("also", ""))))
    discs = {"barbarian_discs": {"gray": gray, "black": black}}
    at = more.pop("at", ROMA)
    return extended(names, discs | more.pop("pieces", {}), at=at, barbarian=True, **more)


def left(position):
    return position.gray, position.black


# -- who he is -------------------------------------------------------------------------------------------------


@pytest.mark.rule("p15-barbaria-player")
@pytest.mark.parametrize("active", ["diocletian", "galerius"])
def test_he_rolls_and_decides_in_his_phase(active):
    """Whichever Emperor's turn it is, the choices of the phase and the dice that may be rolled again are his (p. 15)."""
    ours = {"to_move": active, "at": {active: "roma"}}
    asked = [
        first_choice(barbaria(0, 1, **ours)),  # the black disc
        first_choice(barbaria(1, revolts="dacia", unrest="moesia_superior", **ours), BLOCKED),
        first_choice(barbaria(1, **ours), *QUIET),
        first_choice(barbaria(1, armies="libya", **ours), *QUIET, "no"),
        first_choice(barbaria(1, armies="sarmatia", **ours), *QUIET, "no", "no", BLOCKED),
    ]

    assert {choice.decider for choice in asked} == {"barbarian"}
    assert [choice.options[1:] for choice in asked[1:]] == [("reroll",), ("reroll",), ("cancel",), ("reroll",)]


@pytest.mark.rule("p15-barbaria-player")
def test_he_wins_where_the_emperors_lose():
    """The ends of the game are those of any other, and his discs are no part of them (p. 15)."""
    away = {"diocletian": "asia"}
    lost = Game(barbaria(4, 1, armies="lucania", revolts="lucania", at=away))
    lost.barbarians(rules.GivenDice(QUIET))
    five = {"diocletian": "persia sarmatia", "galerius": "germania_magna libya", "constantius": "britannia"}
    won = Game(extended("barbaria", None, "maximian", {"maximian": "gaetulia"}, garrisons=five))
    won.act(SECURE)

    assert (lost.result, lost.is_over) == (f"fallen: {Fall.ARMY_IN_ROMA}", True)
    assert (won.result, left(won.position)) == ("won", (4, 1))


# -- his discs -------------------------------------------------------------------------------------------------


@pytest.mark.rule("p15-barbaria-discs", "p15-barbaria-player")
def test_he_begins_with_four_gray_discs_and_a_black_one():
    """They are not in the general reserve (p. 15)."""
    start = rules.random_set_up(Ruleset(variants=frozenset({"barbaria"})), 3)

    assert left(start) == (4, 1)
    assert (start.reserve_unrest, start.reserve_revolts) == (17, 20 - len(start.revolts))
    assert rules.random_set_up(Ruleset(), 3).discs == start.discs


@pytest.mark.rule("p15-barbaria-refill")
@pytest.mark.parametrize(("to_move", "gray"), [("maximian", 4), ("diocletian", 1)])
def test_he_has_four_again_when_the_turn_is_back_to_diocletian(to_move, gray):
    """At the start of each round (p. 15)."""
    position = barbaria(1, to_move=to_move, at={to_move: "roma"})

    assert left(phase(position, *QUIET, "no")) == (gray, 0)


@pytest.mark.choice("I-REFILL")
def test_he_takes_no_more_than_the_reserve_has():
    """The discs are unrest discs; the last of them can be his."""
    lying = others_than("roma", "asia", *CAPITALS.values(), "dacia").split()[:20]
    position = barbaria(0, to_move="maximian", at={"maximian": "roma"}, unrest=" ".join(lying))

    assert left(phase(position, *QUIET)) == (1, 0)
    assert isinstance(phase(barbaria(1, unrest=" ".join(lying)), *faces_of("dacia"), "no"), Fall)


@pytest.mark.rule("p15-barbaria-gray")
def test_what_he_spends_goes_back_to_the_general_reserve():
    """A gray disc that he spends can lie on the board in the same phase (p. 15)."""
    lying = others_than("roma", "asia", *CAPITALS.values(), "dacia").split()[:20]
    position = barbaria(1, unrest=" ".join(lying))
    after = phase(position, *QUIET, "reroll", *faces_of("dacia"))

    assert after.has_unrest("dacia")
    assert (left(after), after.reserve_unrest) == ((0, 0), 0)


# -- rolling again ---------------------------------------------------------------------------------------------


@pytest.mark.rule("p15-barbaria-reroll")
def test_both_activity_dice_are_rolled_again():
    """The new faces count (p. 15)."""
    position = barbaria(1)
    choice = first_choice(position, *QUIET)
    once = phase(position, *QUIET, "reroll", *faces_of("dacia"))
    quiet = phase(position, *QUIET, "reroll", *QUIET)

    assert (choice.decider, choice.options) == ("barbarian", ("no", "reroll"))
    assert choice.question.endswith(" (bithynia); roll again?")
    assert once.has_unrest("dacia") and not quiet.unrest
    assert left(once) == left(quiet) == (0, 0)


@pytest.mark.rule("p15-barbaria-reroll")
def test_the_question_whether_to_roll_again_names_the_province():
    """That of an activity, of the border of an echo and of the activity that follows it; a check names its link already."""
    active = first_choice(barbaria(1), *faces_of("dacia"))
    echo = barbaria(1, revolts="galatia", armies="persia")
    border = first_choice(echo, *faces_of("galatia"), "no", 1)
    again = first_choice(echo, *faces_of("galatia"), "no", 5, "no", 1)

    assert active.question.endswith(" (dacia); roll again?")
    assert border.question == "echo: region: 1 (gaetulia); roll again?"
    assert again.question.startswith("echo: province: 1 (") and "galatia" not in again.question


@pytest.mark.choice("I-REROLL")
def test_dice_rolled_again_are_rolled_once_more_by_another_reading():
    """As often as he has gray discs [I-REROLL]; the last faces count."""
    position = barbaria(2, readings={"I-REROLL": "again"})
    once = phase(position, *QUIET, "reroll", *faces_of("dacia"), "no")
    twice = phase(position, *QUIET, "reroll", *QUIET, "reroll", *faces_of("dacia"))

    assert (left(once), left(twice)) == ((1, 0), (0, 0))
    assert once.unrest == twice.unrest == {"dacia"}


@pytest.mark.choice("I-REROLL")
def test_each_roll_of_a_phase_can_be_made_again_once():
    """A check that was rolled again stands; the next roll is another one."""
    spread = barbaria(3, revolts="dacia", unrest="moesia_superior")
    after = phase(spread, BLOCKED, "reroll", BLOCKED, *QUIET, "reroll", *faces_of("asia"))
    assert after.unrest == {"moesia_superior", "asia"}
    assert left(after) == (1, 0)


@pytest.mark.rule("p15-barbaria-reroll")
def test_every_roll_can_be_made_again():
    """Checks, the echo's dice, the dice of a battle (p. 15)."""
    spread = barbaria(1, revolts="dacia", unrest="moesia_superior")
    assert phase(spread, BLOCKED, "reroll", LINKED, *QUIET).has_revolt("moesia_superior")
    echo = barbaria(1, revolts="galatia", readings={"I-FRESH": "wait"})
    assert phase(echo, *faces_of("galatia"), "no", 2, "reroll", 1).armies == ("gaetulia",)
    march = barbaria(1, revolts="rhaetia", armies="rhaetia")
    assert phase(march, *QUIET, "no", "no", BLOCKED, "reroll", LINKED).armies == ("cisalpina",)
    battle = barbaria(1, armies="libya", at={"diocletian": "aegyptus"})
    beaten = phase(battle, *QUIET, "no", "no", 6, 1, "reroll", 1, 6)
    assert (beaten.armies, beaten.emperors["diocletian"]) == (("aegyptus",), None)


@pytest.mark.choice("I-CHECK", "I-REROLL")
def test_checks_can_be_made_again_one_by_one_or_together():
    """Each that is rolled, as often as I-CHECK rolls them."""
    together = barbaria(1, revolts="dacia", unrest="moesia_superior", readings={"I-CHECK": "one-roll"})
    assert phase(together, BLOCKED, "reroll", LINKED, *QUIET).has_revolt("moesia_superior")
    echo = barbaria(2, revolts="dacia")
    region = phase(echo, *faces_of("dacia"), "no", LINKED, "no", LINKED, "reroll", LINKED, 2, "reroll", 1, LINKED)
    assert region.armies == ("tingitana",)


@pytest.mark.choice("I-REROLL-ECHO")
def test_the_echo_on_an_occupied_border_can_be_rolled_again():
    """The province die of the echo, and not that of the region (p. 15)."""
    position = barbaria(1, revolts="asia", garrisons={"diocletian": "libya"})
    after = phase(position, *faces_of("asia"), "no", 6, "no", 1, "reroll", 2)

    assert after.unrest == {"cyrenaica"}


@pytest.mark.rule("p15-barbaria-reroll")
def test_a_usurpers_die_can_be_rolled_again():
    """But where a figure stands it is rolled again in any case, and nobody is asked (p. 14, 15)."""
    provinces = AFRICA.replace(" africa", "")
    position = barbaria(
        1,
        also="usurpator",
        revolts=provinces,
        unrest="africa",
        garrisons={"diocletian": "libya"},
        at={"galerius": "asia"},
    )
    after = phase(position, 4, "reroll", 5, *QUIET)
    assert after.armies == ("caesariensis",)
    taken = position.with_figure("diocletian", "roma").with_army(None, "numidia")
    rising = Rising(taken.with_disc("africa", "revolt"), (6,), frozenset(), Activity)
    assert rules.questions.landed(rising, (4,), rising.roll().results[3]) == rising


# -- the advance -----------------------------------------------------------------------------------------------


@pytest.mark.rule("p15-barbaria-cancel")
def test_he_cancels_an_advance():
    """The army stays where it is (p. 15)."""
    position = barbaria(1, armies="libya")
    choice = first_choice(position, *QUIET, "no")
    after = phase(position, *QUIET, "no", "cancel")

    assert choice.options == ("no", "cancel")  # outside the Empire there is no other way
    assert (after.armies, left(after)) == (("libya",), (0, 0))
    assert phase(position, *QUIET, "no", "no").armies == ("aegyptus",)


@pytest.mark.rule("p15-barbaria-turn")
def test_he_turns_an_army():
    """To any linked Roman province without an army, Roma too; there it follows the arrow (p. 15)."""
    position = barbaria(1, armies="etruria rhaetia", revolts="etruria rhaetia")
    assert first_choice(position, *QUIET, "no").options == ("no", "cancel", "turn:cisalpina", "turn:sardinia")
    at_roma = barbaria(1, armies="lucania", revolts="lucania", at={"diocletian": "asia"})
    assert "turn:epirus" in first_choice(at_roma, *QUIET, "no").options
    away = phase(at_roma, *QUIET, "no", "turn:sicilia", LINKED)
    assert (away.armies, left(away)) == (("sicilia",), (0, 0))
    assert away.has_revolt("sicilia")
    sicilia = barbaria(1, armies="epirus", revolts="epirus", at={"diocletian": "asia"})
    assert phase(sicilia, *QUIET, "no", "turn:achaia").armies == ("achaia",)


@pytest.mark.rule("p15-barbaria-turn")
def test_a_turned_army_goes_on_along_arrows_or_the_shortest_way():
    """In the next phase: from a province with an arrow along it, from one without on the shortest way to Roma (p. 15)."""
    at = {"diocletian": "asia"}
    arrow = phase(barbaria(1, armies="lucania", revolts="lucania", at=at), *QUIET, "no", "turn:sicilia", LINKED)
    none = phase(barbaria(1, armies="epirus", revolts="epirus", at=at), *QUIET, "no", "turn:achaia")
    later = {
        turned.armies: phase(turned.replace(phase=Phase.BARBARIAN, ip=0), *QUIET, *dice)
        for turned, dice in ((arrow, [LINKED]), (none, []))
    }

    assert later["sicilia",].armies == ("lucania",)
    assert later["achaia",].armies == ("epirus",)


@pytest.mark.rule("p15-barbaria-turn")
def test_without_an_arrow_it_goes_the_shortest_way():
    """As usurpers do, and its distance is counted along it [I-SHORTEST]."""
    position = barbaria(0, armies="achaia", revolts="achaia", at={"diocletian": "asia"})
    assert barbarians(position, *QUIET).armies == ("epirus",)
    assert position.status() == ()
    noricum = {"armies": "noricum", "revolts": "noricum", "at": {"diocletian": "asia"}}
    assert barbarians(barbaria(0, **noricum), *QUIET).armies == ("rhaetia",)
    assert barbarians(barbaria(0, **noricum, readings={"I-SHORTEST": "file"}), *QUIET).armies == ("rhaetia",)


@pytest.mark.rule("p15-barbaria-turn")
def test_he_can_turn_it_to_roma():
    """An army beside Roma that goes another way."""
    board = build_map(
        PROVINCES.replace("etruria            etr 0:0   2  roma", "etruria            etr 0:0   2  cisalpina")
    )
    position = barbaria(1, armies="etruria", revolts="etruria", at={"diocletian": "asia"}, board=board)

    assert "turn:roma" in first_choice(position, *QUIET, "no").options
    assert phase(position, *QUIET, "no", "turn:roma") is Fall.ARMY_IN_ROMA


@pytest.mark.rule("p15-barbaria-turn-broken")
def test_a_broken_link_cancels_the_turn():
    """The army does not come where it was turned to (p. 15)."""
    position = barbaria(1, armies="tarraconensis", revolts="tarraconensis", at={"diocletian": "asia"})

    assert phase(position, *QUIET, "no", "turn:aquitania", LINKED).armies == ("aquitania",)
    assert phase(position, *QUIET, "no", "turn:aquitania", BLOCKED).armies in (("tarraconensis",), ("narbonensis",))


@pytest.mark.choice("I-TURN-STOPPED", "I-TURN-DISC")
def test_a_stopped_army_stays_and_the_disc_is_spent():
    """The army stays, and follows its arrow in the next phase; the disc is spent (p. 15)."""
    position = barbaria(1, armies="dacia", revolts="dacia", at={"diocletian": "asia"})
    assert first_choice(position, *QUIET, "no").options[:2] == ("no", "cancel")
    after = phase(position, *QUIET, "no", "turn:moesia_superior", BLOCKED)

    assert (after.armies, left(after)) == (("dacia",), (0, 0))


@pytest.mark.choice("I-TURN-BLOCKED")
def test_a_blocked_army_can_be_turned_but_not_cancelled():
    """It stays anyway."""
    position = barbaria(1, armies="rhaetia cisalpina", revolts="rhaetia cisalpina", at={"diocletian": "etruria"})
    # the army in Cisalpina goes first, and loses its battle by a draw
    choice = first_choice(position, *QUIET, "no", "no", 2, 1, "no")
    assert choice.question.startswith("the army of rhaetia is blocked")
    assert choice.options == ("no", "turn:germania_superior", "turn:pannonia_superior", "turn:noricum")
    assert phase(position, *QUIET, "no", "no", 2, 1, "no", "turn:noricum").armies == ("cisalpina", "noricum")


@pytest.mark.choice("I-FRESH")
def test_he_is_not_asked_about_rebels_and_fresh_armies():
    """They do not advance (p. 16, I-FRESH)."""
    rebels = {"rebels": {"libya": rebel_army()}}
    assert phase(barbaria(1, armies="libya", revolts="libya", pieces=rebels), *QUIET, "no").armies == ("libya",)
    fresh = barbaria(1, revolts="asia", readings={"I-FRESH": "wait"})
    assert phase(fresh, *faces_of("asia"), "no", 6, "no").armies == ("libya",)


@pytest.mark.rule("p15-barbaria-turn")
def test_a_turned_army_attacks_and_enters():
    """As along its arrow: a general is attacked, the Vicarius dies, an unrest turns (p. 10, 13, 15)."""
    at = {"diocletian": "asia", "galerius": "noricum"}
    position = barbaria(1, armies="rhaetia", revolts="rhaetia", at=at, also="dux+vicarius", pieces={
        "dux": "germania_superior", "vicarius": "pannonia_superior"
    })  # fmt: skip
    battle = phase(position, *QUIET, "no", "turn:noricum", 1, 6)
    assert (battle.armies, battle.emperors["galerius"]) == (("noricum",), None)
    dux = phase(position, *QUIET, "no", "turn:germania_superior", 1, 6)
    assert dux.pieces.dux.dead
    assert phase(position, *QUIET, "no", "turn:pannonia_superior").pieces.vicarius.dead


@pytest.mark.rule("p13-goths-link")
def test_goths_pass_broken_links_on_three_when_turned():
    """They are more fearsome on every way (p. 13)."""
    position = barbaria(1, also="goths", pieces={"goths": "dacia"}, armies="dacia", revolts="dacia")
    after = phase(position, *QUIET, "no", "turn:moesia_superior", 3)

    assert after.goths == "moesia_superior"


# -- the black disc --------------------------------------------------------------------------------------------


@pytest.mark.rule("p15-barbaria-black", "p16-barbaria-black-place")
def test_the_black_disc_is_a_revolt_once_a_game():
    """In any empty province but the capitals (p. 15, 16)."""
    position = barbaria(0, 1, unrest="dacia", at={"diocletian": "asia"}, garrisons={"maximian": "numidia"})
    options = set(first_choice(position).options)
    closed = {*CAPITALS.values(), "numidia", "dacia"}
    roman = {place for place in MAP.ids if not MAP[place].is_border}

    assert options >= {"no", *(f"black:{place}" for place in roman - closed - {"roma", "asia"})}
    assert not options & {f"black:{place}" for place in closed}
    after = phase(position, "black:noricum", *QUIET)
    assert after.revolts == {"noricum"}
    assert left(after) == (0, 0)
    assert after.reserve_revolts == position.reserve_revolts == 20


@pytest.mark.choice("I-BLACK-EMPTY", "I-BLACK-CAPITALS", "I-BLACK-PLACE")
def test_where_the_black_disc_can_come():
    """To no province with a figure, not to Roma, to no border; the options come in the order of the board (p. 16)."""
    position = barbaria(0, 1, at={"diocletian": "asia", "galerius": "achaia"})
    closed = {"roma", *CAPITALS.values(), "asia", "achaia"}
    free = [place for place in MAP.ids if place not in closed and not MAP[place].is_border]

    assert first_choice(position).options == (
        "no",
        *(f"black:{place}" for place in free),
        *(f"army:{border}" for border in MAP.borders),
    )


@pytest.mark.rule("p15-barbaria-black")
def test_a_spent_black_disc_does_not_come_back():
    """When the round begins again he has four gray discs, and the black one no more (p. 15)."""
    position = barbaria(0, 1, to_move="maximian", at={"maximian": "roma"})
    after = phase(position, "black:noricum", *QUIET)

    assert left(after) == (4, 0)
    assert first_choice(after.replace(phase=Phase.BARBARIAN, ip=0), *QUIET).options == ("no", "reroll")


@pytest.mark.choice("I-BLACK-WHEN")
def test_before_each_step():
    """It burns what is linked only if it comes before the first step [I-BLACK-WHEN]."""
    position = barbaria(0, 1, unrest="noricum")
    first = phase(position, "black:pannonia_superior", *QUIET)
    second = phase(position, "no", "black:pannonia_superior", *faces_of("pannonia_superior"), 6)
    third = phase(position, "no", "no", *QUIET, "black:pannonia_superior")
    start = barbaria(0, 1, unrest="noricum", readings={"I-BLACK-WHEN": "start"})

    assert first.revolts == {"noricum", "pannonia_superior"}
    assert second.revolts >= {"pannonia_superior", "rhaetia", "dalmatia"}
    assert third.revolts == {"pannonia_superior"}
    assert left(phase(position, "no", "no", *QUIET, "no")) == (0, 1)
    assert left(phase(start, "no", *QUIET)) == (0, 1)


@pytest.mark.choice("I-BLACK-PLACE", "I-BLACK-CAPITALS")
def test_where_it_can_come_is_read_in_other_ways():
    """Borders [I-BLACK-PLACE], Roma [I-BLACK-CAPITALS]."""
    away = {"diocletian": "asia"}
    borders = barbaria(0, 1, readings={"I-BLACK-PLACE": "any"}, armies="libya", at=away)
    roma = barbaria(0, 1, readings={"I-BLACK-CAPITALS": "emperors"}, armies="libya", at=away)
    after = phase(borders, "black:persia", *QUIET)

    assert "black:libya" not in first_choice(borders).options
    assert "black:roma" in first_choice(roma).options
    assert "black:cisalpina" not in first_choice(roma).options
    assert after.has_revolt("persia")
    assert after.status() == ()
    assert "disc-on-border" in [r.code for r in barbaria(revolts="persia", legal=False).status()]


@pytest.mark.rule("p16-barbaria-black-army")
def test_or_it_is_exchanged_for_an_army():
    """On an empty border, while no army is on the board; the disc is a revolt of the reserve again (p. 16)."""
    lying = {"garrisons": {"diocletian": "persia"}, "at": {"diocletian": "gaetulia"}}
    position = barbaria(0, 1, readings={"I-FRESH": "wait"}, **lying)
    armies = [option for option in first_choice(position).options if option.startswith("army:")]
    after = phase(position, "army:libya", *QUIET)

    assert armies == ["army:britannia", "army:germania_magna", "army:sarmatia", "army:libya"]
    assert (after.armies, after.revolts) == (("libya",), set())
    assert (left(after), after.reserve_revolts) == ((0, 0), 21)
    assert not [o for o in first_choice(barbaria(0, 1, armies="libya")).options if o.startswith("army:")]


@pytest.mark.choice("I-FRESH", "I-BLACK-WHEN")
def test_the_army_is_as_fresh_as_others_of_the_phase():
    """From the first step on it waits in that reading [I-FRESH]; the Goths come where they would."""
    waits = barbaria(0, 1, readings={"I-FRESH": "wait"}, revolts="dacia", unrest="moesia_superior")
    assert phase(waits, "army:libya", BLOCKED, *QUIET).armies == ("libya",)
    goths = barbaria(0, 1, also="goths")
    assert phase(goths, "no", "no", *QUIET, "army:sarmatia", 1).goths == "sarmatia"
    assert phase(goths, "no", "no", *QUIET, "army:libya").goths is None


@pytest.mark.rule("p16-barbaria-black-army", "p16-rebel-counts")
def test_a_rebel_is_an_army_on_the_board():
    """They count (p. 16)."""
    rebels = barbaria(0, 1, armies="libya", revolts="libya", pieces={"rebels": {"libya": rebel_army()}})

    assert not [option for option in first_choice(rebels).options if option.startswith("army:")]


@pytest.mark.choice("I-BLACK-WHEN")
def test_the_revolt_can_raise_a_usurper():
    """He rests in the phase in which he rose, whichever step comes (p. 14)."""
    provinces = AFRICA.replace(" africa", "")
    position = barbaria(0, 1, also="usurpator", revolts=provinces, garrisons={"diocletian": "libya"})
    for answers in (("black:africa", 6), ("no", "black:africa", 6)):
        after = phase(position, *answers, *QUIET)
        assert after.armies == ("africa",)
    assert phase(position, "no", "no", *QUIET, "black:africa", 6).armies == ("africa",)


@pytest.mark.rule("p15-barbaria-black")
def test_it_is_never_a_fall():
    """The disc was his, and the last revolts of the reserve are not needed."""
    lying = others_than("roma", "asia", *CAPITALS.values(), "dacia", "noricum").split()[:20]
    position = barbaria(0, 1, revolts=" ".join(lying))
    assert position.reserve_revolts == 0
    placed = first_choice(position).after("black:dacia")

    assert not isinstance(placed, Fall)
    assert len(placed.position.revolts) == 21


# -- policies --------------------------------------------------------------------------------------------------


@pytest.mark.program
def test_declining_everything_is_the_base_game():
    """The results are those without the Barbarian player, but for his discs."""
    position = barbaria(3, 1, revolts="dacia rhaetia", armies="rhaetia", unrest="moesia_superior")
    plain = extended("", at=ROMA, barbarian=True, revolts="dacia rhaetia", armies="rhaetia", unrest="moesia_superior")

    def bare(after):
        return after if isinstance(after, Fall) else after.replace(pieces={}, ruleset=plain.ruleset)

    assert rules.outcomes(position).map(bare) == rules.outcomes(plain)
    assert rules.figures(position).p_uprising == rules.figures(plain).p_uprising


@pytest.mark.program
def test_eager_rolls_again_where_nothing_happens():
    """Once for each disc: the chance of an uprising grows by that of rolling again (p. 15)."""
    bare = others_than("bithynia", "dacia", "numidia", "roma")
    secured = {"maximian": " ".join(bare.split()[:4])}
    position = barbaria(1, revolts="numidia", garrisons=secured)
    calm = Fraction(sum(position.is_protected(MAP.at(r, n)) for r in range(1, 7) for n in range(1, 7)), 36)

    figures = rules.figures(position, rules.eager)
    assert figures.p_uprising == Fraction(1, 36) * (1 + calm)
    assert figures.p_uprising == rules.uprising_chance(position, rules.eager)
    assert rules.figures(position).p_uprising == Fraction(1, 36)


@pytest.mark.program
def test_eager_rolls_a_blocked_check_again():
    """And not one that holds."""
    position = barbaria(1, revolts="dacia", unrest="moesia_superior")
    blocked, linked = (first_choice(position, face) for face in (BLOCKED, LINKED))

    assert (rules.eager(blocked), rules.eager(linked)) == (1, 0)
    goths = barbaria(1, also="goths", pieces={"goths": "rhaetia"}, armies="rhaetia", revolts="rhaetia")
    assert [rules.eager(first_choice(goths, *QUIET, "no", "no", face)) for face in (2, 3)] == [1, 0]


@pytest.mark.program
def test_eager_rolls_a_lost_battle_again():
    """One that Rome has won; a draw stays."""
    position = barbaria(1, revolts="rhaetia", armies="rhaetia", at={"diocletian": "cisalpina"})
    asked = [first_choice(position, *QUIET, "no", "no", LINKED, "no", *faces) for faces in ((6, 1), (2, 1), (1, 6))]

    assert [rules.eager(choice) for choice in asked] == [1, 0, 0]


@pytest.mark.program
def test_eager_goes_around():
    """An army in the way; a general who is likelier to win; else it goes its way."""

    def answer(position, *course):
        choice = first_choice(position, *course)
        return choice.options[rules.eager(choice)]

    blocked = barbaria(1, armies="rhaetia cisalpina", revolts="rhaetia cisalpina", at={"diocletian": "etruria"})
    assert answer(blocked, *QUIET, "no", "no", 2, 1, "no") == "turn:germania_superior"
    at = {"diocletian": "germania_superior", "maximian": "cisalpina"}
    strong = barbaria(1, armies="rhaetia", revolts="rhaetia", at=at, garrisons={"maximian": "etruria lucania"})
    assert answer(strong, *QUIET, "no") == "turn:pannonia_superior"
    weak = barbaria(1, armies="rhaetia", revolts="rhaetia noricum pannonia_superior", at={"diocletian": "cisalpina"})
    assert answer(weak, *QUIET, "no") == "no"
    border = barbaria(1, armies="libya", at={"diocletian": "aegyptus"}, garrisons={"diocletian": "aegyptus syria asia"})
    assert answer(border, *QUIET, "no") == "cancel"
    assert answer(barbaria(1, armies="libya"), *QUIET, "no") == "no"


@pytest.mark.program
def test_eager_spends_the_black_disc_at_once():
    """For an army where one can come, else for a revolt; the first that there is."""
    open_board, closed = first_choice(barbaria(0, 1)), first_choice(barbaria(0, 1, armies="libya"))

    assert open_board.options[rules.eager(open_board)] == "army:gaetulia"
    assert closed.options[rules.eager(closed)] == "black:etruria"
    assert rules.outcomes(barbaria(0, 1), rules.eager).probability(lambda after: left(after) == (0, 0)) == 1


@pytest.mark.program
def test_an_answer_that_is_no_option_is_refused():
    """A policy has to choose among what there is."""
    with pytest.raises(ValueError, match="99 is no option, expected 0 to"):
        rules.outcomes(barbaria(0, 1), lambda _choice: 99)


# -- with everything else --------------------------------------------------------------------------------------


@pytest.mark.rule("p15-barbaria-discs", "p15-glory-victory")
def test_the_discs_of_glory_and_the_gray_ones_are_of_one_supply():
    """21 unrest discs, wherever they are (p. 15)."""
    position = barbaria(4, 1, also="roma-aeterna", pieces={"glory": {"diocletian": 3}}, unrest="dacia")

    assert position.reserve_unrest == 21 - 1 - 3 - 4
    assert UNREST_DISC in position.discs.values()
