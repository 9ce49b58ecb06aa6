"""The best turn with the phase after it looked at in full, against all policies tried out by the reference rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from random import Random

import pytest
from scatter import any_readings, scattered

from tetrasolve.errors import IllegalPositionError, ObjectiveError
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.kernel import Kernel, State, Turn, expect_plain
from tetrasolve.tetrarchia.plan.answer import DisagreementError, Status
from tetrasolve.tetrarchia.plan.expect import Evaluation, best_turn, plan_value, read_evaluation
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import all_levels

LEVELS = list(all_levels())
USUAL = "revolt=-3 unrest=-1 garrison=1 garrison@borders=6 army=-6 won=1000 fallen=-200"


class _Reference:
    """All policies of a turn by the reference rules, each end worth the mean over the outcomes of its phase."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.best = lru_cache(maxsize=None)(self.best_from)
        self.phase = lru_cache(maxsize=None)(self.mean)

    def mean(self, end: Position) -> Fraction:
        return sum((c * self.evaluation.of(after) for after, c in rules.outcomes(end).items()), Fraction(0))

    def end(self, end: Position | Fall) -> Fraction:
        if isinstance(end, Fall) or end.is_won:
            return Fraction(self.evaluation.of(end))
        return self.phase(end.replace(phase=Phase.BARBARIAN, ip=0))

    def best_from(self, position: Position) -> Fraction:
        if position.phase is Phase.BARBARIAN or position.is_won:
            return self.end(position)
        found = [self.end(position)] if rules.may_end(position) else []
        attacks: dict[str, list[Action]] = {}
        for action in rules.legal_actions(position):
            if action.kind is Kind.ATTACK:
                attacks.setdefault(str(action.place), []).append(action)
            else:
                found.append(self.after(position, action))
        for actions in attacks.values():
            chances = rules.battle(position, position.to_move, str(actions[0].place)).chances()
            found.append(
                sum(
                    (Fraction(chances[a.outcome], 36) * self.after(position, a) for a in actions if a.outcome),
                    Fraction(0),
                )
            )
        return max(found)

    def after(self, position: Position, action: Action) -> Fraction:
        end = rules.play(position, action)
        return self.end(end) if isinstance(end, Fall) else self.best(end)


def _evaluation(random: Random, board: Board) -> str:
    """Weights of every kind, some of them strange."""
    someone = random.choice([emperor.id for emperor in board.emperors])
    words = [
        f"revolt={random.randint(-4, 1)} unrest={random.randint(-2, 1)} garrison={random.randint(0, 2)}",
        f"army={random.randint(-9, 0)} garrison@borders={random.randint(0, 6)}",
        f"emperor={random.randint(0, 3)} emperor:{someone}@{random.choice(board.ids)}={random.randint(-2, 4)}",
        f"garrison:{someone}={random.randint(-1, 3)} revolt@{random.choice(board.ids)}=-5 unrest@III=-2",
        f"constant={random.randint(-9, 9)} won=300 fallen={random.randint(-300, 0)}",
    ]
    return " ".join(words)


def _cases(count: int, recipes: tuple[str, ...], most_visits: int, *, fights: bool) -> Iterator[tuple[Position, str]]:
    """Turns with few ends and small phases, all readings among them; with `fights` those that can begin with an attack."""
    random = Random(f"expected turns {fights}")
    board = Board.standard()
    while count:
        ruleset = random.choice(LEVELS)
        if random.random() < 0.5:
            ruleset = any_readings(ruleset, random)
        position = scattered(random.choice(recipes), ruleset, random, board)
        if fights and not position.armies:
            continue
        if fights:
            near = board.neighbours(random.choice(position.armies))
            free = [place for place in near if place not in {*position.armies, *position.emperors.values()}]
            if not free:
                continue
            position = position.with_emperor(position.to_move, random.choice(free))
        if position.here is None:
            continue
        position = position.replace(ip=random.randint(1, 3))
        legal = rules.legal_actions(position)
        if not (rules.may_end(position) or legal) or (fights and not _has_hope(position, legal)):
            continue
        engine, state = fast.kernel_for(board, ruleset), fast.state_of(position)
        turn = Turn(engine, state)  # with the ends after attacks too
        ends = [turn.state(node) for node in range(min(turn.nodes, 120)) if turn.may_end(node)]
        if turn.nodes > 120 or not _is_small(engine, ends, most_visits):
            continue
        count -= 1
        yield position, _evaluation(random, board) + (" army=-30" if fights else "")


def _is_small(engine: Kernel, ends: list[State], most_visits: int) -> bool:
    """Whether the phases after all ends have so few situations; the first that are too many end the count."""
    for end in ends:
        ((_, visits),) = expect_plain(engine, [end], NOTHING)
        most_visits -= visits
        if most_visits < 0:
            return False
    return True


def _has_hope(position: Position, legal: list[Action]) -> bool:
    """Whether an attack is legal that is won one time in three."""
    armies = {str(action.place) for action in legal if action.kind is Kind.ATTACK}
    return any(
        rules.battle(position, position.to_move, army).chances().get(Outcome.VICTORY, 0) >= 12 for army in armies
    )


NOTHING = (None, None, None, None, None, 0, 0, 0)
QUIET, FIGHTS = 16, 8  # cases


@cache
def cases() -> list[tuple[Position, str]]:
    """The cases, which take seconds to find."""
    return [
        *_cases(QUIET, ("mixed", "quiet", "last discs", "no unrest", "before Roma"), 2_000, fights=False),
        *_cases(FIGHTS, ("column", "invasion", "mixed"), 4_000, fights=True),
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(QUIET + FIGHTS))
def test_no_policy_of_the_reference_rules_is_better(number: int) -> None:
    """In fractions the value is the best of all policies', the plan has it, and the interval holds it."""
    position, text = cases()[number]
    evaluation = read_evaluation(text, position.board)
    reference = _Reference(evaluation)
    best = reference.best(position)

    settled, rounded = best_turn(position, evaluation, exact=True), best_turn(position, evaluation)

    assert settled.value == Exact(best)
    assert settled.status is Status.OPTIMAL_PROVED
    assert _worth(position, settled.plan, reference) == best
    assert isinstance(rounded.value, Interval)
    assert rounded.value.low <= best <= rounded.value.high
    assert best - _worth(position, rounded.plan, reference) <= rounded.within
    assert (rounded.status is Status.OPTIMAL_PROVED) == (rounded.within == 0)


def _worth(position: Position, plan: object, reference: _Reference) -> Fraction:
    return sum((c * reference.end(end) for c, end, _ in endings(position, plan)), Fraction(0))  # type: ignore[arg-type]  # a plan


def test_the_cases_fight() -> None:
    """Among the best policies above some attack, or nothing of what an attack brings was tested."""
    forks = [plan.fork for position, text in cases() if (plan := best_turn(position, text).plan).fork is not None]

    assert len(forks) >= 3


@pytest.mark.parametrize("name", ["movement", "fight"])
def test_both_kinds_of_answer_agree_on_whole_turns(name: str) -> None:
    """With all IP: the exact value lies in the interval, and the outcomes of the exact plan's phases say so too."""
    rounded, settled = best_turn(example(name), USUAL), best_turn(example(name), USUAL, exact=True)

    assert rounded.value.low <= settled.value.low <= rounded.value.high
    again = plan_value(example(name), settled.evaluation, settled.plan)
    assert again.low <= settled.value.low <= again.high
    assert 0 < rounded.walks <= rounded.scenes <= rounded.ends


def test_a_victory_is_worth_what_is_given_for_it() -> None:
    """One border short of winning, with the IP for it: a victory for certain, and no phase."""
    start = example("movement")
    board = start.board
    *secured, last = board.borders
    discs = dict(zip(secured, ["galerius"] * 3 + ["constantius"] * 2, strict=True))
    places = {emperor.id: None for emperor in board.emperors} | {start.to_move: last}
    position = start.replace(discs=discs, emperors=places, armies=(), ip=2)

    found = best_turn(position, "revolt=-3 won=1000", exact=True)

    assert found.value == Exact(Fraction(1000))
    assert str(found.plan) == "secure"


def test_a_plan_that_is_not_worth_it_is_never_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the outcomes one by one say something else there is an error and no answer."""
    monkeypatch.setattr(
        "tetrasolve.tetrarchia.plan.expect.plan_value", lambda *_: Interval(Fraction(10**6), Fraction(10**6))
    )

    with pytest.raises(DisagreementError, match="please report"):
        best_turn(example("movement"), USUAL)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one weight"),
        ("revolt", "expected KIND=WEIGHT"),
        ("revolts=-3", "expected a kind of"),
        ("revolt:galerius=1", "belongs to no Emperor"),
        ("garrison:nero=1", "expected an Emperor"),
        ("army@atlantis=-1", "no province"),
        ("army=1000001", "whole number up to 1000000"),
        ("won=9999999999", "whole number up to"),
        ("won=1 won=2", "given twice"),
        ("won@roma=1", "without a place"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    with pytest.raises(ObjectiveError, match=message):
        read_evaluation(text)


def test_weights_that_add_up_to_too_much_are_refused() -> None:
    with pytest.raises(ObjectiveError, match="add up"):
        best_turn(example("movement"), "revolt=-900000 revolt@dacia=-900000")


@pytest.mark.parametrize("text", [USUAL, "emperor:galerius@roma=5 constant=-3", "army@rhaetia=-10 fallen=-1"])
def test_an_evaluation_prints_as_it_is_read(text: str) -> None:
    evaluation = read_evaluation(text)

    assert read_evaluation(str(evaluation)) == evaluation


def test_there_must_be_a_turn_to_plan() -> None:
    with pytest.raises(IllegalPositionError, match="Barbarian phase"):
        best_turn(example("movement").replace(phase=Phase.BARBARIAN, ip=0), USUAL)
