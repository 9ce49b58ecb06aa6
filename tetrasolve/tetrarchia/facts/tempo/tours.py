"""Free tours: what each Emperor could do in so many turns, if he travelled alone and the dice were his friends.

Nothing stands in his way, nothing he has not been sent against lies there, every region is quiet, and at the start of each of
his turns the fleets lie where he likes. A turn that ends in a province from which Barbarians can drive him out, or in which he
could lose a battle, may be followed by an entry in Roma or at his capital. A true game lets no Emperor do more.

His *tasks* are the borders to be secured, and some revolts of the set-up to be hushed: such as lie where no arrow leads, so
that no army ever stands there to be beaten together with them. Nothing but a removal or a reduction takes such a revolt from
the board. Who does that has moved in and paid for the revolt, in the same turn: whoever stays on a revolt is driven out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

from tetrasolve.tetrarchia.facts.routes.travel import Travel
from tetrasolve.tetrarchia.rules.links import INTO_A_REVOLT
from tetrasolve.tetrarchia.rules.movement import SAIL_COST
from tetrasolve.tetrarchia.rules.protection import REDUCE_REVOLT, SECURE_BORDER
from tetrasolve.tetrarchia.ruleset import IP_A_TURN

OFF = -1  # the row of an Emperor who is off the board

Done: TypeAlias = int  # the tasks that are done, a bit for the row of each
Ends: TypeAlias = Mapping[int, Collection[Done]]  # by the row where he is


class Tours:
    """Free tours with so many fleets, to secure all borders and to hush revolts in these provinces."""

    def __init__(self, ways: Travel, fleets: int, revolts: Iterable[str] = ()) -> None:
        board = ways.board
        self.ways, self.board = ways, board
        self.fleets = [chosen for chosen in ways.fleet_sets if len(chosen) == fleets]
        targets = {place.arrow for place in board.provinces.values()}
        self.borders = frozenset(board.order[border] for border in board.borders)
        self.revolts = frozenset(board.order[place] for place in revolts if place not in targets)
        self.safe = frozenset(board.order[border] for border in board.borders if border not in targets)
        self.all = sum(1 << row for row in self.borders | self.revolts)
        self._turns: dict[int, Ends] = {}

    # -- one turn ----------------------------------------------------------------------------------------------

    def turn(self, row: int) -> Ends:
        """Where one turn from a province can end, and what can be done in it."""
        if row not in self._turns:
            ends: dict[int, set[Done]] = {}
            for place, done in self._turn(row):
                ends.setdefault(place, set()).add(done)
            self._turns[row] = {place: largest(sets) for place, sets in ends.items()}
        return self._turns[row]

    def _turn(self, row: int) -> Iterator[tuple[int, Done]]:
        start = [(IP_A_TURN, row, fleets, 0) for fleets in self.fleets]
        seen, waiting = set(start), start
        while waiting:
            ip, place, fleets, done = waiting.pop()
            yield place, done
            if any(cost <= ip for cost in self.ways.links[place].values()):
                yield OFF, done  # beaten in an attack
            after = [(ip - SAIL_COST, place, there, done) for there in self.ways.voyages[fleets]]
            if place in self.borders:
                after.append((ip - SECURE_BORDER, place, fleets, done | 1 << place))
            for other, cost in self.ways.moves(place, fleets):
                after.append((ip - cost, other, fleets, done))
                if other in self.revolts:
                    after.append((ip - cost - INTO_A_REVOLT - REDUCE_REVOLT, other, fleets, done | 1 << other))
            new = {state for state in after if state[0] >= 0} - seen
            seen |= new
            waiting += new

    # -- turn after turn ---------------------------------------------------------------------------------------

    def after(self, home: Collection[int], turns: int) -> Collection[Done]:
        """What an Emperor who enters at these places can have done after so many turns of his own."""
        ends: Ends = {OFF: {0}}
        for _ in range(turns):
            found: dict[int, set[Done]] = {}
            for place, before in ends.items():
                for start in self.starts(place, home):
                    for there, more in self.turn(start).items():
                        found.setdefault(there, set()).update(done | new for done in before for new in more)
            ends = {place: largest(sets) for place, sets in found.items()}
        return largest({done for sets in ends.values() for done in sets})

    def starts(self, place: int, home: Collection[int]) -> set[int]:
        """Where his turn can begin, if he ended the one before here."""
        return {place} - {OFF} | (set() if place in self.safe else set(home))

    def together(self, turns: int) -> Collection[Done]:
        """What the four can have done after so many turns, one after the other."""
        board, together = self.board, {0}
        for index, emperor in enumerate(board.emperors):
            own = len(range(index, turns, len(board.emperors)))
            sets = self.after(self._homes[emperor.id], own)
            together = largest({one | other for one in together for other in sets})
        return together

    @cached_property
    def _homes(self) -> Mapping[str, Collection[int]]:
        board = self.board
        return {emperor.id: {board.order[board.roma], board.order[emperor.capital]} for emperor in board.emperors}

    def least_turns(self, most: int) -> int | None:
        """The fewest turns, up to so many, after which all can be done; None if that is not enough."""
        return next((turns for turns in range(1, most + 1) if self.all in self.together(turns)), None)


def largest(sets: set[Done]) -> set[Done]:
    """The sets that are part of no other."""
    return {one for one in sets if not any(one != other and one | other == other for other in sets)}
