"""Policies: rules that make every decision inside a phase, so that a phase has one exact distribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.rules import TurnNode

Policy = Callable[[Position, TurnNode], str]


def first(position: Position, node: TurnNode) -> str:
    """Take the first option."""
    del position
    return node.options[0]


def careful(position: Position, node: TurnNode) -> str:
    """Decide against the nearest loss, by a fixed rule for each kind of decision; of equal options the first.

    Actions: pass. Exchanges: keep. Journeys and the Dictator: stay, or the first region. Event 7: remove as many cubes as
    possible from where most of a tribe are. Event S: the highest die of a tribe not yet pacified. Event C: the region in the deck
    with the most cubes of its suit. Points above the limit: off pacified tribes, then off the lowest dice. Role: the first.
    """
    match position.step:
        case Step.RESIST:
            return max(node.options, key=lambda option: _removed(position, option))
        case Step.RAISE:
            return max(node.options, key=lambda option: (option[-1] not in position.pacified, position.die(option[-1])))
        case Step.PROTECT:
            return max(node.options, key=lambda option: _threat(position, option.split()[1]))
        case Step.DISCARD | Step.DISCARD_EVENT:
            return min(node.options, key=lambda option: _worth(position, option))
        case _:
            return next((word for word in ("pass", "keep", "stay") if word in node.options), node.options[0])


def _removed(position: Position, option: str) -> tuple[int, int]:
    """The cubes of the tribe in the region, and how many are removed."""
    _, region, tribe, *all_ = option.split()
    count = position.count(region, tribe)
    return count, count if all_ else 1


def _threat(position: Position, region: str) -> int:
    """The cubes of its suit on a region that can be drawn."""
    return -1 if region in position.out else position.count(region, region[0])


def _worth(position: Position, option: str) -> int:
    """What the points cost: squares of the dice of tribes not yet pacified, before less after."""
    taken = {word[0]: int(word[1:]) for word in option.split()[1:]}
    open_ = [(position.die(tribe), taken.get(tribe, 0)) for tribe in TRIBES if tribe not in position.pacified]
    return sum(die**2 - (die - points) ** 2 for die, points in open_)


POLICIES: Mapping[str, Policy] = {"careful": careful, "first": first}
