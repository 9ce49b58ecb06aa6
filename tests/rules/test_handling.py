"""What falls to the player who handles the pieces, where a reading lets somebody choose; and when players decide."""

import pytest
from moduletable import extended, first_choice, phase
from tabletop import faces_of, make_position

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.lint.phasesteps import PhaseSteps
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record, write_record

QUIET = faces_of("bithynia")
NO_DISCS = {"barbarian_discs": {"black": 0, "gray": 0}}
BLACK = {"barbarian_discs": {"black": 1, "gray": 0}}
GRAY = {"barbarian_discs": {"black": 0, "gray": 1}}
BOARD = Board.standard()


def on_the_board(text):
    """A position on the board of the library."""
    return Position.parse(text, BOARD)


def as_steps_say(position, *course):
    """The position after a phase, by its steps, which follow each army and must find it where the rules have it."""
    steps = PhaseSteps(position, course)
    assert [*steps.steps()]
    assert steps.end == phase(position, *course)
    return steps.end


# -- where the Pirates come back -----------------------------------------------------------------------------------


@pytest.mark.choice("I-PIRATES-ZONE")
@pytest.mark.parametrize(("names", "decider"), [("pirates", "diocletian"), ("pirates+barbaria", "barbarian")])
def test_the_zone_of_the_pirates_is_chosen(names, decider):
    """By the player who handles the pieces, before the uprising spreads (p. 13, 15)."""
    pieces = {"pirates": None} | (NO_DISCS if "barbaria" in names else {})
    table = {"at": {}, "revolts": "achaia", "barbarian": True, "readings": {"I-PIRATES-ZONE": "chosen"}}
    position = extended(names, pieces, fleets=(1,), **table)
    rise = faces_of("achaia")
    asked = first_choice(position, *rise)

    assert (asked.decider, asked.options) == (decider, ("no", "zone:3"))
    assert "zone 2" in asked.question and asked.eager() == 1
    for answer, zone in (("no", 2), ("zone:3", 3)):
        after = as_steps_say(position, *rise, answer, 1, 3)
        assert after.pieces.pirates.zone == zone
        assert after.armies == ("gaetulia",) and "epirus" in after.revolts
    one = extended(names, pieces, fleets=(1, 3), **table)
    assert as_steps_say(one, *rise, 1, 3).pieces.pirates.zone == 2  # there is nothing to choose


# -- which usurper rises first ---------------------------------------------------------------------------------------

TWO_REGIONS = {
    "revolts": "cyrenaica tripolitania numidia caesariensis africa cilicia cappadocia galatia asia bithynia",
    "unrest": "aegyptus syria",
    "garrisons": {"diocletian": "libya persia"},
    "at": {"diocletian": "roma"},
    "barbarian": True,
    "legal": False,
}


@pytest.mark.choice("I-USURPER-ORDER")
def test_the_region_that_raises_a_usurper_is_chosen():
    """Where the reserve has an army for one of two (p. 14)."""
    table = TWO_REGIONS | {"readings": {"I-USURPER-ORDER": "chosen"}}
    position = extended("usurpator", armies="britannia sarmatia", **table)
    asked = first_choice(position)

    assert (asked.decider, asked.options) == ("diocletian", ("no", "first:6"))
    assert "of the regions V, VI, full at once, V raises" in asked.question
    assert asked.eager() == 1
    for answer, place in (("no", "cilicia"), ("first:6", "cyrenaica")):
        after = as_steps_say(position, answer, 2, *faces_of("dacia"), 1, 1)
        assert set(after.armies) == {place, "britannia", "sarmatia"}
    enough = extended("usurpator", armies="britannia", **table)
    assert set(phase(enough, 2, 2, *faces_of("dacia"), 1).armies) == {"cilicia", "cyrenaica", "britannia"}


# -- which link is checked first -------------------------------------------------------------------------------------


@pytest.mark.choice("I-CHECK-ORDER")
def test_the_link_that_is_checked_next_is_chosen():
    """By the Barbarian player, while he can roll a check again (p. 15)."""
    text = '4111+barbaria?I-CHECK-ORDER={} D:b -/-/-/- 1 - dac - -/-/-/- barbarian_discs={{"black":0,"gray":{}}}'
    position, poor = on_the_board(text.format("chosen", 1)), on_the_board(text.format("chosen", 0))
    rise = (3, 5)
    asked = first_choice(position, *rise, "no")
    names = asked.question.removeprefix("of the broken links ").partition(" is")[0].split(", ")

    assert (asked.decider, len(asked.options)) == ("barbarian", 2)
    assert asked.options == ("no", f"first:{names[1]}") and names[0] == names[2]
    for answer, name in (("no", names[0]), (asked.options[1], names[1])):
        follows = asked.after(answer)
        assert follows.roll().questions == (f"check {name}",)
        (reached,) = {*name.split("~")} - {"dacia"}
        after = as_steps_say(position, *rise, "no", answer, 4, "no", 3, "no", 1, "no", "no", 3, "no")
        assert after.revolts == {"dacia", reached}
    assert phase(poor, *rise, 4, 3, 1, 3).revolts == {"dacia", names[0].replace("dacia", "").strip("~")}


@pytest.mark.choice("I-CHECK-ORDER", "I-CHECK", "I-CHECK-AGAIN")
def test_the_order_of_checks_matters_without_discs_by_two_readings():
    """Where one check makes what is checked after it; and it never does where all are checked by one roll (p. 9)."""
    text = "4111+barbaria?I-CHECK-ORDER=chosen{} D:b -/-/-/- 1 - dac msu.pin -/-/-/- barbarian_discs={}"
    for more, gray, asks in (
        ("", 0, False),
        ("", 1, True),
        (",I-CHECK=each-unrest", 0, True),
        (",I-CHECK-AGAIN=after-spread", 0, True),
        (",I-CHECK=one-roll", 1, False),
    ):
        step = rules.begin(on_the_board(text.format(more, f'{{"black":0,"gray":{gray}}}')))
        assert isinstance(step, rules.Choice) == asks, more
    assert step.roll().questions == ("check all broken links",)


# -- which way an army goes ------------------------------------------------------------------------------------------


@pytest.mark.choice("I-SHORTEST")
@pytest.mark.parametrize(("names", "decider"), [("usurpator", "diocletian"), ("barbaria", "barbarian")])
def test_the_way_of_an_army_without_an_arrow_is_chosen(names, decider):
    """Of the shortest ones, for nothing; one that another army blocks is a way, too (p. 10, 15)."""
    table = {"at": {}, "barbarian": True, "readings": {"I-SHORTEST": "chosen"}}
    pieces = NO_DISCS if names == "barbaria" else None
    position = extended(names, pieces, armies="lugdunensis", revolts="lugdunensis", **table)
    asked = first_choice(position, *QUIET)

    assert (asked.decider, asked.options, asked.eager()) == (decider, ("no", "way:narbonensis"), 1)
    assert "goes to Roma by germania_superior" in asked.question
    assert as_steps_say(position, *QUIET, "no").armies == ("germania_superior",)
    assert as_steps_say(position, *QUIET, "way:narbonensis").armies == ("narbonensis",)
    two = "lugdunensis narbonensis"
    behind = extended(names, pieces, armies=two, revolts=two, **table)
    held = as_steps_say(behind, *QUIET, 3, "way:narbonensis")  # the other army does not pass its check
    assert set(held.armies) == {"lugdunensis", "narbonensis"}
    third = {"readings": {"I-SHORTEST": "chosen", "I-WAY-BLOCKED": "another"}}
    apart = extended(names, pieces, armies=two, revolts=two, **(table | third))
    assert set(phase(apart, *QUIET, 3).armies) == {"germania_superior", "narbonensis"}  # one way is left


@pytest.mark.choice("I-SHORTEST")
def test_a_chosen_way_can_be_left_for_a_disc():
    """Then the army is turned; to the other shortest ways it goes for nothing (p. 15)."""
    table = {"at": {}, "barbarian": True, "armies": "lugdunensis", "revolts": "lugdunensis"}
    position = extended("barbaria", GRAY, readings={"I-SHORTEST": "chosen"}, **table)
    usual = extended("barbaria", GRAY, **table)
    stood = (*QUIET, "no")

    asked = first_choice(position, *stood, "way:narbonensis")
    turns = {option for option in asked.options if option.startswith("turn:")}
    assert "advances to narbonensis" in asked.question
    assert turns == {o for o in first_choice(usual, *stood).options if o.startswith("turn:")} - {"turn:narbonensis"}
    assert as_steps_say(position, *stood, "way:narbonensis", "no").armies == ("narbonensis",)
    assert as_steps_say(position, *stood, "way:narbonensis", "cancel").armies == ("lugdunensis",)
    assert as_steps_say(position, *stood, "no", "turn:belgica").armies == ("belgica",)


# -- the black disc in the advance -----------------------------------------------------------------------------------


@pytest.mark.choice("I-BLACK-WHEN")
def test_the_black_disc_between_two_armies():
    """Before the next one advances, and after the last: an army that comes then advances in the next phase (p. 15)."""
    table = {"at": {"diocletian": "rhaetia"}, "barbarian": True, "armies": "germania_magna persia"}
    three = [extended("barbaria", BLACK, readings={"I-BLACK-WHEN": v}, **table) for v in ("start", "steps", "armies")]
    start, steps, armies = three
    later = (*QUIET, "no")

    assert phase(start, "no", *QUIET, 4, 6, 1, 3).black == 1
    assert phase(steps, "no", *QUIET[:0], "no", *QUIET, "no", 4, 6, 1, 3).black == 1
    asked = first_choice(armies, "no", "no", *later, 4, 6, 1)
    assert asked.question == "spend the black disc before the army of persia advances?"
    assert not [option for option in asked.options if option.startswith("army:")]  # one is on the board
    after = as_steps_say(armies, "no", "no", *later, 4, 6, 1, "black:dacia", 3)
    assert (after.revolts, after.armies, after.black) == ({"dacia"}, ("persia",), 0)

    alone = extended("barbaria", BLACK, readings={"I-BLACK-WHEN": "armies"}, **(table | {"armies": "germania_magna"}))
    last = first_choice(alone, "no", "no", *later, 4, 6, 1)
    assert last.question == "spend the black disc after the advance?"
    come = as_steps_say(alone, "no", "no", *later, 4, 6, 1, "army:sarmatia")
    assert (come.armies, come.black, come.to_move) == (("sarmatia",), 0, "galerius")
    nobody = extended("barbaria", BLACK, readings={"I-BLACK-WHEN": "armies"}, **(table | {"armies": ""}))
    assert phase(nobody, "no", "no", *later).black == 1  # no army has advanced, so he is not asked again


# -- who decides first -----------------------------------------------------------------------------------------------


def attacked(value, discs=GRAY, **readings):
    """An army in Noricum, whose way by Rhaetia leads to Constantius, with no check on it."""
    return extended(
        "barbaria+imperium", discs, at={"constantius": "rhaetia"}, armies="noricum", revolts="noricum",
        barbarian=True, readings={"I-BLOCK-ORDER": value, **readings},
    )  # fmt: skip


@pytest.mark.choice("I-BLOCK-ORDER")
def test_who_decides_first_about_an_army():
    """The Barbarian player, or Constantius: an army that he blocks is not turned any more (p. 14, 15)."""
    barbarian, general = attacked("barbarian"), attacked("general")
    stood = (*QUIET, "no")

    assert [first_choice(one, *stood).decider for one in (barbarian, general)] == ["barbarian", "constantius"]
    assert first_choice(barbarian, *stood, "no").decider == "constantius"
    assert as_steps_say(barbarian, *stood, "turn:pannonia_superior").armies == ("pannonia_superior",)
    blocked = as_steps_say(general, *stood, "block:reserve")
    assert (blocked.armies, blocked.gray, blocked.removed["constantius"]) == (("noricum",), 1, 1)
    let = first_choice(general, *stood, "no")
    assert let.decider == "barbarian" and "cancel" in let.options
    fought = as_steps_say(general, *stood, "no", "no", 1, 6, "no")  # he is not asked again
    assert (fought.armies, fought.emperors["constantius"]) == (("rhaetia",), None)
    assert as_steps_say(general, *stood, "no", "turn:pannonia_superior").armies == ("pannonia_superior",)
    assert first_choice(attacked("general", NO_DISCS), *QUIET).decider == "constantius"


@pytest.mark.choice("I-BLOCK-ORDER", "I-CONSTANTIUS-WHEN", "I-CANCEL-WHEN")
def test_who_decides_first_at_a_check():
    """Before it, or after it: at each moment at which both can decide (p. 14, 15)."""
    table = {"at": {"constantius": "cisalpina"}, "armies": "rhaetia", "revolts": "rhaetia", "barbarian": True}

    def asked(*course, **readings):
        position = extended("barbaria+imperium", GRAY, readings=readings, **table)
        return first_choice(position, *QUIET, "no", *course).decider

    general = {"I-BLOCK-ORDER": "general"}
    before, late = {"I-CONSTANTIUS-WHEN": "before-check"}, {"I-CANCEL-WHEN": "after"}
    assert asked() == asked(**general) == asked(**before) == "barbarian"  # alone he waits for the check
    assert asked(**general, **before) == "constantius"
    assert asked("no", 4, "no", **late) == "barbarian"
    assert asked("no", 4, "no", **general, **late) == "constantius"
    assert asked("no", 4, "no", "no", **general, **late) == "barbarian"
    end = extended("barbaria+imperium", GRAY, readings=general | late, **table)
    assert as_steps_say(end, *QUIET, "no", "no", 4, "no", "no", "no", 1, 6, "no").emperors["constantius"] is None
    early = extended("barbaria+imperium", GRAY, readings=general | before, **table)
    assert as_steps_say(early, *QUIET, "no", "no", "no", 4, "no", 6, 1, "no").armies == ()
    assert as_steps_say(early, *QUIET, "no", "block:reserve").armies == ("rhaetia",)


# -- all of them -----------------------------------------------------------------------------------------------------


@pytest.mark.choice("I-ORDER-TIE", "I-TURN-WHEN")
def test_steps_follow_an_order_that_is_chosen_and_a_late_turn():
    """The armies are followed in the order that was said, and where they were turned."""
    tied = "narbonensis germania_superior"
    position = make_position(
        "galerius", at={}, armies=tied, revolts=tied, barbarian=True, readings={"I-ORDER-TIE": "chosen"}
    )
    assert set(as_steps_say(position, *QUIET, "first:narbonensis", 4).armies) == {"cisalpina", "germania_superior"}
    assert set(as_steps_say(position, *QUIET, "no", 4).armies) == {"cisalpina", "narbonensis"}
    turned = extended(
        "barbaria", GRAY, armies="tingitana", revolts="tingitana", at={}, barbarian=True,
        readings={"I-TURN-WHEN": "after"},
    )  # fmt: skip
    for face in (3, 4):
        course = (*QUIET, "no", "no", face, "no")
        assert as_steps_say(turned, *course, "turn:caesariensis").armies == ("caesariensis",)
        assert as_steps_say(turned, *course, "no").armies == (("tingitana",) if face == 3 else ("baetica",))


@pytest.mark.choice("I-SHORTEST", "I-PIRATES-ZONE", "I-CHECK-ORDER", "I-USURPER-ORDER")
def test_games_with_what_is_chosen_are_written_and_read():
    """The answers are in the record, among the faces."""
    for text, course, answer in (
        ("4211+usurpator?I-SHORTEST=chosen M:6 -/-/-/rom 23 lug lug - -/-/-/-", (1, 2, "way:narbonensis"), "way:narbonensis"),
        ("4111+pirates?I-PIRATES-ZONE=chosen M:6 -/-/-/rom 1 - ach - -/-/-/- pirates=null", (4, 5, "zone:3", *"13131"), "zone:3"),
    ):  # fmt: skip
        game = Game(on_the_board(text))
        game.end()
        faces = rules.GivenCourse([int(word) if str(word).isdigit() else word for word in course])
        assert answer in game.barbarians(faces, faces.decide)
        again = read_record(write_record(game))
        assert again.state == game.state and write_record(again) == write_record(game)
