"""Positions that are composed: one of a game, changed until a win within a few turns can be asked about.

In games a win in three turns is rarely small enough for that: an Emperor with discs to place, or in the middle of the map, has
thousands of ways to end his turn. So one or two borders are left open, with a few revolts in their regions. The Emperor of the
second turn is in these regions or on a border, without a disc to place; that of the third one is on a border, with one.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from random import Random

from tetrasolve.exact.deadline import is_over
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.plan.graph import has_at_most, turn_of
from tetrasolve.tetrarchia.plan.nextturn import next_turn, open_ends, situations
from tetrasolve.tetrarchia.plan.objective import Goal, criterion
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.puzzle.certificate import MOST_NEXT
from tetrasolve.tetrarchia.puzzle.making import PlayedTurn
from tetrasolve.tetrarchia.status import status

OPEN_BORDERS = (1, 2, 2)  # how many; with one, the first Emperor is often not needed
REVOLTS = {1: (1, 3), 2: (0, 2)}  # in the regions of so many open borders; with more of them there is rarely a win
IP = (2, 3)  # that the Emperor has left
RESERVES = (1, 0, 1, 0)  # of discs, in the order of turns; where one border is open, the first Emperor may have none
MOST_STATES = (40, 400, 900)  # of this turn and the next two when nothing is done before; more have too many ends


def compositions(turn: PlayedTurn, number: int, random: Random, stop: Stop | None = None) -> Iterator[PlayedTurn]:
    """Of so many positions that are composed of that of a turn, those that are small enough for the stand-alone checker.

    It ends early when `stop` is set.
    """
    for row in range(1, number + 1):
        made = composed(turn.position, random)
        if is_over(stop):
            return
        if made is not None and is_small(made, stop):
            yield turn._replace(position=made, source=f"{turn.source}, composed {row}")


def is_small(position: Position, stop: Stop | None = None) -> bool:
    """Whether this turn and the next two have few states each, and together as few situations as certificates cover.

    When `stop` is set before that is known, it says no.
    """
    if not rules.may_end(position):
        return False
    later = position
    for row, most in enumerate(MOST_STATES):
        later = next_turn(later) if row else position
        if not has_at_most(later, most):
            return False
    following = situations(open_ends(position, turn_of(position)), len(MOST_STATES) - 1, MOST_NEXT)
    return all(total <= MOST_NEXT and not is_over(stop) for total in accumulate(following))


def composed(position: Position, random: Random) -> Position | None:
    """A position late in a game, made from this one; None: not by these draws. Equal draws give equal positions.

    All borders but one or two are secured. Armies, fleets and discs that have no part in that stay where they are. Few draws
    are kept: one of several thousand.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> late = composed(example("fight"), Random(334))
    >>> late.to_move, late.ip, [border for border in late.board.borders if border not in late.secured]
    ('maximian', 3, ['persia'])
    """
    board, order = position.board, _order(position)
    count = random.choice(OPEN_BORDERS)
    open_now = [border for border in board.borders if not position.has_garrison(border)]
    opened = random.sample(open_now if len(open_now) >= count else board.borders, count)
    near = [place for border in opened for place in board.members(board[border].region)]
    position = position.replace(phase=Phase.ROMAN, ip=random.randint(*IP))
    late = _with_borders(position, opened, order, random)
    if late is None:
        return None
    late = _with_figures(_with_revolts(late, near, REVOLTS[count], random), order, near, opened, random)
    late = _with_reserves(late, order, count, near, random)
    if late is None or status(late) or not _has_a_task(late, order, opened):
        return None
    return late


def _order(position: Position) -> list[str]:
    """The Emperors in the order of their turns."""
    order = [position.to_move]
    while len(order) < len(position.board.emperors):
        order.append(next_emperor(position.replace(to_move=order[-1])))
    return order


def _with_borders(position: Position, opened: list[str], order: list[str], random: Random) -> Position | None:
    """The position in which all borders but these are secured; an army stays on one of these only."""
    for border in position.board.borders:
        if border in opened:
            position = position.with_disc(border, None)
        elif not position.has_garrison(border):
            if border in position.armies:
                return None
            sources = {emperor: _source(position, emperor) for emperor in order}
            owners = [emperor for emperor, source in sources.items() if source is not None]
            if not owners:
                return None
            owner = random.choice(owners)
            position = position.with_disc(sources[owner] or border, None).with_disc(border, owner)
    return position


def _source(position: Position, emperor: str) -> str | None:
    """Where a garrison of an Emperor can be taken from: empty is the reserve; None: he has none but those on borders."""
    if position.reserve_garrisons(emperor) > 0:
        return ""
    inside = sorted(position.garrisons(emperor).difference(position.board.borders))
    return inside[0] if inside else None


def _with_revolts(position: Position, near: list[str], number: tuple[int, int], random: Random) -> Position:
    """The position with a few revolts in these provinces, and no unrest."""
    for place in near:
        if position.discs.get(place) not in position.emperors:
            position = position.with_disc(place, None)
    free = [place for place in near if place not in position.discs and place not in position.armies]
    wanted = min(random.randint(*number), len(free), position.reserve_revolts)
    return position.with_discs(frozenset(random.sample(free, wanted)), REVOLT_DISC)


def _with_figures(position: Position, order: list[str], near: list[str], opened: list[str], random: Random) -> Position:
    """The position with the first Emperor in these provinces, the second too or on a border, and the third on a border."""
    moved = order[:3]
    for emperor in moved:
        position = position.with_emperor(emperor, None)
    closed = [border for border in position.board.borders if border not in opened]
    choices = (near, closed, (*closed, *opened * 3))
    for emperor, places in zip(moved, choices, strict=True):
        taken = {*position.armies, *position.romans.values()}
        if emperor != moved[0]:
            taken |= position.revolts  # on which nobody stands when a turn begins
        free = [place for place in places if place not in taken]
        position = position.with_emperor(emperor, random.choice(free) if free else None)
    return position


def _with_reserves(
    position: Position, order: list[str], opened: int, near: list[str], random: Random
) -> Position | None:
    """The position in which the Emperors have as many discs in the reserve as they may; others are placed, or taken back."""
    board = position.board
    for emperor, wanted in zip(order, RESERVES, strict=True):
        if opened == 1 and emperor == order[0]:
            wanted = random.randint(0, wanted)  # noqa: PLW2901  # fewer than the row says
        while position.reserve_garrisons(emperor) < wanted:
            source = _source(position, emperor)
            if not source:
                return None
            position = position.with_disc(source, None)
        taken = {*position.discs, *position.armies, *board.borders, *near}
        free = [place for place in board.provinces if place not in taken and not position.is_protected(place)]
        spare = position.reserve_garrisons(emperor) - wanted
        if spare > len(free):
            return None
        position = position.with_discs(frozenset(random.sample(free, spare)), emperor)
    return position


def _has_a_task(position: Position, order: list[str], opened: list[str]) -> bool:
    """Whether the third Emperor wins most often after one end of this turn alone, if the second one does nothing.

    Elsewhere the first Emperor is rarely needed, or has two ways. It is no proof of anything: the search looks at all that the
    three can do.
    """
    begun = (position, *(start_of_turn(position, emperor) for emperor in order[1:3]))
    if not rules.may_end(position) or not all(map(has_at_most, begun, MOST_STATES)):
        return False
    if not any(_chance(eased, order[2]) for eased in _eased(position, order[0], opened)):
        return False
    idle = _chance(position, order[2])
    tables = {end.replace(ip=0) for end in open_ends(position, turn_of(position))}
    chances = [_chance(end, order[2]) for end in tables]
    return max(chances) > idle and chances.count(max(chances)) == 1


def _eased(position: Position, emperor: str, opened: list[str]) -> Iterator[Position]:
    """The position without the revolts in the regions of open borders; of two of these, one is secured."""
    board = position.board
    near = {place for border in opened for place in board.members(board[border].region)}
    for place in position.revolts & near:
        position = position.with_disc(place, None)
    if len(opened) == 1:
        yield position
        return
    for border in opened:
        eased = position.with_army(border, None) if border in position.armies else position
        yield eased.with_disc(border, emperor)


def _chance(end: Position, emperor: str) -> Fraction:
    """The best chance, in [0, 1], that an Emperor wins in a turn that begins here."""
    begun = start_of_turn(end, emperor)
    goal = criterion(Goal(secure=frozenset(end.board.borders)), begun)
    assert goal is not None  # the kernel has all goals
    return Fraction(*turn_of(begun).solve([goal]).values[0])
