"""Game records: a whole game with its dice as text, written, read, replayed and verified.

::

    tetrasolve-record/1
    board tetrarchia
    ruleset 4211
    set-up 23: 4 2 6 3 5 2 1 6 3
    start 4211 D:6 -/-/-/- 23 gma ... -/-/-/-
    1 diocletian: enter roma; move etruria; secure; end
    dice: 4 4 6
    2 galerius: enter roma; attack rhaetia: victory 6-2; end
    dice: 1 3
    result open

``set-up`` (zones of the fleets, then every face of the set-up) is left out where a game did not begin with one. In a
historical scenario the line ``scenario NAME`` (or ``scenario NAME fixed``) precedes it. Each turn is two lines; the second
is missing where the game ended before. Where a variant lets players decide in the Barbarian phase, their answers are
between the faces (``dice: 4 1 reroll 3 3 no cancel 2``). Lines that begin with # are comments. A record with Barbaria begins with
``tetrasolve-record/2``: in records of the first form dice that were rolled again could be rolled again, too (`I-REROLL`).
Reading verifies: every action must be legal, every face must be used, and every stated result must come out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tetrasolve.errors import ActionError, PositionSyntaxError, RulesetError, TetrasolveError
from tetrasolve.recordlines import RecordLines
from tetrasolve.tetrarchia.action import Action, Kind, read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game, Played, SetUp
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import GivenCourse, GivenDice, scenario_set_up, set_up
from tetrasolve.tetrarchia.rules.choices import FACES, read_course
from tetrasolve.tetrarchia.ruleset import Ruleset

FORMAT = "tetrasolve-record/1"
FORMAT_WITH_BARBARIA = "tetrasolve-record/2"  # in which the new result of dice stands, where the ruleset does not say
REROLLED = "I-REROLL"

_TURN = re.compile(r"([0-9]{1,6}) ([a-z]+): (.*)")
_BATTLE = re.compile(r"((?:[a-z]+: )?attack .*) ([1-6])-([1-6])")


# -- writing ---------------------------------------------------------------------------------------------------


def write_record(game: Game) -> str:
    """The record of a game; `read_record` gives a game with the same history back."""
    start = game.start
    form = FORMAT_WITH_BARBARIA if "barbaria" in start.ruleset.variants else FORMAT
    lines = [form, f"board {start.board.id}", f"ruleset {start.ruleset}"]
    if game.set_up is not None:
        if game.set_up.scenario is not None:
            lines.append(f"scenario {game.set_up.scenario}{' fixed' if game.set_up.fixed else ''}")
        zones = "".join(map(str, game.set_up.fleets))
        lines.append(f"set-up {zones}: {_faces(game.set_up.faces)}")
    lines.append(f"start {start}")
    lines.extend(_turns(game))
    lines.append(f"result {game.result}")
    return "\n".join(lines) + "\n"


def _turns(game: Game) -> Iterator[str]:
    emperors = [emperor.id for emperor in game.start.board.emperors]
    active = emperors.index(game.start.to_move)
    number = 1
    actions: list[str] = []
    for played in game.played:
        if played.action is not None:
            actions.append(_written(played))
            continue
        if actions or number > 1 or game.start.phase is Phase.ROMAN:
            yield f"{number} {emperors[active]}: {'; '.join(actions)}"
        yield f"dice: {_faces(played.course)}"
        actions = []
        number, active = number + 1, (active + 1) % len(emperors)
    if actions:
        yield f"{number} {emperors[active]}: {'; '.join(actions)}"


def _written(played: Played) -> str:
    return f"{played.action} {played.faces[0]}-{played.faces[1]}" if played.faces else str(played.action)


def _faces(course: tuple[int | str, ...]) -> str:
    return " ".join(map(str, course))


# -- reading ---------------------------------------------------------------------------------------------------


def read_record(text: str, board: Board | None = None) -> Game:
    """Replay a record by the reference rules.

    :raises RecordError: when a line cannot be read or does not follow the rules; it names the line.
    """
    return _Reader(text, board or Board.standard()).game()


class _Reader(RecordLines):
    """Reads a record line by line and replays it."""

    def __init__(self, text: str, board: Board) -> None:
        super().__init__(text)
        self.board = board
        self.form = FORMAT

    def game(self) -> Game:
        self.form = self.next(f"the line {FORMAT!r}")
        if self.form not in (FORMAT, FORMAT_WITH_BARBARIA):
            raise self.fail(f"expected the line {FORMAT!r}, or {FORMAT_WITH_BARBARIA!r} with Barbaria")
        if (name := self.word("board")) != self.board.id:
            raise self.fail(f"the board is {name!r}, expected {self.board.id!r}")
        ruleset = self.ruleset(self.word("ruleset"))
        if self.form != FORMAT and "barbaria" not in ruleset.variants:
            raise self.fail(f"the ruleset has no Barbaria, expected a record that begins with {FORMAT!r}")
        war = self.scenario(self.word("scenario")) if self.peek().startswith("scenario ") else (None, False)
        set_up_follows = war[0] is not None or self.peek().startswith("set-up ")
        rolled = self.set_up(self.word("set-up"), ruleset, *war) if set_up_follows else None
        start = self.position(self.word("start"), ruleset)
        if rolled is not None and rolled[0] != start:
            raise self.fail(f"the dice of the set-up give {rolled[0]}")
        game = Game(start, rolled[1] if rolled else None)
        while not self.peek().startswith("result"):
            self.turn(game)
        if (result := self.word("result")) != game.result:
            raise self.fail(f"the result is {result!r}, the moves and dice make it {game.result!r}")
        self.end()
        return game

    def ruleset(self, text: str) -> Ruleset:
        try:
            return self.as_written(Ruleset.from_text(text))
        except RulesetError as error:
            raise self.fail(str(error)) from error

    def as_written(self, ruleset: Ruleset) -> Ruleset:
        """A ruleset of the record: in the first form dice were rolled again without end, where it did not say so."""
        if self.form == FORMAT and "barbaria" in ruleset.variants and REROLLED not in dict(ruleset.interpretations):
            return ruleset.with_readings([(REROLLED, "again")])
        return ruleset

    def position(self, text: str, ruleset: Ruleset) -> Position:
        try:
            position = Position.parse(text, self.board)
        except PositionSyntaxError as error:
            raise self.fail(str(error)) from error
        position = position.replace(ruleset=self.as_written(position.ruleset))
        if position.ruleset != ruleset:
            raise self.fail(f"the position is of ruleset {position.ruleset}, the record of {ruleset}")
        if reasons := position.status():
            raise self.fail("the position cannot occur: " + "; ".join(map(str, reasons)))
        return position

    def scenario(self, text: str) -> tuple[str, bool]:
        name, _, word = text.partition(" ")
        if word not in ("", "fixed"):
            raise self.fail(f"expected 'scenario NAME' or 'scenario NAME fixed', found {word[:20]!r}")
        return name, word == "fixed"

    def set_up(self, text: str, ruleset: Ruleset, war: str | None, fixed: bool) -> tuple[Position, SetUp]:
        zones, colon, faces = text.partition(":")
        if not colon or not (zones.isascii() and zones.isdigit()):
            raise self.fail("expected 'set-up ZONES: FACES', like set-up 23: 4 2 6 3 5 2")
        fleets, rolled = tuple(map(int, zones)), self.faces(faces)
        dice = GivenDice(rolled)
        try:
            position = (
                set_up(ruleset, fleets, dice, self.board)
                if war is None
                else scenario_set_up(war, fleets, dice, ruleset, fixed=fixed, board=self.board)
            )
        except (RulesetError, LookupError) as error:
            raise self.fail(str(error)) from error
        if dice.left:
            raise self.fail(f"{dice.left} faces of the set-up are not used")
        return position, SetUp(fleets, rolled, war, fixed)

    def faces(self, text: str) -> tuple[int, ...]:
        words = text.split()
        for word in words:
            if word not in FACES:
                raise self.fail(f"{word[:20]!r} is no face of a die, expected 1 to 6")
        return tuple(map(int, words))

    def turn(self, game: Game) -> None:
        line = self.next("a turn or the result")
        if not line.startswith("dice:"):
            self.actions(game, line)
            if game.is_over or self.peek().startswith("result"):
                return
            line = self.next("the dice of the Barbarian phase")
        if not line.startswith("dice:"):
            raise self.fail(f"found {line[:60]!r}, expected 'dice: FACES'")
        course = GivenCourse(read_course(line.removeprefix("dice:")))
        try:
            game.barbarians(course, course.decide)
        except (LookupError, TetrasolveError) as error:
            raise self.fail(str(error)) from error
        if course.left:
            answers = [item for item in course.left if isinstance(item, str)]
            asked = f": there is no choice for {answers[0]!r}" if answers else ""
            raise self.fail(f"{len(course.left)} faces are not used{asked}")

    def actions(self, game: Game, line: str) -> None:
        match = _TURN.fullmatch(line)
        if match is None:
            raise self.fail(f"found {line[:60]!r}, expected 'NUMBER EMPEROR: actions'")
        number, emperor, actions = match.groups()
        turns = sum(1 for played in game.played if played.action is None) + 1
        if (int(number), emperor) != (turns, game.position.to_move):
            raise self.fail(f"this is turn {number} of {emperor}, expected turn {turns} of {game.position.to_move}")
        for text in filter(None, (part.strip() for part in actions.split(";"))):
            try:
                game.act(*self.action(text))
            except ActionError as error:
                raise self.fail(str(error)) from error

    def action(self, text: str) -> tuple[Action, tuple[int, ...]]:
        battle = _BATTLE.fullmatch(text)
        candidates = read_action(battle.group(1) if battle else text, self.board)
        if len(candidates) != 1:
            raise self.fail(f"{text[:60]!r} is not complete: it could be {' or '.join(map(str, candidates))}")
        action = candidates[0]
        if (action.kind is Kind.ATTACK) != (battle is not None):
            raise self.fail(f"{text[:60]!r}: an attack, and nothing else, has two faces after it, like 5-3")
        return action, (int(battle.group(2)), int(battle.group(3))) if battle else ()
