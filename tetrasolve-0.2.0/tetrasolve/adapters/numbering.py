"""The numbers of everything that players can do in the game tree: one fixed list for all rulesets.

====================== ===================================================================================================
numbers                what they mean
====================== ===================================================================================================
0 to 153               actions of the active Emperor in the base game: enter, move, sail, secure, remove, reduce, end, attack
154 to 160             the zones of the fleets
161 to 645             actions of modules and variants: moves of the Dux, the Vicarius and, for Diocletian, of other Emperors;
                       subduing and attacks by the Dux, deployments, transfers, attacks on Pirates, the discs paid for a power
646 to 848             answers in a Barbarian phase, and the discs that Galerius adds to his die once an attack is rolled
====================== ===================================================================================================

An action has the code of the kernel (`tetrasolve.tetrarchia.whole`), an attack without its outcome and what is paid for it. An
answer has its name in a record, ``turn:gallia``. The order within a group is that of the board file.
"""

from __future__ import annotations

from itertools import permutations

from tetrasolve.tetrarchia import fast, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import ATTACK, END, ENTER, MOVE, REDUCE, REMOVE, SAIL, SECURE
from tetrasolve.tetrarchia.pieces import RESERVE
from tetrasolve.tetrarchia.rules.choices import NO, REROLL

CANCEL = "cancel"
ZONES = len(Board.standard().zones)
BOOST = "boost"  # of Galerius's die, for a disc
_ATTACKS = (ATTACK, whole.PIRATES)
_OUTCOME, _UNPAID = 3 << 10, (1 << 15) - 1  # bits of an attack's code: its outcome, all but its payments
_DUX, _VICARIUS = 1 << 12, 2 << 12
_FIGURES = range(1, 6)  # the Dux, the Vicarius, and three other Emperors


def _base_codes() -> tuple[int, ...]:
    """The kernel's codes of the actions of the base game."""
    provinces = range(len(Board.standard().provinces))
    places = {kind: [kind | place << 4 for place in provinces] for kind in (ENTER, MOVE, ATTACK)}
    sails = [SAIL | a << 4 | b << 10 for a, b in permutations(range(1, ZONES + 1), 2)]
    return (*places[ENTER], *places[MOVE], *sails, SECURE, REMOVE, REDUCE, END, *places[ATTACK])


def _more_codes() -> tuple[int, ...]:
    """The kernel's codes of the actions of modules and variants."""
    provinces = [place << 4 for place in range(len(Board.standard().provinces))]
    return (
        *(MOVE | place | figure << 12 for figure in _FIGURES for place in provinces),
        REMOVE | _DUX,
        REDUCE | _DUX,
        *(ATTACK | place | _DUX for place in provinces),
        *(whole.DEPLOY | place | figure for figure in (_DUX, _VICARIUS) for place in provinces),
        *(whole.TRANSFER | place for place in provinces),
        whole.PIRATES,
        whole.PIRATES | _DUX,
        *(whole.IMPERIUM | place for place in provinces),
        whole.IMPERIUM | whole.RESERVE << 4,
    )


def _answers() -> tuple[str, ...]:
    """The answers to all choices, by their names in a record."""
    board = Board.standard()
    discs = (RESERVE, *board.ids)
    return (
        NO,
        REROLL,
        CANCEL,
        *(f"turn:{place}" for place in board.ids),
        *(f"black:{place}" for place in board.ids),
        *(f"army:{border}" for border in board.borders),
        *(f"block:{disc}" for disc in discs),
        *(f"{BOOST}:{disc}" for disc in discs),
    )


_BASE, _MORE = _base_codes(), _more_codes()
FIRST_ZONES = len(_BASE)  # the number of the first choice of zones: this and a mask of zones, less 1
_FIRST_MORE = FIRST_ZONES + (1 << ZONES) - 1
_FIRST_ANSWER = _FIRST_MORE + len(_MORE)
ANSWERS = _answers()
ACTIONS = _FIRST_ANSWER + len(ANSWERS)

CODES = dict(enumerate(_BASE)) | dict(enumerate(_MORE, start=_FIRST_MORE))
_NUMBERS = {code: number for number, code in CODES.items()}
_NUMBER_OF_ANSWER = {name: number for number, name in enumerate(ANSWERS, start=_FIRST_ANSWER)}


def is_attack(code: int) -> bool:
    """Whether a code is that of an attack."""
    return code & 15 in _ATTACKS


def plain(code: int) -> int:
    """The code of an action, of an attack without its outcome and payments."""
    return code & _UNPAID & ~_OUTCOME if is_attack(code) else code


def number_of(code: int) -> int:
    """The number of an action with this code."""
    return _NUMBERS[plain(code)]


def number_of_answer(name: str) -> int:
    """The number of an answer with this name in a record."""
    return _NUMBER_OF_ANSWER[name]


def answer_of(number: int) -> str:
    """The name of an answer."""
    return ANSWERS[number - _FIRST_ANSWER]


def words_of(number: int) -> str:
    """What a player does, as it is written in a record; an attack without its outcome.

    >>> words_of(48), words_of(154), words_of(ACTIONS - 1)
    ('move roma', 'fleets 1', 'boost:libya')
    """
    if number >= _FIRST_ANSWER:
        return answer_of(number)
    if FIRST_ZONES <= number < _FIRST_MORE:
        return f"fleets {' '.join(str(zone) for zone in range(1, ZONES + 1) if zones_of(number) >> (zone - 1) & 1)}"
    code = CODES[number]
    words = str(fast.to_action(code, Board.standard()))
    return words.rpartition(":")[0] if is_attack(code) else words


def zones_of(number: int) -> int:
    """The mask of zones of a choice of zones."""
    return number - FIRST_ZONES + 1
