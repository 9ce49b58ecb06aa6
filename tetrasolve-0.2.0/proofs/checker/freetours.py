"""Free tours: what Emperors could do in so many turns at most, whatever the dice.

Each Emperor travels alone over an empty board. At the start of each of his turns the fleets lie
wherever he likes, as many as the level has. Nothing keeps him from a garrison on a border. If he ends a turn in a province
of the Empire, where revolts lie, or in one that an arrow leads to, along which armies come, he may have been driven out
before his next turn, and then enters in Roma or at his capital; so too if he ends it in a battle, which costs a link at least.
Nothing else moves an Emperor. Whatever happens in a true game, the four have then done no more than by such tours; so it is
enough to see after how many turns, taken in order, tours can have reached all borders together.

For a set-up that is stated, more has to be done: its revolts must be subdued, those at least that lie where no arrow leads.
No army ever stands there, with which a revolt could be taken away; so an Emperor has to move in, pay for the revolt, and
remove or reduce it in the same turn, since who stays on a revolt is driven out. What others have subdued costs nothing.
"""

from collections.abc import Iterator
from functools import cache

from board import Board
from distances import Fleets, fleet_sets, voyages, ways
from rules import IP_A_TURN

SECURE_BORDER = 2
SUBDUE = 2  # IP, with the way itself: 1 to enter a revolt, 1 to reduce it
MOST_TURNS = 24

Places = frozenset[str]
Done = int  # borders that are secured and revolts that are subdued: a bit for the row of each
Ends = dict[str | None, set[Done]]  # by the place where he is


@cache
def tours_of(board: Board, size: int, revolts: Places) -> "Tours":
    """The tours for a bound, of which several certificates may have need."""
    return Tours(board, size, revolts)


def least_turns(board: Board, size: int, revolts: Places, known: int | None) -> int | None:
    """The fewest turns after which free tours can have done all; no more need be tried than a game takes."""
    tours = tours_of(board, size, revolts)
    least = known or next((turns for turns in range(1, MOST_TURNS + 1) if tours.are_enough(turns)), None)
    while least and least > 1 and tours.are_enough(least - 1):
        least -= 1
    return least


class Tours:
    """Free tours with so many fleets, against these revolts."""

    def __init__(self, board: Board, size: int, revolts: Places) -> None:
        self.board, self.size = board, size
        self.bit = {place: 1 << board.row[place] for place in board.borders | revolts}
        self.revolts = revolts
        self.safe = board.borders - set(board.arrow.values())
        self.known: dict[str, Ends] = {}
        self.reached: dict[tuple[Places, int], Ends] = {}
        # for each border the revolts of its region: none is left when it is secured
        self.before = {
            border: sum(self.bit[place] for place in revolts if board.region[place] == board.region[border])
            for border in board.borders
        }
        self.closed_by = {
            place: sum(self.bit[border] for border in board.borders if board.region[border] == board.region[place])
            for place in revolts
        }

    def are_enough(self, turns: int) -> bool:
        """Whether all can have been done after so many turns."""
        together = {0}
        for index, emperor in enumerate(self.board.emperors):
            own = sum(turn % 4 == index for turn in range(turns))
            ends = self.after(frozenset({self.board.roma, self.board.capital[emperor]}), own)
            tours = best(set().union(*ends.values()))
            together = best({one | other for one in together for other in tours})
        return sum(self.bit.values()) in together

    def after(self, home: Places, turns: int) -> Ends:
        """Where one Emperor can be after so many turns of his own, and what he can have done."""
        if turns == 0:
            return {None: {0}}
        if (home, turns) not in self.reached:
            begin: dict[str, set[Done]] = {}
            for place, sets in self.after(home, turns - 1).items():
                for start in ({place} if place is not None else set()) | (set() if place in self.safe else home):
                    begin.setdefault(start, set()).update(sets)
            ends: Ends = {}
            for start, sets in begin.items():
                for there, more in self.one_turn(start).items():
                    both = (self.both(old, new) for old in best(sets) for new in more)
                    ends.setdefault(there, set()).update(*both)
            self.reached[home, turns] = {place: best(sets) for place, sets in ends.items()}
        return self.reached[home, turns]

    def both(self, old: Done, new: Done) -> set[Done]:
        """What counts of two turns: a border that was secured before a revolt of its region was subdued, or that revolt."""
        kinds = [(old, new)]
        for border, revolts in self.before.items():
            if old & self.bit[border] and new & revolts & ~old:
                kinds = [kind for a, b in kinds for kind in ((a, b & ~revolts), (a & ~self.bit[border], b))]
        return {a | b for a, b in kinds}

    def one_turn(self, start: str) -> Ends:
        """Where one turn from a province can end, and what is done in it."""
        if start not in self.known:
            ends: Ends = {}
            for place, done in self.walk(start):
                ends.setdefault(place, set()).add(done)
            self.known[start] = {place: best(sets) for place, sets in ends.items()}
        return self.known[start]

    def walk(self, start: str) -> Iterator[tuple[str | None, Done]]:
        """All that can come of one turn."""
        board = self.board
        edge: list[tuple[int, str, Fleets, Done]] = [
            (IP_A_TURN, start, fleets, 0) for fleets in fleet_sets(board) if len(fleets) == self.size
        ]
        seen = set(edge)
        while edge:
            ip, place, fleets, done = edge.pop()
            yield place, done
            if any(1 + broken <= ip for broken in board.links[place].values()):
                yield None, done  # beaten in battle
            steps = [(ip - 1, place, there, done) for there in voyages(board, fleets)]
            if place in board.borders:
                steps.append((ip - SECURE_BORDER, place, fleets, done | self.bit[place]))
            for other, cost in ways(board, place, fleets).items():
                steps.append((ip - cost, other, fleets, done))
                if other in self.revolts and not done & self.closed_by[other]:
                    steps.append((ip - cost - SUBDUE, other, fleets, done | self.bit[other]))
            for step in steps:
                if step[0] >= 0 and step not in seen:
                    seen.add(step)
                    edge.append(step)


def best(sets: set[Done]) -> set[Done]:
    """Those that are not part of another: who can do more need not be content with less."""
    kept: list[Done] = []
    for one in sorted(sets, key=int.bit_count, reverse=True):
        if all(one | other != other for other in kept):
            kept.append(one)
    return set(kept)
