"""The events of a Barbarian phase, and its figures as fractions, compared with the reference rules."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from phases import phases
from scatter import any_readings

from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.kernel import KernelError, State
from tetrasolve.tetrarchia.phase.events import events
from tetrasolve.tetrarchia.rules import Fall

NEAR = 1e-11
CHUNKS = [0, *(pytest.param(chunk, marks=pytest.mark.slow) for chunk in (1, 2, 3))]
SHARE = 64
FIGURES = ("p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts")


@cache
def chunk_of(chunk):
    """Positions of every recipe, four of them with larger phases, one in three with other readings of the rules."""
    random = Random(f"readings {chunk}")
    found = [*phases(SHARE - 4, most_visits=400, seed=1000 + chunk), *phases(4, most_visits=1_500, seed=2000 + chunk)]
    for index in range(0, SHARE, 3):
        found[index] = replace(found[index], ruleset=any_readings(found[index].ruleset, random))
    return found


def near(found, expected):
    return len(found) == len(expected) and all(abs(a - b) < NEAR for a, b in zip(found, expected, strict=True))


def by_number(counts):
    return [counts.get(number, 0) for number in range(22)]


def compare(position, met):
    board = position.board
    emperors = [emperor.id for emperor in board.emperors]
    found = fast.kernel_for(board, position.ruleset).events(fast.to_state(position))
    seen = events(position)
    assert near(found["uprisings"], [seen.uprisings[number] for number in range(9)])
    assert abs(found["more_uprisings"] - seen.more_uprisings) < NEAR
    assert near(found["arrivals"], [seen.arrivals.get(border, 0) for border in board.borders])
    assert near(found["falls"], [seen.falls.get(fall, 0) for fall in Fall])
    assert near(found["removed"], [seen.removed.get(emperor, 0) for emperor in emperors])
    assert near(found["new_revolts"], by_number(seen.new_revolts))
    assert near(found["new_unrest"], by_number(seen.new_unrest))
    assert near(found["garrisons_lost"], by_number(seen.garrisons_lost))
    assert near(found["turned"], [seen.turned.get(province, 0) for province in board.ids])
    battles = {(board.ids[p], emperors[who]): chances for (p, who), chances in found["battles"].items()}
    assert battles.keys() == {(army, who) for army, who, _ in seen.battles}
    for key, chances in battles.items():
        assert near(chances, [seen.battles.get((*key, outcome), 0) for outcome in Outcome])
    met.update(cause for cause, chance in seen.falls.items() if chance)
    met["several uprisings"] += found["uprisings"][2] > 0
    met["many uprisings"] += found["more_uprisings"] > 0
    met["an army arrives"] += sum(found["arrivals"]) > 0
    met["a battle"] += bool(battles)
    met["an Emperor is removed"] += sum(found["removed"]) > 0
    met["a garrison is lost"] += found["garrisons_lost"][1] > 0


@pytest.mark.parametrize("chunk", CHUNKS)
def test_events_are_those_of_the_reference(chunk):
    met = Counter()
    for position in chunk_of(chunk):
        compare(position, met)
    assert len(+met) == len(Fall) + 6, f"something is never met: {met}"


@pytest.mark.parametrize("chunk", CHUNKS)
def test_exact_figures_are_those_of_the_reference(chunk):
    for position in chunk_of(chunk):
        exact = rules.figures(position)
        found = fast.kernel_for(position.board, position.ruleset).phase_exact(fast.to_state(position))
        expected = {name: getattr(exact, name).as_integer_ratio() for name in FIGURES}
        assert found == expected | {"outcomes": exact.outcomes}, position


def test_the_smallest_fraction_of_an_uprising(kit, base):
    # one revolt with a number, all borders empty: an uprising comes once in 36 phases, and with it an army
    exact = base.phase_exact(kit.state(revolts="cyrenaica"))
    assert exact["p_uprising"] == exact["e_uprisings"] == exact["p_new_army"] == (1, 36)
    assert exact["p_lost"] == (0, 1)


def test_loops_are_closed_as_one_closes_them_by_hand(kit, base):
    # no border is empty and all of Libya's region is in revolt: an uprising in one of its six provinces, or in Syria,
    # changes nothing, and neither does an echo in them
    revolts = "aegyptus cyrenaica tripolitania numidia caesariensis africa syria tingitana sicilia"
    discs = {"diocletian": "gaetulia britannia germania_magna", "galerius": "sarmatia persia libya"}
    state = kit.state(revolts=revolts, discs=discs)
    exact, doubles = base.phase_exact(state), base.phase(state)
    assert exact["outcomes"] == doubles["outcomes"]
    for name in FIGURES:
        assert abs(Fraction(*exact[name]) - Fraction(doubles[name])) < NEAR


def test_large_phases_have_exact_figures_near_the_doubles(base, played):
    """Fractions of thousands of digits come out at the double, and add up with what other methods count."""
    large = [state for state in played if 5_000 < base.phase(state)["visits"] < 100_000]
    assert len(large) >= 3
    for state in large[:6]:
        exact, doubles, seen = base.phase_exact(state), base.phase(state), base.events(state)
        for name in FIGURES:
            assert abs(Fraction(*exact[name]) - Fraction(doubles[name])) < NEAR
        assert abs(sum(seen["uprisings"]) + seen["more_uprisings"] - 1) < NEAR
        assert abs(1 - seen["uprisings"][0] - doubles["p_uprising"]) < NEAR
        assert abs(sum(seen["arrivals"]) - doubles["p_new_army"]) < NEAR
        assert abs(sum(seen["falls"]) - doubles["p_lost"]) < NEAR
        for name in ("new_revolts", "new_unrest", "garrisons_lost"):
            assert abs(sum(seen[name]) - (1 - doubles["p_lost"])) < NEAR


def test_uprisings_are_counted_one_by_one_as_far_as_asked(base, played):
    state = max(played, key=lambda state: base.phase(state)["e_uprisings"])
    few, many = base.events(state, most_uprisings=0), base.events(state, 64)
    assert len(few["uprisings"]) == 1
    assert abs(few["more_uprisings"] - sum(many["uprisings"][1:]) - many["more_uprisings"]) < NEAR
    expected = sum(number * chance for number, chance in enumerate(many["uprisings"]))
    assert abs(expected - base.phase(state)["e_uprisings"]) < 1e-6
    for most in (-1, 65, None):
        with pytest.raises(KernelError, match=r"^most_uprisings"):
            base.events(state, most)


def test_both_need_a_position_before_a_phase(base):
    for method in (base.events, base.phase_exact):
        with pytest.raises(KernelError, match=r"^result"):
            method(State(result=2))


def test_a_board_with_too_many_broken_links_at_a_province_has_no_exact_figures(kit):
    others = [p for p in range(48) if p not in {kit.row["roma"], *kit.borders}]
    star = {(kit.row["roma"], p) for p in others}
    links = [(a, b, broken) for a, b, broken in kit.arguments["links"] if (a, b) not in star and (b, a) not in star]
    links += [(*pair, number < 30) for number, pair in enumerate(sorted(star))]
    with pytest.raises(KernelError, match=r"^links: expected at most 29 broken ones at a province, got \d+"):
        kit.kernel(links=links).phase_exact(State())


def test_kernels_share_memory_and_nothing_in_it(kit, played):
    """Neither a large phase nor a failed call leaves anything behind for the next one."""
    kernels = [kit.kernel(garrisons=number) for number in (3, 4, 5)]
    small = State(revolts=kit.mask("cyrenaica"))
    large = max(played, key=lambda state: kernels[2].phase(state)["outcomes"])
    expected = [kernel.outcomes(small) for kernel in kernels]
    for kernel in kernels:
        kernels[2].outcomes(large)
        kernels[2].events(large)
        with pytest.raises(KernelError):
            kernel.phase(State(result=2))
        assert [kernel.outcomes(small) for kernel in kernels] == expected


def test_threads_do_not_share_memory_in_use(base, played):
    methods = (base.phase, base.events, base.phase_exact)
    expected = [method(state) for state in played for method in methods]
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(method, state) for state in played for method in methods]
        assert [future.result() for future in found] == expected
