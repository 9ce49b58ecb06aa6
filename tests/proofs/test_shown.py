"""What the checker says of an action is what the reference rules do, in all games and with any readings that it knows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import checker  # puts the modules of the checker within reach
import pytest
from board import read_board
from moduleposition import read
from moduleturns import EACH, TOGETHER, positions
from shown import END, NOT_LEGAL, Shown

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END as ENDS
from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.certificate import UNKNOWN_READINGS
from tetrasolve.tetrarchia.rules import Fall

BOARD = read_board(checker.BOARDS[0])
NO_ACTIONS = ("fly roma", "move roma: victory", "attack roma", "deploy dux: victory", "+reserve", "sail 1>1", "")


def known(position: Position) -> Position:
    readings = [pair for pair in position.ruleset.interpretations if pair[0] not in UNKNOWN_READINGS]
    return position.replace(ruleset=replace(position.ruleset, interpretations=tuple(readings)))


def chance(position: Position, action: Action) -> Fraction:
    if action.kind is not Kind.ATTACK:
        return Fraction(1)
    assert action.place is not None
    results = rules.attack_roll(position, action.place, action.figure, action.payments).results
    return Fraction(sum(result.outcome is action.outcome for result in results), len(results))


@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
@pytest.mark.parametrize("count", [8, pytest.param(150, marks=pytest.mark.slow)])
def test_every_legal_action_does_what_is_said(extensions: str, count: int) -> None:
    for position in filter(lambda one: not one.status(), map(known, positions(extensions, count))):
        begun = read(str(position), BOARD, of_base_game=True)
        shown = Shown(str(position), begun, begun.rules.readings)
        actions = [*rules.legal_actions(position), *([ENDS] if rules.may_end(position) else [])]
        for action in actions:
            after = rules.play(position, action)
            text = "fallen" if isinstance(after, Fall) else str(after)
            said = shown.action(str(action))
            assert said in (text, f"chance {chance(position, action)}, {text}"), (position, action)
        legal = {str(action) for action in actions}
        for name in (
            *NO_ACTIONS,
            END,
            *(f"attack {army}: {outcome}" for army in position.armies for outcome in Outcome),
        ):
            assert (shown.action(name) == NOT_LEGAL) == (name not in legal), (position, name)
