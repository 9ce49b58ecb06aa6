"""Positions before a Barbarian phase, read from one line of text."""

from barbarian import Phase
from board import Board
from claim import LEVEL, cannot_occur, province, read_readings, read_table
from phasesteps import Scene
from rules import IP_A_TURN, State, Turn
from text import Unreadable


def read_phase(text: str, board: Board) -> tuple[Phase, Scene]:
    """A position before a Barbarian phase in one line: as before a Roman phase, with ``b`` for the IP."""
    words = text.split(" ")
    level = LEVEL.fullmatch(words[0])
    if len(words) != 8 or level is None:
        raise Unreadable("expected a position of the base game, with 8 fields")
    letter, _, ip = words[1].partition(":")
    codes = words[2].split("/")
    if letter not in board.letters or ip != "b" or len(codes) != 4:
        raise Unreadable("expected the letter of an Emperor and ':b', then the places of four Emperors")
    readings = read_readings(level[3])
    places = tuple(None if code == "-" else province(code, board) for code in codes)
    table = read_table(" ".join(words[3:]), board)
    active = board.letters.index(letter)
    turn = Turn(board, readings, int(level[1]), active, list(places))
    trouble = cannot_occur(turn, State(IP_A_TURN, places[active], table), fleets=int(level[2]))
    if trouble or (places[active] is not None and places[active] in turn.others):
        raise Unreadable(f"this position cannot occur: {trouble or 'two Emperors stand in one province'}")
    return Phase(board, readings), Scene(table, places)
