"""Lower bounds for campaigns with any rules: what the rest costs if nothing stands in the way.

Each task that is left costs at least its price, from any place; an Emperor who secures a province must be
able to go there, by links and with fleets in all zones. Both hold with every module and variant: these add figures that subdue
for the same price, ways by sea for a price a zone, a transfer that costs a link, and one IP for a power; what they close or
make dearer only adds to the cost.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from functools import cache

from tetrasolve.tetrarchia import whole
from tetrasolve.tetrarchia.action import PIRATES, Outcome
from tetrasolve.tetrarchia.kernel import OFF, State
from tetrasolve.tetrarchia.numbers import (
    ATTACK_PIRATES,
    BROKEN_LINK,
    BY_SEA,
    DEPLOY_DUX,
    DEPLOY_VICARIUS,
    IP_A_TURN,
    MAXIMIAN_IP,
    NORMAL_LINK,
    REDUCE_REVOLT,
    REMOVE_REVOLT,
    REMOVE_UNREST,
    SECURE_BORDER,
    SECURE_PROVINCE,
)
from tetrasolve.tetrarchia.pieces import DUX, VICARIUS
from tetrasolve.tetrarchia.plan.campaign.question import Campaign, members_to_quiet
from tetrasolve.tetrarchia.rules.modules.imperium import MAXIMIAN

NEVER = 10_000  # IP: above the cost of any campaign


class Relaxed:
    """The bounds of one campaign."""

    def __init__(self, campaign: Campaign) -> None:
        board, goal = campaign.position.board, campaign.goal
        extensions = campaign.position.ruleset.extensions
        self.campaign, self.board = campaign, board
        self.frozen = campaign.dice is None
        self.emperors = [emperor.id for emperor in board.emperors]
        self.homes = [(board.order[board.roma], board.order[emperor.capital]) for emperor in board.emperors]
        self.borders = board.mask(board.borders)
        self.secure, self.clear = board.mask(goal.secure), board.mask(goal.clear)
        self.kill, self.pirates = board.mask(goal.kill - {PIRATES}), PIRATES in goal.kill
        self.reach = [board.order[place] for place in goal.reach]
        victories = {army for army, outcome in campaign.stated if outcome is Outcome.VICTORY}
        self.beaten, self.beats_pirates = board.mask(victories - {PIRATES}), PIRATES in victories
        self.may_be_removed = not self.frozen or any(outcome is Outcome.DEFEAT for _, outcome in campaign.stated)
        self.sends = "via-romana" in extensions  # a garrison to a province nearby
        self.leads = "imperium" in extensions  # Diocletian moves other Emperors
        self.more_ip = {MAXIMIAN: MAXIMIAN_IP} if self.leads else {}
        self.loud = {
            board.order[border]: board.mask(members_to_quiet(type(goal)(secure=frozenset([border])), board))
            for border in goal.secure
            if board[border].is_border
        }
        self.ways = _ways(campaign, mare_nostrum="mare-nostrum" in extensions)
        self.distance = cache(self._distance)
        self.price_of = cache(self._price_of)

    # -- prices ----------------------------------------------------------------------------------------------------

    def price(self, state: State) -> int:
        """The least IP of all that is left to do, `NEVER` where it cannot be done."""
        discs = self.price_of(state.revolts, state.unrest, state.armies, secured(state))
        return discs + self._figures(state)

    def _price_of(self, revolts: int, unrest: int, armies: int, garrisons: int) -> int:
        guard = self.secure & ~garrisons
        province = min(SECURE_PROVINCE, NORMAL_LINK) if self.sends else SECURE_PROVINCE
        price = SECURE_BORDER * (guard & self.borders).bit_count() + province * (guard & ~self.borders).bit_count()
        if not self.frozen:
            return price  # a phase can remove discs and move armies
        if armies & self.kill & ~self.beaten:
            return NEVER
        price += NORMAL_LINK * (armies & self.kill).bit_count()
        tidy = self.clear | (guard & ~self.borders)
        loud = sum(mask for border, mask in self.loud.items() if guard >> border & 1)
        free = armies & self.beaten  # a victory removes the discs there
        revolt = min(REMOVE_REVOLT, REDUCE_REVOLT + REMOVE_UNREST)
        price += revolt * (revolts & tidy & ~free).bit_count() + REMOVE_UNREST * (unrest & tidy & ~free).bit_count()
        return price + min(REDUCE_REVOLT, REMOVE_REVOLT) * (revolts & loud & ~tidy & ~free).bit_count()

    def _figures(self, state: object) -> int:
        if not isinstance(state, whole.State):
            return 0
        price = 0
        for figure, place, cost in ((DUX, state.dux, DEPLOY_DUX), (VICARIUS, state.vicarius, DEPLOY_VICARIUS)):
            if figure in self.campaign.goal.deploy and place in (OFF, whole.RESERVE):
                price += cost if place == whole.RESERVE else NEVER
        if self.pirates and state.pirates:
            price += ATTACK_PIRATES if self.beats_pirates else NEVER if self.frozen else 0
        return price

    # -- ways ------------------------------------------------------------------------------------------------------

    def ip(self, mover: int) -> int:
        """The most IP of a whole turn of an Emperor."""
        return IP_A_TURN + self.more_ip.get(self.emperors[mover], 0)

    def rest(self, state: State, left: Mapping[int, int]) -> int:
        """The least IP of the rest with these IP left, by Emperor; `NEVER` where they are not enough.

        Somebody goes to each province that is to be secured. In the last turn it is its Emperor, and he goes where he must be; in
        those before, Diocletian can move others with Imperium.
        """
        price = self.price(state)
        if price < NEVER:
            price += self._way(state, left)
        return price if price <= sum(left.values()) else NEVER

    def _way(self, state: State, left: Mapping[int, int]) -> int:
        is_last = len(left) == 1
        if self.leads and not is_last:
            return 0
        guard, far = self.secure & ~secured(state), 0
        while guard:
            row = guard.bit_length() - 1
            guard ^= 1 << row
            ways = [way for mover, ip in left.items() if (way := self._near(state, mover, row)) < ip]
            far = max(far, min(ways, default=NEVER))
        if is_last:
            (mover,) = left
            far = max([far, *(self._from(state, mover, row) for row in self.reach)])
        return far

    def away(self, state: State, left: Mapping[int, int]) -> int:
        """The sum of the ways to what is to be secured, each of the nearest Emperor: no bound, but a guide."""
        guard = self.secure & ~secured(state)
        rows = [row for row in range(len(self.board.ids)) if guard >> row & 1]
        return sum(min(self._from(state, mover, row) for mover in left) for row in rows) if left else 0

    def _near(self, state: State, mover: int, row: int) -> int:
        """The least IP to where this Emperor can secure a province from."""
        here = self._from(state, mover, row)
        if not self.sends or self.borders >> row & 1:
            return here
        nearby = self.board.neighbours(self.board.ids[row])
        return min(here, *(self._from(state, mover, self.board.order[place]) for place in nearby))

    def _from(self, state: State, mover: int, row: int) -> int:
        place = state.emperors[mover]
        home = min(self.distance(start)[row] for start in self.homes[mover])
        if place == OFF:
            return home
        way = self.distance(place)[row]
        return min(way, home) if self.may_be_removed else way

    def _distance(self, start: int) -> list[int]:
        """The least IP from a province to each other."""
        found = [NEVER] * len(self.board.ids)
        heap = [(0, start)]
        while heap:
            paid, row = heapq.heappop(heap)
            if paid >= found[row]:
                continue
            found[row] = paid
            for target, price in self.ways[row].items():
                heapq.heappush(heap, (paid + price, target))
        return found


def secured(state: State) -> int:
    """The provinces with a garrison of any Emperor."""
    a, b, c, d = state.garrisons
    return a | b | c | d


def _ways(campaign: Campaign, *, mare_nostrum: bool) -> list[dict[int, int]]:
    """The price of each move without revolts, with fleets in all zones."""
    board = campaign.position.board
    found: list[dict[int, int]] = [{} for _ in board.ids]

    def add(origin: str, target: str, price: int) -> None:
        row, way = board.order[target], found[board.order[origin]]
        way[row] = min(price, way.get(row, NEVER))

    for place in board.ids:
        for name, link in board.neighbours(place).items():
            add(place, name, BROKEN_LINK if link.broken else NORMAL_LINK)
        for zone in board[place].zones:
            for other, coast in board.coast.items():
                if other == zone or mare_nostrum:
                    for target in coast:
                        add(place, target, BY_SEA)
    return found
