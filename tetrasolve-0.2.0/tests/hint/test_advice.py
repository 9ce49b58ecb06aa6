"""Hints: plans that the rules allow, chances that keep their kind, reasons that are true, the same answer each time."""

from fractions import Fraction
from itertools import islice

import pytest

from tetrasolve.errors import IllegalPositionError
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.estimate import Estimate
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.hint import prospects as prospects_module
from tetrasolve.tetrarchia.hint.advice import BUDGETS, hint, think
from tetrasolve.tetrarchia.hint.opinion import Opinion
from tetrasolve.tetrarchia.hint.policy import GREEDY, candidates
from tetrasolve.tetrarchia.hint.prospects import FIGURES, Outlook, before_phase, prospects
from tetrasolve.tetrarchia.hint.reasons import reasons, stopping
from tetrasolve.tetrarchia.kernel import Kernel, State
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.phase.exact import FiguresDisagreeError
from tetrasolve.tetrarchia.plan.tree import Plan, read_plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset

OPENINGS = [rules.random_set_up(Ruleset.from_level(level), seed) for seed, level in enumerate(("5300", "4211", "3122"))]
ROMAN = [name for name in examples() if example(name).phase is Phase.ROMAN]
TABLES = [*map(example, ROMAN), *OPENINGS]

# Its phase has a million outcomes
HUGE = Position.parse(
    "4211 G:6 bae/thr/cyr/gma 13 tin.bit tin.aqu.dac.bit - cis.bel.nar.srm/sar.gae.bri/gla.cyr/thr.ach.per.lib"
)

# One garrison is missing for the victory, and Diocletian stands on the last border
NEARLY_WON = Position.parse("4211 D:2 srm/mac/-/- 23 - lus - -/-/gae.bri/gma.lib.per")


# The best plans lower the chance of an uprising, in comparison with ending the turn at once
PLANS_PREVENT_UPRISINGS = (
    "4211 M:6 tri/ach/epi/nor 23 - dac bae.ach.cyr per.lib/lus.tar/luc.aqu.epi/psu.nor",
    "4211 G:6 nar/cis/rha/bel 23 - lus.car.gla.tar gsu.num msu.thr.epi/luc.psu.lib/aqu.per/etr.afr",
    "4211 D:6 cap/asi/nor/ach 23 - gat lus.car.gla.rha.cil.aeg luc.aqu.psu/etr.tri.lib/tar.epi.gae.gma/-",
)


def without_time(found):
    data = found.as_data()
    return {key: value for key, value in data.items() if key != "seconds"}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table)[:20])
def test_every_plan_can_be_carried_out(table):
    """By the reference rules, with chances in [0, 1], the best first."""
    found = hint(table, budget="expectimax", top=5)
    assert 1 <= len(found.advice) <= 5
    assert found.best.loss == 0
    for advice in found.advice:
        assert isinstance(advice.win, Opinion) and advice.win.kind == "evaluation"
        assert 0 <= advice.win.low <= advice.win.value <= advice.win.high <= 1
        assert advice.loss >= 0
        assert read_plan(str(advice.plan), table.board) == advice.plan
        assert prospects(table, advice.plan) == advice.prospects
    assert len({str(advice.plan) for advice in found.advice}) == len(found.advice)


def test_the_same_question_has_the_same_answer():
    """With the same seed; another seed has other dice."""
    table = OPENINGS[1]
    once, again, other = (hint(table, budget="expectimax", seed=seed) for seed in (1, 1, 2))
    assert without_time(once) == without_time(again) != without_time(other)


def test_each_look_is_closer_than_the_one_before():
    """From one turn looked through to the whole budget; the first answer is the best plan alone."""
    first, *steps = think(example("fight"), budget="search")
    assert first.best.plan == steps[0].best.plan and first.best.win == steps[0].best.win
    assert (len(first.advice), first.turns, first.status) == (1, 1, "interrupted") and len(steps[0].advice) == 3
    assert [step.best.win.evaluated for step in steps] == ["ends of the turn", "phases", "next turns"]
    assert [step.turns for step in steps] == sorted(step.turns for step in steps)
    assert steps[0].phases == 0 < steps[1].phases < steps[2].phases


@pytest.mark.parametrize("table", [OPENINGS[2], example("fight")], ids=lambda table: str(table)[:6])
def test_a_hint_is_the_last_of_its_steps(table):
    """`hint` gives no advice on the way there, and its answer does not depend on that; one that can be stopped takes all steps."""
    *_, last = think(table)
    assert without_time(hint(table)) == without_time(last) == without_time(hint(table, cancel=Stop()))
    assert last.status == "complete"


def test_the_first_answer_does_not_wait_for_a_huge_phase():
    """Without `seconds` too: its figures are intervals or left out, and its status says so."""
    first, second = islice(think(HUGE), 2)
    for step, plans in ((first, 1), (second, 3)):
        assert step.turns == 1 and step.status == "interrupted" and len(step.advice) == plans
        assert step.best.win.evaluated == "ends of the turn"
        for advice in step.advice:
            assert not any(isinstance(figure, Exact) and figure.value for figure in advice.prospects.known.values())
        assert str(step)


def test_figures_get_better_with_time():
    """Nothing, then intervals, then fractions inside them; what is known of one plan stays when the next has no time."""
    outlook, over = Outlook(HUGE), Stop()
    over.set()
    outlook.learn([Plan()], over)
    assert outlook.of(Plan()).known == {}
    outlook.learn([Plan()], Stop(600))  # no phase has more than a moment for its fractions
    rough = outlook.of(Plan())
    assert set(rough.known) == set(FIGURES) and not rough.is_exact
    assert isinstance(rough.known["p_uprising"], Interval)
    other = candidates(HUGE, GREEDY, top=1).best.plan
    outlook.learn([Plan(), other], over)
    assert other != Plan() and outlook.of(other).known == {}
    assert outlook.of(Plan()) == rough
    small = Outlook(example("movement"))
    small.learn([Plan()], Stop(600))
    assert small.of(Plan()).is_exact and small.of(Plan()) == prospects(example("movement"), Plan())


def test_a_cancelled_hint_ends_with_the_answer_it_has():
    """Without a further one that would say the same, though its figures are not exact."""
    cancel = Stop()
    steps = think(HUGE, cancel=cancel)
    _, second = islice(steps, 2)
    cancel.set()
    assert not second.best.prospects.is_exact and list(steps) == []


def test_figures_outside_their_bounds_are_an_error(monkeypatch):
    """Marginals and fractions are computed apart, and none overrules the other."""
    off_by_little = Interval(Fraction(1, 6) + Fraction(1, 10**9), Fraction(1))

    def wrong(_kernel: Kernel, states: list[State], _stop: Stop | None) -> list[dict[str, Interval]]:
        return [{"p_uprising": off_by_little} for _ in states]

    monkeypatch.setattr(prospects_module, "marginal_figures", wrong)
    with pytest.raises(FiguresDisagreeError, match=r"p_uprising of .*by marginals"):
        prospects(example("movement"), Plan())


@pytest.mark.parametrize("top", [1, 3])
def test_figures_that_come_late_change_no_hint(monkeypatch, top):
    """On a busy machine the exact figures after ending the turn at once may not come at the first look."""
    tables = [Position.parse(text) for text in PLANS_PREVENT_UPRISINGS]
    at_once = [hint(table, budget="greedy", top=top) for table in tables]
    settle = Outlook._settle
    waiting = {before_phase(end) for table in tables for _, end, _ in Outlook(table).ends(Plan())}

    def settle_later(self: Outlook, position: Position, stop: Stop | None) -> None:
        if stop is None or stop.remaining is None or position not in waiting:
            settle(self, position, stop)

    monkeypatch.setattr(Outlook, "_settle", settle_later)
    again = [hint(table, budget="greedy", top=top) for table in tables]
    assert [without_time(found) for found in again] == [without_time(found) for found in at_once]


def test_it_can_be_stopped_between_looks():
    """What was found by then is the answer."""
    steps = list(think(OPENINGS[1], budget="search", is_stopped=lambda: True))
    assert [len(step.advice) for step in steps] == [1, 3]


@pytest.mark.slow
def test_games_make_an_estimate():
    """With an interval, in the order of the estimates."""
    table = NEARLY_WON.replace(ip=1)  # not enough to win at once
    found = hint(table, budget="greedy", top=2, games=720)
    assert all(isinstance(advice.win, Estimate) for advice in found.advice)
    values = [advice.win.value for advice in found.advice]
    assert values == sorted(values, reverse=True)
    assert all(0 <= advice.win.low <= advice.win.value <= advice.win.high <= 1 for advice in found.advice)


def test_a_victory_is_found_and_reported():
    """It is certain, and the first reason."""
    best = hint(NEARLY_WON, budget="expectimax").best
    assert best.prospects.p_won == 1
    assert best.win.value == 1
    assert best.reasons[0].kind == "wins"


@pytest.mark.parametrize("name", ROMAN)
def test_the_figures_are_those_of_the_reference_rules(name):
    """Mixed over the ends of the turn."""
    table = example(name)
    for advice in hint(table, budget="greedy", top=2).advice:
        sums = dict.fromkeys(FIGURES, Fraction(0))
        for chance, end, _ in advice.prospects.ends:
            if isinstance(end, Position) and not end.is_won:
                figures = rules.figures(end.replace(phase=Phase.BARBARIAN, ip=0))
                for figure in FIGURES:
                    more = REVOLTS * figures.p_lost if figure == "e_revolts" else 0
                    sums[figure] += chance * (getattr(figures, figure) + more)
        assert sums == advice.prospects.figures


def kinds(table, text):
    """The reasons for a plan, by kind."""
    plan = read_plan(text, table.board)
    idle = prospects(table, Plan()) if stopping(table) else None
    return {reason.kind: reason for reason in reasons(table, prospects(table, plan), idle)}


def test_what_a_plan_brings_is_reported():
    """Each with the provinces it speaks of, and exact chances."""
    fight = example("fight")
    found = kinds(fight, plan_of_attack(fight))
    chance = Fraction(rules.battle(fight, "maximian", "narbonensis").chances()[Outcome.VICTORY], 36)
    assert found["beats"].data == {"army": "narbonensis", "chance": chance}
    movement = example("movement")
    found = kinds(movement, "move thracia; remove")
    assert found["subdues"].data == {"provinces": ["thracia"]}


def plan_of_attack(table):
    """Attack the army in Narbonensis, then stop, with the chances of the dice."""
    shares = rules.battle(table, table.to_move, "narbonensis").chances()
    branches = " | ".join(f"{outcome} {Fraction(share, 36)}: end" for outcome, share in shares.items())
    return f"attack narbonensis {{{branches}}}"


def test_who_bars_the_way_is_reported():
    """With the chance that the army loses if it attacks."""
    fight = example("fight")
    target = fight.board["narbonensis"].arrow
    assert target == "cisalpina"
    found = kinds(fight, "move cisalpina")
    end = prospects(fight, read_plan("move cisalpina", fight.board)).ends[0][1]
    won = rules.battle(end, "maximian", "narbonensis").chances()[Outcome.VICTORY]
    assert found["blocks"].data == {
        "army": "narbonensis", "province": "cisalpina", "chance": Fraction(1), "victory": Fraction(won, 36),
    }  # fmt: skip


def test_reasons_are_data_that_json_can_hold():
    """Fractions as text, nothing lost."""
    for advice in hint(example("fight"), budget="expectimax").advice:
        for reason in advice.as_data()["reasons"]:
            assert reason["kind"] and reason["text"]
            assert all(isinstance(value, str | int | float | list) for value in reason.values())


def test_what_cannot_be_answered_is_refused():
    """In a sentence that says why."""
    won = rules.play(NEARLY_WON, rules.parse(NEARLY_WON, "secure"))
    with pytest.raises(IllegalPositionError):
        hint(won)
    with pytest.raises(IllegalPositionError):
        hint(example("fight").replace(phase=Phase.BARBARIAN, ip=0))


def test_too_few_games_are_refused():
    """An interval needs twenty blocks of them."""
    with pytest.raises(ValueError, match="at least 720"):
        hint(example("fight"), games=36)


def test_all_budgets_have_names():
    """From the quickest to the deepest."""
    assert list(BUDGETS) == ["greedy", "expectimax", "search", "deep"]
