"""Why not this plan: a plan beside the best one, with the same cards, and the card that tells them apart."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from tetrasolve.errors import IllegalActionError
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.deadline import public_question, require_seconds
from tetrasolve.exact.opinion import DIGITS
from tetrasolve.finem import rules
from tetrasolve.finem.fast import engine_of, option_text, state_of
from tetrasolve.finem.hint.advice import TOP, Advice, Search, Sought, budget_of, require_decision
from tetrasolve.finem.hint.basis import basis_data, basis_lines
from tetrasolve.finem.hint.calibration import is_first
from tetrasolve.finem.position import Phase, Position, State
from tetrasolve.finem.rules.actions import PASS
from tetrasolve.finem.rules.turn import LONGEST
from tetrasolve.stop import Stop


@dataclass(frozen=True, slots=True)
class Refutation:
    """The card whose draw loses with the plan by so much more than with the best one; both chances are exact."""

    card: str
    mine: Fraction
    best: Fraction

    def as_data(self) -> dict[str, Any]:
        """The card and both chances as JSON data."""
        return {"card": self.card, "mine": Exact(self.mine).as_data(), "best": Exact(self.best).as_data()}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A plan beside the best one found: `same` if it is the best.

    The gap is a difference of evaluations; the chances of the turn are exact.
    """

    position: Position
    mine: Advice
    best: Advice
    seed: int
    continuations: int
    status: Literal["complete", "interrupted"]

    @property
    def same(self) -> bool:
        """Whether no better plan was found."""
        return self.mine is self.best

    @property
    def gap(self) -> float:
        """How much of the chance to win it gives up, as an evaluation."""
        return 0.0 if self.same else self.mine.loss

    @property
    def refutation(self) -> Refutation | None:
        """The card that costs most; None where no card costs more than with the best plan, or the turn is not exact."""
        one, other = self.mine.risk, self.best.risk
        if self.same or one is None or other is None or one.unknown or other.unknown:
            return None
        rows = [(mine - other.by_card.get(card, Fraction(0)), card, mine) for card, mine in one.by_card.items()]
        cost, card, mine = max(rows, key=lambda row: (row[0], row[1]), default=(Fraction(0), "", Fraction(0)))
        return Refutation(card, mine, mine - cost) if cost > 0 else None

    def as_data(self) -> dict[str, Any]:
        """The comparison as JSON data."""
        found = self.refutation
        return {
            "position": str(self.position),
            "status": self.status,
            "same": self.same,
            "gap": {"kind": "evaluation", "value": round(self.gap, DIGITS)},
            "mine": self.mine.as_data(),
            "best": self.best.as_data(),
            "refutation": None if found is None else found.as_data(),
            "basis": basis_data(self.position.ruleset, is_first=is_first(self.position)),
            "seed": self.seed,
            "continuations": self.continuations,
        }

    def __str__(self) -> str:
        lines = [*basis_lines(self.position.ruleset, is_first=is_first(self.position))]
        lines += [f"mine: {', '.join(self.mine.plan)}", f"   wins {self.mine.win}"]
        if self.same:
            return "\n".join([*lines, "no better plan was found"])
        lines += [f"   - {reason}" for reason in self.mine.reasons]
        lines += [f"best: {', '.join(self.best.plan)}", f"   wins {self.best.win}"]
        lines += [f"   - {reason}" for reason in self.best.reasons]
        lines.append(f"gap: {100 * self.gap:.1f} points (evaluation, without an interval)")
        for name, advice in (("mine", self.mine), ("best", self.best)):
            if advice.risk is not None and not advice.risk.unknown:
                won = f", won with chance {advice.risk.p_won}" if advice.risk.p_won else ""
                lines.append(f"this turn, {name}: lost with chance {advice.risk.p_lost}{won}")
        if (found := self.refutation) is not None:
            lines.append(
                f"refuted by {found.card}: it loses with chance {found.mine}, after the best plan {found.best}"
            )
        return "\n".join(lines)


@public_question
def compare(
    position: Position,
    plan: str,
    *,
    seconds: float | None = None,
    seed: int = 0,
    budget: str = "search",
    cancel: Stop | None = None,
) -> Comparison:
    """Compare a plan with the best one; both are played out with the same cards, as often as `budget` says.

    >>> from tetrasolve.finem.examples import examples
    >>> position = examples()["dictator"].replace(role="consul", left=1)
    >>> compare(position, "confront C", budget="greedy").same
    True

    :param plan: the options with ``;`` or ``,`` between them. What is left of the actions is passed.
    :raises IllegalActionError: when an option is not legal, or a card comes before the last of them.
    :raises IllegalPositionError: when the position cannot occur, or nothing is decided in it.
    :raises ArgumentError: when there is no such budget.
    """
    effort = budget_of("compare", budget)
    require_seconds(seconds)
    require_decision(position)
    options = _options(position, plan)
    search = Search(position, seconds, TOP, seed, effort, cancel)
    state, codes = state_of(position), []
    engine = engine_of(position.ruleset)
    for option in options:
        code = next(code for code in engine.options(state) if option_text(code) == option)
        codes.append(code)
        state = engine.take(state, code)
    search.kept = Sought(tuple(codes), state, search.player.value(state))
    *_, last = search.steps(lambda: False)
    pair = search.pair(last)
    return Comparison(position, pair.advice[-1], pair.advice[0], seed, pair.continuations, pair.status)


def _options(position: Position, plan: str) -> list[str]:
    """The options of a plan by the reference rules, to the end of the actions."""
    state: State = position
    found: list[str] = []
    for word in [" ".join(part.split()) for part in plan.replace(",", ";").split(";") if part.strip()]:
        if found and (not isinstance(state, Position) or state.step is not position.step):
            raise IllegalActionError(word[:LONGEST], "the plan is over before this option")
        state = rules.take(state, word)
        found.append(word)
    if not found:
        raise IllegalActionError(plan[:LONGEST], "a plan has at least one option")
    if (
        isinstance(state, Position)
        and state.phase is Phase.ACTIONS
        and not state.step.is_chance
        and state.step == position.step
    ):
        found.append(PASS)
    return found
