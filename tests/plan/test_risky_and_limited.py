"""Terms that look at the coming phase, constraints and stated attacks, against all policies tried out."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from bruteforce import Best, solve
from scatter import scattered

from tetrasolve.errors import IllegalActionError, ObjectiveError
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import Kind, Outcome, attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.plan import PlanResult, Status, plan, read_attacks, read_objective
from tetrasolve.tetrarchia.plan.objective import RISKS, natural
from tetrasolve.tetrarchia.plan.replay import carry_out, risk_at
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = list(all_levels())
MOST_VISITS = 400  # of a phase, so that the reference rules solve the phases of all ends in a moment


def _positions(name: str, count: int, most_ip: int) -> list[Position]:
    random = Random(name)
    found: list[Position] = []
    while len(found) < count:
        recipe = random.choice(("mixed", "quiet", "invasion", "before Roma", "last discs"))
        position = scattered(recipe, random.choice(LEVELS), random, Board.standard())
        if position.here is None or position.status() or position.is_won:
            continue
        position = position.replace(ip=min(position.ip, random.randint(1, most_ip)))
        legal = rules.legal_actions(position)
        fights = any(action.kind is Kind.ATTACK for action in legal)
        if not rules.may_end(position) or len(legal) < 2 or (len(found) % 2 and not fights):
            continue
        kernel = fast.kernel_for(position.board, position.ruleset)
        if kernel.phase(fast.to_state(position))["visits"] <= MOST_VISITS:
            found.append(position)
    return found


def _same(found: PlanResult, best: Best) -> None:
    """The result is that of the brute search."""
    terms = found.objective.terms
    assert found.status is not Status.FEASIBLE
    assert found.values == tuple(natural(t, v) for t, v in zip(terms, best.first[1:], strict=True))
    assert found.optimal_ends == len(best.ends)
    if best.second is None:
        assert found.runner_up is None
    else:
        assert found.runner_up_values == tuple(natural(t, v) for t, v in zip(terms, best.second[1:], strict=True))


@pytest.mark.parametrize("figure", RISKS)
@pytest.mark.parametrize("position", _positions("risks", 6, most_ip=2), ids=str)
def test_least_risk_is_that_of_all_policies(position: Position, figure: str) -> None:
    """Each figure of the coming phase, alone and behind a goal, has the least value that any policy has."""
    near = min(position.board.neighbours(position.here or position.board.roma))
    for text in (f"least {figure}", f"reach {near} then least {figure} then least e_revolts"):
        _same(plan(position, text), solve(position, read_objective(text)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("position", _positions("expected", 6, most_ip=2), ids=str)
def test_most_expected_is_that_of_all_policies(position: Position) -> None:
    """An evaluation of the position after the phase, first and behind another term."""
    weights = "revolt=-3 unrest=-1 garrison@borders=9 army=-6 emperor:galerius=2 constant=3 won=500 fallen=-100"
    for text in (f"most expected {weights}", f"most value garrison=1 then most expected {weights} then least p_lost"):
        _same(plan(position, text), solve(position, read_objective(text)))


def test_some_of_these_have_attacks_that_branch() -> None:
    """Or nothing was tested of dice before the dice of the phase."""
    position = example("fight").replace(ip=2)
    for figure in RISKS:
        _same(plan(position, f"least {figure}"), solve(position, read_objective(f"least {figure}")))
    text = "most expected army=-9 revolt=-1"
    _same(plan(position, text), solve(position, read_objective(text)))
    assert any(plan(position, f"least {figure}").plan.fork for figure in RISKS)


def test_a_lost_phase_counts_as_full_of_revolts() -> None:
    """Or a plan could lower the expected revolts by losing."""
    position = example("fight")
    figures = rules.figures(position)
    assert risk_at("e_revolts", position) == figures.e_revolts + REVOLTS * figures.p_lost


CONSTRAINTS = (
    "end in {near}, roma",
    "do not end in {here}",
    "do not end in {here} and keep 2 garrisons",
    "keep {all} garrisons and spend at most 2",
    "spend at most 1",
    "end in {far}",
)


@pytest.mark.parametrize("limit", CONSTRAINTS)
@pytest.mark.parametrize("position", _positions("limits", 5, most_ip=4), ids=str)
def test_constraints_hold_at_every_end(position: Position, limit: str) -> None:
    """The best of the policies that keep to a constraint; where none does for certain, that is proved."""
    here = position.here
    assert here is not None
    near = max(position.board.neighbours(here))
    named = limit.format(
        near=near, here=here, all=position.ruleset.garrisons, far="persia" if here != "persia" else "libya"
    )
    text = f"most value revolt=-3 unrest=-1 garrison=1 army=-5 subject to {named}"
    best = solve(position, read_objective(text))

    found = plan(position, text)

    _same(found, best)
    if best.first[0] == 1:
        assert found.status is Status.OPTIMAL_PROVED
        limits = found.objective.constraint
        assert all(isinstance(end, Position) and limits.is_met(end, paid) for _, end, paid in found.ends)
    else:
        assert found.status is Status.INFEASIBLE_PROVED


def _stated(position: Position, random: Random) -> Stated:
    return tuple((army, random.choice(list(Outcome))) for army in position.armies if random.random() < 0.8)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("position", _positions("stated", 20, most_ip=4), ids=str)
def test_stated_attacks_are_the_only_ones(position: Position) -> None:
    """With a stated outcome for each attack the best row of actions is that of all rows."""
    stated = _stated(position, Random(str(position)))
    armies = ", ".join(position.armies) or "roma"
    for text in (
        f"kill {armies} then most value revolt=-2 garrison=1",
        "most value army=-9 emperor@borders=4 unrest=-1",
    ):
        found = plan(position, text, attacks=stated)
        _same(found, solve(position, read_objective(text), stated))
        assert found.plan is not None and found.plan.fork is None
        assert carry_out(position, found.plan.steps, stated)[1] == found.values[-1]


def test_policies_are_counted() -> None:
    """As many as there are ways to decide everything, counted by the reference rules."""

    def count(position: Position) -> int:
        if position.phase is not example("fight").phase or position.is_won:
            return 1
        ways, fights = int(rules.may_end(position)), dict[str, int]()
        for action in rules.legal_actions(position):
            after = count(rules.play(position, action))
            if action.outcome is None:
                ways += after
            else:
                assert action.place is not None
                fights[action.place] = fights.get(action.place, 1) * after
        return ways + sum(fights.values())

    position = example("fight").replace(ip=4)
    assert plan(position, "least ip").policies == count(position) > 1000


def test_attacks_are_read() -> None:
    """Dice, none, or outcomes by province; what cannot be meant is refused."""
    assert read_attacks("dice") is None
    assert read_attacks("None") == ()
    assert read_attacks("draw@narbonensis, victory@rhaetia") == (
        ("narbonensis", Outcome.DRAW),
        ("rhaetia", Outcome.VICTORY),
    )
    for text in ("win@rhaetia", "victory@atlantis", "victory", "", "victory@rha, draw@rha"):
        with pytest.raises(ObjectiveError):
            read_attacks(text)


def test_an_attack_that_is_not_stated_is_refused() -> None:
    """The replay of a plan without dice takes no outcome for granted."""
    with pytest.raises(IllegalActionError, match="stated"):
        carry_out(example("fight"), [attack("narbonensis", Outcome.VICTORY)], ())


def test_out_of_time_is_feasible_with_a_bound() -> None:
    """A search that is stopped says what it has: a plan that was replayed, and what no plan can be better than."""
    best = plan(example("movement"), "reach roma then least e_revolts")
    found = plan(example("movement"), "reach roma then least e_revolts", seconds=0.0)

    assert found.status is Status.FEASIBLE
    assert found.values is not None and found.bounds is not None and best.values is not None
    assert found.values[0] == found.bounds[0] == best.values[0] == 1
    assert found.values[1] >= best.values[1] >= (found.bounds[1] or Fraction(0))
    assert found.bounds[2] is None
