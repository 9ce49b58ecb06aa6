"""Whole games by the greedy policy on the kernel's states, for pairs of games with the same chance.

The policy is `tetrasolve.finem.greedy` written again for packed states; tests compare both. Game n of a seed has its set-up, its
map where one is dealt, and for each turn one order of the deck and one role from the seed, n and the turn, so that two rulesets
see the same cards as long as they draw as many.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from tetrasolve.exact.deadline import check
from tetrasolve.finem.fast import (
    CARD,
    CONFRONT,
    EXCHANGE,
    KIND,
    MOVE,
    PACIFY,
    PASS,
    ROLE,
    STAY,
    STEPS,
    UNSEEN,
    engine_of,
)
from tetrasolve.finem.greedy import DANGER, FEW, SCARCE
from tetrasolve.finem.kernel import Kernel, State
from tetrasolve.finem.layout import NUMBER, REGIONS
from tetrasolve.finem.position import Step
from tetrasolve.finem.rules.setup import cubes_of_set_up, is_full, kept_cards
from tetrasolve.finem.ruleset import ROLES, Ruleset
from tetrasolve.lint.wholegames import LOST, OPEN, WON
from tetrasolve.stop import Stop

if TYPE_CHECKING:  # a name of the stub alone
    from tetrasolve.finem.kernel import Fields

POLICY = "greedy (tetrasolve.finem.greedy)"
MOST_TURNS = 400  # of a game; greedy games have some nine, and one that has not ended by then counts as open

_MAGISTER = ROLES.index("magister") + 1
_TRAVELLERS = (ROLES.index("consul") + 1, ROLES.index("emperor") + 1)
_DETAILS = (1 << KIND) - 1
_ACT, _TRAVEL, _EXCHANGE, _ROLE = (STEPS.index(s) for s in (Step.ACT, Step.TRAVEL, Step.EXCHANGE, Step.ROLE))
_EMPTY = (0, 0, 0, 0)
CHANCE = frozenset(at for at, step in enumerate(STEPS) if step.is_chance)


def play(ruleset: str, seed: int, first: int, count: int, stop: Stop | None = None) -> str:
    """The letters of games `first` to `first + count - 1` of a seed (`tetrasolve.lint.wholegames`).

    :raises Stopped: when `stop` is set before all are played.
    """
    rules = Ruleset.from_text(ruleset)
    letters = []
    for number in range(first, first + count):
        check(stop)
        letters.append(game(rules, f"{seed} {number}"))
    return "".join(letters)


def game(ruleset: Ruleset, seed: str) -> str:
    """One game: ``w``, ``l``, or ``o`` where it has not ended after `MOST_TURNS`."""
    random = Random(f"{seed} set-up")
    if not ruleset.has_map:
        ruleset = ruleset.dealt(Random(f"{seed} map"))
    engine = engine_of(ruleset) if not ruleset.cards else engine_of.__wrapped__(ruleset)  # a dealt map serves one game
    steps = distances(engine.neighbours)
    state = _set_up(ruleset, engine, random)
    for turn in range(MOST_TURNS):
        chance = Random(f"{seed} turn {turn}")
        deck, role = iter(chance.sample(range(len(REGIONS)), len(REGIONS))), chance.randrange(len(ROLES)) + 1
        while not state.result:
            if state.step in CHANCE:
                option = ROLE << KIND | role if state.step == _ROLE else CARD << KIND | next(deck)
            else:
                option = decide(engine, steps, state)
            was_in = STEPS[state.step]
            state = engine.take(state, option)
            if was_in in (Step.ROLE, Step.APPOINT) and STEPS[state.step] is not Step.APPOINT:
                break
        if state.result:
            return WON if state.result == "won" else LOST
    return OPEN


def _set_up(ruleset: Ruleset, engine: Kernel, random: Random) -> State:
    layout = ruleset.layout
    starts = layout.corners if "corner" in ruleset.options else (layout.start,)
    start, each, full = NUMBER[random.choice(starts)], cubes_of_set_up(ruleset), ruleset.readings["E-FULL"]
    while True:
        cards = [REGIONS[card] for card in random.sample(range(len(REGIONS)), len(REGIONS))]
        cards = [*kept_cards(cards, each)] if full == "card" else cards[: len(each)]
        if full != "again" or not is_full(cards, each):
            return engine.set_up([NUMBER[card] for card in cards], start)


@lru_cache(maxsize=64)
def distances(neighbours: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The moves between each two regions."""
    rows = []
    for start in range(len(neighbours)):
        found, waiting = {start: 0}, deque([start])
        while waiting:
            here = waiting.popleft()
            for other in range(len(neighbours)):
                if neighbours[here] >> other & 1 and other not in found:
                    found[other] = found[here] + 1
                    waiting.append(other)
        rows.append(tuple(found[region] for region in range(len(neighbours))))
    return tuple(rows)


# -- the greedy policy --------------------------------------------------------------------------------------------------


def decide(engine: Kernel, steps: tuple[tuple[int, ...], ...], state: State) -> int:
    """The option that the greedy policy takes."""
    if state.step == _ACT:
        return _act(engine.options(state), steps, state.fields())
    if state.step == _TRAVEL:
        cubes, pawn = state.fields()["cubes"], state.fields()["pawn"]

        def worth(option: int) -> tuple[int, bool]:
            stays = option >> KIND == STAY
            return sum(cubes[pawn if stays else option & _DETAILS]), stays

        return max(engine.options(state), key=worth)
    if state.step == _EXCHANGE:
        fields = state.fields()
        if not fields["card"]:
            suits = [card // 6 for card in fields["hand"]]
            twice = [card for card in fields["hand"] if suits.count(card // 6) > 1]
            wanted = (UNSEEN, *twice[:1])
            for option in engine.options(state):
                if twice and option >> KIND == EXCHANGE and option & _DETAILS in wanted:
                    return option
    return engine.decide(state, "careful")


def _act(options: list[int], steps: tuple[tuple[int, ...], ...], fields: Fields) -> int:
    cubes, pawn = fields["cubes"], fields["pawn"]
    for option in options:
        if option >> KIND == PACIFY and not fields["pacified"] >> (option & _DETAILS) & 1:
            return option
    way = list(steps[pawn])
    if fields["role"] in _TRAVELLERS or fields["has_travel"]:
        for region in (fields["start"], fields["last"]):
            way[region] = min(1, way[region])
    weights = weights_of(cubes)
    is_magister, left = fields["role"] == _MAGISTER, fields["left"]
    found = [
        (gain(stacks(row), left - steps_to, weights, is_magister, steps_to), -region)
        for region, (row, steps_to) in enumerate(zip(cubes, way, strict=True))
        if row != _EMPTY
    ]
    nearest = max(found, default=((0.0, -len(REGIONS)), 0))  # without cubes it stays, and passes
    target = -nearest[1] if found else pawn
    confronting = [option for option in options if option >> KIND == CONFRONT]
    if target == pawn and confronting:
        return max(confronting, key=lambda option: (cubes[pawn][option & 3], bool(option & 4)))
    moves = [option for option in options if option >> KIND == MOVE]
    best = min(moves, key=lambda option: steps[target][option & _DETAILS])
    return best if steps[target][best & _DETAILS] < steps[target][pawn] else PASS << KIND


def weights_of(cubes: Sequence[Sequence[int]]) -> list[float]:
    """How much a cube of each tribe weighs, the more the more of them are on the map."""
    return [1 + SCARCE * max(0, sum(column) - FEW) for column in zip(*cubes, strict=True)]


@lru_cache(maxsize=1024)
def stacks(row: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The cubes of a region, most first, each with its tribe."""
    found = sorted(((count, "OCEB"[tribe], tribe) for tribe, count in enumerate(row) if count), reverse=True)
    return tuple((count, tribe) for count, _, tribe in found)


def gain(
    piled: tuple[tuple[int, int], ...], left: int, weights: list[float], is_magister: bool, steps: int
) -> tuple[float, int]:
    """The danger that so many actions remove of the stacks of a region, and less the way to it."""
    removed_danger = 0.0
    for count, tribe in piled:
        if left <= 0:
            break
        removed = count if is_magister else min(count, left)
        removed_danger += (DANGER[count] - DANGER[count - removed]) * weights[tribe]
        left -= 1 if is_magister else removed
    return (removed_danger, -steps) if removed_danger else (0.0, len(REGIONS) * piled[0][0] - steps)
