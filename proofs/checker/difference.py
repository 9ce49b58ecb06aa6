"""Certificates that two values of a reading differ in a position, and in none that is smaller: the claim alone.

The fields are the reading with its two values, the position with the number of its pieces, one thing in it with what it is under
each value, and ``least``: in every position of
fewer pieces the values make the same of it; ``smaller`` is how many of these there are. They are made and played here again. All
positions have the modules, variants and readings of that one, and each Emperor has 4 garrisons. In the base game the pieces are the
fleets, the Emperors on the board, the discs and the armies; what others there are, and what is compared with modules, is in
`moduledifference`.

Of a Roman phase the legal actions are compared, with what each costs and what can come of it, and whether the turn may end; of a
Barbarian phase all its results with their chances. The rules of that phase never look at fleets, nor at whose turn it was, so
positions that differ in these alone are followed once.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import moduledifference
from barbarian import Phase
from board import Board
from claim import cannot_occur, read_position
from moduleposition import Begun, known_to, pieces_of
from phasesteps import Fallen, Scene
from phasetext import read_phase
from rules import IP_A_TURN, USUAL, State, Table, Turn
from shown import Shown
from text import Lines
from turns import read

GARRISONS = 4
MOST_LEAST = 3  # pieces below which positions are made again: of fewer than 4 there are a million
UNUSUAL = f"expected the usual readings, and {GARRISONS} garrisons of each Emperor"
NO_DIFFERENCE = "the values do not differ in this position"


class Piece(NamedTuple):
    """Something that can lie on the board, of so many pieces."""

    size: int
    kind: str
    place: str
    who: int = 0


def check_difference(lines: Lines, find_board: Callable[..., Board]) -> str:
    """Confirm a certificate, and say what it proves."""
    name, _, digest = lines.field("board").partition(" ")
    board = find_board(name, digest, Board.whole_digest)
    words = lines.field("values").split(" ")
    values_line = lines.number
    text = lines.field("position")
    begun = read(lines, moduledifference.read, text, board)
    position_line, lines.number = lines.number, values_line
    both = [begun.rules.readings | {words[0]: value} for value in values_of(lines, words, begun.rules.use)]
    lines.number = position_line
    of_base_game = not begun.rules.use and not begun.start.rebels
    if of_base_game:
        both = [{name: readings[name] for name in USUAL} for readings in both]
        found = compared(lines, text, board, both)
    else:
        found = compared_with_modules(lines, text, begun, both)
    pieces = lines.count("pieces")
    if pieces != found:
        raise lines.refuted(f"there are {found} pieces")
    check_shown(lines, [Shown(text, begun, begun.rules.readings | readings) for readings in both], words[1:], text)
    least = lines.count("least")
    if not 1 <= least <= min(pieces, MOST_LEAST):
        raise lines.unreadable(f"expected 1 to {min(pieces, MOST_LEAST)}")
    least_line = lines.number
    stated = lines.count("smaller")
    lines.end()
    lines.number = least_line
    smaller = Smaller(board, both) if of_base_game else moduledifference.Smaller(lines, begun.rules, both)
    for size in range(1, least):
        different = smaller.different(size)
        if different:
            raise lines.refuted(f"the values differ in a position of {size} pieces: {different}")
    if smaller.count != stated:
        raise lines.refuted(f"there are {smaller.count} positions of fewer than {least} pieces")
    known = (
        ", and in no position of fewer"
        if least == pieces
        else f", and in no position of fewer than {least}" * (least > 1)
    )
    return f"{words[0]}: {words[1]} and {words[2]} differ in a position of {pieces} pieces{known}"


def check_shown(lines: Lines, both: list[Shown], values: list[str], text: str) -> None:
    """One thing in the position is what is said of it under each value, and not the same."""
    shown = lines.field("shown")
    found = [one.phase(shown) if moduledifference.is_phase(text) else one.action(shown) for one in both]
    if found[0] == found[1]:
        raise lines.refuted(f"this is the same under both values: {found[0]}")
    for name, value, what in zip(("first", "second"), values, found, strict=True):
        if lines.field(name) != what:
            raise lines.refuted(f"under {value} it is: {what}")


def values_of(lines: Lines, words: list[str], use: frozenset[str]) -> list[str]:
    """The two values of a reading that this program knows in this game, in their order."""
    known = known_to(use)
    if len(words) != 3 or words[0] not in known or (words[1], words[2]) not in combinations(known[words[0]], 2):
        raise lines.unreadable("expected a reading of this game with two of its values, in their order")
    return words[1:]


def compared(lines: Lines, text: str, board: Board, both: list[dict[str, str]]) -> int:
    """The pieces of a position of the base game in which both values differ."""
    one: object
    other: object
    if moduledifference.is_phase(text):
        phase, scene = read(lines, read_phase, text, board)
        readings, supply = phase.readings, text[:1]
        table, places = scene.table, scene.places
        one, other = (phase_of(board, readings, scene) for readings in both)
    else:
        turn, start = read(lines, read_position, text, board)
        readings, supply = turn.readings, str(turn.supply)
        table, places = start.table, turn.places
        one, other = (turn_of(with_readings(turn, readings), start) for readings in both)
    if readings != USUAL or supply != str(GARRISONS):
        raise lines.unreadable(UNUSUAL)
    if one == other:
        raise lines.refuted(NO_DIFFERENCE)
    discs = len(table.revolts) + len(table.unrest) + sum(map(len, table.garrisons))
    return len(table.fleets) + len(table.armies) + discs + sum(place is not None for place in places)


def compared_with_modules(lines: Lines, text: str, begun: Begun, both: list[dict[str, str]]) -> int:
    """The pieces of a position with modules, variants or rebels in which both values differ."""
    if "?" in text.split(" ", 1)[0] or begun.rules.supply != GARRISONS:
        raise lines.unreadable(UNUSUAL)
    if not moduledifference.differ(lines, begun, both, before_phase=moduledifference.is_phase(text)):
        raise lines.refuted(NO_DIFFERENCE)
    return pieces_of(begun)


def with_readings(turn: Turn, readings: dict[str, str]) -> Turn:
    """The same turn under other readings."""
    return Turn(turn.board, readings, turn.supply, turn.active, list(turn.places))


def turn_of(turn: Turn, start: State) -> tuple[object, ...]:
    """What an Emperor can do: his actions, each with all that can come of it, and whether he may stop."""
    return (turn.may_stop(start), {action.name: tuple(action.ways) for action in turn.actions(start)})


def phase_of(board: Board, readings: dict[str, str], scene: Scene) -> dict[Scene | Fallen, Fraction]:
    """The results of a phase with their chances; a fall is one, whatever brought it."""
    phase = Phase(board, readings)
    found: dict[Scene | Fallen, Fraction] = {}
    for end, chance in phase.solve(phase.begin(scene)).ends.items():
        what = Fallen("") if isinstance(end, Fallen) else end
        found[what] = found.get(what, Fraction(0)) + chance
    return found


def said(chosen: tuple[Piece, ...]) -> str:
    """The pieces in words."""
    return ", ".join(f"{piece.kind} in {piece.place}" for piece in chosen) or "fleets alone"


class Smaller:
    """All positions of so many pieces, and whether two values differ in one."""

    def __init__(self, board: Board, both: list[dict[str, str]]) -> None:
        self.board, self.both = board, both
        self.count = 0
        self.same: dict[Scene, bool] = {}
        provinces = list(board.provinces)
        inside = [place for place in provinces if place not in board.borders]
        self.pieces = [Piece(1, "emperor", place, who) for who in range(4) for place in provinces]
        self.pieces += [Piece(1, kind, place) for kind in ("revolts", "unrest") for place in inside]
        self.pieces += [Piece(1, "garrison", place, who) for who in range(4) for place in provinces]
        self.pieces += [Piece(1, "army", place) for place in provinces if place in board.borders]
        self.pieces += [Piece(2, "army", place) for place in inside]  # with the revolt under it

    def different(self, size: int) -> str:
        """A position of this size in which the values differ, in a few words; empty where there is none."""
        for number in range(1, size + 1):
            for fleets in combinations(self.board.all_zones, number):
                for chosen in self.chosen(size - number, 0):
                    for what in self.compared(frozenset(fleets), chosen):
                        if what:
                            return what
        return ""

    def chosen(self, size: int, first: int) -> Iterator[tuple[Piece, ...]]:
        """Every set of pieces of this size, from one of them on."""
        if not size:
            yield ()
        for number in range(first, len(self.pieces) if size else 0):
            piece = self.pieces[number]
            if piece.size <= size:
                for rest in self.chosen(size - piece.size, number + 1):
                    yield (piece, *rest)

    def compared(self, fleets: frozenset[int], chosen: tuple[Piece, ...]) -> Iterator[str]:
        """For each position with these pieces what tells the values apart; empty where nothing does."""
        for turn, start in self.turns(fleets, chosen):
            self.count += 1
            one, other = (turn_of(with_readings(turn, readings), start) for readings in self.both)
            yield "" if one == other else f"a turn with {start.ip} IP, {said(chosen)}"
        for scene in self.scenes(fleets, chosen):
            self.count += 1
            yield "" if self.is_same(scene) else f"a Barbarian phase, {said(chosen)}"

    def turns(self, fleets: frozenset[int], chosen: tuple[Piece, ...]) -> Iterator[tuple[Turn, State]]:
        """Every turn with these pieces."""
        lying = self.table(fleets, chosen)
        if lying is None:
            return
        table, places = lying
        for active in range(4):
            for ip in range(IP_A_TURN + 1):
                turn = Turn(self.board, USUAL, GARRISONS, active, list(places))
                start = State(ip, places[active], table)
                if not cannot_occur(turn, start, len(fleets)) and not self.stuck(turn, start):
                    yield turn, start

    def scenes(self, fleets: frozenset[int], chosen: tuple[Piece, ...]) -> Iterator[Scene]:
        """The Barbarian phase of each Emperor with these pieces, if there can be one."""
        lying = self.table(fleets, chosen)
        if lying is None:
            return
        table, places = lying
        for active in range(4):
            turn = Turn(self.board, USUAL, GARRISONS, active, list(places))
            if len({*places} - {None}) == 4 - places.count(None) and not cannot_occur(
                turn, State(IP_A_TURN, places[active], table), len(fleets)
            ):
                yield Scene(table, places)

    def stuck(self, turn: Turn, start: State) -> bool:
        """Whether he shares a province and cannot leave it: no move has led there."""
        return start.place in turn.others and not turn.can_leave(start)

    def is_same(self, scene: Scene) -> bool:
        """Whether the phase of a scene has the same results, whatever fleets there are."""
        scene = scene._replace(table=scene.table._replace(fleets=frozenset()))
        if scene not in self.same:
            one, other = (phase_of(self.board, readings, scene) for readings in self.both)
            self.same[scene] = one == other
        return self.same[scene]

    def table(self, fleets: frozenset[int], chosen: tuple[Piece, ...]) -> tuple[Table, tuple[str | None, ...]] | None:
        """The table with these pieces, and where the Emperors stand; None where they do not go together."""
        places: list[str | None] = [None] * 4
        garrisons: list[set[str]] = [set() for _ in range(4)]
        lying: dict[str, set[str]] = {"revolts": set(), "unrest": set(), "army": set()}
        for piece in chosen:
            if piece.kind == "emperor":
                if places[piece.who] is not None:
                    return None
                places[piece.who] = piece.place
            elif piece.kind == "garrison":
                garrisons[piece.who].add(piece.place)
            else:
                if piece.kind == "army" and piece.size == 2:
                    if piece.place in lying["revolts"]:
                        return None
                    lying["revolts"].add(piece.place)
                lying[piece.kind].add(piece.place)
        discs = [*lying["revolts"], *lying["unrest"], *(place for own in garrisons for place in own)]
        if len({*discs}) != len(discs):
            return None
        four = tuple(map(frozenset, garrisons))
        table = Table(fleets, frozenset(lying["army"]), frozenset(lying["revolts"]), frozenset(lying["unrest"]), four)
        return table, tuple(places)
