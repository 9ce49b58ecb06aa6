"""Hints, reviews and advice on choices for modules, variants, scenarios and rebels: legal, with exact risks, and honest."""

import json
from functools import partial
from random import Random

import pytest
from scatter import RECIPES
from scattermodules import with_figures

from tetrasolve import hint, review
from tetrasolve.errors import IllegalPositionError, OutOfTimeError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.hint.basis import basis_of
from tetrasolve.tetrarchia.hint.choices import advise, advise_on_phase, first_choice, is_choice_of_phase
from tetrasolve.tetrarchia.hint.evaluation import evaluate
from tetrasolve.tetrarchia.hint.opinion import Opinion
from tetrasolve.tetrarchia.hint.policy import GREEDY
from tetrasolve.tetrarchia.hint.prospects import before_phase
from tetrasolve.tetrarchia.phase.exact import risk
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, RandomDice
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
    choice = first_choice(position)
    assert choice is not None and is_choice_of_phase(position) and not is_choice_of_phase(begun("dux"))
    found = advise_on_phase(position, phases=8)
    assert {valued.option for valued in found.options} == {*choice.options}
    values = [valued.value for valued in found.options]
    assert values == sorted(values) and found.decider == "barbarian" and found.status == "complete"
    assert found == advise(choice, phases=8)
    assert found.as_data()["basis"]["rules"] == "barbaria" and "Rome wins" in str(found)
    assert json.loads(json.dumps(found.as_data()))["kind"] == "evaluation"


def test_an_option_is_worth_the_mean_of_its_phases() -> None:
    position = barbaria()
    choice = first_choice(position)
    assert choice is not None
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
    with pytest.raises(IllegalPositionError, match="begins with dice"):
        advise_on_phase(before_phase(begun("dux")))
    with pytest.raises(OutOfTimeError, match="the time ran out after 0 phases"):
        advise_on_phase(barbaria(), seconds=0.0)
    with pytest.raises(ValueError, match="at least 2"):
        advise_on_phase(barbaria(), phases=1)
    assert advise_on_phase(barbaria(), phases=10**6, seconds=0.3).status == "interrupted"
