"""What is said about a puzzle, as lines of text and as JSON data."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tetrasolve.exact.certainty import fraction_data
from tetrasolve.puzzles.ranked import Verdict
from tetrasolve.tetrarchia.plan.objective import Objective
from tetrasolve.tetrarchia.plan.task import attacks_text
from tetrasolve.tetrarchia.puzzle.attempt import Attempt
from tetrasolve.tetrarchia.puzzle.puzzle import values_data
from tetrasolve.tetrarchia.puzzle.unique import Uniqueness


def unique_lines(found: Uniqueness) -> Iterator[str]:
    """The verdict, the answer with its values, and the best other plan with its values."""
    yield found.sentence
    if found.stated is not None:
        yield f"attacks: {attacks_text(found.stated)}"
    if found.verdict is Verdict.NO_SOLUTION:
        return
    yield f"answer: {found.plan}"
    yield from _values(found.objective, found.values)
    if found.other is not None and found.other_values is not None:
        yield f"{'second answer' if found.verdict is Verdict.TWO_ANSWERS else 'best other plan'}: {found.other}"
        if found.other_kept is not None and found.other_kept < 1:
            yield f"  {found.objective.constraint}: {found.other_kept}"
        yield from _values(found.objective, found.other_values)
    yield f"{found.nodes:,} turn states"


def _values(objective: Objective, values: tuple[Fraction, ...]) -> Iterator[str]:
    for term, value in zip(objective.terms, values, strict=True):
        yield f"  {term}: {value}"


def attempt_lines(found: Uniqueness, tried: Attempt) -> Iterator[str]:
    """Whether a plan is the answer; where it is not, the step that loses, with what was and what is within reach."""
    if tried.is_right and tried.mistake is None:
        yield "right: this is the answer"
        return
    yield "right, but it costs more than it must" if tried.is_right else "wrong"
    yield from _values(found.objective, tried.values)
    if tried.mistake is None:
        return
    lost = tried.mistake
    where = "".join(f"after {outcome} (chance {chance}): " for outcome, chance in lost.after)
    yield f"{where}'{lost.step}' gives something up"
    for term, before, left in zip(found.objective.terms, lost.before, lost.left, strict=True):
        if before != left:
            yield f"  {term}: {before} was within reach, now {left}"
            break


def attempt_data(found: Uniqueness, tried: Attempt) -> dict[str, Any]:
    """What `attempt_lines` says, as JSON data: `after` has the dice of the branch in which the step gives something up."""
    lost = tried.mistake
    if lost is None:
        mistake = None
    else:
        mistake = {
            "after": [{"outcome": outcome, **fraction_data(chance)} for outcome, chance in lost.after],
            "step": lost.step,
            "within_reach": values_data(found.objective, lost.before),
            "left": values_data(found.objective, lost.left),
        }
    return {"right": tried.is_right, "values": values_data(found.objective, tried.values), "mistake": mistake}
