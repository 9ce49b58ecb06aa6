"""Every worked example of the rulebook, on the board that ships with the library."""

import json
from fractions import Fraction
from importlib import resources
from itertools import pairwise

import pytest
from tabletop import chance, play

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, Outcome, attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Battle
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

BOARD = Board.standard()


def named(name: str) -> Position:
    file = resources.files("tetrasolve.tetrarchia").joinpath(f"data/positions/{name}.json")
    return Position.from_json(file.read_text("utf-8"))


@pytest.fixture(scope="module")
def fight() -> Position:
    """The picture on page 8: an army in Narbonensis, Maximian in Germania Superior, Constantius in Aquitania."""
    return named("fight")


@pytest.fixture(scope="module")
def ambush() -> Position:
    """The same with Maximian waiting in Cisalpina (page 11)."""
    return named("ambush")


@pytest.mark.program
@pytest.mark.parametrize("name", ["movement", "fight", "ambush"])
def test_the_pictures_are_legal_positions(name):
    """A position of the rulebook breaks none of its rules, and is read back as it is printed."""
    position = named(name)

    assert position.status() == ()
    assert Position.from_json(position.to_json()) == Position.parse(str(position)) == position


# -- contents and set-up (pages 5 and 6) -----------------------------------------------------------------------


@pytest.mark.rule("p05-coordinates")
def test_the_example_of_coordinates():
    """II:5 is Aquitania (p. 5)."""
    assert BOARD.find("II:5").id == BOARD.at(2, 5) == "aquitania"


@pytest.mark.rule("p06-levels")
def test_the_number_of_levels():
    """The four figures of a level make 81 levels (p. 6)."""
    levels = list(all_levels())

    assert len(levels) == len(set(levels)) == len({ruleset.level for ruleset in levels}) == 81


@pytest.mark.rule("p06-levels")
@pytest.mark.parametrize(
    ("level", "garrisons", "fleets", "revolts", "armies"),
    [("4211", 4, 2, 1, 1), ("4200", 4, 2, 0, 0), ("5300", 5, 3, 0, 0), ("5111", 5, 1, 1, 1)],
)
def test_the_examples_of_levels(level, garrisons, fleets, revolts, armies):
    """4211 is the medium level, 4200 an easier one, 5300 the easiest; 5111 gives power and hinders at sea (p. 6)."""
    ruleset = Ruleset.from_level(level)

    assert (ruleset.garrisons, ruleset.fleets, ruleset.revolts, ruleset.armies) == (garrisons, fleets, revolts, armies)
    assert ruleset in set(all_levels())
    assert next(all_levels()).level == "5300"


# -- movement (page 7) -----------------------------------------------------------------------------------------


@pytest.mark.rule("p07-example")
def test_the_movement_example():
    """From Bithynia to Macedonia by fleet for 1 IP, past Galerius, to Dalmatia for 3, and 2 are left (p. 7)."""
    start = named("movement")
    by_sea = play(start, "move macedonia")
    there = play(by_sea, "move dalmatia")

    assert start.here == "bithynia"
    assert 3 in start.fleets
    assert start.emperors["galerius"] == "macedonia"
    assert by_sea.ip == 5
    assert not rules.may_end(by_sea)  # he may cross paths, not stop
    assert (there.here, there.ip) == ("dalmatia", 2)
    assert play(there, "remove").ip == 0  # he could remove the revolt in Dalmatia
    assert "dalmatia" not in play(there, "remove").discs


# -- the attack (pages 8 and 9) --------------------------------------------------------------------------------


@pytest.mark.rule("p08-example-cost", "p08-example-values")
def test_the_attack_from_germania_superior(fight):
    """Maximian spends 2 IP: (d6 + 3) x 2 against d6 + 7 (p. 8)."""
    assert rules.battle(fight, "maximian", "narbonensis") == Battle(garrisons=3, emperors=1, revolts=7, armies=0)
    assert rules.cost(fight, attack("narbonensis", Outcome.VICTORY)) == 2
    # 8 10 12 14 16 18 against 8 to 13
    assert rules.battle(fight, "maximian", "narbonensis").chances() == {
        Outcome.VICTORY: 24,
        Outcome.DRAW: 3,
        Outcome.DEFEAT: 9,
    }


@pytest.mark.rule("p08-example-cost")
def test_the_same_attack_from_cisalpina(fight):
    """Cisalpina gives Maximian no other value, and costs him 3 IP (p. 9)."""
    there = fight.with_emperor("maximian", "cisalpina")

    assert rules.battle(there, "maximian", "narbonensis") == Battle(3, 1, 7, 0)
    assert rules.cost(there, attack("narbonensis", Outcome.VICTORY)) == 3


@pytest.mark.rule("p09-example-allies")
def test_with_diocletian_in_lugdunensis(fight):
    """Diocletian in Lugdunensis stands beside the target too: four times the Roman value (p. 9)."""
    assert rules.battle(fight.with_emperor("diocletian", "lugdunensis"), "maximian", "narbonensis") == Battle(
        3, 2, 7, 0
    )


@pytest.mark.rule("p09-example-allies")
def test_with_another_army_in_rhaetia(fight):
    """A second army beside the attacker, in Rhaetia, doubles the Barbarian value (p. 9)."""
    second = fight.with_army(None, "rhaetia").with_disc("rhaetia", "revolt")

    assert second.status() == ()
    assert rules.battle(second, "maximian", "narbonensis") == Battle(3, 1, 7, 1)


@pytest.mark.rule("p09-example-constantius")
def test_with_constantius_as_the_attacker(fight):
    """Constantius would have (d6 + 1) x 2, from his garrison in Lugdunensis (p. 9)."""
    position = fight.replace(to_move="constantius")

    assert rules.battle(position, "constantius", "narbonensis") == Battle(1, 1, 7, 0)
    assert attack("narbonensis", Outcome.VICTORY) in rules.legal_actions(position)


@pytest.mark.rule("p09-example-subdue")
def test_subduing_tarraconensis(fight):
    """Without the revolt in Tarraconensis the Barbarian value is d6 + 1 (p. 9)."""
    position = fight.replace(to_move="constantius").with_emperor("constantius", "tarraconensis")
    subdued = play(position, "remove")

    assert rules.battle(position, "maximian", "narbonensis").revolts == 7
    assert rules.battle(subdued, "maximian", "narbonensis").revolts == 1
    reduced = play(position, "reduce")
    assert rules.battle(reduced, "maximian", "narbonensis").revolts == 1


@pytest.mark.rule("p09-example-one-group")
def test_from_pannonia_superior_only_one_group_counts(fight):
    """From Pannonia Superior against Rhaetia Maximian is linked to 3 garrisons and to 1 in Dalmatia: +3 (p. 9)."""
    position = (
        fight.with_emperor("maximian", "pannonia_superior").with_army(None, "rhaetia").with_disc("rhaetia", "revolt")
    )

    assert rules.battle(position, "maximian", "rhaetia").garrisons == 3
    alone = position.with_disc("etruria", None)
    assert "dalmatia" in BOARD.neighbours("pannonia_superior")
    assert rules.battle(alone, "maximian", "rhaetia").garrisons == 1
    assert rules.battle(alone.with_disc("cisalpina", "unrest"), "maximian", "rhaetia").garrisons == 1  # Dalmatia's


@pytest.mark.rule("p08-victory-removes", "p08-victory-moves", "p08-defeat-removes", "p08-draw")
def test_the_outcomes_of_the_example(fight):
    """Victory puts him on the cleared Narbonensis; defeat sends him off; a draw lets him try again (p. 8)."""
    won, lost, drawn = (play(fight, f"attack narbonensis: {word}") for word in ("victory", "defeat", "draw"))

    assert (won.here, won.armies, won.ip) == ("narbonensis", (), 4)
    assert "narbonensis" not in won.discs
    assert (lost.here, lost.armies, lost.phase) == (None, ("narbonensis",), Phase.BARBARIAN)
    assert drawn == fight.replace(ip=4)


# -- the Barbarian phase (pages 9 to 11) -----------------------------------------------------------------------


@pytest.mark.rule("p09-domino")
def test_the_domino_example():
    """Unrest, unrest, revolt in a row of normal links become three revolts in one phase (p. 9)."""
    row = ("carthagenensis", "baetica", "lusitania")  # revolt, unrest, unrest
    position = named("movement").replace(
        phase=Phase.BARBARIAN, ip=0, discs={row[0]: "revolt", row[1]: "unrest", row[2]: "unrest"}
    )
    chain = [BOARD.link(a, b) for a, b in pairwise(row)]

    assert all(link is not None and not link.broken for link in chain)
    assert chance(position, lambda after: set(row) <= after.revolts) == 1


@pytest.mark.rule("p11-example-wait", "p11-attack-values")
def test_waiting_for_the_army_has_the_same_numbers(ambush):
    """Waiting in Cisalpina, Maximian is attacked with the same numbers (p. 11)."""
    assert ambush.emperors["maximian"] == "cisalpina"
    assert rules.battle(ambush, "maximian", "narbonensis") == Battle(3, 1, 7, 0)


@pytest.mark.rule("p11-example-wait")
def test_the_attack_arrives_with_chance_one_half(ambush):
    """The link to Cisalpina is broken: the attack does not arrive this turn with a probability of 50% (p. 11).

    What the activity rolls may change the battle, but not whether it takes place, so the phase is rolled through up to its
    first Clash and the chances of all ways there are added.
    """
    arriving, ways = Fraction(0), [(rules.barbarian.begin(ambush), Fraction(1))]
    seen = Fraction(0)
    while ways:
        step, weight = ways.pop()
        if weight < Fraction(1, 10**6):
            continue  # chains of uprisings without end: what is left out is bounded below
        if type(step).__name__ == "Clash":
            arriving += weight
            seen += weight
        elif hasattr(step, "roll"):
            ways.extend((after, weight * share) for after, share in step.roll().distribution().items())
        else:
            seen += weight
    rest = 1 - seen

    assert arriving <= Fraction(1, 2) <= arriving + rest
    assert rest < Fraction(1, 1000)


@pytest.mark.rule("p11-example-wait")
def test_the_ambush_where_nothing_else_can_happen(ambush):
    """With no army in the reserve and a quiet activity, victory, draw and defeat have half of 24, 3 and 9 in 36 (p. 11)."""
    quiet = ambush.replace(armies=("narbonensis", "libya", "persia"))
    step = rules.activity.resolve(quiet, "bithynia")
    ends = rules.barbarian.absorb(step, rules.barbarian.row).ends

    def ended(event):
        return ends.probability(lambda after: isinstance(after, Position) and event(after))

    assert ended(lambda after: "narbonensis" not in after.armies and "cisalpina" not in after.armies) == Fraction(
        24, 72
    )
    assert ended(lambda after: "cisalpina" in after.armies) == Fraction(9, 72)
    assert ended(lambda after: "narbonensis" in after.armies) == Fraction(3, 72) + Fraction(1, 2)


@pytest.mark.rule("p05-arrows")
def test_the_army_marches_towards_roma():
    """The army in Narbonensis comes from Hispania and moves on to Cisalpina, as the example has it (p. 8, 11)."""
    assert BOARD["narbonensis"].arrow == "cisalpina"
    assert BOARD["tarraconensis"].arrow == "narbonensis"


# -- reminders (page 11) ---------------------------------------------------------------------------------------


@pytest.mark.rule("p11-britannia")
def test_britannia_is_not_coastal():
    """Britannia has no coast, and no border is reached by sea (p. 11)."""
    assert not BOARD["britannia"].is_coastal


@pytest.mark.rule("p11-black-sea")
def test_the_black_sea_is_part_of_the_third_zone():
    """Moesia Inferior, on the Black Sea, lies on zone 3 (p. 11)."""
    assert 3 in BOARD["moesia_inferior"].zones


@pytest.mark.rule("p11-own-border")
def test_borders_of_other_regions():
    """Borders I and IV touch other regions, and are borders of their own alone (p. 11)."""
    leaving = {
        region.number
        for region in BOARD.regions
        if region.border and any(BOARD[name].region != region.number for name in BOARD.neighbours(region.border))
    }

    assert leaving == {1, 4}


@pytest.mark.rule("p11-no-landings")
def test_there_are_no_landings(fight):
    """Armies are attacked through links only (p. 11): from Numidia a fleet leads to Narbonensis, no attack does."""
    position = fight.with_emperor("maximian", "numidia")

    assert 2 in position.fleets
    assert 2 in BOARD["numidia"].zones & BOARD["narbonensis"].zones
    assert not [action for action in rules.legal_actions(position) if action.kind is Kind.ATTACK]


@pytest.mark.program
def test_the_pictures_are_in_the_exchange_format():
    """The files of the pictures are written as positions are printed."""
    for name in ("movement", "fight", "ambush"):
        file = resources.files("tetrasolve.tetrarchia").joinpath(f"data/positions/{name}.json")
        assert json.loads(named(name).to_json()) == json.loads(file.read_text("utf-8"))
