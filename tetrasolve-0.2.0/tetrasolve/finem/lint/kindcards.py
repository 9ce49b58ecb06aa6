"""A game that is won from every start: cards with which no cube is ever put on the map.

In each turn three suits bring an event, its card is a 6, and so there is no invasion; the player takes no action but Pacify. No
cube is put or removed, so neither what can come nor what follows depends on the cubes: a game that is won with these cards from one
start is won with them from every start of the same pawn. `won_from_every_start` plays it, and looks at each step that the cubes
stay as they were.
"""

from __future__ import annotations

from itertools import combinations

from tetrasolve.finem import rules
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import Position, State, Step
from tetrasolve.finem.ruleset import Ruleset

MOST_TURNS = 60
QUIET_RANK = "6"
ROLE = "consul"  # its holder decides nothing in a campaign


def won_from_every_start(ruleset: Ruleset) -> tuple[str, ...]:
    """The cards and decisions of such a game; nothing where this way does not win.

    >>> len(won_from_every_start(Ruleset("standard"))) > 0
    True
    """
    state: State = rules.random_set_up(ruleset, 0)
    assert isinstance(state, Position)
    cubes, line = state.cubes, list[str]()
    for _ in range(MOST_TURNS * 12):
        if not isinstance(state, Position):
            return tuple(line) if state.is_won else ()
        if state.cubes != cubes or state.step in (Step.CRISIS, Step.INVADE):
            return ()
        if not rules.node(state).options:
            return ()
        option = _chosen(state)
        line.append(option)
        state = rules.take(state, option)
    return ()


def _chosen(position: Position) -> str:
    """The kindest card or decision."""
    options = rules.node(position).options
    match position.step:
        case Step.ACT:
            new = [word for word in options if word.startswith("pacify") and word[-1] not in position.pacified]
            return new[0] if new else "pass"
        case Step.DRAW:
            return next(card for card in options if card[0] in _suits(position) - {held[0] for held in position.hand})
        case Step.EVENT:
            return next(card for card in options if card[1] == QUIET_RANK)
        case Step.DISCARD | Step.DISCARD_EVENT:
            return min(options, key=lambda option: _lost(position, option))
        case Step.ROLE:
            return ROLE
        case _:
            return options[0]


def _suits(position: Position) -> frozenset[str]:
    """The three suits that bring the most: those of the highest dice of tribes not yet pacified, whose hand is no event of a 6."""
    order = sorted(TRIBES, key=lambda tribe: (tribe in position.pacified, -position.die(tribe)))
    return max(map(frozenset, combinations(order, 3)), key=lambda three: (order[0] in three, order[1] in three))


def _lost(position: Position, option: str) -> tuple[int, ...]:
    """The points that a discard takes, off the die that is to rise first most of all."""
    taken = {word[0]: int(word[1:]) for word in option.split()[1:]}
    order = sorted(TRIBES, key=lambda tribe: (tribe in position.pacified, -position.die(tribe)))
    return tuple(taken.get(tribe, 0) for tribe in order)
