"""How often Rome loses at least, at every level and whatever it does: a proved bound by a relaxed process.

No game is won in fewer than nine turns (the fact `tempo/victory-soonest`). The proof follows some of the dice of the first
two phases only, and counts every other course as won. In it Rome has more than in the game:

- An Emperor meets no revolts and no unrest on his way to an army, and all zones have fleets. `most_kills` solves this turn exactly,
  so an army stays on its border with at least the chance that is left.
- He removes revolts besides. One of the set-up costs at least 3 IP: 2 to move into it, since nobody enters on one, and 1 to turn it
  into unrest. So he removes at most two of the six that the set-up puts into six regions.
- Uprisings spread, but unrest, garrisons, further revolts and further armies are left out. With more revolts the chain falls at
  least as often: with the same dice its revolts include those of the chain with fewer (`chain_falls`).

With an army on a border in the set-up, the first phase can be a chain of uprisings: each rolls the border with the army again.
Without one the first phase has to bring the army: an uprising (at least 4 revolts are left, so with chance 4/36), a border, and a
blocked check, so that the army stays. The chain comes in the second phase, after Galerius. Diocletian may stand on a border, or
beside one to help Galerius; no province is linked to two borders, and borders are not linked, so this spares him one at most.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from tetrasolve.bounds.bound import UpperBound
from tetrasolve.exact.certainty import Exact
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import OFF, State, Turn
from tetrasolve.tetrarchia.numbers import DIE, GARRISONS_A_LEVEL, IP_A_TURN, REVOLTS
from tetrasolve.tetrarchia.ruleset import Ruleset

UPRISINGS = 10  # in one chain, the last that is followed: longer ones count as won
MOST_REMOVED = IP_A_TURN // 3  # revolts of the set-up in one turn
CHECKS = 2**6  # no province has more broken links; parts of one roll in `_Chains`
PARTS = DIE * DIE * DIE * CHECKS  # of an uprising: its region, province and checks, and the border rolled after it


class _Chains:
    """Chains of uprisings with one army on a border and another in the reserve, as far as revolts alone go."""

    def __init__(self, board: Board) -> None:
        regions = range(1, len(board.borders) + 1)
        self._rolled = [
            1 << board.order[board.at(region, number)] for region in regions for number in range(1, DIE + 1)
        ]
        self._sure, self._checked = {}, {}
        for place in self._rolled:
            (name,) = board.unmask(place)
            links = {near: link for near, link in board.neighbours(name).items() if not board[near].is_border}
            self._sure[place] = board.mask(near for near, link in links.items() if not link.broken)
            self._checked[place] = [board.mask([near]) for near, link in links.items() if link.broken]
        self._parts: dict[tuple[int, int], int] = {}

    def falls(self, revolts: int, uprisings: int) -> int:
        """The chance that the revolts of the reserve run out within so many uprisings, in units of 1 / PARTS ** uprisings."""
        if not uprisings:
            return 0
        key = revolts, uprisings
        if key not in self._parts:
            unit = PARTS ** (uprisings - 1)
            total = 0
            for place in self._rolled:
                if not revolts & place:
                    continue
                sure = revolts | self._sure[place]
                spreads = [sure]
                for near in self._checked[place]:
                    spreads += [spread | near for spread in spreads]
                weight = CHECKS // len(spreads)
                for spread in spreads:
                    if spread.bit_count() > REVOLTS:
                        total += weight * DIE * unit
                    elif spread != revolts:
                        total += weight * self.falls(spread, uprisings - 1)
            self._parts[key] = total
        return self._parts[key]


@lru_cache(maxsize=4)
def _chains(board: Board) -> _Chains:
    return _Chains(board)


def chain_falls(board: Board, revolts: Iterable[str], uprisings: int = UPRISINGS) -> Fraction:
    """A lower bound on the chance that the Empire falls in the activity step of a phase, exact for the chains it follows.

    These revolts lie on the board, whatever else does; an army is on a border, another in the reserve.
    """
    return Fraction(_chains(board).falls(board.mask(revolts), uprisings), PARTS**uprisings)


def fewest_falls(board: Board, count: int, uprisings: int = UPRISINGS) -> Fraction:
    """The least `chain_falls` of so many revolts in as many regions, wherever they lie."""
    regions = range(1, len(board.borders) + 1)
    return min(
        chain_falls(board, places, uprisings)
        for chosen in combinations(regions, count)
        for places in _one_of_each([board.members(region) for region in chosen])
    )


def _one_of_each(groups: list[tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
    if not groups:
        yield ()
        return
    for place in groups[0]:
        for rest in _one_of_each(groups[1:]):
            yield (place, *rest)


def most_kills(board: Board, emperor: int, border: str, helper: int = OFF) -> Fraction:
    """The greatest chance that an Emperor in his first turn removes the army on a border, exact in the relaxed turn.

    `emperor` is his number, 0 for the first to play; the first stands in province number `helper`, if he is another.
    """
    kernel = fast.kernel_for(board, Ruleset(GARRISONS_A_LEVEL[1], 3, 0, 0))
    army = board.mask([border])
    state = State(armies=army, emperors=(helper, OFF, OFF, OFF), fleets=7, to_move=emperor)
    ((numerator, denominator),) = Turn(kernel, state).solve([("goal", 0, 0, 0, 0, army)]).values
    return Fraction(numerator, denominator)


@lru_cache(maxsize=16)
def least_loss(board: Board, *, armies: bool) -> Fraction:
    """A lower bound on the chance that Rome loses, for every policy, every set-up with or without armies, and all other numbers."""
    falls = fewest_falls(board, 6 - 2 * MOST_REMOVED)
    if armies:
        return falls * min(1 - most_kills(board, 0, border) for border in board.borders)
    arrives = Fraction(6 - MOST_REMOVED, DIE * DIE) * Fraction(1, DIE) * Fraction(1, 2)
    stays = sorted(1 - most_kills(board, 1, border) for border in board.borders if _is_checked(board, border))
    return falls * arrives * sum(stays[:-1], Fraction(0))  # without one border, that near which Diocletian is


def _is_checked(board: Board, border: str) -> bool:
    """Whether the first link on the way to Roma is broken, so that an army may have to stay."""
    arrow = board[border].arrow
    link = board.link(border, arrow) if arrow else None
    return link is not None and link.broken


def proved_bound(ruleset: Ruleset, board: Board | None = None) -> UpperBound:
    """What no policy exceeds at a level, averaged over set-ups or in any one of them; proved.

    >>> proved_bound(Ruleset.from_level("5300")).certainty
    'proved'
    """
    loss = least_loss(board or Board.standard(), armies=ruleset.armies > 0)
    return UpperBound(Exact(1 - loss), "losses that nothing prevents")
