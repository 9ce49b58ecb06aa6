"""The second game for OpenSpiel: ``pyspiel.load_game("python_et_finem", {"ruleset": "standard"})``, once this module is imported.

One player decides; a chance node is one card, one role, or the corner of the pawn. The rules are those of the kernel.

============ ================================================================================================
parameter
============ ================================================================================================
``ruleset``  a ruleset as it is printed, with ``:`` for ``=`` and ``;`` for ``,``, which OpenSpiel keeps for itself:
             ``standard?E-PACIFY:action;E-WIN:phase``
``position`` one line of notation, with ``:`` for ``=`` in ``hand=`` too: begin here instead of with a set-up; its rules count
``turns``    the game ends after this many turns
``reward``   the reward of a game that is not won: ``victory`` 0; ``standing`` 1 where the turns ran out; ``pacified``
             an eighth for each pacified tribe. A won game is always worth 1
============ ================================================================================================

An action is the number of an option: the words of the reference rules, ``confront O`` or ``discard E2``. A set-up that needs a
thirteenth cube is drawn again, card by card, or lost, as the reading `E-FULL` says.

Requires the extra ``openspiel``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pyspiel

from tetrasolve.adapters.observer import TextObserver
from tetrasolve.errors import TetrasolveError
from tetrasolve.finem import numbers
from tetrasolve.finem.fast import KIND, STEPS, engine_of, option_text, position_of, state_of
from tetrasolve.finem.kernel import Kernel, State
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.position import WON, Position, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.status import require_legal

if TYPE_CHECKING:
    from tetrasolve.finem.kernel import Fields  # a name of the stub only

NAME = "python_et_finem"
REWARDS = ("victory", "standing", "pacified")
PARAMETERS: Mapping[str, Any] = {"ruleset": "standard", "position": "", "turns": 200, "reward": "victory"}
MOST_TURNS = 10_000

# The details of each kind of option of the kernel; `number_of` puts one kind after the other
SIZES = (len(REGIONS), 7, 8, len(REGIONS), 1, len(TRIBES), 1, 1, 1, 32, 256, len(TRIBES), len(REGIONS), 4096)
FIRST = (0, *accumulate(SIZES))
ACTIONS = FIRST[-1]
BRANCHES = FIRST[2]  # cards and roles
DECISIONS, CARDS = 16, 20  # more than one turn has: a Dictator's four rides, both exchanges, an event, a crisis
SET_UP = 200  # chance nodes; a set-up is drawn again in 73 of 33,649 cases


def number_of(option: int) -> int:
    """The number of an option of the kernel.

    >>> number_of(6 << 12), option_text(option_of(number_of(2 << 12 | 5)))
    (68, 'confront C all')
    """
    return FIRST[option >> KIND] + (option & ((1 << KIND) - 1))


def option_of(number: int) -> int:
    """The kernel's option of a number."""
    kind = next(kind for kind in range(len(SIZES)) if number < FIRST[kind + 1])
    return kind << KIND | number - FIRST[kind]


TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Et finem Imperii Romani",
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


class FinemGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """The game of a ruleset, or from one position.

    :raises ValueError: for parameters that are out of range; the text names them.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        self.reward, self.turns = str(given["reward"]), int(given["turns"])
        if self.reward not in REWARDS:
            raise ValueError(f"reward: expected one of {', '.join(REWARDS)}, got {self.reward!r}")
        if not 1 <= self.turns <= MOST_TURNS:
            raise ValueError(f"turns: expected 1 to {MOST_TURNS:,}, got {self.turns}")
        self.position: Position | None = None
        try:
            if given["position"]:
                self.position = _position(str(given["position"]))
                self.ruleset = self.position.ruleset
            else:
                self.ruleset = Ruleset.from_text(_written(str(given["ruleset"])))
            self.kernel: Kernel = engine_of(self.ruleset)
        except TetrasolveError as error:
            raise ValueError(str(error)) from None
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=BRANCHES,
            num_players=1,
            min_utility=0.0,
            max_utility=1.0,
            max_game_length=DECISIONS * self.turns,
        )
        super().__init__(TYPE, info, dict(params or {}))

    def new_initial_state(self) -> FinemState:
        """The state before the set-up, or the given position."""
        return FinemState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A bound that no game reaches."""
        return SET_UP + CARDS * self.turns

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> TextObserver:
        """An observer with full information."""
        del iig_obs_type, params
        return TextObserver()


def _written(text: str) -> str:
    """A ruleset as the library writes it."""
    return text.replace(":", "=").replace(";", ",")


def _position(text: str) -> Position:
    head, space, rest = text.partition(" ")
    position = Position.parse(
        _written(head) + space + rest.replace("hand:", "hand=").replace("protected:", "protected=")
    )
    require_legal(position)
    return position


@dataclass(frozen=True, slots=True)
class Kept:
    """A state of the kernel: it does not change, so a copy of a game shares it."""

    state: State

    def __deepcopy__(self, memo: object) -> Kept:
        return self

    def __reduce__(self) -> tuple[Callable[..., Kept], tuple[Fields]]:
        return _kept, (self.state.fields(),)


def _kept(fields: Fields) -> Kept:
    return Kept(State(**fields))


@dataclass(frozen=True, slots=True)
class Over:
    """How a game ended, and how many tribes were pacified."""

    result: str
    pacified: int


def _after(state: State) -> Kept | Over:
    return Over(state.result, _pacified(Kept(state))) if state.result else Kept(state)


def _pacified(kept: Kept | Over) -> int:
    return kept.pacified if isinstance(kept, Over) else kept.state.fields()["pacified"].bit_count()


class FinemState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A state of the kernel as one of OpenSpiel; before the game the cards of the set-up that have been drawn."""

    def __init__(self, game: FinemGame) -> None:
        super().__init__(game)
        self.kept: Kept | Over | None = None if game.position is None else Kept(state_of(game.position))
        self.turn = 1
        self.region: int | None = None  # of the pawn
        self.cards: tuple[int, ...] = ()
        layout = game.ruleset.layout
        self.regions = layout.corners if "corner" in game.ruleset.options else (layout.start,)
        if len(self.regions) == 1:
            self.region = NUMBER[self.regions[0]]

    @property
    def state(self) -> State | None:
        """The kernel's state; None in the set-up and where the game is over."""
        return self.kept.state if isinstance(self.kept, Kept) else None

    def is_terminal(self) -> bool:
        """Whether the game is over, or its turns have run out."""
        return isinstance(self.kept, Over) or self.turn > self.get_game().turns

    def current_player(self) -> int:
        """The player, chance or terminal."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        is_chance = self.state is None or STEPS[self.state.step].is_chance
        return int(pyspiel.PlayerId.CHANCE) if is_chance else 0

    def _options(self) -> list[int]:
        if self.state is not None:
            return [number_of(option) for option in self.get_game().kernel.options(self.state)]
        if self.region is None:
            return sorted(NUMBER[region] for region in self.regions)
        return [card for card in range(len(REGIONS)) if card not in self.cards]

    def _legal_actions(self, player: int) -> Sequence[int]:
        return sorted(self._options()) if player == self.current_player() and not self.is_terminal() else ()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards, roles or corners, all with the same chance."""
        found = self._options()
        return [(number, 1 / len(found)) for number in found]

    def _apply_action(self, action: int) -> None:
        if self.state is not None:
            named = STEPS[self.state.step] in (Step.ROLE, Step.APPOINT)
            self.kept = _after(self.get_game().kernel.take(self.state, option_of(action)))
            self.turn += named
        elif self.region is None:
            self.region = action
        else:
            self._deal(action)

    def _deal(self, card: int) -> None:
        """A card of the set-up; after the last one the game begins, or the cards are drawn again [E-FULL]."""
        self.cards = (*self.cards, card)
        readings = self.get_game().ruleset.readings
        a_group = numbers.SET_UP_CARDS if readings["E-SETUP"] == "nine" else numbers.SET_UP_CARDS_OF_TWELVE
        if len(self.cards) < numbers.SET_UP_GROUPS * a_group:
            return
        assert self.region is not None
        dealt = self.get_game().kernel.set_up(self.cards, self.region)
        if dealt.result and readings["E-FULL"] == "again":
            self.cards = ()
        else:
            self.kept = _after(dealt)

    def _action_to_string(self, player: int, action: int) -> str:
        del player  # there is one
        return option_text(option_of(action))

    def returns(self) -> list[float]:
        """The reward."""
        if not self.is_terminal():
            return [0.0]
        reward, over = self.get_game().reward, self.kept if isinstance(self.kept, Over) else None
        if over is not None and over.result == WON:
            return [1.0]
        if reward == "pacified":
            return [(0 if self.kept is None else _pacified(self.kept)) / 8]
        return [float(reward == "standing" and over is None)]

    def __str__(self) -> str:
        if isinstance(self.kept, Over):
            return self.kept.result
        if self.state is None:
            pawn = "" if self.region is None else f" {REGIONS[self.region]}:"
            return f"set-up{pawn} {' '.join(REGIONS[card] for card in self.cards)}".rstrip()
        return str(position_of(self.get_game().ruleset, self.state))


pyspiel.register_game(TYPE, FinemGame)
