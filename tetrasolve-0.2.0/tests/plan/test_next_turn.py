"""Goals of the next Emperor's turn: the kernel's values are those of trying out both turns by the reference rules."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from tabletop import make_position

from tetrasolve.errors import ObjectiveError
from tetrasolve.puzzles.ranked import Verdict
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan import plan, read_objective
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.plan.nextturn import best_next, next_turn
from tetrasolve.tetrarchia.plan.objective import Goal, NextGoal
from tetrasolve.tetrarchia.plan.replay import next_chance
from tetrasolve.tetrarchia.position import Phase, Position, start_of_turn
from tetrasolve.tetrarchia.puzzle import unique
from tetrasolve.tetrarchia.puzzle.collection import select, shipped
from tetrasolve.tetrarchia.puzzle.kinds import kind
from tetrasolve.tetrarchia.rules import Fall

BOARD = Board.standard()
MARCH = "4211 C:1 aeg/cil/aqu/gae 23 per bae.lus.car.gla.tar.aqu.pin.msu.num lug syr/-/-/-"
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


def short(position: Position, ip: int, monkeypatch: pytest.MonkeyPatch) -> Position:
    """The same with so few IP in the next turn that everything can be tried out."""

    def begun(end: Position, emperor: str) -> Position:
        return start_of_turn(end, emperor).replace(ip=ip)

    monkeypatch.setattr("tetrasolve.tetrarchia.plan.nextturn.start_of_turn", begun)
    return position


@pytest.mark.parametrize(
    ("text", "goal"),
    [(MARCH, "next reach cappadocia"), (MARCH, "next clear aquitania"), (SUPPORT, "next kill germania_magna")],
)
def test_both_turns_are_as_good_as_trying_out_everything_says(
    text: str, goal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = short(Position.parse(text), 2, monkeypatch)
    objective = read_objective(goal)
    term = objective.terms[0]
    assert isinstance(term, NextGoal)
    found = plan(position, objective)
    assert found.values is not None
    assert found.values[0] == best(position, term.goal, 2)
    answer = unique(position, objective)
    assert answer.values == found.values


@pytest.mark.parametrize("targets", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "module", ["dux", "vicarius", "goths", "pirates", "mare-nostrum", "via-romana", "imperium", "barbaria"]
)
def test_turns_with_modules_have_a_next_one(module: str, targets: int, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = (entry.question.position for _, entry in select(shipped(), module=module))
    whole = (position for position in entries if all(position.emperors.values()) and len(position.emperors) == 4)
    position = next(whole)
    start = short(position.replace(ip=min(position.ip, 1)), 1, monkeypatch)
    for target in sorted(start.revolts)[:targets]:
        found = plan(start, f"next clear {target}")
        assert found.values is not None
        assert found.values[0] == best(start, Goal(clear=frozenset({target})), 2)


def test_the_text_is_read_and_what_is_none_is_refused() -> None:
    objective = read_objective("NEXT secure Sarmatia and clear dacia")
    assert str(objective) == "next secure sarmatia and clear dacia then least ip"
    assert not objective.is_deterministic
    for text in ("next", "next least ip", "next next secure sarmatia", "next conquer gaul"):
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
    assert next_chance(goal, Fall.NO_UNREST_LEFT) == 0
    won = make_position(
        at={"diocletian": "roma"},
        garrisons={"galerius": " ".join(sorted(BOARD.borders)[:3]), "maximian": " ".join(sorted(BOARD.borders)[3:])},
        board=BOARD,
        legal=False,
    )
    assert won.is_won and next_chance(goal, won) == 1
    assert best_next(goal, won)[1] is None


def test_a_flag_ends_it() -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        best_next(Goal(reach=frozenset({"roma"})), Position.parse(MARCH), stop)


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
