"""A plain greedy policy for whole games: it removes the cubes that are most dangerous now, and pacifies where it can.

Each decision looks at the position alone, not at what may be drawn. It is a policy to measure others by, and its win rates are of
`bench/finem_greedy.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from tetrasolve.finem.layout import REGIONS, TRIBES, Layout
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.rules import TurnNode

MAGISTER, TRAVELLERS = "magister", ("consul", "emperor")
# Our choice, tried on some thousand games: the danger of 0 to 3 cubes of a tribe in a region, and how much more each cube weighs
# for each one above FEW that its tribe has on the map
DANGER, FEW, SCARCE = (0.0, 1.0, 2.5, 6.5), 6, 0.3


def act(position: Position, node: TurnNode) -> str:
    """The action of the greedy policy.

    Pacify a tribe that is not yet pacified. Otherwise go to the region where the actions left remove most danger, of equals the
    nearest, and confront there; where no cube is in reach, go towards the most cubes of a tribe, or pass.
    """
    new = [word for word in node.options if word.startswith("pacify") and word[-1] not in position.pacified]
    if new:
        return new[0]
    steps = distances(position.layout, position.pawn)
    if position.role in TRAVELLERS or position.has_travel:
        steps |= {region: min(1, steps[region]) for region in (position.start, position.last)}
    weights = {tribe: 1 + SCARCE * max(0, position.on_map(tribe) - FEW) for tribe in TRIBES}
    target = max(REGIONS, key=lambda region: _gain(position, region, steps[region], weights))
    confronting = [word for word in node.options if word.startswith("confront")]
    if target == position.pawn and confronting:
        return max(confronting, key=lambda word: (position.count(position.pawn, word.split()[1]), word.endswith("all")))
    return _towards(position.layout, node.options, target, distances(position.layout, target)[position.pawn])


def _towards(layout: Layout, options: Iterable[str], target: str, now: int) -> str:
    """The move that comes nearest to a region, or pass where none comes nearer."""
    left = distances(layout, target)
    moves = [word for word in options if word.startswith("move")]
    best = min(moves, key=lambda word: left[word.split()[1]])
    return best if left[best.split()[1]] < now else "pass"


def distances(layout: Layout, region: str) -> dict[str, int]:
    """The moves from a region to each region."""
    found, waiting = {region: 0}, deque([region])
    while waiting:
        here = waiting.popleft()
        for other in layout.neighbours[here]:
            if other not in found:
                found[other] = found[here] + 1
                waiting.append(other)
    return found


def _gain(position: Position, region: str, steps: int, weights: dict[str, float]) -> tuple[float, int]:
    """The danger that the actions left remove in a region; without any the most cubes of a tribe, less the way."""
    left, gain = position.left - steps, 0.0
    stacks = sorted(((position.count(region, tribe), tribe) for tribe in TRIBES), reverse=True)
    for count, tribe in stacks:
        if left <= 0 or not count:
            break
        removed = count if position.role == MAGISTER else min(count, left)
        gain += (DANGER[count] - DANGER[count - removed]) * weights[tribe]
        left -= 1 if position.role == MAGISTER else removed
    return (gain, -steps) if gain else (0.0, len(REGIONS) * stacks[0][0] - steps)


def other(position: Position, node: TurnNode) -> str | None:
    """Its other decisions that are not those of the careful policy; None where they are.

    Event 5: the region with the most cubes. Tribune: exchange one of two cards of a suit in the campaign.
    """
    if position.step is Step.TRAVEL:
        return max(node.options, key=lambda word: _cubes(position, word))
    if position.step is Step.EXCHANGE and position.card is None:
        suits = [card[0] for card in position.hand]
        twice = [card for card in position.hand if suits.count(card[0]) > 1]
        wanted = [word for word in node.options if twice and word in ("exchange", f"exchange {twice[0]}")]
        return wanted[0] if wanted else None
    return None


def _cubes(position: Position, word: str) -> tuple[int, bool]:
    """The cubes of a region to which event 5 takes the pawn; of equals it stays."""
    region = position.pawn if word == "stay" else word.split()[1]
    return sum(position.cubes[REGIONS.index(region)]), word == "stay"
