"""The game for OpenSpiel: ``pyspiel.load_game("python_tetrarchia", {"level": 4211})``, once this module is imported.

There are two games. In ``python_tetrarchia`` there is one player, Rome: the four Emperors are a team with the same aim and full
information. (With four players of identical utility, searches of OpenSpiel would build the same tree and carry four equal numbers
through it.) In ``python_tetrarchia_barbaria``, the game with the variant Barbaria, Rome is player 0 and the Barbarian player is
player 1, and what one gains the other loses. The tree is that of `tetrasolve.adapters.moments`: a player's action is one action of
a turn or one answer in a Barbarian phase, a chance node one roll with explicit chances.

============ ================================================================================================
parameter
============ ================================================================================================
``level``    the four digits of a `Ruleset`, as a number (OpenSpiel would read the text as a number); of a scenario the first
             digit counts, the garrisons
``modules``  modules and variants, ``dux+imperium``; Barbaria need not be named in its game
``scenario`` the name of a historical scenario in place of the set-up of the level; its own modules need not be named
``fixed``    whether the revolts of the scenario are not rolled
``position`` one line of notation: begin here instead of with a set-up; its rules count
``turns``    the game ends after this many turns
``reward``   the reward of a game that is not won: ``victory`` 0; ``standing`` 1 where the turns ran out; ``borders``
             a sixth for each secured border where the turns ran out; ``progress`` half of that, lost or not, plus up
             to a half for the turns that were played. A won game is always worth 1
============ ================================================================================================

With two players a lost game is worth 1 less for Rome, and the Barbarian player gets the opposite of what Rome gets: with
``victory`` 1 for a won game, -1 for a lost one, 0 where the turns ran out. With Roma Aeterna a won game is worth 1, and
nothing more for the Great.

A chain of echoes can be arbitrarily long. The maximal history length that OpenSpiel gets is one that no game reaches in
practice.

Requires the extra ``openspiel``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyspiel

from tetrasolve.adapters.moments import ACTIONS, BRANCHES, Boost, Fight, Moment, Over, Setting, moment_of, start, steps
from tetrasolve.adapters.numbering import number_of, words_of
from tetrasolve.adapters.observer import TextObserver
from tetrasolve.errors import RulesetError, TetrasolveError
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.kernel import FALLEN, State
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import scenario
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

NAME = "python_tetrarchia"
BARBARIA = "python_tetrarchia_barbaria"  # with a second player
REWARDS = ("victory", "standing", "borders", "progress")
HALF_TIME = 10  # turns: after these, `progress` gives half of its reward for turns
PLAYERS = {"rome": 0, "barbarian": 1, "dice": int(pyspiel.PlayerId.CHANCE), "": int(pyspiel.PlayerId.TERMINAL)}
MOST_ROLLS = 200  # the bound that OpenSpiel gets for one turn and the set-up; a dozen are many

PARAMETERS: Mapping[str, Any] = {
    "level": 4211,
    "modules": "",
    "scenario": "",
    "fixed": False,
    "position": "",
    "turns": 400,
    "reward": "victory",
}


def _type(name: str, words: str, players: int, utility: Any) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=words,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification=dict(PARAMETERS),
    )


TYPE = _type(NAME, "Tetrarchia", 1, pyspiel.GameType.Utility.IDENTICAL)
BARBARIA_TYPE = _type(BARBARIA, "Tetrarchia with Barbaria", 2, pyspiel.GameType.Utility.ZERO_SUM)


class TetrarchiaGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """The game of a ruleset or scenario, or from one position.

    :raises ValueError: for parameters that are out of range; the text names them.
    """

    players = 1
    type = TYPE

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        self.first = _first(given, with_barbarian=self.players == 2)
        self.reward = str(given["reward"])
        if self.reward not in REWARDS:
            raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, got {self.reward!r}")
        setting = self.first.setting
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=BRANCHES,
            num_players=self.players,
            min_utility=1.0 - self.players,
            max_utility=1.0,
            **({"utility_sum": 0.0} if self.players == 2 else {}),
            max_game_length=1 + steps(setting) * setting.turns,
        )
        super().__init__(self.type, info, dict(params or {}))

    def new_initial_state(self) -> TetrarchiaState:
        """The state before the set-up, or the given position."""
        return TetrarchiaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A bound that no game reaches."""
        return MOST_ROLLS * (1 + self.first.setting.turns)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> TextObserver:
        """An observer with full information."""
        del iig_obs_type, params
        return TextObserver()

    def worth(self, end: Over) -> float:
        """The reward of an ended game for Rome; with two players a lost one is worth 1 less."""
        worth = self._reward(end)
        return worth - 1.0 if self.players == 2 and end.won is False else worth

    def _reward(self, end: Over) -> float:
        if end.won:
            return 1.0
        if self.reward == "progress":
            return _secured(end) / 12 + end.turn / (end.turn + HALF_TIME) / 2
        if self.reward == "victory" or end.won is False:
            return 0.0
        return 1.0 if self.reward == "standing" else _secured(end) / 6


class BarbariaGame(TetrarchiaGame):
    """The game with the variant Barbaria, against the Barbarian player.

    :raises ValueError: as `TetrarchiaGame`.
    """

    players = 2
    type = BARBARIA_TYPE


def _first(given: Mapping[str, Any], *, with_barbarian: bool) -> Moment:
    """The first moment of the game."""
    try:
        first = _moment(given, with_barbarian=with_barbarian)
    except TetrasolveError as error:
        raise ValueError(str(error)) from None
    if ("barbaria" in first.setting.ruleset.extensions) != with_barbarian:
        name, other = (BARBARIA, "without") if with_barbarian else (NAME, "with")
        expected = NAME if with_barbarian else BARBARIA
        raise ValueError(f"{name}: this is a game {other} the variant barbaria, expected {expected}")
    return first


def _moment(given: Mapping[str, Any], *, with_barbarian: bool) -> Moment:
    turns = int(given["turns"])
    if given["position"]:
        return moment_of(Position.parse(str(given["position"])), turns)
    names = [name for name in str(given["modules"]).split("+") if name]
    if unknown := [name for name in names if name not in MODULES + VARIANTS]:
        raise RulesetError(f"modules: {unknown[0]!r} does not exist, there are {', '.join(MODULES + VARIANTS)}")
    modules = [name for name in names if name in MODULES]
    variants = [name for name in names if name in VARIANTS] + ["barbaria"] * with_barbarian
    level = Ruleset.from_level(str(given["level"]))
    if not given["scenario"]:
        return start(Setting(str(level.with_extensions(modules, variants)), turns, fixed=bool(given["fixed"])))
    name = str(given["scenario"])
    rules = scenario(name).ruleset(level.garrisons, modules, variants)
    return start(Setting(str(rules), turns, name, fixed=bool(given["fixed"])))


def _secured(end: Over) -> int:
    """The number of borders with a garrison."""
    borders = end.setting.board.mask(end.setting.board.borders)
    return sum((mask & borders).bit_count() for mask in end.state.garrisons)


class TetrarchiaState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A moment as a state of OpenSpiel."""

    def __init__(self, game: TetrarchiaGame) -> None:
        super().__init__(game)
        self.moment = game.first

    def current_player(self) -> int:
        """The player to move: Rome, the Barbarian player, chance or terminal."""
        return PLAYERS[self.moment.decider]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.moment.decider

    def _legal_actions(self, player: int) -> Sequence[int]:
        return self.moment.actions if player == self.current_player() else ()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The chance branches with their chances."""
        return [(number, float(chance)) for number, chance in self.moment.chances]

    def _apply_action(self, action: int) -> None:
        self.moment = self.moment.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        del player  # the moment knows who decides
        return self.moment.words(action)

    def returns(self) -> list[float]:
        """The reward of Rome, and that of the Barbarian player."""
        game = self.get_game()
        worth = game.worth(self.moment) if isinstance(self.moment, Over) else 0.0
        return [worth, -worth][: game.num_players()]

    def __str__(self) -> str:
        return moment_text(self.moment)


def moment_text(moment: Moment) -> str:
    """A moment as one line: the position, and the attack, the rolls and the answers under way."""
    state: State | None = moment.fight.state if isinstance(moment, Boost) else getattr(moment, "state", None)
    if state is None or state.result == FALLEN:
        return str(moment)
    board, ruleset = moment.setting.board, moment.setting.ruleset
    parts = [type(moment).__name__.lower()]
    if isinstance(moment, Fight):
        parts.append(words_of(number_of(moment.code)))
    elif isinstance(moment, Boost):
        parts += [words_of(number_of(moment.fight.code)), str(moment.shown), *moment.paid]
    parts += map(str, getattr(moment, "rolled", ()))
    return f"{fast.to_position(state, board, ruleset)} ({' '.join(parts)})"


pyspiel.register_game(TYPE, TetrarchiaGame)
pyspiel.register_game(BARBARIA_TYPE, BarbariaGame)
