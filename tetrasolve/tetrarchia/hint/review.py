"""Reviews of finished games: the chance to win before and after each turn, split into luck and skill.

Let V(position) be the evaluation at the start of a turn, W(end) the mean of V over the whole Barbarian phase (every outcome with
its exact chance), and B(position) the largest expected W of a plan:

========================= ========================================================================================
``loss``                  B at a decision minus the expected value of the decision: 0 for the best plan
``luck`` of an attack     B after the outcome minus the mean of B over the outcomes
``luck`` of the phase     V after the phase minus W before it; its mean is exactly 0
``second thoughts``       B minus V at the start of the next turn: the gain of the search over the evaluation
========================= ========================================================================================

From the start of a turn to that of the next these add up to the change of B. All of them are evaluations, not facts. With Imperium
or Barbaria W assumes that all who have a choice in the phase use their discs eagerly (`tetrasolve.tetrarchia.rules.eager`), so that
luck includes what they chose: these choices are counted, and graded where that is asked for (`Review.phase_decisions`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import fsum
from typing import Any, Literal

from tetrasolve.exact.deadline import check, public_question, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tables import as_html
from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.game import Game, Played
from tetrasolve.tetrarchia.hint.basis import Basis, basis_of
from tetrasolve.tetrarchia.hint.evaluation import evaluate
from tetrasolve.tetrarchia.hint.grades import grade_of
from tetrasolve.tetrarchia.hint.phasereview import FEWEST_PHASES, MOST_PHASES, PhaseDecision, decisions, judged
from tetrasolve.tetrarchia.hint.players import DECIDE, PHASE_POLICIES, borrow
from tetrasolve.tetrarchia.hint.policy import EXPECTIMAX, Budget, deepening
from tetrasolve.tetrarchia.hint.prospects import before_phase
from tetrasolve.tetrarchia.kernel import Player, State
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.payment import until_won

DIGITS = 6  # digits of an opinion, in data
CHECK_EVERY = 1000  # outcomes: a millisecond of work
FINALISTS = 8  # plans that are evaluated over the whole phase


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of an Emperor: at the start of his turn, or after an attack; `best` is the best plan found from there.

    `played` are the actions up to the next dice; `loss` and `luck` see above (`luck` of the attack that ended it, if any).
    """

    position: Position
    played: tuple[str, ...]
    best: Plan
    expected: float
    loss: float
    luck: float

    @property
    def grade(self) -> str:
        """``blunder``, ``mistake``, ``inaccuracy``, or nothing."""
        return grade_of(self.loss)

    def as_data(self) -> dict[str, Any]:
        """The decision as JSON data."""
        return {
            "position": str(self.position),
            "played": list(self.played),
            "best": str(self.best),
            "expected": round(self.expected, DIGITS),
            "loss": round(self.loss, DIGITS),
            "luck": round(self.luck, DIGITS),
            "grade": self.grade,
        }


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn with the phase that followed: B at its start (`before`), W or B at its end (`after`), the luck of the phase."""

    number: int
    emperor: str
    before: float
    after: float
    decisions: tuple[Decision, ...]
    phase_luck: float
    second_thoughts: float

    @property
    def loss(self) -> float:
        """The sum of the losses of the turn's decisions."""
        return fsum(decision.loss for decision in self.decisions)

    @property
    def luck(self) -> float:
        """The sum of the luck of attacks and of the phase."""
        return fsum(decision.luck for decision in self.decisions) + self.phase_luck

    def as_data(self) -> dict[str, Any]:
        """The turn as JSON data."""
        return {
            "turn": self.number,
            "emperor": self.emperor,
            "before": round(self.before, DIGITS),
            "after": round(self.after, DIGITS),
            "loss": round(self.loss, DIGITS),
            "luck": round(self.luck, DIGITS),
            "phase_luck": round(self.phase_luck, DIGITS),
            "second_thoughts": round(self.second_thoughts, DIGITS),
            "decisions": [decision.as_data() for decision in self.decisions],
        }


@dataclass(frozen=True, slots=True)
class Review:
    """A review of a game, turn by turn: losses by decisions, and luck.

    `phase_decisions` are those in Barbarian phases that were graded; what they lost is part of the luck of their phases. `ungraded`
    has who decided how often besides: the review says nothing about these decisions.
    """

    turns: tuple[Turn, ...]
    result: str
    seed: int
    basis: Basis
    status: Literal["complete", "interrupted"] = "complete"
    ungraded: tuple[tuple[str, int], ...] = ()
    phase_decisions: tuple[PhaseDecision, ...] = ()

    @property
    def loss(self) -> float:
        """The sum of the losses of all decisions."""
        return fsum(turn.loss for turn in self.turns)

    @property
    def luck(self) -> float:
        """The sum of the luck of all dice."""
        return fsum(turn.luck for turn in self.turns)

    def as_data(self) -> dict[str, Any]:
        """The review as JSON data; its numbers are evaluations."""
        return {
            "kind": "evaluation",
            "status": self.status,
            "result": self.result,
            "seed": self.seed,
            "basis": self.basis.as_data(),
            "loss": round(self.loss, DIGITS),
            "luck": round(self.luck, DIGITS),
            "ungraded": dict(self.ungraded),
            "turns": [turn.as_data() for turn in self.turns],
            "phase_decisions": [row.as_data() for row in self.phase_decisions],
        }

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.hint.text import review_lines

        return "\n".join(review_lines(self))

    def _repr_svg_(self) -> str:
        from tetrasolve.tetrarchia.hint.plot import review_svg

        return review_svg(self)

    def _repr_html_(self) -> str:
        return as_html(str(self), self._repr_svg_())


@public_question
def review(
    game: Game,
    *,
    budget: Budget = EXPECTIMAX,
    seed: int = 0,
    phases: int = 0,
    progress: Callable[[int, int], None] | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Review:
    """Review a game; `progress` is called with the numbers of turns and phases done and of all.

    With `phases`, decisions in Barbarian phases are graded after the turns: the phase is rolled on so often after each option.

    After `seconds`, or when `cancel` is set, what was reviewed so far is returned with the status ``interrupted``.

    :raises ReferenceOnlyError: for readings that only the reference rules play.
    :raises ValueError: when `phases` is neither 0 nor from `FEWEST_PHASES` to `MOST_PHASES`.
    """
    if phases and not FEWEST_PHASES <= phases <= MOST_PHASES:
        raise ValueError(f"phases: expected 0, or {FEWEST_PHASES} to {MOST_PHASES}, got {phases}")
    game.start.ruleset.require_kernel()
    game.start.ruleset.require_standard_numbers()
    legs, basis, asked = list(_turns(game)), basis_of(game.start), list(decisions(game))
    steps = len(legs) + (len(asked) if phases else 0)
    stop = stop_of(seconds, cancel)
    judge = _Judge(game.start, budget, seed, stop)
    turns: list[Turn] = []
    graded: list[PhaseDecision] = []
    with suppress(Stopped):
        for number, leg in enumerate(legs, start=1):
            turns.append(_reviewed(judge, number, leg))
            if progress is not None:
                progress(number, steps)
        for turn, choice, answer in asked if phases else ():
            found = judged(turn, choice, answer, phases=phases, seed=seed, stop=stop)
            if found is None:
                break
            graded.append(found)
            if progress is not None:
                progress(len(turns) + len(graded), steps)
    left = Counter(choice.decider for _, choice, _ in asked[len(graded) :])
    is_whole = len(turns) + len(graded) == steps
    status: Literal["complete", "interrupted"] = "complete" if is_whole else "interrupted"
    return Review(tuple(turns), game.result, seed, basis, status, tuple(left.items()), tuple(graded))


# -- the parts of a game ---------------------------------------------------------------------------------------


@dataclass
class _Leg:
    """A turn as it was played: the actions, and the position after the phase (None: the game ended before it)."""

    start: Position
    actions: list[Played] = field(default_factory=list)
    end: Position | Fall | None = None
    after: Position | Fall | None = None


def _turns(game: Game) -> Iterator[_Leg]:
    """The turns of a game that have decisions."""
    leg: _Leg | None = None
    for played, (before, after) in zip(game.played, pairwise(game.states), strict=True):
        assert isinstance(before, Position)  # a game ends with a fall
        if played.action is not None:
            leg = leg or _Leg(before)
            leg.actions.append(played)
        elif leg is not None:
            leg.end, leg.after = before, after
            yield leg
            leg = None
    if leg is not None:
        leg.end = game.state
        yield leg


# -- what the evaluation says ----------------------------------------------------------------------------------


class _Judge:
    """Values of positions, each computed once."""

    def __init__(self, start: Position, budget: Budget, seed: int, stop: Stop | None) -> None:
        self.stop = stop
        self.policy = (PHASE_POLICIES.index(DECIDE),) if WITH_CHOICES & start.ruleset.extensions else ()
        self.budget, self.seed = budget, seed
        self._best: dict[Position, tuple[float, Plan]] = {}
        self._ends: dict[Position, float] = {}

    def at_start(self, position: Position | Fall) -> float:
        """V: the evaluation at the start of a turn."""
        if isinstance(position, Fall):
            return 0.0
        return 1.0 if position.is_won else evaluate(position)

    def at_end(self, position: Position | Fall) -> float:
        """W: the mean of V over every outcome of the phase that follows."""
        if isinstance(position, Fall):
            return 0.0
        if position.is_won:
            return 1.0
        position = before_phase(position)
        if position not in self._ends:
            outcomes = fast.kernel_of(position).outcomes(fast.to_state(position), *self.policy, stop=self.stop)
            with borrow(position.board, position.ruleset, rebels=bool(position.rebels)) as player:
                self._ends[position] = fsum(self._worth(player, outcomes))
        return self._ends[position]

    def _worth(self, player: Player, outcomes: Sequence[tuple[State, float]]) -> Iterator[float]:
        for number, (after, chance) in enumerate(outcomes):
            if number % CHECK_EVERY == 0:
                check(self.stop)
            if after.result == kernel.OPEN:
                yield chance * player.value(after)

    def best(self, position: Position | Fall) -> float:
        """B: the expected value of the best plan found."""
        if isinstance(position, Fall) or position.is_won or position.phase is Phase.BARBARIAN:
            return self.at_end(position)
        return self.decided(position)[0]

    def decided(self, position: Position) -> tuple[float, Plan]:
        """B, and the plan."""
        if position not in self._best:
            *_, last = deepening(position, self.budget, self.seed, FINALISTS, cancel=self.stop)
            check(self.stop)
            found = last.candidates
            plans = [(self.of(position, candidate.plan), candidate.plan) for candidate in found]
            self._best[position] = max(plans, key=lambda pair: pair[0])
        return self._best[position]

    def of(self, position: Position, plan: Plan) -> float:
        """The expected value of a plan."""
        return fsum(float(chance) * self.at_end(end) for chance, end, _ in endings(position, plan))


def _reviewed(judge: _Judge, number: int, leg: _Leg) -> Turn:
    before = judge.best(leg.start)
    decisions = tuple(_decisions(judge, leg))
    assert leg.end is not None
    after = judge.at_end(leg.end) if leg.after is not None else judge.best(leg.end)
    phase_luck = second = 0.0
    if leg.after is not None:
        phase_luck = judge.at_start(leg.after) - after
        second = judge.best(leg.after) - judge.at_start(leg.after)
    return Turn(number, leg.start.to_move, before, after, decisions, phase_luck, second)


def _decisions(judge: _Judge, leg: _Leg) -> Iterator[Decision]:
    """The decisions of a turn: one for each sequence of actions up to the next dice."""
    position: Position | Fall = leg.start
    since: Position = leg.start
    done: list[str] = []
    for played in leg.actions:
        assert played.action is not None and isinstance(position, Position)
        done.append(str(played.action))
        if played.action.kind is not Kind.ATTACK:
            position = rules.play(position, played.action)
            continue
        shares = Counter(until_won(position, played.action))
        worth = {action: judge.best(rules.play(position, action)) for action in (*shares, played.action)}
        expected = fsum(float(Fraction(share, 36)) * worth[action] for action, share in shares.items())
        yield _decision(judge, since, done, expected, worth[played.action] - expected)
        position = rules.play(position, played.action)
        if isinstance(position, Fall) or position.phase is Phase.BARBARIAN:
            return
        since, done = position, []
    if done:
        is_over = isinstance(position, Fall) or position.is_won or position.phase is Phase.BARBARIAN
        # a record may end in the middle of a turn: the best rest of the turn counts
        yield _decision(judge, since, done, judge.at_end(position) if is_over else judge.best(position), 0.0)


def _decision(judge: _Judge, since: Position, done: list[str], expected: float, luck: float) -> Decision:
    best, plan = judge.decided(since)
    return Decision(since, tuple(done), plan, expected, max(best - expected, 0.0), luck)
