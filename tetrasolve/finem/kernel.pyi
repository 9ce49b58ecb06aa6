"""The rules of Et finem Imperii Romani on packed states: types of the compiled kernel (sources in ``ext/``).

Everything here is whole numbers. A *region* is its place in `tetrasolve.finem.layout.REGIONS` (0 to 23), a *tribe* its place in
``TRIBES`` (0 to 3), a *step* its place in `tetrasolve.finem.position.Step`, a *role* 0 (none) or its place in ``ROLES`` + 1, a
*mask* a number whose bit ``n`` stands for region or tribe ``n``. `tetrasolve.finem.fast` turns positions into these and back.

An *option* is ``kind << 12 | details``, in the order of the reference rules:

========== ==== ========================================================
kind       code details
========== ==== ========================================================
card       0    region: it is drawn
role       1    role
confront   2    tribe, + 4: all its cubes
move       3    region
ride       4    the Dictator's action
pacify     5    tribe
pass       6
stay       7
keep       8    no card is exchanged
exchange   9    region of the card; 31: a card is drawn first
remove     10   region, tribe << 5, + 128: all its cubes
raise      11   tribe
protect    12   region
discard    13   points off the die of tribe t at the bits 3 t to 3 t + 2
remove     14   region, tribe << 5, region << 7 of the one cube: it goes, then all in the first region
decline    15   places by which it moves
order      15   64, and the suit of the card that counts n-th at the bits 2 n and 2 n + 1, n from 0
========== ==== ========================================================

A method with a keyword `stop` looks at that flag about every millisecond. Once it is set it raises `tetrasolve.stop.Stopped`;
`Stopped.partial` has the figures of `Kernel.turn`, `Kernel.best` and `Kernel.random_turns` up to there. Long calls let go of the interpreter;
`Kernel` and `State` do not change, so any number of threads may use one. An `Rng` serves one call at a time.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypedDict, final

from tetrasolve.stop import Stop

CHECKED: Final[bool]  # whether this is the build with index checks and assertions
READINGS: Final[Mapping[str, tuple[str, ...]]]  # the readings that the kernel knows, with their values
LEVELS: Final[tuple[str, ...]]
FEATURE_GROUPS: Final[tuple[tuple[str, int], ...]]  # what the evaluation looks at: names, and how many numbers each has
FEATURE_NAMES: Final[tuple[str, ...]]
HIDDEN: Final[int]  # hidden units of each network
PLAYER_NAMES: Final[tuple[str, ...]]  # policies of a `Player`: random, discs, value, search
POLICIES: Final[tuple[str, ...]]
RESULTS: Final[tuple[str, ...]]  # how a game can end, in words

class KernelError(ValueError):
    """A value that the kernel cannot take; the message says which, and what was expected."""

@final
class Rng:
    """xoshiro256** seeded by splitmix64; the whole state can be saved and restored."""

    words: tuple[int, int, int, int]
    def __init__(self, seed: int = 0) -> None: ...
    def next(self) -> int: ...  # 64 random bits
    def d6(self) -> int: ...

class Fields(TypedDict):
    """The fields of a state. `cubes` has the numbers of the four tribes for each region; `card` and `shield` are a region + 1, or 0."""

    cubes: tuple[tuple[int, ...], ...]
    out: int
    dice: tuple[int, ...]
    pacified: int
    decline: int
    outbreaks: int
    role: int
    pawn: int
    start: int
    last: int
    step: int
    left: int
    card: int
    shield: int
    is_quiet: bool
    has_exchanged: bool
    has_travel: bool
    hand: tuple[int, ...]

@final
class State:
    """A state of the game, or how it ended; it does not change.

    :raises KernelError: when a field is out of bounds, or a step has not the cards that it requires.
    """

    def __init__(
        self,
        cubes: Iterable[Iterable[int]],
        *,
        dice: Iterable[int],
        pacified: int,
        decline: int,
        outbreaks: int,
        role: int,
        pawn: int,
        start: int,
        last: int,
        step: int,
        left: int = 0,
        out: int = 0,
        card: int = 0,
        shield: int = 0,
        is_quiet: bool = False,
        has_exchanged: bool = False,
        has_travel: bool = False,
        hand: Iterable[int] = (),
    ) -> None: ...
    def fields(self) -> Fields: ...
    @property
    def result(self) -> str: ...  # how the game ended, in words; empty while it goes on
    @property
    def step(self) -> int: ...
    @property
    def lost_by(self) -> int: ...  # the region whose card lost the game, or -1

class TurnFigures(TypedDict):
    """Figures of a turn in whole numbers, of which the whole has `unit`; `known` is what has been followed, `unit` at the end.

    All but `ends` and `by_card` are of turns after which the game goes on. `region` has sums of cubes, `by_card` the losses by the
    region whose card brought them.
    """

    unit: int
    known: int
    ends: dict[str, int]
    outbreaks: dict[int, int]
    decline: dict[int, int]
    dice: list[dict[int, int]]
    cubes: list[dict[int, int]]
    pacified: list[int]
    region: list[int]
    by_card: dict[int, int]

class BestFigures(TypedDict):
    """The best policy of a turn in whole numbers: `worth` of `unit`, and the worth of each option (of cards: if it comes) of `unit_of_each`.

    `known` is what has been followed of `unit`, all of it at the end. After a stop `worth` is the part of a chance that is known,
    and `each` is empty.
    """

    unit: int
    known: int
    worth: int
    unit_of_each: int
    each: dict[int, int]

@final
class Kernel:
    """The rules of one ruleset on one map; it does not change.

    `rows` lists the regions of each row of the map, -1 where there is none; `starts` those on which the pawn can begin;
    `table_start` is the region of the start without the option corner [E-CORNER-START], none: the first of `starts`.

    :raises KernelError: when an argument is unknown or out of bounds.
    """

    def __init__(
        self,
        *,
        level: str,
        options: Iterable[str] = (),
        readings: Mapping[str, str] | None = None,
        rows: Sequence[Iterable[int]],
        starts: Iterable[int],
        table_start: int | None = None,
    ) -> None: ...
    @property
    def neighbours(self) -> tuple[int, ...]: ...  # masks
    def options(self, state: State) -> list[int]: ...
    def take(self, state: State, option: int) -> State: ...  # KernelError when it cannot come
    def set_up(self, cards: Iterable[int], start: int) -> State: ...  # lost where a thirteenth cube is needed
    def perft(self, state: State, depth: int = 99, *, stop: Stop | None = None) -> int: ...  # of the phase of actions
    def random_turns(self, number: int, rng: Rng, *, stop: Stop | None = None) -> dict[str, Any]: ...  # turns, games, ends
    def random_state(self, steps: int, rng: Rng) -> State: ...
    def decide(self, state: State, policy: str) -> int: ...  # the option that a policy takes
    def turn(self, state: State, policy: str = "careful", *, plainly: bool = False, stop: Stop | None = None) -> TurnFigures:
        """The rest of a turn for a policy, after the actions if it is in them; `plainly`: card by card, which is slow."""
    def best(self, state: State, weights: Sequence[int], *, stop: Stop | None = None) -> BestFigures:
        """The most that decisions can reach of the expected worth of the state after a turn, after the actions if it is in them.

        `weights`: what a game is worth that goes on, is won, is lost (at most 10,000 each); then of each place of outbreaks and
        decline, of each tribe's die, of each tribe if it is pacified, of each tribe's cubes on the map (at most 500 each).
        """

@final
class Networks:
    """The weights of the evaluation for three moments: before the actions of a turn, after them, later in the turn.

    Each is of 32-bit floats: for each feature a weight of each hidden unit, then the bias of each, the weight of each, a constant.

    :raises KernelError: when a part has another size.
    """

    def __init__(self, turn: bytes, acted: bytes, drawn: bytes) -> None: ...

@final
class Player:
    """Who plays whole games by an evaluation; it has scratch memory and serves one call at a time.

    The luck of a game depends on a seed, its number and the turn alone: each policy meets the same cards. An `effort` is that of a
    search: candidates, samples, rounds, horizon (turns), margin; see `tetrasolve.finem.hint.players.Effort`.

    :raises KernelError: when an argument is unknown or out of bounds, or another thread uses the player.
    """

    def __init__(self, kernel: Kernel, networks: Networks) -> None: ...
    def features(self, state: State) -> list[float]: ...  # in the order of `FEATURE_NAMES`
    def value(self, state: State) -> float: ...  # the chance to win by the evaluation; 0 or 1 after the end
    def ends(self, state: State, most: int = 64, *, stop: Stop | None = None) -> list[tuple[list[int], State, float]]:
        """What the player can choose, the best first: options, the state after them, its value. A ride ends where its card is drawn."""
    def choose(
        self, state: State, policy: str, seed: int = 0, *, effort: Sequence[float] = (), stop: Stop | None = None
    ) -> list[int]: ...  # options, one after the other as far as nothing comes between
    def play_out(
        self,
        state: State,
        seed: int,
        first: int,
        number: int,
        horizon: int,
        *,
        spread: bool = False,
        stop: Stop | None = None,
    ) -> list[float]:
        """The values to which a state leads with `number` lucks from `first` on: of the best end of the actions `horizon` turns later.

        With `spread` each card comes once at each place of a turn in 24 lucks from a multiple of 24 on, and each role four times.
        """
    def games(
        self,
        policy: str,
        seed: int,
        first: int,
        number: int,
        *,
        effort: Sequence[float] = (),
        start: State | None = None,
        stop: Stop | None = None,
    ) -> list[tuple[str, int]]: ...  # how each ended (empty: not within 200 turns), and its turns
    def lessons(
        self, policy: str, seed: int, first: int, number: int, strays: int = 0, looks: int = 0, *, stop: Stop | None = None
    ) -> tuple[bytes, bytes, bytes, bytes, list[str]]:
        """The states of games: features (float32), kinds, values (float64), numbers of games (int32), and how each game ended.

        A kind is the number of the network that looks at the state, and 4 more where the best choice was not taken. With `looks` the
        best end of each turn's actions and another one are noted, too, with the mean value that so many lucks lead to; 8 more.
        """
