"""Campaigns with any rules, by best-first search over whole turns: each turn is the kernel's graph of all that can be done.

It is the search of `tetrasolve.tetrarchia.plan.campaign.search` with two differences: ends of turns come from the kernel, which
knows all modules, variants and rebels, and the lower bound is a weaker one (`relaxed`). So it proves less in the same time.
Where it has kept as many positions as fit, or the time is over, a beam search gives a plan, and the bound so far stands.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias, cast

from tetrasolve.errors import IllegalActionError
from tetrasolve.exact.deadline import check, share, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.action import PIRATES, Action
from tetrasolve.tetrarchia.kernel import State, Turn
from tetrasolve.tetrarchia.numbers import IP_A_TURN, MAXIMIAN_IP
from tetrasolve.tetrarchia.plan.campaign.dice import DiceError
from tetrasolve.tetrarchia.plan.campaign.question import Campaign
from tetrasolve.tetrarchia.plan.campaign.relaxed import NEVER, Relaxed
from tetrasolve.tetrarchia.plan.campaign.replay import checked, start
from tetrasolve.tetrarchia.plan.campaign.result import CampaignResult, Progress, Steps, Value, line_to, status_of
from tetrasolve.tetrarchia.plan.codes import is_dice, plan_of
from tetrasolve.tetrarchia.plan.objective import LeastIp, criterion
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.rules.modules.imperium import MAXIMIAN

VERSION = "1"
TURNS = "turns"
MOST_NODES = 400_000  # positions kept at a time: about 200 MB
CHECK_EVERY = 256  # states between looks at the time
WIDTHS = (4, 24)  # of the beams
SHARE_FOR_PROOF = 0.75  # of the time; the rest is for a plan with any number of turns
TURNS_BEYOND = 6  # the most turns above the bound in the search for a first plan
_FIELDS = ("revolts", "unrest", "garrisons", "armies", "emperors", "fleets", "result")
_MORE_FIELDS = ("rebels", "dux", "vicarius", "goths", "pirates", "glory", "removed", "gray", "black")

Ends: TypeAlias = "dict[bytes, tuple[State, int]]"


@dataclass(frozen=True, slots=True)
class CampaignNode:
    """The position after `turns` turns and `paid` IP, in a Barbarian phase; `rest` is a lower bound of the IP still needed.

    The last node of a plan has the beginning of its last turn.
    """

    turns: int
    state: State
    paid: int
    rest: int = 0
    parent: CampaignNode | None = None


class _FullError(Exception):
    """As many positions are kept as fit."""


class TurnSearch:
    """The search of one campaign; `most_nodes` positions are kept at most."""

    def __init__(self, campaign: Campaign, *, most_nodes: int = MOST_NODES, stop: Stop | None = None) -> None:
        self.campaign, self.most_nodes, self.stop = campaign, most_nodes, stop
        position = campaign.position
        self.board, self.ruleset, self.rebels = position.board, position.ruleset, bool(position.rebels)
        self.engine = fast.engine_for(self.ruleset, rebels=self.rebels)
        self.kernel = fast.kernel_of(position)
        self.relaxed = Relaxed(campaign)
        order = self.board.order
        self.attacks = {
            len(order) if army == PIRATES else order[army]: fast.OUTCOMES.index(outcome)
            for army, outcome in campaign.stated
        }
        emperors = [emperor.id for emperor in self.board.emperors]
        self.movers = [emperors.index(campaign.mover(number)) for number in range(campaign.most_turns)]
        self.maximian = emperors.index(MAXIMIAN) if "imperium" in self.ruleset.extensions else -1
        asked = (criterion(term, position) for term in (campaign.goal, LeastIp()))
        self.criteria = [one for one in asked if one is not None]  # the kernel has both
        self.nodes = 0
        self.bound = 0  # IP that every plan with the turns that are looked at pays
        self.misfit: DiceError | None = None

    # -- one turn --------------------------------------------------------------------------------------------------

    def first(self) -> CampaignNode:
        """The position at the start."""
        return CampaignNode(0, fast.state_of(self.campaign.position), 0)

    def begun(self, node: CampaignNode) -> State | None:
        """The beginning of the next turn; None if the game ends before, or the dice run out."""
        state, number = node.state, node.turns
        if number == 0 and self.campaign.position.phase is Phase.ROMAN:
            return state
        if self.campaign.phase_before(number) is None:
            return self._handed_over(state, self.movers[number])
        position = fast.to_position(state, self.board, self.ruleset)
        try:
            return fast.state_of(start(self.campaign, position, number), rebels=self.rebels)
        except DiceError as error:
            self.misfit = self.misfit or error
        except IllegalActionError:  # the Empire falls
            pass
        return None

    def _handed_over(self, state: State, mover: int) -> State:
        """The same position in the turn of this Emperor."""
        names = _FIELDS if self.engine is kernel else (*_FIELDS, *_MORE_FIELDS)
        fields: dict[str, Any] = {name: getattr(state, name) for name in names}
        made: State = self.engine.State(**fields, to_move=mover, ip=IP_A_TURN, phase=kernel.ROMAN)
        return made

    def graph(self, state: State) -> Turn:
        """All that can be done in a turn."""
        self.nodes += 1
        made: Turn = self.engine.Turn(self.kernel, state, attacks=self.attacks, stop=self.stop)
        return made

    def paid(self, before: State, after: State) -> int:
        """The IP paid between two states of a turn; a power of Maximian has given him some."""
        power = 0
        if self.maximian == before.to_move:
            removed = [cast(whole.State, state).removed[self.maximian] for state in (before, after)]
            power = MAXIMIAN_IP * (removed[1] - removed[0])
        return before.ip + power - after.ip

    def ends(self, begun: State, graph: Turn) -> Ends:
        """The ends of a turn after which the game goes on, each with the least IP paid."""
        found: Ends = {}
        for number in range(graph.nodes):
            if number % CHECK_EVERY == 0:
                check(self.stop)
            if not graph.may_end(number):
                continue
            state = graph.state(number)
            if state.result != kernel.OPEN:
                continue
            paid = self.paid(begun, state)
            after = self.ended(state)
            key = bytes(after)
            if key not in found or paid < found[key][1]:
                found[key] = (after, paid)
        return found

    def ended(self, state: State) -> State:
        """The position after the end of a turn in this state."""
        if state.phase == kernel.ROMAN:
            return self.kernel.play(state, kernel.END)
        if not state.ip:
            return state
        fields: dict[str, Any] = {name: getattr(state, name) for name in _FIELDS}
        if self.engine is not kernel:
            fields |= {name: getattr(state, name) for name in _MORE_FIELDS}
        made: State = self.engine.State(**fields, to_move=state.to_move, ip=0, phase=kernel.BARBARIAN)
        return made

    def last_turn(self, begun: State) -> int | None:
        """The least IP to meet the goal in this turn."""
        mover = begun.to_move
        most = begun.ip + (self.relaxed.ip(mover) - IP_A_TURN)
        if self.relaxed.rest(begun, {mover: most}) >= NEVER:
            return None
        met, paid = self.graph(begun).solve(self.criteria, stop=self.stop).values
        return -paid[0] // paid[1] if met[0] == met[1] else None

    # -- several turns ---------------------------------------------------------------------------------------------

    def left(self, done: int, turns: int) -> Mapping[int, int]:
        """The most IP of each Emperor in the turns that are left."""
        found: dict[int, int] = {}
        for mover in self.movers[done:turns]:
            found[mover] = found.get(mover, 0) + self.relaxed.ip(mover)
        return found

    def children(self, node: CampaignNode, turns: int) -> Iterator[CampaignNode]:
        """The positions after one more turn from which the goal may still be met in time."""
        begun = self.begun(node)
        if begun is None or not (self.kernel.may_end(begun) or self.kernel.legal(begun)):
            return  # two figures share a province, and no IP is left
        if node.turns + 1 == turns:
            paid = self.last_turn(begun)
            if paid is not None:
                yield CampaignNode(turns, begun, node.paid + paid, 0, node)
            return
        left = self.left(node.turns + 1, turns)
        for number, (state, paid) in enumerate(self.ends(begun, self.graph(begun)).values()):
            if number % CHECK_EVERY == 0:
                check(self.stop)
            rest = self.relaxed.rest(state, left)
            if rest < NEVER:
                yield CampaignNode(node.turns + 1, state, node.paid + paid, rest, node)

    def cheapest(self, turns: int) -> CampaignNode | None:
        """The plan with this number of turns that pays the least IP, fewer turns being excluded.

        :raises Stopped: when the time is over; `bound` has what is known.
        """
        heap: list[tuple[int, int, int, CampaignNode]] = [(0, 0, 0, self.first())]
        known: dict[tuple[int, bytes], int] = {}
        pushed = self.bound = 0
        while heap:
            check(self.stop)
            self.bound, _, _, node = heapq.heappop(heap)
            if node.turns == turns:
                return node
            if known.get((node.turns, bytes(node.state)), node.paid) < node.paid:
                continue
            for child in self.children(node, turns):
                key = (child.turns, bytes(child.state))
                if child.turns < turns and child.paid >= known.get(key, NEVER):
                    continue
                known[key] = child.paid
                pushed += 1
                if len(heap) + len(known) > self.most_nodes:
                    raise _FullError
                heapq.heappush(heap, (child.paid + child.rest, -child.turns, pushed, child))
        return None

    def beam(self, turns: int, width: int) -> CampaignNode | None:
        """A plan with this number of turns, if a beam search finds one.

        :raises Stopped: when the time is over.
        """
        layer = [self.first()]
        for done in range(1, turns + 1):
            check(self.stop)
            found = [child for node in layer for child in self.children(node, turns)]
            if done == turns:
                return min(found, key=lambda node: node.paid, default=None)
            layer = self._best(found, self.left(done, turns), width)
        return None

    def _best(self, found: Iterable[CampaignNode], left: Mapping[int, int], width: int) -> list[CampaignNode]:
        distinct: dict[bytes, CampaignNode] = {}
        for number, node in enumerate(found):
            if number % CHECK_EVERY == 0:
                check(self.stop)
            key = bytes(node.state)
            if key not in distinct or node.paid < distinct[key].paid:
                distinct[key] = node

        ranked: list[tuple[int, int, bytes, CampaignNode]] = []
        for number, (key, node) in enumerate(distinct.items()):
            if number % CHECK_EVERY == 0:
                check(self.stop)
            away = self.relaxed.price(node.state) + self.relaxed.away(node.state, left)
            ranked.append((away, node.paid, key, node))
        return [node for *_, node in heapq.nsmallest(width, ranked, key=lambda one: one[:3])]

    # -- the plan --------------------------------------------------------------------------------------------------

    def plan(self, node: CampaignNode) -> tuple[Steps, ...]:
        """The actions of each turn on the way to the end of a plan."""
        found: list[Steps] = []
        for before, after in pairwise(line_to(node)):
            begun = after.state if after is node else self.begun(before)
            assert begun is not None
            graph = self.graph(begun)
            if after is node:
                tree = graph.solve(self.criteria, stop=None).plan()
                plan = plan_of(tree, self.board, stated=True, named_by_code=self.engine is not kernel)
                found.append(tuple(plan.steps))
            else:
                found.append(self._way(begun, graph, bytes(after.state), after.paid - before.paid))
        return tuple(found)

    def _way(self, begun: State, graph: Turn, key: bytes, paid: int) -> Steps:
        """Actions that lead to an end of a turn for this number of IP."""
        came: dict[int, tuple[int, int]] = {}
        waiting = [0]
        while waiting:
            number = waiting.pop()
            state = graph.state(number)
            is_end = graph.may_end(number) and state.result == kernel.OPEN and self.paid(begun, state) == paid
            if is_end and bytes(self.ended(state)) == key:
                return self._actions(came, number)
            for code, _, after in graph.edges_from(number):
                if after not in came and after:
                    came[after] = (number, code)
                    waiting.append(after)
        raise AssertionError("an end of a turn has a way to it")

    def _actions(self, came: Mapping[int, tuple[int, int]], number: int) -> Steps:
        actions: list[Action] = []
        while number in came:
            number, code = came[number]
            if not (fast.KINDS[code & 15] is fast.KINDS[kernel.ATTACK] and is_dice(code)):
                actions.append(fast.to_action(code, self.board))
        return tuple(reversed(actions))


# -- all numbers of turns ------------------------------------------------------------------------------------------


def solve_turns(
    campaign: Campaign,
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
    most_nodes: int = MOST_NODES,
) -> CampaignResult:
    """The answer of this search; `seconds` or `cancel` end it, `progress` gets the best value and bound so far.

    `CampaignResult.nodes` are graphs of turns.

    :raises DiceError: when no plan was found, and there may be one if more dice are stated.
    """
    began = time.monotonic()
    stop = stop_of(seconds, cancel)
    search = TurnSearch(campaign, most_nodes=most_nodes, stop=stop)
    found, bound, closed = _solve(search, stop, progress)
    search.stop = None  # what is left takes milliseconds
    if found is None and closed and search.misfit is not None:
        raise search.misfit
    value = None if found is None else (found.turns, found.paid)
    return CampaignResult(
        campaign=campaign,
        status=status_of(value, closed=closed),
        plans=None if found is None else checked(campaign, search.plan(found), value, TURNS),
        value=value,
        bound=bound,
        engine=TURNS,
        seconds=time.monotonic() - began,
        nodes=search.nodes,
        version=VERSION,
    )


def _solve(
    search: TurnSearch, stop: Stop | None, progress: Progress | None
) -> tuple[CampaignNode | None, Value | None, bool]:
    """The best plan found, the bound, and whether the search is finished."""
    campaign = search.campaign
    if campaign.is_met_already:
        return search.first(), (0, 0), True
    proof = share(stop, SHARE_FOR_PROOF)
    for turns in range(1, campaign.most_turns + 1):
        if progress is not None:
            progress(None, (turns, 0))
        if search.relaxed.price(search.first().state) >= NEVER:
            return None, None, True
        search.stop = proof
        try:
            found = search.cheapest(turns)
        except (Stopped, _FullError):
            bound: Value = (turns, search.bound)
            search.stop = stop
            best = _any_plan(search, turns)
            return best, bound, best is not None and (best.turns, best.paid) == bound
        if found is not None:
            return found, (turns, found.paid), True
    return None, None, True


def _any_plan(search: TurnSearch, turns: int) -> CampaignNode | None:
    """A plan with this number of turns or a few more, if one is found in time."""
    try:
        for number in range(turns, min(search.campaign.most_turns, turns + TURNS_BEYOND) + 1):
            for width in WIDTHS:
                found = search.beam(number, width)
                if found is not None:
                    return found
    except Stopped:
        pass
    return None
