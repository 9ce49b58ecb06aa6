"""What a number of a puzzle is about, in words: ``kill pirates`` is the chance to beat the Pirates."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from tetrasolve import strict
from tetrasolve.tetrarchia.board import Board

NEXT, LEAST = "next ", "least "
GIVEN_UP = "' that is given up"  # how the number of a mistake ends; it begins with a quotation mark


@cache
def _words() -> Mapping[str, Mapping[str, Any]]:
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/puzzle-terms.toml").read_text("utf-8")
    return strict.read_toml(text)


def aim_in_words(aim: str, board: Board, language: str = "en") -> str:
    """A goal in the words of `tetrasolve plan` as an aim in a sentence; a text that is no such goal is kept.

    >>> aim_in_words("kill germania_magna", Board.standard(), "es")
    'destruir el ejército de Germania Magna'
    """
    words = _words()[language]
    found = [_goal(part.strip(), board, words) for part in aim.split(" and ")]
    return aim if None in found else f" {words['and']} ".join(part for part in found if part is not None)


def _goal(text: str, board: Board, words: Mapping[str, Any]) -> str | None:
    aims: Mapping[str, str] = words["aims"]
    if text in aims:
        return aims[text]
    verb, _, rest = text.partition(" ")
    places = rest.split(", ")
    if verb not in aims or not all(place in board.provinces for place in places):
        return None
    if verb == "secure" and set(places) == set(board.borders):
        return str(words["all_borders"])
    form = words["many"].get(verb, aims[verb]) if len(places) > 1 else aims[verb]
    return str(form.format(places=", ".join(board[place].name for place in places)))


def term_in_words(term: str, board: Board, language: str = "en") -> str:
    """A term of an answer, as a collection states it, in words; a text that is no such term is kept.

    >>> term_in_words("next secure libya", Board.standard())
    'chance to secure Libya in the turn after this one'
    >>> term_in_words("'kill pirates' that is given up", Board.standard(), "es")
    'probabilidad de vencer a los Piratas a la que se renuncia'
    """
    words = _words()[language]
    terms: Mapping[str, str] = words["terms"]
    if term in terms:
        return terms[term]
    if term.removeprefix(LEAST) in terms:
        return terms[term.removeprefix(LEAST)]
    if term.startswith("'") and term.endswith(GIVEN_UP):
        aim = term[1 : -len(GIVEN_UP)]
        said = term_in_words(aim, board, language)
        return term if said == aim else str(words["given_up"].format(term=said))
    turns, rest = 0, term
    while rest.startswith(NEXT):
        turns, rest = turns + 1, rest.removeprefix(NEXT)
    aim = aim_in_words(rest, board, language)
    if aim == rest:
        return term
    form = "chance" if not turns else "later" if turns == 1 else "much_later"
    return str(words[form].format(aim=aim, turns=turns))
