"""The events of a phase: compared with the figures, the results, and games that are rolled."""

from __future__ import annotations

from fractions import Fraction

import pytest
from phases import phases

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.phase.events import events, uprising_counts
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall, RandomDice

POSITIONS = list(phases(24, most_visits=800))


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_events_agree_with_the_figures(position: Position) -> None:
    """What is counted event by event adds up to the figures of the phase."""
    seen, figures = events(position), rules.figures(position)

    assert 1 - seen.uprisings[0] == figures.p_uprising
    assert seen.expected_uprisings == figures.e_uprisings
    assert sum(seen.arrivals.values()) == figures.p_new_army
    assert sum(seen.falls.values()) == figures.p_lost
    for counts in (seen.new_revolts, seen.new_unrest, seen.garrisons_lost):
        assert sum(counts.values()) == 1 - figures.p_lost
    assert sum(n * chance for n, chance in seen.new_revolts.items()) == sum(seen.turned.values())


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_the_chain_of_uprisings_is_counted_whole(position: Position) -> None:
    """Counts and tail add up to one, and the tail sums lead to the expected number (E[N] is the sum of P(N > n))."""
    most = 40
    counts, more = uprising_counts(position, most)
    expected = rules.figures(position).e_uprisings

    assert sum(counts.values()) + more == 1
    assert all(chance >= 0 for chance in (*counts.values(), more))
    up_to = sum(number * chance for number, chance in counts.items()) + (most + 1) * more
    assert up_to <= expected
    assert expected - up_to < Fraction(1, 10**6)


def test_uprisings_by_hand() -> None:
    """With all borders empty an uprising brings an army and never an echo: one at most."""
    counts, more = uprising_counts(example("movement"), 3)

    assert counts == {0: Fraction(5, 6), 1: Fraction(1, 6), 2: 0, 3: 0}
    assert more == 0


def test_the_ambush_of_the_rulebook() -> None:
    """Maximian in the way over a broken link (page 11): half of the time no battle; the rest by his combat values."""
    battles = events(example("ambush")).battles
    met = {outcome: battles["narbonensis", "maximian", outcome] for outcome in Outcome}

    assert sum(met.values()) == Fraction(1, 2)
    # activity first: a roll may unsettle Etruria's group no more than its garrison, so the values hold but for new revolts
    assert met[Outcome.VICTORY] < Fraction(1, 2) * Fraction(24, 36)
    assert events(example("ambush")).removed == {"maximian": met[Outcome.DEFEAT]}


@pytest.mark.parametrize(
    "position",
    [*POSITIONS[:2], *(pytest.param(position, marks=pytest.mark.slow) for position in POSITIONS[2:8])],
    ids=str,
)
def test_events_happen_as_often_in_rolled_phases(position: Position) -> None:
    """Of 4,000 rolled phases, each event's share lies within 5 standard errors of its chance (error level below 1e-4)."""
    seen, n = events(position), 4000
    dice = RandomDice(7)
    counted: dict[object, int] = {}
    for _ in range(n):
        end = rules.sample(position, dice)
        if isinstance(end, Fall):
            counted[end] = counted.get(end, 0) + 1
            continue
        for province in end.revolts - position.revolts:
            counted[province] = counted.get(province, 0) + 1
        gone = sum(1 for p in position.discs if position.has_garrison(p) and not end.has_garrison(p))
        counted["lost", gone] = counted.get(("lost", gone), 0) + 1
    expected: dict[object, Fraction] = {**seen.turned, **seen.falls}
    expected |= {("lost", gone): chance for gone, chance in seen.garrisons_lost.items()}

    assert set(counted) <= set(expected)
    for event, chance in expected.items():
        share, p = counted.get(event, 0) / n, float(chance)
        assert abs(share - p) <= 5 * (p * (1 - p) / n) ** 0.5 + 1 / n, event
