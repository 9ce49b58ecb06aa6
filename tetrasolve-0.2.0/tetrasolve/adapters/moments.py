"""The game tree for all rulesets and scenarios: at a node (a moment) a player decides or dice are rolled; branches are integers.

============ ========= =======================================================================================
moment       decides   meaning of the integers
============ ========= =======================================================================================
`Deal`       dice      a province of regions 1 to 6, a border, or the zone of the Pirates
`Fleets`     Rome      actions: the zones of the fleets
`Play`       Rome      actions: one step of the turn, or its end
`Fight`      dice      0 victory, 1 draw, 2 defeat; where discs can be added, the first pair of faces with that effect
`Boost`      Rome      answers: the next disc that Galerius adds to the dice of his attack, or no
`Phase`      dice      the faces of the next roll of the Barbarian phase
`Answer`     Rome      answers to a choice of Constantius or Galerius in the Barbarian phase
`Scheme`     Barbarian answers to a choice of the Barbarian player
`Over`       nobody
============ ========= =======================================================================================

Players' integers are those of `tetrasolve.adapters.numbering`. The kernel plays the Roman phase, the reference rules play the
Barbarian phase roll by roll. Faces with the same consequence are one branch: it has the number of the first of them and the
sum of their chances; where they can be rolled again, each is a branch. Faces that the set-up rolls again are no branches.
Galerius names the discs that he adds in the order of the board file, the reserve first, so that each payment is met once.
Moments are immutable, can be pickled, and are equal if they were reached in the same way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, ClassVar, Self, cast

from tetrasolve.adapters import dealing
from tetrasolve.adapters.dealing import Setting
from tetrasolve.adapters.numbering import (
    ACTIONS,
    ANSWERS,
    BOOST,
    CODES,
    FIRST_ZONES,
    answer_of,
    is_attack,
    number_of,
    number_of_answer,
    plain,
    words_of,
    zones_of,
)
from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import State
from tetrasolve.tetrarchia.numbers import GRAY_DISCS
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Choice, Fall, begin
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince
from tetrasolve.tetrarchia.rules.choices import BARBARIAN, NO
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.registry import rule_modules
from tetrasolve.tetrarchia.rules.step import Rolling, Step

__all__ = ["ACTIONS", "ANSWERS", "BRANCHES", "Moment", "Over", "Setting", "moment_of", "start", "steps"]

BRANCHES = 36  # the most that one roll can lead to
OUTCOMES = (Outcome.VICTORY, Outcome.DRAW, Outcome.DEFEAT)  # in the order of the kernel
FACES = 36

Chances = Sequence[tuple[int, Fraction]]


def steps(setting: Setting) -> int:
    """The most decisions of one turn and the phase after it.

    In the base game: enter, six actions for 1 IP each, end. An echo asks the Barbarian player again, so that his answers have no
    bound; no game reaches this one in practice.
    """
    found = 8
    if setting.ruleset.extensions:
        found += 40  # powers, and the discs added to dice
    if "barbaria" in setting.ruleset.extensions:
        found += 100 * GRAY_DISCS
    return found


# -- moments ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moment(ABC):
    """A node of the game tree."""

    setting: Setting
    decider: ClassVar[str] = ""  # "rome", "barbarian", "dice", or nobody

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Self:
        """Return self: moments are immutable."""
        return self

    @cached_property
    def actions(self) -> Sequence[int]:
        """The numbers of the legal actions, ascending; empty where no player decides."""
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
        return words_of(number)


def start(setting: Setting) -> Moment:
    """The root of the tree: the moment before the set-up.

    >>> moment = start(Setting("4211"))
    >>> len(moment.chances), moment.words(moment.chances[0][0])
    (5, 'revolt in baetica')
    """
    return _dealt(setting, ())


def moment_of(position: Position, turns: int = 400) -> Moment:
    """The moment of a position on the library's board; at most `turns` turns follow.

    :raises RulesetError: when another board is in use.
    :raises IllegalPositionError: when the position cannot occur.
    """
    if position.board != Board.standard():
        raise RulesetError("this adapter is for the board of the library only, whose provinces its numbers name")
    setting = Setting(str(position.ruleset), turns, rebels=bool(position.rebels))
    return _settled(setting, fast.to_state(position), 0)


@dataclass(frozen=True)
class Deal(Moment):
    """A roll of the set-up; `rolled` has the numbers of the rolls so far."""

    decider = "dice"
    rolled: tuple[int, ...] = ()

    @cached_property
    def chances(self) -> Chances:
        """The chances of the next roll."""
        return list(dealing.chances(self.setting, self.rolled).items())

    def after(self, number: int) -> Moment:
        """The next roll, or the choice of zones."""
        return _dealt(self.setting, (*self.rolled, number))

    def words(self, number: int) -> str:
        """The province of the new revolt or army, or the zone of the Pirates."""
        return dealing.words_of(self.setting, len(self.rolled), number)


def _dealt(setting: Setting, rolled: tuple[int, ...]) -> Moment:
    return (Deal if len(rolled) < len(dealing.stages(setting)) else Fleets)(setting, rolled)


@dataclass(frozen=True)
class Fleets(Moment):
    """The players choose the zones of the fleets, after these rolls of the set-up."""

    decider = "rome"
    rolled: tuple[int, ...]

    @cached_property
    def actions(self) -> Sequence[int]:
        """A number for each choice of zones."""
        choices = dealing.fleets_after(self.setting, self.rolled)
        return sorted(FIRST_ZONES - 1 + sum(1 << (zone - 1) for zone in zones) for zones in choices)

    def after(self, number: int) -> Moment:
        """The first turn."""
        zones = tuple(zone for zone in self.setting.board.coast if zones_of(number) >> (zone - 1) & 1)
        return _settled(self.setting, self.setting.state(dealing.position_after(self.setting, self.rolled, zones)), 0)


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
        numbers = {number_of(code) for code in rules.legal(self.state)}
        if rules.may_end(self.state):
            numbers.add(number_of(kernel.END))
        return sorted(numbers)

    def after(self, number: int) -> Moment:
        """The next step, the dice of an attack, the Barbarian phase, or the end of the game."""
        code = CODES[number]
        if is_attack(code):
            return Fight(self.setting, self.state, code, self.turn)
        return _settled(self.setting, self.setting.kernel.play(self.state, code), self.turn)


@dataclass(frozen=True)
class Fight(Moment):
    """The dice of an attack with this code, which is that of a victory without payments."""

    decider = "dice"
    state: State
    code: int
    turn: int

    @cached_property
    def payments(self) -> Mapping[tuple[str, ...], int]:
        """What can be paid for the dice of this attack, nothing included, each with the code of an attack."""
        return _payments(self.setting, self.state, self.code)

    @cached_property
    def _odds(self) -> Mapping[int, tuple[int, int, int]]:
        """The faces of the 36 for each outcome, by the number of discs paid."""
        codes = {len(paid): code for paid, code in self.payments.items()}
        return {paid: _odds(self.setting, self.state, code) for paid, code in codes.items()}

    @cached_property
    def chances(self) -> Chances:
        """The chances of what the dice can show."""
        if len(self.payments) == 1:
            return [(number, Fraction(faces, FACES)) for number, faces in enumerate(self._odds[0]) if faces]
        first: dict[tuple[int, ...], int] = {}
        for rank in range(FACES):  # the same pairs of faces are the best whatever is paid
            first.setdefault(self.outcomes(rank), rank)
        ranks = [*first.values(), FACES]
        return [(rank, Fraction(after - rank, FACES)) for rank, after in pairwise(ranks)]

    def outcomes(self, number: int) -> tuple[int, ...]:
        """The outcome of a branch with 0, 1, ... discs paid."""
        if len(self.payments) == 1:
            return (number,)
        odds = [self._odds[paid] for paid in sorted(self._odds)]
        return tuple(0 if number < won else 1 if number < won + drawn else 2 for won, drawn, _ in odds)

    def after(self, number: int) -> Moment:
        """The moment after the dice have fallen."""
        return _fallen(self, number, ())

    def words(self, number: int) -> str:
        """The outcome, and those with discs where they can be added."""
        first, *more = (str(OUTCOMES[outcome]) for outcome in self.outcomes(number))
        return first + "".join(f", {outcome} with {paid} added" for paid, outcome in enumerate(more, start=1))


@dataclass(frozen=True)
class Boost(Moment):
    """Galerius adds discs to the dice of a fight, which show the branch `shown`; `paid` are those so far."""

    decider = "rome"
    fight: Fight
    shown: int
    paid: tuple[str, ...]

    @cached_property
    def actions(self) -> Sequence[int]:
        """No, and each disc that can be added after those so far."""
        more = _more(self.fight, self.paid)
        return sorted(number_of_answer(name) for name in (NO, *(f"{BOOST}:{disc}" for disc in more)))

    def after(self, number: int) -> Moment:
        """The attack as it stands, or one more disc."""
        name, _, disc = answer_of(number).partition(":")
        return _fallen(self.fight, self.shown, (*self.paid, disc)) if name == BOOST else _fought(self)


def _fallen(fight: Fight, shown: int, paid: tuple[str, ...]) -> Moment:
    """The moment after dice that show a branch, and these payments."""
    boost = Boost(fight.setting, fight, shown, paid)
    is_open = fight.outcomes(shown)[len(paid)] != 0 and _more(fight, paid)
    return boost if is_open else _fought(boost)


def _more(fight: Fight, paid: tuple[str, ...]) -> tuple[str, ...]:
    """The discs with which these payments can go on."""
    done = len(paid)
    longer = (payment[done] for payment in fight.payments if len(payment) > done and payment[:done] == paid)
    return tuple(dict.fromkeys(longer))


def _fought(boost: Boost) -> Moment:
    """The moment after an attack with these payments."""
    fight = boost.fight
    outcome = fight.outcomes(boost.shown)[len(boost.paid)]
    code = fight.payments[boost.paid] | outcome << 10
    return _settled(fight.setting, fight.setting.kernel.play(fight.state, code), fight.turn)


def _payments(setting: Setting, state: State, attack: int) -> Mapping[tuple[str, ...], int]:
    """What can be paid for an attack, each with its code of a victory."""
    found: dict[tuple[str, ...], int] = {}
    for code in setting.kernel.legal(state):
        if is_attack(code) and plain(code) == attack:
            found.setdefault(fast.payments_of(code, setting.board), code & ~(3 << 10))
    return found


def _odds(setting: Setting, state: object, code: int) -> tuple[int, int, int]:
    """The faces of the 36 for each outcome of an attack with this code."""
    if isinstance(state, whole.State):
        return whole.attack_odds(cast(whole.Kernel, setting.kernel), state, code)
    return setting.kernel.odds(cast(State, state), code >> 4 & 63)


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
        """The next roll or choice, the next turn, or the fall of the Empire."""
        return _onward(self.setting, self.state, (*self.rolled, number), self.turn, _result(self.step, number))

    def words(self, number: int) -> str:
        """The kind of roll and the first faces of the branch."""
        roll = self.step.roll()
        return ", ".join(f"{what} {face}" for what, face in zip(roll.questions, roll.faces[number], strict=True))


@dataclass(frozen=True)
class Answer(Moment):
    """A choice of Rome in the Barbarian phase that began with `state`; `rolled` has the numbers of rolls and answers so far."""

    decider = "rome"
    state: State
    rolled: tuple[int, ...]
    turn: int
    choice: Choice = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rolls and answers only, as a `Phase`."""
        return _phase, (self.setting, self.state, self.rolled, self.turn)

    @cached_property
    def actions(self) -> Sequence[int]:
        """The numbers of the answers."""
        return sorted(map(number_of_answer, self.choice.options))

    def after(self, number: int) -> Moment:
        """What follows the answer."""
        step = self.choice.after(answer_of(number))
        return _onward(self.setting, self.state, (*self.rolled, number), self.turn, step)


@dataclass(frozen=True)
class Scheme(Answer):
    """A choice of the Barbarian player."""

    decider = "barbarian"


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
    results = _landings(step)
    first: dict[int, int] = {}
    shares: dict[int, int] = {}
    for number, result in enumerate(results):
        branch = first.setdefault(id(result), number)
        shares[branch] = shares.get(branch, 0) + 1
    return [(number, Fraction(share, len(results))) for number, share in shares.items()]


def _landings(step: Rolling) -> Sequence[Step]:
    """What follows each of the faces of a roll: where they can be rolled again, a choice."""
    roll = step.roll()
    if not rule_modules(step.position).decisions:
        return roll.results
    return [landed(step, faces, result) for faces, result in zip(roll.faces, roll.results, strict=True)]


@lru_cache(maxsize=4)
def _equal_shares(count: int) -> Chances:
    return [(number, Fraction(1, count)) for number in range(count)]


def _result(step: Rolling, number: int) -> Step:
    """The step that follows the faces with this number."""
    if isinstance(step, Activity):
        faces = (1 + number // 6, 1 + number % 6)
        return landed(step, faces, step.at(step.position.board.at(*faces)))
    if isinstance(step, EchoProvince):
        return landed(step, (1 + number,), step.at(step.places()[number]))
    return _landings(step)[number]


def _phase(setting: Setting, state: State, rolled: Sequence[int], turn: int) -> Moment:
    """The state of a Barbarian phase after these rolls and answers."""
    step: Step = begin(fast.to_position(state, setting.board, setting.ruleset))
    for number in rolled:
        step = step.after(answer_of(number)) if isinstance(step, Choice) else _result(_waiting(step), number)
    return _onward(setting, state, tuple(rolled), turn, step)


def _waiting(step: Step) -> Rolling:
    assert not isinstance(step, Position | Fall | Choice)  # a number was rolled here
    return step


def _onward(setting: Setting, state: State, rolled: tuple[int, ...], turn: int, step: Step) -> Moment:
    if isinstance(step, Fall):
        return Over(setting, state, won=False, turn=turn + 1)
    if isinstance(step, Position):
        return _settled(setting, setting.state(step), turn + 1)
    if isinstance(step, Choice):
        return (Scheme if step.decider == BARBARIAN else Answer)(setting, state, rolled, turn, step)
    return Phase(setting, state, rolled, turn, step)


def _settled(setting: Setting, state: State, turn: int) -> Moment:
    """The moment of a position."""
    if state.result != kernel.OPEN:
        return Over(setting, state, won=state.result == kernel.WON, turn=turn)
    if turn >= setting.turns:
        return Over(setting, state, won=None, turn=turn)
    if state.phase == kernel.ROMAN:
        return Play(setting, state, turn)
    return _phase(setting, state, (), turn)
