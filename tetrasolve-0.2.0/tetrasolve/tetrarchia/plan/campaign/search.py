"""Campaigns by best-first search over turns: exact turns, and a lower bound for the rest.

A node is the position after some turns. For each number of turns T, from the smallest on, nodes are expanded in the order of the
IP paid plus the lower `bound` of the IP still needed; nodes that cannot meet the goal in the turns left are dropped. So the
first plan found with T turns pays the least IP, and when no node is left there is none. Positions that are reached again for no
less are merged.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tetrasolve.errors import IllegalActionError
from tetrasolve.exact.deadline import check, share, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.numbers import IP_A_TURN
from tetrasolve.tetrarchia.plan.campaign.bound import NEVER, Costs, Jobs, Needs, compacted, divided, subsets
from tetrasolve.tetrarchia.plan.campaign.dice import DiceError
from tetrasolve.tetrarchia.plan.campaign.expand import Turns
from tetrasolve.tetrarchia.plan.campaign.ground import Ground, Packed
from tetrasolve.tetrarchia.plan.campaign.question import Campaign
from tetrasolve.tetrarchia.plan.campaign.replay import checked, start
from tetrasolve.tetrarchia.plan.campaign.result import CampaignResult, Progress, Steps, Value, line_to, status_of
from tetrasolve.tetrarchia.position import Phase, Position

VERSION = "1"  # of this engine: another one may choose other plans of equal value
BEAM = 6  # positions kept after each turn in the search for a first plan
BEAM_AFTER = 50  # nodes without a plan
WIDTHS = (2, BEAM)  # widths of the beams for any plan when the time for the proof is over
SHARE_FOR_PROOF = 0.75  # share of the time; the rest is for a plan with any number of turns
TURNS_BEYOND = 6  # the most turns above the bound in the search for a first plan


@dataclass(frozen=True, slots=True)
class Node:
    """The position after `turns` turns and `paid` IP; `bound` is `paid` plus a lower bound of the rest."""

    turns: int
    packed: Packed
    paid: int
    bound: int
    parent: Node | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """The result of a search with a fixed number of turns; `bound`: no such plan pays less (None: there is none)."""

    node: Node | None
    bound: int | None


class Search:
    """The search of one campaign."""

    def __init__(self, campaign: Campaign, progress: Progress | None = None) -> None:
        self.campaign, self.progress = campaign, progress
        self.ground = Ground(campaign.position.board, campaign.position.ruleset)
        self.turns = Turns(campaign, self.ground)
        self.jobs = Jobs(campaign, self.ground)
        self.needs = Needs(campaign, self.ground, self.jobs)
        reach = sorted(self.ground.row[place] for place in campaign.goal.reach)
        self.needs_of_last = Needs(campaign, self.ground, self.jobs, reach) if reach else self.needs
        order = (campaign.mover(number) for number in range(campaign.most_turns))
        self._movers = [self.ground.emperors.index(emperor) for emperor in order]
        self.nodes = 0
        self.ceiling = NEVER  # only cheaper plans are searched
        self.misfit: DiceError | None = None  # the first position after which the stated dice run out
        self._shares: dict[tuple[object, ...], Costs] = {}
        self._starts: dict[tuple[int, Packed], tuple[Packed, int] | None] = {}

    def report(self, best: Node | None, bound: Value) -> None:
        """Report progress."""
        if self.progress is not None:
            self.progress(None if best is None else (best.turns, best.paid), bound)

    # -- one number of turns -------------------------------------------------------------------------------------

    def within(self, turns: int, stop: Stop | None) -> Iterator[Searched]:
        """The least IP with exactly this number of turns, fewer being excluded; yields results, the last is the answer.

        Earlier results show progress; only plans that pay less than `ceiling` are searched.

        :raises Stopped: when `stop` is set before the answer.
        """
        heap: list[tuple[int, int, int, Node]] = []
        cheapest: dict[tuple[int, Packed], int] = {}
        pushed = 0
        begin = Node(0, self.ground.pack(self.campaign.position), 0, 0)
        heapq.heappush(heap, (0, 0, pushed, begin))
        while heap:
            bound, _, _, node = heapq.heappop(heap)
            if bound >= self.ceiling:
                break
            if node.turns == turns:
                yield Searched(node, bound)
                return
            if cheapest.get((node.turns, node.packed), node.paid) < node.paid:
                continue
            yield Searched(None, bound)
            for child in self._children(node, turns, stop):
                key = (child.turns, child.packed)
                if child.bound < self.ceiling and child.paid < cheapest.get(key, NEVER):
                    cheapest[key] = child.paid
                    pushed += 1
                    heapq.heappush(heap, (child.bound, -child.turns, pushed, child))
        yield Searched(None, None)

    def beam(self, turns: int, width: int, stop: Stop | None) -> Node | None:
        """A plan with this number of turns, if a beam search finds one."""
        layer = [Node(0, self.ground.pack(self.campaign.position), 0, 0)]
        for _ in range(turns):
            best: dict[Packed, Node] = {}
            for node in layer:
                try:
                    for child in self._children(node, turns, stop):
                        if child.packed not in best or child.paid < best[child.packed].paid:
                            best[child.packed] = child
                except Stopped:
                    return None
            layer = sorted(best.values(), key=lambda child: (child.bound, child.paid, child.packed))[:width]
        return min(layer, key=lambda node: node.paid, default=None)

    def least(self, turns: int, stop: Stop | None = None) -> int | None:
        """A lower bound of the IP of plans with this number of turns; None where there is none.

        :raises Stopped: when `stop` is set before that is known.
        """
        begin = Node(0, self.ground.pack(self.campaign.position), 0, 0)
        return min((child.bound for child in self._children(begin, turns, stop)), default=None)

    def _children(self, node: Node, turns: int, stop: Stop | None) -> Iterator[Node]:
        """The positions after one more turn from which the goal may still be met in time."""
        check(stop)
        self.nodes += 1
        begun = self._begun(node.turns, node.packed)
        if begun is None:
            return
        packed, ip = begun
        mover, done = self._movers[node.turns], node.turns + 1
        if done == turns:
            for end, paid in self.turns.ends(mover, packed, ip, last=True, stop=stop):
                yield Node(turns, end, node.paid + paid, node.paid + paid, node)
            return
        left = self.jobs.left(packed)
        others = self._others(done, turns, mover, packed, left, stop)
        sets = subsets(left)
        numbers = np.arange(len(sets))
        known: dict[tuple[int, int], int] = {}
        for end, paid in self.turns.ends(mover, packed, ip, last=False, stop=stop):
            check(stop)
            if self.turns.is_won(end):
                continue  # the game is over, and fewer turns were enough if the goal was met
            place, still = end.places[mover], self.jobs.left(end)
            more = known.get((place, still))
            if more is None:
                own = self._costs(done, turns, mover, place, stop)[sets]
                more = known[place, still] = int((others + own[compacted(still, left) & ~numbers]).min())
            if more < NEVER:
                yield Node(done, end, node.paid + paid, node.paid + paid + more, node)

    def _begun(self, number: int, packed: Packed) -> tuple[Packed, int] | None:
        """The position at the beginning of a turn, and the IP; None if the game ends before."""
        if number == 0 and self.campaign.position.phase is Phase.ROMAN:
            return packed, self.campaign.position.ip
        if self.campaign.phase_before(number) is None:
            return packed, IP_A_TURN
        key = (number, packed)
        if key not in self._starts:
            self._starts[key] = self._after_phase(number, packed)
        return self._starts[key]

    def _after_phase(self, number: int, packed: Packed) -> tuple[Packed, int] | None:
        before = self.campaign.position if number == 0 else self._ended(number - 1, packed)
        try:
            return self.ground.pack(start(self.campaign, before, number)), IP_A_TURN
        except DiceError as error:
            self.misfit = self.misfit or error
        except IllegalActionError:  # the Empire falls
            pass
        return None

    def _ended(self, number: int, packed: Packed) -> Position:
        return self.ground.position(packed, self._movers[number], 0).replace(phase=Phase.BARBARIAN)

    # -- what is needed ------------------------------------------------------------------------------------------

    def _costs(self, done: int, turns: int, mover: int, place: int, stop: Stop | None) -> Costs:
        """The least IP of an Emperor in a province for each set of tasks, in his turns from number `done` on."""
        needs = self.needs_of_last if self._movers[turns - 1] == mover else self.needs
        return needs.of(mover, self._movers[done:turns].count(mover), place, stop)

    def _others(self, done: int, turns: int, mover: int, packed: Packed, left: int, stop: Stop | None) -> Costs:
        """The least IP of the other Emperors for each subset of the tasks left, divided among them."""
        count = len(packed.places)
        order = [
            (mover + i) % count for i in range(1, count)
        ]  # Emperors who moved long ago have the same place in many nodes
        return self._shared(done, turns, left, tuple((i, packed.places[i]) for i in order), stop)

    def _shared(
        self, done: int, turns: int, left: int, standing: tuple[tuple[int, int], ...], stop: Stop | None
    ) -> Costs:
        """The least IP of these Emperors, from their places, for each subset of the tasks left."""
        key = (done, turns, left, standing)
        if key not in self._shares:
            *others, (last, place) = standing
            own = self._costs(done, turns, last, place, stop)[subsets(left)]
            if others:
                own = divided(self._shared(done, turns, left, tuple(others), stop), own, stop)
            self._shares[key] = own
        return self._shares[key]

    # -- the plan --------------------------------------------------------------------------------------------------

    def plan(self, node: Node) -> tuple[Steps, ...]:
        """The actions of each turn on the way to a node."""
        found: list[Steps] = []
        for before, after in pairwise(line_to(node)):
            begun = self._begun(before.turns, before.packed)
            assert begun is not None
            last = after.turns == node.turns
            found.append(self.turns.steps(self._movers[before.turns], *begun, after.packed, last=last))
        return tuple(found)


# -- all numbers of turns --------------------------------------------------------------------------------------


def solve_search(
    campaign: Campaign,
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> CampaignResult:
    """The answer of the search; `seconds` or `cancel` end it, `progress` gets the best value and bound so far.

    `CampaignResult.nodes` are expanded turns.

    :raises DiceError: when no plan was found, and there may be one if more dice are stated.
    """
    started = time.monotonic()
    stop = stop_of(seconds, cancel)
    search = Search(campaign, progress)
    found, bound, closed = _solve(search, stop, share(stop, SHARE_FOR_PROOF))
    if found is None and closed and search.misfit is not None:
        raise search.misfit
    value = None if found is None else (found.turns, found.paid)
    return CampaignResult(
        campaign=campaign,
        status=status_of(value, closed=closed),
        plans=None if found is None else checked(campaign, search.plan(found), value, "search"),
        value=value,
        bound=bound,
        engine="search",
        seconds=time.monotonic() - started,
        nodes=search.nodes,
        version=VERSION,
    )


def _solve(search: Search, stop: Stop | None, proof: Stop | None) -> tuple[Node | None, Value | None, bool]:
    """The best plan found, the bound, and whether the search is finished."""
    campaign = search.campaign
    if campaign.is_met_already:
        return Node(0, search.ground.pack(campaign.position), 0, 0), (0, 0), True
    best: Node | None = None
    for turns in range(1, campaign.most_turns + 1):
        bound: Value = (turns, 0)
        search.ceiling = NEVER
        try:
            for looked, step in enumerate(search.within(turns, proof), start=1):
                if step.node is not None:
                    return step.node, (turns, step.node.paid), True
                if step.bound is None:
                    break
                bound = (turns, step.bound)
                if looked == BEAM_AFTER:
                    best = search.beam(turns, BEAM, stop)
                    search.ceiling = NEVER if best is None else best.paid
                search.report(best, bound)
            if best is not None:
                return best, (turns, best.paid), True
        except Stopped:
            best = best or _any_plan(search, turns, stop)
            return best, bound, best is not None and (best.turns, best.paid) == bound
    return None, None, True


def _any_plan(search: Search, turns: int, stop: Stop | None) -> Node | None:
    """A plan with this number of turns or a few more, if one is found in time."""
    more = range(turns, min(search.campaign.most_turns, turns + TURNS_BEYOND) + 1)
    tries = (search.beam(number, width, stop) for number in more for width in WIDTHS)
    return next((node for node in tries if node is not None), None)
