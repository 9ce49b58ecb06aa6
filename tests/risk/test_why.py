"""Marginal risks, cuts and deadliest provinces, each by a second way."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import networkx
import pytest
from phases import phases

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.why import cuts, deadliest, marginals, struck

SMALL = list(phases(8, most_visits=300, seed=5))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("position", SMALL, ids=str)
def test_a_marginal_is_the_difference_of_two_phases(position: Position) -> None:
    """Each change has the figures of the changed position, and the ranking falls."""
    found = marginals(position)

    assert found.before == rules.figures(position)
    for change in found.changes:
        table = position.with_disc(change.province, None if change.what.startswith("without") else position.to_move)
        assert change.figures == rules.figures(table)
    gains = [change.gain(found.before, "p_uprising") for change in found.ranked("p_uprising")]
    assert gains == sorted(gains, reverse=True)


def test_a_revolt_less_is_an_uprising_less() -> None:
    """On the fight's position each numbered revolt carries 1/36 of the chance of an uprising."""
    found = marginals(example("fight"), gaps=False)

    assert {change.gain(found.before, "p_uprising") for change in found.changes} == {Fraction(1, 36)}
    assert [change.province for change in found.changes].count("narbonensis") == 0  # an army stands on it


def test_progress_is_reported_to_the_end() -> None:
    """The progress counts every change once."""
    stated: list[tuple[int, int]] = []
    found = marginals(example("movement"), gaps=False, progress=lambda done, total: stated.append((done, total)))

    assert stated == [(n, len(found.changes)) for n in range(1, len(found.changes) + 1)]


def test_the_cut_of_the_rulebook() -> None:
    """Subduing Tarraconensis leaves the army in Narbonensis nothing but its own revolt (page 8)."""
    first = cuts(example("fight"))[0]

    assert (first.army, first.removed, first.support, first.left) == ("narbonensis", ("tarraconensis",), 7, 1)


@pytest.mark.parametrize("position", list(phases(16, most_visits=4000, seed=6)), ids=str)
def test_no_other_cut_leaves_less(position: Position) -> None:
    """By graph search over all sets of that size, none separates the army from more."""
    graph = position.board.to_networkx()
    for cut in cuts(position, most=2):
        others = [p for p in position.revolts if p != cut.army]
        sizes = []
        for removed in combinations(others, len(cut.removed)):
            ground = graph.subgraph((position.revolts - set(removed)) | {cut.army})
            if cut.army in position.revolts:
                sizes.append(len(networkx.node_connected_component(ground, cut.army)))
            else:
                rest = ground.subgraph(set(ground) - {cut.army})
                beside = set(graph[cut.army]) & set(rest)
                sizes.append(max((len(networkx.node_connected_component(rest, p)) for p in beside), default=0))
        assert cut.left == min(sizes)


@pytest.mark.parametrize("position", SMALL, ids=str)
def test_struck_provinces_average_to_the_phase(position: Position) -> None:
    """The mean over the 36 provinces that a roll can name is the phase itself."""
    figures, ends = rules.figures(position), rules.outcomes(position)
    new = sum(chance * len(end.revolts - position.revolts) for end, chance in ends.items() if isinstance(end, Position))
    seen = [row for rows in deadliest(position).values() for row in rows]

    assert len(seen) == 36
    assert sum(row.p_lost for row in seen) / 36 == figures.p_lost
    assert sum(row.e_new_revolts for row in seen) / 36 == new


def test_a_revolt_struck_spreads() -> None:
    """Syria alone in revolt: its normal links revolt for sure, its broken ones to Roman provinces with chance 1/2 each."""
    position = example("movement").replace(discs={"syria": "revolt"}, armies=(), fleets=(1, 2))
    links = [link for name, link in position.board.neighbours("syria").items() if not position.board[name].is_border]
    expected = sum(Fraction(1, 2) if link.broken else Fraction(1) for link in links)

    # the army that an uprising brings may advance over a border in the same phase and bring a revolt of its own
    assert expected <= struck(position, "syria").e_new_revolts <= expected + 1
