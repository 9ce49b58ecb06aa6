"""What each of two values of a reading makes of one thing in a position, as certificates of findings say it.

It is an action, with its chance and the position after it, or a result of the Barbarian phase with its chance, while players
decline what they may decide.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from tetrasolve.lint.findings import Finding
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action, Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.compare import with_value
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import Ruleset

FALLEN, NOT_LEGAL = "fallen", "not legal"


def shown_values(finding: Finding, board: Board) -> tuple[str, str, str]:
    """The first thing that differs, and what it is under each of the values."""
    assert finding.position is not None, "the values differ in a position"
    position = Position.parse(finding.position, board)
    one, other = (with_value(position, finding.reading, value) for value in finding.values)
    if position.phase is Phase.ROMAN:
        what = finding.differences[0].what
        return what, _does(one, what, position.ruleset), _does(other, what, position.ruleset)
    first, second = (_chances(now, position.ruleset) for now in (one, other))
    what = next(text for text in sorted({*first, *second}) if first[text] != second[text])
    return what, str(first[what]), str(second[what])


def _does(position: Position, name: str, usual: Ruleset) -> str:
    """What the action of this name does."""
    actions = (*rules.legal_actions(position), *([END] if rules.may_end(position) else []))
    action = next((action for action in actions if str(action) == name), None)
    if action is None:
        return NOT_LEGAL
    after = _text(rules.play(position, action), usual)
    if action.kind is not Kind.ATTACK:
        return f"chance 1, {after}"
    like = [
        other
        for other in actions
        if (other.kind, other.place, other.figure) == (Kind.ATTACK, action.place, action.figure)
    ]
    if any(other.payments for other in like):
        return after  # he decides when he has seen the dice
    return f"chance {_chance(position, action)}, {after}"


def _chance(position: Position, action: Action) -> Fraction:
    assert action.place is not None, "it is an attack"
    results = rules.attack_roll(position, action.place, action.figure, action.payments).results
    return Fraction(sum(result.outcome is action.outcome for result in results), len(results))


def _chances(position: Position, usual: Ruleset) -> Counter[str]:
    """The chance of each result of the phase; a fall is one, whatever brought it."""
    found: Counter[str] = Counter()
    for end, chance in rules.solve(position).ends.items():
        found[_text(end, usual)] += chance  # type: ignore[assignment]  # chances are fractions
    return found


def _text(result: Position | Fall, usual: Ruleset) -> str:
    return FALLEN if isinstance(result, Fall) else str(result.replace(ruleset=usual))
