"""Free tours: what each Emperor could do in so many turns, if he travelled alone and the dice were his friends.

Nothing stands in his way, nothing he has not been sent against lies there, every region is quiet, and at the start of each of
his turns the fleets lie where he likes. A turn that ends in a province from which Barbarians can drive him out, or in which he
could lose a battle, may be followed by an entry in Roma or at his capital. A true game lets no Emperor do more.

His *tasks* are the borders to be secured, and some revolts of the set-up to be subdued: such as lie where no arrow leads, so
that no army ever stands there to be beaten together with them. Nothing but a removal or a reduction takes such a revolt from
the board. Who does that has moved in and paid for the revolt, in the same turn: who stays on a revolt is driven out.

Nobody secures a border while revolts lie in its region, so he who has secured it finds none of the set-up there any more:
after a border come no more revolts of its region in the tours of the same Emperor.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

from tetrasolve.tetrarchia.facts.routes.travel import Travel
from tetrasolve.tetrarchia.numbers import INTO_A_REVOLT, IP_A_TURN, REDUCE_REVOLT, SAIL_COST, SECURE_BORDER

OFF = -1  # the row of an Emperor who is off the board

Done: TypeAlias = int  # the tasks that are done, a bit for the row of each
Ends: TypeAlias = Mapping[int, Collection[Done]]  # by the row where he is


class Tours:
    """Free tours with so many fleets, to secure all borders and to subdue revolts in these provinces."""

    def __init__(self, ways: Travel, fleets: int, revolts: Iterable[str] = ()) -> None:
        board = ways.board
        self.ways, self.board = ways, board
        self.fleets = [chosen for chosen in ways.fleet_sets if len(chosen) == fleets]
        targets = {place.arrow for place in board.provinces.values()}
        self.borders = frozenset(board.order[border] for border in board.borders)
        self.revolts = frozenset(board.order[place] for place in revolts if place not in targets)
        self.safe = frozenset(board.order[border] for border in board.borders if border not in targets)
        self.all = sum(1 << row for row in self.borders | self.revolts)
        region = {row: board[board.ids[row]].region for row in self.borders | self.revolts}
        self.closed_by = {  # for each revolt the border that cannot be secured before
            row: sum(1 << border for border in self.borders if region[border] == region[row]) for row in self.revolts
        }
        self.before = {  # and for each border all such revolts
            1 << border: sum(1 << row for row in self.revolts if region[border] == region[row])
            for border in self.borders
        }
        self._turns: dict[int, Ends] = {}
        self._known: dict[tuple[frozenset[int], int], Ends] = {}

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
                if other in self.revolts and not done & self.closed_by[other]:
                    after.append((ip - cost - INTO_A_REVOLT - REDUCE_REVOLT, other, fleets, done | 1 << other))
            new = {state for state in after if state[0] >= 0} - seen
            seen |= new
            waiting += new

    # -- turn after turn ---------------------------------------------------------------------------------------

    def after(self, home: Collection[int], turns: int) -> Collection[Done]:
        """What an Emperor who enters at these places can have done after so many turns of his own."""
        return largest({done for sets in self._ends(frozenset(home), turns).values() for done in sets})

    def _ends(self, home: frozenset[int], turns: int) -> Ends:
        """Where he can be after so many turns, with what he can have done."""
        if not turns:
            return {OFF: {0}}
        if (home, turns) not in self._known:
            reached: dict[int, set[Done]] = {}  # by where his next turn can begin
            for place, sets in self._ends(home, turns - 1).items():
                for start in self.starts(place, home):
                    reached.setdefault(start, set()).update(sets)
            found: dict[int, set[Done]] = {}
            for start, sets in reached.items():
                before = largest(sets)
                for there, more in self.turn(start).items():
                    found.setdefault(there, set()).update(*(self._joined(done, new) for done in before for new in more))
            self._known[home, turns] = {place: largest(sets) for place, sets in found.items()}
        return self._known[home, turns]

    def _joined(self, done: Done, new: Done) -> Iterable[Done]:
        """All that was done and is done in a later turn; of a border and revolts that come after it either counts, not both."""
        both = [(done, new)]
        for border, revolts in self.before.items():
            if done & border and new & revolts & ~done:
                both = [pair for old, now in both for pair in ((old, now & ~revolts), (old & ~border, now))]
        return [old | now for old, now in both]

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
        return next((turns for turns in range(1, most + 1) if self.enough(turns)), None)

    def enough(self, turns: int) -> bool:
        """Whether all can be done in so many turns."""
        return self.all in self.together(turns)


def largest(sets: set[Done]) -> set[Done]:
    """The sets that are part of no other."""
    found: list[Done] = []
    for one in sorted(sets, key=int.bit_count, reverse=True):  # whatever it is part of comes before it
        if not any(one | other == other for other in found):
            found.append(one)
    return set(found)
