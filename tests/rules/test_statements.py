"""Each row of data/statements.toml, by the reference rules and, where the kernel can answer its questions, by the kernel."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.rulebook.expressions import COMMON, evaluate, names
from tetrasolve.tetrarchia.facts.rulebook.rows import Statement, statements, topics, worked_out
from tetrasolve.tetrarchia.facts.rulebook.words import board_words, words_of
from tetrasolve.tetrarchia.position import Position

BOARD = Board.standard()
ROWS = statements()
NAME = str.maketrans("-.", "__")  # a value's path as a name
REFUTED = {"statement/waiting/turn", "statement/goths/permanent"}


# -- the rows as such ----------------------------------------------------------------------------------------------


@pytest.mark.program
@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.id)
def test_a_row_binds_no_word_and_uses_known_ones(row: Statement) -> None:
    words = words_of(BOARD).keys() | COMMON.keys()
    assert row.topic in {topic["id"] for topic in topics()}
    assert not words & row.let.keys()

    known = words | row.let.keys() | ({"played"} if row.position else set())
    known |= {path.translate(NAME) for path in worked_out(row.id, BOARD)}
    used = {name for text in row.expressions() for name in names(text)}
    assert used <= known


@pytest.mark.program
def test_expressions_have_no_attributes_and_no_built_in_names() -> None:
    for text in ("().__class__", "len.x", "(lambda: 1)()", "f'{1}'", "[x := 1]", "_hidden"):
        with pytest.raises(ValueError, match="no statement has"):
            evaluate(text, {})
    with pytest.raises(NameError):
        evaluate("open('x')", {})


# -- by the reference rules ----------------------------------------------------------------------------------------


@pytest.mark.program
@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.id)
def test_the_rulebook_is_right_but_for_two_statements(row: Statement) -> None:
    assert worked_out(row.id, BOARD)["verdict"] == ("refuted" if row.id in REFUTED else "confirmed")
    assert bool(row.rulebook) == (row.id in REFUTED)


# -- by the kernel -------------------------------------------------------------------------------------------------


def actions(now: Position) -> dict[str, list[int]]:
    """The kernel's codes of the legal actions, by their names without outcomes."""
    found: dict[str, list[int]] = {}
    for code in fast.kernel_of(now).legal(fast.state_of(now)):
        found.setdefault(str(replace(fast.to_action(code, now.board), outcome=None)), []).append(code)
    found.pop("end", None)
    return found


def prices(now: Position) -> dict[str, int]:
    kernel, state = fast.kernel_of(now), fast.state_of(now)
    return {name: kernel.cost(state, codes[0]) for name, codes in actions(now).items()}


def legal(now: Position, name: str) -> bool:
    return name in actions(now)


def after(now: Position, text: str) -> Position:
    code = fast.to_code(rules.parse(now, text), now.board)
    return fast.to_position(fast.kernel_of(now).play(fast.state_of(now), code), now.board, now.ruleset)


def battle(now: Position, army: str, leader: str = "") -> tuple[int, ...]:
    order = [emperor.id for emperor in now.board.emperors]
    kernel = fast.kernel_of(now)
    return kernel.battle(fast.state_of(now), now.board.order[army], order.index(leader or now.to_move))


def ends(now: Position) -> list[tuple[Position, float]]:
    outcomes = fast.kernel_of(now).outcomes(fast.state_of(now))
    exact = ((state, Fraction(chance).limit_denominator(10**9)) for state, chance in outcomes)  # it counts in doubles
    return [(fast.to_position(state, now.board, now.ruleset), chance) for state, chance in exact]


KERNEL: dict[str, Any] = {word.__name__: word for word in (prices, legal, after, battle, ends)}
NEUTRAL = board_words(BOARD).keys() | COMMON.keys() | {"played", "position", "barbarians", "verb", "goal", "distances"}
NEUTRAL |= {
    "at",
    "ip",
    "over",
    "revolts",
    "unrest",
    "armies",
    "garrisons",
    "standing",
    "throws",
    "piece",
    "attack_price",
}
BEYOND = {
    "statement/board/capitals": "a battle in Roma, where no army can be",
    "statement/dux/support": "it tells the battles of Emperors only",
    "statement/pirates/battle": "it tells the battles with armies only",
    "statement/pirates/defeat": "more garrisons than an Emperor has",
    "statement/round/garrisons": "up to five armies on one board",
    "statement/round/lost-attack": "more revolts than there are",
}


def asks_the_kernel(row: Statement) -> bool:
    """Whether the kernel can answer all that a row asks, and is asked something."""
    is_table = any(path.endswith("*") for path in row.values)
    paths = worked_out(row.id, BOARD) if is_table else row.values  # only what is in a table has to be worked out
    bound = {*row.let, *(path.translate(NAME) for path in paths)}
    used = {name for text in row.expressions() for name in names(text)} - bound
    return used <= NEUTRAL | KERNEL.keys() and bool(used & KERNEL.keys() or row.play)


KERNEL_ROWS = [row for row in ROWS.values() if asks_the_kernel(row) and row.id not in BEYOND]


@pytest.mark.program
def test_the_kernel_is_asked_often() -> None:
    assert len(KERNEL_ROWS) >= 18


@pytest.mark.program
@pytest.mark.parametrize("row", KERNEL_ROWS, ids=lambda row: row.id)
def test_the_kernel_says_the_same(row: Statement) -> None:
    assert row.work_out(BOARD, KERNEL) == worked_out(row.id, BOARD)
