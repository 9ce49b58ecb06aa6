"""Looks for a position in which two readings of an open sentence differ: `python examples/compare_readings.py I-FRESH`.

Games are played at random under the default reading. Each position on the way is shown to both readings: they differ where
they allow different actions, or give the Barbarian phase other chances.
"""

import sys
from collections.abc import Iterator
from dataclasses import fields

from random_game import random_game

from tetrasolve import Position, legal_actions, outcomes
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.rules import Fall, Figures, figures, may_end
from tetrasolve.tetrarchia.ruleset import READINGS, Reading

GAMES = 40
FEW = 12  # revolts: the exact chances of a fuller position take seconds


def positions(reading: Reading) -> Iterator[Position]:
    """Positions, in the phase that the reading is about, of games that were played at random."""
    roman = reading.rule.startswith("Roman phase")
    for seed in range(GAMES):
        game = random_game("3122", seed)
        while game.undo() is not None:
            if roman == (game.position.phase is Phase.ROMAN) and (roman or len(game.position.revolts) <= FEW):
                yield game.position


def differences(one: Position, other: Position) -> list[str]:
    """What the two readings make of the same position, where it is not the same."""
    if one.phase is Phase.ROMAN:
        found = [
            {str(action) for action in legal_actions(table)} | ({"end"} if may_end(table) else set())
            for table in (one, other)
        ]
        return [f"only {name}: {', '.join(sorted(a - b))}" for name, a, b in named(one, other, *found) if a - b]
    if outcomes(one) == outcomes(other).map(lambda end: end if isinstance(end, Fall) else retold(end, one)):
        return []
    each = figures(one), figures(other)
    names = [field.name for field in fields(Figures)]
    lines = [f"{name}: {getattr(each[0], name)} or {getattr(each[1], name)}" for name in names]
    return [
        line for name, line in zip(names, lines, strict=True) if getattr(each[0], name) != getattr(each[1], name)
    ] or ["the same figures, other chances of single results"]


def retold(position: Position, other: Position) -> Position:
    """The same position under the readings of the other."""
    return position.replace(ruleset=other.ruleset)


def named(one: Position, other: Position, a: set[str], b: set[str]) -> list[tuple[str, set[str], set[str]]]:
    """Each reading with what it allows, and what the other one allows."""
    return [(str(one.ruleset), a, b), (str(other.ruleset), b, a)]


def main() -> None:
    """Print the first position where the reading matters."""
    reading = READINGS[sys.argv[1] if len(sys.argv) > 1 else "I-FRESH"]
    default, other_value = list(reading.options)
    for position in positions(reading):
        other_rules = position.ruleset.with_readings([(reading.name, other_value)])
        if lines := differences(position, position.replace(ruleset=other_rules)):
            print(f"{reading.name}: {default} or {other_value}")
            print(position)
            for line in lines:
                print(f"  {line}")
            return
    print(f"{reading.name}: no difference in {GAMES} games")


if __name__ == "__main__":
    main()
