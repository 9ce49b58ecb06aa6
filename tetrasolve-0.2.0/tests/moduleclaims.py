"""Situations of the checker, made of positions: where its rules of modules meet the reference rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import checker  # puts the modules of the checker within reach
import moduleposition
from board import read_board
from moduleturn import deeds, may_stop
from rules import BEATEN, FALLEN, ON, WON
from situations import DEAD, Deed, Rules, Situation

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.pieces import HELPERS
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

BOARD = read_board(checker.BOARDS[0])

Seen = tuple[str, int, str, tuple[object, ...]]


def looked_at(now: Situation, end: str) -> tuple[object, ...]:
    """All that an end of the turn, or a situation within it, is made of; who is passing matters only within."""
    return (*now[:3], now.passing if end == ON else None, *now[4:10])


def of_position(position: Position, begun: moduleposition.Begun, ip: int) -> Situation:
    """The same as a situation, which need not be one in which a turn can begin."""
    pieces = position.pieces
    helpers = [
        DEAD if helper is not None and helper.dead else helper and helper.place
        for helper in (pieces.dux, pieces.vicarius)
    ]
    names = [*position.emperors, *HELPERS]
    words = position.emperors.keys()
    return begun.start._replace(
        ip=ip,
        places=(*position.emperors.values(), *helpers),
        table=begun.start.table._replace(
            fleets=frozenset(position.fleets),
            armies=frozenset(position.armies),
            revolts=position.revolts,
            unrest=position.unrest,
            garrisons=tuple(position.garrisons(name) for name in words),
        ),
        passing=None if position.passing is None else names.index(position.passing),
        goths=position.goths,
        pirates=None if pieces.pirates is None else pieces.pirates.zone,
        rebels=frozenset(position.rebels),
        glory=tuple(position.glory.get(name, 0) for name in words),
        paid=tuple(position.removed.get(name, 0) for name in words),
        power=position.power_used,
        dice=None,
    )


def by_checker(begun: moduleposition.Begun) -> Counter[Seen]:
    """Every action with its chance in 36ths, 0 where it rests with what is paid, and what comes of it."""
    return Counter(row for deed in deeds(begun.rules, begun.start) for row in _rows(begun.rules, deed))


def _rows(of: Rules, deed: Deed) -> Iterator[Seen]:
    for result in deed.results:
        if result.after.dice is not None:
            yield from {row for paid in deeds(of, result.after) for row in _rows(of, paid)}
        else:
            fights = "attack" in deed.name
            name = f"{deed.name}: {result.outcome}" if result.outcome else deed.name
            share = 0 if fights and not result.outcome else result.share
            yield name, share, result.end, looked_at(result.after, result.end)


def by_reference(position: Position, begun: moduleposition.Begun) -> Counter[Seen]:
    """The same by the reference rules."""
    found: Counter[Seen] = Counter()
    for action in rules.legal_actions(position):
        after, ip = rules.play(position, action), position.ip - rules.cost(position, action)
        if isinstance(after, Fall):
            end, there = FALLEN, begun.start._replace(ip=ip)
        else:
            end = WON if after.is_won else BEATEN if after.phase is Phase.BARBARIAN else ON
            gained = after.ip if action.kind is Kind.IMPERIUM else ip
            there = of_position(after, begun, gained)._replace(
                power=position.power_used or action.kind is Kind.IMPERIUM
            )
        found[str(action), _share(position, action), end, looked_at(there, end)] += 1
    return found


def _share(position: Position, action: Action) -> int:
    if action.kind is not Kind.ATTACK or rules.boosts(position, action.figure, (), action.place):
        return 0 if action.kind is Kind.ATTACK else 36
    assert action.place is not None
    faces = rules.attack_roll(position, action.place, action.figure).results
    return faces.count(action)


def compare(position: Position) -> set[str]:
    """Both make the same of a position; returns the kinds of actions that were compared."""
    begun = moduleposition.read(str(position), BOARD)
    seen, wanted = by_checker(begun), by_reference(position, begun)
    assert set(seen) == set(wanted), (str(position), sorted(set(seen) ^ set(wanted), key=str)[:4])
    assert may_stop(begun.rules, begun.start) == rules.may_end(position), str(position)
    return {name for name, _, _, _ in seen}
