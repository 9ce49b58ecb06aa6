"""Lower bounds for campaigns: the cost of each Emperor's tasks if all others help him as much as possible.

The rest of a campaign is a set of *tasks*: a revolt to remove, a disc to clean away, an army to kill, a province to secure. For
an Emperor in a province with n turns left and a set of tasks, `Needs` has the least IP, or that he cannot do them. In this
relaxation he moves by the rules, pays for the revolts that are his own tasks, and has the fleets in any zones at the start of
each turn; the others have removed every other revolt and never block him. So no campaign costs less, and the cheapest
division of all tasks among the Emperors is a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.numbers import (
    BROKEN_LINK,
    IP_A_TURN,
    NORMAL_LINK,
    REDUCE_REVOLT,
    REMOVE_UNREST,
    SECURE_BORDER,
    SECURE_PROVINCE,
)
from tetrasolve.tetrarchia.plan.campaign.ground import OFF, Ground, Packed
from tetrasolve.tetrarchia.plan.campaign.question import Campaign, members_to_quiet

Costs: TypeAlias = Any  # an array of 16-bit integers; the last axis has an entry for each set of tasks

NEVER = 10_000  # IP: above the cost of any campaign; twice as much still fits into 16 bits
MOST_TASKS = 16  # tables have a column for each set of tasks; further tasks are left out, which only weakens the bound


@dataclass(frozen=True, slots=True)
class Job:
    """A task: `kind` in a province (row), its price, and the tasks (mask) that the same Emperor must have done before."""

    kind: str
    row: int
    price: int
    needs: int = 0


SUBDUE, CLEAN, KILL, GUARD = "subdue", "clean", "kill", "guard"


class Jobs:
    """The tasks of a campaign, a bit each, and those that are not done on a position."""

    def __init__(self, campaign: Campaign, ground: Ground) -> None:
        goal, board = campaign.goal, ground.board
        start = ground.pack(campaign.position)
        frozen = campaign.dice is None
        inside = goal.clear | {place for place in goal.secure if not board[place].is_border}
        tidy = board.mask(inside) & (start.revolts | start.unrest)
        loud = start.revolts & (board.mask(members_to_quiet(goal, board)) | tidy)
        guard = board.mask(goal.secure) & ~(start.secured if frozen else 0)
        kill = start.armies & (board.mask(goal.kill | goal.secure) | tidy | loud)
        rows = [(GUARD, guard)]
        if frozen:  # in a Barbarian phase discs change and armies move
            rows += [(KILL, kill), (SUBDUE, loud), (CLEAN, tidy)]
        wanted = [(kind, row) for kind, mask in rows for row in ground.rows if mask >> row & 1][:MOST_TASKS]
        self.bit = {job: i for i, job in enumerate(wanted)}
        self.jobs = tuple(
            Job(kind, row, _price(ground, kind, row), self._needs(ground, kind, row)) for kind, row in wanted
        )
        self.size = len(self.jobs)
        self._known: dict[tuple[int, ...], int] = {}

    def _needs(self, ground: Ground, kind: str, row: int) -> int:
        if kind == CLEAN:
            return self.mask([(SUBDUE, row)])
        if kind != GUARD:
            return 0
        if row in ground.region_of_border:
            region = ground.region_of_border[row]
            return self.mask((SUBDUE, member) for member in ground.rows if region >> member & 1)
        return self.mask([(SUBDUE, row), (CLEAN, row)])

    def mask(self, jobs: Iterable[tuple[str, int]]) -> int:
        """The mask of these tasks, as far as they exist."""
        return sum(1 << self.bit[job] for job in jobs if job in self.bit)

    def left(self, packed: Packed) -> int:
        """The tasks that are not done on a position."""
        key = (packed.revolts, packed.unrest, packed.armies, packed.secured)
        if key not in self._known:
            self._known[key] = self._left(packed)
        return self._known[key]

    def _left(self, packed: Packed) -> int:
        lying = {
            SUBDUE: packed.revolts,
            CLEAN: packed.revolts | packed.unrest,
            KILL: packed.armies,
            GUARD: ~packed.secured,
        }
        return sum(1 << i for i, job in enumerate(self.jobs) if lying[job.kind] >> job.row & 1)


def _price(ground: Ground, kind: str, row: int) -> int:
    if kind == GUARD:
        return SECURE_BORDER if ground.borders >> row & 1 else SECURE_PROVINCE
    return {SUBDUE: REDUCE_REVOLT, CLEAN: REMOVE_UNREST, KILL: 0}[kind]


class Needs:
    """The least IP for an Emperor to do a set of tasks, by turns left, province and set.

    With `reach` he must be in one of these provinces when his last turn ends.
    """

    def __init__(self, campaign: Campaign, ground: Ground, jobs: Jobs, reach: Sequence[int] = ()) -> None:
        self.ground, self.jobs = ground, jobs
        self.frozen = campaign.dice is None
        self.outcomes = {ground.row[army]: outcome for army, outcome in campaign.stated} if self.frozen else {}
        self.closed = ground.pack(campaign.position).armies if self.frozen else 0
        self.sets = np.arange(1 << jobs.size)
        self.has = [(self.sets >> i & 1).astype(bool) for i in range(jobs.size)]
        nothing = np.full((len(ground.rows), 1 << jobs.size), NEVER, np.int16)
        for row in reach or ground.rows:
            nothing[row, 0] = 0
        self.tables = [nothing]
        never = np.full(1 << jobs.size, NEVER, np.int16)
        if not reach:
            never[0] = 0
        self.off = [[never for _ in ground.emperors]]  # by turns left and Emperor, for an Emperor off the board

    def of(self, mover: int, turns: int, place: int, stop: Stop | None = None) -> Costs:
        """The least IP for each set of tasks, from a province or off the board, with this number of turns left.

        :raises Stopped: when `stop` is set before that is known.
        """
        while len(self.tables) <= turns:
            self._one_more_turn(stop)
        return self.off[turns][mover] if place == OFF else self.tables[turns][place]

    def _one_more_turn(self, stop: Stop | None) -> None:
        table = self._turn(self.tables[-1], np.minimum.reduce(self.off[-1]), stop)
        roma = table[self.ground.roma]
        off = [np.minimum(roma, self._entering_capital(table, capital)) for capital in self.ground.capitals]
        if not self.frozen:  # a phase may remove him from any province
            table = np.minimum(table, np.minimum.reduce(off))
        self.tables.append(table)
        self.off.append(off)

    def _entering_capital(self, table: Costs, capital: int) -> Costs:
        """The costs of a turn that begins in a capital; impossible while a revolt of his own tasks covers it."""
        subdue = self.jobs.bit.get((SUBDUE, capital))
        return table[capital] if subdue is None else np.where(self.has[subdue], np.int16(NEVER), table[capital])

    def _turn(self, after: Costs, beaten: Costs, stop: Stop | None) -> Costs:
        """The costs with one more turn left: computed from 0 IP upwards, for each placement of the fleets."""
        choices = self.ground.fleet_choices
        levels: list[dict[int, Costs]] = []
        for left in range(IP_A_TURN + 1):
            level = {fleets: after.copy() for fleets in choices}
            levels.append(level)
            if left:
                for fleets in choices:
                    check(stop)
                    self._act(levels, left, fleets, beaten)
        return np.minimum.reduce([levels[IP_A_TURN][fleets] for fleets in choices])

    def _act(self, levels: list[dict[int, Costs]], left: int, fleets: int, beaten: Costs) -> None:
        """The costs of all his actions with this number of IP left."""
        ground, best = self.ground, levels[left][fleets]
        near = [self._entering(levels, left, fleets, row, NORMAL_LINK) for row in ground.rows]
        far = [self._entering(levels, left, fleets, row, BROKEN_LINK) for row in ground.rows]
        by_sea = {
            zone: np.minimum.reduce([near[row] for row in coast]) for zone, coast in ground.sea.items() if fleets & zone
        }
        for row in ground.rows:
            ways = [
                near[target] if price == NORMAL_LINK else far[target] for target, price in ground.links[row].items()
            ]
            ways += [cost for zone, cost in by_sea.items() if ground.zones[row] & zone]
            ways += self._attacks(levels, left, fleets, row, beaten)
            ways += self._works(levels, left, fleets, row)
            best[row] = np.minimum.reduce([best[row], *ways])
        for origin, target in ground.sails:
            if fleets & origin and not fleets & target:
                np.minimum(best, levels[left - 1][fleets ^ origin ^ target] + np.int16(1), out=best)
        np.minimum(best, NEVER, out=best)

    def _entering(self, levels: list[dict[int, Costs]], left: int, fleets: int, row: int, price: int) -> Costs:
        """The costs of going to a province by a way of this price."""
        quiet = self._after(levels, left, fleets, row, price)
        subdue, kill = self.jobs.bit.get((SUBDUE, row)), self.jobs.bit.get((KILL, row))
        if subdue is not None:
            quiet = np.where(self.has[subdue], self._after(levels, left, fleets, row, price + 1), quiet)
        if kill is not None:
            quiet = np.where(self.has[kill], np.int16(NEVER), quiet)
        elif self.closed >> row & 1 and self.outcomes.get(row) is not Outcome.VICTORY:
            return np.full_like(quiet, NEVER)
        return quiet

    def _after(self, levels: list[dict[int, Costs]], left: int, fleets: int, row: int, price: int) -> Costs:
        if left < price:
            return np.full(1 << self.jobs.size, NEVER, np.int16)
        return levels[left - price][fleets][row] + np.int16(price)

    def _works(self, levels: list[dict[int, Costs]], left: int, fleets: int, row: int) -> list[Costs]:
        """Removing, cleaning and securing in his province."""
        found: list[Costs] = []
        for i, job in enumerate(self.jobs.jobs):
            if job.row == row and job.kind != KILL and job.price <= left:
                after = self._after(levels, left, fleets, row, job.price)[self.sets & ~(1 << i)]
                can = self.has[i] & ((self.sets & job.needs) == 0)
                found.append(np.where(can, after, np.int16(NEVER)))
        return found

    def _attacks(self, levels: list[dict[int, Costs]], left: int, fleets: int, row: int, beaten: Costs) -> list[Costs]:
        """Attacks from a province that end as stated: a victory removes all discs of the army's province."""
        found: list[Costs] = []
        for army, outcome in self.outcomes.items():
            price = self.ground.links[row].get(army)
            if price is None or not self.closed >> army & 1:
                continue
            if outcome is Outcome.DEFEAT and price <= left:
                found.append(beaten + np.int16(price))
            kill, subdue = self.jobs.bit.get((KILL, army)), self.jobs.bit.get((SUBDUE, army))
            if outcome is Outcome.VICTORY and kill is not None:
                gone = ~self.jobs.mask([(KILL, army), (SUBDUE, army), (CLEAN, army)])
                after = self._after(levels, left, fleets, army, price)[self.sets & gone]
                if subdue is not None:
                    toll = self._after(levels, left, fleets, army, price + 1)[self.sets & gone]
                    after = np.where(self.has[subdue], toll, after)
                found.append(np.where(self.has[kill], after, np.int16(NEVER)))
        return found


# -- dividing the tasks ----------------------------------------------------------------------------------------


def divided(first: Costs, second: Costs, stop: Stop | None = None) -> Costs:
    """For each set of tasks the least IP when two Emperors divide it: a (min, +) convolution over subsets.

    >>> divided(np.array([0, 3], np.int16), np.array([1, 2], np.int16)).tolist()
    [1, 2]

    :raises Stopped: when `stop` is set before that is known.
    """
    check(stop)
    if len(first) > _WHOLE:  # recursively in halves, to limit memory
        half = len(first) // 2
        without = divided(first[:half], second[:half], stop)
        with_it = np.minimum(divided(first[half:], second[:half], stop), divided(first[:half], second[half:], stop))
        return np.concatenate([without, with_it])
    a, b = first.reshape(1, -1), second.reshape(1, -1)
    bits = len(first).bit_length() - 1
    for _ in range(bits):
        half = a.shape[1] // 2
        a = np.concatenate([a[:, :half], a[:, half:], a[:, :half]])
        b = np.concatenate([b[:, :half], b[:, :half], b[:, half:]])
    both = a + b
    for _ in range(bits):
        third = both.shape[0] // 3
        with_it = np.minimum(both[third : 2 * third], both[2 * third :])
        both = np.concatenate([both[:third], with_it], axis=1)
    return np.minimum(both[0], NEVER).astype(np.int16)


_WHOLE = 1 << 12  # sets: 3^12 numbers of 16 bits at once


@lru_cache(maxsize=256)
def subsets(whole: int) -> Any:
    """All subsets of a set, as an array: the bits of i select the members of the i-th."""
    found = np.zeros(1, np.int64)
    for bit in range(whole.bit_length()):
        if whole >> bit & 1:
            found = np.concatenate([found, found | 1 << bit])
    return found


def compacted(part: int, whole: int) -> int:
    """The index of a subset among all `subsets` of a set."""
    found = place = 0
    for bit in range(whole.bit_length()):
        if whole >> bit & 1:
            found |= (part >> bit & 1) << place
            place += 1
    return found
