"""The game for OpenSpiel: its own tests of a game, and what comes out against the reference rules."""

from random import Random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

from tetrasolve.adapters import openspiel  # noqa: E402 # not without pyspiel
from tetrasolve.adapters.moments import Over, Phase, Play, moment_of  # noqa: E402
from tetrasolve.tetrarchia import fast, kernel, rules  # noqa: E402
from tetrasolve.tetrarchia.board import Board  # noqa: E402
from tetrasolve.tetrarchia.position import Position  # noqa: E402
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset  # noqa: E402

BOARD = Board.standard()


EVERYTHING = "+".join((*MODULES, *VARIANTS)).replace("+barbaria", "")


def load(name: str = openspiel.NAME, **parameters: Any) -> Any:
    return pyspiel.load_game(name, parameters)


@pytest.mark.parametrize("parameters", [{"level": 3122, "turns": 12}, {"level": 5300, "turns": 3, "reward": "borders"}])
def test_it_passes_the_tests_of_openspiel(parameters: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load(**parameters), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("modules", [EVERYTHING, "imperium", "dux+pirates"])
def test_games_with_modules_pass_them(modules: str) -> None:
    pyspiel.random_sim_test(load(level=3122, modules=modules, turns=4), num_sims=1, serialize=True, verbose=False)
    barbaria = load(openspiel.BARBARIA, level=4211, modules=modules, turns=4)
    pyspiel.random_sim_test(barbaria, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", [openspiel.NAME, openspiel.BARBARIA])
@pytest.mark.parametrize("modules", [*MODULES, *(name for name in VARIANTS if name != "barbaria"), EVERYTHING, ""])
def test_every_module_passes_them(name: str, modules: str) -> None:
    pyspiel.random_sim_test(load(name, modules=modules, turns=12), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("war", rules.scenarios())
def test_scenarios_pass_them(war: str) -> None:
    for name, fixed in ((openspiel.NAME, False), (openspiel.BARBARIA, True)):
        game = load(name, level=3211, scenario=war, fixed=fixed, turns=4)
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
        assert game.first.setting.ruleset.garrisons == 3


def test_the_barbarian_player_wins_what_rome_loses() -> None:
    ends = set()
    for seed in range(8):
        random, game = Random(seed), load(openspiel.BARBARIA, level=3122, turns=8)
        state, movers = game.new_initial_state(), set()
        while not state.is_terminal():
            if not state.is_chance_node():
                movers.add(state.current_player())
                other = 1 - state.current_player()
                assert state.legal_actions(other) == [] and state.returns() == [0.0, 0.0]
            state.apply_action(random.choice(state.legal_actions()))
        assert movers == {0, 1}
        assert state.returns() == {None: [0.0, 0.0], False: [-1.0, 1.0]}[state.moment.won]
        ends.add(state.moment.won)
    assert ends == {None, False}
    kind = game.get_type()
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM and game.num_players() == 2
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1.0, 1.0, 0.0)


def test_a_lost_game_is_worth_one_less_against_the_barbarian_player() -> None:
    game = openspiel.BarbariaGame({"reward": "progress"})
    first = moment_of(rules.random_set_up(Ruleset.from_text("4211+barbaria"), 1))
    lost = Over(first.setting, first.state, won=False, turn=10)  # type: ignore[attr-defined] # a moment of play
    alone = openspiel.TetrarchiaGame({"reward": "progress"})
    assert alone.worth(lost) == 0.25 and game.worth(lost) == -0.75


def test_a_state_names_the_attack_under_way() -> None:
    position = "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"
    state = load(position=position).new_initial_state()
    attack = next(number for number in state.legal_actions() if "attack" in state.action_to_string(number))
    state.apply_action(attack)
    assert str(state).endswith(" (fight attack narbonensis)")


def test_the_returns_are_those_of_the_game_replayed_by_the_reference() -> None:
    """Every roll and step of a random game is taken by the reference rules too, as its words say."""
    fell = 0
    for seed in range(6):
        random, game = Random(seed), load(level=4211, turns=9)
        state, position = game.new_initial_state(), None
        while not state.is_terminal():
            number = random.choice(state.legal_actions())
            if position is None and isinstance(state.moment, Play):
                position = fast.to_position(state.moment.state, BOARD, Ruleset.from_level("4211"))
                step = None
            if position is not None:
                words = state.action_to_string(number)
                match state.moment:
                    case Phase():
                        step = step or rules.begin(position)
                        faces = [int(part.split()[-1]) for part in words.split(", ")]
                        last = step.roll().result(faces)
                        step = None if isinstance(last, Position) else last
                        position = last if isinstance(last, Position) else position
                    case Play() if words.startswith("attack"):
                        army = words.removeprefix("attack ")
                    case Play():
                        position = rules.play(position, rules.parse(position, words))
                    case _:
                        position = rules.play(position, rules.parse(position, f"attack {army}: {words}"))
            state.apply_action(number)
        assert state.returns() == [float(position.is_won)]
        assert (state.moment.won is False) == isinstance(last, rules.Fall)
        fell += state.moment.won is False
    assert 0 < fell < 6


def border_table(secured: int) -> str:
    """Diocletian on a border with 2 IP left, so many others secured."""
    here, *others = [BOARD.order[border] for border in BOARD.borders]
    discs = (sum(1 << row for row in others[:3]), sum(1 << row for row in others[3:secured]), 0, 0)
    table = kernel.State(garrisons=discs, emperors=(here, 63, 63, 63), fleets=7, ip=2)
    return str(fast.to_position(table, BOARD, Ruleset.from_level("5300")))


def test_what_a_game_is_worth_can_be_chosen() -> None:
    """One turn that is ended at once: the Empire stands, with four borders secured."""
    worth = {}
    for reward in openspiel.REWARDS:
        game = load(position=border_table(4), turns=1, reward=reward)
        random, state = Random(1), game.new_initial_state()
        while not state.is_terminal():
            ends = [number for number in state.legal_actions() if state.action_to_string(number) == "end"]
            state.apply_action(random.choice(ends or state.legal_actions()))
        assert isinstance(state.moment, Over) and state.moment.won is None
        (worth[reward],) = state.returns()
    assert worth == {"victory": 0, "standing": 1, "borders": 4 / 6, "progress": pytest.approx(4 / 12 + 1 / 22)}

    game = openspiel.TetrarchiaGame({"position": border_table(4), "reward": "borders"})
    lost = Over(game.first.setting, game.first.state, won=False, turn=30)
    assert game.worth(lost) == 0
    game.reward = "progress"
    assert game.worth(lost) == pytest.approx(4 / 12 + 30 / 80)


def test_its_tree_search_finds_the_winning_step() -> None:
    game = load(position=border_table(5))
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    root = pyspiel.MCTSBot(game, evaluator, 1.0, 60, 10, True, 1, False).mcts_search(state)

    assert state.action_to_string(root.best_child().action) == "secure"
    assert root.outcome == [1.0]


def test_parameters_that_make_no_game_are_refused() -> None:
    for parameters, words in (
        ({"level": 9211}, "expected"),
        ({"turns": 0}, "turns: expected at least 1"),
        ({"reward": "half"}, "reward: expected one of victory, standing, borders, progress"),
        ({"position": "nonsense"}, "expected 8 fields"),
        ({"modules": "duxx"}, "modules: 'duxx' does not exist"),
        ({"modules": "dux+barbaria"}, "with the variant barbaria, expected python_tetrarchia_barbaria"),
        ({"scenario": "punic-war"}, "scenario 'punic-war' does not exist"),
        ({"fixed": True}, "fixed: expected a scenario"),
    ):
        with pytest.raises(ValueError, match=words):
            openspiel.TetrarchiaGame(parameters)
    with pytest.raises(ValueError, match=r"without the variant barbaria, expected python_tetrarchia$"):
        openspiel.BarbariaGame({"position": border_table(4)})


def test_a_state_prints_as_its_table() -> None:
    state = load(level=4211).new_initial_state()
    assert str(state).startswith("Deal(")
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    state.apply_action(state.legal_actions()[0])
    text = str(state)
    assert text.endswith(" (play)") and str(Position.parse(text.removesuffix(" (play)"))) in text
    assert state.observation_string(0) == text
