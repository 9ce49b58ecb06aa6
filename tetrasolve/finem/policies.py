"""Policies: rules that make every decision inside a phase, so that a phase has one exact distribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tetrasolve.finem import numbers, rules
from tetrasolve.finem.greedy import act, other
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import Position, State, Step
from tetrasolve.finem.rules import TurnNode
from tetrasolve.finem.rules.campaign import ORDER_WORD
from tetrasolve.finem.rules.events import KEEP

Policy = Callable[[Position, TurnNode], str]


def first(position: Position, node: TurnNode) -> str:
    """Take the first option."""
    del position
    return node.options[0]


def careful(position: Position, node: TurnNode) -> str:
    """Decide against the nearest loss, by a fixed rule for each kind of decision; of equal options the first.

    Actions: pass. Exchanges: keep. Journeys and the Dictator: stay, or the first region. Event 7: remove as many cubes as
    possible, of equal numbers from where most of the tribe are. Event S: of the dice that can rise those of tribes not yet
    pacified, of these the highest. Event C: the region in the deck with the most cubes of its suit. Points above the limit: as many
    as possible off dice of pacified tribes, the rest off the lowest dice. Order of cards: after which most tribes are pacified.
    Role: the first; decline: the shorter way.
    """
    match position.step:
        case Step.RESIST:
            return max(node.options, key=lambda option: _removed(position, option))
        case Step.RAISE:
            return max(node.options, key=lambda option: _rise(position, option))
        case Step.PROTECT:
            return max(node.options, key=lambda option: _threat(position, option.split()[1]))
        case Step.DISCARD | Step.DISCARD_EVENT:
            return max(node.options, key=lambda option: _taken(position, option))
        case Step.CHOOSE if node.options[0].startswith(ORDER_WORD):
            return max(node.options, key=lambda option: _pacified(rules.take(position, option)))
        case _:
            return next((word for word in ("pass", KEEP, "stay") if word in node.options), node.options[0])


def _removed(position: Position, option: str) -> tuple[int, int]:
    """How many cubes are removed, and how many of the tribe are in the region."""
    if option == KEEP:
        return 0, 0
    _, region, tribe, *all_ = option.split()
    count = position.count(region, tribe)
    return (count + (all_[1:] not in ([], [region])) if all_ else 1), count  # all here, and perhaps one elsewhere


def _rise(position: Position, option: str) -> tuple[bool, bool, int]:
    """Whether a die can rise, whether its tribe is not yet pacified, and where it stands; to let none rise is worst."""
    if option == KEEP:
        return False, False, 0
    tribe = option[-1]
    die = position.die(tribe)
    return die < numbers.PACIFIED_AT, tribe not in position.pacified, die


def _threat(position: Position, region: str) -> int:
    """The cubes of its suit on a region that can be drawn."""
    return -1 if region in position.out else position.count(region, region[0])


def _taken(position: Position, option: str) -> tuple[int, ...]:
    """The points taken off each die: first those of pacified tribes, then the others, each from the lowest."""
    taken = {word[0]: int(word[1:]) for word in option.split()[1:]}
    order = sorted(TRIBES, key=lambda tribe: (tribe not in position.pacified, position.die(tribe)))
    return tuple(taken.get(tribe, 0) for tribe in order)


def _pacified(state: State) -> int:
    """How many tribes are pacified when the points above the limit are taken off; a game that is won has all."""
    while isinstance(state, Position) and state.step is Step.DISCARD:
        state = rules.take(state, careful(state, rules.node(state)))
    if isinstance(state, Position):
        return len(state.pacified)
    return len(TRIBES) if state.is_won else 0


def greedy(position: Position, node: TurnNode) -> str:
    """Play whole games: actions against the most dangerous cubes, as `tetrasolve.finem.greedy` says; the rest as `careful`."""
    if position.step is Step.ACT:
        return act(position, node)
    return other(position, node) or careful(position, node)


POLICIES: Mapping[str, Policy] = {"careful": careful, "first": first, "greedy": greedy}
