"""Records of games with modules, variants and scenarios: written, read, replayed, refused."""

from functools import cache
from random import Random

import pytest
from moduletable import extended, random_start
from tabletop import MAP, played_on

from tetrasolve.errors import IllegalActionError, RecordError, RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome, attack, deploy
from tetrasolve.tetrarchia.game import Game, SetUp, new_game, new_scenario
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import GivenDice
from tetrasolve.tetrarchia.ruleset import Ruleset

THINGS = 30


@cache
def some_game(number):
    """A set-up, a scenario, or a game from any start."""
    random = Random(f"record {number}")
    start = random_start(random, MAP)
    if number % 3 == 0:
        return played_on(
            new_game(start.ruleset, number, board=MAP) if not start.rebels else Game(start), number, THINGS
        )
    if number % 3 == 1:
        name = rules.scenarios()[number // 3 % 4]
        return played_on(new_scenario(name, number, fixed=number % 2 == 0, board=MAP), number, THINGS)
    return played_on(Game(start), number, THINGS)


@pytest.mark.parametrize("number", range(36))
def test_a_game_comes_back_from_its_record(number):
    """Start, set-up dice, actions, faces and result are the same again, and so is the text."""
    game = some_game(number)
    text = write_record(game)
    again = read_record(text, MAP)

    assert (again.start, again.set_up, again.played, again.state) == (game.start, game.set_up, game.played, game.state)
    assert write_record(again) == text


def test_a_scenario_is_named_in_its_record():
    """Its name stands before the set-up, which is verified with it."""
    game = new_scenario("mauretanian-war", 7, (1, 3), fixed=True, board=MAP)
    text = write_record(game)

    assert game.set_up == SetUp((1, 3), (), "mauretanian-war", fixed=True)
    assert "\nscenario mauretanian-war fixed\nset-up 13: \n" in text.replace("13:\n", "13: \n")
    assert read_record(text, MAP).set_up == game.set_up


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("scenario carausian-revolt", "scenario punic-wars", "does not exist"),
        ("scenario carausian-revolt", "scenario carausian-revolt loosely", "found 'loosely'"),
        ("scenario carausian-revolt", "scenario carausian-revolt fixed", "faces of the set-up are not used"),
        ("scenario carausian-revolt\n", "", "fleets in zones|no die is left|the dice of the set-up give"),
        ("set-up 23:", "set-up 13:", "Pirates keep fleets out of zone 1"),
        ("ruleset 4221+pirates", "ruleset 4221", "played with pirates"),
    ],
)
def test_a_scenario_that_did_not_begin_so_is_refused(old, new, problem):
    """What the record says about its set-up has to give its start."""
    text = write_record(new_scenario("carausian-revolt", 7, (2, 3), board=MAP))

    assert old in text
    with pytest.raises(RecordError, match=problem):
        read_record(text.replace(old, new), MAP)


def test_a_set_up_without_its_scenario_line_is_refused():
    """The line 'scenario' is followed by the set-up."""
    text = write_record(new_scenario("carausian-revolt", 7, board=MAP))
    without = "\n".join(line for line in text.split("\n") if not line.startswith("set-up"))

    with pytest.raises(RecordError, match="expected a line 'set-up"):
        read_record(without, MAP)


def test_the_pirates_die_is_among_the_faces_of_the_set_up():
    """Every face of a set-up is in its record, and gives the same position again."""
    game = new_game(Ruleset.from_text("4211+pirates"), 3, board=MAP)

    assert game.set_up.faces[-1] == game.start.pieces.pirates.zone
    assert rules.set_up(game.start.ruleset, game.set_up.fleets, GivenDice(game.set_up.faces), MAP) == game.start


def test_battles_of_the_dux_and_at_sea_have_their_faces():
    """An attack of any figure stands in the record with two faces."""
    start = extended("dux+pirates", {"dux": "asia", "pirates": 3}, at={"diocletian": "galatia"}, fleets=(1, 2))
    game = Game(start)
    game.attack("pirates", GivenDice([6, 1]), "dux")

    assert game.played[0].action == attack("pirates", Outcome.VICTORY, "dux")
    assert "dux: attack pirates: victory 6-1" in write_record(game)
    assert read_record(write_record(game), MAP).state == game.state
    forged = write_record(game).replace("6-1", "1-6")
    with pytest.raises(RecordError, match="1-6 make it a defeat"):
        read_record(forged, MAP)


def test_a_deployment_has_no_dice():
    """Only attacks have."""
    start = extended("dux", at={"diocletian": "galatia"})

    with pytest.raises(IllegalActionError, match="only an attack has dice"):
        Game(start).act(deploy("dux", "asia"), (1, 2))


def test_a_scenario_is_refused_as_its_set_up_refuses_it():
    """Unknown names and rulesets that do not fit."""
    with pytest.raises(RulesetError, match="does not exist"):
        new_scenario("punic-wars", 1)
    with pytest.raises(RulesetError, match="played with goths"):
        new_scenario("danubian-wars", 1, ruleset=Ruleset.from_text("4222"))


# -- decisions in the Barbarian phase ----------------------------------------------------------------------------

DECIDED = """
tetrasolve-record/1
board tetrarchia
ruleset 4211+barbaria+imperium
start 4211+barbaria+imperium M:6 -/-/-/rom 12 lib - - -/-/-/- {discs} {removed}
1 maximian: imperium reserve; end
dice: no no 5 6 reroll 5 6 no no cancel
result open
""".lstrip().format(
    discs='barbarian_discs={"gray":3,"black":1}',
    removed='removed={"diocletian":0,"galerius":0,"constantius":0,"maximian":0}',
)


def test_answers_stand_between_the_faces():
    """In the order in which they were asked for, by name."""
    game = read_record(DECIDED, MAP)
    phase = game.played[-1]

    assert phase.course == ("no", "no", 5, 6, "reroll", 5, 6, "no", "no", "cancel")
    assert phase.faces == (5, 6, 5, 6)
    assert game.position.armies == ("libya",)
    assert game.position.gray == 4  # filled up
    assert read_record(write_record(game), MAP).played == game.played
    assert "\ndice: no no 5 6 reroll 5 6 no no cancel\n" in write_record(game)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("no cancel", "no", "no answer is left for: the army of libya"),
        ("no cancel", "no cancel no", "1 faces are not used: there is no choice for 'no'"),
        ("no cancel", "no stay", "'stay' is no answer to: the army of libya .* expected no, cancel"),
        ("reroll", "4", "'4' is no answer to: activity: region, activity: province: 5-6"),
        ("dice: no", "dice: black:roma", "'black:roma' is no answer to: spend the black disc"),
        ("5 6 no", "5 no no", "'no' is no face of a die, expected 1 to 6 for: activity: province"),
        ("5 6 no", "5 7 no", "'7' is no face of a die"),
        ("imperium reserve", "imperium roma", "no disc of his lies in roma"),
        ("imperium reserve", "imperium reserve; imperium reserve", "has used his power"),
    ],
)
def test_answers_that_were_not_possible_are_refused(old, new, problem):
    """The line and the question are named."""
    assert old in DECIDED
    with pytest.raises(RecordError, match=problem) as caught:
        read_record(DECIDED.replace(old, new), MAP)
    assert str(caught.value).startswith("line ")


def test_what_galerius_paid_stands_in_the_record():
    """The faces are those that were rolled, and with what he added they make the outcome."""
    start = extended(
        "imperium",
        to_move="galerius",
        at={"galerius": "noricum"},
        armies="rhaetia",
        revolts="rhaetia",
        garrisons={"galerius": "dacia"},
    )
    game, asked = Game(start), []

    def pay(action, faces, discs):
        asked.append((str(action), faces, discs))
        return discs[-1]

    action = game.attack("rhaetia", GivenDice([1, 3]), pay=pay)

    assert str(action).startswith("attack rhaetia: victory +reserve")
    assert action.outcome is Outcome.VICTORY
    assert asked[0] == ("attack rhaetia: defeat", (1, 3), ("reserve", "dacia"))
    assert asked[1][2] == ("reserve",)
    assert f"{action} 1-3" in write_record(game)
    assert read_record(write_record(game), MAP).state == game.state
    forged = write_record(game).replace(" +dacia", "")
    with pytest.raises(RecordError, match="make it a"):
        read_record(forged, MAP)


def test_he_may_leave_it_at_that():
    """Without anybody to pay nothing is added."""
    start = extended("imperium", to_move="galerius", at={"galerius": "noricum"}, armies="rhaetia", revolts="rhaetia")
    plain, declined = Game(start), Game(start)
    plain.attack("rhaetia", GivenDice([1, 3]))
    declined.attack("rhaetia", GivenDice([1, 3]), pay=lambda *_: None)

    assert plain.played == declined.played
    assert plain.position.removed["galerius"] == 0
