"""Reviews of games: what each decision was worth beside the best one, and what luck did.

Let B be the value of the best plan at a decision, and Q that of what was played, both means over continuations with the same cards,
calibrated as in hints:

============ =====================================================================================================
``loss``     B - Q: 0 for the best plan
``luck``     B of the next decision (at the end of the game 1 or 0; where a game that is open stops before a card,
             the value there) minus Q; its mean over the cards is 0 if B and Q are right
============ =====================================================================================================

All of them are evaluations, not facts. The actions of a turn count as one decision, those of a Dictator up to his next card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import Any, Literal

from tetrasolve.exact.deadline import check, public_question, stop_of
from tetrasolve.exact.opinion import DIGITS
from tetrasolve.finem import rules
from tetrasolve.finem.fast import option_text, state_of
from tetrasolve.finem.game import Game
from tetrasolve.finem.hint.advice import PRIOR, Budget, budget_of
from tetrasolve.finem.hint.basis import basis_data
from tetrasolve.finem.hint.calibration import curve_of
from tetrasolve.finem.hint.players import player_of
from tetrasolve.finem.kernel import Player, State
from tetrasolve.finem.position import Position, Result, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.stop import Stop, Stopped

GRADES = ((0.10, "blunder"), (0.05, "mistake"), (0.02, "inaccuracy"))  # by the loss of the chance to win
FINALISTS = 4  # plans that are played out beside what was played

End = tuple[tuple[str, ...], State | None, float]  # a plan, the state after it (None: the game is over) and its value


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A decision: what was played, its value and that of the best plan, and the luck until the next one."""

    turn: int
    position: Position
    played: tuple[str, ...]
    best: tuple[str, ...]
    value: float
    loss: float
    luck: float

    @property
    def step(self) -> str:
        """The step of the turn at which it was made."""
        return str(self.position.step)

    @property
    def grade(self) -> str:
        """``blunder``, ``mistake``, ``inaccuracy``, or nothing."""
        return next((grade for limit, grade in GRADES if self.loss >= limit), "")

    def as_data(self) -> dict[str, Any]:
        """The decision as JSON data."""
        return {
            "turn": self.turn,
            "step": self.step,
            "position": str(self.position),
            "played": list(self.played),
            "best": list(self.best),
            "value": round(self.value, DIGITS),
            "loss": round(self.loss, DIGITS),
            "luck": round(self.luck, DIGITS),
            "grade": self.grade,
        }


@dataclass(frozen=True, slots=True)
class GameReview:
    """The decisions of a game in order. ``interrupted``: the time ran out, and later decisions are missing."""

    decisions: tuple[Reviewed, ...]
    result: str
    seed: int
    ruleset: Ruleset
    status: Literal["complete", "interrupted"] = "complete"

    @property
    def loss(self) -> float:
        """What all decisions together lost."""
        return fsum(one.loss for one in self.decisions)

    @property
    def luck(self) -> float:
        """What luck added."""
        return fsum(one.luck for one in self.decisions)

    def as_data(self) -> dict[str, Any]:
        """The review as JSON data."""
        return {
            "status": self.status,
            "kind": "evaluation",
            "basis": basis_data(self.ruleset, is_first=False),
            "result": self.result,
            "seed": self.seed,
            "decisions": [one.as_data() for one in self.decisions],
            "loss": round(self.loss, DIGITS),
            "luck": round(self.luck, DIGITS),
        }

    def __str__(self) -> str:
        from tetrasolve.finem.hint.text import review_lines

        return "\n".join(review_lines(self))


@dataclass(slots=True)
class _Choice:
    """A decision of the game: where, what was played, and what it led to before chance came."""

    turn: int
    position: Position
    played: tuple[str, ...]
    after: Position | Result


@public_question
def review(
    game: Game,
    *,
    budget: str = "expectimax",
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> GameReview:
    """Review a game: for each decision its loss against the best plan found, and the luck after it.

    :param budget: as for `tetrasolve.finem.hint.advice.hint`.
    :param progress: is called with the number of decisions reviewed and of all.
    :raises ArgumentError: when there is no such budget.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    effort = budget_of("review", budget)
    game.ruleset.require_kernel()
    stop = stop_of(seconds, cancel)
    choices, waiting = _choices(game)
    last: float | None = None if waiting is not None else float(game.result == "won")
    found: list[tuple[_Choice, tuple[str, ...], float, float]] = []
    status: Literal["complete", "interrupted"] = "complete"
    try:
        player = player_of(game.ruleset) if choices else None
        for number, choice in enumerate(choices):
            assert player is not None  # there is a choice
            check(stop)
            found.append((choice, *_judged(player, choice, effort, seed + number, stop)))
            if progress is not None:
                progress(number + 1, len(choices))
        if player is not None and waiting is not None:
            is_new = waiting != choices[-1].after
            last = _worth(player, waiting, effort, seed + len(choices), stop) if is_new else found[-1][3]
    except Stopped:
        status, last = "interrupted", None
    return GameReview(tuple(_with_luck(found, last)), game.result, seed, game.ruleset, status)


def _choices(game: Game) -> tuple[list[_Choice], Position | None]:
    """The decisions of a game that had more than one option, and where it waits, without the actions of a turn that goes on."""
    found: list[_Choice] = []
    turn = 1
    pairs = list(zip(game.played, pairwise(game.states), strict=True))
    at = 0
    while at < len(pairs):
        option, (before, after) = pairs[at]
        at += 1
        assert isinstance(before, Position)  # a result has no successor
        turn_now = turn
        turn += before.step in (Step.ROLE, Step.APPOINT)
        node = rules.node(before)
        if node.is_chance:
            continue
        played, options = [option], len(node.options)
        while before.step in (Step.ACT, Step.RIDE) and at < len(pairs):  # the actions of a turn are one decision
            there = pairs[at][1][0]
            if not isinstance(there, Position) or there.step is not Step.ACT:
                break
            option, (_, after) = pairs[at]
            played.append(option)
            at += 1
        if isinstance(after, Position) and after.step is Step.ACT and before.step in (Step.ACT, Step.RIDE):
            return found, before  # the record ends within the actions
        if options > 1:
            found.append(_Choice(turn_now, before, tuple(played), after))
    return found, game.state if isinstance(game.state, Position) else None


def _judged(
    player: Player, choice: _Choice, effort: Budget, seed: int, stop: Stop | None
) -> tuple[tuple[str, ...], float, float]:
    """The best plan found, its value, and the value of what was played; all with the same cards."""
    ends = player.ends(state_of(choice.position), FINALISTS, stop=stop)
    plans: list[End] = [(tuple(map(option_text, options)), after, raw) for options, after, raw in ends]
    if isinstance(choice.after, Result):
        mine: End = (choice.played, None, float(str(choice.after) == "won"))
    else:
        after = state_of(choice.after)
        mine = (choice.played, after, next((raw for _, one, raw in ends if one == after), player.value(after)))
    values = _means(player, [mine, *plans], effort, seed, stop)
    best = max(range(len(values)), key=lambda at: (values[at], at == 0))
    plan = mine[0] if best == 0 else plans[best - 1][0]
    return plan, _calibrated(choice.position, values[best]), _calibrated(choice.position, values[0])


def _worth(player: Player, position: Position, effort: Budget, seed: int, stop: Stop | None) -> float:
    """The value of the best plan at a decision, or that of a position in which a card is drawn."""
    state = state_of(position)
    if rules.node(position).is_chance:
        ends: list[End] = [((), state, player.value(state))]
    else:
        ends = [((), after, raw) for _, after, raw in player.ends(state, FINALISTS, stop=stop)]
    return _calibrated(position, max(_means(player, ends, effort, seed, stop)))


def _means(player: Player, ends: list[End], effort: Budget, seed: int, stop: Stop | None) -> list[float]:
    """The values of the ends of plans, before calibration; all with the same cards."""
    count = effort.samples
    values: list[float] = []
    for _, there, raw in ends:
        if there is None or there.result or not count:
            values.append(raw)
        else:
            sampled = player.play_out(there, seed, 0, count, effort.horizon, stop=stop)
            values.append((PRIOR * raw + sum(sampled)) / (PRIOR + count))
    return values


def _calibrated(position: Position, raw: float) -> float:
    curve = curve_of(position)
    return raw if curve is None or raw in (0.0, 1.0) else curve.chance(raw)[0]


def _with_luck(found: list[tuple[_Choice, tuple[str, ...], float, float]], last: float | None) -> list[Reviewed]:
    """The decisions with the luck between them; `last` is the value after them, None where it is not known."""
    rows = []
    for at, (choice, plan, best, value) in enumerate(found):
        after = found[at + 1][2] if at + 1 < len(found) else last
        luck = 0.0 if after is None else after - value
        rows.append(Reviewed(choice.turn, choice.position, choice.played, plan, value, max(0.0, best - value), luck))
    return rows
