"""The risk of one phase: two methods that must agree, and what is reported where one is left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from phases import phases

from tetrasolve.errors import IllegalPositionError
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk import FiguresDisagreeError, risk

POSITIONS = list(phases(24, most_visits=800, seed=21))


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_the_figures_are_those_of_the_rules(position: Position) -> None:
    """Kernel and reference give the same fractions, and each new revolt's chance is read off the results."""
    found = risk(position)
    ends = rules.outcomes(position)

    assert found.methods == ("kernel", "reference")
    assert found.figures == rules.figures(position)
    for province, chance in found.revolts.items():
        assert not position.has_revolt(province)
        assert chance == Exact(ends.probability(lambda end, p=province: isinstance(end, Position) and p in end.revolts))
    lows = [chance.low for chance in found.new_revolts().values()]
    assert lows == sorted(lows, reverse=True)


@pytest.mark.parametrize("position", POSITIONS[:12], ids=str)
def test_the_kernel_alone_gives_intervals_around_the_same_chances(position: Position) -> None:
    """Without the reference the figures are the same, and each chance lies in its interval, which is narrow."""
    both, alone = risk(position), risk(position, reference_visits=0)

    assert alone.methods == ("kernel",)
    assert alone.figures == both.figures
    assert set(alone.revolts) == set(both.revolts)
    for province, chance in alone.revolts.items():
        assert isinstance(chance, Interval)
        assert chance.low <= both.revolts[province].low <= chance.high
        assert chance.high - chance.low < Fraction(1, 10**9)


def test_methods_that_disagree_give_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference between the methods is an error that names the figure."""
    solve = rules.solve

    class Wrong:
        def __init__(self, position: Position, decide: rules.Decide, *more: object) -> None:
            self.solved = solve(position, decide, *more)

        def figures(self) -> rules.Figures:
            return replace(self.solved.figures(), p_new_army=Fraction(1, 7))

    monkeypatch.setattr(rules, "solve", Wrong)

    with pytest.raises(FiguresDisagreeError, match="p_new_army"):
        risk(example("fight"))


def test_there_must_be_a_phase() -> None:
    """After a victory, or while two Emperors share a province, no Barbarian phase can follow."""
    position = example("movement")
    borders = dict(zip(position.board.borders, ["diocletian"] * 3 + ["galerius"] * 3, strict=True))

    with pytest.raises(IllegalPositionError, match="won"):
        risk(position.replace(discs=borders))
    with pytest.raises(IllegalPositionError, match="share"):
        risk(position.with_emperor("diocletian", "macedonia"))


def test_the_risk_under_a_policy() -> None:
    """Both methods answer the choices alike, and the result says how; without choices there is nothing to say."""
    discs = 'barbarian_discs={"gray":2,"black":0}'
    lost = 'removed={"diocletian":0,"galerius":0,"constantius":0,"maximian":0}'
    table = Position.parse(f"4210+barbaria+imperium D:b asi/-/cis/- 12 rha rha dac -/-/-/- {discs} {lost}")
    declined, eager = risk(table), risk(table, policy="eager")

    assert (declined.policy, eager.policy) == ("decline", "eager")
    assert declined.methods == ("kernel", "reference")
    assert eager.figures.p_uprising > declined.figures.p_uprising
    assert eager.figures == rules.figures(table, rules.eager)
    assert risk(example("movement"), policy="eager").policy is None
