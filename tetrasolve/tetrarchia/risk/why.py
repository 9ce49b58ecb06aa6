"""Sensitivity of the risk: the exact figures with one disc changed, ranked.

*Marginal risk*: the figures of the phase without a revolt or unrest, or with a garrison in an unprotected province.
*Cut*: the fewest revolts whose removal leaves an army the smallest group. *Deadliest province*: the effect of an activity roll
in each province. Where players decide in the phase, all of it is for a policy, or for best play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from typing import cast

from tetrasolve.exact import Distribution, absorb
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import ITALIA
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.deciders import Decider, declining
from tetrasolve.tetrarchia.rules import Decide, Fall, Figures, barbarian
from tetrasolve.tetrarchia.rules.activity import Activity
from tetrasolve.tetrarchia.rules.battle import group, revolt_group
from tetrasolve.tetrarchia.rules.choices import settled
from tetrasolve.tetrarchia.rules.questions import landed
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
    position: Position,
    *,
    gaps: bool = True,
    decider: Decider = declining,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Marginals:
    """The exact risk with each revolt or unrest removed and, with `gaps`, with a garrison in each unprotected province.

    Garrisons are the active Emperor's; provinces with an army or a disc are no gaps. `decider` says who answers the choices of each
    of these phases, so best play is that of each phase by itself.

    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    :raises Stopped: when `stop` is set before all are known.
    """
    require_kernel(position)
    tables = [*_without_disc(position), *(_with_garrison(position) if gaps else ())]
    changes: list[Change] = []

    def figures_of(table: Position) -> Figures:
        return rules.solve(table, decider(table), stop).figures()

    for done, (what, province, table) in enumerate(tables, start=1):
        changes.append(Change(what, province, figures_of(table)))
        if progress is not None:
            progress(done, len(tables))
    return Marginals(figures_of(position), tuple(changes))


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

    `e_new_revolts` is the sum of chance times new revolts over the results that are not lost. `rolled_again` is the chance that
    the Barbarian player rolls the dice again for a disc; the other two then include what follows from that.
    """

    province: str
    e_new_revolts: Fraction
    p_lost: Fraction
    rolled_again: Fraction = Fraction(0)


def struck(position: Position, province: str, stop: Stop | None = None, *, decide: Decide = rules.decline) -> Struck:
    """The phase of this position, given that the first dice of its activity name this province; `decide` answers its choices.

    :raises IllegalPositionError: when no Barbarian phase can follow.
    :raises Stopped: when `stop` is set before it is known.
    """
    return _struck(position, province, _before_activity(position, decide, stop), decide, stop)


def _before_activity(position: Position, decide: Decide, stop: Stop | None) -> Distribution[Settled]:
    """The roll of the activity with all that can come before it, or the end of the phase where it comes first."""

    def row(step: Settled) -> Distribution[Settled] | None:
        return None if isinstance(step, Activity) else barbarian.row(step, decide)

    return absorb(barbarian.start(position, decide), row, stop).ends


def _struck(
    position: Position, province: str, before: Distribution[Settled], decide: Decide, stop: Stop | None
) -> Struck:
    named = position.board[province]
    faces = (named.region, named.number)
    rolled_again = Fraction(0)
    first: dict[Settled | None, Fraction] = {}
    for step, chance in before.items():
        after = step
        if isinstance(step, Activity):
            again = barbarian.rerolls(step, decide)
            rolled_again += chance * (faces in again)
            after = settled(landed(step, faces, step.at(province)), decide)
        first[after] = first.get(after, Fraction(0)) + chance

    def row(step: Settled | None) -> Distribution[Settled | None] | None:
        found = Distribution(first) if step is None else barbarian.row(step, decide)
        return cast("Distribution[Settled | None] | None", found)

    ends = absorb(None, row, stop).ends
    new = Fraction(0)
    for end, chance in ends.items():
        if isinstance(end, Position):
            new += chance * len(end.revolts - position.revolts)
    return Struck(province, new, ends.probability(lambda end: isinstance(end, Fall)), rolled_again)


def deadliest(
    position: Position,
    stop: Stop | None = None,
    *,
    decide: Decide = rules.decline,
    progress: Progress | None = None,
) -> dict[int, tuple[Struck, ...]]:
    """Every province that a roll can name, by region (1 to 6), the deadliest first; `decide` answers the choices of the phase."""
    members = {
        region.number: position.board.members(region.number)
        for region in position.board.regions
        if region.number != ITALIA
    }
    before = _before_activity(position, decide, stop)
    total = sum(map(len, members.values()))
    found: dict[str, Struck] = {}
    for province in chain.from_iterable(members.values()):
        found[province] = _struck(position, province, before, decide, stop)
        if progress is not None:
            progress(len(found), total)
    return {
        number: tuple(sorted(map(found.__getitem__, places), key=lambda seen: (-seen.p_lost, -seen.e_new_revolts)))
        for number, places in members.items()
    }
