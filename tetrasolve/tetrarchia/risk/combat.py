"""Attack now or wait? The exact chances of a battle with every army, from every province, with every support.

The active Emperor and the Dux can fight; with the Pirates too, from each province of their coast. Combat values do not depend
on who attacks. The price does, as does whether the army comes and what happens on the board before it does; `waiting`
includes all of that, from the solved Barbarian phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from tetrasolve.errors import ArgumentError, IllegalPositionError
from tetrasolve.exact.contest import TooManyStatesError
from tetrasolve.exact.deadline import check, public_question, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tables import as_html, as_text
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import PIRATES, Outcome
from tetrasolve.tetrarchia.numbers import ATTACK_PIRATES
from tetrasolve.tetrarchia.phase.events import battles_in
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.pieces import DUX, RESERVE
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.risk.best import FIGURES, Wanted, read_wanted, require_choices, require_price
from tetrasolve.tetrarchia.risk.deciders import MOST_STATES, Decider, by_best_play, by_policy
from tetrasolve.tetrarchia.risk.reach import reach
from tetrasolve.tetrarchia.rules import Battle, advance
from tetrasolve.tetrarchia.rules.links import attack_cost
from tetrasolve.tetrarchia.rules.modules.imperium import boosts
from tetrasolve.tetrarchia.rules.registry import rule_modules
from tetrasolve.tetrarchia.status import require_kernel

Chances = Mapping[Outcome, Fraction]

FightStatus: TypeAlias = Literal["complete", "interrupted"]

DECLINE, BEST = "decline", "best"


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack from a province: IP to be there (None: not this turn) and to attack, combat values, chances.

    `leader` is an Emperor's id or ``"dux"``. `ip_to_be_there` is the least IP for entering, moving and sailing, with the fleet
    that an attack on rebels requires; the other figures stay, and no power is used. `with_support` has the chances with 0, 1, ...
    other generals linked to the army, in place of those who are now. `with_discs` has those of Galerius with Imperium when
    he adds up to 1, 2, ... to his die after the roll, a disc each, until more cannot help; it is empty for all others.
    """

    leader: str
    origin: str
    ip_to_be_there: int | None
    ip_to_attack: int
    battle: Battle
    chances: Chances
    with_support: tuple[Chances, ...]
    with_discs: tuple[Chances, ...] = ()

    @property
    def ip(self) -> int | None:
        """The IP in total, None when the leader cannot be there this turn."""
        return None if self.ip_to_be_there is None else self.ip_to_be_there + self.ip_to_attack


@dataclass(frozen=True, slots=True)
class Waiting:
    """A general who waits on an army's path: IP to be there, and the army's attack in the Barbarian phase.

    `arrives` is the chance that the army can come at all (below 1 over a broken link), `battle` and `chances` are those of the
    current position, without powers. `exact` includes everything that can happen in the phase before the army moves, and its
    choices by the policy of the `Fights`: the chance of each outcome of a battle, and `no_battle` of none; both are None where
    the time ran out before they were known, or where best play is not known since the phase `is_too_large`.
    """

    leader: str
    place: str
    ip_to_be_there: int
    arrives: Fraction
    battle: Battle
    chances: Chances
    exact: Chances | None
    no_battle: Fraction | None
    is_too_large: bool = False


@dataclass(frozen=True, slots=True)
class Fight:
    """The options of the active Emperor and the Dux against an army in a province, or against ``"pirates"``.

    `fleet` is the zone in which an attack on rebels requires a Roman fleet. `waiting` is None where the Emperor cannot be on
    the army's path, `dux_waiting` where the Dux cannot.
    """

    army: str
    attacks: tuple[Attack, ...]
    waiting: Waiting | None
    dux_waiting: Waiting | None = None
    fleet: int | None = None

    @property
    def waits(self) -> tuple[Waiting, ...]:
        """`waiting` and `dux_waiting`, as far as there are any."""
        return tuple(one for one in (self.waiting, self.dux_waiting) if one is not None)

    @property
    def is_complete(self) -> bool:
        """Whether everything was computed within the time."""
        return all(one.exact is not None or one.is_too_large for one in self.waits)


@dataclass(frozen=True, slots=True)
class Fights:
    """The fights with all armies on the board of a position, in its order, then with the Pirates; printed as tables.

    `status` is ``interrupted`` where the time ran out, else ``complete``. `policy` answers the choices of the Barbarian phase, None
    where the rules in use have none. Under best play it is ``best``, of what is `wanted`, where a disc costs `price`.
    """

    position: Position
    fights: tuple[Fight, ...]
    status: FightStatus = "complete"
    policy: str | None = None
    wanted: Wanted | None = None
    price: Fraction = Fraction(0)

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.risk.text import fight_parts

        return as_text(fight_parts(self))

    def _repr_html_(self) -> str:
        return as_html(str(self))


@public_question
def fight(
    position: Position,
    *,
    policy: str = DECLINE,
    objective: str | None = None,
    price: Fraction | int = 0,
    most_states: int = MOST_STATES,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Fights:
    """The exact chances of attacking each army now, from every province and with every support, and of waiting for it.

    The Pirates, if they are in play, are among the armies. The Dux can fight while he is on the board. Rebels and resting
    armies do not come. `policy`, one of `rules.POLICIES`, answers the choices of the Barbarian phase in which an army comes.
    With ``best`` all decide as well as possible for an `objective`, ``p_lost`` by default, where a disc costs `price`, as in
    `best_play`; a phase with more than `most_states` rolls, choices and results is too large for that.

    After `seconds`, or when `cancel` is set, the result so far is returned as ``interrupted``: armies may be missing, and the
    chances of waiting unknown.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> [(found.army, len(found.attacks)) for found in fight(example("fight")).fights]
    [('narbonensis', 4)]

    :raises IllegalPositionError: when the position cannot occur, or it is not the Roman phase.
    :raises ArgumentError: when there is no such policy, or the price is out of range.
    :raises ObjectiveError: when the objective cannot be read.
    :raises RulesetError: for best play when the rules in use leave nothing to decide.
    """
    stop = stop_of(seconds, cancel)
    if policy not in (*rules.POLICIES, BEST):
        raise ArgumentError("policy", policy, f"one of {', '.join((*rules.POLICIES, BEST))}")
    if policy != BEST and (objective is not None or price):
        raise ArgumentError(
            "objective" if objective is not None else "price", objective or price, "policy='best' with it"
        )
    require_fight(position)
    has_choices = bool(WITH_CHOICES & position.ruleset.extensions)
    wanted = None
    if policy == BEST:
        require_choices(position)
        require_price(price)
        wanted = read_wanted(objective or FIGURES[0], position.board)
    used = policy if has_choices else None
    found: list[Fight] = []
    status: FightStatus = "complete"
    try:
        decider = (
            by_policy(policy)
            if wanted is None
            else by_best_play(wanted, Fraction(price), most_states=most_states, stop=stop)
        )
        asked = _Question(position, decider, stop)
        armies = (*position.armies, *([PIRATES] if _zone(position) is not None else []))
        found.extend(map(asked.fight, armies))
        status = "complete" if all(one.is_complete for one in found) else "interrupted"
    except Stopped:
        status = "interrupted"
    return Fights(position, tuple(found), status, used, wanted, Fraction(price))


def fights(position: Position) -> tuple[Fight, ...]:
    """The fight with each army on the board; see `fight`.

    Combat values are those of the position with the leader moved and nothing else done: securing and subduing on the way can
    only improve them (`plan` with ``kill`` finds the best way).

    :raises IllegalPositionError: when the position cannot occur, or it is not the Roman phase.
    """
    return fight(position).fights


def require_fight(position: Position) -> None:
    """Refuse a position in which no Emperor can fight.

    :raises IllegalPositionError: when the position cannot occur, or it is not the Roman phase.
    """
    require_kernel(position)
    if position.phase is not Phase.ROMAN or position.is_won:
        raise IllegalPositionError(["no Emperor can attack: this is not a Roman phase"])


def chances(fight: Battle) -> Chances:
    """The exact chance of each outcome of a battle, in [0, 1]."""
    counts = fight.chances()
    return {outcome: Fraction(counts.get(outcome, 0), 36) for outcome in Outcome}


def _zone(position: Position) -> int | None:
    """The zone of the Pirates, None while they are beaten or not in use."""
    return None if position.pieces.pirates is None else position.pieces.pirates.zone


class _Question:
    """The fights of a position; where each leader can go is found once."""

    def __init__(self, position: Position, decider: Decider, stop: Stop | None) -> None:
        self.position, self.decider, self.stop = position, decider, stop
        self.reach = {leader: reach(position, leader, stop) for leader in _leaders(position)}

    def fight(self, army: str) -> Fight:
        """The fight with one army, or with the Pirates."""
        rebel = self.position.rebels.get(army)
        fleet = None if rebel is None else rebel.fleet
        attacks = tuple(
            self._attack(leader, army, at, fleet) for leader in self.reach for at in self._origins(leader, army)
        )
        emperor, *dux = self.reach
        return Fight(
            army=army,
            attacks=attacks,
            waiting=self._waiting(emperor, army),
            dux_waiting=self._waiting(DUX, army) if dux else None,
            fleet=fleet,
        )

    # -- attacking -------------------------------------------------------------------------------------------------

    def _origins(self, leader: str, army: str) -> Iterator[str]:
        """The provinces from which this leader can attack, without those of other figures and armies."""
        board, zone = self.position.board, _zone(self.position)
        near = board.coast[zone] if army == PIRATES and zone is not None else board.neighbours(army)
        return (place for place in near if self._is_free(leader, place))

    def _is_free(self, leader: str, place: str) -> bool:
        romans = self.position.romans
        return place not in self.position.armies and all(romans[who] != place for who in romans if who != leader)

    def _attack(self, leader: str, army: str, origin: str, fleet: int | None) -> Attack:
        check(self.stop)
        price = ATTACK_PIRATES if army == PIRATES else attack_cost(self.position, origin, army)
        assert price is not None
        there = self.position.with_figure(leader, origin)
        fight = rules.battle(there, leader, army)
        ip = self.reach[leader].ip(origin, fleet)
        return Attack(
            leader=leader,
            origin=origin,
            ip_to_be_there=None if ip is None or ip + price > self.position.ip else ip,
            ip_to_attack=price,
            battle=fight,
            chances=chances(fight),
            with_support=tuple(
                chances(replace(fight, emperors=generals)) for generals in range(_most_support(there, leader) + 1)
            ),
            with_discs=_with_discs(there, leader, army, fight),
        )

    # -- waiting ---------------------------------------------------------------------------------------------------

    def _waiting(self, leader: str, army: str) -> Waiting | None:
        if army == PIRATES or army in self.position.rebels:
            return None
        place, _ = advance.way(self.position, army)
        if place is None or not self._is_free(leader, place):
            return None
        ip = self.reach[leader].ip(place)
        if ip is None:
            return None
        there = self.position.with_figure(leader, place)
        fight = rules.battle(there, leader, army)
        exact: Chances | None = None
        is_too_large = False
        try:
            met = battles_in(rules.solve(there, self.decider(there), self.stop))
            exact = {outcome: met.get((army, leader, outcome), Fraction(0)) for outcome in Outcome}
        except TooManyStatesError:
            is_too_large = True
        except Stopped:
            pass
        return Waiting(
            leader=leader,
            place=place,
            ip_to_be_there=ip,
            arrives=_chance_to_cross(there, army, place),
            battle=fight,
            chances=chances(fight),
            exact=exact,
            no_battle=None if exact is None else 1 - sum(exact.values(), Fraction(0)),
            is_too_large=is_too_large,
        )


def _leaders(position: Position) -> Iterator[str]:
    """The active Emperor, and the Dux while both are on the board."""
    yield position.to_move
    if position.here is not None and position.place_of(DUX) is not None:
        yield DUX


def _most_support(position: Position, leader: str) -> int:
    """The most generals who can support this one: the other Emperors, and the Dux unless he is dead."""
    dux = position.pieces.dux
    others = [emperor for emperor in position.emperors if emperor != leader]
    return len(others) + (leader != DUX and dux is not None and not dux.dead)


def _with_discs(position: Position, leader: str, army: str, fight: Battle) -> tuple[Chances, ...]:
    """The chances of Galerius with up to 1, 2, ... discs paid after the roll, until more cannot help; at sea [I-GALERIUS-SEA]."""
    if leader != position.to_move:
        return ()
    purse = boosts(position, target=army)
    most = len([place for place in purse if place != RESERVE])
    most += position.reserve_garrisons(leader) if RESERVE in purse else 0
    found: list[Chances] = []
    while len(found) < most and set(fight.raised(len(found)).chances()) != {Outcome.VICTORY}:
        found.append(chances(fight.raised(len(found) + 1)))
    return tuple(found)


def _chance_to_cross(position: Position, army: str, place: str) -> Fraction:
    """The chance that an army on its way to a province comes through the link."""
    link = position.board.link(army, place)
    if link is not None and not link.broken:
        return Fraction(1)
    bonus = sum(module.check_bonus(position, army) for module in rule_modules(position).advance)
    return Fraction(sum(rules.chance.passes(face, bonus) for face in rules.chance.FACES), len(rules.chance.FACES))
