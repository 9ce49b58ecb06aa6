"""Hints and reviews as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.tetrarchia.hint.advice import Advice, Hint
from tetrasolve.tetrarchia.hint.reasons import percent
from tetrasolve.tetrarchia.hint.review import Review
from tetrasolve.tetrarchia.plan.text import plan_lines

CHANCES = {"p_lost": "the Empire falls", "p_uprising": "an uprising", "p_new_army": "a new army"}


def hint_lines(found: Hint) -> Iterator[str]:
    """The hint as lines of text."""
    position = found.position
    name = next(emperor.name for emperor in position.board.emperors if emperor.id == position.to_move)
    yield f"{name}, {position.ip} IP ({found.turns:,} turns and {found.phases:,} phases searched)"
    for rank, advice in enumerate(found.advice, start=1):
        yield ""
        loss = f", {100 * advice.loss:.1f} % behind the best" if rank > 1 else ""
        yield f"{rank}. wins {advice.win}{loss}"
        yield from plan_lines(position, advice.plan, "   ", 1)
        for reason in advice.reasons:
            yield f"   - {reason.text}"
        yield f"   coming phase: {_phase(advice)}"


def _phase(advice: Advice) -> str:
    """The chances of the coming phase; `--json` has them as fractions."""
    figures = advice.prospects.figures
    known = [f"{words} {percent(figures[name])}" for name, words in CHANCES.items() if name in figures]
    return ", ".join(known) or "unknown, the time ran out"


def review_lines(found: Review) -> Iterator[str]:
    """The review as lines of text."""
    yield f"{found.result}; loss by decisions {_share(found.loss)}, luck {_share(found.luck, signed=True)} (evaluation)"
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
