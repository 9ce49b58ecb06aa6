"""What decided: each reason recomputed by the reference rules, and a function of the position and the budget alone."""

from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Kind
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.hint import advice as advice_module
from tetrasolve.tetrarchia.hint import decisive as decisive_module
from tetrasolve.tetrarchia.hint.advice import BUDGETS, hint
from tetrasolve.tetrarchia.hint.decisive import before_last_moves, can
from tetrasolve.tetrarchia.hint.opinion import opinion
from tetrasolve.tetrarchia.hint.policy import value_of
from tetrasolve.tetrarchia.hint.prospects import Outlook, before_phase, prospects
from tetrasolve.tetrarchia.hint.reasons import NOTEWORTHY, percent
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.tree import Plan, read_plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

POSITIONS = [
    Position.parse(line)
    for line in Path(__file__).parent.joinpath("data", "positions.txt").read_text("utf-8").splitlines()
]
SMALL = [
    example("fight"),
    *(POSITIONS[n] for n in (0, 4, 7, 11, 12, 19, 34, 43, 48)),
]  # the reference rules solve their phases


def with_points(points):
    """The start of a turn with fewer IP, so that the reference rules can go through all of it."""

    def start(position, emperor):
        return position.replace(to_move=emperor, phase=Phase.ROMAN, ip=points)

    return start


@cache
def most(position, garrison, army):
    """The greatest chance to end the turn with a garrison there, or without the army, over all plans of the reference rules."""
    if isinstance(position, Fall):
        return Fraction(0)
    reached = position.has_garrison(garrison) if garrison else army not in position.armies
    if position.phase is not Phase.ROMAN or position.is_won:
        return Fraction(reached)
    found = [Fraction(reached)] if rules.objection(position, END) is None else []
    for action in rules.legal_actions(position):
        if action.kind is Kind.END:
            continue
        if action.kind is not Kind.ATTACK:
            found.append(most(rules.play(position, action), garrison, army))
            continue
        roll = rules.attack_roll(position, action.place, action.figure, action.payments)
        found.append(
            sum(
                (Fraction(share, 36) * most(rules.play(position, result), garrison, army)
                for result, share in Counter(roll.results).items()),
                Fraction(0),
            )
        )  # fmt: skip
    return max(found)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (Position.parse("4211 D:6 cyr/srm/rha/epi 23 gma bae car -/-/-/-"), "move libya"),
        (Position.parse("4211 M:6 srm/rha/cyr/epi 23 lib.gma bae car -/-/-/-"), "end"),
    ],
)
def test_what_the_next_emperors_can_do(monkeypatch, table, text):
    """The greatest chances, by all plans of the reference rules; with 2 IP a turn, so that these can be gone through."""
    monkeypatch.setattr(decisive_module, "start_of_turn", with_points(2))
    found = prospects(table, read_plan(text, table.board))
    ((_, end, _),) = found.ends
    known = can(table, found)
    order = [emperor.id for emperor in table.board.emperors]
    turn = order.index(table.to_move)
    expected = {}
    for emperor in (order[(turn + 1) % 4], order[(turn + 2) % 4]):
        start = with_points(2)(before_phase(end), emperor)
        for border in table.board.borders:
            if border not in start.secured:
                expected[emperor, "secure", border] = most(start, border, "")
        for army in start.armies:
            expected[emperor, "beat", army] = most(start, "", army)
    assert known == expected
    assert {what for (_, what, _), chance in known.items() if chance} == {"secure", "beat"}


def test_a_turn_that_is_too_large_is_left_out(monkeypatch):
    monkeypatch.setattr(decisive_module, "MOST_STATES", 10)
    assert can(example("fight"), prospects(example("fight"), Plan())) == {}


def test_decisions_after_the_dice_are_left_out():
    """Galerius, with Imperium, pays after the roll: nothing is said about his turn."""
    table = next(position for position in POSITIONS if "imperium" in position.rules_in_use)
    assert table.to_move == "diocletian"
    found = can(table, prospects(table, read_plan("enter roma", table.board)))
    assert {emperor for emperor, _, _ in found} == {"constantius"}


def test_nothing_comes_after_a_victory():
    """A plan that wins gives up nothing; against it another one has one thing to be said."""
    table = next(position for position in POSITIONS if hint(position, budget="greedy", top=1).best.prospects.p_won == 1)
    best, other, *_ = hint(table, budget="expectimax").advice
    assert {reason.kind for reason in best.reasons} <= {"wins", "secures", "frees", "subdues", "garrisons", "prevents"}
    (said,) = (reason for reason in other.reasons if "plan" in reason.data)
    assert said.text == "the best plan wins the game in this turn" and said.data["without"] == 1


def reference_figures(position, plan):
    """The chances of a fall, an uprising and a new army after a plan, by the reference rules."""
    sums = dict.fromkeys(("p_lost", "p_uprising", "p_new_army"), Fraction(0))
    for share, end, _ in endings(position, plan):
        if isinstance(end, Fall):
            sums["p_lost"] += share
        elif not end.is_won:
            found = rules.figures(before_phase(end))
            for name in sums:
                sums[name] += share * getattr(found, name)
    return sums


@pytest.mark.parametrize("table", SMALL, ids=lambda table: str(table)[:20])
def test_every_reason_that_decided_is_so(table):
    """Figures by the reference rules, pieces by replaying both plans, and the evaluation by the same search again."""
    found = hint(table, budget="expectimax")
    for rank, advice in enumerate(found.advice):
        ours = reference_figures(table, advice.plan)
        for reason in advice.reasons:
            data = reason.data
            if reason.kind in ("allows", "forgoes", "better", "worse", "gives_up"):
                other = read_plan(data["plan"], table.board)
                assert other == (found.advice[1] if rank == 0 else found.best).plan
                assert ("the runner-up" if rank == 0 else "the best plan") in reason.text
            match reason.kind:
                case "better" | "worse":
                    theirs = reference_figures(table, other)
                    assert (data["with"], data["without"]) == (ours[data["figure"]], theirs[data["figure"]])
                    assert (data["with"] < data["without"]) == (reason.kind == "better")
                    assert percent(data["with"]) in reason.text and percent(data["without"]) in reason.text
                case "allows" | "forgoes" if "emperors" in data:
                    known = [can(table, prospects(table, plan)) for plan in (advice.plan, other)]
                    keys = [
                        (emperor, data["what"], place) for emperor in data["emperors"] for place in data["provinces"]
                    ]
                    pairs = [[row[key] for key in keys] for row in known]
                    assert [set(pair) for pair in pairs] == [{data["with"]}, {data["without"]}]
                    assert abs(data["with"] - data["without"]) >= NOTEWORTHY
                    assert (data["with"] > data["without"]) == (reason.kind == "allows")
                    assert all(table.board[place].name in reason.text for place in data["provinces"])
                case "gives_up":
                    for fact in data["facts"]:
                        chances = [lies(table, plan, fact["fact"], fact["province"]) for plan in (advice.plan, other)]
                        assert chances == [Fraction(fact["with"]), Fraction(fact["without"])]
                case "risks":
                    assert data["chance"] == ours["p_lost"] >= Fraction(1, 1000)
                    ends = [end for _, end, _ in endings(table, advice.plan) if isinstance(end, Position)]
                    arrows = {army for end in ends for army in end.armies if end.board[army].arrow == end.board.roma}
                    assert table.rules_in_use or set(data["armies"]) == arrows
                    assert data["revolts"] == min(21 - len(end.revolts) for end in ends) or table.rules_in_use
                case "stands":
                    stays = before_last_moves(advice.plan)
                    candidates = [value_of(table, plan, BUDGETS["expectimax"]) for plan in (advice.plan, stays)]
                    here, there = (opinion(c, prospects(table, c.plan), table).value for c in candidates)
                    assert data["gain"]["value"] == pytest.approx(here - there, abs=1e-6)
                    theirs = reference_figures(table, stays)
                    assert {name: Fraction(data["without"][name]) for name in theirs} == theirs
                    ((_, end, _),), ((_, instead, _),) = endings(table, advice.plan), endings(table, stays)
                    assert (data["province"], data["instead_of"]) == (end.here, instead.here)
                    assert rank == 0


def lies(position, plan, fact, province):
    """The chance of a piece in a province at the end of a turn."""
    chance = Fraction(0)
    for share, end, _ in endings(position, plan):
        disc = None if isinstance(end, Fall) else end.discs.get(province)
        if isinstance(end, Fall):
            continue
        if fact == "army":
            chance += share * (province in end.armies)
        elif fact in ("revolt", "unrest"):
            chance += share * (disc == fact)
        else:
            chance += share * (disc is not None and disc not in ("revolt", "unrest"))
    return chance


def test_all_kinds_occur():
    """So that the tests above hold something."""
    found = {
        reason.kind
        for table in SMALL
        for advice in hint(table, budget="expectimax").advice
        for reason in advice.reasons
    }
    assert {"allows", "forgoes", "better", "worse", "gives_up", "stands"} <= found


def test_what_comes_late_changes_no_hint(monkeypatch):
    """On a busy machine no exact figure, and nothing about the next turns, may come before the deadline of a step."""
    tables = [example("fight"), *(POSITIONS[n] for n in (4, 16, 45))]

    def asked():
        return [{**hint(table, budget="expectimax").as_data(), "seconds": 0} for table in tables]

    at_once = asked()
    settle, decide = Outlook._settle, advice_module.decisive

    def settle_later(self: Outlook, position: Position, stop: Stop | None) -> None:
        if stop is None or stop.remaining is None:
            settle(self, position, stop)

    def decide_later(*given):
        if given[-1] is not None and given[-1].remaining is not None:
            raise Stopped("deadline")
        return decide(*given)

    monkeypatch.setattr(Outlook, "_settle", settle_later)
    assert asked() == at_once
    monkeypatch.setattr(advice_module, "decisive", decide_later)
    assert asked() == at_once
    assert any(
        reason["kind"] == "gives_up" for found in at_once for plan in found["plans"] for reason in plan["reasons"]
    )
