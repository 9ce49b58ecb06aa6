"""How deep answers are: exact and proved ones are final, and with more time an opinion is as deep or deeper."""

import pytest

from tetrasolve.analysis.depth import FINAL, Depth
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.service.engine import ask, depth

FIGHT = str(example("fight"))
MOVEMENT = str(example("movement"))
PHASE = '4210+barbaria D:b cis/-/-/- 12 - rha dac -/-/-/- barbarian_discs={"gray":1,"black":0}'


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("risk", {}),
        ("risk", {"horizon": 1}),
        ("fight", {}),
        ("plan", {"objective": "kill narbonensis"}),
        ("survey", {"parts": ["read", "actions", "risk"]}),
        ("batch", {"of": "risk", "positions": [FIGHT, MOVEMENT]}),
    ],
)
def test_what_is_exact_or_proved_is_final(kind, fields):
    subject = {} if kind == "batch" else {"position": FIGHT}
    assert depth(kind, ask(kind, **subject, **fields)) == FINAL


def test_a_hint_is_an_opinion_by_what_it_searched():
    small, large = (ask("hint", position=FIGHT, budget=budget) for budget in ("greedy", "expectimax"))
    first, second = depth("hint", small), depth("hint", large)
    assert (first.is_final, first.whole) == (second.is_final, second.whole) == (False, 1)
    assert first.work == small["nodes"]["turns"] + small["nodes"]["phases"]
    choice = ask("hint", position=PHASE, faces=[1, 2])
    assert depth("hint", choice) == Depth(whole=1, work=choice["phases"])
    survey = ask("survey", position=FIGHT, parts=["risk", "hint"], budget="greedy")
    assert depth("survey", survey) == Depth(whole=2, work=first.work)


def test_what_was_cut_off_is_less_deep():
    assert depth("fight", {"status": "interrupted"}) == Depth()
    assert depth("hint", {"status": "interrupted", "nodes": {"turns": 5, "phases": 7}}) == Depth(work=12)
    assert depth("plan", {"status": "feasible", "nodes": 3}) == Depth(work=3)
    assert depth("risk", {"status": "interrupted", "kind": "interval"}) == Depth()
    phases = [{"method": "fractions"}, {"method": "runs"}]
    solved = depth("risk", {"status": "complete", "phases": phases, "runs": 100})
    fewer = depth("risk", {"status": "complete", "phases": phases[1:] * 2, "runs": 10**7})
    assert solved.work > fewer.work and not solved.is_final
    assert depth("review", {"status": "interrupted", "turns": [{}, {}]}) == Depth(work=2)
    best = [{"lost_so_far": {"kind": "exact"}}]
    assert depth("risk", {"status": "complete", "phases": best}) == FINAL


def test_what_says_nothing_is_not_kept():
    assert depth("plan", {"status": "unknown"}) is None
    assert depth("read", {"position": FIGHT}) is None
