"""The whole rulebook of Tetrarchia on bitboards: types of the second compiled kernel (sources in ``ext/``).

It plays the base game with the modules Dux, Vicarius, Pirates and Goths, the variants Mare Nostrum, Via Romana, Usurpator,
Roma Aeterna, Imperium and Barbaria, and rebels. Everything in `tetrasolve.tetrarchia.kernel` is here too and means the same, with the exceptions
below; the classes of the two modules do not mix. `tetrasolve.tetrarchia.fast` chooses between them.

A *figure* of Rome is 0 (the active Emperor), 1 (Dux), 2 (Vicarius) or, in Diocletian's turn, 3 to 5 (Galerius, Constantius,
Maximian). An *action code* is ``kind | a << 4 | b << 10 | figure << 12`` with

======== ==== ============================== ================================= ==========
kind     code a                              b                                 figures
======== ==== ============================== ================================= ==========
ENTER    0    province                                                         0
MOVE     1    province                                                         0 to 5
SAIL     2    zone left (1 to 3)             zone reached (1 to 3)             0
SECURE   3    0                                                                0
REMOVE   4    0 (revolt or unrest where the figure stands)                     0, 1
REDUCE   5    0 (revolt to unrest)                                             0, 1
ATTACK   6    province of the army           0 victory, 1 draw, 2 defeat       0, 1
END      7    0 (never in `Kernel.legal`)                                      0
DEPLOY   8    province                       (the figure is the one deployed)  1, 2
TRANSFER 9    province the garrison goes to                                    0
PIRATES  10   0 (an attack on them)          0 victory, 1 draw, 2 defeat       0, 1
IMPERIUM 11   province of the disc paid,                                       0
              or `RESERVE`
======== ==== ============================== ================================= ==========

An attack of Galerius also names the discs that he pays once the dice have fallen (Imperium): how many of his reserve in bits
15 to 17, then the row + 1 of each province in six bits from bit 18 on, lowest first. Its chances are those of its outcomes
with that many added to his die.

In a Barbarian phase with Imperium or Barbaria a *policy* decides: `DECLINE` says no to everything, `EAGER` yes to what helps
(`tetrasolve.tetrarchia.rules.eager`), `AT_RANDOM` takes each answer as likely as the others. A `Turn` looks at the phase that
follows under `DECLINE`, and there is none of Galerius while he can pay for his power, since he decides between dice and
outcome.

A battle can be led by Emperors 0 to 3 or by the Dux, who counts as 4.

Stopping, threads and memory are as in `tetrasolve.tetrarchia.kernel`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypedDict, final

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.kernel import Weights

ENTER: Final = 0
MOVE: Final = 1
SAIL: Final = 2
SECURE: Final = 3
REMOVE: Final = 4
REDUCE: Final = 5
ATTACK: Final = 6
END: Final = 7
DEPLOY: Final = 8
TRANSFER: Final = 9
PIRATES: Final = 10
IMPERIUM: Final = 11

OFF: Final = 63  # the province of an Emperor who is off the board, of a Dux or Vicarius who is dead, of figures not played
RESERVE: Final = 62  # the province of Dux, Vicarius and Goths who are not in play yet

REBEL_DUX: Final = 1  # whose figure a rebel army has
REBEL_GOTHS: Final = 2

ROMAN: Final = 0  # phase
BARBARIAN: Final = 1

OPEN: Final = 0  # result
WON: Final = 1
FALLEN: Final = 2

DECLINE: Final = 0  # policies; who decides in a Barbarian phase
EAGER: Final = 1
AT_RANDOM: Final = 2  # for phases that are rolled only

NUMBERS: Final[dict[str, int | tuple[int, int]]]  # numbers of the rulebook, by their names in tetrasolve/tetrarchia/numbers.py

READINGS: Final[dict[str, tuple[int, int]]]  # each reading: its number, and how many values it has

HOUSE_NUMBERS: Final[dict[str, tuple[int, int, int]]]  # numbers that house rules change: the rulebook's, the least and the most

CHECKED: Final[bool]  # True in the build with bounds checks and asserts

class KernelError(ValueError):
    """A state, a position or a code that the kernel cannot take; the text says which field and what was expected."""

@final
class Tables:
    """A board and the readings of its rules, as bit tables made at run time (a corrected board needs no compiler)."""

    def __init__(
        self,
        *,
        links: Sequence[tuple[int, int, bool]],  # (province, province, broken)
        zones: Sequence[int],  # for each province the mask of its sea zones, bit z - 1
        adjacent_zones: Sequence[tuple[int, int]],  # pairs of zones 1 to 3
        arrows: Sequence[int],  # next province on the path to Roma, -1 where there is none
        region: Sequence[int],  # 0 Italia, 1 to 6
        number: Sequence[int],  # 1 to 6, 0 where there is none (Italia and the borders)
        borders: Sequence[int],  # the border province of regions 1 to 6, in this order
        roma: int,
        capitals: Sequence[int],  # of the four Emperors
        printed: Sequence[int],  # for each Emperor the mask of provinces with his printed disc (Roma too)
        garrisons: int,  # N of the ruleset, 3 to 5
        readings: Mapping[str, int] | None = None,  # numbers of values, see READINGS; 0, the default, where there is none
        dux: bool = False,  # modules and variants: which are played
        vicarius: bool = False,
        pirates: bool = False,
        goths: bool = False,
        mare_nostrum: bool = False,
        via_romana: bool = False,
        usurpator: bool = False,
        roma_aeterna: bool = False,
        imperium: bool = False,  # with at most 5 garrisons
        barbaria: bool = False,
        house: Mapping[str, int] = {},  # house rules by their names, see HOUSE_NUMBERS
    ) -> None: ...

@final
class State:
    """One position, 96 bytes inside; equal and hashed by value, never changed once made.

    `armies` holds Goths and rebels too; a revolt of `revolts` lies under each rebel army.
    """

    def __init__(
        self,
        *,
        revolts: int = 0,
        unrest: int = 0,
        garrisons: tuple[int, int, int, int] = (0, 0, 0, 0),
        armies: int = 0,
        emperors: tuple[int, int, int, int] = (63, 63, 63, 63),
        fleets: int = 0,
        to_move: int = 0,
        ip: int = 6,
        phase: int = 0,
        result: int = 0,
        rebels: Iterable[tuple[int, int, int]] = (),  # (border, zone whose fleet an attack needs, REBEL_DUX or REBEL_GOTHS)
        dux: int = 63,  # a province, RESERVE or OFF
        vicarius: int = 63,
        goths: int = 63,
        pirates: int = 0,  # their zone; 0: defeated, or not played
        passing: int = 0,  # the figure that shares a province and must move on, + 1 (1 to 6); 0 while none does
        glory: tuple[int, int, int, int] = (0, 0, 0, 0),
        removed: tuple[int, int, int, int] = (0, 0, 0, 0),  # discs that each Emperor has paid for his power
        power: int = 0,  # 1 once the active Emperor has used his in this turn
        gray: int = 0,  # discs of the Barbarian player, 0 to 4
        black: int = 0,  # 0 or 1
    ) -> None: ...
    @property
    def revolts(self) -> int: ...
    @property
    def unrest(self) -> int: ...
    @property
    def garrisons(self) -> tuple[int, int, int, int]: ...
    @property
    def armies(self) -> int: ...
    @property
    def emperors(self) -> tuple[int, int, int, int]: ...
    @property
    def fleets(self) -> int: ...
    @property
    def to_move(self) -> int: ...
    @property
    def ip(self) -> int: ...
    @property
    def phase(self) -> int: ...
    @property
    def result(self) -> int: ...
    @property
    def rebels(self) -> tuple[tuple[int, int, int], ...]: ...  # by province
    @property
    def dux(self) -> int: ...
    @property
    def vicarius(self) -> int: ...
    @property
    def goths(self) -> int: ...
    @property
    def pirates(self) -> int: ...
    @property
    def passing(self) -> int: ...
    @property
    def glory(self) -> tuple[int, int, int, int]: ...
    @property
    def removed(self) -> tuple[int, int, int, int]: ...
    @property
    def power(self) -> int: ...
    @property
    def gray(self) -> int: ...
    @property
    def black(self) -> int: ...
    def __bytes__(self) -> bytes: ...  # the 96 bytes; equal states have equal bytes
    @staticmethod
    def from_bytes(data: bytes) -> State: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Rng:
    """xoshiro256** seeded by splitmix64; the whole state can be saved and restored."""

    def __init__(self, seed: int = 0) -> None: ...
    @property
    def words(self) -> tuple[int, int, int, int]: ...
    @words.setter
    def words(self, value: tuple[int, int, int, int]) -> None: ...
    def next(self) -> int: ...  # 64 random bits
    def d6(self) -> int: ...  # 1 to 6, exactly uniform

@final
class Line:
    """A state with the actions made on it, for make and undo."""

    def __init__(self, kernel: Kernel, state: State) -> None: ...
    @property
    def state(self) -> State: ...
    @property
    def codes(self) -> tuple[int, ...]: ...
    def make(self, code: int) -> None: ...  # KernelError when illegal
    def undo(self) -> int: ...  # the code taken back; KernelError when nothing is left to take back

@final
class Turn:
    """All that the active Emperor can do in the rest of his turn, as a graph of turn states; solved exactly.

    Nodes are (position, IP left); an attack has an edge for each outcome with its chance in 36ths. Where Galerius can pay for it, it
    has an edge for each thing that its dice can show, with 3 in place of the outcome in its code: bits 15 to 17 are the fewest discs
    with which it is no defeat, bits 18 to 20 those with which it is a victory, 7 for no number. Each leads to a node of fallen dice,
    whose state is that before the attack, and whose edges are the attacks with all that he can pay.
    """

    def __init__(
        self,
        kernel: Kernel,
        state: State,
        max_nodes: int = 50_000_000,
        attacks: Mapping[int, int] | None = None,  # None: all, the dice decide; else army's province, 48 for the Pirates -> how an attack on it ends
        *,
        stop: Stop | None = None,
    ) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def edges(self) -> int: ...
    @property
    def ends(self) -> int: ...  # distinct positions (IP not counted) reached without an attack where he may end or has won
    @property
    def policies(self) -> int: ...  # what `count_policies` says
    def count_policies(self, *, stop: Stop | None = None) -> int: ...  # ways to decide everything that has to be decided on the way to an end
    def state(self, node: int) -> State: ...  # 0: the start; after a defeat the IP left are kept
    def fallen_dice(self, node: int) -> int: ...  # the code of the attack whose dice lie there, with what they show; 0 where none do
    def may_end(self, node: int) -> bool: ...  # the turn is over there, or the Emperor may stop
    def edges_from(self, node: int) -> list[tuple[int, int, int]]: ...  # (code, chance in 36ths, node), outcomes of an attack together
    def order(self) -> list[int]: ...  # all nodes, each after those its edges lead to
    def solve(self, criteria: Sequence[tuple[Any, ...]], *, stop: Stop | None = None) -> Solution: ...

@final
class Solution:
    """The optimum of a turn under criteria compared one after the other; every number an exact integer.

    A criterion is a tuple, and each is *maximised* in expectation over the attacks' dice:

    ``("goal", emperor, garrisons, no_revolt, no_unrest, no_army[, figures, glory])``
        1 where the turn ends with the active Emperor in mask `emperor` (0: anywhere, off the board too), a garrison
        disc of any colour on all of `garrisons`, and no revolt, no unrest, no army on the three masks after it; `figures` adds
        1 for the Dux and 2 for the Vicarius on the board, 4 for Pirates that are beaten; `glory` are the least discs he has; else 0.
        A fallen Empire is 0. (A won game is looked at like any end.)
    ``("linear", revolt, unrest, garrison, army, emperor, constant[, dux, vicarius, glory, pirates])``
        five sequences of 48 integers (abs at most 10**6): weight of each disc or figure where it lies; `emperor` is
        the active one; None for all zero. `dux` and `vicarius` are two more, `glory` is the weight of each of his discs of
        glory, `pirates` that of Pirates who are not beaten.
    ``("ip",)``      minus the IP paid, counted from the state of the `Turn`.
    ``("limits", emperor, not_emperor, keep, spend[, discs])``
        1 where the turn ends with the active Emperor in mask `emperor` (0: anywhere), not in mask `not_emperor`, with at least
        `keep` of his garrisons in the reserve and `discs` with which he can pay for his power, after at most `spend` IP, the
        Empire standing; else 0.
    ``("uprising",)`` minus the exact chance of at least one uprising in the Barbarian phase that follows (0 after a victory
        in the game, 1 after a fall).
    """

    def __init__(self, turn: Turn, criteria: Sequence[tuple[Any, ...]], *, stop: Stop | None = None) -> None: ...  # what Turn.solve does
    @property
    def values(self) -> tuple[tuple[int, int], ...]: ...  # (numerator, denominator) a criterion
    @property
    def runner_up(self) -> tuple[tuple[int, int], ...] | None: ...  # the best value strictly below, None if all are equal
    @property
    def optimal_ends(self) -> int: ...  # distinct end positions (IP not counted) that some optimal policy can end in
    def count_optimal_ends(self, *, stop: Stop | None = None) -> int: ...  # the same
    def end_values(self, *, stop: Stop | None = None) -> list[tuple[int, ...] | None]: ...  # each node: value of ending there, unscaled; None: he cannot
    @property
    def uprising_parts(self) -> int: ...  # what a certain uprising is in `end_values`
    def plan(self) -> PlanTree: ...  # an optimal policy; among equals the smallest action code, END last
    def runner_up_plan(self) -> PlanTree | None: ...

# A plan: codes up to the end of the turn, or up to an attack, which branches: (codes, None) or
# (codes, (code of the attack with outcome 0, {outcome: (chance in 36ths, PlanTree)})). A branch whose turn is over has codes ().
# Where dice can be paid for, the code has 3 for the outcome, and the keys are what they show (fewest discs for no defeat + 8 times
# those for a victory); each branch is then (no codes, the attack with what is paid and its one outcome).
# Where the Emperor stops by choice nothing is written.
PlanTree: TypeAlias = tuple[tuple[int, ...], tuple[int, dict[int, tuple[int, Any]]] | None]

class Events(TypedDict):
    """What a Barbarian phase can do, in chances (only in this file: at run time a plain dictionary).

    From `removed` on those of results that are not lost; of counts by number, the last one for all above it too.
    """

    uprisings: list[float]  # of exactly 0, 1, ... `most_uprisings` (at most 64) of them
    more_uprisings: float
    arrivals: list[float]  # of an army on the border of regions 1 to 6, Goths among them, usurpers not
    battles: dict[tuple[int, int], tuple[float, float, float]]  # in the advance: (province of the army, Emperor or 4) -> victory, draw, defeat
    falls: tuple[float, float, float]  # an army in Roma, no revolt left, no unrest left
    removed: list[float]  # each Emperor, on the board before
    new_revolts: list[float]  # 0 to 21 provinces that had none
    new_unrest: list[float]
    garrisons_lost: list[float]  # discs
    turned: list[float]  # each province: a revolt lies there, and none did before

@final
class Kernel:
    """The rules on one set of `Tables`."""

    def __init__(self, tables: Tables) -> None: ...

    # Roman phase
    def legal(self, state: State) -> list[int]: ...  # sorted action codes, one ATTACK code for each possible outcome
    def may_end(self, state: State) -> bool: ...
    def cost(self, state: State, code: int) -> int: ...  # IP
    def odds(self, state: State, province: int) -> tuple[int, int, int]: ...  # victory, draw, defeat of attacking, in 36ths
    def play(self, state: State, code: int) -> State: ...  # KernelError when illegal; END gives the Barbarian phase
    def perft(self, state: State, depth: int, bulk: bool = True, *, stop: Stop | None = None) -> int: ...
    def divide(self, state: State, depth: int, *, stop: Stop | None = None) -> list[tuple[int, int]]: ...
    def ends(self, state: State, *, by_position: bool = False, stop: Stop | None = None) -> int: ...
    def end_states(self, state: State, *, by_position: bool = False, stop: Stop | None = None) -> list[State]: ...  # as states with the most IP left, won ones too

    # Barbarian phase (of the position, whatever `phase` says)
    def phase(self, state: State, policy: int = 0, *, stop: Stop | None = None) -> dict[str, float]: ...  # p_uprising e_uprisings p_lost p_new_army e_revolts outcomes visits
    def phase_exact(self, state: State, policy: int = 0, *, stop: Stop | None = None) -> dict[str, Any]: ...  # those of `phase` as (numerator, denominator) in lowest terms; outcomes an int
    def events(self, state: State, most_uprisings: int = 8, policy: int = 0, *, stop: Stop | None = None) -> Events: ...
    def outcomes(self, state: State, policy: int = 0, *, stop: Stop | None = None) -> list[tuple[State, float]]: ...  # merged and sorted by bytes; all falls as one state with result FALLEN
    def sample(self, state: State, rng: Rng, policy: int = 0) -> State: ...  # one Barbarian phase, rolled
    def battle(self, state: State, army: int, emperor: int) -> tuple[int, int, int, int]: ...  # g, e, r, a, without the Goths' bonus; emperor 4 is the Dux
    def bench_phase(self, states: Sequence[State], repeats: int, *, stop: Stop | None = None) -> tuple[int, int]: ...  # (phases, outcome visits), no merging, GIL released

    # games
    def setup(self, revolts: int, fleets: int, armies: int, rng: Rng) -> State: ...  # random fleets zones; revolts, armies: additional ones. With what the tables say is played
    def random_turn(self, state: State, rng: Rng) -> State: ...  # one uniformly chosen legal action (END among them, an attack then rolled)
    def random_game(self, state: State, rng: Rng, max_turns: int = 10_000, policy: int = 0, *, stop: Stop | None = None) -> tuple[int, int, int]: ...  # result, turns, actions and phases played
    def random_games(self, games: int, revolts: int, fleets: int, armies: int, seed: int, policy: int = 0, *, stop: Stop | None = None) -> dict[str, int]: ...  # games, won, fallen, turns, plies

def attack_odds(kernel: Kernel, state: State, code: int) -> tuple[int, int, int]: ...  # of an attack, by its code with any outcome, when all that it names is paid

AIMS: tuple[str, ...]  # p_lost, p_uprising, e_revolts, worth

class BestPhase(TypedDict):
    """A Barbarian phase under best play (only in this file: at run time a plain dictionary)."""

    value: float
    rolls: int  # looked at
    black: list[float | None] | None  # if it begins with the choice of the black disc: the value of no, a revolt by province, an army by region
    activity: list[float | None] | None  # if, no black disc being spent, its first dice are the activity's: the value of each province that they may name
    again: float | None  # and that of rolling them again, where that is possible

# Under best play: `barbarian` and `rome` are 1 for who aims at the most of the aim, -1 for the least. Each disc that is spent costs
# its player `price`; `gray_kept` gray discs and, with `black_kept`, the black one are not spent. `weights` are those of `worth`,
# as for `tetrasolve.tetrarchia.kernel.expect_values`.
def best_phase(
    kernel: Kernel,
    state: State,
    aim: str,
    barbarian: int,
    rome: int,
    price: float = 0.0,
    gray_kept: int = 0,
    black_kept: bool = False,
    weights: Weights | None = None,
    *,
    stop: Stop | None = None,
) -> BestPhase: ...

FEATURES_OF_A_POSITION: Final[int]  # those of the base game, then those of modules, see tetrasolve/tetrarchia/hint/modulefeatures.py
POLICIES: Final[tuple[str, ...]]  # ("random", "greedy", "expectimax", "search")
OPPONENTS: Final[tuple[str, ...]]  # ("random", "greedy", "best")

@final
class Networks:
    """The weights of the two networks: for the start of a Roman phase, and for the end of a turn.

    Each is 32-bit floats: for each feature `width` weights, then `width` biases, `width` weights of the hidden units, a constant.
    The first unit is passed on as it is, the others where they are positive.
    """

    def __init__(self, width: int, start: bytes, end: bytes) -> None: ...  # width: a multiple of 4, at most 64
    @property
    def width(self) -> int: ...  # units of the hidden layer

@final
class Player:
    """Evaluates positions and plays, by the weights of `Networks`; a policy is deterministic for its seed.

    What it thinks with is its own: a call while another thread's call is under way raises `KernelError`.
    """

    def __init__(self, kernel: Kernel, networks: Networks, decide: int = 1) -> None: ...  # by which the choices of Barbarian phases are made: DECLINE, EAGER or AT_RANDOM
    def features(self, state: State) -> list[float]: ...
    def features_of_many(self, data: bytes, *, stop: Stop | None = None) -> bytearray: ...  # positions as their bytes -> rows of 32-bit floats
    def value(self, state: State) -> float: ...  # the chance that Rome wins, as the evaluation sees it
    def think(
        self,
        state: State,
        seed: int = 0,
        *,
        top: int = 10,
        policy: str = "search",
        ends: int = 24,  # ways to play that are looked at after sampled phases,
        samples: int = 36,  # so many of them; twice as many in each further round,
        rounds: int = 1,  # which only the better half reaches
        deep_ends: int = 4,  # ways to play that are looked at after the next turn too,
        deep_samples: int = 12,  # so many of these
        stop: Stop | None = None,  # `Stopped.partial`: the same list of what has been looked at; empty before the first look is complete
    ) -> list[tuple[float, int, float, PlanTree]]: ...  # best first: value, how closely it was looked at, variance of the value, plan
    def games(
        self,
        count: int,
        revolts: int,  # of the set-up
        fleets: int,
        armies: int,
        seed: int,
        *,
        first: int = 0,  # number of the first game: its dice depend on the seed and its number only
        policy: str = "greedy",
        ends: int = 24,
        samples: int = 36,
        rounds: int = 1,
        deep_ends: int = 4,
        deep_samples: int = 12,
        most_turns: int = 400,  # then it is OPEN
        start: State | None = None,  # a Roman phase; None: each game has a set-up of its own
        opponent: str | None = None,  # who plays the Barbarians of Barbaria: one of OPPONENTS; None: the policy `decide`
        stop: Stop | None = None,  # `Stopped.partial`: the games that are over
    ) -> list[tuple[int, int, int]]: ...  # of each game: result, turns, step of the phase in which the Empire fell (0 if it did not)
    def lessons(
        self,
        count: int,
        revolts: int,
        fleets: int,
        armies: int,
        seed: int,
        *,
        first: int = 0,
        strays: int = 250,  # of 1000 turns so many are played in some other way than the best
        most_turns: int = 400,
        ends: int = 8,  # ways to play that are looked at after sampled phases
        others: int = 6,  # ends noted beside the one of each turn
        samples: int = 36,  # phases after each end; the ends that are noted have as many as those of the last round
        rounds: int = 1,
        start: State | None = None,  # as for `games`
        stop: Stop | None = None,  # `Stopped.partial`: the same of the games that are over
    ) -> tuple[list[tuple[int, int, int]], bytes, bytes, list[float]]: ...  # results as of `games`, positions, kinds, worth: see the docstring
    def phase(self, state: State, seed: int = 0, *, opponent: str | None = None, stop: Stop | None = None) -> State: ...  # of a game, rolled
    def rollouts(
        self,
        state: State,
        count: int,
        seed: int,
        *,
        first: int = 0,
        policy: str = "greedy",
        ends: int = 24,
        samples: int = 36,
        most_turns: int = 400,
        others: int = 36,  # phases to estimate the luck of one
        stop: Stop | None = None,  # `Stopped.partial`: the games that are over
    ) -> list[tuple[int, float]]: ...  # of each game: result, 1 for a victory (an open one: the evaluation) minus the luck of the dice
    def counters(self) -> tuple[int, int]: ...  # turns looked through and phases sampled so far
    def scope(self) -> int: ...  # how far the last turn was narrowed: 0 not, 1 without Diocletian's power, 2 also without the Vicarius, 3 also without moves of the Dux and discs of Galerius
