"""A game of players who choose their actions at random, written down as a record and verified by replaying it.

The record goes to standard output: `python examples/random_game.py 4211 7 | tetrasolve replay -`.
"""

import sys
from random import Random

from tetrasolve import Game, Ruleset, legal_actions, new_game, read_record, write_record
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.rules import RandomDice, may_end

TURNS = 200  # nobody who plays at random lasts longer


def random_game(level: str, seed: int) -> Game:
    """A game at this level; the same seed gives the same game."""
    game = new_game(Ruleset.from_text(level), seed)
    lot, dice = Random(f"lot {seed}"), RandomDice(f"dice {seed}")
    turns = 0
    while not game.is_over and turns < TURNS:
        if game.position.phase is Phase.BARBARIAN:
            game.barbarians(dice)
            turns += 1
            continue
        choices = [
            action for action in legal_actions(game.position) if action.kind is not Kind.ATTACK or lot.random() < 0.5
        ]
        if not choices or (may_end(game.position) and lot.random() < 0.1):
            if may_end(game.position):
                game.end()
            continue
        action = lot.choice(choices)
        if action.kind is Kind.ATTACK and action.place is not None:
            game.attack(action.place, dice)
        else:
            game.act(action)
    return game


def main() -> None:
    """Print the record of one game."""
    level, seed = sys.argv[1:] or ("4211", "7")
    game = random_game(level, int(seed))
    record = write_record(game)
    assert read_record(record).result == game.result  # every action and every face is checked on the way
    print(record, end="")


if __name__ == "__main__":
    main()
