"""Plans by what comes after the phase with modules, where all who decide play best, against all policies by the reference rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import count, islice

import pytest
from moduleplans import agree, cases
from moduleturns import positions

from tetrasolve.errors import ObjectiveError, OutOfTimeError
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.contest import TooManyStatesError
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.plan import Status, plan, policies, prospect, read_objective
from tetrasolve.tetrarchia.plan.answer import DisagreementError
from tetrasolve.tetrarchia.plan.expect import best_turn
from tetrasolve.tetrarchia.plan.graph import turn_of
from tetrasolve.tetrarchia.plan.objective import LeastRisk, MostExpected
from tetrasolve.tetrarchia.plan.prospect import Prospects, prospect_of
from tetrasolve.tetrarchia.plan.replay import endings, value_at
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.optimum import Aim, best_phase

WEIGHTS = "revolt=-3 unrest=-1 garrison=1 army=-5 emperor=1 constant=2 won=100 fallen=-60"
SETS = ("barbaria", "imperium", "barbaria imperium", "dux", "goths usurpator roma-aeterna", "pirates vicarius", "")
FEW = 60  # turn states, and ways through each phase
A_FEW_DISCS_DECIDE = (
    (
        "4121+barbaria M:b nor/-/-/rom 2 - rom.sic.tin.bae.gla.tar.rha.psu.nor.dac.epi.syr.cil.cap.asi.bit.aeg.cyr.tri.num.afr gin "
        'bel.nar.min.per/-/msu.mac.cae/lug.aqu barbarian_discs={"black":0,"gray":1}'
    ),
    (
        "4120+barbaria D:b nar/-/bel/tin 3 bit.gae cis.sic.sar.tin.bae.gla.tar.gin.lug.rha.nor.pin.msu.mac.syr.bit.aeg.tri.num.afr "
        'rom.cil -/car.gsu.nar.cyr/aqu.dac.epi/cae barbarian_discs={"black":0,"gray":2}'
    ),
)
FEW_STATES = 3_000  # of a phase with choices


def small_turns(extensions: str) -> Iterator[Position]:
    """Turns with few states before phases that the reference rules solve at once; each is found once."""
    found, rest = _small_turns(extensions)
    for number in count():
        if number == len(found):
            found.append(next(rest))
        yield found[number]


@cache
def _small_turns(extensions: str) -> tuple[list[Position], Iterator[Position]]:
    return [], _found(extensions)


def _found(extensions: str) -> Iterator[Position]:
    for position, _ in cases(extensions, 1):
        if not position.rules_in_use:
            continue
        kernel, turn = fast.kernel_of(position), turn_of(position)
        if turn.nodes > FEW:
            continue
        states = [turn.state(node) for node in range(turn.nodes) if turn.may_end(node)]
        states = [state for state in states if state.result == whole.OPEN]
        visits = [kernel.phase(state)["visits"] for state in states]
        ends = (fast.to_position(state, position.board, position.ruleset) for state in states)
        if visits and max(visits) <= FEW and all(map(is_small, ends)):
            yield position


def is_small(position: Position) -> bool:
    """Whether the phase has few states however its choices are answered."""
    end = position.replace(phase=Phase.BARBARIAN, ip=0)
    if not WITH_CHOICES & position.ruleset.extensions or end.status():
        return True
    try:
        best_phase(end, Aim("p_lost", barbarian_most=True, rome_most=False), most_states=FEW_STATES)
    except TooManyStatesError:
        return False
    return True


def test_progress_is_reported_while_the_phase_after_an_end_is_solved(monkeypatch):
    """Before each end whose phase takes long, not after some dozens of them."""
    monkeypatch.setattr(policies, "REPORT_AFTER", 0)
    ends: list[tuple[int, int]] = []
    for position in small_turns("barbaria"):
        stated: list[tuple[str, int, int]] = []
        plan(position, "least p_lost", progress=lambda *row, stated=stated: stated.append(row))
        ends = [(done, total) for what, done, total in stated if what == "turn ends"]
        if len(ends) > 1:
            break
    assert ends == [(done, ends[0][1]) for done in range(ends[0][1])]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", [2, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("extensions", SETS)
def test_plans_for_what_comes_equal_those_of_all_policies(extensions: str, number: int) -> None:
    texts = [f"most expected {WEIGHTS}", "least p_lost", "least e_revolts", "least p_uprising then least p_lost"]
    for index, position in enumerate(islice(small_turns(extensions), number)):
        agree(position, texts[index % len(texts)])
        agree(position, texts[0])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("extensions", SETS)
def test_the_best_turn_is_that_of_the_plan(extensions: str) -> None:
    """Exact; and its interval holds the value."""
    for position in islice(small_turns(extensions), 2):
        found = plan(position, f"most expected {WEIGHTS}")
        assert found.values is not None
        exact, rounded = best_turn(position, WEIGHTS, exact=True), best_turn(position, WEIGHTS)
        assert exact.status is Status.OPTIMAL_PROVED
        assert exact.value == Exact(found.values[0])
        assert isinstance(rounded.value, Interval)
        assert rounded.value.low <= found.values[0] <= rounded.value.high
        assert rounded.value.high - rounded.value.low == rounded.within < Fraction(1, 10**4)
        ends = endings(position, rounded.plan)
        term = read_objective(f"most expected {WEIGHTS}", position.board).terms[0]
        assert rounded.value.low - rounded.within <= sum(share * value_at(term, end, 0) for share, end, _ in ends)


def test_expectations_without_choices_are_sums_over_outcomes() -> None:
    """A third way, which knows no decisions."""
    term = read_objective(f"most expected {WEIGHTS}").terms[0]
    assert isinstance(term, MostExpected)
    for position in islice(small_turns("dux"), 4):
        end = position.replace(phase=Phase.BARBARIAN, ip=0)
        if end.status() or end.is_won:
            continue
        by_hand = sum((share * term.evaluation.of(after) for after, share in rules.outcomes(end).items()), Fraction(0))
        assert value_at(term, end, 0) == by_hand


def test_the_worst_barbarian_is_no_better_than_one_who_follows_a_policy() -> None:
    """What he reaches by declining or by spending eagerly is at most what he reaches at best; and he gains by it here."""
    gains = 0
    for position in (*map(Position.parse, A_FEW_DISCS_DECIDE), *islice(small_turns("barbaria"), 3)):
        end = position.replace(phase=Phase.BARBARIAN, ip=0)
        if end.status() or end.is_won:
            continue
        worst = value_at(LeastRisk("p_lost"), end, 0)
        for decide in (rules.decline, rules.eager):
            lost = rules.outcomes(end, decide).probability(lambda after: isinstance(after, Fall))
            assert lost <= worst
            gains += lost < worst
    assert gains == 2 * len(A_FEW_DISCS_DECIDE)


def test_a_kernel_that_is_wrong_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its interval must hold the fraction of the reference rules."""
    position = next(one for one in small_turns("barbaria") if one.gray)
    true = whole.best_phase

    def shifted(*args: object, **kwargs: object) -> object:
        found = true(*args, **kwargs)  # type: ignore[arg-type]  # passed on
        return {**found, "value": found["value"] + 1e-6}

    monkeypatch.setattr(whole, "best_phase", shifted)
    with pytest.raises(DisagreementError, match="by the reference rules"):
        plan(position, "least p_lost")


def test_phases_too_large_for_fractions_leave_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan is the best by the kernel's intervals, and its status says that nothing is proved."""
    for position in (one for one in small_turns("barbaria") if one.gray):
        exact = plan(position, f"most expected {WEIGHTS}").values
        assert exact is not None
        prospect._solved.cache_clear()
        monkeypatch.setattr(prospect, "MOST_STATES", 1)
        found = plan(position, f"most expected {WEIGHTS}")
        if found.status is Status.FEASIBLE:  # a single end is the best one whatever its value
            break
        monkeypatch.undo()
    assert found.status is Status.FEASIBLE
    assert found.values is None and found.bounds is not None and found.bounds[0] is not None
    assert 0 <= found.bounds[0] - exact[0] < Fraction(1, 10**4)
    assert best_turn(position, WEIGHTS, exact=True).status is Status.FEASIBLE
    assert str(found)


def test_figures_without_a_known_best_play_are_refused() -> None:
    position = next(positions("barbaria", 1, 3))
    assert WITH_CHOICES & position.ruleset.extensions
    assert prospect_of(LeastRisk("p_new_army"), position) is None
    with pytest.raises(ObjectiveError, match="expected one of these"):
        plan(next(small_turns("barbaria")), "least e_uprisings")


def test_no_phase_is_looked_at_after_the_deadline() -> None:
    """Ends that are not known have trivial bounds, which hold the value."""
    position = next(one for one in small_turns("imperium"))
    term = read_objective(f"most expected {WEIGHTS}", position.board).terms[0]
    wanted = prospect_of(term, position)
    assert wanted is not None
    turn = turn_of(position)
    node = next(node for node in range(turn.nodes) if turn.may_end(node) and turn.state(node).result == whole.OPEN)
    prospects = Prospects(position, wanted, prospect.Watch())
    prospects.closed = True
    far = prospects.at(node, turn.state(node))
    assert prospects.phases == 0
    assert far.low < far.exact() < far.high
    over = Stop()
    over.set()
    with pytest.raises(Stopped):
        wanted.exact(position.replace(phase=Phase.BARBARIAN, ip=0), over)
    with pytest.raises(OutOfTimeError):
        best_turn(position, WEIGHTS, cancel=over)
