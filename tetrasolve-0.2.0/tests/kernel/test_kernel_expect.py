"""The worth of a position after its Barbarian phase, against the sum over all outcomes and against the reference rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from scatter import RECIPES, any_readings, scattered

from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import (
    Expectimax,
    Kernel,
    KernelError,
    State,
    Turn,
    expect_exact,
    expect_plain,
    expect_values,
    figures_many,
)
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = list(all_levels())
BOARD = Board.standard()


def _weights(random: Random) -> tuple[Any, ...]:
    """Weights of all signs, different everywhere."""

    def row() -> list[int]:
        return [random.randint(-9, 9) for _ in range(48)]

    garrison, emperor = [row() for _ in range(4)], [row() for _ in range(4)]
    return (row(), row(), garrison, row(), emperor, random.randint(-50, 50), 1000, random.randint(-500, 0))


def _worth(state: State, weights: tuple[Any, ...]) -> int:
    """By its definition."""
    revolt, unrest, garrison, army, emperor, constant, won, fallen = weights
    if state.result != kernel.OPEN:
        return won if state.result == kernel.WON else fallen

    def total(row: list[int], mask: int) -> int:
        return sum(row[p] for p in range(48) if mask >> p & 1)

    worth = constant + total(revolt, state.revolts) + total(unrest, state.unrest) + total(army, state.armies)
    worth += sum(total(garrison[who], mask) for who, mask in enumerate(state.garrisons))
    return worth + sum(emperor[who][p] for who, p in enumerate(state.emperors) if p != kernel.OFF)


def _phases(recipe: str, count: int, most_visits: int) -> Iterator[tuple[Position, Kernel, State, dict[str, float]]]:
    """Tables after a recipe, half of them with readings drawn at random."""
    random = Random(f"expect {recipe} {most_visits}")
    while count:
        ruleset = random.choice(LEVELS)
        if random.random() < 0.5:
            ruleset = any_readings(ruleset, random)
        position = scattered(recipe, ruleset, random, BOARD, Phase.BARBARIAN)
        if recipe == "walled" and most_visits < 10_000 and len(position.revolts) + len(position.unrest) > 3:
            continue  # with all borders closed, chains are long
        engine, state = fast.kernel_for(BOARD, ruleset), fast.state_of(position)
        figures = engine.phase(state)
        if figures["visits"] <= most_visits:
            count -= 1
            yield position, engine, state, figures


@pytest.mark.parametrize("recipe", RECIPES)
def test_values_are_those_of_all_outcomes(recipe: str) -> None:
    """Value and figures differ from the sums over all outcomes by rounding only, and by less than is stated."""
    _hold_against_outcomes(recipe, count=25, most_visits=1_500)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES)
def test_values_are_those_of_all_outcomes_of_large_phases(recipe: str) -> None:
    """The same where chains of uprisings are long."""
    _hold_against_outcomes(recipe, count=60, most_visits=60_000)


def _hold_against_outcomes(recipe: str, count: int, most_visits: int) -> None:
    random = Random(f"weights {recipe}")
    for position, engine, state, figures in _phases(recipe, count, most_visits):
        weights = _weights(random)
        plain = sum(Fraction(chance) * _worth(after, weights) for after, chance in engine.outcomes(state))

        ((value, error),) = expect_values(engine, [state], weights)
        ((swept, _),) = expect_plain(engine, [state], weights)
        (found,) = figures_many(engine, [state])

        assert abs(Fraction(value) - plain) <= min(Fraction(error), Fraction(1, 10**8)), position
        assert abs(Fraction(swept) - plain) <= Fraction(1, 10**8), position
        for name, (figure, off) in found.items():
            assert figure == pytest.approx(figures[name], abs=1e-10), (position, name)
            assert 0 <= off < 1e-6


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_fraction_is_that_of_the_reference_rules(recipe: str) -> None:
    """Exactly the mean over the outcomes of the rules, and the double lies within its error of it."""
    random = Random(f"fractions {recipe}")
    for position, engine, state, _ in _phases(recipe, 3, 200):
        weights = _weights(random)
        fallen = weights[-1]
        mean = sum(
            chance * (fallen if isinstance(after, Fall) else _worth(fast.state_of(after), weights))
            for after, chance in rules.outcomes(position).items()
        )

        exact = Fraction(*expect_exact(engine, state, weights))
        ((value, error),) = expect_values(engine, [state], weights)

        assert exact == mean, position
        assert abs(Fraction(value) - exact) <= Fraction(error), position


@pytest.mark.parametrize("recipe", ["mixed", "smouldering", "invasion", "last discs"])
def test_figures_that_are_zero_are_exactly_zero(recipe: str) -> None:
    """What cannot happen has chance 0.0, and what can has not; the fraction lies within the error."""
    for position, engine, state, _ in _phases(recipe, 8, 1_000):
        exact = engine.phase_exact(state)
        (found,) = figures_many(engine, [state])
        for name in ("p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts"):
            figure, error = found[name]
            assert (figure == 0.0) == (exact[name][0] == 0), (position, name)
            assert abs(Fraction(figure) - Fraction(*exact[name])) <= Fraction(error), (position, name)


def _turns(count: int, most_work: int) -> Iterator[tuple[Position, Turn]]:
    """Turns whose ends take no more visits than this together, judged by the position as it lies."""
    random = Random(f"turns {count}")
    recipes = list(RECIPES)
    while count:
        ruleset = random.choice(LEVELS)
        if random.random() < 0.4:
            ruleset = any_readings(ruleset, random)
        position = scattered(random.choice(recipes), ruleset, random, BOARD)
        if not (rules.may_end(position) or rules.legal_actions(position)):
            continue
        engine, state = fast.kernel_for(BOARD, ruleset), fast.state_of(position)
        turn = Turn(engine, state)
        if turn.nodes * engine.phase(_stopped(state))["visits"] <= most_work:
            count -= 1
            yield position, turn


def _stopped(state: State) -> State:
    """With the active Emperor off the board, so that he shares no province."""
    places = tuple(kernel.OFF if who == state.to_move else place for who, place in enumerate(state.emperors))
    return State(
        revolts=state.revolts,
        unrest=state.unrest,
        garrisons=state.garrisons,
        armies=state.armies,
        emperors=(places[0], places[1], places[2], places[3]),
        fleets=state.fleets,
        to_move=state.to_move,
    )


def test_whole_turns_are_worth_what_the_plain_loop_says() -> None:
    """Every end of every turn, the best policy, and so with equal ends shared the simple way."""
    random = Random("whole turns")
    attacks = 0
    for position, turn in _turns(48, 2_000_000):
        weights = _weights(random)
        found, plain, shared = (Expectimax(turn, weights, method) for method in ("marginals", "plain", "shared"))

        assert found.error < 1e-4
        assert found.value == pytest.approx(plain.value, abs=min(found.error, 1e-8)), position
        assert shared.value == pytest.approx(plain.value, abs=1e-8), position
        for node in range(0, turn.nodes, 1 + turn.nodes // 500):
            mine, theirs = found.end_value(node), plain.end_value(node)
            assert (mine is None) == (theirs is None)
            if mine is not None:
                assert mine == pytest.approx(theirs, abs=1e-8), (position, node)
        attacks += any(code & 15 == kernel.ATTACK for node in range(turn.nodes) for code, _, _ in turn.edges_from(node))

    assert attacks >= 6


def test_many_at_once_are_as_one_by_one() -> None:
    """What ends share does not leak from one to the other, in whatever order they come."""
    random = Random("many")
    for _, turn in _turns(6, 500_000):
        states = [turn.state(node) for node in range(turn.nodes) if turn.may_end(node)][:300]
        weights = _weights(random)
        engine = fast.kernel_for(BOARD, LEVELS[0])
        states = [state for state in states if all(mask.bit_count() <= 3 for mask in state.garrisons)]
        alone = [expect_values(engine, [state], weights)[0][0] for state in states]
        order = random.sample(range(len(states)), len(states))
        together = expect_values(engine, [states[row] for row in order], weights)

        assert [value for value, _ in together] == pytest.approx([alone[row] for row in order], abs=1e-9)


def test_a_game_that_is_over_has_no_phase(kit: Any, base: Kernel) -> None:
    """Won and fallen states are worth what is given for them."""
    weights = (None, None, None, None, None, 7, 100, -100)
    over = [kit.state(result=kernel.WON), kit.state(result=kernel.FALLEN)]

    assert expect_values(base, over, weights) == [(100.0, 0.0), (-100.0, 0.0)]
    assert [expect_exact(base, state, weights) for state in over] == [(100, 1), (-100, 1)]
    assert [figures["p_lost"][0] for figures in figures_many(base, over)] == [0.0, 1.0]


def test_what_is_no_weight_is_refused(kit: Any, base: Kernel) -> None:
    """The text names the field."""
    good: list[Any] = [None, None, None, None, None, 0, 0, 0]
    for place, wrong, message in (
        (0, [1] * 47, "revolt: expected 48"),
        (1, [0.5] * 48, r"unrest\[0\]: expected an integer"),
        (2, [[1] * 48], "garrison: expected 4"),
        (4, [None, None, None, [10**7] * 48], r"emperor\[3\]\[0\]"),
        (7, 10**10, "fallen"),
    ):
        with pytest.raises(KernelError, match=message):
            expect_values(base, [kit.state()], (*good[:place], wrong, *good[place + 1 :]))
    with pytest.raises(KernelError, match="weights: expected 8"):
        expect_values(base, [kit.state()], (1, 2))  # type: ignore[arg-type]  # on purpose
    with pytest.raises(KernelError, match="method"):
        Expectimax(Turn(base, kit.state()), tuple(good), "other")
