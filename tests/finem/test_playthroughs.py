"""Golden playthroughs of the learned policy: games that are won, with other readings, with steps that random games seldom have.

`TETRASOLVE_UPDATE=1` writes them again instead of comparing: the first game, by its seed, that has what is wanted.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, option_text, position_of, state_of
from tetrasolve.finem.hint.players import player_of
from tetrasolve.finem.position import WON, Position, State, Step
from tetrasolve.finem.ruleset import Ruleset

FOLDER = Path(__file__).with_name("playthroughs")
UPDATE = bool(os.environ.get("TETRASOLVE_UPDATE"))
READINGS = "standard?E-PACIFY=action,E-ORDER=dice-first,E-LIMIT=each-point,E-WIN=phase"
# Rulesets, and the steps and the end that a game has to have
WANTED: dict[str, tuple[str, frozenset[Step], str]] = {
    "won": ("standard", frozenset(), WON),
    "readings": (READINGS, frozenset(), WON),
    "steps": ("standard?E-TRIBUNE=invasion", frozenset({Step.DISCARD_EVENT, Step.SWAP}), ""),
}


def played(ruleset: Ruleset, seed: int) -> Iterator[tuple[Position, str, State]]:
    """A game of the learned policy; the cards are drawn by the seed."""
    random, state, player = Random(f"cards {seed}"), rules.random_set_up(ruleset, seed), player_of(ruleset)
    while isinstance(state, Position):
        node = rules.node(state)
        option = (
            random.choice(node.options) if node.is_chance else option_text(player.choose(state_of(state), "value")[0])
        )
        after = rules.take(state, option)
        yield state, option, after
        state = after


def first_with(name: str) -> list[str]:
    """The first game that has what is wanted, in lines."""
    text, steps, end = WANTED[name]
    for seed in count():
        game = [*played(Ruleset.from_text(text), seed)]
        if steps <= {before.step for before, *_ in game} and (not end or str(game[-1][2]) == end):
            return [
                f"# {text}, seed {seed}",
                str(game[0][0]),
                *(line for _, option, after in game for line in (f"> {option}", str(after))),
            ]
    raise AssertionError(name)


def kept(name: str) -> list[str]:
    return (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("name", WANTED)
def test_the_game_is_the_one_that_was_written_down(name: str) -> None:
    if UPDATE:
        (FOLDER / f"{name}.txt").write_text("".join(f"{line}\n" for line in first_with(name)), "utf-8")
    head, start, *moves = kept(name)
    text, steps, end = WANTED[name]
    position: State = Position.parse(start)
    assert head.startswith(f"# {text}, seed ") and isinstance(position, Position)
    assert position == rules.random_set_up(Ruleset.from_text(text), int(head.rpartition(" ")[2]))
    found = set()
    for option, line in zip(moves[::2], moves[1::2], strict=True):
        assert isinstance(position, Position)
        found.add(position.step)
        position = rules.take(position, option.removeprefix("> "))
        assert str(position) == line
    assert not isinstance(position, Position) and found >= steps and end in ("", str(position))


@pytest.mark.parametrize("name", WANTED)
def test_the_kernel_plays_the_same_game(name: str) -> None:
    _, start, *moves = kept(name)
    ruleset = Position.parse(start).ruleset
    engine, state = engine_of(ruleset), state_of(Position.parse(start))
    for option, line in zip(moves[::2], moves[1::2], strict=True):
        options = {option_text(code): code for code in engine.options(state)}
        state = engine.take(state, options[option.removeprefix("> ")])
        assert str(position_of(ruleset, state)) == line
    assert state.result


def test_the_learned_policy_still_plays_the_first_game() -> None:
    """Its decisions, where the cards are those that were written down."""
    head, *lines = kept("won")
    seed = int(head.rpartition(" ")[2])
    game = [*played(Ruleset("standard"), seed)]
    assert [str(game[0][0]), *(line for _, option, after in game for line in (f"> {option}", str(after)))] == lines
