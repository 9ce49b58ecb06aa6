"""Certificates that the best plans of a turn differ under two values of a reading: the claim alone.

The fields are the reading with its two values, the position under the usual readings with the number of its pieces, the objective,
and for each value the optimum and a plan that reaches it. Both turns are made in full, as `recounted` does, and both plans
followed. ``least``: of no turn of the base game with fewer pieces has the objective another optimum under one value than under the
other; ``smaller`` is how many of these there are. They are made and solved here again, as `difference` makes positions.
"""

from collections.abc import Callable, Iterator

import moduleposition
from board import Board
from difference import GARRISONS, Piece, Smaller
from foreseen import Foreseen
from moduleposition import known_to, pieces_of
from moduleturn import Figure
from objectives import Value
from rules import USUAL, State, Turn
from situations import HELPERS, Rules, Situation
from text import Lines
from turns import read, read_values, written

MOST_LEAST = (
    2  # pieces below which turns are solved again: of two pieces there are some thousands, with seconds for each
)


def check_plan_difference(lines: Lines, find_board: Callable[..., Board]) -> str:
    """Confirm a certificate, and say what it proves."""
    name, _, digest = lines.field("board").partition(" ")
    board = find_board(name, digest, Board.whole_digest)
    words = lines.field("values").split(" ")
    values_line = lines.number
    text = lines.field("position")
    begun = read(lines, moduleposition.read, text, board, True)
    if "?" in text.split(" ", 1)[0] or begun.rules.supply != GARRISONS:
        raise lines.unreadable(f"expected the usual readings, and {GARRISONS} garrisons of each Emperor")
    position_line, lines.number = lines.number, values_line
    both = [begun.rules.readings | {words[0]: value} for value in values_of(lines, words, begun.rules)]
    lines.number = position_line
    pieces = lines.count("pieces")
    if pieces != pieces_of(begun):
        raise lines.refuted(f"there are {pieces_of(begun)} pieces")
    objective = lines.field("objective")
    sides = [Side(lines, begun.rules._replace(readings=readings), begun.start, objective) for readings in both]
    for side in sides:
        side.read_claim()
    least = lines.count("least")
    most = 1 if begun.rules.use or begun.start.rebels else min(pieces, MOST_LEAST)
    if not 1 <= least <= most:
        raise lines.unreadable(f"expected 1 to {most}")
    stated = lines.count("smaller")
    lines.end()
    for side in sides:
        side.confirm()
    first, second = (written(side.optimum, side.scale) for side in sides)
    if first == second:
        raise lines.refuted(f"both values have the optimum {first}")
    smaller = SmallerTurns(lines, board, both, objective)
    for size in range(1, least):
        different = smaller.different(size)
        if different:
            raise lines.refuted(f"the optima differ in a turn of {size} pieces: {different}")
    if smaller.count != stated:
        raise lines.refuted(f"there are {smaller.count} turns of fewer than {least} pieces")
    known = ", and in no turn of fewer" if least == pieces else f", and in none of fewer than {least}" * (least > 1)
    return (
        f"{words[0]}: '{objective}' has the optimum {first} under {words[1]} and {second} under {words[2]} in a position of "
        f"{pieces} pieces{known}"
    )


def values_of(lines: Lines, words: list[str], rules: Rules) -> list[str]:
    """The two values of a reading that this game knows."""
    known = known_to(rules.use)
    if len(words) != 3 or words[0] not in known or not {*words[1:]} <= {*known[words[0]]} or words[1] == words[2]:
        raise lines.unreadable("expected a reading of this game with two of its values")
    return words[1:]


class Side(Foreseen):
    """The turn under one of the values, and what is claimed about it."""

    def __init__(self, lines: Lines, rules: Rules, start: Situation, objective: str) -> None:
        self.lines, self.board, self.rules, self.start, self.attacks = lines, rules.board, rules, start, None
        emperor = Figure(rules, start, rules.active)
        self.objective = read(lines, self.objective_form, objective, emperor, start.ip, rules.use)
        self.known = {}
        self.scale = self.scale_of()

    def read_claim(self) -> None:
        """The optimum and the plan under this value."""
        text = self.lines.field("optimum")
        self.optimum: Value = read_values(text, self, self.lines)
        self.optimum_line = self.lines.number
        self.plan = self.lines.field("plan")
        self.plan_line = self.lines.number

    def confirm(self) -> None:
        """Compare both with what the turn is worth."""
        self.lines.number = self.optimum_line
        best = self.value(self.start)
        if self.optimum != best:
            raise self.lines.refuted(f"the start is worth {written(best, self.scale)}")
        self.lines.number = self.plan_line
        self.follow(self.start, self.plan)

    def worth(self) -> str:
        """What the turn is worth."""
        return written(self.value(self.start), self.scale)


class SmallerTurns(Smaller):
    """All turns of the base game of so many pieces, and whether the optima differ in one."""

    def __init__(self, lines: Lines, board: Board, both: list[dict[str, str]], objective: str) -> None:
        super().__init__(board, both)
        self.lines, self.objective = lines, objective

    def compared(self, fleets: frozenset[int], chosen: tuple[Piece, ...]) -> Iterator[str]:
        """For each turn with these pieces what tells the values apart; empty where nothing does."""
        for turn, start in self.turns(fleets, chosen):
            self.count += 1
            one, other = (self.worth(turn, start, readings) for readings in self.both)
            yield "" if one == other else f"a turn with {start.ip} IP, {chosen}: {one} and {other}"

    def worth(self, turn: Turn, start: State, readings: dict[str, str]) -> str:
        """What a turn is worth under some readings."""
        rules = Rules(self.board, frozenset(), USUAL | readings, turn.supply, turn.active, {}, 0, None)
        shared = turn.active if start.place in turn.others else None
        none = (0,) * len(turn.places)
        places = (*turn.places, *(None for _ in HELPERS))
        now = Situation(start.ip, places, start.table, shared, None, None, frozenset(), none, none, False, None)
        return Side(self.lines, rules, now, self.objective).worth()
