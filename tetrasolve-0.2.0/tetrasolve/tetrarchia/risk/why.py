"""Sensitivity of the risk: the exact figures with one disc changed, ranked.

*Marginal risk*: the figures of the phase without a revolt or unrest, or with a garrison in an unprotected province.
*Cut*: the fewest revolts whose removal leaves an army the smallest group. *Deadliest province*: the effect of an activity roll
in each province.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tetrasolve.exact import Distribution, absorb
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import ITALIA
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall, Figures, barbarian
from tetrasolve.tetrarchia.rules.activity import Activity
from tetrasolve.tetrarchia.rules.battle import group, revolt_group
from tetrasolve.tetrarchia.rules.choices import settled
from tetrasolve.tetrarchia.rules.step import Settled
from tetrasolve.tetrarchia.status import require_kernel

Progress = Callable[[int, int], None]  # done, total

LARGEST_CUT = 3  # the most revolts that one turn can remove: 2 IP each


# -- marginal risk ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one disc, `what` in `province`, and the exact figures of the phase after it."""

    what: str
    province: str
    figures: Figures

    def gain(self, before: Figures, figure: str) -> Fraction:
        """The decrease of a figure by the change (negative: increase)."""
        return Fraction(getattr(before, figure)) - Fraction(getattr(self.figures, figure))


@dataclass(frozen=True, slots=True)
class Marginals:
    """The figures of a position, and with each single change."""

    before: Figures
    changes: tuple[Change, ...]

    def ranked(self, figure: str = "p_uprising") -> tuple[Change, ...]:
        """The changes by the decrease of a figure, then of the expected revolts."""
        return tuple(
            sorted(self.changes, key=lambda c: (-c.gain(self.before, figure), -c.gain(self.before, "e_revolts")))
        )


def marginals(
    position: Position, *, gaps: bool = True, progress: Progress | None = None, stop: Stop | None = None
) -> Marginals:
    """The exact risk with each revolt or unrest removed and, with `gaps`, with a garrison in each unprotected province.

    Garrisons are the active Emperor's; provinces with an army or a disc are no gaps.

    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    :raises Stopped: when `stop` is set before all are known.
    """
    require_kernel(position)
    tables = [*_without_disc(position), *(_with_garrison(position) if gaps else ())]
    changes: list[Change] = []
    for done, (what, province, table) in enumerate(tables, start=1):
        changes.append(Change(what, province, rules.solve(table, stop=stop).figures()))
        if progress is not None:
            progress(done, len(tables))
    return Marginals(rules.solve(position, stop=stop).figures(), tuple(changes))


def _without_disc(position: Position) -> Iterator[tuple[str, str, Position]]:
    for province in sorted(position.revolts | position.unrest, key=position.board.order.__getitem__):
        if province not in position.armies:  # an army always has a revolt under it
            yield f"without the {position.discs[province]}", province, position.with_disc(province, None)


def _with_garrison(position: Position) -> Iterator[tuple[str, str, Position]]:
    for province in position.board.provinces.values():
        if province.number and province.id not in position.discs and not position.is_protected(province.id):
            yield "with a garrison", province.id, position.with_disc(province.id, position.to_move)


# -- cuts ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cut:
    """Revolts whose removal leaves the army in `army` the smallest group, `left` of `support`, for their number."""

    army: str
    removed: tuple[str, ...]
    support: int
    left: int


def cuts(position: Position, most: int = LARGEST_CUT) -> tuple[Cut, ...]:
    """For each army the best cut of 1, 2, ... up to `most` revolts, by trying all; the revolt under it stays.

    Ties are broken by the order of the board file.
    """
    return tuple(cut for army in position.armies for cut in _cuts(position, army, most))


def _cuts(position: Position, army: str, most: int) -> Iterator[Cut]:
    own = group(position, army, position.revolts) if army in position.revolts else position.revolts
    support = _support(position, army, position.revolts)
    others = sorted(own - {army}, key=position.board.order.__getitem__)
    for size in range(1, min(most, len(others)) + 1):
        removed = min(combinations(others, size), key=lambda cut: _support(position, army, position.revolts - set(cut)))
        yield Cut(army, removed, support, _support(position, army, position.revolts - set(removed)))


def _support(position: Position, army: str, revolts: frozenset[str]) -> int:
    """The army's group if these were all revolts."""
    discs = {p: disc for p, disc in position.discs.items() if p in revolts or not position.has_revolt(p)}
    return revolt_group(position.replace(discs=discs), army)


# -- deadliest provinces ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Struck:
    """The effect of an activity roll in `province`: expected new revolts, and the chance that the Empire falls.

    `e_new_revolts` is the sum of chance times new revolts over the results that are not lost.
    """

    province: str
    e_new_revolts: Fraction
    p_lost: Fraction


def struck(position: Position, province: str, stop: Stop | None = None) -> Struck:
    """The phase of this position, given that its activity roll names this province.

    :raises IllegalPositionError: when no Barbarian phase can follow.
    :raises Stopped: when `stop` is set before it is known.
    """

    def row(step: Settled) -> Distribution[Settled] | None:
        if isinstance(step, Activity):
            return Distribution.point(settled(step.at(province), rules.decline))
        return barbarian.row(step)

    ends = absorb(barbarian.start(position), row, stop).ends
    new = Fraction(0)
    for end, chance in ends.items():
        if isinstance(end, Position):
            new += chance * len(end.revolts - position.revolts)
    return Struck(province, new, ends.probability(lambda end: isinstance(end, Fall)))


def deadliest(position: Position, stop: Stop | None = None) -> dict[int, tuple[Struck, ...]]:
    """Every province that a roll can name, by region (1 to 6), the deadliest first."""
    board = position.board
    return {
        region.number: tuple(
            sorted(
                (struck(position, province, stop) for province in board.members(region.number)),
                key=lambda seen: (-seen.p_lost, -seen.e_new_revolts),
            )
        )
        for region in board.regions
        if region.number != ITALIA
    }
