"""Attack now or wait? The exact chances of a battle with every army, from every province, with every support.

Combat values do not depend on who attacks. The price does, as does whether the army comes and what happens on the board before
it does; `waiting` includes all of that, from the solved Barbarian phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from tetrasolve.errors import IllegalPositionError
from tetrasolve.exact.deadline import check, public_question, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tables import as_html, as_text
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.phase.events import battles_in
from tetrasolve.tetrarchia.plan import Status, plan
from tetrasolve.tetrarchia.plan.objective import LeastIp
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Battle
from tetrasolve.tetrarchia.rules.links import link_cost
from tetrasolve.tetrarchia.status import require_legal

Chances = Mapping[Outcome, Fraction]

FightStatus: TypeAlias = Literal["complete", "interrupted"]

OTHERS = 3  # numbers of supporting Emperors


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack on an army from a province: IP to be there (None: not this turn) and to attack, combat values, chances.

    `with_support` has the chances with 0 to 3 other Emperors linked to the army, in place of those who are now.
    """

    origin: str
    ip_to_be_there: int | None
    ip_to_attack: int
    battle: Battle
    chances: Chances
    with_support: tuple[Chances, ...]

    @property
    def ip(self) -> int | None:
        """The IP in total, None when the Emperor cannot be there this turn."""
        return None if self.ip_to_be_there is None else self.ip_to_be_there + self.ip_to_attack


@dataclass(frozen=True, slots=True)
class Waiting:
    """Waiting on an army's path: IP to be there, and the army's attack in the Barbarian phase.

    `arrives` is the chance that the army can come at all (1/2 over a broken link), `battle` and `chances` are those of the
    current position. `exact` includes everything that can happen in the phase before the army moves: the chance of each
    outcome of a battle, and `no_battle` of none; both are None where the time ran out before they were known.
    """

    place: str
    ip_to_be_there: int
    arrives: Fraction
    battle: Battle
    chances: Chances
    exact: Chances | None
    no_battle: Fraction | None


@dataclass(frozen=True, slots=True)
class Fight:
    """The active Emperor's options against an army; `waiting` is None where he cannot be on its path."""

    army: str
    attacks: tuple[Attack, ...]
    waiting: Waiting | None

    @property
    def is_complete(self) -> bool:
        """Whether everything was computed within the time."""
        return self.waiting is None or self.waiting.exact is not None


@dataclass(frozen=True, slots=True)
class Fights:
    """The fights with all armies on the board of a position, in the order of the position; printed as tables.

    `status` is ``interrupted`` where the time ran out, else ``complete``.
    """

    position: Position
    fights: tuple[Fight, ...]
    status: FightStatus = "complete"

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.risk.text import fight_parts

        return as_text(fight_parts(self))

    def _repr_html_(self) -> str:
        return as_html(str(self))


@public_question
def fight(position: Position, *, seconds: float | None = None, cancel: Stop | None = None) -> Fights:
    """The exact chances of attacking each army now, from every province and with every support, and of waiting for it.

    After `seconds`, or when `cancel` is set, the result so far is returned as ``interrupted``: armies may be missing, and the
    chances of waiting unknown.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> [(found.army, len(found.attacks)) for found in fight(example("fight")).fights]
    [('narbonensis', 4)]
    """
    stop = stop_of(seconds, cancel)
    require_fight(position)
    found: list[Fight] = []
    for army in position.armies:
        try:
            found.append(_fight(position, army, stop))
        except Stopped:
            return Fights(position, tuple(found), "interrupted")
    status: FightStatus = "complete" if all(one.is_complete for one in found) else "interrupted"
    return Fights(position, tuple(found), status)


def fights(position: Position) -> tuple[Fight, ...]:
    """The fight with each army on the board, for the active Emperor; see `fight`.

    Combat values are those of the position with him moved and nothing else done: securing and subduing on the way can only
    improve them (`plan` with ``kill`` finds the best way).

    :raises IllegalPositionError: when the position cannot occur, or it is not the Roman phase.
    """
    return fight(position).fights


def require_fight(position: Position) -> None:
    """Refuse a position in which no Emperor can fight.

    :raises IllegalPositionError: when the position cannot occur, or it is not the Roman phase.
    """
    require_legal(position)
    fast.require_base_game(position, "the advice on a fight knows")
    if position.phase is not Phase.ROMAN or position.is_won:
        raise IllegalPositionError(["no Emperor can attack: this is not a Roman phase"])


def _fight(position: Position, army: str, stop: Stop | None) -> Fight:
    places = [p for p in position.board.neighbours(army) if p not in position.armies and not position.others_at(p)]
    return Fight(army, tuple(_attack(position, army, place, stop) for place in places), _waiting(position, army, stop))


# -- attacking -------------------------------------------------------------------------------------------------


def _attack(position: Position, army: str, origin: str, stop: Stop | None) -> Attack:
    price = link_cost(position, origin, army)
    assert price is not None
    there = position.with_emperor(position.to_move, origin)
    fight = rules.battle(there, position.to_move, army)
    supports = range(OTHERS + 1)
    return Attack(
        origin=origin,
        ip_to_be_there=_ip_to_reach(position, origin, position.ip - price, stop),
        ip_to_attack=price,
        battle=fight,
        chances=chances(fight),
        with_support=tuple(
            chances(Battle(fight.garrisons, emperors, fight.revolts, fight.armies)) for emperors in supports
        ),
    )


def chances(fight: Battle) -> Chances:
    """The exact chance of each outcome of a battle, in [0, 1]."""
    counts = fight.chances()
    return {outcome: Fraction(counts.get(outcome, 0), 36) for outcome in Outcome}


def _ip_to_reach(position: Position, place: str, most: int, stop: Stop | None) -> int | None:
    """The least IP for the active Emperor to be in a province without an attack, None if it is above `most`."""
    if most < 0:
        return None
    if position.here == place:
        return 0
    found = plan(position, f"reach {place}", cancel=stop)
    check(stop)
    if found.status is not Status.OPTIMAL_PROVED or found.plan is None or found.plan.fork is not None:
        return None
    ip = int(dict(found.named_values)[LeastIp()])
    return ip if ip <= most else None


# -- waiting ---------------------------------------------------------------------------------------------------


def _waiting(position: Position, army: str, stop: Stop | None) -> Waiting | None:
    place = position.board[army].arrow
    if place is None or place in position.armies or position.others_at(place):
        return None
    ip = _ip_to_reach(position, place, position.ip, stop)
    if ip is None:
        return None
    there = position.with_emperor(position.to_move, place)
    link = position.board.link(army, place)
    fight = rules.battle(there, position.to_move, army)
    exact: Chances | None = None
    with suppress(Stopped):
        met = battles_in(rules.solve(there, stop=stop))
        exact = {outcome: met.get((army, position.to_move, outcome), Fraction(0)) for outcome in Outcome}
    return Waiting(
        place=place,
        ip_to_be_there=ip,
        arrives=Fraction(1, 2) if link is None or link.broken else Fraction(1),
        battle=fight,
        chances=chances(fight),
        exact=exact,
        no_battle=None if exact is None else 1 - sum(exact.values(), Fraction(0)),
    )
