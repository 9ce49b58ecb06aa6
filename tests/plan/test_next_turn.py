"""Goals of the turns that follow: the kernel's values are those of trying out all these turns by the reference rules."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from tabletop import make_position

from tetrasolve.errors import ObjectiveError, OutOfTimeError, TooLargeError
from tetrasolve.puzzles.ranked import Verdict
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan import Status, plan, read_objective, replay
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.plan.graph import turn_of
from tetrasolve.tetrarchia.plan.nextturn import (
    LEAST_OF_A_TURN,
    MOST_SITUATIONS,
    Following,
    next_turn,
    open_ends,
    situations,
)
from tetrasolve.tetrarchia.plan.objective import Goal, NextGoal
from tetrasolve.tetrarchia.plan.policies import Watch
from tetrasolve.tetrarchia.plan.replay import Ending, endings, next_chance
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position, start_of_turn
from tetrasolve.tetrarchia.puzzle import unique
from tetrasolve.tetrarchia.puzzle.collection import select, shipped
from tetrasolve.tetrarchia.puzzle.kinds import kind
from tetrasolve.tetrarchia.puzzle.unique import Search, Uniqueness
from tetrasolve.tetrarchia.rules import Fall

BOARD = Board.standard()
MARCH = "4211 C:1 aeg/cil/aqu/gae 23 per bae.lus.car.gla.tar.aqu.pin.msu.num lug syr/-/-/-"
FEW = "4211 M:1 lug/rha/etr/pin 23 gma bae.rha - -/-/-/-"
LATER = "4211 M:1 lug/bae/rha/pin 23 gma bae.rha - -/-/-/-"
SUPPORT = (
    "4211 G:1 syr/pin/sic/afr 23 gma.per bae.lus.car.gla.tar.dac.min.msu.thr.mac.epi.aeg.cyr lug.asi.num "
    "tin.syr.cil/-/luc.aqu/etr.psu"
)


@cache
def best(state: Position | Fall, goal: Goal, turns: int) -> Fraction:
    """The best chance of a goal after so many turns with nothing between them, by trying out everything."""
    if isinstance(state, Fall):
        return Fraction(0)
    if state.is_won or state.phase is not Phase.ROMAN:
        if turns == 1 or state.is_won:
            return Fraction(goal.is_met(state))
        return best(next_turn(state), goal, turns - 1)
    found = []
    if rules.may_end(state):
        end = rules.play(state, END)
        assert isinstance(end, Position)
        met = Fraction(goal.is_met(state)) if turns == 1 else best(next_turn(state), goal, turns - 1)
        found.append(met)
    seen = set()
    for action in rules.legal_actions(state):
        if action.kind is not Kind.ATTACK:
            found.append(best(rules.play(state, action), goal, turns))
        elif (action.place, action.figure) not in seen:
            seen.add((action.place, action.figure))
            assert action.place is not None
            faces = rules.attack_roll(state, action.place, action.figure).results
            found.append(sum((best(rules.play(state, face), goal, turns) for face in faces), Fraction(0)) / len(faces))
    return max(found)


def short(position: Position, ip: str, monkeypatch: pytest.MonkeyPatch) -> Position:
    """The same with so few IP in the turns of Diocletian, Galerius, Constantius and Maximian that everything can be tried out."""

    def begun(end: Position, emperor: str) -> Position:
        return start_of_turn(end, emperor).replace(ip=int(ip[[*end.emperors].index(emperor)]))

    monkeypatch.setattr("tetrasolve.tetrarchia.plan.nextturn.start_of_turn", begun)
    return position


@pytest.mark.parametrize(
    ("text", "goal", "ip"),
    [
        (MARCH, "next reach cappadocia", "2222"),
        (MARCH, "next clear aquitania", "2222"),
        (SUPPORT, "next kill germania_magna", "2222"),
        (FEW, "next next kill germania_magna", "1200"),
        (LATER, "next next next kill germania_magna", "1020"),
    ],
)
def test_all_turns_are_as_good_as_trying_out_everything_says(
    text: str, goal: str, ip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = short(Position.parse(text), ip, monkeypatch)
    objective = read_objective(goal)
    term = objective.terms[0]
    assert isinstance(term, NextGoal)
    found = plan(position, objective)
    assert found.values is not None
    assert found.values[0] == best(position, term.goal, 1 + term.turns)
    answer = unique(position, objective)
    assert answer.values == found.values


@pytest.mark.sampled(2)
@pytest.mark.parametrize("targets", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "module", ["dux", "vicarius", "goths", "pirates", "mare-nostrum", "via-romana", "imperium", "barbaria"]
)
def test_turns_with_modules_have_a_next_one(module: str, targets: int, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = (entry.question.position for _, entry in select(shipped(), module=module))
    whole = (position for position in entries if all(position.emperors.values()) and len(position.emperors) == 4)
    position = next(whole)
    start = short(position.replace(ip=min(position.ip, 1)), "1111", monkeypatch)
    for target in sorted(start.revolts)[:targets]:
        found = plan(start, f"next clear {target}")
        assert found.values is not None
        assert found.values[0] == best(start, Goal(clear=frozenset({target})), 2)


def test_the_text_is_read_and_what_is_none_is_refused() -> None:
    objective = read_objective("NEXT secure Sarmatia and clear dacia")
    assert str(objective) == "next secure sarmatia and clear dacia then least ip"
    assert not objective.is_deterministic
    assert str(read_objective("next  Next NEXT reach roma")) == "next next next reach roma then least ip"
    assert read_objective("next next clear dacia").terms[0] == NextGoal(Goal(clear=frozenset({"dacia"})), 2)
    with pytest.raises(ObjectiveError, match="next is said 9 times: expected 8 turns or fewer"):
        read_objective("next " * 9 + "reach roma")
    for text in (
        "next",
        "next next",
        "next least ip",
        "next next least ip",
        "next conquer gaul",
        "nextnext reach roma",
    ):
        with pytest.raises(ObjectiveError):
            read_objective(text)
    with pytest.raises(ObjectiveError, match="dux"):
        plan(Position.parse(MARCH), "next deploy dux")


def test_a_power_that_was_used_is_over_in_the_next_turn() -> None:
    """Maximian has used his, and Diocletian comes next: without this, nobody could have paid for the one in use."""
    text = "4212+imperium M:6 dac/-/per/tin 12 - gla tri psu.gat.per/bae/rha/afr power=true"
    position = Position.parse(f'{text} removed={{"constantius":0,"diocletian":0,"galerius":0,"maximian":1}}')
    assert position.power_used and not next_turn(position).power_used and not next_turn(position).status()
    assert plan(position.replace(ip=1), "next secure dacia").values is not None


def test_certificates_do_not_cover_the_next_turn() -> None:
    with pytest.raises(ObjectiveError):
        certify(Position.parse(MARCH), "next reach cappadocia")


def test_after_a_fall_or_a_victory_there_is_no_next_turn() -> None:
    goal = Goal(secure=frozenset({"persia"}))
    assert next_chance(NextGoal(goal), Fall.NO_UNREST_LEFT) == 0
    won = make_position(
        at={"diocletian": "roma"},
        garrisons={"galerius": " ".join(sorted(BOARD.borders)[:3]), "maximian": " ".join(sorted(BOARD.borders)[3:])},
        board=BOARD,
        legal=False,
    )
    assert won.is_won and next_chance(NextGoal(goal), won) == 1


# All but Diocletian are off the board and cannot enter: the fourth turn from here is his own
ALONE = "3110?I-ENTRY-ROMA=no-disc D:3 aeg/-/-/- 3 lib - - cis.gin.pin/rom/-/-"
AGAIN = "next next next next kill libya"


def test_a_later_turn_is_replayed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three attacks end the turn in seven ways, but in three positions; each turn after these has ways that meet again."""
    begun = []

    def noted(position: Position | Fall, plan: Plan, paid: int = 0) -> list[Ending]:
        if isinstance(position, Position) and position.phase is Phase.ROMAN and position.ip == 6:
            begun.append(position)
        return endings(position, plan, paid)

    monkeypatch.setattr(replay, "endings", noted)
    found = unique(Position.parse(ALONE), AGAIN)
    assert found.values[0] == Fraction(7546285, 10077696)
    assert len(begun) == len(set(begun)) < len(found.ends) * 4


def test_a_flag_ends_the_replay_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is set when the search is complete."""
    cancel, result = Stop(), Search.result

    def late(search: Search) -> Uniqueness:
        cancel.set()
        return result(search)

    monkeypatch.setattr(Search, "result", late)
    with pytest.raises(OutOfTimeError):
        unique(Position.parse(ALONE), AGAIN, cancel=cancel)


@pytest.mark.parametrize("turns", [1, 3])
def test_a_flag_ends_it(turns: int) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        next_chance(NextGoal(Goal(reach=frozenset({"roma"})), turns), Position.parse(MARCH), stop)


def test_after_the_time_there_is_still_a_plan() -> None:
    found = plan(Position.parse(MARCH), "next next next reach cappadocia", seconds=0.3)
    assert found.status is Status.FEASIBLE and found.plan is not None and found.values is None


def test_a_turn_that_several_others_lead_to_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether Maximian or Diocletian removes a disc, what lies on the table is the same."""
    position = short(Position.parse(FEW), "1210", monkeypatch)
    ends = list(open_ends(position, turn_of(position)))
    once = sum(situations(ends, 2, 1000))
    assert sum(situations([*ends, *ends], 2, 1000)) == once
    every = [next_turn(end) for end in ends]
    second = [after for begun in every for after in open_ends(begun, turn_of(begun))]
    assert once < sum(turn_of(begun).nodes for begun in [*every, *map(next_turn, second)])
    search = Following(position, NextGoal(Goal(kill=frozenset({"germania_magna"})), 2), Watch())
    turn = turn_of(position)
    for node in filter(turn.may_end, range(turn.nodes)):
        search.chance(turn.state(node), 2)
    assert MOST_SITUATIONS - search.budget.left >= once  # where a turn has few, it counts as more
    assert len(search.known) == len(set(map(without_ip, ends))) + len(set(map(without_ip, second)))


def without_ip(end: Position) -> Position:
    return end.replace(ip=0)


def test_too_many_situations_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tetrasolve.tetrarchia.plan.nextturn.MOST_SITUATIONS", 50_000)
    for ask in (plan, unique):
        with pytest.raises(
            TooLargeError, match="'next next reach cappadocia': the turns that follow have more than 50,000"
        ):
            ask(Position.parse(MARCH), "next next reach cappadocia")


def test_the_limit_is_for_all_terms_and_keeps_large_turns_from_being_made(monkeypatch: pytest.MonkeyPatch) -> None:
    most = "tetrasolve.tetrarchia.plan.nextturn.MOST_SITUATIONS"
    one, other = "next reach cappadocia", "next clear aquitania"
    ends = list(open_ends(start := Position.parse(MARCH), turn_of(start)))
    once = sum(max(size, LEAST_OF_A_TURN) for size in situations(ends, 1, 10**6))
    monkeypatch.setattr(most, once)
    assert all(plan(start, goal).status is Status.OPTIMAL_PROVED for goal in (one, other))
    for limit, goals in ((2 * once - 1, f"{one} then {other}"), (once - 1, one), (10, one)):
        monkeypatch.setattr(most, limit)
        with pytest.raises(TooLargeError, match=f"more than {limit:,} situations"):
            plan(start, goals)
    sizes = list(situations(ends, 1, 50))
    assert sizes == [51], "no turn with more is made"


def test_goals_of_turns_that_are_mixed_up_have_other_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """One turn and three, or the turn of another Emperor: no two of these are the same question."""
    position = short(Position.parse(FEW), "1210", monkeypatch)
    words = ("kill germania_magna", *(f"{'next ' * turns}kill germania_magna" for turns in (1, 2, 3)))
    values = [found.values[0] for goal in words if (found := plan(position, goal)).values is not None]
    assert values == [0, 0, Fraction(2, 3), Fraction(2, 3)]


def test_the_puzzle_names_both_emperors_and_has_one_answer() -> None:
    question = kind("two-kill").question_about(Position.parse(SUPPORT), "germania_magna")
    assert question is not None
    assert str(question).startswith("Galerius moves, then Constantius; nothing happens in between.")
    assert question.said("es").startswith("Juega Galerio, después Constancio;")
    found = unique(question.position, question.objective)
    assert (found.verdict, str(found.plan), found.values[0]) == (Verdict.ONE_ANSWER, "move noricum", Fraction(35, 36))
    assert found.gap is not None and found.gap.amount == Fraction(1, 4)


def test_where_the_next_emperor_cannot_reach_it_there_is_no_solution() -> None:
    question = kind("two-secure").question_about(Position.parse(MARCH.replace("C:1", "C:0")), "germania_magna")
    assert question is not None
    found = unique(question.position, question.objective)
    assert found.verdict in (Verdict.NO_SOLUTION, Verdict.DECIDED)
