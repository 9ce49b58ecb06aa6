"""Game records: a whole game with its cards as text, written, read, replayed and verified.

::

    tetrasolve-et-finem-record/1
    ruleset standard
    set-up C7: E5 C7 OR BS C6 CC B7 O6 E7
    start standard none C7/C7/E7 1111/- 1/1 O6:O1... act:4 -
    actions none: confront C; move C6; confront C; pass
    campaign: C5; ES; ER
    invasion: C7; O5
    role: prefect
    actions prefect: ...
    result open

Each phase is a line, with the cards drawn and the decisions in their order; a phase that is skipped has none. ``set-up`` is
left out where a game did not begin with one. Lines that begin with # are comments. Reading verifies: every card must be in the
deck, every decision legal, and the stated result must come out.
"""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.errors import ActionError, PositionSyntaxError, RulesetError
from tetrasolve.finem import rules
from tetrasolve.finem.game import Game, SetUp
from tetrasolve.finem.jsonform import NO_ROLE
from tetrasolve.finem.position import Phase, Position, State
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.recordlines import SHOWN, RecordLines

FORMAT = "tetrasolve-et-finem-record/1"
SEPARATOR = "; "


def write_record(game: Game) -> str:
    """The record of a game; `read_record` gives a game with the same history back."""
    lines = [FORMAT, f"ruleset {game.ruleset}"]
    if game.set_up is not None:
        lines.append(f"set-up {game.set_up.start}: {' '.join(game.set_up.cards)}")
    lines += [f"start {game.start}", *_phases(game), f"result {game.result}"]
    return "\n".join(lines) + "\n"


def _phases(game: Game) -> Iterator[str]:
    """The line of each phase."""
    line: list[str] = []
    head, before = "", None
    for state, option in zip(game.states, game.played, strict=False):
        assert isinstance(state, Position)
        here = (state.phase, state.role)
        if here != before and line:
            yield f"{head}: {SEPARATOR.join(line)}"
            line = []
        before, head = here, _head(state)
        line.append(option)
    if line:
        yield f"{head}: {SEPARATOR.join(line)}"


def _head(position: Position) -> str:
    """What a line of this phase begins with."""
    is_first = position.phase is Phase.ACTIONS
    return f"{position.phase} {position.role or NO_ROLE}" if is_first else str(position.phase)


def read_record(text: str) -> Game:
    """Replay a record by the reference rules.

    :raises RecordError: when a line cannot be read or does not follow the rules; it names the line.
    """
    return _Reader(text).game()


class _Reader(RecordLines):
    """Reads a record line by line and replays it."""

    def game(self) -> Game:
        if self.next(f"the line {FORMAT!r}") != FORMAT:
            raise self.fail(f"expected the line {FORMAT!r}")
        ruleset = self.ruleset(self.word("ruleset"))
        rolled = self.set_up(self.word("set-up"), ruleset) if self.peek().startswith("set-up") else None
        line = self.word("start")
        if rolled is not None:
            start, set_up = rolled
            if str(start) != line:
                raise self.fail(f"the cards of the set-up give {start}")
            game = Game(start, set_up)
        else:
            game = Game(self.position(line, ruleset))
        while not self.peek().startswith("result"):
            self.phase(game)
        if (result := self.word("result")) != game.result:
            raise self.fail(f"the result is {result[:SHOWN]!r}, the cards and decisions make it {game.result!r}")
        self.end()
        return game

    def ruleset(self, text: str) -> Ruleset:
        try:
            return Ruleset.from_text(text)
        except RulesetError as error:
            raise self.fail(str(error)) from error

    def set_up(self, text: str, ruleset: Ruleset) -> tuple[State, SetUp]:
        start, colon, cards = text.partition(":")
        if not colon:
            raise self.fail("expected 'set-up REGION: CARDS', like set-up C7: E5 C7 OR BS C6 CC B7 O6 E7")
        set_up = SetUp(ruleset, tuple(cards.split()), start.strip())
        try:
            return rules.set_up(ruleset, set_up.cards, set_up.start), set_up
        except RulesetError as error:
            raise self.fail(str(error)) from error

    def position(self, text: str, ruleset: Ruleset) -> Position:
        try:
            position = Position.parse(text)
        except PositionSyntaxError as error:
            raise self.fail(str(error)) from error
        if position.ruleset != ruleset:
            raise self.fail(f"the position is of ruleset {position.ruleset}, the record of {ruleset}")
        if reasons := position.status():
            raise self.fail("the position cannot occur: " + "; ".join(map(str, reasons)))
        return position

    def phase(self, game: Game) -> None:
        line = self.next("a phase or the result")
        head, colon, items = line.partition(":")
        if game.is_over:
            raise self.fail(f"found {line[:SHOWN]!r}, expected the result: the game is over")
        expected = _head(game.position)
        if not colon or head != expected:
            raise self.fail(f"found {line[:SHOWN]!r}, expected '{expected}: ...'")
        phase, role = game.position.phase, game.position.role
        for item in items.split(SEPARATOR.strip()):
            here = game.state
            if isinstance(here, Position) and (here.phase, here.role) != (phase, role):
                raise self.fail(f"{item.strip()[:SHOWN]!r}: the phase {phase} is over")
            try:
                game.take(item.strip())
            except ActionError as error:
                raise self.fail(str(error)) from error
        here = game.state
        is_open = isinstance(here, Position) and (here.phase, here.role) == (phase, role)
        if is_open and not self.peek().startswith("result"):
            raise self.fail(f"the phase {phase} is not over")
