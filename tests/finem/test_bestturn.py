"""The best policy of a turn: against stated policies, itself one card later, and sums by hand; objectives; lines of play."""

from fractions import Fraction
from random import Random

import pytest
from tablefinem import ALL_RULESETS, table

from tetrasolve.errors import ArgumentError, IllegalActionError, IllegalPositionError, ObjectiveError
from tetrasolve.exact.certainty import Exact
from tetrasolve.finem import rules
from tetrasolve.finem.bestturn import best_turn, expected
from tetrasolve.finem.evaluation import OBJECTIVES, Evaluation, read_objective
from tetrasolve.finem.examples import examples
from tetrasolve.finem.fast import engine_of, option_text, position_of, state_of
from tetrasolve.finem.kernel import POLICIES, KernelError, Rng
from tetrasolve.finem.policies import POLICIES as REFERENCE
from tetrasolve.finem.position import Phase, Position, Result, State, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.turnrisk import turn_risk
from tetrasolve.stop import Stop, Stopped

PERIL, LIMIT = examples()["peril"], examples()["limit"]
MIXED = "constant=7 won=400 lost=-150 outbreaks=-20 decline=-3 die:O=2 die:B=-1 pacified=9 cubes:O=-2 cubes:E=3"


def start(level: str = "standard", seed: int = 3) -> Position:
    found = rules.random_set_up(Ruleset.from_text(level), seed)
    assert isinstance(found, Position)
    return found


def starts_of_campaigns(ruleset: str, number: int, seed: int) -> list[Position]:
    """Starts of campaigns in random games, with few cards of an invasion."""
    chosen = Ruleset.from_text(ruleset).dealt(Random(seed))
    engine, rng, found = engine_of(chosen), Rng(seed), list[Position]()
    for steps in range(1, 2000):
        position = position_of(chosen, engine.random_state(steps % 90, rng))
        collects = isinstance(position, Position) and position.role == "tribune" and "E-TRIBUNE" in ruleset
        if isinstance(position, Position) and position.step is Step.DRAW and not position.hand and not collects:
            found.append(position)
            if len(found) == number:
                return found
    raise AssertionError(ruleset)


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_a_turn_is_worth_the_mean_over_its_first_cards(ruleset: str) -> None:
    """From each first card on the same question begins with another deck, so its sums over sets are others."""
    (position,) = starts_of_campaigns(ruleset, 1, 5)
    weights = read_objective(MIXED).evaluation.weights
    engine, state = engine_of(position.ruleset), state_of(position)
    found, total = engine.best(state, weights), Fraction(0)
    for code, worth in found["each"].items():
        after = engine.best(engine.take(state, code), weights)
        assert Fraction(after["worth"], after["unit"]) == Fraction(worth, found["unit_of_each"]), option_text(code)
        total += Fraction(worth, found["unit_of_each"])
    assert total / len(found["each"]) == Fraction(found["worth"], found["unit"])


@pytest.mark.sampled(6)
@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_no_stated_policy_is_better_than_the_best(ruleset: str) -> None:
    objectives, better = ("p_lost", "most p_lost", MIXED, f"least {MIXED}"), 0
    for objective, position in zip(objectives, starts_of_campaigns(ruleset, 4, 8), strict=True):
        found = best_turn(position, objective)
        assert found.status == "exact" and isinstance(found.value, Exact)
        for value in found.by_policy.values():
            assert value <= found.value.value if found.objective.aims_at_most else value >= found.value.value
            better += value != found.value.value
    assert better or "E-EVENT=never" in ruleset


def test_where_nothing_is_decided_the_best_policy_is_any() -> None:
    position = start("standard?E-EVENT=never")
    found = best_turn(position, MIXED)
    assert {found.value.low, *found.by_policy.values()} == {found.value.low} and found.best is None
    risk = turn_risk(position)
    assert best_turn(position).value == Exact(risk.p_lost) and best_turn(position, "p_won").value == Exact(risk.p_won)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_expected_value_of_a_stated_policy_is_that_of_its_ends(policy: str) -> None:
    """By a second way: the ends of the turn one by one, each with its value."""
    evaluation = read_objective(MIXED).evaluation

    def value(state: State) -> Fraction:
        if isinstance(state, Result) or state.phase is Phase.ROLE:
            return Fraction(evaluation.of(state))
        node = rules.node(state)
        options = node.options if node.is_chance else (REFERENCE[policy](state, node),)
        return sum((value(rules.take(state, option)) for option in options), Fraction(0)) / len(options)

    assert expected(turn_risk(LIMIT, policy), evaluation) == value(LIMIT) == best_turn(LIMIT, MIXED).by_policy[policy]


def test_the_best_option_by_hand() -> None:
    """Three cubes on two neighbours: naming a region of them spares its card; the other one still loses."""
    position = table(
        "consul", dice="2221/-", cubes="B6:B3.B7:B3", tracks="1/2", step="protect", more="C5.E6.B7.OC hand=C5.E6.B7"
    )
    found = best_turn(position)
    assert found.best == "protect B6"  # B7 has been drawn
    assert found.value == Exact(Fraction(0)) and set(found.options.values()) == {
        Fraction(0),
        Fraction(1, 10),
        Fraction(2, 19),
    }
    assert sum(value == 0 for value in found.options.values()) == 1


def test_the_line_follows_the_cards_with_the_best_decisions() -> None:
    position = table(
        "consul", dice="2221/-", cubes="B6:B3.B7:B3", tracks="1/2", step="event", more="C5.E6.B7 hand=C5.E6.B7"
    )
    found = best_turn(position, cards=["OC", "O5", "BR"])
    assert [(one.option, one.is_decision) for one in found.line] == [
        ("OC", False),
        ("protect B6", True),
        ("O5", False),
        ("BR", False),
    ]
    assert [one.value for one in found.line] == [0, 0, 0, 0] and found.options["OC"] == 0 < found.options["OR"]
    assert best_turn(position).line == ()
    assert best_turn(start(), cards=["O5"]).line[0].value == best_turn(start()).options["O5"]
    with pytest.raises(IllegalActionError, match="at step event expected one of"):
        best_turn(position, cards=["C5"])
    with pytest.raises(IllegalActionError, match="the turn is over before this card"):
        best_turn(position, cards=["OC", "O5", "BR", "B5"])


def test_in_the_phase_of_actions_the_player_passes() -> None:
    passed = rules.take(start(), "pass")
    assert isinstance(passed, Position) and best_turn(start()).value == best_turn(passed).value
    won = table("prefect", rules="introductory?E-WIN=phase", dice="1111/OCEB", step="act:3")
    assert best_turn(won, "p_won").value == Exact(Fraction(1)) and best_turn(won, "p_won").options == {}
    named = table("emperor", dice="2223/-", step="appoint")
    assert best_turn(named, "die=1").value == Exact(Fraction(9))


def test_without_time_the_value_lies_in_an_interval() -> None:
    cancelled = Stop()
    cancelled.set()
    whole = best_turn(start(), MIXED).value
    for stopped in (best_turn(start(), MIXED, seconds=0), best_turn(start(), MIXED, cancel=cancelled)):
        assert stopped.status == "interrupted" and stopped.options == {} == stopped.by_policy and stopped.line == ()
        assert stopped.value.low < whole.low < stopped.value.high
    slow = start("standard?E-TRIBUNE=invasion").replace(role="tribune", step=Step.DRAW, left=0, dice=(2, 2, 2, 1))
    found = best_turn(slow, seconds=0.1)
    assert found.status == "interrupted" and 0 <= found.value.low < found.value.high <= 1


def test_a_part_that_was_followed_narrows_the_interval() -> None:
    """The kernel hands back the cards that it has followed, and how many they are."""
    slow = start("standard?E-TRIBUNE=invasion").replace(
        role="tribune", step=Step.INVADE, left=2, out=frozenset({"O5", "C5", "E5"})
    )
    engine, weights = engine_of(slow.ruleset), read_objective("p_lost").evaluation.negated().weights
    whole = engine.best(state_of(slow), weights)
    with pytest.raises(Stopped) as stopped:
        for seconds in (0.02, 0.01, 0.005, 0.002, 0.001, 0):  # the first that is too short, whatever the machine
            engine.best(state_of(slow), weights, stop=Stop(seconds))
    part = stopped.value.partial
    assert part["unit"] == whole["unit"] and 0 <= part["known"] < part["unit"]
    assert whole["worth"] <= part["worth"] <= 0  # each further card can only add losses


def test_objectives() -> None:
    few = read_objective("outbreaks")
    assert str(few) == "least outbreaks" and few.evaluation.of(Result("lost: decline")) == 4
    assert str(read_objective("most outbreaks")) == "most outbreaks"
    assert str(read_objective("least die=2 die:O=3 won=5")) == "least won=5 die:O=3 die:C=2 die:E=2 die:B=2"
    assert read_objective("die:O=1").evaluation.of(LIMIT) == 2
    for name in OBJECTIVES:
        assert read_objective(str(read_objective(name))) == read_objective(name)
    mixed = read_objective(MIXED)
    assert read_objective(str(mixed)) == mixed
    low, high = mixed.evaluation.range(12)
    assert low == -150 and high == 400
    assert Evaluation(tracks=(-5, 1)).range(12) == (-14, 6)  # 3 and 1, or 1 and 11; a game that is over is worth 0
    for wrong in ("", "p_lose", "die", "die=1.5", "decline:O=1", "cubes=501", "won=10001", "die=1 die=2", "x" * 700):
        with pytest.raises(ObjectiveError, match="objective"):
            read_objective(wrong)
    with pytest.raises(ArgumentError, match="objective"):
        read_objective(3)  # type: ignore[arg-type]  # the error is the point


def test_the_range_of_an_evaluation_holds_on_random_games() -> None:
    random = Random(4)
    evaluation = Evaluation((3, 0, 0), (-5, 2), ((1, -2, 0, 3), (4, 0, -4, 0), (-1, 2, 0, 1)))
    low, high = evaluation.range(12)
    state = rules.random_set_up(Ruleset("introductory"), 4)
    for _ in range(400):
        if isinstance(state, Result):
            break
        assert low <= evaluation.of(state) <= high
        state = rules.take(state, random.choice(rules.node(state).options))


@pytest.mark.parametrize("cards", ["O7", [5], ["O7", None], 7, None])
def test_cards_are_a_list_of_texts(cards: object) -> None:
    with pytest.raises(ArgumentError, match="best_turn: cards: expected a list of cards"):
        best_turn(LIMIT, cards=cards)  # type: ignore[arg-type]  # the error is the point


def test_what_has_no_best_policy_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="finish the Dictator's action"):
        best_turn(table("dictator", dice="2221/-", step="ride:C7", more="C7"))
    with pytest.raises(IllegalPositionError, match="cannot occur"):
        best_turn(table(cubes="C7:C4"))
    with pytest.raises(ArgumentError):
        best_turn("limit")  # type: ignore[arg-type]  # the error is the point
    engine, none = engine_of(LIMIT.ruleset), [0] * 17
    with pytest.raises(KernelError, match="expected 17 numbers, got 3"):
        engine.best(state_of(LIMIT), [1, 2, 3])
    with pytest.raises(KernelError, match=r"weights\[16\]: expected a whole number from -500 to 500"):
        engine.best(state_of(LIMIT), [*none[:-1], 501])
    with pytest.raises(KernelError, match="nothing is drawn or decided any more"):
        engine.best(state_of(table("emperor", dice="2223/-", step="appoint")), none)
    with pytest.raises(KernelError, match="the Dictator's action"):
        engine.best(state_of(table("dictator", dice="2221/-", step="ride:C7", more="C7")), none)
