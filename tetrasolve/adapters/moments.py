"""The game tree without modules, variants and rebels: at a node (a moment) Rome decides or dice are rolled; branches are integers.

============ ======== ========================================================================================
moment       decides  meaning of the integers
============ ======== ========================================================================================
`Deal`       dice     a province of regions 1 to 6, or a border
`Fleets`     Rome     actions: the zones of the fleets
`Play`       Rome     actions: one step of the turn, or its end
`Fight`      dice     0 victory, 1 draw, 2 defeat
`Phase`      dice     the faces of the next roll of the Barbarian phase
`Over`       nobody
============ ======== ========================================================================================

The kernel plays the Roman phase, the reference rules play the Barbarian phase roll by roll. Faces with the same
consequence are one branch: it has the number of the first of them and the sum of their chances. Faces that the set-up rolls
again are no branches. Moments are immutable, can be pickled, and are equal if they were reached in the same way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any, ClassVar, Self

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Kernel, State
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall, begin, fleet_choices
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince
from tetrasolve.tetrarchia.rules.step import Rolling, Step
from tetrasolve.tetrarchia.ruleset import Ruleset

STEPS = 8  # of one turn at most: enter, six actions for 1 IP each, end
BRANCHES = 36  # the most that one roll can lead to
OUTCOMES = (Outcome.VICTORY, Outcome.DRAW, Outcome.DEFEAT)  # in the order of the kernel

Chances = Sequence[tuple[int, Fraction]]


@lru_cache(maxsize=128)
def _kernel(level: str) -> Kernel:
    return fast.kernel_for(Board.standard(), Ruleset.from_level(level))


@dataclass(frozen=True, slots=True)
class Setting:
    """The level of a game on the board of the library, and the most turns.

    :raises RulesetError: when there is no such level, or `turns` is not positive.
    """

    level: str
    turns: int = 400

    def __post_init__(self) -> None:
        Ruleset.from_level(self.level)
        if self.turns < 1:
            raise RulesetError(f"turns: expected at least 1, got {self.turns}")

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the level."""
        return Ruleset.from_level(self.level)

    @property
    def board(self) -> Board:
        """The board of the library."""
        return Board.standard()

    @property
    def kernel(self) -> Kernel:
        """The compiled rules; levels share them."""
        return _kernel(self.level)


# -- what Rome can do, by number -------------------------------------------------------------------------------


def _codes() -> tuple[int, ...]:
    """The kernel's codes of all actions, an attack without its outcome; their order is that of the board file."""
    provinces = range(len(Board.standard().provinces))
    places = {kind: [kind | place << 4 for place in provinces] for kind in (kernel.ENTER, kernel.MOVE, kernel.ATTACK)}
    sails = [kernel.SAIL | a << 4 | b << 10 for a, b in permutations(range(1, 4), 2)]
    plain = [kernel.SECURE, kernel.REMOVE, kernel.REDUCE, kernel.END]
    return (*places[kernel.ENTER], *places[kernel.MOVE], *sails, *plain, *places[kernel.ATTACK])


CODES = _codes()
NUMBER_OF = {  # of the kernel's codes, those of an attack's three outcomes too
    code | outcome << 10: number
    for number, code in enumerate(CODES)
    for outcome in range(3 if code & 15 == kernel.ATTACK else 1)
}
FIRST_ZONES = len(CODES)  # the number of the first choice of zones: this and a mask of zones, 1 to 7, less 1
ACTIONS = FIRST_ZONES + 7


def action_words(number: int) -> str:
    """What Rome does, as it is written in a record; an attack without its outcome."""
    board = Board.standard()
    if number >= FIRST_ZONES:
        return f"fleets {' '.join(str(zone) for zone in (1, 2, 3) if number - FIRST_ZONES + 1 >> (zone - 1) & 1)}"
    code = CODES[number]
    return f"attack {board.ids[code >> 4]}" if code & 15 == kernel.ATTACK else str(fast.to_action(code, board))


# -- moments ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moment(ABC):
    """A node of the game tree."""

    setting: Setting
    decider: ClassVar[str] = ""  # "rome", "dice", or nobody

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Self:
        """Return self: moments are immutable."""
        return self

    @cached_property
    def actions(self) -> Sequence[int]:
        """The numbers of the legal actions, ascending; empty where Rome does not decide."""
        return ()

    @cached_property
    def chances(self) -> Chances:
        """The numbers of the chance branches with their exact chances; empty where no dice are rolled."""
        return ()

    @abstractmethod
    def after(self, number: int) -> Moment:
        """The moment that follows."""

    def words(self, number: int) -> str:
        """The meaning of a branch number, as text."""
        return action_words(number)


def start(setting: Setting) -> Moment:
    """The root of the tree: the moment before the set-up.

    >>> moment = start(Setting("4211"))
    >>> len(moment.chances), moment.words(moment.chances[0][0])
    (5, 'revolt in baetica')
    """
    return Deal(setting)


def moment_of(position: Position, turns: int = 400) -> Moment:
    """The moment of a position of the base game on the library's board; at most `turns` turns follow.

    :raises RulesetError: when modules, variants, rebels, other readings or another board are in use.
    :raises IllegalPositionError: when the position cannot occur.
    """
    used = [*sorted(position.ruleset.extensions), *(["rebels"] if position.rebels else [])]
    if used:
        raise RulesetError(f"this adapter is for the base game only; in use are {', '.join(used)}")
    level = position.ruleset.level
    if position.ruleset != Ruleset.from_level(level) or position.board != Board.standard():
        raise RulesetError("this adapter is for the board of the library and the default readings only")
    return _settled(Setting(level, turns), fast.to_state(position), 0)


@dataclass(frozen=True)
class Deal(Moment):
    """A roll of the set-up; `revolts` and `armies` are the provinces rolled so far, in order."""

    decider = "dice"
    revolts: tuple[str, ...] = ()
    armies: tuple[str, ...] = ()

    @property
    def _regions(self) -> int:
        return len(self.setting.board.borders)

    def _open(self) -> Mapping[int, str]:
        """The provinces that the next roll can name, by number."""
        board, ruleset, regions = self.setting.board, self.setting.ruleset, range(1, self._regions + 1)
        places = {6 * region + number - 7: board.at(region, number) for region in regions for number in range(1, 7)}
        if len(self.revolts) < self._regions:  # each region's own first, never its province 1
            return {
                number: place for number, place in places.items() if number // 6 == len(self.revolts) and number % 6
            }
        if len(self.revolts) < self._regions + ruleset.revolts:
            return {number: place for number, place in places.items() if place not in self.revolts}
        return {number: border for number, border in enumerate(board.borders) if border not in self.armies}

    @cached_property
    def chances(self) -> Chances:
        """The chances of the next roll; all are equal."""
        found = self._open()
        return [(number, Fraction(1, len(found))) for number in found]

    def after(self, number: int) -> Moment:
        """The next roll, or the choice of zones."""
        ruleset, place = self.setting.ruleset, self._open()[number]
        revolts, armies = self.revolts, self.armies
        if len(revolts) < self._regions + ruleset.revolts:
            revolts = (*revolts, place)
        else:
            armies = (*armies, place)
        done = len(revolts) == self._regions + ruleset.revolts and len(armies) == ruleset.armies
        return (Fleets if done else Deal)(self.setting, revolts, armies)

    def words(self, number: int) -> str:
        """The province of the new revolt or army."""
        place = self._open()[number]
        return f"{'army' if self.setting.board[place].is_border else 'revolt'} in {place}"


@dataclass(frozen=True)
class Fleets(Moment):
    """The players choose the zones of the fleets."""

    decider = "rome"
    revolts: tuple[str, ...]
    armies: tuple[str, ...]

    @cached_property
    def actions(self) -> Sequence[int]:
        """A number for each choice of zones."""
        choices = fleet_choices(self.setting.ruleset)
        return sorted(FIRST_ZONES - 1 + sum(1 << (zone - 1) for zone in zones) for zones in choices)

    def after(self, number: int) -> Moment:
        """The first turn."""
        board = self.setting.board
        state = State(revolts=board.mask(self.revolts), armies=board.mask(self.armies), fleets=number - FIRST_ZONES + 1)
        return _settled(self.setting, state, 0)


@dataclass(frozen=True)
class Play(Moment):
    """The active Emperor's next action; `turn` turns are over."""

    decider = "rome"
    state: State
    turn: int

    @cached_property
    def actions(self) -> Sequence[int]:
        """The numbers of the legal actions: one for each attack, and the end of the turn where it is allowed."""
        rules = self.setting.kernel
        numbers = {NUMBER_OF[code] for code in rules.legal(self.state)}
        if rules.may_end(self.state):
            numbers.add(NUMBER_OF[kernel.END])
        return sorted(numbers)

    def after(self, number: int) -> Moment:
        """The next step, the dice of an attack, the Barbarian phase, or the end of the game."""
        code = CODES[number]
        if code & 15 == kernel.ATTACK:
            return Fight(self.setting, self.state, code >> 4, self.turn)
        return _settled(self.setting, self.setting.kernel.play(self.state, code), self.turn)


@dataclass(frozen=True)
class Fight(Moment):
    """The dice of an attack on the army in the province with this number."""

    decider = "dice"
    state: State
    army: int
    turn: int

    @cached_property
    def chances(self) -> Chances:
        """The chances of the outcomes that can be rolled."""
        odds = self.setting.kernel.odds(self.state, self.army)
        return [(number, Fraction(faces, 36)) for number, faces in enumerate(odds) if faces]

    def after(self, number: int) -> Moment:
        """The moment after the attack."""
        code = kernel.ATTACK | self.army << 4 | number << 10
        return _settled(self.setting, self.setting.kernel.play(self.state, code), self.turn)

    def words(self, number: int) -> str:
        """The outcome."""
        return str(OUTCOMES[number])


@dataclass(frozen=True)
class Phase(Moment):
    """A roll of the Barbarian phase that began with `state`; `rolled` has the numbers of the earlier rolls."""

    decider = "dice"
    state: State
    rolled: tuple[int, ...]
    turn: int
    step: Rolling = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rolls only: steps of the reference rules are computed again."""
        return _phase, (self.setting, self.state, self.rolled, self.turn)

    @cached_property
    def chances(self) -> Chances:
        """The chances of the branches; faces with the same consequence are one branch."""
        return _branches(self.step)

    def after(self, number: int) -> Moment:
        """The next roll, the next turn, or the fall of the Empire."""
        return _onward(self.setting, self.state, (*self.rolled, number), self.turn, _result(self.step, number))

    def words(self, number: int) -> str:
        """The kind of roll and the first faces of the branch."""
        roll = self.step.roll()
        return ", ".join(f"{what} {face}" for what, face in zip(roll.questions, roll.faces[number], strict=True))


@dataclass(frozen=True)
class Over(Moment):
    """The end of a game: won, lost, or None if the turns ran out; `state` is the last position."""

    state: State
    won: bool | None
    turn: int

    def after(self, number: int) -> Moment:
        """Raise an error: nothing follows.

        :raises ValueError: always.
        """
        raise ValueError(f"{number}: the game is over")


# -- the Barbarian phase, roll by roll -------------------------------------------------------------------------


def _branches(step: Rolling) -> Chances:
    """The branches of a roll. The reference rules make one object for each consequence, so identity groups faces."""
    if isinstance(step, Activity | EchoProvince):  # each face names a province; what it does there can wait
        return _equal_shares(36 if isinstance(step, Activity) else 6)
    results = step.roll().results
    first: dict[int, int] = {}
    shares: dict[int, int] = {}
    for number, result in enumerate(results):
        branch = first.setdefault(id(result), number)
        shares[branch] = shares.get(branch, 0) + 1
    return [(number, Fraction(share, len(results))) for number, share in shares.items()]


@lru_cache(maxsize=4)
def _equal_shares(count: int) -> Chances:
    return [(number, Fraction(1, count)) for number in range(count)]


def _result(step: Rolling, number: int) -> Step:
    """The step that follows the faces with this number."""
    if isinstance(step, Activity):
        return step.at(step.position.board.at(1 + number // 6, 1 + number % 6))
    if isinstance(step, EchoProvince):
        return step.at(step.places()[number])
    return step.roll().results[number]


def _phase(setting: Setting, state: State, rolled: Sequence[int], turn: int) -> Moment:
    """The state of a Barbarian phase after these rolls."""
    step: Step = begin(fast.to_position(state, setting.board, setting.ruleset))
    for number in rolled:
        step = _result(_waiting(step), number)
    return _onward(setting, state, tuple(rolled), turn, step)


def _waiting(step: Step) -> Rolling:
    assert not isinstance(step, Position | Fall)  # a number was rolled here
    assert hasattr(step, "roll")  # nobody chooses in the base game
    return step


def _onward(setting: Setting, state: State, rolled: tuple[int, ...], turn: int, step: Step) -> Moment:
    if isinstance(step, Fall):
        return Over(setting, state, won=False, turn=turn + 1)
    if isinstance(step, Position):
        return _settled(setting, fast.state_of(step), turn + 1)
    return Phase(setting, state, rolled, turn, _waiting(step))


def _settled(setting: Setting, state: State, turn: int) -> Moment:
    """The moment of a position."""
    if state.result != kernel.OPEN:
        return Over(setting, state, won=state.result == kernel.WON, turn=turn)
    if turn >= setting.turns:
        return Over(setting, state, won=None, turn=turn)
    if state.phase == kernel.ROMAN:
        return Play(setting, state, turn)
    return _phase(setting, state, (), turn)
