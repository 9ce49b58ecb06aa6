"""The set-up as a tree: which faces each of its rolls can show, and the position that the reference rules make of them.

Faces that are rolled again, and those that lead to the same, are no branches: a branch is the province of a revolt, the border
of an army, or the zone of the Pirates, and has the chance with which it is the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Kernel, State
from tetrasolve.tetrarchia.numbers import DIE, FIRST_PROVINCE, PIRATE_ZONES
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import GivenDice, open_choices, scenario, scenario_set_up, set_up
from tetrasolve.tetrarchia.rules.setup import fleet_choices
from tetrasolve.tetrarchia.ruleset import Ruleset

REGION, ADDITIONAL, ARMY, PIRATES = "revolt in region", "additional revolt", "army", "pirates"


@lru_cache(maxsize=128)
def _ruleset(rules: str) -> Ruleset:
    return Ruleset.from_text(rules)


@lru_cache(maxsize=128)
def _kernel(rules: str, *, rebels: bool) -> Kernel:
    return fast.kernel_for(Board.standard(), _ruleset(rules), rebels=rebels)


@dataclass(frozen=True, slots=True)
class Setting:
    """The rules of a game on the board of the library, and the most turns.

    `rules` is a ruleset as text (``4211``, ``4211+dux+barbaria``). With a `scenario` its set-up is rolled, `fixed` where its
    revolts are not, and `rules` are those of `Scenario.ruleset`. `rebels`: whether there may be some on the board.

    :raises RulesetError: when there are no such rules or no such scenario, they do not fit, or `turns` is not positive.
    """

    rules: str
    turns: int = 400
    scenario: str | None = None
    fixed: bool = False
    rebels: bool = False

    def __post_init__(self) -> None:
        ruleset = _ruleset(self.rules)
        if self.turns < 1:
            raise RulesetError(f"turns: expected at least 1, got {self.turns}")
        if self.scenario is not None:
            war = scenario(self.scenario)
            war.checked(ruleset)
            object.__setattr__(self, "rebels", bool(war.rebels))
        elif self.fixed:
            raise RulesetError("fixed: expected a scenario, since other set-ups are rolled")

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset."""
        return _ruleset(self.rules)

    @property
    def board(self) -> Board:
        """The board of the library."""
        return Board.standard()

    @property
    def kernel(self) -> Kernel:
        """The compiled rules."""
        return _kernel(self.rules, rebels=self.rebels)

    def state(self, position: Position) -> State:
        """The state of a position of this game, also where the last rebel has left it."""
        return fast.state_of(position, rebels=self.rebels)


def stages(setting: Setting) -> Sequence[tuple[str, int]]:
    """The rolls of a set-up in order: what is rolled for, and the region of a revolt."""
    return tuple(_stages(setting))


def _stages(setting: Setting) -> Iterator[tuple[str, int]]:
    board, ruleset = setting.board, setting.ruleset
    regions = range(1, len(board.borders) + 1)
    if setting.scenario is None:
        yield from ((REGION, region) for region in regions)
        yield from [(ADDITIONAL, 0)] * ruleset.revolts
        yield from [(ARMY, 0)] * ruleset.armies
        if "pirates" in ruleset.modules:
            yield PIRATES, 0
        return
    war = scenario(setting.scenario)
    risen = {province.region for place in war.revolts if (province := board.find(place)) is not None}
    if not setting.fixed:
        yield from ((REGION, region) for region in regions if region not in risen)
    if "pirates" in ruleset.modules and war.pirates is None:
        yield PIRATES, 0


def chances(setting: Setting, rolled: Sequence[int]) -> Mapping[int, Fraction]:
    """The numbers that can come next after those that were rolled, with their chances."""
    what, region = stages(setting)[len(rolled)]
    board, readings = setting.board, setting.ruleset.readings
    if what == REGION:
        return _equal(6 * region + number - 7 for number in range(FIRST_PROVINCE + 1, DIE + 1))
    if what == PIRATES:
        return _equal(PIRATE_ZONES)
    taken = {place_of(setting, done, number) for done, number in enumerate(rolled)}
    if what == ARMY:
        return _equal(number for number, border in enumerate(board.borders) if border not in taken)
    spares = readings["I-SETUP-CAPITAL"] == "occupied"
    found = [
        number
        for number in range(DIE * len(board.borders))
        if (place := _province(board, number)) not in taken and not (spares and board[place].printed)
    ]
    if readings["I-SETUP-REROLL"] != "province":
        return _equal(found)
    beside = Counter(number // DIE for number in found)  # the region stands, and only the province is rolled again
    return {number: Fraction(1, len(beside) * beside[number // DIE]) for number in found}


def _equal(numbers: Iterable[int]) -> Mapping[int, Fraction]:
    found = tuple(numbers)
    return dict.fromkeys(found, Fraction(1, len(found)))


def _province(board: Board, number: int) -> str:
    return board.at(1 + number // DIE, 1 + number % DIE)


def place_of(setting: Setting, done: int, number: int) -> str | None:
    """The province that a number names after so many rolls; None for a zone."""
    match stages(setting)[done][0]:
        case "army":
            return setting.board.borders[number]
        case "pirates":
            return None
    return _province(setting.board, number)


def words_of(setting: Setting, done: int, number: int) -> str:
    """What a number means after so many rolls."""
    match stages(setting)[done][0]:
        case "army":
            return f"army in {place_of(setting, done, number)}"
        case "pirates":
            return f"pirates in zone {number}"
    return f"revolt in {place_of(setting, done, number)}"


def _faces(setting: Setting, done: int, number: int) -> tuple[int, ...]:
    """The faces that the reference rules take for a number."""
    match stages(setting)[done][0]:
        case "additional revolt":
            return 1 + number // DIE, 1 + number % DIE
        case "army":
            return (number + 1,)
        case "pirates":
            return (number,)
    return (1 + number % DIE,)


def fleets_after(setting: Setting, rolled: Sequence[int]) -> Sequence[tuple[int, ...]]:
    """The zones that can be chosen for the fleets."""
    for zones in fleet_choices(setting.ruleset, setting.board):
        with suppress(RulesetError):  # a module closes one of them
            return tuple(open_choices(position_after(setting, rolled, zones)))
    raise AssertionError("no module closes all zones")


def position_after(setting: Setting, rolled: Sequence[int], fleets: Sequence[int]) -> Position:
    """The first position of the game, by the reference rules."""
    dice = GivenDice([face for done, number in enumerate(rolled) for face in _faces(setting, done, number)])
    if setting.scenario is None:
        return set_up(setting.ruleset, fleets, dice, setting.board)
    return scenario_set_up(setting.scenario, fleets, dice, setting.ruleset, fixed=setting.fixed, board=setting.board)
