"""How the shortest games of `games` were found: a campaign on a frozen position, then dice that leave its plan alone.

The kindest dice name a province that a printed disc protects, and let every broken link fail. What then still happens in
the Barbarian phases is not chance: unrest linked to a revolt joins it, and an Emperor who stands on a revolt is driven out.
The plan must bear that. Armies wait on their borders behind broken links, until an Emperor who is to secure the border
attacks instead of moving, for the same IP.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.action import Action, Kind, Outcome, attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.tempo.games import FEWEST_GARRISONS, Game
from tetrasolve.tetrarchia.facts.tempo.soonest import is_won
from tetrasolve.tetrarchia.numbers import IP_A_TURN
from tetrasolve.tetrarchia.plan.campaign import Campaign, CampaignResult, read_goal, solve_campaign
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.setup import random_set_up
from tetrasolve.tetrarchia.ruleset import Ruleset

Plans = Sequence[Sequence[Action]]


def find(
    level: str,
    seeds: Iterable[int],
    turns: int,
    *,
    seconds: float = 15,
    cancel: Stop | None = None,
    board: Board | None = None,
) -> Game | None:
    """The first game of so many turns at a level (its last three figures) from set-ups rolled from these seeds.

    `seconds` are for each of them.

    :raises Stopped: when `cancel` is set.
    """
    board = board or Board.standard()
    ruleset = Ruleset.from_text(
        f"{FEWEST_GARRISONS}{level[:2]}0"
    )  # armies come later: a frozen position does not have them
    for seed in seeds:
        check(cancel)
        start = random_set_up(ruleset, seed, board=board)
        campaign = Campaign(start, read_goal("victory", board), most_turns=turns)
        result = solve_campaign(campaign, seconds=seconds, cancel=cancel)
        for plans in _plans(result):
            for armies in _armies(board, int(level[2])):
                game = kindly(start, plans, armies)
                if game is not None:
                    return game
    return None


def _plans(result: CampaignResult) -> Iterator[Plans]:
    """The plan of a campaign; first with revolts reduced a turn earlier, by him who would be driven out by them."""
    if result.plans:
        turns = [list(turn.steps) for turn in result.plans]
        early = [list(steps) for steps in turns]
        for number, later in enumerate(early[4:]):
            if later and later[0].kind is Kind.REDUCE and result.plans[number].paid < IP_A_TURN:
                early[number].append(later.pop(0))
        yield from (early, turns)


def _armies(board: Board, number: int) -> Iterator[tuple[str, ...]]:
    """So many borders from which armies come by broken links only."""
    stuck = [
        border
        for border in board.borders
        if (arrow := board[border].arrow) is not None
        and (link := board.link(border, arrow)) is not None
        and link.broken
    ]
    if len(stuck) >= number:
        yield tuple(stuck[:number])


def kindly(start: Position, plans: Plans, armies: tuple[str, ...]) -> Game | None:
    """The game in which these plans are carried out under the kindest dice, armies on these borders attacked; if it is one."""
    level = str(start.ruleset)[1:3] + str(len(armies))
    position = start.replace(ruleset=Ruleset.from_text(f"{FEWEST_GARRISONS}{level}"), armies=armies)
    met = [[_met(step, armies) for step in steps] for steps in plans]
    game = Game(level, str(position), tuple(tuple(map(str, steps)) for steps in met))
    return game if is_won(game, start.board) else None


def _met(step: Action, armies: tuple[str, ...]) -> Action:
    """An attack instead of a move, where an army stands."""
    return attack(step.place, Outcome.VICTORY) if step.kind is Kind.MOVE and step.place in armies else step
