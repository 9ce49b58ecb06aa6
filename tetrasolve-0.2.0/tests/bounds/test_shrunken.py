"""Shrunken games of Tetrarchia, solved exactly: no bound is below their value."""

from fractions import Fraction

import pytest

from tetrasolve.bounds import optimum, penalised, penalised_exactly, potential_bound
from tetrasolve.bounds.process import values
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.bounds.shrunken import Moment, Over, Shrunken, State
from tetrasolve.tetrarchia.builder import build
from tetrasolve.tetrarchia.kernel import Expectimax, Turn
from tetrasolve.tetrarchia.position import Position

pytestmark = pytest.mark.program


def threatened() -> Position:
    """An army before Roma, and Galerius beside it: he can attack, and attack again after a draw."""
    built = build("3100").with_revolt("etruria").with_army("etruria").with_emperor("galerius", "roma")
    return built.with_revolt("cisalpina").to_act("galerius").position


def marching() -> Position:
    """An army two phases before Roma, after Diocletian's turn: a phase, a turn and a phase follow."""
    built = build("3100").with_revolt("cisalpina").with_army("cisalpina").with_emperor("galerius", "etruria")
    return built.with_emperor("diocletian", "bithynia").to_act("diocletian").barbarians().position


GAMES = {"threatened": (threatened, 4, 1), "marching": (marching, 1, 2)}


@pytest.fixture(scope="module", params=GAMES)
def solved(request: pytest.FixtureRequest) -> tuple[Shrunken, State, dict[State, Fraction]]:
    make, ip, turns = GAMES[request.param]
    game = Shrunken(ip, turns)
    start = game.start(make())
    return game, start, values(game, start)


def calm(state: State) -> Fraction:
    """A rough evaluation by hand: armies inside the Empire, and revolts."""
    if isinstance(state, Over):
        return Fraction(state.stands)
    inside = sum(not state.position.board[place].is_border for place in state.position.armies)
    return max(Fraction(0), 1 - Fraction(inside, 4) - Fraction(len(state.position.revolts), 40))


def test_values_lie_between_losing_and_winning(solved) -> None:
    _, start, known = solved

    assert 0 < known[start] < 1
    assert {Over(stands=True), Over(stands=False)} <= known.keys()


@pytest.mark.parametrize("potential", [calm, lambda _: Fraction(0)], ids=["calm", "none"])
def test_known_dice_with_a_penalty_are_never_below_the_value(solved, potential) -> None:
    game, start, known = solved
    bound = penalised_exactly(game, start, potential)

    assert bound.certainty == "proved" and bound.high >= known[start]


def test_known_dice_with_the_values_as_penalty_are_the_value(solved) -> None:
    game, start, known = solved

    assert penalised_exactly(game, start, known.__getitem__).high == known[start]


def test_a_penalty_helps_where_knowing_the_dice_does(solved) -> None:
    game, start, known = solved
    free = penalised_exactly(game, start, lambda _: Fraction(0)).high
    paid = penalised_exactly(game, start, lambda state: (3 * known[state] + calm(state)) / 4).high

    assert known[start] <= paid <= free
    assert paid < free or free == known[start]  # one of the two games offers nothing to choose from


def test_sampled_dice_are_not_below_the_value(solved) -> None:
    game, start, known = solved
    bound = penalised(
        game, start, known.__getitem__, runs=20, most=Fraction(1 + 2 * game.steps), seed=5, confidence=0.95
    )

    assert bound.certainty == "statistical" and bound.high >= known[start]
    assert bound.value.value == pytest.approx(float(known[start]))  # with the true values every future pays the same


def test_a_potential_with_its_excess_is_never_below_the_value(solved) -> None:
    game, start, known = solved

    assert potential_bound(game, start, calm, game.steps).high >= known[start]
    assert potential_bound(game, start, known.__getitem__, game.steps).high == known[start]


def test_one_turn_agrees_with_the_compiled_search() -> None:
    """The optimum of a turn and the phase after it, by the kernel's graph of the turn and its sums over phases."""
    position = threatened().replace(ip=4)
    state, engine = fast.to_state(position), fast.kernel_for(position.board, position.ruleset)
    search = Expectimax(Turn(engine, state), (None, None, None, None, None, 10**6, 10**6, 0))
    game = Shrunken(6, 1)

    assert search.value / 10**6 == pytest.approx(float(optimum(game, game.start(position)).value), abs=1e-8)


def test_a_game_without_turns_is_refused() -> None:
    with pytest.raises(ValueError, match="expected at least one of each"):
        Shrunken(0, 1)


def test_spent_ip_are_limited() -> None:
    """The attack costs 2 IP: 1 for the link and 1 for the revolt under the army."""
    one, two = (Shrunken(ip, 1).actions(Moment(threatened(), 1)) for ip in (1, 2))

    assert rules.cost(threatened(), rules.parse(threatened(), "attack etruria: draw")) == 2
    assert {choice.army for choice in one} == {None}
    assert {choice.army for choice in two} == {None, "etruria"}
