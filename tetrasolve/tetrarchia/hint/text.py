"""Hints and reviews as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.tetrarchia.hint.advice import Advice, Hint
from tetrasolve.tetrarchia.hint.reasons import LEVEL, percent
from tetrasolve.tetrarchia.hint.review import Review
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.plan.text import plan_lines

CHANCES = {"p_lost": "the Empire falls", "p_uprising": "an uprising", "p_new_army": "a new army"}


def hint_lines(found: Hint) -> Iterator[str]:
    """The hint as lines of text."""
    position = found.position
    name = next(emperor.name for emperor in position.board.emperors if emperor.id == position.to_move)
    yield f"{name}, {position.ip} IP ({found.turns:,} turns and {found.phases:,} phases searched)"
    yield str(found.basis)
    if found.narrowed:
        yield f"the turn has too many ends, so these were left out: {found.narrowed}"
    for rank, advice in enumerate(found.advice, start=1):
        yield ""
        behind = f"{100 * advice.loss:.1f} % behind the best" if advice.loss >= LEVEL else "level with the best"
        loss = f", {behind}" if rank > 1 else ""
        yield f"{rank}. wins {advice.win}{loss}"
        yield from plan_lines(position, advice.plan, "   ", 1)
        for reason in advice.reasons:
            yield f"   - {reason.text}"
        unused = " (if nobody uses a disc in it)" if WITH_CHOICES & position.ruleset.extensions else ""
        yield f"   coming phase{unused}: {_phase(advice)}"


def _phase(advice: Advice) -> str:
    """The chances of the coming phase; `--json` has them as fractions."""
    figures = advice.prospects.figures
    known = [f"{words} {percent(figures[name])}" for name, words in CHANCES.items() if name in figures]
    return ", ".join(known) or "unknown, the time ran out"


def review_lines(found: Review) -> Iterator[str]:
    """The review as lines of text."""
    yield f"{found.result}; loss by decisions {_share(found.loss)}, luck {_share(found.luck, signed=True)} (evaluation)"
    yield f"{found.basis.evaluator}; the chances are its raw values"
    yield ""
    yield "turn  emperor       before   lost    luck"
    for turn in found.turns:
        yield (
            f"{turn.number:>4}  {turn.emperor:<12}  {_share(turn.before)}  {_share(turn.loss)}  {_share(turn.luck, signed=True)}"
        )
        for decision in turn.decisions:
            if decision.grade:
                yield f"      {decision.grade}: {'; '.join(decision.played)}"
                yield f"      better: {decision.best}"


def _share(chance: float, *, signed: bool = False) -> str:
    return f"{100 * chance:+5.1f} %" if signed else f"{100 * chance:5.1f} %"
