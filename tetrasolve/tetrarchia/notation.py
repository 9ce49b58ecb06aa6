"""Positions as one line of text.

A position is one line of fields in a fixed order, provinces by their three-letter codes::

    4211 M:6 bit/-/aqu/gsu 23 nar nar.tar - -/-/lug/etr

ruleset, active Emperor with the IP left (``M:b`` in the Barbarian phase), the four Emperors in turn order, zones of the
fleets, armies, revolts, unrest, garrisons of the four Emperors; then ``key=value`` for each piece of a module or
variant. ``-`` means nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from tetrasolve.errors import MISSING, PositionSyntaxError, RulesetError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.jsonform import parse_json
from tetrasolve.tetrarchia.pieces import PIECES, Pieces, plain_piece, read_piece
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset

FIELDS = ("ruleset", "active Emperor", "Emperors", "fleets", "armies", "revolts", "unrest", "garrisons")
NOTHING = "-"


def write_position(position: Position) -> str:
    """The one-line notation of a position; `read_position` gives the same position back."""
    board = position.board
    emperor = next(e for e in board.emperors if e.id == position.to_move)
    spent = position.phase is Phase.BARBARIAN and position.ip == 0
    ip = ("" if position.phase is Phase.ROMAN else "b") + ("" if spent else str(position.ip))
    places = (board[place].code if place else NOTHING for place in position.emperors.values())
    line = [
        str(position.ruleset),
        f"{emperor.letter}:{ip}",
        "/".join(places),
        "".join(map(str, position.fleets)) or NOTHING,
        _codes(position.armies, board),
        _codes(position.revolts, board),
        _codes(position.unrest, board),
        "/".join(_codes(position.garrisons(e.id), board) for e in board.emperors),
    ]
    for key, value in position.pieces.plain().items():
        line.append(f"{key}={json.dumps(plain_piece(key, value), separators=(',', ':'))}")
    return " ".join(line)


def _codes(provinces: Iterable[str], board: Board) -> str:
    return ".".join(board[p].code for p in sorted(provinces, key=board.order.__getitem__)) or NOTHING


def read_position(text: str, board: Board | None = None) -> Position:
    """A position from its one-line notation, on `board` (default: the standard one).

    :raises PositionSyntaxError: when a field cannot be read; it is named.
    """
    return _Line(text, board or Board.standard()).position()


class _Line:
    """Reads one line field by field."""

    def __init__(self, text: str, board: Board) -> None:
        self.board = board
        self.words = text.split()

    def position(self) -> Position:
        if len(self.words) < len(FIELDS):
            missing = FIELDS[len(self.words)]
            raise PositionSyntaxError(missing, MISSING, f"{len(FIELDS)} fields: {', '.join(FIELDS)}")
        ruleset, mover, emperors, fleets, armies, revolts, unrest, garrisons = self.words[: len(FIELDS)]
        to_move, phase, ip = self.mover(mover)
        return Position(
            board=self.board,
            ruleset=self.ruleset(ruleset),
            to_move=to_move,
            phase=phase,
            ip=ip,
            emperors=self.emperors(emperors),
            fleets=self.fleets(fleets),
            armies=tuple(self.provinces(armies, "armies")),
            discs=self.discs(revolts, unrest, garrisons),
            pieces=self.pieces(self.words[len(FIELDS) :]),
        )

    def ruleset(self, word: str) -> Ruleset:
        try:
            return Ruleset.from_text(word)
        except RulesetError as error:
            raise PositionSyntaxError("ruleset", word, str(error)) from error

    def mover(self, word: str) -> tuple[str, Phase, int]:
        letter, colon, ip = word.partition(":")
        emperor = next((e for e in self.board.emperors if e.letter == letter), None)
        letters = ", ".join(e.letter for e in self.board.emperors)
        if emperor is None or not colon:
            raise PositionSyntaxError("active Emperor", word, f"an initial ({letters}), a colon, and the IP left or b")
        phase = Phase.BARBARIAN if ip.startswith("b") else Phase.ROMAN
        digits = ip.removeprefix("b")
        if phase is Phase.BARBARIAN and not digits:
            return emperor.id, phase, 0
        sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 2):
            raise PositionSyntaxError("active Emperor", word, "the IP left as a number, or b in the Barbarian phase")
        return emperor.id, phase, int(sign + digits)

    def emperors(self, word: str) -> dict[str, str | None]:
        places = self.four(word, "Emperors")
        return {
            emperor.id: None if place == NOTHING else self.province(place, f"place of {emperor.name}")
            for emperor, place in zip(self.board.emperors, places, strict=True)
        }

    def fleets(self, word: str) -> tuple[int, ...]:
        if word == NOTHING:
            return ()
        last = len(self.board.zones)
        for figure in word:
            if not (figure.isascii() and figure.isdigit() and 1 <= int(figure) <= last):
                raise PositionSyntaxError("fleets", word, f"figures from 1 to {last}, or {NOTHING}")
        return tuple(map(int, word))

    def discs(self, revolts: str, unrest: str, garrisons: str) -> dict[str, str]:
        discs: dict[str, str] = {}
        groups = [(REVOLT_DISC, revolts, "revolts"), (UNREST_DISC, unrest, "unrest")]
        for emperor, word in zip(self.board.emperors, self.four(garrisons, "garrisons"), strict=True):
            groups.append((emperor.id, word, f"garrisons of {emperor.name}"))
        for disc, word, where in groups:
            for province in self.provinces(word, where):
                if province in discs:
                    code = self.board[province].code
                    raise PositionSyntaxError(where, code, "a province with one disc (this one has another already)")
                discs[province] = disc
        return discs

    def pieces(self, words: list[str]) -> Pieces:
        pieces: dict[str, object] = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not equals or key not in PIECES:
                raise PositionSyntaxError("pieces", word, f"KEY=VALUE with a key of {', '.join(PIECES)}")
            if key in pieces:
                raise PositionSyntaxError("pieces", word, "each key once")
            pieces[key] = read_piece(key, parse_json(value, key), self.board)
        return Pieces.of(pieces)

    def four(self, word: str, where: str) -> list[str]:
        parts = word.split("/")
        if len(parts) != len(self.board.emperors):
            raise PositionSyntaxError(where, word, f"four parts between slashes, {NOTHING} for nothing")
        return parts

    def provinces(self, word: str, where: str) -> list[str]:
        return [] if word == NOTHING else [self.province(code, where) for code in word.split(".")]

    def province(self, code: str, where: str) -> str:
        province = self.board.by_code.get(code)
        if province is None:
            raise PositionSyntaxError(where, code, "the three-letter code of a province")
        return province.id
