"""The game for OpenSpiel: ``pyspiel.load_game("python_tetrarchia", {"level": 4211})``, once this module is imported.

There is one player, Rome: the four Emperors are a team with the same aim and full information. (With four players of
identical utility, searches of OpenSpiel would build the same tree and carry four equal numbers through it.) The tree is that
of `tetrasolve.adapters.moments`: a player's action is one action of a turn, a chance node one roll with explicit chances.

============ ================================================================================================
parameter
============ ================================================================================================
``level``    the four digits of a `Ruleset`, as a number (OpenSpiel would read the text as a number)
``position`` one line of notation: begin here instead of with the set-up; its level counts
``turns``    the game ends after this many turns
``reward``   the reward of a game that is not won: ``victory`` 0; ``standing`` 1 where the turns ran out; ``borders``
             a sixth for each secured border where the turns ran out; ``progress`` half of that, lost or not, plus up
             to a half for the turns that were played. A won game is always worth 1
============ ================================================================================================

A chain of echoes can be arbitrarily long. The maximal history length that OpenSpiel gets is one that no game reaches in
practice.

Requires the extra ``openspiel``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyspiel

from tetrasolve.adapters.moments import ACTIONS, BRANCHES, STEPS, Moment, Over, Setting, moment_of, start
from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.kernel import State
from tetrasolve.tetrarchia.position import Position

NAME = "python_tetrarchia"
REWARDS = ("victory", "standing", "borders", "progress")
HALF_TIME = 10  # turns: after these, `progress` gives half of its reward for turns
PLAYERS = {"rome": 0, "dice": int(pyspiel.PlayerId.CHANCE), "": int(pyspiel.PlayerId.TERMINAL)}
MOST_ROLLS = 200  # the bound that OpenSpiel gets for one turn and the set-up; a dozen are many

PARAMETERS: Mapping[str, Any] = {"level": 4211, "position": "", "turns": 400, "reward": "victory"}

TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Tetrarchia",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.IDENTICAL,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=1,
    min_num_players=1,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification=dict(PARAMETERS),
)


class TetrarchiaGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """The game of one level, or from one position.

    :raises ValueError: for parameters that are out of range; the text names them.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        self.first = _first(given)
        self.reward = str(given["reward"])
        if self.reward not in REWARDS:
            raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, got {self.reward!r}")
        turns = self.first.setting.turns
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=BRANCHES,
            num_players=1,
            min_utility=0.0,
            max_utility=1.0,
            max_game_length=1 + STEPS * turns,
        )
        super().__init__(TYPE, info, dict(params or {}))

    def new_initial_state(self) -> TetrarchiaState:
        """The state before the set-up, or the given position."""
        return TetrarchiaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A bound that no game reaches."""
        return MOST_ROLLS * (1 + self.first.setting.turns)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> TetrarchiaObserver:
        """An observer with full information."""
        del iig_obs_type, params
        return TetrarchiaObserver()

    def worth(self, end: Over) -> float:
        """The reward of an ended game."""
        if end.won:
            return 1.0
        if self.reward == "progress":
            return _secured(end) / 12 + end.turn / (end.turn + HALF_TIME) / 2
        if self.reward == "victory" or end.won is False:
            return 0.0
        return 1.0 if self.reward == "standing" else _secured(end) / 6


def _first(given: Mapping[str, Any]) -> Moment:
    """The first moment of the game."""
    try:
        if given["position"]:
            return moment_of(Position.parse(str(given["position"])), int(given["turns"]))
        return start(Setting(str(given["level"]), int(given["turns"])))
    except TetrasolveError as error:
        raise ValueError(str(error)) from None


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
        """The player to move: Rome, chance or terminal."""
        return PLAYERS[self.moment.decider]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.moment.decider

    def _legal_actions(self, player: int) -> Sequence[int]:
        del player  # there is one
        return self.moment.actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The chance branches with their chances."""
        return [(number, float(chance)) for number, chance in self.moment.chances]

    def _apply_action(self, action: int) -> None:
        self.moment = self.moment.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        del player  # the moment knows who decides
        return self.moment.words(action)

    def returns(self) -> list[float]:
        """The reward of Rome."""
        game = self.get_game()
        return [game.worth(self.moment) if isinstance(self.moment, Over) else 0.0]

    def __str__(self) -> str:
        return moment_text(self.moment)


class TetrarchiaObserver:
    """The observation: the position as one line."""

    tensor = None
    dict: Mapping[str, Any] = {}

    def set_from(self, state: TetrarchiaState, player: int) -> None:
        """Do nothing: there is no tensor."""

    def string_from(self, state: TetrarchiaState, player: int) -> str:
        """The text of the state."""
        del player  # there is one
        return str(state)


def moment_text(moment: Moment) -> str:
    """A moment as one line: the position, and the roll or choice that comes next."""
    state: State | None = getattr(moment, "state", None)
    if state is None or state.result == 2:
        return str(moment)
    board, ruleset = moment.setting.board, moment.setting.ruleset
    under_way = type(moment).__name__.lower()
    rolled = "".join(f" {number}" for number in getattr(moment, "rolled", ()))
    return f"{fast.to_position(state, board, ruleset)} ({under_way}{rolled})"


pyspiel.register_game(TYPE, TetrarchiaGame)
