"""Several phases under best play, against a recursion over all courses, and against stated policies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from moduletable import extended

from tetrasolve.errors import ObjectiveError, RulesetError
from tetrasolve.exact.certainty import Exact, Interval, Unknown
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.pieces import BarbarianDiscs, Counts, Pieces
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.best import best_play
from tetrasolve.tetrarchia.risk.besthorizon import best_horizon
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.rules import Choice, Fall, advance

SIDES = {"p_lost": (max, min), "most p_lost": (max, max), "least p_lost": (min, min)}


def by_hand(position: Position, phases: int, objective: str) -> Fraction:
    """The largest or smallest value at each choice, the mean at each roll; without echoes. The last phase is `best_play`'s."""
    barbarian, rome = SIDES[objective]

    @cache
    def last(position: Position) -> Fraction:
        found = best_play(position, objective, most_states=1).value
        assert isinstance(found, Interval) and found.high - found.low < Fraction(1, 10**8)
        return found.low

    @cache
    def value(step: object) -> Fraction:
        if isinstance(step, Fall):
            return Fraction(1)
        if isinstance(step, Position):
            return last(step) if phases > 1 else Fraction(0)
        if isinstance(step, Choice):
            best = barbarian if step.decider == "barbarian" else rome
            return best(value(step.after(option)) for option in step.options)
        results = step.roll().results  # type: ignore[attr-defined]  # a step with dice
        return sum((value(result) for result in results), Fraction(0)) / len(results)

    return value(rules.begin(position))


def on_the_way(**more: object) -> Position:
    """An army two steps from Roma and Constantius between them. All borders are empty, so that an echo ends with its first die."""
    bare = extended("imperium", to_move="diocletian")
    way = {army: advance.way(bare, army)[0] for army in bare.board.ids}
    last = sorted(place for place, target in way.items() if target == bare.board.roma)
    army, place = next((army, target) for army, target in way.items() if target in last and army not in last)
    assert place is not None
    return extended(
        "imperium", to_move="constantius", at={"diocletian": "asia", "constantius": place}, armies=army, revolts=army,
        unrest="syria", ip=0, **more,
    )  # fmt: skip


@pytest.mark.parametrize("objective", SIDES)
def test_two_phases_are_those_of_all_courses(objective: str) -> None:
    """The army passes Constantius in the first phase, or is blocked, or killed; in the second it may reach Roma."""
    position = on_the_way()
    found = best_horizon(position, 2, objective=objective)
    for phases, value in enumerate(found.phases, start=1):
        low, high = bounds(value)
        assert high - low < Fraction(1, 10**8)
        assert abs(by_hand(position, phases, objective) - low) < Fraction(1, 10**8)
    assert found.status == "complete" and not found.notes


def bounds(value: Exact | Interval | Unknown) -> tuple[Fraction, Fraction]:
    assert not isinstance(value, Unknown)
    return (value.value, value.value) if isinstance(value, Exact) else (value.low, value.high)


def test_decisions_matter_over_two_phases() -> None:
    """For a fall the army is let pass, against one it is blocked: no single phase shows that."""
    position = on_the_way()
    least, most = (best_horizon(position, 2, objective=f"{side} p_lost").phases for side in ("least", "most"))
    assert bounds(least[0]) == bounds(most[0])
    assert bounds(least[1])[1] < bounds(most[1])[0]


@pytest.mark.parametrize("policy", rules.POLICIES)
def test_a_stated_policy_lies_between_the_least_and_the_most(policy: str) -> None:
    position = on_the_way()
    stated = horizon(position, 2, policy=policy, executor=SerialExecutor())
    least, most = (best_horizon(position, 2, objective=f"{side} p_lost").phases for side in ("least", "most"))
    for phase in (0, 1):
        figure = stated.phases[phase].lost
        low, high = bounds(figure)  # type: ignore[arg-type]  # so few positions are solved
        assert bounds(least[phase])[0] <= high and low <= bounds(most[phase])[1]


def test_with_the_barbarian_player_there_are_bounds_or_values() -> None:
    """Without discs there is nothing to decide until he gets some; with the black one a first phase is too large."""
    position = on_the_way()
    barbaria = position.replace(
        ruleset=position.ruleset.with_extensions([], ["barbaria"]),
        pieces=Pieces.of(
            {"removed": Counts.of(dict.fromkeys(position.emperors, 0)), "barbarian_discs": BarbarianDiscs(1, 4)}
        ),
    )
    assert barbaria.status() == ()
    found = best_horizon(barbaria, 2, most_states=500)
    assert bounds(found.phases[0])[0] == 0 and "too many decisions" in found.notes[-1]
    assert found.phases[1] == Unknown("too many decisions")  # the bounds 0 and 1 are no figure
    assert found.status == "unknown" and "unknown (too many decisions)" in str(found)


def test_a_stopped_question_has_bounds() -> None:
    stop = Stop()
    stop.set()
    found = best_horizon(on_the_way(), 3, cancel=stop)
    assert found.status == "interrupted" and found.phases == (Unknown("the time ran out"),) * 3
    assert "the time ran out" in str(found)


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(ObjectiveError, match="over several phases expected p_lost"):
        best_horizon(on_the_way(), 2, objective="e_revolts")
    with pytest.raises(RulesetError, match="leaves nothing to decide"):
        best_horizon(extended("dux"), 2)
    with pytest.raises(ValueError, match="expected 1 to 20"):
        best_horizon(on_the_way(), 21)
