"""What all certificates of facts have in common, with a kind of certificate made for the occasion."""

from __future__ import annotations

from fractions import Fraction

import checker
import pytest
from board import read_board  # of the checker
from checker import checker_facts

from tetrasolve.certify.form import Certificate, digest
from tetrasolve.claims.fact import Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.boardrows import all_rows, whole_digest
from tetrasolve.tetrarchia.facts.certificates import fact_certificate

BOARD = Board.standard()
VALUES: Values = {"half": Fraction(1, 2), "count": 48, "first": BOARD.ids[0], "few": ("roma",), "none": ()}


def prove(lines: checker_facts.Lines, board: checker_facts.Board, fact: checker_facts.Fact) -> dict[str, str]:
    """A prover: it counts provinces, and takes a fact for what its instance says."""
    if fact.instance != fact.fields["of"]:
        raise lines.refuted("this is another fact")
    named = list(lines.section("provinces"))
    if named != board.provinces:
        raise lines.refuted("these are not the provinces")
    return {"count": str(len(named)), "first": named[0], "half": "1/2", "few": "roma.", "none": "-"}


@pytest.fixture(autouse=True)
def kind_of_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind that the checker knows during a test only."""
    monkeypatch.setitem(checker_facts.PROVERS, "census", (("of",), prove))
    for kind in ("census", "of", "count"):
        monkeypatch.setitem(checker_facts.FORM_OF, kind, "replay")


def census(values: Values = VALUES, *, fact: str = "census/all", of: str = "all") -> Certificate:
    return fact_certificate("census", BOARD, fact, {"of": of}, values, {"provinces": BOARD.ids})


def test_both_sides_read_the_same_rows_of_a_board() -> None:
    theirs = read_board(checker.BOARDS[0])

    assert list(theirs.all_rows()) == list(all_rows(BOARD))
    assert theirs.whole_digest() == whole_digest(BOARD)


def test_rows_of_a_board_differ_in_what_they_speak_of() -> None:
    rows = list(all_rows(BOARD))

    assert (
        len(set(rows))
        == len(rows)
        == 1 + 2 + 4 + 48 + len(BOARD.links) + 36 + sum(place.arrow is not None for place in BOARD.provinces.values())
    )


def test_a_round_trip() -> None:
    assert checker.verdict(census().text()) == (checker.CONFIRMED, "confirmed: census/all: 5 values")


def test_values_stand_in_one_order_after_the_fields() -> None:
    lines = census().text().splitlines()

    assert lines[:5] == [
        "tetrasolve-certificate 1",
        "kind census",
        f"board tetrarchia {whole_digest(BOARD)}",
        "fact census/all",
        "of all",
    ]
    assert lines[5:11] == ["values 5", "count 48", "few roma.", f"first {BOARD.ids[0]}", "half 1/2", "none -"]


WRONG = [
    ({**VALUES, "count": 49}, "line 7: 'count' is 48, not 49"),
    ({**VALUES, "more": 1}, "line 11: 'more' is no value of this fact"),
    (
        {path: value for path, value in VALUES.items() if path != "half"},
        "line 10: the value 'half' is left out; it is 1/2",
    ),
]


@pytest.mark.parametrize(("values", "why"), WRONG)
def test_values_that_are_not_those_proved(values: Values, why: str) -> None:
    assert checker.verdict(census(values).text()) == (checker.REFUTED, f"refuted: {why}")


def test_a_certificate_stands_for_no_other_fact() -> None:
    assert checker.verdict(census(fact="census/some").text())[0] == checker.REFUTED


def resigned(text: str, old: str, new: str) -> str:
    """The text with one thing changed and its digest written again."""
    assert old in text
    body = text.rpartition("sha256")[0].replace(old, new, 1)
    return f"{body}sha256 {digest(body)}\n"


UNREADABLE = [
    ("count 48\nfew roma.", "few roma.\ncount 48", "expected ascending order"),
    ("count 48", "count  48", "expected a path, a space and a value"),
    ("count 48", "count", "expected a path, a space and a value"),
    ("count 48", "Count 48", "expected a path, a space and a value"),
    ("fact census/all", "fact census all", "expected the id of a fact"),
    (
        "kind census",
        "kind senseless",
        "the kinds that this checker knows are turn, module-turn, unique, options, difference, plan-difference, unsatisfiable",
    ),
    (whole_digest(BOARD), "0" * 64, "this is not the board in"),
    ("values 5", "values 500", "expected a path, a space and a value"),
]


@pytest.mark.parametrize(("old", "new", "why"), UNREADABLE)
def test_what_cannot_be_read(old: str, new: str, why: str) -> None:
    code, message = checker.verdict(resigned(census().text(), old, new))

    assert code == checker.UNREADABLE and why in message, message
