"""Hints and reviews as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tetrasolve.finem.hint.basis import basis_lines
from tetrasolve.finem.hint.calibration import is_first

if TYPE_CHECKING:
    from tetrasolve.finem.hint.advice import Advice, TurnHint
    from tetrasolve.finem.hint.review import GameReview

CLOSE = 0.01  # of the chance to win: plans that are no further behind the best are level with it


def hint_lines(found: TurnHint) -> Iterator[str]:
    """A hint in lines."""
    position = found.position
    role = position.role or "no role"
    left = f", {position.left} left" if position.left else ""
    yield f"{role}, {position.phase}: {position.step}{left} ({found.continuations:,} continuations)"
    yield from basis_lines(position.ruleset, is_first=is_first(position))
    if found.status == "interrupted":
        yield "interrupted: the best answer so far"
    for number, advice in enumerate(found.advice, start=1):
        yield ""
        yield from _advice_lines(number, advice)


def _advice_lines(number: int, advice: Advice) -> Iterator[str]:
    behind = ""
    if number > 1:
        level = advice.loss <= CLOSE
        behind = ", level with the best" if level else f", {100 * advice.loss:.1f} points behind the best"
    yield f"{number}. {', '.join(advice.plan)}"
    yield f"   wins {advice.win}{behind}"
    for reason in advice.reasons:
        yield f"   - {reason}"
    if advice.risk is not None and not advice.risk.unknown:
        lost, won = 100 * float(advice.risk.p_lost), 100 * float(advice.risk.p_won)
        yield f"   this turn: lost {lost:.1f} %, won {won:.1f} % (exact, if decided with care inside the phases)"


def review_lines(found: GameReview) -> Iterator[str]:
    """A review in lines."""
    count = len(found.decisions)
    decisions = f"{count} {'decision' if count == 1 else 'decisions'} reviewed"
    yield f"{found.result}: {decisions}; all figures are evaluations, without intervals"
    yield from basis_lines(found.ruleset, is_first=False)
    if found.status == "interrupted":
        yield "interrupted: the decisions after these were not reviewed"
    for one in found.decisions:
        grade = f" {one.grade}" if one.grade else ""
        yield f"turn {one.turn}, {one.step}: {', '.join(one.played)}: {100 * one.value:.1f} %{grade}"
        if one.loss > 0:
            yield f"   better by {100 * one.loss:.1f} points: {', '.join(one.best)}"
    yield f"lost by decisions: {100 * found.loss:.1f} points; gained or lost by luck: {100 * found.luck:+.1f} points"
