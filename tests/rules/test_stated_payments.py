"""Attacks with a stated outcome for which Galerius pays: those that some dice and some order of payments give [I-GALERIUS-WON]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from math import sqrt
from random import Random

import pytest
from scatter import RECIPES
from scattermodules import with_figures

from tetrasolve.errors import IllegalActionError
from tetrasolve.exact.certainty import Exact
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.action import PIRATES, Action, Kind, Outcome, attack, ordered, read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.aftermath import aftermath, chance_of
from tetrasolve.tetrarchia.hint.evaluation import ready
from tetrasolve.tetrarchia.hint.policy import GREEDY, candidates
from tetrasolve.tetrarchia.hint.prospects import prospects
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan.replay import completed, endings
from tetrasolve.tetrarchia.plan.steps import turn_data
from tetrasolve.tetrarchia.plan.text import plan_lines
from tetrasolve.tetrarchia.plan.tree import Fork, Plan, read_plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import unique
from tetrasolve.tetrarchia.puzzle.attempt import attempt as judged
from tetrasolve.tetrarchia.risk.follow import follow, follow_state
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.battle import battle
from tetrasolve.tetrarchia.rules.modules.imperium import paid, purse
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

FACES = tuple(product(range(1, 7), repeat=2))
# Galerius and Constantius beside an army: three discs are always enough
DOUBLED = (
    "4222+imperium G:2 -/syr/cap/- 12 per - - -/thr.mac.dac.ach/-/- "
    'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
)
# The policy attacks with all the discs of the reserve
BOLD = (
    "5111+imperium G:2 -/rha/thr/- 3 gsu gsu - dal.per/bri/-/gae "
    'removed={"constantius":2,"diocletian":0,"galerius":0,"maximian":0}'
)
# His disc lies where he comes from
BESIDE = (
    "4221+imperium G:5 -/cis/-/- 12 rha rha - -/gsu/-/- "
    'removed={"constantius":0,"diocletian":0,"galerius":1,"maximian":0}'
)


def positions(seed: str, won: str, counts: str) -> Iterator[Position]:
    """Positions in which Galerius can attack and pay, with all modules now and then, and these values of two readings."""
    random, board = Random(seed), Board.standard()
    while True:
        names = {name for name in ("dux", "goths", "pirates") if random.random() < 0.4}
        sea, border = (random.choice(list(READINGS[name].options)) for name in ("I-GALERIUS-SEA", "I-IMPERIUM-BORDER"))
        given = {"I-GALERIUS-WON": won, "I-GALERIUS-PAYS": counts, "I-GALERIUS-SEA": sea, "I-IMPERIUM-BORDER": border}
        ruleset = Ruleset(random.choice((3, 4, 5)), 2, 1, 1, frozenset(names), frozenset({"imperium"}))
        ruleset = ruleset.with_readings(
            [(name, value) for name, value in given.items() if READINGS[name].applies(ruleset.extensions)]
        )
        position = with_figures(random.choice(sorted(RECIPES)), ruleset, random, board).replace(to_move="galerius")
        if position.here and not position.status() and len(purse(position, "galerius")) and by_dice(position):
            yield position


def by_dice(position: Position) -> set[tuple[str, Outcome, tuple[str, ...]]]:
    """All that an attack can come to: the dice fall, and discs are paid one after the other in any order."""
    readings = position.ruleset.readings
    found = set()
    legal = (action for action in rules.legal_actions(position) if action.figure is None and not action.payments)
    for target in {action.place for action in legal if action.kind is Kind.ATTACK}:
        pays = target != PIRATES or readings["I-GALERIUS-SEA"] == "adds"
        waiting: list[tuple[Position, tuple[str, ...], set[tuple[int, ...]]]] = [(position, (), {*FACES})]
        while waiting:
            now, done, dice = waiting.pop()
            fight = battle(now if readings["I-GALERIUS-PAYS"] == "lost" else position, "galerius", target)
            outcomes = {faces: fight.raised(len(done)).outcome(*faces) for faces in dice}
            found |= {(target, outcome, ordered(done, position.board)) for outcome in outcomes.values()}
            stops = readings["I-GALERIUS-WON"] == "stops"
            dice = {faces for faces, outcome in outcomes.items() if not (stops and outcome is Outcome.VICTORY)}
            if dice and pays:
                discs = dict.fromkeys(purse(now, "galerius"))
                waiting += [(paid(now, "galerius", disc), (*done, disc), dice) for disc in discs]
    return found


def stated(actions: list[Action]) -> list[tuple[str | None, Outcome | None, tuple[str, ...]]]:
    """The attacks of Galerius among these actions."""
    return [(a.place, a.outcome, a.payments) for a in actions if a.kind is Kind.ATTACK and a.figure is None]


@pytest.mark.choice("I-GALERIUS-WON")
@pytest.mark.parametrize("counts", ["counts", "lost"])
@pytest.mark.parametrize("won", ["stops", "goes-on"])
def test_legal_attacks_are_those_that_dice_and_payments_can_come_to(won: str, counts: str) -> None:
    """By the reference rules, and by the kernel where it plays both values."""
    paying = 0
    for position in islice(positions(f"{won} {counts}", won, counts), 16):
        found = stated([*rules.legal_actions(position)])
        assert len(found) == len({*found})
        assert {*found} == by_dice(position), str(position)
        paying += any(payments for _, _, payments in found)
        if not position.ruleset.reference_only:
            engine, state = (
                fast.kernel_for(position.board, position.ruleset, rebels=True),
                fast.state_of(position, rebels=True),
            )
            listed = stated([fast.to_action(code, position.board) for code in engine.legal(state)])
            assert len(listed) == len(found)
            assert {*listed} == {*found}, str(position)
    assert paying


@pytest.mark.rule("p14-imperium-galerius")
def test_a_victory_that_never_needs_so_many_discs_is_not_legal() -> None:
    position = read_position(DOUBLED)
    three, four = (
        read_action(f"attack persia: victory {discs}", position.board)[0]
        for discs in ("+dac +thr +mac", "+dac +thr +mac +ach")
    )
    assert rules.objection(position, three) is None
    with pytest.raises(
        IllegalActionError, match="each victory with so many discs is a victory for less, and he stops paying"
    ):
        rules.play(position, four)
    other = position.replace(ruleset=position.ruleset.with_readings([("I-GALERIUS-WON", "goes-on")]))
    assert rules.objection(other, four) is None


@pytest.mark.choice("I-GALERIUS-WON")
def test_discs_named_before_the_dice_are_paid_until_it_is_a_victory() -> None:
    """Followed by both engines; the dice are thrown one by one here."""
    random = Random(5)
    for position in islice(positions("named", "stops", "counts"), 16):
        target, _, _ = random.choice(sorted(by_dice(position)))
        named = ordered(
            random.sample(purse(position, "galerius"), random.randint(1, len(purse(position, "galerius")))),
            position.board,
        )
        if target == PIRATES and position.ruleset.readings["I-GALERIUS-SEA"] == "not":
            named = ()
        plan = Plan((), Fork(target, tuple((outcome, Fraction(1), Plan()) for outcome in Outcome), None, named))
        wanted = Counter[object]()
        fight = battle(position, "galerius", target)
        for faces in FACES:
            count = 0
            while count < len(named) and fight.raised(count).outcome(*faces) is not Outcome.VICTORY:
                count += 1
            made = attack(target, fight.raised(count).outcome(*faces), None, named[:count])
            wanted[rules.play(position, made)] += Fraction(1, 36)
        assert follow(position, plan) == wanted, str(position)
        engine = fast.kernel_for(position.board, position.ruleset, rebels=True)
        by_kernel = Counter[object]()
        for end, share in follow_state(engine, position.board, fast.state_of(position, rebels=True), plan):
            by_kernel[end] += share
        ends = Counter[object]()
        for end, share in wanted.items():
            assert isinstance(end, Position)
            ends[fast.state_of(end, rebels=True)] += share
        assert by_kernel == ends, str(position)


@pytest.mark.choice("I-GALERIUS-WON")
def test_discs_that_cannot_be_named_end_the_turn() -> None:
    """For both engines: none of his discs lies there, and the other ones are named all the same."""
    position = read_position(DOUBLED)
    plan = Plan((), Fork("persia", ((Outcome.VICTORY, Fraction(1), Plan()),), None, ("asia",)))
    engine, state = fast.kernel_of(position), fast.to_state(position)
    assert follow(position, plan) == {position: 1}
    assert follow_state(engine, position.board, state, plan) == [(state, 1)]


@pytest.mark.choice("I-GALERIUS-WON")
def test_a_plan_that_names_discs_keeps_those_that_the_dice_do_not_need() -> None:
    position = read_position(DOUBLED)
    text = "attack persia +dacia +thracia +macedonia +achaia {victory 1: end}"
    left = Counter[int]()
    for chance, end, _ in endings(position, read_plan(text, position.board)):
        assert isinstance(end, Position)
        left[len(end.garrisons("galerius"))] += chance * 36
    assert left == {4: 27, 3: 5, 2: 3, 1: 1}  # the Roman die counts twice with each disc on it


@pytest.mark.choice("I-GALERIUS-WON")
def test_a_policy_that_names_discs_pays_those_that_the_dice_need() -> None:
    """In games of the kernel: about as often as the dice say, in 2,000 of them."""
    position, games = read_position(BOLD), 2000
    plan = candidates(position, GREEDY, top=1).best.plan
    assert plan.fork is not None and plan.fork.payments == ("reserve",) * 3
    with ready(position, None) as (player, state):
        _, raw, kinds, _ = player.lessons(
            games, 0, 0, 0, 5, most_turns=1, others=0, samples=1, strays=0, ends=1, start=state
        )
    size = len(bytes(state))
    rows = [whole.State.from_bytes(raw[row * size :][:size]) for row, kind in enumerate(kinds) if kind == 2]
    assert len(rows) == games
    seen = Counter((row.removed[1], row.armies == 0) for row in rows)
    exact = Counter[tuple[int, bool]]()
    for end, chance in follow(position, plan).items():
        assert isinstance(end, Position)
        exact[dict(end.removed)["galerius"], not end.armies] += chance
    assert {*seen} == {*exact} and len(seen) == 5  # won with 0 to 3 discs, or not won
    for key, chance in exact.items():
        assert abs(seen[key] / games - float(chance)) < 5 * sqrt(float(chance) / games)


@pytest.mark.choice("I-GALERIUS-WON")
def test_an_action_at_random_pays_what_can_be_paid_for_its_dice() -> None:
    """All that the dice let him pay, and nothing else."""
    position = read_position(DOUBLED)
    engine, state, rng = fast.kernel_of(position), fast.to_state(position), whole.Rng(3)
    legal = {engine.play(state, code): fast.to_action(code, position.board) for code in engine.legal(state)}
    seen = Counter[int]()
    for _ in range(1500):
        after = engine.random_turn(state, rng)  # type: ignore[arg-type]  # of the same kernel
        action = legal.get(after)
        if action is not None and action.kind is Kind.ATTACK and action.outcome is Outcome.VICTORY:
            seen[len(action.payments)] += 1
    assert {*seen} == {0, 1, 2, 3}
    assert seen[0] > seen[1] + seen[2] + seen[3]  # in 27 of 36 throws he has won before he pays


@pytest.mark.choice("I-GALERIUS-WON")
def test_what_is_said_of_a_plan_that_names_discs() -> None:
    """Each number of discs that the dice may need is a branch, and a line of what happens after it."""
    position = read_position(BOLD)
    plan = candidates(position, GREEDY, top=1).best.plan
    data = turn_data(position, plan)
    shown = {branch["shows"]: Fraction(branch["chance"]["exact"]) for branch in data["branches"]}
    assert shown == {
        "victory": Fraction(5, 18),
        "victory +reserve": Fraction(5, 36),
        "victory +reserve +reserve": Fraction(1, 6),
        "victory +reserve +reserve +reserve": Fraction(5, 36),
        "draw +reserve +reserve +reserve": Fraction(1, 9),
        "defeat +reserve +reserve +reserve": Fraction(1, 6),
    }
    (line, *_) = plan_lines(position, plan, "", 1)
    assert "attack Germania Superior, paying up to 3" in line
    found = prospects(position, plan)
    seen = aftermath(position, found)
    won = ("attack", "germania_superior", "victory")
    assert seen.chances[won] == pytest.approx(13 / 18)
    assert chance_of(position, found, won, seen.chances[won]) == Exact(Fraction(13, 18))


@pytest.mark.choice("I-GALERIUS-WON")
def test_plans_of_a_policy_go_on_as_far_as_they_are_legal() -> None:
    """Where fewer discs are paid than they name, a disc can lie in the way; the replay has the ends that follow from it."""
    named = 0
    for position in islice(positions("plans", "stops", "counts"), 12):
        short = position.replace(ip=min(position.ip, 4))
        for candidate in [] if short.status() or short.is_won else candidates(short, GREEDY, top=25).candidates:
            plan = candidate.plan
            if plan.fork is not None and plan.fork.payments:
                ends = Counter[Position | Fall]()
                for chance, end, _ in endings(short, plan):
                    ends[end] += chance
                assert ends == follow(short, plan), (str(short), str(plan))
                named += any(branch.steps for _, _, branch in plan.fork.branches)
    assert named


@pytest.mark.choice("I-GALERIUS-WON")
def test_a_plan_that_counts_on_a_disc_that_is_not_paid() -> None:
    """He cannot secure Germania Superior again where his disc still lies; elsewhere the plan goes on."""
    position = read_position(BESIDE)
    text = "attack rhaetia +reserve +germania_superior {victory 1: move germania_superior; secure}"
    plan = completed(position, read_plan(text.replace("victory 1", "victory"), position.board, is_complete=False))
    found = {
        (branch["shows"], *(step["action"] for step in branch["then"]["steps"]))
        for branch in turn_data(position, plan)["branches"]
    }
    assert {row for row in found if row[0].startswith("victory")} == {
        ("victory", "move germania_superior"),
        ("victory +reserve", "move germania_superior"),
        ("victory +reserve +germania_superior", "move germania_superior", "secure"),
    }


@pytest.mark.choice("I-GALERIUS-WON")
def test_an_answer_that_names_discs_is_wrong_where_waiting_for_the_dice_is_better() -> None:
    """Its value counts what is paid with each pair of faces: 1 disc in 5 throws, 2 in 3, 3 in 1 of 36."""
    position = read_position(DOUBLED)
    objective = "most value garrison=1"
    named = completed(
        position,
        read_plan("attack persia +dacia +thracia +macedonia {victory: end}", position.board, is_complete=False),
    )
    tried = judged(unique(position, objective), named)
    assert not tried.is_right
    assert tried.values[0] == 4 - Fraction(5 + 2 * 3 + 3, 36)
    assert tried.mistake is not None
    assert tried.mistake.step == "attack persia +dacia +thracia +macedonia"
    assert (tried.mistake.before[0], tried.mistake.left[0]) == (4, tried.values[0])
