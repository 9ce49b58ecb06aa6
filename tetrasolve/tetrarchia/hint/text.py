"""Hints and reviews as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum

from tetrasolve.tetrarchia.hint.advice import Advice, Hint
from tetrasolve.tetrarchia.hint.basis import RAW_VALUES
from tetrasolve.tetrarchia.hint.choices import decider_name
from tetrasolve.tetrarchia.hint.comparison import Comparison, Refutation
from tetrasolve.tetrarchia.hint.phasereview import PhaseDecision
from tetrasolve.tetrarchia.hint.reasons import LEVEL, percent
from tetrasolve.tetrarchia.hint.review import Review
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.phase.rounding import Known
from tetrasolve.tetrarchia.plan.text import plan_lines
from tetrasolve.tetrarchia.position import Position

CHANCES = {"p_lost": "the Empire falls", "p_uprising": "an uprising", "p_new_army": "a new army"}


def hint_lines(found: Hint) -> Iterator[str]:
    """The hint as lines of text."""
    position = found.position
    name = next(emperor.name for emperor in position.board.emperors if emperor.id == position.to_move)
    searched = " and ".join(_counted(*row) for row in ((found.turns, "turn"), (found.phases, "phase")))
    yield f"{name}, {position.ip} IP ({searched} searched)"
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


FIGURES = {
    **CHANCES,
    "e_revolts": "revolts to be expected after the phase",
    "p_won_now": "wins in this turn",
    "ip": "IP spent",
}
IN_NUMBERS = ("e_revolts", "ip")  # the others are chances


def comparison_lines(found: Comparison) -> Iterator[str]:
    """The comparison as lines of text."""
    position, mine, best = found.position, found.mine, found.best
    yield str(found.basis)
    yield ""
    yield f"your plan: wins {mine.win}"
    yield from plan_lines(position, mine.plan, "   ", 1)
    if found.is_same:
        yield "it leaves the same table as the best plan that the search finds"
        return
    yield from (f"   - {reason.text}" for reason in mine.reasons)
    yield f"best plan: wins {best.win}"
    yield from plan_lines(position, best.plan, "   ", 1)
    yield from (f"   - {reason.text}" for reason in best.reasons)
    yield ""
    if abs(found.gap) < LEVEL:
        yield "gap: none (evaluation)"
    elif found.gap < 0:
        yield f"gap: the closer look puts your plan {-100 * found.gap:.1f} % ahead (evaluation)"
    else:
        yield f"gap: your plan is {100 * found.gap:.1f} % behind (evaluation)"
    unused = " (if nobody uses a disc in it)" if WITH_CHOICES & position.ruleset.extensions else ""
    yield f"{'coming phase' + unused:<60} {'yours':>12} {'best':>12}"
    ours, theirs = (
        {**advice.prospects.figures, "p_won_now": advice.prospects.p_won, "ip": advice.prospects.ip()}
        for advice in (mine, best)
    )
    for name, words in FIGURES.items():
        if name in ours and name in theirs and (name != "p_won_now" or ours[name] or theirs[name]):
            said = [f"{float(row[name]):.2f}" if name in IN_NUMBERS else percent(row[name]) for row in (ours, theirs)]
            yield f"  {words:<58} {said[0]:>12} {said[1]:>12}"
    if found.refutation is not None:
        yield _refutation(position, found.refutation)


def _refutation(position: Position, found: Refutation) -> str:
    kind, where, outcome = found.happening
    name = position.board[where].name if where in position.board.order else where.title()
    what = {
        "revolt": f"a revolt in {name}",
        "army": f"an army in {name}",
        "removed": f"{name} is removed",
        "fall": "the Empire falls",
        "attack": f"the attack on the army in {name} ends in a {outcome}"
        if where != "pirates"
        else f"the attack on the Pirates ends in a {outcome}",
    }[kind]
    known = found.chance_after_best
    instead = f", after the best plan {_chance(known)}" if known.high else ", after the best plan never"
    return (
        f"what refutes it: {what}, chance {_chance(found.chance)}{instead}; Rome then wins {100 * found.value:.1f} %, "
        f"after the best plan {100 * found.best:.1f} % (evaluation of positions after the phase)"
    )


def _chance(known: Known) -> str:
    return percent((known.low + known.high) / 2)


def _phase(advice: Advice) -> str:
    """The chances of the coming phase; `--json` has them as fractions."""
    figures = advice.prospects.figures
    known = [f"{words} {percent(figures[name])}" for name, words in CHANCES.items() if name in figures]
    return ", ".join(known) or "unknown, the time ran out"


def review_lines(found: Review) -> Iterator[str]:
    """The review as lines of text."""
    if found.status == "interrupted":
        yield f"the time ran out: these are the first {len(found.turns)} turns only"
    yield f"{found.result}; loss by decisions {_share(found.loss)}, luck {_share(found.luck, signed=True)} (evaluation)"
    yield str(found.basis)
    yield RAW_VALUES
    if found.ungraded:
        counts = ", ".join(f"{decider_name(who)} {count}" for who, count in found.ungraded)
        yield f"decisions in Barbarian phases are not graded, and are part of the luck: {counts}"
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
    if found.phase_decisions:
        yield from _phase_lines(found.phase_decisions)


def _phase_lines(decisions: tuple[PhaseDecision, ...]) -> Iterator[str]:
    """Decisions in Barbarian phases: what each player lost in all, and those that have a grade."""
    yield ""
    yield "decisions in Barbarian phases, whose losses are part of the luck above"
    for who in dict.fromkeys(row.decider for row in decisions):
        losses = [row.loss for row in decisions if row.decider == who]
        yield f"{decider_name(who)}: {_counted(len(losses), 'decision')}, lost {_share(fsum(losses)).strip()} (evaluation)"
    for row in decisions:
        if row.grade:
            lost = f"{100 * row.loss:.1f} % (± {200 * row.error:.1f})"
            yield f"{row.turn:>4}  {row.grade} of {decider_name(row.decider)}, lost {lost}: {row.answer}"
            yield f"      {row.question}"
            yield f"      better: {row.best}"


def _share(chance: float, *, signed: bool = False) -> str:
    return f"{100 * chance:+5.1f} %" if signed else f"{100 * chance:5.1f} %"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
