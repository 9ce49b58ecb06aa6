"""Games that any policy can play: the same set-ups and dice for each of them.

Game number n of a seed has the set-up of game n of bench/strength.py, and its fleets in the zones where the start looks best
to the evaluation, for all players alike. The dice of an attack come from the seed, the game and the turn; so do those of a
Barbarian phase. (They are not the phases of bench/strength.py, where each step of a phase has dice of its own.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.kernel import Kernel, Player, Rng, State
from tetrasolve.tetrarchia.ruleset import Ruleset

WORD = (1 << 64) - 1
MOST_TURNS = 400  # as in bench/strength.py
LETTERS = {kernel.WON: "w", kernel.FALLEN: "l"}  # and "o" for a game that was not over

Roll = Callable[[], int]  # a number below 36


class Contestant(Protocol):
    """Plays turns."""

    def turn(self, state: State, roll: Roll) -> State:
        """The position after this turn: before the Barbarian phase, or won."""
        ...


def mixed(seed: int, number: int) -> int:
    """A seed made of two numbers, as the kernel makes it."""
    z = (seed & WORD) ^ (number + 0x9E3779B97F4A7C15) * 0xD1342543DE82EF95 & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def below(rng: Rng, n: int) -> int:
    """0 to n - 1, uniform up to what 64 bits can hide."""
    return rng.next() * n >> 64


def with_fleets(state: State, zones: int) -> State:
    """The same set-up with its fleets in these zones."""
    return State(
        revolts=state.revolts, armies=state.armies, emperors=state.emperors, fleets=zones, to_move=state.to_move,
        ip=state.ip,
    )  # fmt: skip


def first_table(rules: Kernel, player: Player, level: Ruleset, own: int) -> State:
    """The set-up of the game with this seed of its own."""
    rolled = rules.setup(level.revolts, level.fleets, level.armies, Rng(mixed(own, 0)))
    choices = [with_fleets(rolled, zones) for zones in range(1, 8) if zones.bit_count() == level.fleets]
    return max(choices, key=player.value)


@dataclass
class Played:
    """A game: how it went, and how long each turn took, in milliseconds."""

    result: str
    turns: int
    milliseconds: Counter[int] = field(default_factory=Counter)


def play(
    contestant: Contestant, rules: Kernel, player: Player, level: Ruleset, seed: int, number: int,
    most_turns: int = MOST_TURNS,
) -> Played:  # fmt: skip
    """Game number so and so, played by a contestant."""
    own = mixed(seed, number)
    state = first_table(rules, player, level, own)
    played = Played("o", 0)
    while state.result == kernel.OPEN and played.turns < most_turns:
        dice = Rng(mixed(mixed(own, 4 * played.turns + 1), 1))
        began = perf_counter()
        state = contestant.turn(state, lambda dice=dice: below(dice, 36))  # type: ignore[misc]
        played.milliseconds[round(1000 * (perf_counter() - began))] += 1
        played.turns += 1
        if state.result == kernel.OPEN:
            state = rules.sample(state, Rng(mixed(own, 4 * played.turns + 2)))
    played.result = LETTERS.get(state.result, "o")
    return played


def attack_code(rules: Kernel, state: State, army: int, roll: Roll) -> int:
    """An attack with the outcome that is rolled."""
    victory, draw, _ = rules.odds(state, army)
    rolled = roll()
    outcome = 0 if rolled < victory else 1 if rolled < victory + draw else 2
    return kernel.ATTACK | army << 4 | outcome << 10
