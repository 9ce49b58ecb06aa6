"""The race of the dice against the decline: equal to exact turns without cubes, and never below exact turns with cubes."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from tetrasolve.errors import ArgumentError
from tetrasolve.finem import rules
from tetrasolve.finem.bounds.firstturn import start_of
from tetrasolve.finem.bounds.race import ONE, WAYS, Race, alike, race, require_known
from tetrasolve.finem.examples import examples
from tetrasolve.finem.facts.dice import HANDS, NO_ROLE, PREFECT
from tetrasolve.finem.plan import plan
from tetrasolve.finem.position import NO_CUBES, Phase, Position, Result, Step
from tetrasolve.finem.ruleset import Ruleset

pytestmark = pytest.mark.program

STANDARD = Ruleset("standard")
ENDGAME = ((1, 2, 3, 4), frozenset("OCE"))  # one tribe is left
RACES: dict[str, tuple[int, str]] = {
    "p_lost": (ONE, "not lost"),
    "p_won": (0, "won"),
}  # what a game is worth after the turn


@pytest.fixture(scope="module")
def endgame() -> Race:
    return Race(STANDARD, ENDGAME)


def at(race: Race, state, decline: int, role: str) -> Position:
    """A position without cubes, with one action left."""
    start = start_of(race.ruleset, 1, 0)
    return start.replace(cubes=NO_CUBES, dice=state[0], pacified=state[1], decline=decline, role=role, left=1)


@pytest.mark.parametrize("objective", RACES)
@pytest.mark.parametrize(
    ("role", "kind"),
    [("consul", NO_ROLE), ("emperor", "emperor"), pytest.param("tribune", "tribune", marks=pytest.mark.slow)],
)
def test_a_turn_without_cubes_is_that_of_the_kernel(endgame: Race, objective: str, role: str, kind: str) -> None:
    values, random = next(endgame.turns(RACES[objective][0])), Random(3)
    for state in random.sample([*endgame.numbers], 3):
        decline = random.choice((8, 9, 10, 11))
        exact = plan(at(endgame, state, decline, role), objective).value.value
        bound = Fraction(values[kind][decline][endgame.numbers[state]], ONE)
        exact = 1 - exact if objective == "p_lost" else exact
        assert exact <= bound
        if kind != "tribune" or objective == "p_lost":  # of his events too many are an S
            assert float(bound) == pytest.approx(float(exact), abs=1e-12)


def test_a_tribune_exchanges_one_of_two_cards_of_a_suit_where_the_decline_would_lose(endgame: Race) -> None:
    """At 11 only three suits do not lose: 864 of 2024 hands, and 12 of 21 cards where one of two alike is put away."""
    values = next(endgame.turns())["tribune"][11]
    expected = (864 + 1080 * Fraction(12, 21)) / 2024
    assert all(0 <= Fraction(value, ONE) - expected <= Fraction(4, ONE) for value in values)  # rounded up a few times


@pytest.mark.parametrize("objective", RACES)
def test_a_prefect_who_pacifies_the_last_tribe_has_won_at_every_decline(endgame: Race, objective: str) -> None:
    values = next(endgame.turns(RACES[objective][0]))
    for state, number in endgame.numbers.items():
        (last,) = (die for die, tribe in zip(state[0], "OCEB", strict=True) if tribe not in state[1])
        assert (values[PREFECT][11][number] == ONE) == (last == 5)
    for state in (next(iter(endgame.numbers)), next(state for state in endgame.numbers if 5 in state[0])):
        exact = plan(at(endgame, state, 10, "prefect"), objective).value.value
        bound = Fraction(values[PREFECT][10][endgame.numbers[state]], ONE)
        assert float(bound) == pytest.approx(float(1 - exact if objective == "p_lost" else exact), abs=1e-12)


def ends(position: Position, event: str) -> Iterator[Position | Result]:
    """Where the player can take a campaign of the reference rules whose event has this rank."""
    if isinstance(position, Result) or position.phase in (Phase.INVASION, Phase.ROLE):
        yield position
    elif position.step in (Step.EVENT, Step.CRISIS):
        card = next(card for card in position.deck if card[1] == event)
        yield from ends(rules.take(position, card), event)
    else:
        for option in rules.node(position).options:
            yield from ends(rules.take(position, option), event)


def test_a_step_of_the_race_is_that_of_the_reference_rules(endgame: Race) -> None:
    """Any values may follow a turn: those after two more turns."""
    steps = endgame.turns()
    next(steps)
    following = endgame.mean(next(steps))
    third = next(steps)
    state = alike(ENDGAME)
    for decline in (7, 11):
        total = Fraction(0)
        for hand, ways in zip(HANDS, WAYS, strict=True):
            start = at(endgame, state, decline, "consul")
            drawn = rules.take(start, "pass")
            for place, tribe in enumerate(hand):
                drawn = rules.take(drawn, f"{tribe}{'5C7'[place]}")
            for event, chance in (("6", Fraction(5, 6)), ("S", Fraction(1, 6))):
                values = [
                    int(end.is_won) * ONE
                    if isinstance(end, Result)
                    else following[end.decline][endgame.numbers[alike((end.dice, end.pacified))]]
                    for end in ends(drawn, event)
                ]
                total += chance * ways * max(values)
        expected = total / sum(WAYS)
        assert 0 <= third[NO_ROLE][decline][endgame.numbers[state]] - expected <= 1  # rounded up once


def test_a_turn_with_cubes_is_lost_no_less_often(endgame: Race) -> None:
    """Shrunken games that end after a turn, solved exactly: the race is not below them, and with threats well above."""
    values, gaps = next(endgame.turns()), []
    for name in ("peril", "limit"):
        table = examples()[name]
        position = at(endgame, ENDGAME, 10, "consul").replace(cubes=table.cubes, outbreaks=3)
        exact = 1 - plan(position, "p_lost").value.value
        gaps.append(Fraction(values[NO_ROLE][10][endgame.numbers[alike(ENDGAME)]], ONE) - exact)
    assert min(gaps) >= 0
    assert max(gaps) > Fraction(1, 100)


def test_longer_games_and_steeper_declines_are_won_less_often(endgame: Race) -> None:
    high, low = endgame.turns(), endgame.turns(0)
    first, capped = next(high), next(Race(Ruleset.from_text("expert+cap3"), ENDGAME).turns())
    assert all(other[0] <= first[NO_ROLE][decline][0] for decline, other in capped[NO_ROLE].items())
    uppers = [float(endgame.bound(values).high) for values in (first, next(high), next(high))]
    lowers = [float(endgame.bound(next(low)).high) for _ in range(3)]
    assert uppers == sorted(uppers, reverse=True)
    assert lowers == sorted(lowers)
    assert lowers[-1] < uppers[-1]


@pytest.mark.parametrize(
    "text", ["standard?E-PACIFY=free", "standard?E-TRIBUNE=invasion", "expert+cap3?E-CAP3-END=ten"]
)
def test_rules_that_the_race_does_not_know_are_refused(text: str) -> None:
    with pytest.raises(ArgumentError, match="E-PACIFY automatic or action"):
        require_known(Ruleset.from_text(text))


def test_a_race_of_one_turn_is_refused() -> None:
    with pytest.raises(ArgumentError, match="at least 2"):
        race(STANDARD, 1)
