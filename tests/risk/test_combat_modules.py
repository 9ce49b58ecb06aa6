"""The table of a fight with modules, variants and rebels, against the reference rules face by face and the kernel's phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from moduletable import extended, rebel_army
from moduleturns import EACH, TOGETHER, positions

from tetrasolve.errors import ArgumentError, ObjectiveError, RulesetError
from tetrasolve.stop import Stopped
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import PIRATES, Action, Kind, Outcome, ordered
from tetrasolve.tetrarchia.pieces import RESERVE
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.best import read_wanted
from tetrasolve.tetrarchia.risk.combat import Attack, Fight, fight
from tetrasolve.tetrarchia.rules import POLICIES
from tetrasolve.tetrarchia.rules.advance import Clash
from tetrasolve.tetrarchia.rules.modules.imperium import Boost, purse
from tetrasolve.tetrarchia.rules.optimum import best_phase

WORST_FIRST = (Outcome.DEFEAT, Outcome.DRAW, Outcome.VICTORY)
TURNS = [position for names in (*EACH, *TOGETHER) for position in positions(names, 16 if names == "imperium" else 4)]
WAYS = (Kind.ENTER, Kind.MOVE, Kind.SAIL)


def there(position: Position, attack: Attack, fleet: int | None) -> Position:
    """The position with the leader where he attacks from, with IP and the fleet that he needs."""
    fleets = position.fleets if fleet is None or fleet in position.fleets else (fleet, *position.fleets[1:])
    moved = position.with_figure(attack.leader, attack.origin).replace(ip=6, fleets=tuple(sorted(fleets)))
    return moved.without_piece("passing") if position.is_shared and moved.pieces.passing else moved


def attacked(position: Position) -> tuple[Fight, ...]:
    """The fights without the phase of those who wait."""

    def stopped(*_: object) -> None:
        raise Stopped("stop")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "solve", stopped)
        return fight(position).fights


def rolled(position: Position, seen: Fight, attack: Attack, payments: tuple[str, ...] = ()) -> list[Outcome]:
    """The outcome of each of the 36 pairs of faces, by the reference rules."""
    figure = None if attack.leader == position.to_move else attack.leader
    roll = rules.attack_roll(there(position, attack, seen.fleet), seen.army, figure, payments)
    outcomes = [action.outcome for action in roll.results]
    assert None not in outcomes
    return outcomes  # type: ignore[return-value]  # see the line before


def shares(outcomes: list[Outcome]) -> dict[Outcome, Fraction]:
    return {outcome: Fraction(outcomes.count(outcome), 36) for outcome in Outcome}


@pytest.mark.parametrize("position", TURNS, ids=str)
def test_each_chance_is_that_of_the_rules_face_by_face(position: Position) -> None:
    """Of every leader, from every province, with every number of discs that Galerius may pay."""
    for seen in attacked(position):
        for attack in seen.attacks:
            if attack.leader == "dux" and position.is_shared:
                continue  # who shares a province must move before the Dux attacks, and where he goes he may lend support
            assert attack.chances == shares(rolled(position, seen, attack))
            assert attack.chances == attack.with_support[attack.battle.emperors]
            if not attack.with_discs:
                continue
            assert attack.leader == position.to_move == "galerius"
            discs = purse(there(position, attack, seen.fleet), "galerius")
            all_discs = [RESERVE] * (position.reserve_garrisons("galerius") if RESERVE in discs else 0)
            all_discs += [disc for disc in discs if disc != RESERVE]
            for most, stated in enumerate(attack.with_discs, start=1):
                ways = [
                    rolled(position, seen, attack, ordered(paid, position.board))
                    for number in range(most + 1)
                    for paid in {tuple(some) for some in combinations(all_discs, number)}
                ]
                best = [max(faces, key=WORST_FIRST.index) for faces in zip(*ways, strict=True)]
                assert stated == shares(best)


def paid_to_be(position: Position, leader: str) -> dict[tuple[str, tuple[int, ...]], int]:
    """The least IP to each province and zones by the legal actions of the reference rules that are ways of this leader."""
    figure = None if leader == position.to_move else leader
    levels: list[list[Position]] = [[] for _ in range(position.ip + 1)]
    levels[-1].append(position)
    found: dict[tuple[str | None, tuple[int, ...]], int] = {}
    for left in range(position.ip, -1, -1):
        for now in levels[left]:
            if (now.place_of(leader), now.fleets) in found:
                continue
            found[now.place_of(leader), now.fleets] = position.ip - left
            for action in rules.legal_actions(now):
                if action.kind in WAYS and (action.kind is Kind.SAIL or action.figure == figure):
                    after = rules.play(now, action)
                    assert isinstance(after, Position)
                    levels[after.ip].append(after)
    return {(place, fleets): ip for (place, fleets), ip in found.items() if place is not None}


@pytest.mark.parametrize("position", TURNS[::3], ids=str)
def test_each_price_is_that_of_the_cheapest_way(position: Position) -> None:
    """The IP to be there by entering, moving and sailing, where there is enough for the attack too."""
    ways = {leader: paid_to_be(position, leader) for leader in (position.to_move, "dux")}
    for seen in attacked(position):
        for attack in seen.attacks:
            found = [
                ip
                for (place, fleets), ip in ways[attack.leader].items()
                if place == attack.origin and (seen.fleet is None or seen.fleet in fleets)
            ]
            enough = [ip for ip in found if ip + attack.ip_to_attack <= position.ip]
            assert attack.ip_to_be_there == min(enough, default=None)


def test_the_kinds_of_fights_are_all_met() -> None:
    """So that no test above is about nothing."""
    met = Counter[str]()
    for position in TURNS:
        for seen in attacked(position):
            met["pirates"] += seen.army == PIRATES
            met["rebels"] += seen.fleet is not None
            met["paid"] += any(attack.with_discs for attack in seen.attacks)
            met["dux"] += any(attack.leader == "dux" for attack in seen.attacks)
            met["goths"] += any(attack.battle.bonus for attack in seen.attacks)
    assert min(met[name] for name in ("pirates", "rebels", "paid", "dux", "goths")) >= 2, met


@cache
def small_turns(names: str) -> list[Position]:
    """Turns in which somebody can wait for an army, and the phase is small for every policy."""
    found: list[Position] = []
    for position in positions(names, 150):
        if len(found) == 3:
            break
        state = fast.to_state(position)
        if not position.armies or position.is_shared:
            continue
        asked = [(number,) if names else () for number in range(2)]
        kernel = fast.kernel_of(position)
        if max(kernel.phase(state, *one)["visits"] for one in asked) > 250:
            continue
        if any(seen.waits for seen in attacked(position)):
            found.append(position)
    return found


@pytest.mark.sampled(4)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "names", ["dux", "goths", "usurpator", "imperium", "barbaria", "dux goths imperium barbaria", ""]
)
def test_waiting_is_the_battle_of_the_kernels_phase(names: str, policy: str) -> None:
    """The kernel goes through the phase outcome by outcome and adds up its battles in doubles."""
    turns = small_turns(names)
    assert len(turns) == 3
    for position in turns:
        check_waiting(position, policy)


def check_waiting(position: Position, policy: str) -> None:
    """Hold each waiting of a position against the battles that the kernel adds up."""
    number = (list(POLICIES).index(policy),) if position.ruleset.extensions or position.rebels else ()
    for seen in fight(position, policy=policy).fights:
        for waiting in seen.waits:
            after = position.with_figure(waiting.leader, waiting.place)
            state = fast.to_state(after)
            leader = [*position.emperors, "dux"].index(waiting.leader)
            battles = fast.kernel_of(after).events(state, 0, *number)["battles"]
            met = battles.get((position.board.order[seen.army], leader), (0, 0, 0))
            assert waiting.exact is not None
            assert [float(chance) for chance in waiting.exact.values()] == pytest.approx(list(met), abs=1e-12)
            assert waiting.no_battle == 1 - sum(waiting.exact.values())


def test_rebels_do_not_come_and_require_a_fleet() -> None:
    """The Moorish rebels of a scenario (page 17): the fleet is part of the price, and nobody waits for them."""
    position = extended(
        "",
        {"rebels": {"libya": rebel_army(fleet=2)}},
        at={"diocletian": "cyrenaica"},
        armies="libya",
        revolts="libya",
        fleets=(3,),
    )
    (seen,) = fight(position).fights
    (attack,) = [attack for attack in seen.attacks if attack.origin == "cyrenaica"]

    assert (seen.fleet, seen.waits) == (2, ())
    assert (attack.ip_to_be_there, attack.ip_to_attack) == (1, 2)  # a fleet sails to zone 2; the link is broken
    objection = rules.objection(position, Action(Kind.ATTACK, "libya"))
    assert objection is not None and "zone 2" in objection


# -- under best play -----------------------------------------------------------------------------------------------


def constantius_waits(**more: object) -> Position:
    """An army comes to Constantius in the next phase; in his turn he stands in its way."""
    return extended(
        "imperium",
        to_move="constantius",
        at={"diocletian": "asia", "constantius": "aegyptus"},
        armies="libya",
        unrest="syria",
        ip=0,
        **more,
    )


def by_walking(position: Position, decide: Callable[[rules.Choice], int]) -> dict[tuple[str, str, Outcome], Fraction]:
    """The chance of each battle: every course of the phase up to the end of its battles, one by one."""
    found: Counter[tuple[str, str, Outcome]] = Counter()

    def follow(step: object, share: Fraction, depth: int) -> None:
        if isinstance(step, rules.Choice):
            follow(step.after(step.options[decide(step)]), share, depth)
            return
        if isinstance(step, Position | rules.Fall) or depth == 0:
            return
        roll = step.roll()  # type: ignore[attr-defined]  # a step with dice
        for faces, result in zip(roll.faces, roll.results, strict=True):
            part = share / len(roll.results)
            after, added = result, 0
            if isinstance(step, Clash):
                while isinstance(after, Boost) and (answer := decide(after)):
                    after, added = after.after(after.options[answer]), added + 1
                found[step.armies[0], step.general, step.fight.raised(added).outcome(*faces)] += part  # type: ignore[assignment]
            follow(after, part, depth - 1)

    follow(rules.begin(position), Fraction(1), 4)
    return dict(found)


@pytest.mark.parametrize("objective", ["p_lost", "most p_lost", "emperor@aegyptus=1", "emperor=-1", "least e_revolts"])
def test_waiting_under_best_play_is_what_its_decisions_lead_to(objective: str) -> None:
    """One army, one battle: walked through with the decisions that best play says, without the chain of the library."""
    position = constantius_waits()
    (seen,) = fight(position, policy="best", objective=objective).fights
    assert seen.waiting is not None and seen.waiting.exact is not None
    aim = read_wanted(objective, position.board).aim(Fraction(0))
    met = by_walking(position, best_phase(position, aim).decide)
    assert seen.waiting.exact == {
        outcome: met.get(("libya", "constantius", outcome), Fraction(0)) for outcome in Outcome
    }


def test_who_wants_no_battle_blocks_the_army_if_a_disc_is_worth_it() -> None:
    """Constantius can block each army that comes for a disc (page 14)."""
    position = constantius_waits()
    here = "emperor=10"  # his life is worth 10
    (declined,) = fight(position).fights
    (free,) = fight(position, policy="best", objective=here).fights
    (dear,) = fight(position, policy="best", objective=here, price=20).fights
    assert declined.waiting is not None and free.waiting is not None and dear.waiting is not None
    assert declined.waiting.exact is not None and declined.waiting.exact[Outcome.DEFEAT] > 0
    assert free.waiting.no_battle == 1
    assert dear.waiting.exact == declined.waiting.exact


def test_a_phase_too_large_for_best_play_says_so() -> None:
    position = constantius_waits()
    found = fight(position, policy="best", most_states=5)
    (seen,) = found.fights
    assert seen.waiting is not None and seen.waiting.is_too_large and seen.waiting.exact is None
    assert found.status == "complete" and (found.policy, str(found.wanted)) == ("best", "p_lost")
    assert "too many decisions for exact best play; decline or eager give exact chances" in str(found)


def test_what_cannot_be_asked_of_a_fight_is_refused() -> None:
    with pytest.raises(ArgumentError, match="expected one of decline, eager, best"):
        fight(extended("imperium"), policy="worst")
    with pytest.raises(ArgumentError, match="policy='best' with it"):
        fight(extended("imperium"), objective="p_lost")
    with pytest.raises(ArgumentError, match="price"):
        fight(extended("imperium"), policy="best", price=-1)
    with pytest.raises(ObjectiveError, match="expected p_lost"):
        fight(extended("imperium"), policy="best", objective="glory")
    with pytest.raises(RulesetError, match="leaves nothing to decide"):
        fight(extended("dux"), policy="best")
