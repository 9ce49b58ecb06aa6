"""A game as small steps, each with tags that say what happens in it: what the profile of the rules in play counts.

The steps of a game are the dice of its set-up, its actions, and in Barbarian phases each roll, each answer and each army that
advances; beside them the beginning of each phase, of each advance and of each turn. All come from replaying the game by the
reference rules. A tag is a word; `data/in-play.toml` says which tags a rule of the rulebook shows itself by.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, SetUp
from tetrasolve.tetrarchia.lint.phasesteps import PhaseSteps
from tetrasolve.tetrarchia.lint.turnsteps import TurnSteps
from tetrasolve.tetrarchia.numbers import FIRST_PROVINCE, PIRATE_ZONES
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall, GivenDice

Tags: TypeAlias = frozenset[str]


def steps(game: Game) -> Iterator[Tags]:
    """The tags of each step of a game, in order; in a scenario its name is among them.

    :raises FindingError: when the replay comes to another position than the game.
    """
    war = frozenset() if game.set_up is None or game.set_up.scenario is None else frozenset({game.set_up.scenario})
    for tags in _steps(game):
        yield tags | war


def _steps(game: Game) -> Iterator[Tags]:
    if game.set_up is not None:
        yield from _set_up(game.start, game.set_up)
    turns = TurnSteps(game.start)
    for before, played, after in zip(game.states, game.played, game.states[1:], strict=False):
        assert isinstance(before, Position), "nothing is played after a fall"
        if played.action is not None:
            yield turns.action(before, played.action, after)
        else:
            phase = PhaseSteps(before, played.course)
            yield from phase.steps()
            if phase.end != after:
                raise FindingError(
                    f"the replay of '{before}' does not come to the position of the game, please report it"
                )
            turns.phase(phase.removed)
        if isinstance(after, Fall):
            yield frozenset({"over", "fallen", after.name.lower()})
        elif after.is_won:
            bitter = {"great"} if rules.great(after) is not None else set()
            yield frozenset({"over", "won", *bitter, *(["scored"] if after.pieces.glory is not None else [])})


# -- set-up ------------------------------------------------------------------------------------------------------------


class _Asked:
    """Given faces, which keeps what each was for."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._dice = GivenDice(faces)
        self.answers: list[tuple[str, int]] = []

    def roll(self, question: str) -> int:
        face = self._dice.roll(question)
        self.answers.append((question, face))
        return face


def _set_up(start: Position, set_up: SetUp) -> Iterator[Tags]:
    dice, ruleset, board = _Asked(set_up.faces), start.ruleset, start.board
    if set_up.scenario is None:
        rules.set_up(ruleset, set_up.fleets, dice, board)
    else:
        rules.scenario_set_up(set_up.scenario, set_up.fleets, dice, ruleset, fixed=set_up.fixed, board=board)
    yield from _dice_tags(dice.answers, board)
    table = {"set-up", "table", "fixed" if set_up.fixed else "rolled"}
    if any(start.has_revolt(emperor.capital) for emperor in board.emperors):
        table.add("capital-in-revolt")
    if start.goths is not None:
        table.add("goths")
    if start.rebels:
        table.add("rebels")
    yield frozenset(table | ({"fleets"} if start.fleets else set()))


def _dice_tags(answers: list[tuple[str, int]], board: Board) -> Iterator[Tags]:
    """Each die of a set-up; ``again`` where it is rolled again."""
    revolts: set[str] = set()
    armies: set[str] = set()
    region = 0
    for question, face in answers:
        what, _, which = question.partition(": ")
        again = False
        if question.startswith("revolt in region"):
            what, again = "first-revolt", face == FIRST_PROVINCE
            if not again:
                revolts.add(board.at(int(question.rpartition(" ")[2]), face))
        elif question == "additional revolt: region":
            region = face
        elif what == "additional revolt":
            again = board.at(region, face) in revolts
            revolts.add(board.at(region, face))
        elif what == "initial army":
            again = board.borders[face - 1] in armies
            armies.add(board.borders[face - 1])
        elif what == "pirates":
            again = face not in PIRATE_ZONES
        words = f"{what} {which}".strip().replace(" ", "-")
        yield frozenset({"set-up", "die", words} | ({"again"} if again else set()))
