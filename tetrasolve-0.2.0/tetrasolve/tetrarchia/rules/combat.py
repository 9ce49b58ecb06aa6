"""Combat values (rulebook pages 8 and 9): the addends and factors of each side of a battle, and its outcome by dice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.numbers import SUPPORT_FACTOR
from tetrasolve.tetrarchia.rules.chance import FACES


@dataclass(frozen=True, slots=True)
class Battle:
    """Rome rolls (d6 + `garrisons`) x 2^`emperors`, the Barbarians (d6 + `revolts` + `bonus`) x 2^`armies`.

    By house rules there is a `roman_bonus`, and another `factor` in place of 2.
    """

    garrisons: int
    emperors: int
    revolts: int
    armies: int
    bonus: int = 0
    roman_bonus: int = 0
    factor: int = SUPPORT_FACTOR

    # Rule p08-battle-dice
    def outcome(self, roman_die: int, barbarian_die: int) -> Outcome:
        """The outcome with these faces: the higher value wins, equal values are a draw."""
        roman = (roman_die + self.garrisons + self.roman_bonus) * self.factor**self.emperors
        barbarian = (barbarian_die + self.revolts + self.bonus) * self.factor**self.armies
        if roman == barbarian:
            return Outcome.DRAW
        return Outcome.VICTORY if roman > barbarian else Outcome.DEFEAT

    def raised(self, more: int) -> Battle:
        """The same battle with a bonus to the Roman die, which has the effect of garrisons."""
        return replace(self, garrisons=self.garrisons + more) if more else self

    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome of each of the 36 pairs of faces, the Roman die's in blocks of six."""
        return _outcomes(self)

    def chances(self) -> dict[Outcome, int]:
        """The number of the 36 equally likely pairs of faces for each possible outcome."""
        faces = self.outcomes()
        return {outcome: faces.count(outcome) for outcome in Outcome if outcome in faces}

    def __str__(self) -> str:
        barbarians = f"{self.revolts} + {self.bonus}" if self.bonus else self.revolts
        romans = f"{self.garrisons} + {self.roman_bonus}" if self.roman_bonus else self.garrisons
        return f"{self._side(romans, self.emperors)} against {self._side(barbarians, self.armies)}"

    def _side(self, group: int | str, allies: int) -> str:
        return f"(d6 + {group}) x {self.factor**allies}" if allies else f"d6 + {group}"


@lru_cache(maxsize=4096)
def _outcomes(battle: Battle) -> tuple[Outcome, ...]:
    return tuple(battle.outcome(roman, barbarian) for roman in FACES for barbarian in FACES)
