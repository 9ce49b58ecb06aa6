"""Games at random with any modules, variants and scenarios: what holds after every step."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from moduletable import random_start
from tabletop import random_action

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, Outcome
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, RandomDice

GAMES = 40
TURNS = 14


@cache
def game(seed: int) -> tuple[tuple[Position, str, Position | Fall], ...]:
    """What happened in one game: each position with the action or phase that followed, and what came of it."""
    random, dice = Random(f"modules {seed}"), RandomDice(f"modules {seed}")
    now: Position | Fall = random_start(random)
    history = []
    turns = 0
    while isinstance(now, Position) and turns < TURNS and not now.is_won:
        before = now
        if before.phase is Phase.BARBARIAN:
            now = rules.sample(before, dice)
            history.append((before, "phase", now))
            turns += 1
        else:
            action = random_action(before, random)
            if action is None:
                break
            now = rules.play(before, action)
            history.append((before, str(action), now))
    return tuple(history)


@pytest.fixture(params=range(GAMES))
def steps(request):
    return game(request.param)


def test_every_position_can_occur(steps):
    """No rule leads to a position with a reason against it, and both written forms keep it."""
    for before, what, after in steps:
        if isinstance(after, Position):
            assert after.status() == (), (str(before), what, [str(reason) for reason in after.status()])
            assert Position.parse(str(after)) == after
        assert Position.from_json(before.to_json()) == before


def test_discs_and_figures_are_conserved(steps):
    """Nothing is lost or made: discs, fleets and armies are on the board, in front of somebody, or in the reserve."""
    for before, what, after in steps:
        if not isinstance(after, Position):
            continue
        assert after.reserve_revolts + len(after.revolts) + after.black == 21
        assert after.reserve_unrest + len(after.unrest) + sum(after.glory.values()) + after.gray == 21
        assert min(after.reserve_revolts, after.reserve_unrest, after.reserve_armies) >= 0
        assert all(after.reserve_garrisons(emperor) >= 0 for emperor in after.emperors)
        assert len(after.fleets) == len(before.fleets)
        now_and_then = {"passing", "power", "rebels"}
        assert set(after.pieces.plain()) - now_and_then == set(before.pieces.plain()) - now_and_then
        assert all(after.removed[emperor] >= paid for emperor, paid in before.removed.items())
        assert after.rebels.items() <= before.rebels.items()
        assert after.ruleset == before.ruleset
        for figure in ("dux", "vicarius"):
            if before.pieces.plain().get(figure) == "dead":
                assert after.pieces.plain()[figure] == "dead", what
            if before.pieces.plain().get(figure) is None and figure in before.pieces.plain():
                assert after.pieces.plain()[figure] is None or what.startswith(f"deploy {figure}")


def test_actions_cost_what_they_say(steps):
    """The price is paid and nothing else, and the text of an action means that action."""
    for before, what, after in steps:
        if what == "phase" or not isinstance(after, Position):
            continue
        action = rules.parse(before, what)
        assert str(action) == what
        price = rules.cost(before, action)
        assert 0 <= price <= before.ip
        if after.phase is Phase.ROMAN:
            gained = action.kind is Kind.IMPERIUM and before.to_move == "maximian"
            assert after.ip == before.ip - price + gained
        else:
            assert action.kind is Kind.END or action.outcome is Outcome.DEFEAT


def test_what_is_listed_is_what_meets_no_objection(steps):
    """Every listed action is legal, nothing is listed twice, and somebody always can do something or stop."""
    for before, what, _ in steps[:60]:
        if what == "phase":
            continue
        listed = rules.legal_actions(before)
        assert len(set(listed)) == len(listed)
        assert all(rules.objection(before, action) is None for action in listed)
        assert listed or rules.may_end(before)
        if before.is_shared:
            mover = None if before.passing == before.to_move else before.passing
            assert {(action.kind, action.figure) for action in listed} == {(Kind.MOVE, mover)}
            assert not rules.may_end(before)


def test_the_games_meet_every_kind_of_action():
    """Together they are games with everything in them."""
    met = Counter(
        (action.kind, action.figure)
        for number in range(GAMES)
        for before, what, _ in game(number)
        if what != "phase"
        for action in [rules.parse(before, what)]
    )

    for kind in (Kind.MOVE, Kind.REMOVE, Kind.REDUCE, Kind.ATTACK):
        assert met[kind, None]
    assert met[Kind.MOVE, "dux"] and met[Kind.MOVE, "vicarius"]
    assert met[Kind.DEPLOY, "dux"] and met[Kind.DEPLOY, "vicarius"]
    assert met[Kind.TRANSFER, None]
    assert met[Kind.IMPERIUM, None] and met[Kind.MOVE, "galerius"]


def quick_phases() -> list[tuple[Position, Position | Fall]]:
    """A phase of each of the ten games that have the least to follow: few armies, few discs."""

    def work(phase):
        return 4 * len(phase[0].armies) + len(phase[0].discs)

    each = [[(before, after) for before, what, after in game(number) if what == "phase"] for number in range(GAMES)]
    return sorted((min(phases, key=work) for phases in each if phases), key=work)[:10]


def test_a_phase_rolled_is_one_that_the_distribution_knows():
    """The result of the dice is among the exact results, whose chances add up to one."""
    for before, after in quick_phases():
        ends = rules.outcomes(before)

        assert sum(chance for _, chance in ends.items()) == 1
        assert ends[after] > 0
        assert rules.uprising_chance(before) == rules.figures(before).p_uprising
