"""Half of a game: two Emperors in three regions, who take it that revolts lie everywhere else, and for ever.

Two such halves that share no Emperor and no region make one game. Each keeps to its own regions and to Italia, where nobody
stops; so no Emperor is in another's way. What truly lies in the regions of the others is never more than what a half
supposes there: a revolt in each province where one can lie, and armies wherever they can come.

The dice are kind: activity names a protected province, broken links do not hold, each battle that can be won is won. Then
less on the table is never worse: whoever does in a smaller table what he does here, and leaves out what is not needed there,
pays no more and comes as far. `docs/explanation/how-proofs-are-checked.md` has the argument. It asks for some care, and
what would break it is forbidden here: no Emperor is driven out, no army is beaten but on a border, none waits behind another,
takes a garrison away or leaves its regions, and nobody uses more garrisons than he has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from typing import NamedTuple, TypeAlias

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.tempo.games import FEWEST_GARRISONS
from tetrasolve.tetrarchia.numbers import (
    BROKEN_LINK,
    BY_SEA,
    INTO_A_REVOLT,
    IP_A_TURN,
    NORMAL_LINK,
    REDUCE_REVOLT,
    REMOVE_REVOLT,
    REMOVE_UNREST,
    SECURE_BORDER,
    SECURE_PROVINCE,
)
from tetrasolve.tetrarchia.rules.chance import FACES

OFF = -1  # the row of an Emperor who is off the board

Plan: TypeAlias = tuple[str, ...]


class Table(NamedTuple):
    """What lies in the regions of a half, as masks; for each of its Emperors where he is and how many garrisons he has left."""

    revolts: int
    unrest: int
    garrisons: int
    armies: int
    places: tuple[int, ...]
    left: tuple[int, ...]


class PartGame(NamedTuple):
    """A game of a half: where revolts may lie at the start, as a mask, and the plan of each turn of its Emperors."""

    revolts: int
    plans: tuple[Plan, ...]


class Walk(NamedTuple):
    """A moment of a turn."""

    ip: int
    place: int
    revolts: int
    unrest: int
    garrisons: int
    armies: int
    left: int


Step: TypeAlias = tuple[str, Walk]


@dataclass(frozen=True)
class Half:
    """Who plays where: Emperors by their index, regions by number, zones with a fleet.

    `anywhere`: may a revolt lie on the number 1 of a region too, elsewhere; `armed`: does an army stand on every border.
    """

    board: Board
    emperors: tuple[int, ...]
    regions: tuple[int, ...]
    fleets: tuple[int, ...]
    anywhere: bool
    armed: bool

    # -- the map -----------------------------------------------------------------------------------------------

    @cached_property
    def own(self) -> int:
        """The provinces of these regions, borders too."""
        return self._mask(p for p in self.board.ids if self.board[p].region in self.regions)

    @cached_property
    def open(self) -> int:
        """Where they may go: their own provinces, and Italia."""
        return self.own | self._mask(p for p in self.board.ids if not self.board[p].region)

    @cached_property
    def borders(self) -> int:
        """The borders that they are to secure."""
        return self.own & self._mask(self.board.borders)

    @cached_property
    def numbered(self) -> int:
        """The provinces of theirs that dice can name."""
        return self.own & self._mask(p for p in self.board.ids if self.board[p].number)

    @cached_property
    def printed(self) -> int:
        """Those with a printed disc."""
        return self.numbered & self._mask(emperor.capital for emperor in self.board.emperors)

    @cached_property
    def strange(self) -> int:
        """Revolts that are supposed to lie elsewhere."""
        first = min(FACES) if self.anywhere or self.armed else min(FACES) + 1  # armies leave revolts wherever they come
        board = self.board
        return self._mask(p for p in board.ids if board[p].number >= first) & ~self.own

    @cached_property
    def strangers(self) -> int:
        """Where armies are supposed to stand elsewhere: on all borders, and wherever they can come from there."""
        places = [p for p in self.board.borders if self.armed and not self.own >> self.board.order[p] & 1]
        for place in places:
            target = self.arrow(place)
            if target is not None and target not in places:
                places.append(target)
        return self._mask(places)

    def arrow(self, place: str) -> str | None:
        """Where an army moves to from there, if it need not roll for that."""
        target = self.board[place].arrow
        link = self.board.link(place, target) if target is not None else None
        return None if link is None or link.broken else target

    @cached_property
    def ways(self) -> tuple[Mapping[int, tuple[int, int]], ...]:
        """For each row the rows where a move leads, what it costs, and what it costs through a link (0: there is none)."""
        board, found = self.board, []
        for place in board.ids:
            links = {
                board.order[q]: BROKEN_LINK if link.broken else NORMAL_LINK
                for q, link in board.neighbours(place).items()
            }
            costs = dict(links)
            for zone in board[place].zones.intersection(self.fleets):
                costs |= {board.order[q]: BY_SEA for q in board.coast[zone] if q != place}
            found.append({row: (costs[row], links.get(row, 0)) for row in sorted(costs) if self.open >> row & 1})
        return tuple(found)

    @cached_property
    def linked(self) -> tuple[int, ...]:
        """For each row those linked to it."""
        return tuple(self._mask(self.board.neighbours(place)) for place in self.board.ids)

    @cached_property
    def close(self) -> tuple[int, ...]:
        """For each row those linked to it by a normal link, over which revolts spread without a roll."""
        board = self.board
        return tuple(self._mask(q for q, link in board.neighbours(p).items() if not link.broken) for p in board.ids)

    @cached_property
    def homes(self) -> tuple[tuple[int, int], ...]:
        """For each of its Emperors where he can enter: Roma, and his capital."""
        board = self.board
        return tuple((board.order[board.roma], board.order[board.emperors[e].capital]) for e in self.emperors)

    @cached_property
    def region_of(self) -> Mapping[int, int]:
        """For the row of each border of theirs its whole region."""
        board = self.board
        whole = {r: self._mask(p for p in board.ids if board[p].region == r) for r in self.regions}
        return {board.order[p]: whole[board[p].region] for p in board.borders if board[p].region in whole}

    def _mask(self, places: Iterable[str]) -> int:
        return self.board.mask(places)

    # -- how it goes -------------------------------------------------------------------------------------------

    def begin(self, revolts: int) -> Table:
        """The table at the start, with these revolts."""
        return Table(
            revolts,
            0,
            0,
            self.borders if self.armed else 0,
            (OFF,) * len(self.emperors),
            (FEWEST_GARRISONS,) * len(self.emperors),
        )

    def is_done(self, table: Table) -> bool:
        """Whether all their borders are secured."""
        return not self.borders & ~table.garrisons

    def is_guarded(self, table: Table) -> bool:
        """Whether dice can name a province of theirs that is protected."""
        return bool(self.numbered & table.garrisons | self.printed & ~(table.revolts | table.unrest))

    def start(self, table: Table, who: int) -> Iterator[Step]:
        """How the turn of one of them begins: where he is, or where he can enter."""
        place = table.places[who]
        walk = Walk(IP_A_TURN, place, *table[:4], table.left[who])
        if place != OFF:
            yield "", walk
            return
        roma, capital = self.homes[who]
        yield f"enter {self.board.ids[roma]}", walk._replace(place=roma)
        if (
            self.own >> capital & 1
            and not (table.revolts | table.unrest | table.garrisons | table.armies) >> capital & 1
        ):
            yield f"enter {self.board.ids[capital]}", walk._replace(place=capital)

    def steps(self, walk: Walk, others: int) -> Iterator[Step]:
        """All that he can do next; `others` is where other Emperors of this half stand."""
        for row in self.ways[walk.place]:
            yield from self.go(walk, others, row)
        yield from self.deeds(walk, others)

    def go(self, walk: Walk, others: int, row: int) -> Iterator[Step]:
        """To move there, or to attack the army that stands there, if he can."""
        ip, place, revolts, unrest, garrisons, armies, left = walk
        cost, link = self.ways[place].get(row, (IP_A_TURN + 1, 0))
        if armies >> row & 1:
            if link and link <= ip and not others >> place & 1 and self._wins(place, row, revolts, armies):
                armies &= ~(1 << row)
                name = f"attack {self.board.ids[row]}: victory"
                yield name, Walk(ip - link, row, revolts, unrest, garrisons, armies, left)
            return
        ip -= cost + INTO_A_REVOLT * (revolts >> row & 1)
        if ip >= 0:
            yield f"move {self.board.ids[row]}", Walk(ip, row, revolts, unrest, garrisons, armies, left)

    def deeds(self, walk: Walk, others: int) -> Iterator[Step]:
        """What he can do where he stands: nothing in Italia, nor where another Emperor is."""
        ip, place, revolts, unrest, garrisons, _, left = walk
        here = 1 << place
        if here & others or not here & self.own:
            return
        if revolts & here:
            if ip >= REDUCE_REVOLT:
                yield "reduce", walk._replace(ip=ip - REDUCE_REVOLT, revolts=revolts & ~here, unrest=unrest | here)
            if ip >= REMOVE_REVOLT:
                yield "remove", walk._replace(ip=ip - REMOVE_REVOLT, revolts=revolts & ~here)
        elif unrest & here:
            if ip >= REMOVE_UNREST:
                yield "remove", walk._replace(ip=ip - REMOVE_UNREST, unrest=unrest & ~here)
        elif left and not garrisons & here:
            border = here & self.borders
            price = SECURE_BORDER if border else SECURE_PROVINCE
            if ip >= price and not (border and revolts & self.region_of[place]):
                yield "secure", walk._replace(ip=ip - price, garrisons=garrisons | here, left=left - 1)

    def may_stop(self, walk: Walk, others: int) -> bool:
        """Whether his turn can end there: in a region of theirs, and not beside another Emperor."""
        return bool(1 << walk.place & self.own & ~others)

    def others(self, table: Table, who: int) -> int:
        """Where the other Emperors of this half stand."""
        return sum(1 << place for index, place in enumerate(table.places) if index != who and place != OFF)

    def after(self, table: Table, who: int, walk: Walk) -> Table:
        """The table where his turn ends."""
        places, left = list(table.places), list(table.left)
        places[who], left[who] = walk.place, walk.left
        return Table(*walk[2:6], tuple(places), tuple(left))

    def _wins(self, place: int, army: int, revolts: int, armies: int) -> bool:
        """Whether an Emperor can beat an army with a 6 against a 1, if nobody and nothing helps him; on a border only."""
        others = ((armies | self.strangers) & ~(1 << army) & self.linked[place]).bit_count()
        strength = max(FACES) > (min(FACES) + self._group(army, revolts | self.strange)) << others
        return strength and bool(self.borders >> army & 1)

    def _group(self, army: int, revolts: int) -> int:
        """The size of the largest group of revolts linked to a border."""
        largest, rest = 0, revolts & self.linked[army]
        while rest:
            group = edge = rest & -rest
            while edge:
                new = 0
                while edge:
                    new |= self.linked[(edge & -edge).bit_length() - 1]
                    edge &= edge - 1
                edge = new & revolts & ~group
                group |= edge
            largest, rest = max(largest, group.bit_count()), rest & ~group
        return largest

    # -- the Barbarian phase -----------------------------------------------------------------------------------

    def phase(self, table: Table) -> Table | None:
        """The table after a phase with kind dice; None where something happens that a half may not lean on."""
        revolts, unrest, garrisons, armies, places, left = table
        rest = unrest
        while rest:  # revolts spread
            row = (rest & -rest).bit_length() - 1
            rest &= rest - 1
            if self.close[row] & (revolts | self.strange):
                revolts, unrest = revolts | 1 << row, unrest & ~(1 << row)
                rest = unrest
        if any(place != OFF and revolts >> place & 1 for place in places):
            return None
        for army in self.board.unmask(armies):
            target = self.arrow(army)
            if target is None:
                continue
            row, there = self.board.order[army], self.board.order[target]
            if (armies | garrisons) >> there & 1 or not self.numbered >> there & 1:
                return None
            if there in places:
                if not self._wins(there, row, revolts, armies):
                    return None
                armies &= ~(1 << row)
                continue
            armies = armies & ~(1 << row) | 1 << there
            revolts, unrest = revolts | 1 << there, unrest & ~(1 << there)
        return Table(revolts, unrest, garrisons, armies, places, left)


def turn_of(half: Half, turn: int) -> int | None:
    """Which of its Emperors has this turn (the first is 1); None if it is not one of them."""
    index = (turn - 1) % len(half.board.emperors)
    return half.emperors.index(index) if index in half.emperors else None


def play(half: Half, table: Table, who: int, plan: Sequence[str]) -> Table | None:
    """The table after a turn with this plan; None where it cannot be carried out."""
    others = half.others(table, who)
    now: Walk | None = None
    for name, walk in half.start(table, who):
        if not name or plan[:1] == (name,):
            now, plan = walk, plan[bool(name) :]
    for step in plan:
        if now is None:
            return None
        place = step.partition(": ")[0].partition(" ")[2]
        row = half.board.order.get(place)
        ways = half.deeds(now, others) if row is None else half.go(now, others, row)
        now = next((after for name, after in ways if name == step), None)
    return half.after(table, who, now) if now is not None and half.may_stop(now, others) else None


def last_turn(half: Half, plans: int) -> int:
    """The number of the turn in which the last of so many plans is carried out."""
    own = (turn for turn in count(1) if turn_of(half, turn) is not None)
    return next(islice(own, plans - 1, None))


NO_GAME, QUIET, GUARDED = range(3)  # how strong a game of a half is


def strength(half: Half, game: PartGame, turns: int) -> int:
    """Whether the plans, one for each turn of these Emperors, secure their borders, and all is well for so many turns.

    When the plans are at an end everybody stays where he is. The game is `GUARDED` if dice can name a protected province of
    these regions in each phase; where it is only `QUIET`, the other half must see to that.
    """
    table, waiting, guarded = half.begin(game.revolts), list(game.plans), True
    for turn in range(1, turns + 1):
        who = turn_of(half, turn)
        if who is not None and waiting:
            after = play(half, table, who, waiting.pop(0))
            if after is None:
                return NO_GAME
            table = after
        if turn < turns:
            guarded &= half.is_guarded(table)
            later = half.phase(table)
            if later is None:
                return NO_GAME
            table = later
    if waiting or not half.is_done(table) or OFF in table.places:
        return NO_GAME
    return GUARDED if guarded else QUIET
