"""Which rules apply in a game: by the tags of its steps, and by other ways to count the same."""

import tomllib
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, new_game, new_scenario
from tetrasolve.tetrarchia.hint.played import greedy_game, play_greedily
from tetrasolve.tetrarchia.lint.inplay import all_rules, applications, rules_in_play
from tetrasolve.tetrarchia.lint.phasesteps import PhaseSteps
from tetrasolve.tetrarchia.lint.steps import steps
from tetrasolve.tetrarchia.lint.turnsteps import TurnSteps, fight_tags
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()
RULEBOOK = Path(__file__).parents[2] / "docs" / "rulebook.toml"
TABLES = ("4211", "3122", "4221+dux+vicarius+pirates+goths", "4222+imperium+barbaria+usurpator", "great-persian-war")
GAME = cache(lambda table: greedy_game(table, "7"))  # takes a second


@pytest.mark.skipif(not RULEBOOK.is_file(), reason="the rulebook is not there")
def test_every_covered_row_of_the_rulebook_is_there():
    """Those that are covered and no others; each is observed, or says why not."""
    chapters = tomllib.loads(RULEBOOK.read_text("utf-8"))["chapter"]
    covered = [row for chapter in chapters if "uncovered" not in chapter for row in chapter["rules"]]

    assert sorted(all_rules()) == sorted(covered)
    assert all(bool(rule.shown_by) != bool(rule.why) for rule in all_rules().values())


def test_a_rule_is_in_play_with_what_it_needs():
    base = {rule.id for rule in rules_in_play(new_game(Ruleset.from_level("4211"), 1))}
    with_dux = {rule.id for rule in rules_in_play(new_game(Ruleset.from_text("4211+dux"), 1))}
    war = {rule.id for rule in rules_in_play(new_scenario("danubian-wars", 1))}

    assert {rule.partition("-")[2].partition("-")[0] for rule in with_dux - base} == {"dux"}
    assert "p06-levels" in base - war
    assert "p18-danube-level" in war - base
    assert "p16-rebel-stays" not in war, "that war has no rebels"


# -- counts of whole games, by another way -----------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_counts_are_those_of_the_record(table):
    """Kinds of actions, phases and ends, counted from what was played; each activity meets one thing."""
    game = GAME(table)
    tags = [*steps(game)]
    counts = applications(game)
    kinds = Counter(played.action.kind for played in game.played if played.action is not None)
    phases = sum(played.action is None for played in game.played)

    assert counts["p08-secure"] == kinds[Kind.SECURE]
    assert counts["p08-reduce-revolt"] == kinds[Kind.REDUCE]
    assert counts["p08-sail"] == kinds[Kind.SAIL]
    assert counts["p07-entry"] == kinds[Kind.ENTER]
    assert counts["p09-each-turn"] == phases
    assert counts["p11-at-once"] == 1
    assert counts["p10-activity"] == sum("activity" in step for step in tags)
    for step in tags:
        if step & {"activity", "echo-province"}:
            assert len(step & {"uprising", "on-unrest", "calm", "without-disc"}) == 1


@pytest.mark.parametrize("table", TABLES)
def test_a_record_shows_what_its_game_shows(table):
    assert [*steps(read_record(write_record(GAME(table))))] == [*steps(GAME(table))]


def test_a_replay_that_comes_elsewhere_is_refused():
    game = new_game(Ruleset.from_level("4211"), 3)
    play_greedily(game, "3", turns=2)
    first_phase = next(i for i, played in enumerate(game.played) if played.action is None)
    after = game._states[first_phase + 1]
    assert isinstance(after, Position)
    game._states[first_phase + 1] = after.replace(armies=())

    with pytest.raises(FindingError, match="does not come to the position of the game"):
        applications(game)


# -- a phase, all of its courses ---------------------------------------------------------------------------------------


def courses(start, chance=Fraction(1), known=()):
    """Every course of the dice of a phase with its chance, the tags of its steps and its end; long chains are cut off."""
    phase = PhaseSteps(start, known)
    try:
        found = [*phase.steps()]
    except LookupError:
        if len(known) < 8:
            for face in FACES:
                yield from courses(start, chance / 6, (*known, face))
        return
    yield chance, found, phase.end


SMALL = (
    "4111 D:b rom/-/-/- 1 - bel - -/-/-/-",  # few uprisings, whose echo brings an army to any border
    "4111 D:b rom/-/-/- 1 gma - bel -/-/-/-",  # an army with a check on its way
)


@pytest.mark.parametrize("text", SMALL)
def test_steps_of_a_phase_have_the_chances_of_the_exact_distribution(text):
    start = Position.parse(text)
    solved = rules.solve(start)
    found = [*courses(start)]
    figures = solved.figures()

    def expected(*words):
        return sum((c * sum(tags >= {*words} for tags in each) for c, each, _ in found), Fraction(0))

    known = sum((c for c, _, _ in found), Fraction(0))
    cut_off = 1 - known
    assert cut_off < Fraction(1, 10)
    assert abs(expected("activity", "uprising") - figures.p_uprising) <= cut_off
    assert abs(expected("echo", "arrives") - figures.p_new_army) <= 2 * cut_off
    assert sum((c for c, _, end in found if isinstance(end, Fall)), Fraction(0)) <= figures.p_lost
    ends = Counter()
    for chance, _, end in found:
        ends[end] += chance
    assert all(chance <= solved.ends.probability(end.__eq__) for end, chance in ends.items())


def test_battles_of_a_phase_have_the_chances_of_their_values():
    """An army attacks Galerius with each pair of faces."""
    start = Position.parse("4111 D:b -/rom/-/- 1 etr etr - -/-/-/-")
    odds = rules.battle(start, "galerius", "etruria").chances()
    found = Counter()
    for first in FACES:
        for second in FACES:
            found.update(
                next(tags for tags in PhaseSteps(start, (1, 1, first, second)).steps() if "clash" in tags)
                & {"victory", "draw", "defeat"}
            )

    assert found == {str(outcome): count for outcome, count in odds.items()}


def test_an_army_that_is_followed_wrongly_is_found(monkeypatch):
    """Planted: armies that no link stops stay where they are."""
    start = Position.parse("4111 D:b -/-/-/- 1 bel bel - -/-/-/-")
    assert any("moves" in tags for tags in PhaseSteps(start, (1, 1)).steps())

    monkeypatch.setattr(PhaseSteps, "_usual", lambda *_: ("blocked", ""))
    with pytest.raises(FindingError, match="do not stand where they should"):
        [*PhaseSteps(start, (1, 1)).steps()]


# -- single steps ------------------------------------------------------------------------------------------------------

SHOWN = [  # a position, what is played in it, and rules that apply in that step and in none of those without them
    (
        "4211 D:6 rom/-/-/- 23 - - - -/-/-/-",
        "move etruria",
        "p07-move-link",
        "p07-move-broken p07-move-fleet p07-move-revolt",
    ),
    ("4211 D:6 rom/-/-/- 23 - etr - -/-/-/-", "move etruria", "p07-move-link p07-move-revolt", "p07-move-fleet"),
    ("4211 D:6 rom/-/-/- 23 - - - -/-/-/-", "move africa", "p07-move-fleet", "p07-move-link p07-pass-through"),
    ("4211 D:6 rom/etr/-/- 23 - - - -/-/-/-", "move etruria", "p07-pass-through p07-move-link", "p07-any-order"),
    (
        "4211 D:6 dac/-/-/- 1 srm - - -/-/-/-",
        "attack sarmatia: victory",
        "p08-victory-removes p08-attack-cost",
        "p08-draw",
    ),
    (
        "4211 D:6 dac/-/-/- 1 srm - - -/-/-/-",
        "attack sarmatia: defeat",
        "p08-defeat-removes p11-lost-attack",
        "p08-draw",
    ),
    (
        "4211 D:6 dac/min/-/- 1 srm - - -/-/-/-",
        "attack sarmatia: draw",
        "p08-draw p08-battle-emperors",
        "p08-battle-armies",
    ),
    (
        "4211 D:6 dac/-/-/- 1 srm.msu msu.min - -/-/-/-",
        "attack sarmatia: draw",
        "p08-battle-armies p08-battle-revolts",
        "p08-border",
    ),
    ("4211 D:6 srm/-/-/- 1 - - - -/-/-/-", "secure", "p08-border p08-secure", "p11-own-border p11-garrisons-return"),
    ("4211 D:6 srm/-/-/- 1 - - - -/-/-/-", "end", "p07-ip", "p08-secure"),
    ("4211 D:6 rom/-/-/- 1 - rom - -/-/-/-", "remove", "p08-remove-revolt p08-secure-no-disc", "p08-remove-unrest"),
    ("4211 D:6 rom/-/-/- 12 - - - -/-/-/-", "sail 2>3", "p08-sail p08-sail-free", "p08-remove-unrest"),
]


@pytest.mark.parametrize(("text", "played", "applies", "others"), SHOWN)
def test_rules_that_an_action_shows(text, played, applies, others):
    position = Position.parse(text)
    action = rules.parse(position, played)
    tags = TurnSteps(position).action(position, action, rules.play(position, action))
    found = {rule.id for rule in all_rules().values() if rule.applies(tags)}

    assert {*applies.split()} <= found
    assert not {*others.split()} & found


@pytest.mark.parametrize(
    ("garrisons", "is_second"),
    [
        ("dacia", False),
        ("moesia_superior", False),
        ("moesia_superior pannonia_inferior", False),
        ("moesia_inferior", False),
    ],
)
def test_one_group_of_garrisons_is_no_second_one(garrisons, is_second):
    """What is linked to each other, or not linked to him, is no second group."""
    assert ("second-group" in in_battle("dacia", "sarmatia", garrisons)) == is_second


def test_a_second_group_of_garrisons_is_seen():
    """Rhaetia is linked to provinces that are not linked to each other: one of them counts."""
    near = [p for p in BOARD.neighbours("cisalpina") if p != "rhaetia"]
    apart = next(f"{a} {b}" for a in near for b in near if BOARD.link(a, b) is None and a != b and not joined(a, b))

    assert "second-group" in in_battle("cisalpina", "rhaetia", apart)


def joined(one, other):
    """Whether printed discs could join two provinces."""
    return bool(BOARD[one].printed or BOARD[other].printed)


def in_battle(place, army, garrisons):
    """The tags of an attack of Constantius, who has no printed disc there, with garrisons in these provinces."""
    position = Position.parse("4111 C:6 -/-/rom/- 1 - - - -/-/-/-")
    position = position.replace(
        emperors={"constantius": place}, armies=(army,), discs=dict.fromkeys(garrisons.split(), "constantius")
    )
    return {*fight_tags(position, "constantius", army, rules.battle(position, "constantius", army))}


# -- games by the policy -----------------------------------------------------------------------------------------------


def test_games_are_those_of_their_seed():
    again = greedy_game("4211", "7")

    assert write_record(again) == write_record(GAME("4211"))
    assert write_record(greedy_game("4211", "8")) != write_record(again)
    assert again.is_over


def test_a_game_with_payments_follows_its_plan():
    """Galerius pays for battles after the dice, as his plan says."""
    game = GAME("4222+imperium+barbaria+usurpator")

    assert game.is_over
    assert any(played.action and played.action.kind is Kind.IMPERIUM for played in game.played)


def test_play_goes_on_from_any_point_of_a_game():
    game = new_game(Ruleset.from_level("5300"), 2)
    game.act(rules.parse(game.position, "enter roma"))
    game.act(END)
    assert game.position.phase is Phase.BARBARIAN
    play_greedily(game, 1, turns=1)

    assert game.position.phase is Phase.ROMAN
    assert isinstance(game, Game)
