"""Hints, reviews and advice on choices for modules, variants, scenarios and rebels: legal, with exact risks, and honest."""

import json
from functools import partial
from random import Random

import pytest
from scatter import RECIPES
from scattermodules import with_figures

from tetrasolve import hint, review
from tetrasolve.errors import IllegalActionError, IllegalPositionError, OutOfTimeError, TetrasolveError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.hint.basis import RAW_VALUES, basis_of
from tetrasolve.tetrarchia.hint.choices import advise, advise_on_phase, choice_after, is_about_phase
from tetrasolve.tetrarchia.hint.evaluation import evaluate
from tetrasolve.tetrarchia.hint.opinion import Opinion
from tetrasolve.tetrarchia.hint.policy import GREEDY
from tetrasolve.tetrarchia.hint.prospects import before_phase
from tetrasolve.tetrarchia.phase.exact import risk
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, RandomDice
from tetrasolve.tetrarchia.rules.choices import read_course
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

SCENARIOS = tuple(rules.scenarios())
FEWEST = 20  # games with each rule of which a calibration says something


def begun(name: str, seed: int = 1) -> Position:
    """The set-up of a scenario, or of level 4211 with a module or variant."""
    if name in SCENARIOS:
        return rules.rolled_scenario(name, seed, fixed=True).position
    return rules.random_set_up(Ruleset.from_text(f"4211+{name}"), seed)


@pytest.mark.parametrize("name", [*MODULES, *VARIANTS, *SCENARIOS])
def test_every_ruleset_has_hints(name: str) -> None:
    """With plans that the reference rules replay, exact risks, and a word on what they rest on."""
    position = begun(name)
    found = hint(position, budget="greedy", top=2)
    assert found.status == "complete" and len(found.advice) == 2
    for advice in found.advice:
        assert endings(position, advice.plan)
        assert isinstance(advice.win, Opinion) and advice.win.games >= FEWEST
        assert advice.win.low <= advice.win.value <= advice.win.high
    assert found.basis == basis_of(position)
    assert "calibrated on" in str(found) and found.basis.rules in str(found)
    assert found.as_data()["basis"]["calibration_games_of_each_rule"] >= FEWEST


def test_the_base_game_says_on_how_many_games_it_rests() -> None:
    found = hint(rules.random_set_up(Ruleset.from_level("4211"), 1), budget="greedy", top=1)
    assert found.basis.games > 1000 and found.basis.rules == "base game"
    assert "games of the base game" in str(found)


def test_the_figures_are_those_of_risk() -> None:
    """Of a plan without an attack: of the position at its end."""
    for name in ("pirates", "barbaria", "great-persian-war"):
        position = begun(name)
        (advice,) = hint(position, budget="greedy", top=1).advice
        ((_, end, _),) = endings(position, advice.plan)
        assert isinstance(end, Position)
        figures = risk(before_phase(end)).figures
        found = advice.prospects.figures
        assert {key: found[key] for key in ("p_lost", "p_uprising", "p_new_army")} == {
            "p_lost": figures.p_lost, "p_uprising": figures.p_uprising, "p_new_army": figures.p_new_army,
        }  # fmt: skip


def test_a_hint_stops_in_time_with_modules() -> None:
    found = hint(begun("dux"), seconds=0.0)
    assert found.status == "interrupted" and found.advice
    stop = Stop()
    stop.set()
    assert hint(begun("barbaria"), cancel=stop).status == "interrupted"


@pytest.mark.parametrize("name", ["dux", "imperium", "barbaria", "great-persian-war"])
def test_a_game_with_modules_is_reviewed(name: str) -> None:
    """Two turns as a greedy player plays them lose nothing against a greedy judge but by chance."""
    game, dice = Game(begun(name)), RandomDice("review")
    for _ in range(2):
        for action in hint(game.position, budget="greedy", top=1).best.plan.steps:
            game.act(action)
        if game.position.phase is Phase.ROMAN:
            game.act(END)
        game.barbarians(dice, rules.eager)
    found = review(game, budget=GREEDY)
    assert len(found.turns) == 2 and found.as_data()["basis"]["calibrated"]
    for turn in found.turns:
        assert 0 <= turn.before <= 1 and 0 <= turn.after <= 1 and turn.loss < 0.05


# -- choices in the phase ----------------------------------------------------------------------------------------


def barbaria(seed: int = 3) -> Position:
    """The Barbarian phase at the beginning of a game with Barbaria."""
    start = begun("barbaria", seed)
    return before_phase(start.replace(emperors=dict.fromkeys(start.emperors)))


def test_the_barbarian_player_gets_advice() -> None:
    """By far the best is what loses Rome the most; the options are those of the choice."""
    position = barbaria()
    choice = choice_after(position)
    assert (
        is_about_phase(position)
        and not is_about_phase(before_phase(begun("dux")))
        and not is_about_phase(begun("barbaria"))
    )
    found = advise_on_phase(position, phases=8)
    assert {valued.option for valued in found.options} == {*choice.options}
    values = [valued.value for valued in found.options]
    assert values == sorted(values) and found.decider == "barbarian" and found.status == "complete"
    assert found == advise(choice, phases=8)
    assert found.as_data()["basis"]["rules"] == "barbaria" and "Rome wins" in str(found)
    assert json.loads(json.dumps(found.as_data()))["kind"] == "evaluation"


def test_an_option_is_worth_the_mean_of_its_phases() -> None:
    position = barbaria()
    choice = choice_after(position)
    found = {valued.option: valued for valued in advise(choice, phases=40, seed=5).options}
    ends = [
        rules.sample(position, RandomDice(f"other {number}"), _no_black_disc) for number in range(400)
    ]  # fmt: skip
    mean = sum(0.0 if isinstance(end, Fall) else evaluate(end) for end in ends) / len(ends)
    assert abs(mean - found["no"].value) < 5 * found["no"].error


def _no_black_disc(choice: rules.Choice) -> int:
    return 0 if choice.question.startswith("spend the black disc before step 1") else rules.eager(choice)


def test_an_emperor_gets_advice() -> None:
    """Constantius is asked whether he stops an army; for him the highest chance of Rome is the best."""
    random, found = Random(7), None
    ruleset = Ruleset(4, 2, 1, 1, frozenset(), frozenset({"imperium"}))
    while found is None:
        position = with_figures(random.choice(sorted(RECIPES)), ruleset, random, Board.standard(), Phase.BARBARIAN)
        asked: list[rules.Choice] = []
        rules.sample(position, RandomDice(f"asked {random.random()}"), partial(_noted, asked))
        found = advise(asked[0], phases=4) if asked else None
    values = [valued.value for valued in found.options]
    assert values == sorted(values, reverse=True) and found.decider in ("constantius", "galerius")


def _noted(asked: list[rules.Choice], choice: rules.Choice) -> int:
    asked.append(choice)
    return 0


def test_what_cannot_be_advised_on_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="nobody decides anything in a Barbarian phase of 4211"):
        advise_on_phase(before_phase(begun("dux")))
    with pytest.raises(IllegalPositionError, match="the Emperor's turn is not over"):
        advise_on_phase(begun("barbaria"))
    shared = Position.parse(f"4210+barbaria D:b cis/cis/-/- 12 - rha dac -/-/-/- {DISCS}")
    with pytest.raises(IllegalPositionError, match="this position cannot occur"):
        advise_on_phase(shared)
    with pytest.raises(OutOfTimeError, match="the time ran out after 0 phases"):
        advise_on_phase(barbaria(), seconds=0.0)
    with pytest.raises(ValueError, match="at least 2"):
        advise_on_phase(barbaria(), phases=1)
    assert advise_on_phase(barbaria(), phases=10**6, seconds=0.3).status == "interrupted"


# A phase in which dice come first: those of the activity name Baetica, and the Barbarian player may roll them again
DISCS = 'barbarian_discs={"black":0,"gray":1}'
DICE_FIRST = Position.parse(f"4210+barbaria D:b cis/-/-/- 12 - rha dac -/-/-/- {DISCS}")
BOTH = Position.parse(
    '4210+barbaria+imperium D:b asi/-/cis/- 13 rha rha dac -/-/-/- barbarian_discs={"black":0,"gray":2} '
    'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
)
COURSE = "5 6 reroll 3 5 no 4 no"  # of this phase, up to a choice of Constantius


def test_advice_in_the_middle_of_a_phase_is_on_the_choice_that_comes_then() -> None:
    """It is the advice on the choice that a player is asked for after the same dice and answers."""
    asked: list[rules.Choice] = []
    given = rules.GivenCourse([*read_course(COURSE), "block:reserve"])
    decide = partial(_noted_and_given, asked, given)
    rules.sample(BOTH, given, decide)
    courses = ["5 6", "5 6 reroll 3 5", COURSE]
    choices = [choice_after(BOTH, read_course(course)) for course in courses]
    assert choices == [asked[0], asked[1], asked[-1]]
    assert [choice.decider for choice in choices] == ["barbarian", "barbarian", "constantius"]
    found = advise_on_phase(BOTH, read_course(COURSE), phases=4, seed=3)
    assert found == advise(asked[-1], phases=4, seed=3) and "Constantius: the army of rhaetia attacks" in str(found)
    assert is_about_phase(DICE_FIRST) and is_about_phase(BOTH)


def _noted_and_given(asked: list[rules.Choice], given: rules.GivenCourse, choice: rules.Choice) -> int:
    asked.append(choice)
    return given.decide(choice)


@pytest.mark.parametrize(
    ("course", "kind", "said"),
    [
        ("", IllegalPositionError, "begins with dice, and nobody can decide anything before them; .*`play`.*--decide best"),
        ("5 6 reroll 3 5 no 4 1", IllegalActionError, "'1' is no answer to: .* expected no, reroll"),
        ("1 2 no", IllegalPositionError, "the Barbarian phase is over after 1 2 no"),
        ("5 6 reroll 3 5 no", IllegalPositionError, "after 5 6 reroll 3 5 no: dice come next .check rhaetia~cisalpina"),
        ("1", IllegalActionError, "no die is left for: activity: province"),
        ("1 no", IllegalActionError, "'no' is no face of a die"),
        ("1 2 no 3", IllegalActionError, "it is over before 3"),
        ("1 2 maybe", IllegalActionError, "'maybe' is no answer to: activity"),
    ],
)  # fmt: skip
def test_a_course_without_a_choice_behind_it_is_refused(course: str, kind: type[TetrasolveError], said: str) -> None:
    position = BOTH if course.startswith("5") else DICE_FIRST
    with pytest.raises(kind, match=said):
        choice_after(position, read_course(course))


def test_advice_says_on_which_games_its_network_is_calibrated_and_that_it_shows_raw_values() -> None:
    """As a plain hint does; a combination that was never played says so."""
    for position in (barbaria(), BOTH):
        course = COURSE if position is BOTH else ""
        found = advise_on_phase(position, read_course(course), phases=2)
        assert str(basis_of(position)) in str(found) and RAW_VALUES in str(found)
        assert found.basis == basis_of(position) and found.basis.games_of_each >= FEWEST
    start = begun("barbaria+mare-nostrum+via-romana", 3)
    never = before_phase(start.replace(emperors=dict.fromkeys(start.emperors)))
    assert not never.status() and basis_of(never).games == 0
    assert "never calibrated with exactly barbaria, mare-nostrum, via-romana" in str(advise_on_phase(never, phases=2))


def test_a_review_counts_the_decisions_in_the_phases() -> None:
    """And says that they are not graded; their number is that of the answers."""
    game = Game(BOTH)
    given = rules.GivenCourse([*read_course(COURSE), "block:reserve"])
    game.barbarians(given, given.decide)
    for action in hint(game.position, budget="greedy", top=1).best.plan.steps:
        game.act(action)
    found = review(game, budget=GREEDY)
    assert dict(found.ungraded) == {"barbarian": 3, "constantius": 1} == found.as_data()["ungraded"]
    said = (
        "decisions in Barbarian phases are not graded, and are part of the luck: the Barbarian player 3, Constantius 1"
    )
    assert said in str(found) and str(found.basis) in str(found) and RAW_VALUES in str(found)
    plain = review(Game(begun("dux")), budget=GREEDY)
    assert plain.ungraded == () and "not graded" not in str(plain)
