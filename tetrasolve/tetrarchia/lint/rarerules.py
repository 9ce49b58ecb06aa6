"""Games in which rules apply that greedy games seldom come to: the records of findings, and some that go on with chosen dice.

Such a game shows that a rule can apply, not how often. It is played from its record each time, so nothing of it is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, new_scenario
from tetrasolve.tetrarchia.lint.courses import phase
from tetrasolve.tetrarchia.lint.reached import stored_records
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.record import read_record
from tetrasolve.tetrarchia.rules import Fall

MOST_PHASES = 12  # that a game goes on


def rare_games(board: Board | None = None) -> Iterator[tuple[str, Game]]:
    """Games with a word for each, in the order in which they are made."""
    board = board or Board.standard()
    for name, go_on in CONTINUED.items():
        game = read_record("\n".join(stored_records().rows[name]) + "\n", board)
        go_on(game)
        yield f"the record of {name}, continued", game
    yield "a scenario with a fixed set-up", new_scenario(rules.scenarios()[0], 0, fixed=True, board=board)


def attacked_by_dux(game: Game) -> None:
    """The Dux makes the first attack that he can."""
    actions = rules.legal_actions(game.position)
    attack = next(a for a in actions if a.kind is Kind.ATTACK and a.figure == "dux" and a.place is not None)
    game.attack(attack.place or "", rules.GivenDice((6, 1)), figure="dux")


def with_usurpers(game: Game) -> None:
    """Turns without an action and phases whose dice fill a region behind a secured border, until one is full."""
    for _ in range(MOST_PHASES):
        state = game.state
        if not isinstance(state, Position) or _fullest(state) == _SIZE:
            return
        if state.phase is Phase.BARBARIAN:
            phase(game, _filling)
        elif rules.may_end(state):
            game.end()
        else:
            game.act(rules.legal_actions(state)[0])


CONTINUED: Mapping[str, Callable[[Game], None]] = {
    "I-DUX-DEFEAT=turn/dux-only": attacked_by_dux,
    "I-USURPER-ROOM=none/expels": with_usurpers,
    "I-USURPER-ORDER=higher/chosen": with_usurpers,
}
_SIZE = 6  # provinces of a region, without its border


def _filling(state: Position | Fall) -> tuple[Any, ...]:
    """What is the least where most provinces of a region behind a secured border are in revolt, and many armies stand."""
    return (1,) if isinstance(state, Fall) else (0, -_fullest(state), -len(state.armies), -len(state.unrest))


def _fullest(position: Position) -> int:
    board = position.board
    counts = [
        sum(place in position.revolts for place in board.ids if board[place].region == board[border].region)
        for border in board.borders
        if border in position.secured
    ]
    return max(counts, default=0)
