"""What a certificate claims about a turn: the position, and how attacks are decided; `objectives` has what is to be reached.

Each is read from one line and must be written in the one usual way, so that a claim has one text only.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from board import Board
from rules import IP_A_TURN, LATER, MOST_UNREST, READINGS, State, Table, Turn
from text import Unreadable

MOST_REVOLTS = 21
MOST_ARMIES = 3
LEVEL = re.compile(r"([3-5])([1-3])[0-2][0-2](?:\?(.+))?")
NO_MORE: Mapping[str, tuple[str, ...]] = MappingProxyType({})
TABLE = ("fleets", "armies", "revolts", "unrest", "garrisons")


class Position(NamedTuple):
    """A state with the rules of the turn that begins there."""

    turn: Turn
    start: State


# -- positions -------------------------------------------------------------------------------------------------


def read_position(text: str, board: Board) -> Position:
    """A position in one line: ruleset, active Emperor and IP, Emperors, then the five fields of a table."""
    words = text.split(" ")
    if len(words) != 8:
        raise Unreadable(f"a position has 8 fields, found {len(words)}")
    level = LEVEL.fullmatch(words[0])
    if level is None:
        raise Unreadable(f"ruleset '{words[0]}' is none of the base game")
    letter, colon, ip = words[1].partition(":")
    if not colon or letter not in board.letters or ip not in [str(number) for number in range(IP_A_TURN + 1)]:
        raise Unreadable(f"active Emperor '{words[1]}': expected {', '.join(board.letters)}, a colon and 0 to 6 IP")
    active = board.letters.index(letter)
    places = [None if code == "-" else province(code, board) for code in words[2].split("/")]
    if len(places) != 4:
        raise Unreadable(f"Emperors '{words[2]}': expected four places")
    turn = Turn(board, read_readings(level[3]), int(level[1]), active, places)
    start = State(int(ip), places[active], read_table(" ".join(words[3:]), board))
    trouble = cannot_occur(turn, start, fleets=int(level[2]))
    if trouble:
        raise Unreadable(f"this position cannot occur: {trouble}")
    return Position(turn, start)


def read_readings(text: str | None, more: Mapping[str, tuple[str, ...]] = NO_MORE) -> dict[str, str]:
    """The reading of each open sentence; those that differ from the usual one are named, in alphabetical order."""
    known = {**READINGS, **LATER, **more}
    readings = {name: values[0] for name, values in known.items()}
    names = []
    for part in text.split(",") if text else []:
        name, _, value = part.partition("=")
        names.append(name)
        if value not in known.get(name, ())[1:]:
            raise Unreadable(f"reading '{part}': expected a name and the value that is not the usual one")
        readings[name] = value
    if names != sorted(set(names)):
        raise Unreadable(f"readings '{text}': expected each name once, in alphabetical order")
    return readings


def read_table(text: str, board: Board) -> Table:
    """A table: fleets, armies, revolts, unrest, and the garrisons of the four Emperors between slashes."""
    words = text.split(" ")
    if len(words) != len(TABLE):
        raise Unreadable(f"a table has the fields {', '.join(TABLE)}")
    fleets, armies, revolts, unrest, garrisons = words
    zones = [] if fleets == "-" else [int(zone) if zone in "123" else 0 for zone in fleets]
    four = [codes(word, board) for word in garrisons.split("/")]
    if len(four) != 4:
        raise Unreadable(f"garrisons '{garrisons}': expected four lists between slashes")
    table = Table(frozenset(zones), codes(armies, board), codes(revolts, board), codes(unrest, board), tuple(four))
    discs = [table.revolts, table.unrest, *table.garrisons]
    if sum(map(len, discs)) != len(table.discs()):
        raise Unreadable("two discs lie in one province")
    if not table.fleets <= set(board.all_zones) or write_table(table, board) != text:
        raise Unreadable("a table is written with zones and provinces in the order of the board, each once, - for none")
    return table


def write_table(table: Table, board: Board) -> str:
    """A table as one line."""

    def names(provinces: Iterable[str]) -> str:
        return ".".join(board.code[place] for place in sorted(provinces, key=board.row.__getitem__)) or "-"

    garrisons = "/".join(map(names, table.garrisons))
    fleets = "".join(map(str, sorted(table.fleets))) or "-"
    return " ".join((fleets, names(table.armies), names(table.revolts), names(table.unrest), garrisons))


def codes(word: str, board: Board) -> frozenset[str]:
    """A set of provinces by their codes, joined by points."""
    return frozenset() if word == "-" else frozenset(province(code, board) for code in word.split("."))


def province(code: str, board: Board) -> str:
    """The province with this code."""
    if code not in board.by_code:
        raise Unreadable(f"'{code}' is the code of no province")
    return board.by_code[code]


def cannot_occur(turn: Turn, start: State, fleets: int) -> str:
    """Why this is no position of an open game in the Roman phase; empty if it is one."""
    board, table = turn.board, start.table
    if len(table.fleets) != fleets:
        return "the level has another number of fleets"
    if len(table.revolts) > MOST_REVOLTS or len(table.unrest) > MOST_UNREST or len(table.armies) > MOST_ARMIES:
        return "there are not so many revolts, unrest or armies"
    if any(len(garrisons) > turn.supply for garrisons in table.garrisons):
        return "the level gives no Emperor so many garrisons"
    if len(set(turn.others)) != len(turn.others):
        return "two Emperors stand in one province"
    if table.armies & {start.place, *turn.others}:
        return "an Emperor stands with an army"
    if (table.revolts | table.unrest) & board.borders:
        return "a revolt or an unrest lies on a border"
    if board.roma in table.armies or any(
        army in table.discs() if army in board.borders else army not in table.revolts for army in table.armies
    ):
        return "an army stands in Roma, on a border with a disc, or on no revolt within the Empire"
    if start.place is None and start.ip < IP_A_TURN:
        return "the active Emperor is off the board in the middle of his turn"
    if board.borders <= table.secured():
        return "the game is won"
    return ""


# -- attacks ---------------------------------------------------------------------------------------------------


def read_attacks(text: str, board: Board, others: Iterable[str] = ()) -> dict[str, str] | None:
    """None where the dice decide; else how the attack on each army ends that may be attacked at all."""
    if text == "dice":
        return None
    stated = {}
    for part in text.split(", ") if text != "none" else ():
        match = re.fullmatch(r"(victory|draw|defeat)@([a-z_]+)", part)
        if match is None or match[2] not in {*board.row, *others} or match[2] in stated:
            raise Unreadable(f"attacks '{text}': expected dice, none, or outcomes with armies like victory@narbonensis")
        stated[match[2]] = match[1]
    if list(stated) != sorted(stated):
        raise Unreadable(f"attacks '{text}': expected the provinces in alphabetical order")
    return stated
