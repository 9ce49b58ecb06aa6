"""Absorbing chains: where a process ends and how often it passes each state, in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tetrasolve.exact import Distribution, NotAbsorbingError, absorb

HALF = Fraction(1, 2)


def chain(rows):
    """A step function from a table; a state without a row is an end."""
    return rows.get


def ruin(goal: int, p: Fraction):
    """The gambler: up with chance p, down with 1 - p, ruined at 0, rich at `goal`."""

    def step(coins: int) -> Distribution[int] | None:
        return None if coins in (0, goal) else Distribution({coins + 1: p, coins - 1: 1 - p})

    return step


# -- known answers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [HALF, Fraction(1, 3), Fraction(18, 37), Fraction(9, 10)])
@pytest.mark.parametrize(("start", "goal"), [(1, 2), (3, 10), (7, 10), (5, 25)])
def test_gamblers_ruin(start, goal, p):
    """Huygens' formula: rich with (1 - r^i) / (1 - r^n) where r = (1 - p) / p, with i / n when the game is fair."""
    r = (1 - p) / p
    rich = Fraction(start, goal) if r == 1 else (1 - r**start) / (1 - r**goal)
    found = absorb(start, ruin(goal, p))

    assert found.ends[goal] == rich
    assert found.ends[0] == 1 - rich


@pytest.mark.parametrize(("start", "goal"), [(1, 2), (3, 10), (8, 20)])
def test_a_fair_game_lasts_start_times_what_is_missing(start, goal):
    """The expected number of rounds of a fair game is i (n - i)."""
    assert sum(absorb(start, ruin(goal, HALF)).visits.values()) == start * (goal - start)


def test_waiting_for_a_six():
    """A geometric series: a state that comes back to itself with 5/6 is visited six times."""
    found = absorb(0, lambda state: None if state else Distribution({0: Fraction(5, 6), 1: Fraction(1, 6)}))

    assert (found.visits, found.ends) == ({0: 6}, Distribution.point(1))


def test_two_states_that_hand_over_to_one_another():
    """A shoots first and hits with 1/3, B with 1/2: A wins with 1/3 / (1 - 2/3 * 1/2) = 1/2."""
    rows = {
        "A": Distribution({"A wins": Fraction(1, 3), "B": Fraction(2, 3)}),
        "B": Distribution({"B wins": HALF, "A": HALF}),
    }
    found = absorb("A", chain(rows))

    assert found.ends == Distribution({"A wins": HALF, "B wins": HALF})
    assert found.visits == {"A": Fraction(3, 2), "B": 1}


def test_collecting_coupons():
    """All six faces of a die take 6 (1 + 1/2 + ... + 1/6) = 147/10 rolls."""

    def step(faces):
        return None if len(faces) == 6 else Distribution.uniform([faces | {face} for face in range(1, 7)])

    assert sum(absorb(frozenset(), step).visits.values()) == Fraction(147, 10)


def test_a_start_that_is_an_end():
    """A process that does not begin ends where it starts."""
    found = absorb("here", lambda _: None)

    assert (found.ends, found.visits) == (Distribution.point("here"), {})


def test_a_long_way_needs_no_recursion():
    """Chains may be longer than the call stack."""
    found = absorb(0, lambda n: None if n == 20_000 else Distribution.point(n + 1))

    assert found.ends == Distribution.point(20_000)
    assert len(found.visits) == 20_000


def test_each_state_is_asked_once():
    """A step may be costly: it is computed once for each state."""
    asked = []

    def step(n):
        asked.append(n)
        return None if n >= 8 else Distribution.uniform([n + 1, n + 2, max(0, n - 1)])

    absorb(0, step)

    assert len(asked) == len(set(asked)) == 10


# -- processes that need not end -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        {"a": Distribution.point("a")},
        {"a": Distribution.point("b"), "b": Distribution.point("a")},
        {"a": Distribution.uniform(["trap", "end"]), "trap": Distribution.point("trap")},
        {
            "a": Distribution.uniform(["b", "end"]),
            "b": Distribution.uniform(["c", "d"]),
            "c": Distribution.uniform(["b", "d"]),
            "d": Distribution.uniform(["b", "c", "d"]),
        },
    ],
)
def test_a_process_that_need_not_end_is_an_error(rows):
    """A set of states that is never left is found, however likely it is to come there."""
    with pytest.raises(NotAbsorbingError, match="for ever"):
        absorb("a", chain(rows))


def test_a_trap_that_cannot_be_reached_does_not_matter():
    """Only what can happen from the start counts."""
    rows = {"a": Distribution.point("end"), "trap": Distribution.point("trap")}

    assert absorb("a", chain(rows)).ends == Distribution.point("end")


# -- random chains ---------------------------------------------------------------------------------------------


@st.composite
def chains(draw, states: int = 7, ends: int = 3):
    """Random chains in which states may come back to themselves and to one another."""
    names = [*range(states), *(f"end {n}" for n in range(ends))]
    rows = {}
    for state in range(states):
        tickets = draw(st.dictionaries(st.sampled_from(names), st.integers(1, 5), min_size=1, max_size=4))
        total = sum(tickets.values())
        rows[state] = Distribution({image: Fraction(count, total) for image, count in tickets.items()})
    return rows


def reachable(start, rows):
    seen, waiting = set(), [start]
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            waiting.extend(rows.get(state) or ())
    return seen


def can_end(state, rows):
    return any(isinstance(other, str) for other in reachable(state, rows))


def solved(rows, right):
    """x = right + A x for each state of the rows, by plain Gauss-Jordan elimination with all entries written out."""
    states = list(rows)
    matrix = [[Fraction(i == j) - rows[s][t] for j, t in enumerate(states)] + [right[s]] for i, s in enumerate(states)]
    for column in range(len(states)):
        pivot = next(row for row in range(column, len(states)) if matrix[row][column])
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        matrix[column] = [value / matrix[column][column] for value in matrix[column]]
        for row in range(len(states)):
            if row != column and matrix[row][column]:
                factor = matrix[row][column]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[column], strict=True)]
    return {state: matrix[i][-1] for i, state in enumerate(states)}


@given(chains())
def test_absorbing_or_an_error(rows):
    """It is an error exactly when some state that can be reached leads to no end."""
    ends = all(can_end(state, rows) for state in reachable(0, rows))
    try:
        found = absorb(0, chain(rows))
    except NotAbsorbingError:
        assert not ends
        return

    assert ends
    assert set(found.visits) | set(found.ends) == reachable(0, rows)


@given(chains())
def test_visits_balance(rows):
    """What enters a state is what starts there and what leaves others for it, ends included."""
    assume(all(can_end(state, rows) for state in reachable(0, rows)))
    found = absorb(0, chain(rows))

    for state in reachable(0, rows):
        arriving = Fraction(state == 0) + sum(count * rows[s][state] for s, count in found.visits.items())
        assert arriving == (found.ends[state] if isinstance(state, str) else found.visits[state])


@given(chains())
def test_ends_are_those_of_plain_elimination(rows):
    """The chance of an end, solved backwards from the end state by state, is the same."""
    inside = {state: row for state, row in rows.items() if state in reachable(0, rows)}
    assume(all(can_end(state, rows) for state in inside))
    found = absorb(0, chain(rows))

    for end in ("end 0", "end 1", "end 2"):
        assert found.ends[end] == solved(inside, {state: row[end] for state, row in inside.items()})[0]
    assert sum(found.visits.values()) == solved(inside, dict.fromkeys(inside, Fraction(1)))[0]
