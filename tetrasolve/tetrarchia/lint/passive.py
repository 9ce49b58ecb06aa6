"""A passive Rome falls with probability 1, and how soon on average at the latest: a proof about the base game.

Rome is *passive* when its Emperors only enter, move and sail, in any way. It then never wins, since no garrison is ever placed.
Of a position only three numbers are looked at: the revolts, the unrest and the armies on the board. While Rome is passive

* a province with a disc of the Barbarians loses it only where an army in it is beaten: the army is gone with it, and the disc is a
  revolt, since an army that enters a Roman province makes it one;
* in each phase two dice name a province of the six regions once. If it has a revolt, it is an uprising: at most one army comes, and
  nothing becomes less. If it has unrest, that becomes a revolt. If it has neither, unrest is placed, unless an uncovered printed
  disc lies there, of which there are `PRINTED`;
* when a 22nd revolt or unrest is needed, the Empire falls.

All else, where the provinces lie, how revolts spread, who fights whom and with which dice, is left to an adversary whose aim is a
long game. Against him the table ``data/passive-bound.json`` has for each three numbers a number of phases that is at least one
more than what follows on average, whatever he does. So the expected number of phases is at most what the table says, and the game
ends with probability 1: within twice the largest number of the table the Empire falls with a chance of at least one half, from any
position (Markov's inequality).

Nothing else of the base game matters: the argument holds at every level and, as far as is said here, under every reading that both
engines play. It says nothing of modules, variants, rebels and house rules, which bring other ways to lose a disc. The bound is
loose, since the adversary places everything as he likes: in play a passive Rome falls far sooner.

The table was found by policy iteration (``bench/passive_bound.py`` makes one again); that it is such a table is checked here by
whole numbers (`bound_problems`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import TypeAlias

from tetrasolve.errors import FindingError
from tetrasolve.strict import StrictError, read_json
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import ARMIES, DIE, REVOLTS, UNREST
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.chance import FACES

FORMAT = 1
STORED = "data/passive-bound.json"
UNITS = 1000  # of the table in a phase
NAMED = DIE * DIE  # provinces that two dice can name

Counts: TypeAlias = tuple[int, int, int]  # revolts, unrest, armies on the board
Bound: TypeAlias = Mapping[Counts, int]  # in thousandths of a phase


def all_counts() -> Iterator[Counts]:
    """All numbers of revolts, unrest and armies that can be on the board."""
    for armies in range(ARMIES + 1):
        for revolts in range(REVOLTS + 1):
            for unrest in range(UNREST + 1):
                yield revolts, unrest, armies


def counts_of(position: Position) -> Counts:
    """Those of a position."""
    return len(position.revolts), len(position.unrest), len(position.armies)


# -- what can follow ---------------------------------------------------------------------------------------------------


def moves(now: Counts) -> Iterator[Counts]:
    """What the adversary can make of it beside the activity: more, unrest that becomes a revolt, or an army that is beaten.

    What lets the Empire fall is left out: he does not want it.
    """
    revolts, unrest, armies = now
    if revolts < REVOLTS:
        yield revolts + 1, unrest, armies
        if unrest:
            yield revolts + 1, unrest - 1, armies
    if unrest < UNREST:
        yield revolts, unrest + 1, armies
    if armies:
        yield revolts, unrest, armies - 1
        if revolts:
            yield revolts - 1, unrest, armies - 1


def follows(now: Counts, after: Counts) -> bool:
    """Whether a phase with a passive Rome can lead from these numbers to those, as far as this proof knows.

    >>> follows((3, 1, 0), (2, 1, 1)), follows((3, 1, 1), (2, 1, 0)), follows((3, 1, 0), (4, 0, 1))
    (False, True, True)
    """
    beaten = [now[2] + arrived - after[2] for arrived in (0, 1) if now[2] + arrived >= after[2]]
    return any(after[0] >= now[0] - lost and sum(after[:2]) >= sum(now[:2]) - lost for lost in beaten)


def activities(now: Counts, printed: int, outside: int) -> Iterator[dict[Counts | None, int]]:
    """What the dice of an activity can lead to: the numbers after it, None for a fall, each with its chance in 36ths.

    The adversary says how many of the revolts and of the unrest lie in the `outside` provinces that no dice name, whether printed
    discs are uncovered, and whether an uprising brings an army. What is best for him is at one of the ends of each range, since
    chances depend on them linearly.
    """
    revolts, unrest, armies = now
    risen = {now, (revolts, unrest, min(ARMIES, armies + 1))}
    becomes = None if revolts == REVOLTS else (revolts + 1, unrest - 1, armies)
    placed = None if unrest == UNREST else (revolts, unrest + 1, armies)
    for calm in {0, printed}:
        for rising in {revolts, max(0, revolts - outside)}:
            for growing in {unrest, max(0, unrest - outside)}:
                free = NAMED - calm - rising - growing
                shares = ((growing, becomes), (free, placed)) if free >= 0 else ((growing + free, becomes),)
                for after in risen:
                    chances: dict[Counts | None, int] = {}
                    for share, target in ((rising, after), (calm, now), *shares):
                        if share:
                            chances[target] = chances.get(target, 0) + share
                    yield chances


def board_numbers(board: Board) -> tuple[int, int]:
    """Of the provinces that two dice name, how many have printed discs; and how many Roman provinces no dice name.

    :raises KeyError: when two dice name no province.
    """
    named = {board.at(region, number) for region in FACES for number in FACES}
    roman = [place for place in board.ids if not board[place].is_border]
    return sum(bool(board[place].printed) for place in named), len(roman) - len(named)


# -- the table ---------------------------------------------------------------------------------------------------------


def read_bound(text: str, source: str) -> dict[Counts, int]:
    """The table in a text.

    :raises FindingError: when it is none.
    """
    try:
        data = read_json(text)
        numbers = [number for row in data["bound"] for number in row]
        keys = list(all_counts())
        if data["format"] != FORMAT or len(numbers) != len(keys) or not all(type(n) is int and n >= 0 for n in numbers):
            raise FindingError(f"{source}: expected {len(keys)} whole numbers, at least 0, in format {FORMAT}")
        return dict(zip(keys, numbers, strict=True))
    except (StrictError, KeyError, TypeError) as error:
        raise FindingError(f"{source}: is no table of phases ({type(error).__name__})") from None


@cache
def stored_bound() -> Bound:
    """The table that comes with the library.

    :raises FindingError: when the file cannot be read.
    """
    return read_bound(resources.files("tetrasolve.tetrarchia").joinpath(STORED).read_text("utf-8"), STORED)


def bound_problems(bound: Bound, board: Board | None = None) -> Iterator[str]:
    """Where the table says too little, in sentences: none where it bounds the expected number of phases from above."""
    try:
        printed, outside = board_numbers(board or Board.standard())
    except KeyError as error:
        yield f"two dice name no province of the board: {error.args[0]}"
        return
    for now in all_counts():
        for after in moves(now):
            if bound[after] > bound[now]:
                yield f"{now}: {bound[now]} is less than {bound[after]} of {after}"
        for chances in activities(now, printed, outside):
            mean = sum(count * bound[after] for after, count in chances.items() if after is not None)
            if NAMED * bound[now] < NAMED * UNITS + mean:
                yield f"{now}: {bound[now]} is too little for {chances}"


def most_phases(bound: Bound) -> int:
    """The most phases that a game of a passive Rome has on average, from any position."""
    return -(-max(bound.values()) // UNITS)
